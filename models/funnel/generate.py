#!/usr/bin/env python3
"""Write balls that fall into a funnel, rest on its slide, and run out onto the floor.

  generate.py N [--out PREFIX] [--end T] [--steps K] [--error E]

PREFIX.adm, PREFIX.acf (END for each of two simulations: with the slide, and after it is drawn) and funnel.obj beside them.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num, nums, options, write  # noqa: E402

RADIUS, MASS, G, FLOOR, SIDES = 0.02, 0.05, 9.80665, -0.3, 24
PROFILE = ((0.06, 0.0), (0.085, 0.0), (0.225, 0.14), (0.2, 0.14))  # radius and height, counterclockwise


def mesh():
    o, n = [], len(PROFILE)
    for k in range(SIDES):
        a = 2 * math.pi * k / SIDES
        o += ["v %.17g %.17g %.17g" % (r * math.cos(a), r * math.sin(a), z) for r, z in PROFILE]
    for k in range(SIDES):
        here, there = n * k + 1, n * ((k + 1) % SIDES) + 1
        o += ["f %d %d %d %d" % (here + i, there + i, there + (i + 1) % n, here + (i + 1) % n) for i in range(n)]
    return "\n".join(o) + "\n"


def places(n):
    """Of balls in layers of four, each layer turned and a little aside"""
    for k in range(n):
        layer, a = k // 4, math.pi / 2 * (k % 4) + 0.4 * (k // 4)
        yield 0.035 * math.cos(a) + 1e-3 * (k % 3), 0.035 * math.sin(a) - 1e-3 * (k % 5), 0.05 + 0.045 * layer


def contact(number, i, j):
    return ("CONTACT/%d, IGEOM = %d, JGEOM = %d, IMPACT, STIFFNESS = 1E5, EXPONENT = 1.5, DAMPING = 10, DMAX = 1E-4\n"
            ", COULOMB_FRICTION = ON, MU_STATIC = 0.3, MU_DYNAMIC = 0.25\n"
            ", STICTION_TRANSITION_VELOCITY = 1E-3, FRICTION_TRANSITION_VELOCITY = 2E-3\n" % (number, i, j))


def deck(n):
    o = ["%d balls in a funnel\n!                     adams_view_name='funnel'\n" % n,
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\nMARKER/1, PART = 1\n",
         "GRAPHICS/1, EXTERNAL, RM = 1, FILE = funnel.obj\n!                     adams_view_name='slide'\n",
         "GRAPHICS/2, PLANE, RM = 1, XMIN = -0.1, XMAX = 0.1, YMIN = -0.1, YMAX = 0.1\n",
         "!                     adams_view_name='floor'\nMARKER/3, PART = 1, QP = 0, 0, %s\n" % num(FLOOR),
         "GRAPHICS/3, PLANE, RM = 3, XMIN = -1, XMAX = 1, YMIN = -1, YMAX = 1\n!\n"]
    balls = range(10, 10 + n)
    for p, place in zip(balls, places(n)):
        o.append("PART/%d, MASS = %s, CM = %d0, IP = %s, QG = %s\n" % (p, num(MASS), p, nums([0.4 * MASS * RADIUS**2] * 3), nums(place)))
        o.append("MARKER/%d0, PART = %d\nGRAPHICS/%d, ELLIPSOID, CM = %d0, XSCALE = %s, YSCALE = %s, ZSCALE = %s\n"
                 % ((p, p, p, p) + (num(2 * RADIUS),) * 3))
    o.append("!\n")
    for p in balls:
        o += [contact(1000 + p, p, 1), contact(2000 + p, p, 2), contact(3000 + p, p, 3)]
    for k, (i, j) in enumerate((i, j) for j in balls for i in balls if i > j):
        o.append(contact(10000 + k, i, j))
    total = lambda terms: "\n,+".join(terms)
    o.append("!\n!                     adams_view_name='kinetic_energy'\nVARIABLE/1, FUNCTION = %s\n"
             % total("%s*VM(%d0)**2+%s*WM(%d0)**2" % (num(MASS / 2), p, num(0.2 * MASS * RADIUS**2), p) for p in balls))
    o.append("!                     adams_view_name='energy'\nVARIABLE/2, FUNCTION = VARVAL(1)\n,+%s\n"
             % total("%s*DZ(%d0)" % (num(MASS * G), p) for p in balls))
    o.append("!                     adams_view_name='force_of_funnel_and_slide'\nVARIABLE/3, FUNCTION = %s\n"
             % total("CONTACT(%d,0,4,0)+CONTACT(%d,0,4,0)" % (1000 + p, 2000 + p) for p in balls))
    o.append("!                     adams_view_name='force_of_floor'\nVARIABLE/4, FUNCTION = %s\n"
             % total("CONTACT(%d,0,4,0)" % (3000 + p) for p in balls))
    o.append("!                     adams_view_name='how_many_are_through'\nVARIABLE/5, FUNCTION = %s\n"
             % total("IF(DZ(%d0)+%s: 1, 1, 0)" % (p, num(RADIUS)) for p in balls))
    o.append("!\nACCGRAV/KGRAV = %s\nEND\n" % num(-G))
    return "".join(o)


if __name__ == "__main__":
    a = options(__doc__, os.path.join(HERE, "funnel"), 1.5, 75, 1e-5)
    a.add_argument("n", type=int, nargs="?", default=10)
    k = a.parse_args()
    write(deck(k.n), k)
    prefix = k.out[:-4] if k.out.endswith((".adm", ".acf")) else k.out
    with open(prefix + ".acf") as f:
        text = f.read()
    with open(prefix + ".acf", "w") as f:
        drawn = "DEACTIVATE/CONTACT, ID = %s\n" % ", ".join(str(2010 + n) for n in range(k.n))
        f.write(text.replace("STOP", "! The slide is drawn.\n" + drawn + "SIMULATE/DYNAMIC, END=%s, STEPS=%d\nSTOP" % (2 * k.end, k.steps)))
    with open(os.path.join(os.path.dirname(os.path.abspath(prefix)), "funnel.obj"), "w") as f:
        f.write(mesh())
