#!/usr/bin/env python3
"""The turning beam as one elastic line: angle and stretch of the line are sums of polynomials, exactly nonlinear.

With the angle th(x, t) = psi(t) + sum a_k P_k(x) (integrals of Legendre's polynomials) and the stretch
e(x, t) = sum e_k L_k(x) a point of the line is at r = integral of (1 + e) exp(i th): no deflection is small, and
centrifugal forces stiffen the line by themselves. Bending EI th'²/2, stretch EA e²/2, mass along the line, no shear
and no turning inertia of sections (both 1e-5 of the whole here). The least coordinates, integrated with DOP853.
reference.py FOLDER draws the program's results in that folder beside it.
"""
import os
import sys

import numpy as np
from numpy.polynomial import legendre
from scipy.io import netcdf_file

import generate as g

HERE = os.path.dirname(os.path.abspath(__file__))
from refkit import Expected, chart, integrate  # noqa: E402  generate.py has added models/ to the path

L, EI, EA, MASS = g.LENGTH, g.YOUNG * g.INERTIA, g.YOUNG * g.AREA, g.MASS
BEND, STRETCH, POINTS = 7, 2, 20
NODE, WEIGHT = legendre.leggauss(POINTS)


def polynomials(count, x, whole=False):
    """Shifted Legendre polynomials over the length at x in (-1, 1), or their integrals from the hub."""
    rows = []
    for k in range(count):
        c = np.eye(k + 1)[k]
        rows.append(legendre.legval(x, legendre.legint(c, lbnd=-1)) / 2 if whole else legendre.legval(x, c))
    return np.array(rows).T


# integral from the hub to each point, and to the tip, of what is known at the points
TO = polynomials(POINTS, np.append(NODE, 1.0), True) @ np.linalg.inv(polynomials(POINTS, NODE)) * L
ANGLE, EXTENT = polynomials(BEND, NODE, True), polynomials(STRETCH, NODE)
SQUARES = 1 / (2 * np.arange(max(BEND, STRETCH)) + 1)     # integral of the squares of Legendre's polynomials over 1
STIFF = np.concatenate([EI / L * SQUARES[:BEND], EA * L * SQUARES[:STRETCH]])


def hub(t):
    """Angle, speed, acceleration."""
    if t >= g.RISE:
        return g.SPEED * (t - g.RISE / 2), g.SPEED, 0.0
    p = 2 * np.pi / g.RISE
    return (g.SPEED / g.RISE * (t * t / 2 + (np.cos(p * t) - 1) / p**2),
            g.SPEED / g.RISE * (t - np.sin(p * t) / p), g.SPEED / g.RISE * (1 - np.cos(p * t)))


def line(q):
    """exp(i th) of the points without the hub's angle, and 1 + e."""
    return np.exp(1j * (ANGLE @ q[:BEND])), 1 + EXTENT @ q[BEND:]


def accel(t, q, v):
    _, speed, turning = hub(t)
    along, length = line(q)
    rate, longer = speed + ANGLE @ v[:BEND], EXTENT @ v[BEND:]
    J = TO[:-1] @ np.hstack([(1j * length * along)[:, None] * ANGLE, along[:, None] * EXTENT])
    bias = TO[:-1] @ ((1j * length * turning + 2j * longer * rate - length * rate**2) * along)
    weights = MASS * L / 2 * WEIGHT
    M = (J.conj().T * weights @ J).real
    return np.linalg.solve(M, -(J.conj().T @ (weights * bias)).real - STIFF * q)


# how far N bodies may be away: measured (README.md), with a quarter to spare
SHARE = {4: 2.7e-2, 16: 1.7e-3}


def tip(q):
    along, length = line(q)
    end = TO[-1] @ (length * along)
    return end.real, end.imag


if __name__ == "__main__":
    times = np.linspace(0, g.END, 101)
    zero = np.zeros(BEND + STRETCH)
    q, _ = integrate(accel, zero, zero, times, rtol=1e-9, atol=1e-11)
    tips = [tip(x) for x in q]
    deepest = max(abs(y) for _, y in tips)
    print("largest deflection %.6f, stretch at rest in the hub %.4e" % (deepest, MASS * g.SPEED**2 * L**3 / (3 * EA)))
    for count, share in SHARE.items():
        expected = Expected("spin_up_%d" % count, "spin_up_%d.acf" % count, "exactly nonlinear elastic line, reference.py")
        why = ("%d linear bodies; largest difference %.2g of the largest deflection, four times less than with half as "
               "many" % (count, share / 1.25))
        for t, (x, y) in zip(times, tips):
            if t > 0 and t % 2 == 0:
                expected.add(t, "REQUEST/1.Y", y, share * deepest, why)
                expected.add(t, "REQUEST/1.X", x, share * deepest / 15, why)
        expected.write(os.path.join(HERE, "spin_up_%d.expected.json" % count))
    curves = [("elastic line", "#222", [(t, -y) for t, (_, y) in zip(times, tips)])]
    for count, color in ((1, "#e45756"), (2, "#f2a33a"), (4, "#4c78a8")):
        path = os.path.join(sys.argv[1], "spin_up_%d.nc" % count) if len(sys.argv) > 1 else ""
        if os.path.exists(path):
            with netcdf_file(path, mmap=False) as run:
                tip_y = zip(run.variables["time"][::4], run.variables["REQUEST_1"][::4, 2])
                curves.append(("%d bod%s" % (count, "y" if count == 1 else "ies"), color, [(t, -y) for t, y in tip_y]))
    chart(os.path.join(HERE, "figure.svg"), curves, "s", "tip behind the hub's axis, m", 520, 240)
