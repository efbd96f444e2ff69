#!/usr/bin/env python3
"""Write coupler.mtx and four_bar_flexible.adm: an aluminium bar, 300 × 12 × 4 mm, of quadratic solids.

Poisson's ratio is 0 and the ends are rigid points, the pins: then sections stay plane as in the theory of beams. The
middle section is an averaged point. four_bar_flexible_4 has the coupler cut into four bodies joined by FIXED, with modes
of their own, coupler_4.mtx.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from solidkit import Solid, planes  # noqa: E402

GROUND, CRANK, COUPLER, ROCKER = 0.35, 0.08, 0.30, 0.20      # between pins, m
WIDE, THICK = 0.012, 0.004                                   # of the coupler, along z and in the plane
YOUNG, POISSON, DENSITY = 7.0e10, 0.0, 2700.0
SPEED, RISE, END, STEPS = 60.0, 0.5, 1.0, 500                # rad/s of the crank, reached after s
CRANK_MASS, ROCKER_MASS, ROCKER_INERTIA = 0.2, 0.15, 5e-4    # about its centre, in the middle between its pins


def start():
    """Angles of coupler and rocker where the crank's is 0."""
    d = GROUND - CRANK
    coupler = math.acos((d * d + COUPLER**2 - ROCKER**2) / (2 * d * COUPLER))
    x, y = CRANK + COUPLER * math.cos(coupler), COUPLER * math.sin(coupler)
    return coupler, math.atan2(y, x - GROUND)


def bar(length, boxes):
    solid = Solid(planes(0, length, boxes), planes(-THICK / 2, THICK / 2, 2), planes(-WIDE / 2, WIDE / 2, 1),
                  young=YOUNG, poisson=POISSON, density=DENSITY)
    for name, x in (("END0", 0), ("HALF", length / 2), ("END1", length)):
        solid.choose(name, lambda a, b, c, x=x: abs(a - x) < 1e-9)
    return solid


def deck(count, modes):
    coupler, rocker = start()
    length = COUPLER / count
    turned = ", REULER = %.17g, 0, 0" % coupler
    out = ["Four-bar with a flexible coupler" + (" of %d bodies" % count if count > 1 else ""), "!",
           "! Written by generate.py. All pins turn about z; the coupler's pin at the rocker leaves z and rotations free,",
           "! which the pin at the crank holds.", "!",
           "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND",
           "INTEGRATOR/RADAU, ERROR = 1.0E-9", "!", "PART/1, GROUND", "MARKER/10, PART = 1",
           "MARKER/11, PART = 1, QP = %g, 0, 0" % GROUND, "!", "!                         adams_view_name='crank'",
           "PART/2, MASS = %g, CM = 20, IP = 1E-5, 1E-4, 1E-4" % CRANK_MASS, "MARKER/20, PART = 2, QP = %g, 0, 0" % (CRANK / 2),
           "MARKER/21, PART = 2", "MARKER/22, PART = 2, QP = %g, 0, 0" % CRANK, "!",
           "!                         adams_view_name='rocker'",
           "PART/3, MASS = %g, CM = 30, IP = 1E-5, %g, %g, QG = %g, 0, 0, REULER = %.17g, 0, 0" % (
               ROCKER_MASS, ROCKER_INERTIA, ROCKER_INERTIA, GROUND, rocker),
           "MARKER/30, PART = 3, QP = %g, 0, 0" % (ROCKER / 2), "MARKER/31, PART = 3",
           "MARKER/32, PART = 3, QP = %g, 0, 0" % ROCKER]
    for k in range(count):
        x, y = CRANK + k * length * math.cos(coupler), k * length * math.sin(coupler)
        out += ["!", "!                         adams_view_name='coupler%s'" % ("_%d" % (k + 1) if count > 1 else ""),
                "FLEX_BODY/%d, MNF_FILE = %s, CRATIO = 0, QG = %.17g, %.17g, 0" % (4 + k, modes, x, y) + turned]
        points = (1, 2, 3) if count == 1 else (1, 2)
        out += ["MARKER/%d, FLEX_BODY = %d, NODE_ID = 900%d" % (10 * (4 + k) + m, 4 + k, m) for m in points]
        if k:
            out.append("JOINT/%d, FIXED, I = %d, J = %d" % (10 + k, 10 * (4 + k) + 1, 10 * (3 + k) + 2))
    last = 10 * (3 + count) + 2
    middle = 43 if count == 1 else 10 * (3 + count // 2) + 2
    out += ["!", "JOINT/1, REVOLUTE, I = 21, J = 10", "JOINT/2, REVOLUTE, I = 41, J = 22",
            "JPRIM/3, INLINE, I = %d, J = 32" % last, "JOINT/4, REVOLUTE, I = 31, J = 11", "!",
            "!         the speed rises by %g/%g (t - %g/(2 pi) sin(2 pi t/%g)) and stays" % (SPEED, RISE, RISE, RISE),
            "MOTION/1, JOINT = 1, ROTATION",
            ", FUNCTION = IF(TIME-%g: %.17g*TIME**2 + %.17g*(COS(%.17g*TIME)-1)" % (
                RISE, SPEED / RISE / 2, SPEED * RISE / (4 * math.pi**2), 2 * math.pi / RISE),
            ", , %.17g, %g*TIME - %g)" % (SPEED * RISE / 2, SPEED, SPEED * RISE / 2), "!",
            "!         F2: the middle of the coupler left of the line through its pins; F3: the rocker's angle",
            "REQUEST/1",
            ", F2 = (DX({b},41)*DY({m},41)-DY({b},41)*DX({m},41))/DM({b},41)\\".format(b=last, m=middle),
            ", F3 = AZ(31,11)\\", "!         F2: torque of the drive; F3, F4: force of the crank on the coupler",
            "REQUEST/2", ", F2 = MOTION(1,0,8,0)\\, F3 = JOINT(2,0,2,0)\\, F4 = JOINT(2,0,3,0)\\", "END"]
    return "\n".join(out) + "\n"


def write(count):
    name = "four_bar_flexible" + ("_%d" % count if count > 1 else "")
    modes = "coupler%s.mtx" % ("_%d" % count if count > 1 else "")
    bar(COUPLER / count, 32 // count).reduce(
        os.path.join(HERE, modes), "--rigid", "9001=END0", "--rigid", "9002=END1",
        *(("--averaged", "9003=HALF", "--modes", 4) if count == 1 else ("--modes", 2)), "--inertia", 0, "--quiet")
    for end, text in (("adm", deck(count, modes)),
                      ("acf", "%s\n%s\nSIMULATE/DYNAMIC, END = %g, STEPS = %d\nSTOP\n" % (name, name, END, STEPS))):
        with open(os.path.join(HERE, name + "." + end), "w", encoding="ascii") as file:
            file.write(text)


if __name__ == "__main__":
    for n in (1, 4):
        write(n)
