#!/usr/bin/env python3
"""Write segment_N.mtx and spin_up_N.adm, .acf: a cantilever on a turning hub, cut into N flexible bodies.

Data of Wu and Haug, whose beam stays in a plane. The rectangle with their area and moment of inertia is a blade of 37 x
2 mm, which in space buckles sideways; so the section is the square of their moment of inertia, and its density gives the
mass of theirs: stiffness against bending and mass per length are theirs, against stretch it is four times as stiff.
Poisson's ratio is 0, so that ends that are held rigid are the plane sections of the theory. All segments of a beam are
alike, so a file of modes serves N bodies: 12 static shapes of the two ends without the six rigid motions, and 8/N normal
modes of the held segment, but at least one.
generate.py makes N = 1, 2, 4, 8, 16.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from solidkit import Solid, planes  # noqa: E402

LENGTH, INERTIA, YOUNG, POISSON = 8.0, 8.2189e-9, 6.8952e10, 0.0   # m, m⁴, N/m²
MASS = 2766.7 * 7.2968e-5                           # per length, kg/m
SIDE = (12 * INERTIA) ** .25                        # of the section, 17.7 mm
AREA, DENSITY = SIDE**2, MASS / SIDE**2
SPEED, RISE = 4.0, 15.0                             # rad/s, reached after s
COUNTS, ALONG = (1, 2, 4, 8, 16), 64                    # elements of the whole beam
END, STEPS = 20.0, 400


def segment(count):
    length = LENGTH / count
    solid = Solid(planes(0, length, ALONG // count), planes(-SIDE / 2, SIDE / 2, 2), planes(-SIDE / 2, SIDE / 2, 2),
                  young=YOUNG, poisson=POISSON, density=DENSITY)
    solid.choose("END0", lambda x, y, z: x < 1e-9)
    solid.choose("END1", lambda x, y, z: x > length - 1e-9)
    return solid


def deck(count):
    length = LENGTH / count
    out = ["Cantilever on a hub that spins up, of %d flexible bodies" % count, "!",
           "! Written by generate.py. The hub turns about z, the beam bends in the x-y plane.", "!",
           "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND",
           "INTEGRATOR/HHT, ERROR = 1.0E-7", "!", "PART/1, GROUND", "MARKER/1, PART = 1"]
    for k in range(1, count + 1):
        out += ["!", "!                         adams_view_name='segment_%d'" % k,
                "FLEX_BODY/%d, MNF_FILE = segment_%d.mtx, QG = %g, 0, 0, CRATIO = 0" % (k + 1, count, length * (k - 1)),
                "MARKER/%d, FLEX_BODY = %d, NODE_ID = 9001" % (10 * k + 1, k + 1),
                "MARKER/%d, FLEX_BODY = %d, NODE_ID = 9002" % (10 * k + 2, k + 1)]
        out += (["JOINT/1, REVOLUTE, I = 11, J = 1"] if k == 1 else
                ["JOINT/%d, FIXED, I = %d, J = %d" % (k, 10 * k + 1, 10 * k - 8)])
    w, T = SPEED, RISE
    out += ["!", "!         the speed rises by %g/%g (t - %g/(2 pi) sin(2 pi t/%g)) and stays" % (w, T, T, T), "!",
            "MOTION/1, JOINT = 1, ROTATION",
            ", FUNCTION = IF(TIME-%g: %.17g*TIME**2 + %.17g*(COS(%.17g*TIME)-1)" % (
                T, w / T / 2, w * T / (4 * math.pi**2), 2 * math.pi / T),
            ", , %g, %g*TIME - %g)" % (w * T / 2, w, w * T / 2), "!",
            "!         the tip seen from the hub: X - 8 along it, Y across",
            "REQUEST/1, DISPLACEMENT, I = %d, J = 11, RM = 11" % (10 * count + 2), "END"]
    return "\n".join(out) + "\n"


def commands(count):
    return "spin_up_%d\nspin_up_%d\nSIMULATE/DYNAMIC, END = %g, STEPS = %d\nSTOP\n" % (count, count, END, STEPS)


if __name__ == "__main__":
    for n in COUNTS:
        segment(n).reduce(os.path.join(HERE, "segment_%d.mtx" % n), "--rigid", "9001=END0", "--rigid", "9002=END1",
                          "--modes", max(1, 8 // n), "--inertia", 0, "--quiet")
        for end, text in (("adm", deck(n)), ("acf", commands(n))):
            with open(os.path.join(HERE, "spin_up_%d.%s" % (n, end)), "w", encoding="ascii") as file:
                file.write(text)
