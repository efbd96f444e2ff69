#!/usr/bin/env python3
"""The deck bench/decks/cart.adm in Exudyn (pip install exudyn): its work and precision beside work_precision.py.

Usage: exudyn_cart.py REFERENCE.csv [--json FILE]

REFERENCE.csv: positions at 100 outputs of a run of it with INTEGRATOR/RADAU, ERROR=1E-14. The implicit generalized-alpha
solver with its default settings takes steps of one size; time is that of its solver in C++ alone, without start and output.
"""
import argparse
import csv
import json
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia


def model():
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.CreateGround()
    cart = mbs.CreateRigidBody(inertia=RigidBodyInertia(2, np.diag([0.1, 0.1, 0.1])), gravity=[0, -9.81, 0])
    rod = mbs.CreateRigidBody(inertia=RigidBodyInertia(1, np.diag([0.001, 0.0833, 0.0833])),
                              referencePosition=[0.5, 0, 0], gravity=[0, -9.81, 0])
    mbs.CreatePrismaticJoint(itemNumbers=[ground, cart], position=[0, 0, 0], axis=[1, 0, 0], useGlobalFrame=True)
    mbs.CreateRevoluteJoint(itemNumbers=[cart, rod], position=[0, 0, 0], axis=[0, 0, 1], useGlobalFrame=True)
    mbs.Assemble()
    return mbs, (cart, rod)


def run(steps, end=10.0):
    mbs, bodies = model()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = end
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    mbs.SolveDynamic(settings)
    seconds = mbs.sys["dynamicSolver"].timer.total
    count = mbs.sys["dynamicSolver"].it.currentStepIndex
    return seconds, count, [mbs.GetObjectOutputBody(b, exu.OutputVariableType.Position, [0, 0, 0]) for b in bodies]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = list(csv.reader(line for line in open(options.reference) if not line.startswith("#")))
    names = [n.split(" ")[0] for n in rows[0]]
    last = [[float(rows[-1][names.index(f"PART/{p}.{c}")]) for c in "XYZ"] for p in (2, 3)]
    scale = max(abs(float(r[names.index(f"PART/{p}.{c}")])) for r in rows[1:] for p in (2, 3) for c in "XYZ")
    table = []
    for k in range(11):
        steps = 500 * 2 ** k
        seconds, count, where = min((run(steps) for _ in range(3)), key=lambda r: r[0])
        error = float(np.max(np.abs(np.array(where) - np.array(last)))) / scale
        table.append({"steps": steps, "time": seconds, "error": error})
        print(f"{steps:8d} steps  {1e3 * seconds:9.3g} ms  error at the end {error:.2e}")
        if seconds > 20:
            break
    if options.json:
        json.dump({"exudyn": exu.__version__, "rows": table}, open(options.json, "w"), indent=1)


if __name__ == "__main__":
    main()
