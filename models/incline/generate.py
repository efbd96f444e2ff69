#!/usr/bin/env python3
"""Write incline.adm: blocks, balls and a disc on planes of their own, each with its angle and friction."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num, nums  # noqa: E402

G, MASS, K, STICK = 9.81, 2.0, 1e6, 1e-3
# name, shape, angle in degrees, coefficient of friction, speed at the start down the slope, moment of inertia
CASES = (("slides", "block", 20, 0.3, 0.0, 0.0), ("creeps", "block", 15, 0.35, 0.0, 0.0), ("goes_up", "block", 20, 0.3, -1.0, 0.0),
         ("rolls", "ball", 20, 0.3, 0.0, 0.4), ("disc_rolls", "ball", 20, 0.3, 0.0, 0.5), ("slips", "ball", 50, 0.2, 0.0, 0.4))
RADIUS = 0.05


def sag(angle):
    return MASS * G * math.cos(math.radians(angle)) / K


def deck():
    o = ["Blocks, balls and a disc on inclines, on both sides of the limit of friction\n",
         "!                     adams_view_name='incline'\n",
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\n"]
    for n, (name, shape, angle, mu, v, inertia) in enumerate(CASES):
        p, s, c = n + 2, math.sin(math.radians(angle)), math.cos(math.radians(angle))
        z, y, j = RADIUS - sag(angle), 0.4 * n, inertia * MASS * RADIUS**2
        o.append("!\n!                     adams_view_name='slope_of_%d'\n" % angle)
        o.append("MARKER/%d, PART = 1, QP = 0, %s, 0, REULER = 90D, %dD, -90D\n" % (p, num(y), angle))
        o.append("GRAPHICS/%d, PLANE, RM = %d, XMIN = -0.2, XMAX = 2, YMIN = -0.2, YMAX = 0.2\n" % (p, p))
        o.append("!                     adams_view_name='%s'\n" % name)
        o.append("PART/%d, MASS = %s, CM = %d, IP = %s\n" % (p, num(MASS), 10 * p, nums([j or 0.01] * 3)))
        o.append(", QG = %s, REULER = 90D, %dD, -90D\n" % (nums((z * s, y, z * c)), angle))
        if v:
            o.append(", VX = %s, VZ = %s\n" % (num(v * c), num(-v * s)))
        o.append("MARKER/%d, PART = %d\n" % (10 * p, p))
        if shape == "block":
            o.append("MARKER/%d, PART = %d, QP = %s\n" % (10 * p + 1, p, nums((-0.1, -0.1, -RADIUS))))
            o.append("GRAPHICS/%d, BOX, CORNER = %d, X = 0.2, Y = 0.2, Z = %s\n" % (10 * p, 10 * p + 1, num(2 * RADIUS)))
            o.append("JPRIM/%d, ORIENTATION, I = %d, J = %d\n" % (p, 10 * p, p))
        else:
            o.append("GRAPHICS/%d, ELLIPSOID, CM = %d, XSCALE = 0.1, YSCALE = 0.1, ZSCALE = 0.1\n" % (10 * p, 10 * p))
        o.append("CONTACT/%d, IGEOM = %d, JGEOM = %d, IMPACT, STIFFNESS = 1E6, DAMPING = 2E3, DMAX = 1E-6, EXPONENT = 1\n"
                 % (p, 10 * p, p))
        o.append(", COULOMB_FRICTION = ON, MU_STATIC = %s, MU_DYNAMIC = %s\n" % (num(mu), num(mu)))
        o.append(", STICTION_TRANSITION_VELOCITY = %s, FRICTION_TRANSITION_VELOCITY = %s\n" % (num(STICK), num(2 * STICK)))
        o.append("REQUEST/%d, F2 = DX(%d,%d,%d)\\F3 = VX(%d,%d,%d)\\F4 = WY(%d,%d,%d)\n" % ((p,) + (10 * p, p, p) * 3))
    o.append("!\nACCGRAV/KGRAV = -9.81\nINTEGRATOR/GSTIFF, SI2, ERROR = 1E-9\nEND\n")
    return "".join(o)


if __name__ == "__main__":
    with open(os.path.join(HERE, "incline.adm"), "w") as f:
        f.write(deck())
