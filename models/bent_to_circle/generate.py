#!/usr/bin/env python3
"""Write two clamped beams under end moments as PREFIX.adm and PREFIX.acf.

  generate.py [CIRCLE [HELIX]] [--formulation LINEAR|STRING|NONLINEAR] [--out PREFIX]

CIRCLE BEAMs are bent by 2 pi t E I/L about z: at t = 1 they close. HELIX BEAMs of a round bar get a moment askew to
their axis, (3, 0, 4) t E I/L: a helix. Standard library only.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from deckkit import Deck, num, options  # noqa: E402

LENGTH, RADIUS, E, POISSON = 1.0, 0.004, 70e9, 0.3
AREA, SECOND = math.pi * RADIUS**2, math.pi * RADIUS**4 / 4
G = E / (2 * (1 + POISSON))
CIRCLE, HELIX = (0.0, 0.0, 2 * math.pi), (3.0, 0.0, 4.0)  # moments at t = 1 over E I/L


def beam(d, base, n, offset, moment, formulation):
    """Root marker `base` on ground, parts and their markers base + 1 ...; the moment keeps its direction."""
    d.marker(base, 1, (0, offset, 0))
    for k in range(1, n + 1):
        p = base + k
        d.part(p, "", (k * LENGTH / n, offset, 0), 1e-2, (1e-6, 1e-6, 1e-6), p)
        d.marker(p, p)
        d.add("BEAM", p, "", "I = %d, J = %d" % (p, p - 1), "LENGTH = " + num(LENGTH / n), "AREA = " + num(AREA),
              "IXX = %s, IYY = %s, IZZ = %s" % (num(2 * SECOND), num(SECOND), num(SECOND)),
              "EMODULUS = %s, GMODULUS = %s" % (num(E), num(G)), "CRATIO = 1E-3, FORMULATION = " + formulation)
    d.add("MARKER", base + 500, "", "PART = 1", "FLOATING")
    d.add("VTORQUE", base, "", "I = %d, JFLOAT = %d, RM = %d" % (base + n, base + 500, base),
          *("T%s = %s*TIME%s" % (axis, num(m * E * SECOND / LENGTH), "\\" if axis != "Z" else "")
            for axis, m in zip("XYZ", moment)))


def deck(circle, helix, formulation):
    d = Deck("A beam bent to a circle, and one to a helix", """
Clamped beams under moments at their ends that keep their directions and grow with the "time" of
a sequence of equilibria. Neither has forces inside: the shapes are known in closed form.""")
    d.ground()
    d.head("CIRCLE")
    beam(d, 1000, circle, 0, CIRCLE, formulation)
    d.head("HELIX")
    beam(d, 2000, helix, 1, HELIX, formulation)
    d.head("OUTPUT CONTROL")
    d.out.append("RESULTS/\n, XRF\n!\nEND\n")
    return d


def main():
    a = options(__doc__, "bent_to_circle", 1, 36, 1e-3)
    a.add_argument("circle", type=int, nargs="?", default=4, help="number of BEAMs of the circle (%(default)s)")
    a.add_argument("helix", type=int, nargs="?", default=16, help="number of BEAMs of the helix (%(default)s)")
    a.add_argument("--formulation", default="NONLINEAR", choices=("LINEAR", "STRING", "NONLINEAR"))
    k = a.parse_args()
    if not (1 <= k.circle < 500 and 1 <= k.helix < 500):
        a.error("numbers of BEAMs must be from 1 to 499")
    name = os.path.basename(k.out)
    with open(k.out + ".adm", "w") as f:
        f.write(deck(k.circle, k.helix, k.formulation).text())
    with open(k.out + ".acf", "w") as f:
        f.write("%s\n%s\nSIMULATE/STATIC, END = %s, STEPS = %d\nSTOP\n" % (name, name, num(k.end), k.steps))


if __name__ == "__main__":
    main()
