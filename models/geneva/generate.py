"""Writes geneva.adm. The sizes are here; reference.py reads them, too."""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
SLOTS = 4
APART = 0.1                                       # of the axes [m]
CRANK = APART * math.sin(math.pi / SLOTS)         # so the pin enters along the slot
RIM = APART * math.cos(math.pi / SLOTS)
PIN, PLAY = 0.005, 5e-5                           # radius; between pin and slot, and in the lock
LOCK, LOCK_ARC = 0.045, 38.0                      # radius; half the angle of the wheel's arcs [degrees]
SPEED = 2 * math.pi                               # of the crank [rad/s]
START = -math.pi / 2                              # its angle, 0: the pin between the axes

HEAD = """A Geneva drive: a crank turns a wheel by a quarter, and locks it while it comes around
!
! The pin of the crank (CIRCLE) drives the wheel, a closed OUTLINE with four slots.
! Arcs of the wheel slide on an arc of the crank between two strokes. All by CONTACT
! in a plane.
!
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND
!
PART/1, GROUND
MARKER/1, PART = 1
MARKER/2, PART = 1, QP = %.17g, 0, 0
!                               adams_view_name='crank'
PART/2, MASS = 0.5, CM = 20, IP = 3E-4, 3E-4, 6E-4, QG = %.17g, 0, 0, WZ = %.17g
MARKER/20, PART = 2
!                               adams_view_name='pin'
MARKER/21, PART = 2, QP = 0, %.17g, 0
GRAPHICS/21, CIRCLE, CM = 21, RADIUS = %g
!                               adams_view_name='lock'
MARKER/22, PART = 2, REULER = 135D, 0, 0
GRAPHICS/22, ARC, CM = 22, RADIUS = %g, RANGLE = 270D
!                               adams_view_name='wheel'
PART/3, MASS = 0.3, CM = 30, IP = 1E-4, 1E-4, 2E-4
MARKER/30, PART = 3
"""

TAIL = """!
JOINT/1, REVOLUTE, I = 20, J = 2
JOINT/2, REVOLUTE, I = 30, J = 1
MOTION/1, ROTATION, JOINT = 1, FUNCTION = %.17g*TIME
!                               adams_view_name='drag'
SFORCE/1, ROTATION, ACTIONONLY, I = 30, J = 1, FUNCTION = -2E-3*WZ(30)
!                               adams_view_name='pin_in_slot'
CONTACT/1, IGEOM = 21, JGEOM = 30, IMPACT, STIFFNESS = 1E7, DAMPING = 1E3, DMAX = 1E-6, EXPONENT = 1.2
!                               adams_view_name='locked'
CONTACT/2, IGEOM = 31, 32, 33, 34, JGEOM = 22, IFLIP = 32, 33, 34, IMPACT, STIFFNESS = 1E7, DAMPING = 1E3
, DMAX = 1E-6, EXPONENT = 1.2
INTEGRATOR/GSTIFF, SI2, ERROR = 1E-5
REQUEST/1, F2 = AZ(30,1)\\F3 = AZ(20,2)\\F4 = CONTACT(1,0,1,0)\\F6 = CONTACT(2,0,1,0)
END
"""


def slot(angle):
    """Corners of a slot, from the rim around its end, against the clock: the mouth is wider."""
    width, foot = PIN + PLAY, APART - CRANK - PIN - 0.002
    half = [(RIM + 5e-4, width + 1.2e-3), (RIM - 1.5e-3, width), (foot, width)]
    both = [(x, -y) for x, y in half] + [(x, y) for x, y in reversed(half)]
    c, s = math.cos(angle), math.sin(angle)
    return [(c * x - s * y, s * x + c * y) for x, y in both]


def main():
    out = HEAD % (APART, APART, SPEED, CRANK, PIN, LOCK)
    ids = []
    for k in range(SLOTS):
        for x, y in slot(2 * math.pi * (k + 0.5) / SLOTS):
            ids.append(300 + len(ids))
            out += "MARKER/%d, PART = 3, QP = %.17g, %.17g, 0\n" % (ids[-1], x, y)
    out += "GRAPHICS/30, OUTLINE = " + ", ".join(map(str, ids[:12])) + "\n, " + ", ".join(map(str, ids[12:] + ids[:1]))
    for k in range(SLOTS):
        a = 360 * k / SLOTS
        x, y = APART * math.cos(math.radians(a)), APART * math.sin(math.radians(a))
        out += ("\nMARKER/%d, PART = 3, QP = %.17g, %.17g, 0, REULER = %gD, 0, 0\n"
                "GRAPHICS/%d, ARC, CM = %d, RADIUS = %g, RANGLE = %gD"
                % (340 + k, x, y, a + 180 - LOCK_ARC, 31 + k, 340 + k, LOCK + PLAY, 2 * LOCK_ARC))
    with open(os.path.join(HERE, "geneva.adm"), "w") as f:
        f.write(out + "\n" + TAIL % SPEED)
    with open(os.path.join(HERE, "geneva.acf"), "w") as f:
        f.write("geneva.adm\ngeneva\nSIMULATE/DYNAMIC, END = 2, STEPS = 400\nSTOP\n")


if __name__ == "__main__":
    main()
