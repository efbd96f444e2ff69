#!/usr/bin/env python3
"""Measure the models of any size: rows of the table in README.md.

  measure.py PROGRAM [--models chain,net] [--sizes 0,1,2] [--folder DIR] [--limit S]

PROGRAM is the built trammel. Size 0, 1, 2: about 1e3, 1e4, 1e5 unknowns. Each deck is
generated, read, compiled, started and run for 20 output steps at ERROR=1E-5. Times
are CPU times: reading is that of `info`, start that of `run --dry-run` without it, a
step that of the rest of the run. Standard library only.
"""
import argparse
import json
import os
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
# model: arguments by size, length of a run in s
MODELS = {
    "chain": (["111", "1111", "11111"], [], 0.1),
    "belt": (["111", "1111", "11111"], ["--swing", "1"], 0.1),
    "net": (["9", "29", "91"], [], 0.02),
    "net_bushings": (["13", "41", "129"], [], 0.02),
    "tree": (["91", "909", "9090"], [], 0.05),
    "tracked": (["1", "5", "46"], [], 0.05),
    "flexible_chain": (["9", "90", "900"], ["--modes", "50"], 0.01),
}
STEPS = 20


def generate(model, size, folder):
    sizes, more, end = MODELS[model]
    prefix = os.path.join(folder, "%s_%s" % (model, sizes[size]))
    script = os.path.join(HERE, model, "generate.py")
    if model == "chain":
        arguments = [script, sizes[size], "--out", prefix + ".adm", "--end", str(end), "--steps", str(STEPS), "--error", "1e-5"]
    else:
        arguments = [script, sizes[size], *more, "--out", prefix, "--end", str(end), "--steps", str(STEPS), "--error", "1e-5"]
    subprocess.run([sys.executable, *arguments], check=True)
    return prefix


def child(limit, folder, *command):
    """CPU time in s and largest memory in MB of a command."""
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    guard = threading.Timer(limit, run.kill)
    guard.start()
    _, status, used = os.wait4(run.pid, 0)
    guard.cancel()
    if os.WIFSIGNALED(status):
        raise subprocess.TimeoutExpired(command[0], limit)
    if status:
        raise RuntimeError("%s: exit code %d" % (" ".join(command), os.waitstatus_to_exitcode(status)))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(program, prefix, limit):
    name, folder = os.path.basename(prefix), os.path.dirname(prefix)
    log, job = os.path.join(folder, name + ".jsonl"), name + ".acf"
    read, _ = child(limit, folder, program, "info", name + ".adm")
    start, _ = child(limit, folder, program, "run", job, "--quiet", "--dry-run")
    run, memory = child(limit, folder, program, "run", job, "--quiet", "--formats", "none", "--log-json", log)
    told = json.loads(subprocess.run([program, "check", job, "--json"], cwd=folder, capture_output=True, text=True).stdout)
    with open(log) as f:
        done = next(e for e in map(json.loads, f) if e["event"] == "simulation_end")
    s = told["statements"]
    forces = sum(s.get(k, 0) for k in ("SFORCE", "VFORCE", "GFORCE", "BUSHING", "SPRINGDAMPER"))
    return dict(unknowns=told["unknowns"], nonzeros=told["matrix_nonzeros"], redundant=len(told["redundant"]),
                joints=s.get("JOINT", 0) + s.get("JPRIM", 0), forces=forces, deck=os.path.getsize(prefix + ".adm") / 1e6,
                memory=memory, read=read, start=start - read, steps=done["steps"],
                evaluations=done["evaluations"] / done["steps"], jacobians=done["jacobians"] / done["steps"],
                step=1e3 * (run - start) / done["steps"])


def row(model, size, m):
    return ("| %s | %s | %d | %.3g | %d | %d | %.1f | %.0f | %.2f | %.2f | %d | %.1f | %.2f | %.3g |"
            % (model, size, m["unknowns"], m["nonzeros"], m["joints"], m["forces"], m["deck"], m["memory"], m["read"],
               m["start"], m["steps"], m["evaluations"], m["jacobians"], m["step"]))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("program")
    a.add_argument("--models", default=",".join(MODELS))
    a.add_argument("--sizes", default="0,1,2")
    a.add_argument("--folder", default=".")
    a.add_argument("--limit", type=float, default=600, help="seconds for a run")
    k = a.parse_args()
    for model in k.models.split(","):
        for size in map(int, k.sizes.split(",")):
            prefix = generate(model, size, os.path.abspath(k.folder))
            try:
                m = measure(os.path.abspath(k.program), prefix, k.limit)
            except subprocess.TimeoutExpired:
                print("| %s | %s | more than %g s |" % (model, MODELS[model][0][size], k.limit), flush=True)
                continue
            print(row(model, MODELS[model][0][size], m), flush=True)
            if m["redundant"]:
                print("  redundant equations: %d" % m["redundant"])


if __name__ == "__main__":
    main()
