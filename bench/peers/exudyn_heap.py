#!/usr/bin/env python3
"""Packed balls (models/heap/generate.py N --packed) in Exudyn (pip install exudyn): time of a right-hand side.

Usage: exudyn_heap.py N [N ...] [--steps K] [--json FILE]

The same places, masses and slope of the force at a depth of 1 mm, on a floor without walls: steps of explicit Euler, one
evaluation each, one thread. Its balls are mass points of three coordinates without friction, whose contact is linear in the
depth; those of the deck are rigid bodies of six with friction, with the law k g^1.5. The time is of its solver in C++ alone.
"""
import argparse
import json
import math
import sys

import exudyn as exu
import numpy as np

sys.path.insert(0, __file__.rsplit("/", 3)[0] + "/models/heap")
from generate import MASS, RADIUS, packed_places  # noqa: E402


def floor(half):
    """Two triangles."""
    points = [[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]
    return points, [[0, 1, 2], [0, 2, 3]]


def model(n):
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.CreateGround()
    contact = mbs.AddGeneralContact()
    contact.SetFrictionPairings(np.zeros((1, 1)))  # points do not turn: it has none for them
    places, side = packed_places(n)
    stiffness = 1.5e5 * math.sqrt(1e-3)  # slope of 1e5 g^1.5 at 1 mm
    marker = mbs.AddMarker({"markerType": "BodyRigid", "bodyNumber": ground})
    half = 2 * RADIUS * side
    points, triangles = floor(half)
    contact.AddTrianglesRigidBodyBased(rigidBodyMarkerIndex=marker, contactStiffness=stiffness, contactDamping=100,
                                       frictionMaterialIndex=0, pointList=points, triangleList=triangles)
    top = 0.0
    for p in places:
        body = mbs.CreateMassPoint(referencePosition=list(p), mass=MASS, gravity=[0, 0, -9.81])
        contact.AddSphereWithMarker(mbs.AddMarker({"markerType": "BodyPosition", "bodyNumber": body}), radius=RADIUS,
                                    contactStiffness=stiffness, contactDamping=100, frictionMaterialIndex=0)
        top = max(top, p[2])
    cells = max(2, side)
    contact.SetSearchTreeCellSize(numberOfCells=[cells, cells, cells])
    contact.SetSearchTreeBox(pMin=np.array([-half, -half, -RADIUS]), pMax=np.array([half, half, top + 2 * RADIUS]))
    mbs.Assemble()
    return mbs


def run(n, steps):
    mbs = model(n)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = 1e-6 * steps  # the heap stays as it is
    settings.timeIntegration.verboseMode = 0
    explicit = settings.timeIntegration.explicit
    explicit.computeEndOfStepAccelerations = False
    explicit.computeMassMatrixInversePerBody = True
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.ExplicitEuler)
    return mbs.sys["dynamicSolver"].timer.total / steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, nargs="+")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    for n in options.n:
        seconds = min(run(n, options.steps) for _ in range(3))
        rows.append({"balls": n, "seconds_per_evaluation": seconds})
        print(f"{n:8d} balls  {1e3 * seconds:9.3g} ms per evaluation", flush=True)
    if options.json:
        json.dump({"exudyn": exu.__version__, "rows": rows}, open(options.json, "w"), indent=1)


if __name__ == "__main__":
    main()
