#!/usr/bin/env python3
"""Write a net of N x M crosses on bushings as PREFIX.adm and PREFIX.acf.

  generate.py N [--columns M] [--hang edge|corners|K] [--out PREFIX]

The net of models/net with a BUSHING in place of each ball: no constraint at all, 6
unknowns a body and four full 6 x 6 couplings. Flat: nothing can be redundant here.
Released from rest, held at one edge.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "net"), os.path.join(HERE, "..")]
from deckkit import options, write  # noqa: E402
from generate import deck  # noqa: E402  (that of models/net)

STIFFNESS, DAMPING, TURN_STIFFNESS, TURN_DAMPING = 2000.0, 0.5, 0.4, 0.0004


def bushings():
    return ["%s = %g, %g, %g" % ((name,) + 3 * (value,)) for name, value in
            (("K", STIFFNESS), ("C", DAMPING), ("KT", TURN_STIFFNESS), ("CT", TURN_DAMPING))]


def main():
    a = options(__doc__, "net_bushings", 0.3, 60, 1e-9)
    a.add_argument("n", type=int, nargs="?", default=3, help="number of rows (%(default)s)")
    a.add_argument("--columns", type=int, help="number of columns (as many as rows)")
    a.add_argument("--hang", default="edge", help="edge: every cross of the first row is held; corners; K: every K-th")
    k = a.parse_args()
    if k.n < 1 or (k.columns or 1) < 1:
        a.error("N and M must be at least 1")
    write(deck(k.n, k.columns or k.n, k.hang, 0.0, bushings()), k)


if __name__ == "__main__":
    main()
