#!/usr/bin/env python3
"""Write a net of ROWS x COLUMNS crosses on ball joints as PREFIX.adm and PREFIX.acf.

  generate.py N [--columns M] [--hang edge|corners|K] [--flat] [--bushings] [--out PREFIX]

Each body is a flat cross with four arm tips, each tip joined to the next cross by a
ball: 6 coordinates and, in the mean, 6 multipliers a body. The crosses are tilted
alternately about a diagonal, so that the net lies in zigzag pleats; the reason is in
README.md. It is released from rest in the horizontal plane, held at one edge.

--flat leaves the pleats out: most of the equations are then redundant.
--bushings puts a BUSHING in place of each ball (models/net_bushings).
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import Deck, euler, options, write  # noqa: E402

PITCH = 0.1                         # m, distance of the centres seen from above
MASS = 0.02                         # kg
SLOPE = 0.4                         # of the arms, alternately up and down
RADIUS = 0.004                      # m, of the arms


def inertia(arm):
    """Cross of two slender rods of length 2 arm in the x-y plane, each of half the mass; kg m^2."""
    rod = MASS / 2 * (2 * arm) ** 2 / 12
    thick = MASS / 2 * RADIUS ** 2 / 2
    return rod + thick, rod + thick, 2 * rod


def frame(sign, slope):
    """Columns x, y, z of a cross whose arms rise by sign*slope to the right and to the front; the tips lie at
    +-u and +-v, u = (1, 0, sign*slope)/2, v = (0, 1, sign*slope)/2 times PITCH. u and v are not quite at right
    angles: x is the bisector of u and v, y that of v and -u."""
    s = sign * slope
    u, v = (1.0, 0.0, s), (0.0, 1.0, s)
    p = [a + b for a, b in zip(u, v)]
    q = [b - a for a, b in zip(u, v)]
    x = [a / math.sqrt(sum(k * k for k in p)) for a in p]
    y = [a / math.sqrt(sum(k * k for k in q)) for a in q]
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    return x, y, z


def tips(slope):
    """Tips right, back, left, front in the axes of a cross (the same for both signs), and the length of an arm."""
    arm = PITCH / 2 * math.sqrt(1 + slope * slope)
    half = math.acos(slope * slope / (1 + slope * slope)) / 2          # half the angle between u and v
    c, s = arm * math.cos(half), arm * math.sin(half)
    return [(c, -s, 0), (c, s, 0), (-c, s, 0), (-c, -s, 0)], arm


def held(hang, columns):
    if hang == "edge":
        return range(columns)
    if hang == "corners":
        return sorted({0, columns - 1})
    return range(0, columns, int(hang))


def deck(rows, columns, hang="edge", slope=SLOPE, bushings=None):
    """Cross (r, c) is PART/k, k = 2 + r*columns + c, at x = c, y = -r (times PITCH); row 0 hangs at its back tips.
    Markers: 10k centre, 10k+1 .. 10k+4 right, back, left, front tip."""
    kind = "bushings" if bushings else "ball joints"
    d = Deck("Net of %d x %d crosses on %s" % (rows, columns, kind),
             "Cross k is PART/k, k = 2 + r*%d + c in row r, column c; its frame is in its centre.\n"
             "Markers: 10k centre, 10k+1 right, 10k+2 back, 10k+3 left, 10k+4 front tip.\n"
             "Markers of ground: %d+c where column c hangs.\n" % (columns, 10 * (rows * columns + 2)))
    d.ground()
    places, arm = tips(slope)
    base = 10 * (rows * columns + 2)
    frames = {s: frame(s, slope) for s in (1, -1)}
    sign = lambda r, c: 1 if (r + c) % 2 == 0 else -1                    # noqa: E731
    for c in held(hang, columns):
        d.marker(base + c, 1, (c * PITCH, PITCH / 2, sign(0, c) * slope * PITCH / 2),
                 euler(*frames[sign(0, c)]), name="hook_%d" % c)
    for r in range(rows):
        for c in range(columns):
            k = 2 + r * columns + c
            d.part(k, "cross_%d_%d" % (r, c), (c * PITCH, -r * PITCH, 0), MASS, inertia(arm), 10 * k,
                   euler(*frames[sign(r, c)]))
            d.marker(10 * k, k)
            for n, p in enumerate(places):
                d.marker(10 * k + 1 + n, k, p)
    d.head("FORCES" if bushings else "CONSTRAINTS")
    number = 0

    def join(name, i, j):
        nonlocal number
        number += 1
        if bushings:
            d.add("BUSHING", number, name, "I = %d" % i, "J = %d" % j, *bushings)
        else:
            d.joint(number, "SPHERICAL", i, j, name)

    for c in held(hang, columns):
        join("hang_%d" % c, 10 * (2 + c) + 2, base + c)
    for r in range(rows):
        for c in range(columns):
            k = 2 + r * columns + c
            if c + 1 < columns:
                join("right_%d_%d" % (r, c), 10 * (k + 1) + 3, 10 * k + 1)
            if r + 1 < rows:
                join("front_%d_%d" % (r, c), 10 * (k + columns) + 2, 10 * k + 4)
    d.head("OUTPUT REQUESTS")
    for n, (name, r, c) in enumerate((("corner_left", rows - 1, 0), ("corner_right", rows - 1, columns - 1),
                                      ("middle", rows - 1, columns // 2)), 1):
        d.add("REQUEST", n, name, "DISPLACEMENT", "I = %d" % (10 * (2 + r * columns + c) + 4))
    d.finish()
    return d.text()


def main():
    a = options(__doc__, "net", 0.5, 100, 1e-8)
    a.add_argument("n", type=int, nargs="?", default=4, help="number of rows (%(default)s)")
    a.add_argument("--columns", type=int, help="number of columns (as many as rows)")
    a.add_argument("--hang", default="edge", help="edge: every cross of the first row is held; corners; K: every K-th")
    a.add_argument("--flat", action="store_true", help="without pleats: redundant equations")
    k = a.parse_args()
    if k.n < 1 or (k.columns or 1) < 1 or (k.hang not in ("edge", "corners") and int(k.hang) < 1):
        a.error("N, M and K must be at least 1")
    write(deck(k.n, k.columns or k.n, k.hang, 0.0 if k.flat else SLOPE), k)


if __name__ == "__main__":
    main()
