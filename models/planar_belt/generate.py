#!/usr/bin/env python3
"""Write a closed belt of N links on revolute joints, hung over two pins, as PREFIX.adm and PREFIX.acf.

  generate.py N [--space] [--tilt G] [--out PREFIX]

The belt of ../belt as a plane mechanism: all parts are PLANAR in the x-y plane of ground. It starts from
rest where it would hang in equilibrium; gravity has a component G along x, so that it begins to run over
the pins. With --space the same belt is made of parts in space, whose joints leave out the three equations
too many of a plane loop: N - 1 joints and one pin are REVOLUTE, the last joint and the other pin INLINE.
"""
import importlib.util
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import Deck, num, options, write  # noqa: E402

_belt = importlib.util.spec_from_file_location("belt", os.path.join(HERE, "..", "belt", "generate.py"))
belt = importlib.util.module_from_spec(_belt)
_belt.loader.exec_module(belt)


def deck(n, tilt, space):
    """Link i of the loop (from 0) is PART/k, k = i+2, x along the link. Markers: 10k centre, 10k+1 near, 10k+2 far
    end; 11 and 12 the pins on ground."""
    centres, direction, second, span, _ = belt.equilibrium(n)
    d = Deck("Plane belt of %d links over two pins" % n,
             "Link i of the loop (from 0) is PART/i+2 with its frame in the centre and x along the link;\n"
             "links 0 and %d turn on the pins. Markers: 10k centre, 10k+1 near end, 10k+2 far end of PART/k." % second)
    d.ground()
    d.marker(11, 1, name="pin_left")
    d.marker(12, 1, (span, 0, 0), name="pin_right")
    for i, ((x, y), a) in enumerate(zip(centres, direction)):
        k = i + 2
        d.add("PART", k, "link_%d" % i, "" if space else "PLANAR", "QG = %s, %s, 0" % (num(x), num(y)),
              "REULER = %s, 0, 0" % num(a) if a else "", "MASS = " + num(belt.MASS), "CM = %d" % (10 * k),
              "IP = " + ", ".join(num(v) for v in belt.INERTIA))
        d.marker(10 * k, k)
        d.marker(10 * k + 1, k, (-belt.LENGTH / 2, 0, 0))
        d.marker(10 * k + 2, k, (belt.LENGTH / 2, 0, 0))
    d.head("CONSTRAINTS")

    def hinge(number, i, j, name, loose):
        inline = space and loose
        d.joint(number, "INLINE" if inline else "REVOLUTE", i, j, name, "JPRIM" if inline else "JOINT")

    for i in range(n):
        hinge(i + 1, 10 * ((i + 1) % n + 2) + 1, 10 * (i + 2) + 2, "hinge_%d" % i, i == n - 1)
    hinge(n + 1, 20, 11, "left", False)
    hinge(n + 2, 10 * (second + 2), 12, "right", True)
    d.head("GRAVITATIONAL ACCELERATION")
    d.out.append("ACCGRAV/\n, IGRAV = %s\n, JGRAV = %s\n!\n" % (num(tilt), num(-belt.GRAVITY)))
    d.out.append("RESULTS/\n, XRF\n!\nEND\n")
    return d.text()


def main():
    a = options(__doc__, "planar_belt", 1.0, 200, 1e-8)
    a.add_argument("n", type=int, nargs="?", default=17, help="number of links (%(default)s)")
    a.add_argument("--tilt", type=float, default=3.0, help="gravity along x, m/s^2 (%(default)s)")
    a.add_argument("--space", action="store_true", help="parts in space")
    k = a.parse_args()
    if k.n < 8:
        a.error("N must be at least 8")
    write(deck(k.n, k.tilt, k.space), k)


if __name__ == "__main__":
    main()
