#!/usr/bin/env python3
"""Write a random tree of N rods on revolute joints as PREFIX.adm and PREFIX.acf.

  generate.py N [--seed S] [--out PREFIX]

Each rod hangs on a revolute joint at its near end, from a random place of a rod before
it that carries fewer than four; direction and axis are random. N degrees of freedom, no
redundant equation. Released from rest.
"""
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import Deck, euler, options, write  # noqa: E402

LENGTH, MASS, RADIUS = 0.3, 0.5, 0.012
INERTIA = (MASS * RADIUS ** 2 / 2,) + 2 * (MASS * (LENGTH ** 2 / 12 + RADIUS ** 2 / 4),)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    s = math.sqrt(sum(k * k for k in a))
    return [k / s for k in a]


def plan(n, seed):
    """Per rod: parent (-1: ground), place on the parent's axis from its centre, near end in ground, axes x (along the
    rod), y, z (of the joint)."""
    r = random.Random(seed)
    children = [0] * n
    rods = []
    for i in range(n):
        parent, place, start = -1, 0.0, [0.0, 0.0, 0.0]
        if i:
            while True:
                parent = max(0, i // 3 - 1) + int(r.random() * (i - max(0, i // 3 - 1)))
                if children[parent] < 4:
                    break
            children[parent] += 1
            place = LENGTH * (r.random() - 0.5)
            up = rods[parent]
            start = [s + (place + LENGTH / 2) * x for s, x in zip(up[2], up[3])]
        x = unit([2 * r.random() - 1, 2 * r.random() - 1, -0.2 - r.random()])
        while True:
            axis = [2 * r.random() - 1 for _ in range(3)]
            y = cross(axis, x)
            if sum(k * k for k in y) > 0.1:
                break
        y = unit(y)
        rods.append((parent, place, start, x, y, cross(x, y)))
    return rods


def deck(n, seed):
    """Rod i (from 0) is PART/k, k = i+2, frame in the centre. Markers: 10k centre; 10k+1 near end on the rod, z the
    axis of the joint; 10k+2 the same point and axes on the parent."""
    rods = plan(n, seed)
    d = Deck("Random tree of %d rods on revolute joints, seed %d" % (n, seed),
             "Rod i (from 0) is PART/k, k = i+2, with its frame in the centre, x along the rod and z along the\n"
             "axis of its joint. Markers: 10k centre, 10k+1 near end, 10k+2 the same place on the rod it hangs on.\n")
    d.ground()
    for i, (parent, place, start, x, y, z) in enumerate(rods):
        k = i + 2
        d.part(k, "rod_%d" % i, [s + LENGTH / 2 * a for s, a in zip(start, x)], MASS, INERTIA, 10 * k, euler(x, y, z))
        d.marker(10 * k, k)
        d.marker(10 * k + 1, k, (-LENGTH / 2, 0, 0))
        if parent < 0:
            d.marker(10 * k + 2, 1, (0, 0, 0), euler(x, y, z))
            continue
        axes = rods[parent][3:]
        turned = [[sum(p * q for p, q in zip(a, b)) for a in axes] for b in (x, y, z)]
        d.marker(10 * k + 2, parent + 2, (place, 0, 0), euler(*turned))
    d.head("CONSTRAINTS")
    for i in range(n):
        d.joint(i + 1, "REVOLUTE", 10 * (i + 2) + 1, 10 * (i + 2) + 2, "hinge_%d" % i)
    d.head("OUTPUT REQUESTS")
    d.add("REQUEST", 1, "last_rod", "DISPLACEMENT", "I = %d" % (10 * (n + 1)))
    d.finish()
    return d.text()


def main():
    a = options(__doc__, "tree", 0.5, 100, 1e-8)
    a.add_argument("n", type=int, nargs="?", default=12, help="number of rods (%(default)s)")
    a.add_argument("--seed", type=int, default=5, help="of the random numbers (%(default)s)")
    k = a.parse_args()
    if k.n < 1:
        a.error("N must be at least 1")
    write(deck(k.n, k.seed), k)


if __name__ == "__main__":
    main()
