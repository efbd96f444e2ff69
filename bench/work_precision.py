#!/usr/bin/env python3
"""Work and precision of every integrator: runs a deck at many ERRORs with each, measures the true error against a tight
reference, and tells what an error of 1e-3 ... 1e-9 costs.

Usage: work_precision.py PROGRAM [--decks cart,frame,ball,press,andrews] [--json FILE] [--figure FILE.svg] [--repeat 3]

The error is the largest difference of positions (and, in a column of its own, of reactions and applied forces) at any
output, over the largest position (force) of the deck. Time is that of the processor, least of some runs, less what a run
without steps takes. Steps, rejected steps, evaluations and factorizations are the program's own counts.
"""
import argparse
import csv
import json
import math
import pathlib
import platform
import re
import resource
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DECKS = {  # name: (dataset, command, what it is)
    "cart": ("decks/cart.adm", "END=10, STEPS=100", "smooth"),
    "frame": ("decks/frame.adm", "END=2, STEPS=100", "stiff"),
    "ball": ("decks/ball.adm", "END=1.5, STEPS=100", "impacts"),
    "press": ("decks/press.adm", "END=3, STEPS=100", "driven"),
    "andrews": ("../models/andrews/andrews.adm", "END=0.03, STEPS=100", "squeezing mechanism"),
    "slider_crank": ("../models/slider_crank/slider_crank.adm", "END=2, STEPS=100", "four kinds of joints"),
    "car_axis": ("../models/car_axis/car_axis.adm", "END=3, STEPS=100", "stiff springs, a bumpy road"),
    "heavy_top": ("../models/heavy_top/heavy_top.adm", "END=2, STEPS=100", "spin"),
}
DRAWN = ["cart", "frame", "ball", "press", "andrews"]
METHODS = ["GSTIFF", "GSTIFF, SI2", "WSTIFF", "WSTIFF, SI2", "RADAU", "HHT", "RKF45", "ABAM"]
ERRORS = [10.0 ** -k for k in range(3, 14)]
TARGETS = [1e-3, 1e-5, 1e-7, 1e-9]
LONGEST = 20  # s; tighter runs of a method that took as long are left out
REFERENCE = ("GSTIFF, SI2, ERROR=1E-13", "RADAU, ERROR=1E-14")
COUNTS = re.compile(r"(\d+) steps, (\d+) rejected.*?(\d+) evaluations, (\d+) Jacobians, (\d+) factorizations")


class Runner:
    def __init__(self, program, folder, repeat):
        self.program, self.folder, self.repeat = program, folder, repeat

    def launch(self, deck, integrator, formats, dry=False):
        """Exit code and processor time of one run."""
        dataset, times, _ = DECKS[deck]
        command = self.folder / "run.acf"
        command.write_text(f"{(HERE / dataset).resolve()}\nrun\nINTEGRATOR/{integrator}\nSIMULATE/DYNAMIC, {times}\n")
        line = [self.program, "run", str(command), "-C", str(self.folder), "--formats", formats, "--quiet"]
        if dry:
            line = [self.program, "run", str(command), "--dry-run", "--quiet"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(line, capture_output=True, timeout=600)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def measure(self, deck, integrator, idle):
        code, _ = self.launch(deck, integrator, "csv")
        if code:
            return None
        table = read_table(self.folder / "run.csv")
        counts = COUNTS.findall((self.folder / "run.msg").read_text())
        numbers = dict(zip(("steps", "rejected", "evaluations", "jacobians", "factorizations"), map(int, counts[-1])))
        time = min(self.launch(deck, integrator, "none")[1] for _ in range(self.repeat)) - idle
        return table, numbers, max(time, 1e-4)


def read_table(path):
    rows = list(csv.reader(line for line in path.open() if not line.startswith("#")))
    names = [name.split(" ")[0] for name in rows[0]]
    return names, [[float(x) for x in row] for row in rows[1:] if row]


def difference(a, b, components, types):
    """Largest difference over largest value of these channels; None where there are none."""
    names, left = a
    columns = [k for k, n in enumerate(names) if n.split(".")[-1] in components and n.split("/")[0] in types]
    if not columns:
        return None
    right = b[1]
    scale = max(abs(row[k]) for row in left for k in columns)
    return max(abs(x[k] - y[k]) for x, y in zip(left, right) for k in columns) / scale


POSITIONS = (("X", "Y", "Z"), ("PART", "POINT_MASS"))
FORCES = (("FX", "FY", "FZ"), ("JOINT", "BUSHING", "VFORCE", "SPRINGDAMPER"))


def study(runner, deck, methods):
    idle = min(runner.launch(deck, "HHT", "none", dry=True)[1] for _ in range(5))
    reference, check = (runner.measure(deck, integrator, idle)[0] for integrator in REFERENCE)
    floor = difference(reference, check, *POSITIONS)
    rows = []
    for method in methods:
        for error in ERRORS:
            done = runner.measure(deck, f"{method}, ERROR={error:.0E}", idle)
            if not done:
                rows.append({"method": method, "error": error, "failed": True})
                continue
            table, numbers, time = done
            rows.append({"method": method, "error": error, "time": time, **numbers,
                         "positions": difference(reference, table, *POSITIONS),
                         "forces": difference(reference, table, *FORCES)})
            if time > LONGEST or rows[-1]["positions"] < 3 * floor:
                break
    return {"floor": floor, "forces_floor": difference(reference, check, *FORCES), "rows": rows}


def at_error(rows, method, target, value):
    """`value` where the error of positions is `target`, between the runs on both sides (logarithms); None: not reached."""
    runs = [r for r in rows if r["method"] == method and "time" in r and r["positions"] > 0]
    for near, far in zip([None] + runs, runs):
        if far["positions"] > target:
            continue
        if near is None or near["positions"] <= target or not near[value] or not far[value]:
            return far[value]
        part = math.log(near["positions"] / target) / math.log(near["positions"] / far["positions"])
        return near[value] * (far[value] / near[value]) ** part
    return None


def table_of(deck, found):
    text = f"**{deck}** ({DECKS[deck][2]}); reference to {found['floor']:.0e} (forces {found['forces_floor']:.0e})\n\n"
    text += "| integrator | " + " | ".join(f"{t:.0e}: ms (steps)" for t in TARGETS) + " | forces at 1e-5 | rejected at 1e-5 |\n"
    text += "|---" * (len(TARGETS) + 3) + "|\n"
    for method in dict.fromkeys(r["method"] for r in found["rows"]):
        cells = []
        for target in TARGETS:
            time = at_error(found["rows"], method, target, "time")
            steps = at_error(found["rows"], method, target, "steps")
            cells.append("-" if time is None else f"{1e3 * time:.3g} ({steps:.0f})")
        forces = at_error(found["rows"], method, 1e-5, "forces")
        rejected = at_error(found["rows"], method, 1e-5, "rejected")
        cells += ["-" if forces is None else f"{forces:.0e}", "-" if rejected is None else f"{rejected:.0f}"]
        text += f"| {method} | " + " | ".join(cells) + " |\n"
    return text


def not_monotone(found):
    """Pairs of ERRORs of which the smaller one had the larger error, well above that of the reference."""
    for method in dict.fromkeys(r["method"] for r in found["rows"]):
        runs = [r for r in found["rows"] if r["method"] == method and "positions" in r]
        for loose, tight in zip(runs, runs[1:]):
            if tight["positions"] > loose["positions"] > 5 * found["floor"]:
                yield (f"{method}: {loose['positions']:.1e} at ERROR {loose['error']:.0e}, {tight['positions']:.1e} at "
                       f"{tight['error']:.0e}")


def draw(results, path):
    script = ["set terminal svg noenhanced size 1100,800 font 'Sans,13' dynamic", f"set output '{path}'",
              "set logscale xy", "set format '%g'", "set grid linecolor rgb '#DDDDDD'", "set key left bottom",
              "set xlabel 'error of positions'", "set ylabel 'processor time [ms]'", "set xrange [*:*] reverse"]
    for n, (deck, found) in enumerate(results.items()):
        for m, method in enumerate(METHODS):
            runs = [r for r in found["rows"] if r["method"] == method and r.get("positions", 0) > 0]
            lines = "\n".join(f"{r['positions']} {1e3 * r['time']}" for r in runs) or "NaN NaN"
            script.append(f"$d{n}_{m} << EOD\n{lines}\nEOD")
    script.append(f"set multiplot layout {(len(results) + 1) // 2},2")
    for n, deck in enumerate(results):
        script.append(f"set title '{deck}: {DECKS[deck][2]}'")
        script.append("plot " + ", ".join(f"$d{n}_{m} with linespoints linewidth 1.5 title '{method}'"
                                          for m, method in enumerate(METHODS)))
    script.append("unset multiplot")
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--decks", default=",".join(DRAWN))
    parser.add_argument("--methods", default=";".join(METHODS), help="separated by semicolons")
    parser.add_argument("--json")
    parser.add_argument("--figure")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.program, pathlib.Path(folder), options.repeat)
        for deck in options.decks.split(","):
            results[deck] = study(runner, deck, options.methods.split(";"))
            print(table_of(deck, results[deck]), flush=True)
            for text in not_monotone(results[deck]):
                print(f"not monotone: {text}", flush=True)
    if options.json:
        model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")][0]
        version = subprocess.run([options.program, "--version"], capture_output=True, text=True).stdout.strip()
        head = {"machine": model, "system": platform.platform(), "program": version}
        pathlib.Path(options.json).write_text(json.dumps({**head, "decks": results}, indent=1) + "\n")
    if options.figure:
        draw(results, options.figure)


if __name__ == "__main__":
    main()
