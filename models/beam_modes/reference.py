#!/usr/bin/env python3
"""Frequencies of a bar by theory: Timoshenko's beam, St. Venant's torsion, Love's rod. Writes expected.json.

A beam's state (deflection, angle, moment, shear force) goes from one end to the other by the exponential of its matrix;
a frequency is where the ends allow a state that is not zero. With --mesh the elements themselves are told apart from
the theory: frequencies of the free bar with other meshes (CalculiX, scipy).
"""
import os
import sys

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

import generate as g

HERE = os.path.dirname(os.path.abspath(__file__))
from refkit import Expected, Figure  # noqa: E402  generate.py has added models/ to the path

L, B, H = g.LENGTH, g.THICK, g.HIGH
E, NU, RHO = g.YOUNG, g.POISSON, g.DENSITY
SHEAR, AREA = E / 2 / (1 + NU), B * H
KAPPA = 10 * (1 + NU) / (12 + 11 * NU)   # Cowper, J. Appl. Mech. 33 (1966)
HELD = {"free": (2, 3), "clamped": (0, 1), "supported": (0, 2)}   # which of w, psi, M, V are zero


def ends(f, inertia, left, right):
    """Determinant that is zero at a frequency of bending. The state is w, psi, M/EI, V/EI:
    w' = psi + V/(kappa G A), psi' = M/EI, M' = -V - rho I w^2 psi, V' = -rho A w^2 w."""
    w2, bend = (2 * np.pi * f) ** 2, E * inertia
    A = np.array([[0, 1, 0, bend / (KAPPA * SHEAR * AREA)], [0, 0, 1, 0],
                  [0, -RHO * inertia * w2 / bend, 0, -1], [-RHO * AREA * w2 / bend, 0, 0, 0]])
    start = [k for k in range(4) if k not in HELD[left]]
    return np.linalg.det(expm(L * A)[np.ix_(HELD[right], start)])


def bending(inertia, left, right, to=2600.0):
    grid = np.geomspace(5, to, 1500)
    value = [ends(f, inertia, left, right) for f in grid]
    return [brentq(ends, a, b, args=(inertia, left, right), xtol=1e-9)
            for a, b, x, y in zip(grid, grid[1:], value, value[1:]) if x * y < 0]


def torsion(wave):
    """wave: half waves in the length."""
    n = np.arange(1, 60, 2)
    J = B**3 * H * (1 / 3 - 64 / np.pi**5 * B / H * np.sum(np.tanh(n * np.pi * H / 2 / B) / n**5))
    polar = AREA * (B * B + H * H) / 12
    return wave / (2 * L) * np.sqrt(SHEAR * J / (RHO * polar))


def stretch(wave):
    """Love's rod: with the inertia of its contraction."""
    k, r2 = wave * np.pi / L, (B * B + H * H) / 12
    return k * np.sqrt(E / RHO / (1 + NU**2 * k * k * r2)) / (2 * np.pi)


# of each LINEAR: both ends, half waves of torsion and stretch of its first modes
CASES = [("free", "free", (1, 2)), ("clamped", "free", (.5, 1.5)), ("supported", "supported", (.5, 1.5))]
SOFT, STIFF = H * B**3 / 12, B * H**3 / 12


def theory(left, right, waves):
    found = [(f, "bending in y") for f in bending(SOFT, left, right)]
    found += [(f, "bending in z") for f in bending(STIFF, left, right)]
    found += [(torsion(w), "torsion") for w in waves] + [(stretch(w), "stretch") for w in waves]
    return sorted(found)[:10]


def meshes():
    from solidkit import free_modes

    exact = theory(*CASES[0])
    print("free, theory ", " ".join("%9.3f" % f for f, _ in exact))
    for boxes in ((24, 2, 2), g.BOXES, (96, 6, 8)):
        f = np.sqrt(free_modes(*g.bar(boxes).matrices(), 10)[0]) / (2 * np.pi)
        print("%-12s " % (boxes,), " ".join("%9.3f" % x for x in f))


WHY = {"free": "theory of beams against solids: sections warp and contract; the mesh is within 3e-4 (torsion 1e-3)",
       "clamped": "the held section keeps its shape: as if the bar were shorter by a twentieth of its height (2e-3)",
       "supported": "as free; torsion as clamped"}

if __name__ == "__main__":
    if "--mesh" in sys.argv:
        meshes()
        sys.exit()
    expected = Expected("beam_modes", "beam_modes.acf", "Timoshenko's beam, St. Venant's torsion, reference.py")
    for number, (left, right, waves) in enumerate(CASES, 1):
        for mode, (f, kind) in enumerate(theory(left, right, waves), 1):
            share = 4e-3 if left == "clamped" or (kind == "torsion" and left == "supported") else 2e-3
            expected.frequency(number, mode, f, share * f, kind + ": " + WHY[left])
            print("%-10s %3d %12.4f  %s" % (left, mode, f, kind))
    expected.write(os.path.join(HERE, "expected.json"))
    # shapes of the slowest bending mode of each case, by the closed forms of Euler's beam
    x = np.linspace(0, 1, 61)

    def cross(k, held):   # free and clamped: cosh ± cos - sigma (sinh ± sin)
        if held == "free":
            s = (np.cosh(k) - np.cos(k)) / (np.sinh(k) - np.sin(k))
            return np.cosh(k * x) + np.cos(k * x) - s * (np.sinh(k * x) + np.sin(k * x))
        s = (np.cosh(k) + np.cos(k)) / (np.sinh(k) + np.sin(k))
        return np.cosh(k * x) - np.cos(k * x) - s * (np.sinh(k * x) - np.sin(k * x))

    shapes = [("free", cross(4.730041, "free"), cross(7.853205, "free")),
              ("clamped", cross(1.875104, "clamped"), cross(4.694091, "clamped")),
              ("supported", 2 * np.sin(np.pi * x), 2 * np.sin(2 * np.pi * x))]
    f = Figure(-.1, -.1, 1.1, .95, 520)
    for row, (name, first, second) in enumerate(shapes):
        y = .8 - .35 * row
        f.line((0, y), (1, y), "#bbb", 1, "4 4")
        f.poly([(a, y + .05 * b) for a, b in zip(x, first)], "#4c78a8", 4)
        f.poly([(a, y + .05 * b) for a, b in zip(x, second)], "#e45756", 2)
        f.text((.45, y), name, dy=-26)
        if name == "clamped":
            f.poly([(-.03, y - .07), (0, y - .07), (0, y + .07), (-.03, y + .07)], "#222", 1.5, "#ddd", True)
        if name == "supported":
            f.ground((0, y), 8)
            f.ground((1, y), 8)
    f.write(os.path.join(HERE, "figure.svg"))
