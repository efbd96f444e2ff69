"""Writes cams.adm. The shapes of the three curves are here; reference.py reads them too."""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def rounded(points):
    """As the deck gives them: nine digits."""
    return [tuple(float("%.9g" % (x + 0.0)) for x in p) for p in points]


def closed(shape, count):
    """Points of a curve at equal angles, the first one again at the end."""
    points = rounded([shape(2 * math.pi * k / count) for k in range(count)])
    return points + points[:1]


def lobed(a):
    r = 0.06 + 0.015 * math.cos(a) + 0.004 * math.cos(2 * a)
    return r * math.cos(a), r * math.sin(a)


def ellipse(a):
    return 0.07 * math.cos(a), 0.05 * math.sin(a)


def nose(a):
    """Around the end of the rocker's arm."""
    return 0.15 + 0.02 * math.cos(a), 0.02 * math.sin(a)


CAM, DISK, NOSE = closed(lobed, 48), closed(ellipse, 48), closed(nose, 24)

HEAD = """Two cams on a shaft: a follower on a lobed cam, a rocker on an elliptic one
!
! A motor turns the shaft with a torque that falls with the speed. A
! knife-edged follower runs on the lobed cam (PTCV), 12 mm beside the axis,
! along a vertical guide and against a spring. The round nose of a rocker
! touches the elliptic cam from below (CVCV); a torsion spring holds the
! rocker. Both contacts pass over the end of their closed curves with every
! revolution. The follower is given 1 mm off its cam: assembly brings it there.
!
!-------------------------------- SYSTEM UNITS ---------------------------------
!
UNITS/
, FORCE = NEWTON
, MASS = KILOGRAM
, LENGTH = METER
, TIME = SECOND
!
!----------------------------------- PARTS -------------------------------------
!
!                               adams_view_name='ground'
PART/1
, GROUND
!                               adams_view_name='shaft_axis'
MARKER/11
, PART = 1
!               z axis = +y
!                               adams_view_name='guide'
MARKER/12
, PART = 1
, QP = 0.012, 0, 0
, REULER = 180D, 90D, 180D
!                               adams_view_name='spring_top'
MARKER/13
, PART = 1
, QP = 0.012, 0.3, 0
!                               adams_view_name='pivot'
MARKER/14
, PART = 1
, QP = -0.15, -0.07, 0
!
!                               adams_view_name='shaft'
PART/2
, MASS = 1.2
, CM = 20
, IP = 0.003, 0.003, 0.004
!                               adams_view_name='shaft_centre'
MARKER/20
, PART = 2
!                               adams_view_name='on_cam'
MARKER/28
, PART = 2
, FLOATING
!                               adams_view_name='on_disk'
MARKER/29
, PART = 2
, FLOATING
!
!                               adams_view_name='follower'
PART/3
, QG = 0.012, 0.055, 0
, MASS = 0.4
, CM = 30
, IP = 0.0002, 0.0002, 0.0002
!                               adams_view_name='edge'
MARKER/30
, PART = 3
!                               adams_view_name='follower_guide'
MARKER/31
, PART = 3
, REULER = 180D, 90D, 180D
!
!                               adams_view_name='rocker'
PART/4
, QG = -0.15, -0.07, 0
, MASS = 0.3
, CM = 40
, IP = 0.001, 0.001, 0.002
!                               adams_view_name='rocker_pivot'
MARKER/40
, PART = 4
!                               adams_view_name='on_nose'
MARKER/49
, PART = 4
, FLOATING
!
!----------------------------------- CURVES ------------------------------------
!
"""

TAIL = """!
!-------------------------------- CONSTRAINTS ----------------------------------
!
!               begins at angle 0 with 6 rad/s
!                               adams_view_name='bearing'
JOINT/1
, REVOLUTE
, I = 20
, J = 11
, IC = 6, 0
!                               adams_view_name='slide'
JOINT/2
, TRANSLATIONAL
, I = 31
, J = 12
!                               adams_view_name='rocker_bearing'
JOINT/3
, REVOLUTE
, I = 40
, J = 14
!                               adams_view_name='edge_on_cam'
PTCV/1
, I = 30
, JFLOAT = 28
, RM = 20
, CURVE = 1
!                               adams_view_name='nose_on_disk'
CVCV/1
, IFLOAT = 49
, IRM = 40
, ICURVE = 3
, JFLOAT = 29
, JRM = 20
, JCURVE = 2
!
!----------------------------------- FORCES ------------------------------------
!
!                               adams_view_name='gravity'
ACCGRAV/
, JGRAV = -9.81
!                               adams_view_name='motor'
SFORCE/1
, ROTATION
, ACTIONONLY
, I = 20
, J = 11
, FUNCTION = 0.9-0.12*WZ(20,11,11)
!                               adams_view_name='follower_spring'
SPRINGDAMPER/1
, TRANSLATION
, I = 30
, J = 13
, K = 400
, C = 1.5
, LENGTH = 0.27
!                               adams_view_name='rocker_spring'
SPRINGDAMPER/2
, ROTATION
, I = 40
, J = 14
, KT = 6
, CT = 0.02
, ANGLE = 0.3
!
!---------------------------------- OUTPUT -------------------------------------
!
REQUEST/1
, F2 = AZ(20,11)\\
, F3 = AZ(40,14)\\
, F4 = PTCV(1,0,3,0)
RESULTS/
END
"""


def curve(number, name, points):
    rows = ["%.9g, %.9g, 0" % p for p in points]
    return ("!                               adams_view_name='%s_points'\n"
            "MATRIX/%d\n, FULL, RORDER\n, ROWS = %d, COLUMNS = 3\n, VALUES = " % (name, number, len(points))
            + "\n, ".join(rows)
            + "\n!                               adams_view_name='%s'\nCURVE/%d\n, CLOSED\n, MATRIX = %d\n"
              ", CURVE_POINTS\n" % (name, number, number))


def main():
    with open(os.path.join(HERE, "cams.adm"), "w") as f:
        f.write(HEAD + curve(1, "cam", CAM) + curve(2, "disk", DISK) + curve(3, "nose", NOSE) + TAIL)


if __name__ == "__main__":
    main()
