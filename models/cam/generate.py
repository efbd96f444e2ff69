"""Writes cam.adm. The shape of the cam is here; reference.py reads it, too."""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
SPEED = 20.0                       # of the cam [rad/s]
ROLLER = 0.012
MASS, PRESS = 0.5, 60.0            # of a follower; what presses it on the cam [N]
STIFFNESS, DAMPING = 1e8, 2e4
POINTS = 96


def support(a):
    """Distance of the tangent with the normal at the angle a from the axis, and its derivatives by a."""
    p = 0.04 - 0.01 * math.cos(a) + 0.002 * math.cos(2 * a)
    return (p, 0.01 * math.sin(a) - 0.004 * math.sin(2 * a), 0.01 * math.cos(a) - 0.008 * math.cos(2 * a),
            -0.01 * math.sin(a) + 0.016 * math.sin(2 * a))


def place(a):
    """The point of the cam with that normal."""
    p, d = support(a)[:2]
    return p * math.cos(a) - d * math.sin(a), p * math.sin(a) + d * math.cos(a)


def roller_at(angle):
    """Distance of the roller's middle, on the ray at this angle of the cam, and the angle of the normal there."""
    a = angle
    for _ in range(100):
        p, d, dd, _ = support(a)
        p += ROLLER
        miss = a + math.atan2(d, p) - angle
        a -= miss / (1 + (dd * p - d * d) / (p * p + d * d))
        if abs(miss) < 1e-16:
            break
    p, d = support(a)[:2]
    return math.hypot(p + ROLLER, d), a


HEAD = """A cam with a flat and a roller follower: CONTACT in a plane
!
! A motion turns the cam, a closed CURVE. A force presses a flat follower (PLANE)
! on it from above and a roller (CIRCLE) from the right. Both are held by nothing
! but contact.
!
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND
!
PART/1, GROUND
MARKER/1, PART = 1
!               z axis = +y, +x
MARKER/2, PART = 1, REULER = 180D, 90D, 180D
MARKER/3, PART = 1, REULER = 90D, 90D, 0
!                               adams_view_name='cam'
PART/2, MASS = 1, CM = 20, IP = 1E-3, 1E-3, 2E-3, WZ = %.17g
MARKER/20, PART = 2
GRAPHICS/2, CURVE, CID = 1, CRM = 20, SEG = 200
CURVE/1, CLOSED, MATRIX = 1, CURVE_POINTS
"""

FOLLOWER = """!                               adams_view_name='{name}'
PART/{n}, MASS = {m}, CM = {n}0, IP = 1E-4, 1E-4, 1E-4, QG = {x:.17g}, {y:.17g}, 0, {speed}
MARKER/{n}0, PART = {n}
MARKER/{n}1, PART = {n}, REULER = {turn}
{shape}
JOINT/{n}, TRANSLATIONAL, I = {n}1, J = {guide}
SFORCE/{n}, TRANSLATION, ACTIONONLY, I = {n}1, J = {guide}, FUNCTION = -{press}
CONTACT/{n}, IGEOM = {n}, JGEOM = 2, IMPACT, STIFFNESS = {k}, DAMPING = {c}, DMAX = 1E-7, EXPONENT = 1
"""

TAIL = """!
JOINT/1, REVOLUTE, I = 20, J = 1
MOTION/1, ROTATION, JOINT = 1, FUNCTION = %.17g*TIME
INTEGRATOR/GSTIFF, SI2, ERROR = 1E-7
REQUEST/1, F2 = DY(30,1)\\F3 = DX(40,1)\\F4 = CONTACT(3,0,1,0)\\F6 = CONTACT(4,0,1,0)
END
"""


def depth_of(force):
    return force / STIFFNESS


def main():
    points = [place(2 * math.pi * k / POINTS) for k in range(POINTS)]
    rows = ["%.17g, %.17g, 0" % p for p in points + points[:1]]
    with open(os.path.join(HERE, "cam.adm"), "w") as f:
        f.write(HEAD % SPEED)
        f.write("MATRIX/1, FULL, RORDER, ROWS = %d, COLUMNS = 3, VALUES = " % len(rows) + "\n, ".join(rows) + "\n")
        p, d, dd, _ = support(math.pi / 2)
        y = p - depth_of(PRESS + MASS * SPEED**2 * dd)
        common = dict(m=MASS, press=PRESS, k="%g" % STIFFNESS, c="%g" % DAMPING)
        f.write(FOLLOWER.format(name="flat_follower", n=3, x=0, y=y, speed="VY = %.17g" % (-SPEED * d), guide=2,
                                turn="180D, 90D, 180D",
                                shape="MARKER/32, PART = 3, REULER = 0, 90D, 0\nGRAPHICS/3, PLANE, RM = 32", **common))
        x, a = roller_at(0.0)
        h = 1e-4
        rate, bend = (roller_at(h)[0] - roller_at(-h)[0]) / (2 * h), (roller_at(h)[0] - 2 * x + roller_at(-h)[0]) / h**2
        force = (PRESS + MASS * SPEED**2 * bend) / math.cos(a)
        f.write(FOLLOWER.format(name="roller_follower", n=4, x=x - depth_of(force) / math.cos(a), y=0,
                                speed="VX = %.17g" % (-SPEED * rate), guide=3, turn="90D, 90D, 0",
                                shape="GRAPHICS/4, CIRCLE, CM = 40, RADIUS = %g" % ROLLER, **common))
        f.write(TAIL % SPEED)
    with open(os.path.join(HERE, "cam.acf"), "w") as f:
        f.write("cam.adm\ncam\nSIMULATE/DYNAMIC, END = 0.316, STEPS = 79\nSTOP\n")


if __name__ == "__main__":
    main()
