#!/usr/bin/env python3
"""Write rattleback.adm: two of Kane and Levinson's rattlebacks, spun either way."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num, nums  # noqa: E402

HALF_AXES, LOW, MASS, G = (0.2, 0.03, 0.02), 0.01, 1.0, 9.81  # the centre of mass is LOW below that of the ellipsoid
A, B, C, D = 2e-4, 16e-4, 17e-4, -2e-5  # moments of inertia about the axes of the ellipsoid, and their product
K, DAMPING, MU, STICK = 1e6, 200.0, 1.0, 1e-3
TILT, SPINS = math.radians(0.7), (-5.0, 5.0)  # about an axis at 45 degrees; rad/s about the body's axis


def to_lowest(n):
    """From the centre of mass to the lowest point; n: the vertical in the axes of the body."""
    s = math.sqrt(sum((p * q) ** 2 for p, q in zip(HALF_AXES, n)))
    x, y, z = (-p * p * q / s for p, q in zip(HALF_AXES, n))
    return x, y, z + LOW


def start(spin):
    """(height of the centre of mass, vertical, velocity, angular velocity), in the axes of the body; it rolls"""
    n = (math.sin(TILT) * math.sqrt(0.5), math.sin(TILT) * math.sqrt(0.5), math.cos(TILT))
    x, y, z = to_lowest(n)
    return -(x * n[0] + y * n[1] + z * n[2]) - MASS * G / K, n, (spin * y, -spin * x, 0.0), (0.0, 0.0, spin)


def deck():
    o = ["Kane and Levinson's rattleback, spun either way\n!                     adams_view_name='rattleback'\n",
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\nMARKER/1, PART = 1\n",
         "GRAPHICS/1, PLANE, RM = 1, XMIN = -1, XMAX = 1, YMIN = -1, YMAX = 1\n"]
    turned = 0.5 * math.atan2(2 * D, A - B)  # of the principal axes
    middle, half = (A + B) / 2, math.hypot((A - B) / 2, D)
    s, c = math.sin(TILT), math.cos(TILT)
    r = math.sqrt(0.5)  # the part is turned by 0, TILT, 45 degrees
    rows = ((r, -r, 0), (c * r, c * r, -s), (s * r, s * r, c))
    for p, spin in enumerate(SPINS, 2):
        height, _, v, _ = start(spin)
        o.append("!                     adams_view_name='spun_with_%g'\n" % spin)
        o.append("PART/%d, MASS = %s, CM = %d, IM = %d, IP = %s\n"
                 % (p, num(MASS), 10 * p, 10 * p + 1, nums((middle + half, middle - half, C))))
        o.append(", QG = 0, %d, %s, REULER = 0D, %sD, 45D\n" % (p - 2, num(height), num(math.degrees(TILT))))
        o.append(", WZ = %s, VX = %s, VY = %s, VZ = %s\n"
                 % ((num(spin),) + tuple(num(sum(a * b for a, b in zip(row, v))) for row in rows)))
        o.append("MARKER/%d, PART = %d\nMARKER/%d, PART = %d, REULER = %s, 0, 0\n" % (10 * p, p, 10 * p + 1, p, num(turned)))
        o.append("MARKER/%d, PART = %d, QP = 0, 0, %s\n" % (10 * p + 2, p, num(LOW)))
        o.append("GRAPHICS/%d, ELLIPSOID, CM = %d, XSCALE = %s, YSCALE = %s, ZSCALE = %s\n"
                 % ((p, 10 * p + 2) + tuple(num(2 * x) for x in HALF_AXES)))
        o.append("CONTACT/%d, IGEOM = %d, JGEOM = 1, IMPACT, STIFFNESS = %s, EXPONENT = 1, DAMPING = %s, DMAX = 1E-6\n"
                 % (p, p, num(K), num(DAMPING)))
        o.append(", COULOMB_FRICTION = ON, MU_STATIC = %s, MU_DYNAMIC = %s\n" % (num(MU), num(MU)))
        o.append(", STICTION_TRANSITION_VELOCITY = %s, FRICTION_TRANSITION_VELOCITY = %s\n" % (num(STICK), num(2 * STICK)))
        m, w = "%d" % (10 * p), ["W%s(%d,1,%d)" % (a, 10 * p, 10 * p) for a in "XYZ"]
        o.append("REQUEST/%d, F2 = WZ(%s)\\F3 = DZ(%s)\n" % (p, m, m))
        o.append(",\\F4 = %s*VM(%s)**2+%s*DZ(%s)\n" % (num(MASS / 2), m, num(MASS * G), m))
        o.append(",+%s*%s**2+%s*%s**2+%s*%s**2+%s*%s*%s\n"
                 % (num(A / 2), w[0], num(B / 2), w[1], num(C / 2), w[2], num(D), w[0], w[1]))
    o.append("!\nACCGRAV/KGRAV = -9.81\nINTEGRATOR/GSTIFF, SI2, ERROR = 1E-8\nEND\n")
    return "".join(o)


if __name__ == "__main__":
    with open(os.path.join(HERE, "rattleback.adm"), "w") as f:
        f.write(deck())
