#!/usr/bin/env python3
"""Write falling_box.adm: boxes that fall on a corner, an edge and a face."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num, nums  # noqa: E402

EDGES, MASS, G, FALL = (0.2, 0.15, 0.1), 1.5, 9.81, 0.1
INERTIA = [MASS * (sum(e * e for e in EDGES) - x * x) / 12 for x in EDGES]
K, EXPONENT, DAMPING, DMAX, MU, STICK = 5e5, 1.5, 100.0, 1e-3, 0.3, 1e-2
# name, 3-1-3 angles in degrees, angular velocity in the axes of the body
CASES = (("corner", (20, 35, 40), (0.0, 0.0, 1.0)), ("edge", (0, 30, 0), (0.5, 0.0, 0.0)), ("face", (0, 0, 0), (0.0, 0.0, 0.0)))


def vertical(angles):
    """The vertical in the axes of the body."""
    _, b, c = (math.radians(x) for x in angles)
    return math.sin(b) * math.sin(c), math.sin(b) * math.cos(c), math.cos(b)


def height(angles):
    """Of the middle, where the lowest point is FALL above the ground"""
    return FALL + sum(e / 2 * abs(x) for e, x in zip(EDGES, vertical(angles)))


def deck():
    o = ["Boxes that fall on a corner, an edge and a face\n!                     adams_view_name='falling_box'\n",
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\nMARKER/1, PART = 1\n",
         "!                     adams_view_name='floor'\n",
         "GRAPHICS/1, PLANE, RM = 1, XMIN = -1, XMAX = 1, YMIN = -1, YMAX = 1\n"]
    for p, (name, angles, spin) in enumerate(CASES, 2):
        o.append("!\n!                     adams_view_name='on_a_%s'\n" % name)
        o.append("PART/%d, MASS = %s, CM = %d, IP = %s\n" % (p, num(MASS), 10 * p, nums(INERTIA)))
        o.append(", QG = 0, %s, %s, REULER = %dD, %dD, %dD\n" % ((num(0.5 * (p - 2)), num(height(angles))) + angles))
        if any(spin):
            o.append(", WX = %s, WY = %s, WZ = %s\n" % tuple(num(w) for w in spin))
        o.append("MARKER/%d, PART = %d\nMARKER/%d, PART = %d, QP = %s\n" % (10 * p, p, 10 * p + 1, p, nums(-e / 2 for e in EDGES)))
        o.append("GRAPHICS/%d, BOX, CORNER = %d, X = %s, Y = %s, Z = %s\n" % ((p, 10 * p + 1) + tuple(num(e) for e in EDGES)))
        o.append("CONTACT/%d, IGEOM = %d, JGEOM = 1, IMPACT, STIFFNESS = %s, EXPONENT = %s, DAMPING = %s, DMAX = %s\n"
                 % (p, p, num(K), num(EXPONENT), num(DAMPING), num(DMAX)))
        o.append(", COULOMB_FRICTION = ON, MU_STATIC = %s, MU_DYNAMIC = %s\n" % (num(MU), num(MU)))
        o.append(", STICTION_TRANSITION_VELOCITY = %s, FRICTION_TRANSITION_VELOCITY = %s\n" % (num(STICK), num(2 * STICK)))
        w = ["W%s(%d0,1,%d0)" % (a, p, p) for a in "XYZ"]
        o.append("REQUEST/%d, F2 = DZ(%d0)\\F3 = VZ(%d0)\\F4 = %s\\F6 = %s\\F7 = %s\n" % ((p, p, p) + tuple(w)))
        o.append(",\\F8 = %s*VM(%d0)**2+%s*DZ(%d0)" % (num(MASS / 2), p, num(MASS * G), p))
        o.append("".join("\n,+%s*%s**2" % (num(j / 2), x) for j, x in zip(INERTIA, w)) + "\n")
    o.append("!\nACCGRAV/KGRAV = %s\nINTEGRATOR/GSTIFF, SI2, ERROR = 1E-11\nEND\n" % num(-G))
    return "".join(o)


if __name__ == "__main__":
    with open(os.path.join(HERE, "falling_box.adm"), "w") as f:
        f.write(deck())
