#!/usr/bin/env python3
"""Closed forms of beams under end moments. Standard library only.

Without forces the moment m is the same all along. A round bar has, with its line along x at the clamp,

  r(s) = ∫ exp(s m̃/EI) e_x ds,   R(s) = exp(s m̃/EI) exp(s c ẽ_x),   c = m_x (1/GJ − 1/EI)

for then κ = R⁻¹R' = R⁻¹m/EI + c e_x = (m_x/GJ, m_y/EI, m_z/EI) in the axes of the section.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from generate import CIRCLE, HELIX, LENGTH  # noqa: E402
from refkit import Expected, Figure  # noqa: E402


def place(moment, t, s):
    """r(s) under t m EI/L: with ϑ = |m| t s/L, u = m/|m|: parts along and across u."""
    size = math.sqrt(sum(x * x for x in moment))
    u = [x / size for x in moment]
    rate = size * t / LENGTH
    along = u[0]
    across = [float(i == 0) - along * u[i] for i in range(3)]
    third = (0.0, u[2], -u[1])  # u × e_x
    if rate == 0:
        return [s, 0.0, 0.0]
    return [along * s * u[i] + math.sin(rate * s) / rate * across[i] + (1 - math.cos(rate * s)) / rate * third[i]
            for i in range(3)]


def main():
    e = Expected("bent_to_circle", "bent_to_circle.acf", "closed forms, reference.py")
    for k in range(1, 13):
        t = k / 12
        for part, moment, offset, tolerance, why in (
                (1004, CIRCLE, 0, 1e-8, "four BEAMs are exact; what the equilibrium leaves"),
                (2016, HELIX, 1, 2e-5, "order four: 1.3e-5 with sixteen BEAMs")):
            r = place(moment, t, LENGTH)
            for axis, value in zip("XYZ", (r[0], r[1] + offset, r[2])):
                e.add(t, "PART/%d.%s" % (part, axis), value, tolerance, why)
    e.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.35, -0.15, 1.15, 0.8)
    for k in range(0, 13, 2):
        shade = "#%02x%02x%02x" % (200 - 10 * k, 210 - 8 * k, 230 - 4 * k)
        f.poly([place(CIRCLE, k / 12, i / 100)[:2] for i in range(101)], shade if k < 12 else "#4c78a8", 2.5)
    for i in range(1, 5):
        f.dot(place(CIRCLE, 1, i / 4)[:2])
    f.line((0, -0.08), (0, 0.08), "#222", 3)
    f.text((0.45, 0.7), "M = t 2π EI/L, t = 0, 1/6, ..., 1", 0, 0)
    f.write(os.path.join(HERE, "figure.svg"))


if __name__ == "__main__":
    main()
