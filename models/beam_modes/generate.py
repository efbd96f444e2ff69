#!/usr/bin/env python3
"""Write beam.mtx: the modes of a steel bar of 1 m × 20 mm × 30 mm by 48 × 3 × 4 quadratic solids.

The end that joints hold is a rigid point, 9001: its section stays plane and keeps its shape, as a clamp does. The other,
9002, is an averaged one. 10 modes of the held bar, 12 shapes by inertia.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from solidkit import Solid, planes  # noqa: E402

LENGTH, THICK, HIGH = 1.0, 0.02, 0.03   # along x, y, z [m]
YOUNG, POISSON, DENSITY = 2.1e11, 0.3, 7850.0
BOXES = (48, 3, 4)


def bar(boxes=BOXES):
    solid = Solid(planes(0, LENGTH, boxes[0]), planes(-THICK / 2, THICK / 2, boxes[1]),
                  planes(-HIGH / 2, HIGH / 2, boxes[2]), young=YOUNG, poisson=POISSON, density=DENSITY)
    solid.choose("END0", lambda x, y, z: x < 1e-9)
    solid.choose("END1", lambda x, y, z: x > LENGTH - 1e-9)
    return solid


if __name__ == "__main__":
    bar().reduce(os.path.join(HERE, "beam.mtx"), "--rigid", "9001=END0", "--averaged", "9002=END1", "--modes", 10)
