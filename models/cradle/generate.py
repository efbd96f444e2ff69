#!/usr/bin/env python3
"""Write cradle.adm: balls of steel on pendulums side by side, the first one raised."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num, nums  # noqa: E402

BALLS, RADIUS, LENGTH, MASS, K, RAISED = 5, 0.025, 0.4, 0.51, 1.7e10, 30
INERTIA = 0.4 * MASS * RADIUS**2


def deck():
    o = ["Newton's cradle: five balls of steel, with Hertz's law\n!                     adams_view_name='cradle'\n",
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\n"]
    for n in range(BALLS):
        p, a = n + 2, math.radians(0 if n else -RAISED)
        x = 2 * RADIUS * n
        o.append("!                     adams_view_name='ball_%d'\n" % (n + 1))
        o.append("PART/%d, MASS = %s, CM = %d, IP = %s\n" % (p, num(MASS), 10 * p, nums([INERTIA] * 3)))
        o.append(", QG = %s%s\n" % (nums((x + LENGTH * math.sin(a), 0, -LENGTH * math.cos(a))),
                                    "" if n else ", REULER = 90D, %dD, -90D" % RAISED))
        o.append("MARKER/%d, PART = %d\nMARKER/%d, PART = %d, QP = 0, 0, %s, REULER = 0D, 90D, 0D\n"
                 % (10 * p, p, 10 * p + 1, p, num(LENGTH)))
        o.append("MARKER/%d, PART = 1, QP = %s, REULER = 0D, 90D, 0D\n" % (10 * p + 2, nums((x, 0, 0))))
        o.append("JOINT/%d, REVOLUTE, I = %d, J = %d\n" % (p, 10 * p + 1, 10 * p + 2))
        o.append("GRAPHICS/%d, ELLIPSOID, CM = %d, XSCALE = 0.05, YSCALE = 0.05, ZSCALE = 0.05\n" % (p, 10 * p))
        if n:
            o.append("CONTACT/%d, IGEOM = %d, JGEOM = %d, IMPACT, STIFFNESS = %s, EXPONENT = 1.5, DAMPING = 0, DMAX = 1E-3\n"
                     % (n, p, p - 1, num(K)))
    balls = range(2, BALLS + 2)
    o.append("!\nREQUEST/1, " + "\\".join("F%d = VX(%d0)" % (p, p) for p in balls) + "\n")
    o.append("REQUEST/2, " + "\\".join("F%d = DX(%d0)" % (p, p) for p in balls) + "\n")
    o.append("REQUEST/3, F2 = %s*(%s)\n,\\F3 = %s*(%s)\n"
             % (num(MASS / 2 * (1 + 0.4 * (RADIUS / LENGTH) ** 2)), "+".join("VM(%d0)**2" % p for p in balls),
                num(9.81 * MASS), "+".join("DZ(%d0)" % p for p in balls)))
    o.append("!\nACCGRAV/KGRAV = -9.81\nINTEGRATOR/GSTIFF, SI2, ERROR = 1E-11\nEND\n")
    return "".join(o)


if __name__ == "__main__":
    with open(os.path.join(HERE, "cradle.adm"), "w") as f:
        f.write(deck())
