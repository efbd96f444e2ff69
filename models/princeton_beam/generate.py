#!/usr/bin/env python3
"""Write the Princeton beam at several loading angles as PREFIX.adm and PREFIX.acf.

  generate.py N [--formulation LINEAR|STRING|NONLINEAR] [--angles 0,45,90] [--end T] [--out PREFIX]

N BEAMs a cantilever, a small part at each of their ends. Loads P(t) grow with the "time" of a sequence of equilibria:
4.448 N at t = 1, 8.896 N at t = 2, 13.345 N at t = 3. Standard library only.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from deckkit import Deck, num, options  # noqa: E402

LENGTH, HEIGHT, THICKNESS = 0.508, 0.0123777, 0.0032024
E, POISSON, TORSION = 71.7e9, 0.31, 1.13407e-10
G = E / (2 * (1 + POISSON))
AREA = HEIGHT * THICKNESS
SOFT, STIFF = HEIGHT * THICKNESS**3 / 12, THICKNESS * HEIGHT**3 / 12
ANGLES = (0, 15, 45, 75, 90)
LOAD = "(4.448*TIME+TIME*(TIME-1)*(TIME-2)/6000)"  # the three loads at 1, 2, 3


def first(case):
    """Number of a cantilever's root marker; its parts and their markers follow."""
    return 1000 * (case + 1)


def cantilever(d, case, angle, n, formulation):
    base, length = first(case), LENGTH / n
    d.head("LOAD AT %g DEGREES" % angle)
    d.marker(base, 1, (0, 0.5 * case, 0))
    for k in range(1, n + 1):
        p = base + k
        d.part(p, "", (k * length, 0.5 * case, 0), 1e-3, (1e-6, 1e-6, 1e-6), p)
        d.marker(p, p)
        d.add("BEAM", p, "", "I = %d, J = %d" % (p, p - 1), "LENGTH = " + num(length), "AREA = " + num(AREA),
              "IXX = %s, IYY = %s, IZZ = %s" % (num(TORSION), num(STIFF), num(SOFT)),
              "EMODULUS = %s, GMODULUS = %s" % (num(E), num(G)), "CRATIO = 1E-3, FORMULATION = " + formulation)
    tip = base + n
    d.marker(base + 500, tip, (0, 1, 0))
    d.add("MARKER", base + 501, "", "PART = 1", "FLOATING")
    along = [round(f(math.radians(angle)), 15) for f in (math.sin, math.cos)]
    d.add("VFORCE", case + 1, "", "I = %d, JFLOAT = %d, RM = %d" % (tip, base + 501, base), "FX = 0\\",
          "FY = %s*%s\\" % (num(along[0]), LOAD), "FZ = %s*%s" % (num(along[1]), LOAD))
    end, y = "(%d,%d,%d)" % (tip, base, base), "(%d,%d,%d)" % (base + 500, tip, base)
    d.add("REQUEST", case + 1, "tip_at_%g_degrees" % angle, "F2 = DY%s\\" % end, "F3 = DZ%s\\" % end,
          "F4 = %s-DX%s\\" % (num(LENGTH), end), "F6 = ATAN2(DZ%s,DY%s)" % (y, y))


def deck(n, angles, formulation):
    d = Deck("Princeton beam, %d BEAMs with FORMULATION=%s" % (n, formulation), """
A strip of aluminium, clamped at one end, with a dead load at the other. x is along it,
y across its thickness (soft), z across its height. Angle 0: the load along z; 90: along y.
Tip of each: REQUEST with F2 along y, F3 along z, F4 back along x, F6 twist.""")
    d.ground()
    for case, angle in enumerate(angles):
        cantilever(d, case, angle, n, formulation)
    d.head("OUTPUT CONTROL")
    d.out.append("RESULTS/\n, XRF\n!\nEND\n")
    return d


def main():
    a = options(__doc__, "princeton_beam", 3, 12, 1e-3)
    a.add_argument("n", type=int, nargs="?", default=8, help="number of BEAMs of a cantilever (%(default)s)")
    a.add_argument("--formulation", default="NONLINEAR", choices=("LINEAR", "STRING", "NONLINEAR"))
    a.add_argument("--angles", default=",".join(map(str, ANGLES)), help="degrees (%(default)s)")
    k = a.parse_args()
    if not 1 <= k.n < 500:
        a.error("N must be from 1 to 499")
    name = os.path.basename(k.out)
    with open(k.out + ".adm", "w") as f:
        f.write(deck(k.n, [float(x) for x in k.angles.split(",")], k.formulation).text())
    with open(k.out + ".acf", "w") as f:
        f.write("%s\n%s\nSIMULATE/STATIC, END = %s, STEPS = %d\nSTOP\n" % (name, name, num(k.end), k.steps))


if __name__ == "__main__":
    main()
