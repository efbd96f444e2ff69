#!/usr/bin/env python3
"""Errors of the Princeton beam by BEAMs of each formulation: the tables of README.md.

  measure.py PROGRAM [--numbers 1,2,4,8,16]

PROGRAM is the built trammel. Reference: the rod of rod.py, without shear as the decks are. Standard library only.
"""
import argparse
import csv
import functools
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from generate import LENGTH  # noqa: E402
from reference import force, rod  # noqa: E402
from rod import tip  # noqa: E402

STEPS = 24  # loads up to 13.345 N


def load_at(t):
    return 4.448 * t + t * (t - 1) * (t - 2) / 6000


def run(program, n, formulation, angle, folder):
    """Rows (t, soft, stiff, back, twist) of a sequence of equilibria."""
    prefix = os.path.join(folder, "beam")
    subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), str(n), "--formulation", formulation, "--angles",
                    str(angle), "--steps", str(STEPS), "--out", prefix], check=True)
    subprocess.run([program, "run", "beam.acf", "--quiet", "--formats", "csv"], cwd=folder, check=True, timeout=60)
    with open(prefix + ".csv") as f:
        rows = list(csv.reader(f))
    at = {name.split(" ")[0]: k for k, name in enumerate(rows[0])}
    return [[float(r[0])] + [float(r[at["REQUEST/1." + c]]) for c in ("F2", "F3", "F4", "F6")] for r in rows[1:]]


@functools.lru_cache(None)
def exact(t, angle):
    return tip(rod(steps=100).under(force(load_at(t), angle), 3), LENGTH)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("program")
    a.add_argument("--numbers", default="1,2,4,8,16")
    k = a.parse_args()
    program = os.path.abspath(k.program)
    with tempfile.TemporaryDirectory() as folder:
        for angle in (90, 45):
            print("| %d degrees | BEAMs | soft | stiff | twist | soft right to 0.5 %% up to |\n|---|---|---|---|---|---|" % angle)
            for formulation in ("LINEAR", "STRING", "NONLINEAR"):
                for n in map(int, k.numbers.split(",")):
                    rows = [r for r in run(program, n, formulation, angle, folder) if r[0] > 0]
                    errors = [[x - y for x, y in zip(r[1:], exact(r[0], angle))] for r in rows]
                    wrong = [i for i, (r, e) in enumerate(zip(rows, errors)) if abs(e[0]) > 0.005 * (r[1] - e[0])]
                    right = rows[wrong[0] - 1 if wrong else -1]
                    fits = 0.0 if wrong and wrong[0] == 0 else exact(right[0], angle)[0] / LENGTH
                    last = errors[-1]
                    print("| %s | %d | %.2g | %.2g | %.2g | %.2f L%s |" % (formulation, n, last[0], last[1], last[3], fits,
                                                                        "" if wrong else " (the end)"), flush=True)


if __name__ == "__main__":
    main()
