#!/usr/bin/env python3
"""Write a stack of N boxes on the ground, set down where they just touch.

  generate.py N [--out PREFIX] [--end T] [--steps K] [--error E]
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num, nums, options, write  # noqa: E402

EDGE, MASS, K, G = 0.1, 1.0, 1e6, 9.80665


def heights(n):
    """Of the centres of mass at rest: box k presses with the weight of all from it on"""
    z, out = 0.0, []
    for k in range(n):
        z += EDGE / 2 - (n - k) * MASS * G / K
        out.append(z)
        z += EDGE / 2
    return out


def deck(n):
    o = ["%d boxes on each other\n!                     adams_view_name='stack'\n" % n,
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\n",
         "MARKER/1, PART = 1, QP = -1, -1, -1\n!                     adams_view_name='floor'\n",
         "GRAPHICS/1, BOX, CORNER = 1, X = 2, Y = 2, Z = 1\n"]
    for k in range(n):
        p = k + 2
        o.append("!\n!                     adams_view_name='box_%d'\n" % (k + 1))
        o.append("PART/%d, MASS = %s, CM = %d, IP = %s, QG = 0.001, 0.002, %s\n"
                 % (p, num(MASS), 10 * p, nums([MASS * EDGE**2 / 6] * 3), num(EDGE * (k + 0.5))))
        o.append("MARKER/%d, PART = %d\nMARKER/%d, PART = %d, QP = %s\n" % (10 * p, p, 10 * p + 1, p, nums([-EDGE / 2] * 3)))
        o.append("GRAPHICS/%d, BOX, CORNER = %d, X = %s, Y = %s, Z = %s\n" % ((p, 10 * p + 1) + (num(EDGE),) * 3))
        o.append("CONTACT/%d, IGEOM = %d, JGEOM = %d, IMPACT, STIFFNESS = %s, EXPONENT = 1, DAMPING = 1E3, DMAX = 1E-6\n"
                 % (k + 1, p, p - 1, num(K)))
        o.append(", COULOMB_FRICTION = ON, MU_STATIC = 0.5, MU_DYNAMIC = 0.4\n"
                 ", STICTION_TRANSITION_VELOCITY = 1E-3, FRICTION_TRANSITION_VELOCITY = 2E-3\n")
    o.append("!\nACCGRAV/KGRAV = %s\nEND\n" % num(-G))
    return "".join(o)


if __name__ == "__main__":
    a = options(__doc__, os.path.join(HERE, "stack"), 10.0, 100, 1e-6)
    a.add_argument("n", type=int, nargs="?", default=10)
    k = a.parse_args()
    write(deck(k.n), k)
