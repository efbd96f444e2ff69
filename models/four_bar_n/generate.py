#!/usr/bin/env python3
"""Write the N-window four-bar chain as an .adm dataset.

  generate.py N [--out FILE] [--revolute] [--dead-centre] [--speed V]

N+1 rods stand on ground pins at (i,0), N couplers join their tops; every member
has length 1 m, mass 1 kg and inertia m L^2/12 about z. The tops start with
speed V (default 1 m/s) to the right, gravity 9.81 m/s^2 along -y.

Default joints: a tree of REVOLUTE joints and N INLINE primitives that close the
windows: 12N+5 independent equations for 12N+6 coordinates. --revolute uses
REVOLUTE at all 3N+1 pins: 15N+5 equations, 3N of them redundant.

--dead-centre starts with all members on one line (rods to the right along +x,
tops moving down with speed V). There the constraint matrix loses rank and the
chain may branch: a start a solver has to report.
"""
import argparse
import math
import sys


def name(s):
    return "!                               adams_view_name='%s'\n" % s


def head(s):
    return "!" + (" " + s + " ").center(78, "-") + "\n!\n"


def deck(n, revolute=False, dead=False, speed=1.0):
    ang = "-90D, 0D, 0D" if dead else None
    o = ["Chain of %d four-bar windows%s%s\n!\n" % (
        n, ", REVOLUTE everywhere" if revolute else "",
        ", started in the dead centre" if dead else "")]
    o.append("! %d parts in the x-y plane, one degree of freedom. Rod i is PART/%s,\n"
             "! coupler i is PART/%s (i from 0). Frames: rod at its ground pin, coupler\n"
             "! at its left pin; rods point along their own y axis.\n!\n"
             % (2 * n + 1, "2+2i", "3+2i"))
    o.append(head("SYSTEM UNITS") + "UNITS/\n, FORCE = NEWTON\n, MASS = KILOGRAM\n"
             ", LENGTH = METER\n, TIME = SECOND\n!\n")
    o.append(head("PARTS") + name("ground") + "PART/1\n, GROUND\n!\n"
             + name("origin") + "MARKER/1\n, PART = 1\n!\n")
    inert = "8.333333333333333E-2"

    def rod(i):
        p = 2 + 2 * i
        s = name("foot_%d" % i) + "MARKER/%d\n, PART = 1\n, QP = %d, 0, 0\n!\n" % (10 * p + 9, i)
        s += name("rod_%d" % i) + "PART/%d\n, QG = %d, 0, 0\n" % (p, i)
        if dead:
            s += ", REULER = %s\n" % ang
        s += (", MASS = 1\n, CM = %d\n, IP = %s, 1.0E-3, %s\n" % (10 * p, inert, inert))
        vx, vy = (0.0, -speed / 2) if dead else (speed / 2, 0.0)
        s += ", VX = %.17g, VY = %.17g, WZ = %.17g\n!\n" % (vx, vy, -speed)
        s += "MARKER/%d\n, PART = %d\n, QP = 0, 0.5, 0\n!\n" % (10 * p, p)
        s += "MARKER/%d\n, PART = %d\n!\n" % (10 * p + 1, p)
        s += "MARKER/%d\n, PART = %d\n, QP = 0, 1, 0\n!\n" % (10 * p + 2, p)
        return s

    def coupler(i):
        p = 3 + 2 * i
        x, y = (i + 1, 0) if dead else (i, 1)
        vx, vy = (0.0, -speed) if dead else (speed, 0.0)
        s = name("coupler_%d" % i) + "PART/%d\n, QG = %d, %d, 0\n" % (p, x, y)
        s += ", MASS = 1\n, CM = %d\n, IP = 1.0E-3, %s, %s\n" % (10 * p, inert, inert)
        s += ", VX = %.17g, VY = %.17g, WZ = 0\n!\n" % (vx, vy)
        s += "MARKER/%d\n, PART = %d\n, QP = 0.5, 0, 0\n!\n" % (10 * p, p)
        s += "MARKER/%d\n, PART = %d\n!\n" % (10 * p + 1, p)
        s += "MARKER/%d\n, PART = %d\n, QP = 1, 0, 0\n!\n" % (10 * p + 2, p)
        return s

    for i in range(n + 1):
        o.append(rod(i))
        if i < n:
            o.append(coupler(i))
    o.append(head("CONSTRAINTS"))
    j = 1

    def rev(k, label, a, b):
        return name(label) + "JOINT/%d\n, REVOLUTE\n, I = %d\n, J = %d\n!\n" % (k, a, b)

    for i in range(n + 1):
        p = 2 + 2 * i
        o.append(rev(j, "pin_foot_%d" % i, 10 * p + 1, 10 * p + 9))
        j += 1
    for i in range(n):
        c, r = 3 + 2 * i, 2 + 2 * i
        o.append(rev(j, "pin_left_%d" % i, 10 * c + 1, 10 * r + 2))
        j += 1
        if revolute:
            o.append(rev(j, "pin_right_%d" % i, 10 * c + 2, 10 * (r + 2) + 2))
        else:
            o.append(name("pin_right_%d" % i) + "JPRIM/%d\n, INLINE\n, I = %d\n, J = %d\n!\n"
                     % (j, 10 * c + 2, 10 * (r + 2) + 2))
        j += 1
    o.append(head("GRAVITATIONAL ACCELERATION") + "ACCGRAV/\n, JGRAV = -9.81\n!\n")
    o.append(head("OUTPUT REQUESTS")
             + "!   F2 angle of the first rod from the vertical, clockwise; F3 its rate;\n"
             "!   F4 and F6 its top point B0\n!\n" + name("theta_and_B0")
             + "REQUEST/1\n, F2 = -AZ(21,1)\\\n, F3 = -WZ(21,1)\\\n, F4 = DX(22,1)\\\n"
             ", F6 = DY(22,1)\\\n!\n")
    last = 2 + 2 * n
    o.append("!   the same for the last rod\n!\n" + name("theta_last")
             + "REQUEST/2\n, F2 = -AZ(%d,1)\\\n, F3 = -WZ(%d,1)\\\n!\n"
             % (10 * last + 1, 10 * last + 1))
    o.append(head("OUTPUT CONTROL") + "OUTPUT/\n, REQSAVE\n!\nRESULTS/\n, XRF\n!\nEND\n")
    return "".join(o)


def main():
    a = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("n", type=int, help="number of windows")
    a.add_argument("--out", help="file to write (default: standard output)")
    a.add_argument("--revolute", action="store_true")
    a.add_argument("--dead-centre", action="store_true")
    a.add_argument("--speed", type=float, default=1.0)
    k = a.parse_args()
    if k.n < 1 or not math.isfinite(k.speed):
        a.error("N must be at least 1")
    text = deck(k.n, k.revolute, k.dead_centre, k.speed)
    if k.out:
        with open(k.out, "w") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
