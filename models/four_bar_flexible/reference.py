#!/usr/bin/env python3
"""Four-bar whose coupler is one elastic line, exactly nonlinear: angle and stretch along it are sums of polynomials.

The angle of the line is th(x) = c_0 + sum c_k P_k(x) (integrals of Legendre's polynomials), its stretch
e(x) = sum e_k L_k(x); a point is at r = A(t) + integral of (1 + e) exp(i th), A the crank's pin. Bending
EI th'²/2, stretch EA e²/2, mass along the line; no shear, no turning inertia of sections. Its end is on the rocker:
a multiplier, solved for in every evaluation, holds it. DOP853.
"""
import os

import numpy as np
from numpy.polynomial import legendre

import generate as g

HERE = os.path.dirname(os.path.abspath(__file__))
from refkit import Expected, Figure, integrate  # noqa: E402  generate.py has added models/ to the path

L, AREA = g.COUPLER, g.WIDE * g.THICK
EI, EA, MASS = g.YOUNG * g.WIDE * g.THICK**3 / 12, g.YOUNG * AREA, g.DENSITY * AREA
PIVOT = g.ROCKER_INERTIA + g.ROCKER_MASS * (g.ROCKER / 2) ** 2
BEND, STRETCH, POINTS = 6, 2, 18
NODE, WEIGHT = legendre.leggauss(POINTS)
WEIGHT = MASS * L / 2 * WEIGHT


def polynomials(count, x, whole=False):
    """Shifted Legendre polynomials over the length at x in (-1, 1), or their integrals from the first pin."""
    rows = []
    for k in range(count):
        c = np.eye(k + 1)[k]
        rows.append(legendre.legval(x, legendre.legint(c, lbnd=-1)) / 2 if whole else legendre.legval(x, c))
    return np.array(rows).T


# integral from the first pin to each point, then to the middle and the end, of what is known at the points
TO = polynomials(POINTS, np.append(NODE, [0, 1]), True) @ np.linalg.inv(polynomials(POINTS, NODE)) * L
ANGLE = np.column_stack([np.ones(POINTS), polynomials(BEND, NODE, True)])
EXTENT = polynomials(STRETCH, NODE)
SQUARES = 1 / (2 * np.arange(max(BEND, STRETCH)) + 1)
STIFF = np.concatenate([[0], EI / L * SQUARES[:BEND], EA * L * SQUARES[:STRETCH]])
N = len(STIFF)              # coordinates of the line; the rocker's angle is the last


def crank(t):
    """Angle, speed, acceleration."""
    if t >= g.RISE:
        return g.SPEED * (t - g.RISE / 2), g.SPEED, 0.0
    p, a = 2 * np.pi / g.RISE, g.SPEED / g.RISE
    return a * (t * t / 2 + (np.cos(p * t) - 1) / p**2), a * (t - np.sin(p * t) / p), a * (1 - np.cos(p * t))


def dynamics(t, q, v):
    """Accelerations, and the forces of crank and rocker on the line."""
    phi, speed, turning = crank(t)
    pin = g.CRANK * np.exp(1j * phi) * (1j * turning - speed**2)
    along, length = np.exp(1j * (ANGLE @ q[:BEND + 1])), 1 + EXTENT @ q[BEND + 1:N]
    rate, longer = ANGLE @ v[:BEND + 1], EXTENT @ v[BEND + 1:N]
    J = TO @ np.hstack([(1j * length * along)[:, None] * ANGLE, along[:, None] * EXTENT])
    bias = pin + TO @ ((2j * longer * rate - length * rate**2) * along)
    M = np.zeros((N + 3, N + 3))
    M[:N, :N] = (J[:-2].conj().T * WEIGHT @ J[:-2]).real
    M[N, N] = PIVOT
    arm = g.ROCKER * np.exp(1j * q[N])
    held = np.append(J[-1], -1j * arm)          # of the end on the rocker, both directions
    M[:N + 1, N + 1:] = -np.column_stack([held.real, held.imag])
    M[N + 1:, :N + 1] = -M[:N + 1, N + 1:].T
    short = -(bias[-1] + arm * v[N] ** 2)
    f = np.concatenate([-(J[:-2].conj().T @ (WEIGHT * bias[:-2])).real - STIFF * q[:N], [0, short.real, short.imag]])
    x = np.linalg.solve(M, f)
    rocker = x[N + 1] + 1j * x[N + 2]
    return x[:N + 1], WEIGHT @ (J[:-2] @ x[:N] + bias[:-2]) - rocker, rocker


def shown(t, q, v):
    """Deflection of the middle left of the line through the pins, the rocker's angle, torque of the drive, force of
    the crank on the coupler."""
    along, length = np.exp(1j * (ANGLE @ q[:BEND + 1])), 1 + EXTENT @ q[BEND + 1:N]
    middle, end = TO[-2:] @ (length * along)
    force = dynamics(t, q, v)[1]
    arm = g.CRANK * np.exp(1j * crank(t)[0])
    turning = (g.CRANK_MASS * (g.CRANK / 2) ** 2 + 1e-4) * crank(t)[2]
    return ((end.conjugate() * middle).imag / abs(end), q[N], turning + (arm.conjugate() * force).imag,
            force.real, force.imag)


def line_of(q):
    return (1 + EXTENT @ q[BEND + 1:N]) * np.exp(1j * (ANGLE @ q[:BEND + 1]))


def figure(times, q):
    """Two places, deflections thirtyfold."""
    f = Figure(-.12, -.06, .42, .23, 560)
    pins = lambda z: (z.real, z.imag)
    for t, color in ((.66, "#c8d4e4"), (.7, "#4c78a8")):
        k = int(np.argmin(abs(times - t)))
        a = g.CRANK * np.exp(1j * crank(times[k])[0])
        points = a + np.append(0, np.append(TO[:-2] @ line_of(q[k]), TO[-1] @ line_of(q[k])))
        chord = (points[-1] - a) / L
        bent = [z + 29j * chord * ((z - a) / chord).imag for z in points]
        f.bar((0, 0), pins(a), "#345" if t == .7 else "#ccc", 7)
        f.bar((g.GROUND, 0), pins(g.GROUND + g.ROCKER * np.exp(1j * q[k][N])), "#345" if t == .7 else "#ccc", 7)
        f.line(pins(a), pins(points[-1]), "#999", 1, "4 4")
        f.poly([pins(z) for z in bent], color, 5)
        for z in (a, points[-1]):
            f.pin(pins(z))
    for x in (0, g.GROUND):
        f.ground((x, 0))
    f.text((-.1, .21), "0.66 s (light), 0.70 s; deflections × 30")
    f.write(os.path.join(HERE, "figure.svg"))


def initial():
    coupler, rocker = g.start()
    q = np.zeros(N + 1)
    q[0], q[N] = coupler, rocker
    return q, np.zeros(N + 1)


if __name__ == "__main__":
    times = np.linspace(0, g.END, 251)
    q, v = integrate(lambda t, y, w: dynamics(t, y, w)[0], *initial(), times, rtol=1e-9, atol=1e-11)
    shows = np.array([shown(*row) for row in zip(times, q, v)])
    end = g.CRANK * np.exp(1j * crank(g.END)[0]) + TO[-1] @ line_of(q[-1]) - g.GROUND - g.ROCKER * np.exp(1j * q[-1][N])
    largest = abs(shows).max(axis=0)
    print("gap at the rocker %.1e m, largest %s" % (abs(end), largest))
    for name, share, why in (("four_bar_flexible", 5e-2, "one body lacks stiffening by the force along it: measured 4.4e-2"),
                             ("four_bar_flexible_4", 3e-3, "four bodies, measured 2.2e-3")):
        expected = Expected(name, name + ".acf", "exactly nonlinear elastic line, reference.py")
        for t, row in list(zip(times, shows))[25::25]:
            expected.add(t, "REQUEST/1.F2", row[0], share * largest[0], "of the largest deflection; " + why)
            expected.add(t, "REQUEST/1.F3", np.angle(np.exp(1j * row[1])), 3e-5 if name[-1] == "e" else 2e-6,
                         "second order in the deflection, which shortens the coupler by 3e-6 of it")
            for k, channel in enumerate(("F2", "F3", "F4"), 2):
                expected.add(t, "REQUEST/2." + channel, row[k], 2e-3 * largest[k],
                             "of the largest; measured 1.1e-3: waves along the coupler")
        expected.write(os.path.join(HERE, "expected.json" if name == "four_bar_flexible" else name + ".expected.json"))
    figure(times, q)
