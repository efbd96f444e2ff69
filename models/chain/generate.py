#!/usr/bin/env python3
"""Write a hanging chain of N links on ball joints as an .adm dataset.

  generate.py N [--out FILE.adm] [--end T] [--steps K] [--error E]

Links of 0.1 m and 0.1 kg, solid cylinders of radius 0.01 m along x, released from
rest in a horizontal line; g = 9.80665 m/s^2 along -z. The first ball is on ground.
3N degrees of freedom, no redundant equation. FILE.acf is written beside FILE.adm.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import options, write  # noqa: E402


def name(s):
    return "!                               adams_view_name='%s'\n" % s


def head(s):
    return "!" + (" " + s + " ").center(78, "-") + "\n!\n"


def deck(n):
    o = ["Chain of %d links on ball joints\n!\n" % n,
         "! Link i is PART/i+1 with its frame in the centre and x along the link;\n"
         "! markers: 10p centre, 10p+1 near end, 10p+2 far end.\n!\n",
         head("SYSTEM UNITS") + "UNITS/\n, FORCE = NEWTON\n, MASS = KILOGRAM\n"
         ", LENGTH = METER\n, TIME = SECOND\n!\n",
         head("PARTS") + name("ground") + "PART/1\n, GROUND\n!\n"
         + name("origin") + "MARKER/10\n, PART = 1\n!\n"]
    for i in range(1, n + 1):
        p = i + 1
        o.append(name("link_%d" % i) + "PART/%d\n, QG = %.10g, 0, 0\n, MASS = 0.1\n, CM = %d\n"
                 ", IP = 5.0E-6, 8.583333333333333E-5, 8.583333333333333E-5\n!\n"
                 % (p, 0.1 * i - 0.05, 10 * p))
        o.append("MARKER/%d\n, PART = %d\n!\n" % (10 * p, p))
        o.append("MARKER/%d\n, PART = %d\n, QP = -0.05, 0, 0\n!\n" % (10 * p + 1, p))
        o.append("MARKER/%d\n, PART = %d\n, QP = 0.05, 0, 0\n!\n" % (10 * p + 2, p))
    o.append(head("CONSTRAINTS"))
    for i in range(1, n + 1):
        p = i + 1
        o.append(name("ball_%d" % i) + "JOINT/%d\n, SPHERICAL\n, I = %d\n, J = %d\n!\n"
                 % (i, 10 * p + 1, 10 * (p - 1) + 2 if i > 1 else 10))
    o.append(head("GRAVITATIONAL ACCELERATION") + "ACCGRAV/\n, KGRAV = -9.80665\n!\n")
    tip = 10 * (n + 1) + 2
    o.append(head("OUTPUT REQUESTS") + name("tip_position")
             + "REQUEST/1\n, DISPLACEMENT\n, I = %d\n, J = 10\n!\n" % tip
             + name("tip_velocity") + "REQUEST/2\n, VELOCITY\n, I = %d\n, J = 10\n!\n" % tip)
    o.append(head("OUTPUT CONTROL") + "OUTPUT/\n, REQSAVE\n!\nRESULTS/\n, XRF\n!\nEND\n")
    return "".join(o)


def main():
    a = options(__doc__, None, 1.0, 200, 1e-9)
    a.add_argument("n", type=int, help="number of links")
    k = a.parse_args()
    if k.n < 1:
        a.error("N must be at least 1")
    if k.out:
        write(deck(k.n), k)
    else:
        sys.stdout.write(deck(k.n))


if __name__ == "__main__":
    main()
