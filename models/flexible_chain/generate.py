#!/usr/bin/env python3
"""Write a chain of N links whose joints carry dense linear systems, as PREFIX.adm and PREFIX.acf.

  generate.py N [--modes M] [--out PREFIX]

Links of 0.1 m and 0.1 kg on revolute joints, released from rest in a horizontal line.
Each joint also carries a bank of M rotors on springs, written as an LSE with 2M states
in coordinates in which its matrix is full: a block of 2M unknowns a body, as a flexible
body with that many modal coordinates has it. One MATRIX serves all links.
"""
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import Deck, options, write  # noqa: E402

LENGTH, MASS = 0.1, 0.1
INERTIA = 5.0e-6, 8.583333333333333e-5, 8.583333333333333e-5
STIFFNESS, LOW, HIGH, DAMPING = 0.6, 2.0, 60.0, 0.02        # N m/rad in all, Hz, Hz, of critical


def bank(modes):
    """Stiffness of the spring to each rotor, its circular frequency, its damping ratio:
    z'' + 2 ratio w z' + w^2 z = w^2 angle, torque on I = sum k (z - angle)."""
    ratio = (HIGH / LOW) ** (1 / max(1, modes - 1))
    return [(STIFFNESS / modes, 2 * math.pi * LOW * ratio ** k, DAMPING) for k in range(modes)]


def mirror(n):
    """v of the reflection 1 - 2 v v^T that makes the matrices full."""
    r = random.Random(1)
    v = [0.5 + r.random() for _ in range(n)]
    s = math.sqrt(sum(k * k for k in v))
    return [k / s for k in v]


def state_space(modes):
    """A, B, C, D of the bank after the reflection of its states (z1 .. zM, z1' .. zM')."""
    n, rotors, v = 2 * modes, bank(modes), mirror(2 * modes)
    a = [[0.0] * n for _ in range(n)]
    b, c = [0.0] * n, [0.0] * n
    for k, (stiffness, w, ratio) in enumerate(rotors):
        a[k][modes + k] = 1.0
        a[modes + k][k], a[modes + k][modes + k] = -w * w, -2 * ratio * w
        b[modes + k], c[k] = w * w, stiffness
    av = [sum(x * y for x, y in zip(row, v)) for row in a]
    va = [sum(v[i] * a[i][j] for i in range(n)) for j in range(n)]
    vav = sum(x * y for x, y in zip(v, av))
    full = [[a[i][j] - 2 * v[i] * va[j] - 2 * av[i] * v[j] + 4 * vav * v[i] * v[j] for j in range(n)] for i in range(n)]
    vb, cv = sum(x * y for x, y in zip(v, b)), sum(x * y for x, y in zip(c, v))
    direct = -sum(r[0] for r in rotors)
    return full, [x - 2 * vb * y for x, y in zip(b, v)], [x - 2 * cv * y for x, y in zip(c, v)], direct


def matrix(d, number, name, rows):
    values = ["%.16G" % x for row in rows for x in row]
    lines = [", ".join(values[k:k + 5]) for k in range(0, len(values), 5)]
    d.add("MATRIX", number, name, "FULL", "RORDER", "ROWS = %d" % len(rows), "COLUMNS = %d" % len(rows[0]),
          "VALUES = " + "\n, ".join(lines))


def deck(n, modes):
    """Link i (from 1) is PART/k, k = i+1. Markers: 10k centre, 10k+1 near end (z along y of the link: AZ grows as it
    falls), 10k+2 far end with the same axes; 12 on ground. ARRAY 3i, 3i+1, 3i+2: states, input, output."""
    turn = (0, -math.pi / 2, 0)                 # z of the marker along y of ground: AZ grows as the chain falls
    d = Deck("Chain of %d links with %d states in each joint" % (n, 2 * modes),
             "Link i is PART/i+1 with its frame in the centre and x along the link;\n"
             "markers: 10p centre, 10p+1 near end, 10p+2 far end; z of the ends along y.\n"
             "ARRAY/3i, 3i+1, 3i+2: states, input and output of LSE/i.\n")
    d.ground()
    d.marker(12, 1, (0, 0, 0), turn, "origin")
    for i in range(1, n + 1):
        p = i + 1
        d.part(p, "link_%d" % i, (LENGTH * (i - 0.5), 0, 0), MASS, INERTIA, 10 * p)
        d.marker(10 * p, p)
        d.marker(10 * p + 1, p, (-LENGTH / 2, 0, 0), turn)
        d.marker(10 * p + 2, p, (LENGTH / 2, 0, 0), turn)
    d.head("CONSTRAINTS")
    for i in range(1, n + 1):
        d.joint(i, "REVOLUTE", 10 * (i + 1) + 1, 10 * i + 2, "hinge_%d" % i)
    d.head("MATRICES")
    a, b, c, direct = state_space(modes)
    matrix(d, 1, "A", a)
    matrix(d, 2, "B", [[x] for x in b])
    matrix(d, 3, "C", [c])
    matrix(d, 4, "D", [[direct]])
    d.head("STATES AND TORQUES")
    for i in range(1, n + 1):
        near, far = 10 * (i + 1) + 1, 10 * i + 2
        d.add("VARIABLE", i, "angle_%d" % i, "FUNCTION = AZ(%d,%d)" % (near, far))
        d.add("ARRAY", 3 * i, "", "X", "SIZE = %d" % (2 * modes))
        d.add("ARRAY", 3 * i + 1, "", "U", "SIZE = 1", "VARIABLES = %d" % i)
        d.add("ARRAY", 3 * i + 2, "", "Y", "SIZE = 1")
        d.add("LSE", i, "rotors_%d" % i, "X = %d" % (3 * i), "A = 1", "B = 2", "U = %d" % (3 * i + 1), "C = 3",
              "Y = %d" % (3 * i + 2), "D = 4")
        d.add("SFORCE", i, "torque_%d" % i, "ROTATION", "I = %d" % near, "J = %d" % far,
              "FUNCTION = ARYVAL(%d,1)" % (3 * i + 2))
    d.head("OUTPUT REQUESTS")
    d.add("REQUEST", 1, "tip", "DISPLACEMENT", "I = %d" % (10 * (n + 1) + 2))
    d.finish()
    return d.text()


def main():
    a = options(__doc__, "flexible_chain", 0.5, 100, 1e-6)
    a.add_argument("n", type=int, nargs="?", default=4, help="number of links (%(default)s)")
    a.add_argument("--modes", type=int, default=8, help="rotors of a joint, two states each (%(default)s)")
    k = a.parse_args()
    if k.n < 1 or k.modes < 1:
        a.error("N and M must be at least 1")
    write(deck(k.n, k.modes), k)


if __name__ == "__main__":
    main()
