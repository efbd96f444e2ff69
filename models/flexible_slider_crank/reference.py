"""Slider-crank with a flexible coupler: the coupler's angle and four modal coordinates.

The coupler is an integral over its points r = P(t) + R(phi) s(q); the second derivative of
that, taken by hand, gives mass matrix and forces. No sums over the body are made before.
The slider's constraint is solved for its multiplier in every evaluation.
"""
import os
import sys

import numpy as np

from generate import AREA, J2, L, RHO, SHAPES, stiffness

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, integrate  # noqa: E402

CRANK, SPEED, SLIDER = 0.15, 150.0, 0.075552
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(20)
XI, MASS = (POINTS + 1) / 2, RHO * AREA * L * WEIGHTS / 2
SHAPE = np.array([[f(x)[:2] for f in SHAPES] for x in XI])
SECTION = J2 - (MASS * (L * XI)**2).sum()
K = stiffness()
PUBLISHED = {"Q1": 1.893192899613509e-4, "Q2": 2.375751249879174e-5, "Q3": -5.323896770569702e-6,
             "Q4": -8.363313279112129e-6, "X": 0.1697373328427860}
START = np.array([0, 0, 0, .103339863e-4, .169327969e-4])
RATE = np.array([-74.9957670, .444896105, .463434311e-2, -.178591076e-5, -.268938672e-5])


def accel(t, y, v):
    phi, q, turn, rate = y[0], y[1:], v[0], v[1:]
    c, s = np.cos(phi), np.sin(phi)
    R, R1 = np.array([[c, -s], [s, c]]), np.array([[-s, -c], [c, -s]])
    at = np.column_stack([L * XI, 0 * XI]) + np.einsum("pjk,j->pk", SHAPE, q)
    change = np.einsum("pjk,j->pk", SHAPE, rate)
    pin = -SPEED**2 * CRANK * np.array([np.cos(SPEED * t), np.sin(SPEED * t)])
    J = np.concatenate([(at @ R1.T)[:, :, None], np.einsum("pjk,lk->plj", SHAPE, R)], axis=2)
    rest = pin - turn**2 * at @ R.T + 2 * turn * change @ R1.T
    M = np.einsum("p,pka,pkb->ab", MASS, J, J)
    M[0, 0] += SECTION
    f = -np.einsum("p,pka,pk->a", MASS, J, rest)
    f[1:] -= K @ q
    length = L + q[3]
    slide = np.array([-length * s, 0, 0, 0, c])
    M += SLIDER * np.outer(slide, slide)
    f -= SLIDER * slide * (pin[0] - turn**2 * length * c - 2 * turn * rate[3] * s)
    held = np.array([length * c, 0, 0, 0, s])
    bias = pin[1] - turn**2 * length * s + 2 * turn * rate[3] * c
    x = np.linalg.solve(M, np.column_stack([f, held]))
    force = (held @ x[:, 0] + bias) / (held @ x[:, 1])
    return x[:, 0] - x[:, 1] * force


def slider(t, y):
    return CRANK * np.cos(SPEED * t) + (L + y[4]) * np.cos(y[0])


if __name__ == "__main__":
    times = np.array([0.025, 0.05, 0.075, 0.1])
    positions, _ = integrate(accel, START, RATE, times, rtol=1e-12, atol=1e-15)
    expected = Expected("flexible_slider_crank", "flexible_slider_crank.acf",
                        "reference.py, with the IVP Test Set's solution at t = 0.1")
    for t, y in zip(times, positions):
        expected.add(t, "PART/4.X", slider(t, y), 5e-9, "five times ERROR")
        for j in range(4):
            expected.add(t, f"FLEX_BODY/3.Q{j + 1}", y[1 + j], 5e-9, "five times ERROR")
    found = dict(zip(["Q1", "Q2", "Q3", "Q4"], positions[-1, 1:]), X=slider(0.1, positions[-1]))
    for name, value in PUBLISHED.items():
        print(name, found[name], "published", value, "difference", found[name] - value)
        expected.add(0.1, ("PART/4." if name == "X" else "FLEX_BODY/3.") + name, value, 1e-7,
                     "published; the equations of reference.py differ from it by up to 6e-8")
    expected.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.25, -.25, .6, .25)
    pin, end = (CRANK * np.cos(1.0), CRANK * np.sin(1.0)), None
    phi = -np.arcsin(CRANK * np.sin(1.0) / L)
    end = (pin[0] + L * np.cos(phi), 0)
    f.line((-.2, 0), (.55, 0), "#888", 1.5, "5 4")
    f.ground((0, 0))
    f.bar((0, 0), pin, "#4c78a8", 8)
    bow = [(pin[0] + (end[0] - pin[0]) * x + .03 * np.sin(np.pi * x) * np.sin(-phi),
            pin[1] + (end[1] - pin[1]) * x + .03 * np.sin(np.pi * x) * np.cos(phi)) for x in np.linspace(0, 1, 25)]
    for a, b in zip(bow, bow[1:]):
        f.line(a, b, "#e45756", 5)
    f.poly([(end[0] - .03, -.02), (end[0] + .03, -.02), (end[0] + .03, .02), (end[0] - .03, .02)], "#345", 2, "#9ab")
    for a in ((0, 0), pin, end):
        f.pin(a)
    f.text((.27, .11), "four modes")
    f.write(os.path.join(HERE, "figure.svg"))
