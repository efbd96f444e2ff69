#!/usr/bin/env python3
"""Write a pile of N balls that falls into a box, or a funnel, as an .adm dataset.

  generate.py [N] [--box] [--packed] [--out PREFIX] [--end T] [--steps K] [--error E]

Balls of 0.1 m and 0.5 kg in layers above an inverted pyramid of four planes at 45 degrees, or (--box) between
four walls on a floor, or (--packed) on such a floor and on each other, each on four of the layer below; all held against
each other and the planes by one CONTACT. 6N degrees of freedom, no constraints.
"""
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import Deck, options, write  # noqa: E402

RADIUS, MASS = 0.05, 0.5
INERTIA = 0.4 * MASS * RADIUS ** 2
LAW = ("STIFFNESS = 1E5", "EXPONENT = 1.5", "DAMPING = 100", "DMAX = 1E-3", "COULOMB_FRICTION = ON", "MU_STATIC = 0.3",
       "MU_DYNAMIC = 0.25", "STICTION_TRANSITION_VELOCITY = 0.05", "FRICTION_TRANSITION_VELOCITY = 0.1")


def places(n, box, packed=False):
    """Centres of n balls: square layers, a little out of line; and how many are side by side in the box."""
    if packed:
        return packed_places(n)
    chance = random.Random(1)
    side = max(2, round(n ** (1 / 3))) if box else 2
    out = []
    layer = 0
    while len(out) < n:
        width = side if box else side + layer % 2
        for i in range(width * width):
            x, y = (2.1 * RADIUS * (k - (width - 1) / 2) for k in (i % width, i // width))
            height = 1.05 * RADIUS if box else 5 * RADIUS
            out.append(tuple(c + RADIUS * chance.uniform(-0.04, 0.04)
                             for c in (x, y, height + 2.1 * RADIUS * layer)))
        layer += 1
    return out[:n], side


def packed_places(n):
    """Centres of n balls that touch, a thousandth of a diameter deep: a layer of even number fills the box."""
    side = max(2, round((n / math.sqrt(2)) ** (1 / 3)))
    apart = 1.998 * RADIUS
    out = []
    layer = 0
    while len(out) < n:
        width = side - layer % 2
        out += [(apart * (i - (width - 1) / 2), apart * (j - (width - 1) / 2), apart * (0.5 + layer * math.sqrt(0.5)))
                for i in range(width) for j in range(width)]
        layer += 1
    return out[:n], side


def planes(n, box, packed=False):
    """(point, unit normal) of each."""
    if not box and not packed:
        return [((0, 0, 0), (s * math.sqrt(0.5), 0, math.sqrt(0.5)) if a == 0 else (0, s * math.sqrt(0.5), math.sqrt(0.5)))
                for a in (0, 1) for s in (1, -1)]
    half = (0.999 if packed else 1.08) * RADIUS * places(n, box, packed)[1]
    return [((0, 0, 0), (0, 0, 1))] + [((-s * half, 0, 0) if a == 0 else (0, -s * half, 0),
                                        (s, 0, 0) if a == 0 else (0, s, 0)) for a in (0, 1) for s in (1, -1)]


def shown(n):
    """Markers of the balls whose places are requested: the first, the middle and the last one."""
    return sorted({10, 10 + n // 2, 9 + n})


def deck(n, box, packed):
    d = Deck("Pile of %d balls in a %s" % (n, "box" if box or packed else "funnel"),
             "Ball k is PART/k+9 with its marker and its shape of the same number; planes are 1 to 5.")
    d.ground()
    for k, (p, z) in enumerate(planes(n, box, packed), 1):
        d.marker(k, 1, p, (math.atan2(z[0], -z[1]), math.acos(z[2]), 0.0))
        d.add("GRAPHICS", k, "", "PLANE", "RM = %d" % k)
    walls = len(planes(n, box, packed))
    for k, p in enumerate(places(n, box, packed)[0], 10):
        d.part(k, "ball_%d" % (k - 9), p, MASS, (INERTIA,) * 3, k)
        d.marker(k, k)
        d.add("GRAPHICS", k, "", "ELLIPSOID", "CM = %d" % k, *("%sSCALE = %g" % (a, 2 * RADIUS) for a in "XYZ"))
    balls = [str(k) for k in range(10, 10 + n)]

    def listed(ids):
        return "\n, ".join(", ".join(ids[k:k + 16]) for k in range(0, len(ids), 16))
    d.head("CONTACT")
    d.add("CONTACT", 1, "all_against_all", "IGEOM = " + listed(balls),
          "JGEOM = " + listed([str(k) for k in range(1, 1 + walls)] + balls), *LAW)
    d.head("OUTPUT REQUESTS")
    for request, k in enumerate(shown(n), 1):
        d.add("REQUEST", request, "ball_%d" % (k - 9), "DISPLACEMENT", "I = %d" % k)
    d.finish(9.81)
    return d.text()


def main():
    a = options(__doc__, "heap", 0.4, 40, 1e-8)
    a.add_argument("n", type=int, nargs="?", default=13, help="number of balls (%(default)s)")
    a.add_argument("--box", action="store_true", help="a box in place of the funnel")
    a.add_argument("--packed", action="store_true", help="a box, with the balls lying on each other from the start")
    k = a.parse_args()
    if k.n < 1:
        a.error("N must be at least 1")
    write(deck(k.n, k.box, k.packed), k)


if __name__ == "__main__":
    main()
