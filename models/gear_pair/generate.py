#!/usr/bin/env python3
"""Write pinion.obj and wheel.obj, involute gears as prisms, and gear_pair.adm."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num  # noqa: E402

TEETH, MODULE, PRESSURE, PLAY = (18, 27), 0.01, math.radians(20), 2e-4  # PLAY: between flanks along the pitch circle
POINTS, WIDTH = 7, (0.02, 0.016)  # points of a flank
SPEED, TORQUE, INERTIA = 10.0, 2.0, 0.01
PITCH = [z * MODULE / 2 for z in TEETH]
BASE = [r * math.cos(PRESSURE) for r in PITCH]
LAG = PLAY / 2 / PITCH[1]  # of the wheel, from the middle of the play to the flank that drives it


def half_thickness(n, r):
    """The angle from the middle of a tooth of gear n to its flank at the radius r."""
    involute = lambda a: math.tan(a) - a
    return (math.pi * MODULE / 2 - PLAY / 2) / (2 * PITCH[n]) + involute(PRESSURE) - involute(math.acos(BASE[n] / r))


def outline(n):
    """Corners of gear n, counterclockwise; the middle of a tooth is on the x axis."""
    root, tip = PITCH[n] - 1.25 * MODULE, PITCH[n] + MODULE
    roll = math.sqrt((tip / BASE[n]) ** 2 - 1)
    first = max(0.0, math.sqrt(max(0.0, (root / BASE[n]) ** 2 - 1)))
    radii = [BASE[n] * math.hypot(1, first + (roll - first) * k / (POINTS - 1)) for k in range(POINTS)]
    flank = [(r, half_thickness(n, r)) for r in radii]
    if root < BASE[n]:
        flank.insert(0, (root, flank[0][1]))
    tooth = [(r, -a) for r, a in flank] + [(r, a) for r, a in reversed(flank)]
    return [(r * math.cos(a + 2 * math.pi * k / TEETH[n]), r * math.sin(a + 2 * math.pi * k / TEETH[n]))
            for k in range(TEETH[n]) for r, a in tooth]


def mesh(n):
    corners, half = outline(n), WIDTH[n] / 2
    m = len(corners)
    o = ["v %.9g %.9g %g" % (x, y, z) for z in (-half, half) for x, y in corners]
    o += ["f %d %d %d %d" % (k + 1, (k + 1) % m + 1, (k + 1) % m + m + 1, k + m + 1) for k in range(m)]
    o += ["f " + " ".join(str(k) for k in range(m, 0, -1)), "f " + " ".join(str(m + k) for k in range(1, m + 1))]
    return "\n".join(o) + "\n"


def deck():
    ratio = TEETH[0] / TEETH[1]
    at = sum(PITCH)
    turned = math.pi - math.pi / TEETH[1] + LAG  # a space of the wheel faces the pinion
    return """Two gears: meshes in contact, and a COUPLER
!                     adams_view_name='gear_pair'
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND
!
PART/1, GROUND
MARKER/1, PART = 1
MARKER/2, PART = 1, QP = %s, 0, 0, REULER = %s, 0, 0
!                     adams_view_name='pinion'
PART/2, MASS = 1, CM = 20, IP = 0.01, 0.01, 0.01, WZ = %s
MARKER/20, PART = 2
GRAPHICS/2, EXTERNAL, RM = 20, FILE = pinion.obj
JOINT/1, REVOLUTE, I = 20, J = 1
MOTION/1, JOINT = 1, ROTATION, FUNCTION = %s*TIME
!                     adams_view_name='wheel'
PART/3, MASS = 2, CM = 30, IP = %s, %s, %s, QG = %s, 0, 0, REULER = %s, 0, 0, WZ = %s
MARKER/30, PART = 3
GRAPHICS/3, EXTERNAL, RM = 30, FILE = wheel.obj
JOINT/2, REVOLUTE, I = 30, J = 2
SFORCE/1, ROTATION, I = 30, J = 2, ACTIONONLY, FUNCTION = %s
!                     adams_view_name='teeth'
CONTACT/1, IGEOM = 3, JGEOM = 2, IMPACT, STIFFNESS = 1E6, EXPONENT = 1, DAMPING = 1E3, DMAX = 1E-5
!                     adams_view_name='wheel_of_the_coupler'
PART/4, MASS = 2, CM = 40, IP = %s, %s, %s, QG = %s, 0, 1, WZ = %s
MARKER/40, PART = 4
MARKER/4, PART = 1, QP = %s, 0, 1
JOINT/3, REVOLUTE, I = 40, J = 4
COUPLER/1, JOINTS = 1, 3, SCALES = %d, %d
!
REQUEST/1, F2 = AZ(20,1)\\F3 = AZ(30,2)\\F4 = AZ(40,4)\\F6 = AZ(30,2)-AZ(40,4)\\F7 = CONTACT(1,0,8,0)\\F8 = WZ(30)
!
INTEGRATOR/GSTIFF, SI2, ERROR = 1E-5
END
""" % (num(at), num(turned), num(SPEED), num(SPEED), num(INERTIA), num(INERTIA), num(INERTIA), num(at), num(turned),
       num(-ratio * SPEED), num(TORQUE), num(INERTIA), num(INERTIA), num(INERTIA), num(at), num(-ratio * SPEED), num(at), *TEETH)


if __name__ == "__main__":
    for n, name in enumerate(("pinion", "wheel")):
        with open(os.path.join(HERE, name + ".obj"), "w") as f:
            f.write(mesh(n))
    with open(os.path.join(HERE, "gear_pair.adm"), "w") as f:
        f.write(deck())
