#!/usr/bin/env python3
"""Write frame.mtx: the free modes of a rectangular frame of plastic bars, made of quadratic solids.

Nothing holds the frame, so its modes are those of the free body: no interface, --modes of the whole. The origin of the
elements is the centre of mass. Markers stand on nodes of the mesh.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from solidkit import Solid, planes  # noqa: E402

LENGTH, WIDTH, BAR, HIGH = 1.0, 0.6, 0.024, 0.012   # outer sides along x and y, of a bar in the plane and across, m
YOUNG, POISSON, DENSITY = 3e9, 0.35, 1200.0
MODES = 12


def frame():
    def sides(length, boxes):
        inner = planes(-length / 2 + BAR, length / 2 - BAR, boxes)
        return [-length / 2] + inner + [length / 2]

    xs, ys = sides(LENGTH, 10), sides(WIDTH, 6)
    solid = Solid(xs, ys, [-HIGH / 2, HIGH / 2], lambda i, j, k: i in (0, len(xs) - 2) or j in (0, len(ys) - 2),
                  young=YOUNG, poisson=POISSON, density=DENSITY)
    solid.corner = solid.at((LENGTH / 2, WIDTH / 2, HIGH / 2))
    solid.middle = solid.at((0, WIDTH / 2, HIGH / 2))
    return solid


if __name__ == "__main__":
    f = frame()
    print("nodes %d: corner %d at %s, middle %d at %s" % (len(f.node), f.corner, f.node[f.corner], f.middle, f.node[f.middle]))
    f.reduce(os.path.join(HERE, "frame.mtx"), "--modes", MODES, "--nodes", f.corner, f.middle)
