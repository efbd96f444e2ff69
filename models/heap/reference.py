"""Thirteen balls in a funnel: the law of contact between all pairs, in velocities and spins, by Runge-Kutta.

Balls have no need of angles: a sphere's inertia is the same about every axis. Python alone.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
from generate import INERTIA, MASS, RADIUS, places, planes, shown  # noqa: E402
from refkit import Expected, Figure, friction, impact, motion  # noqa: E402

G, N = 9.81, 13
FLOOR = planes(N, False)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def force(depth, n, v):
    """On the body to which n points, whose point of contact has the velocity v against the other's."""
    rate = -dot(v, n)
    normal = impact(depth, rate, 1e5, 1.5, 100.0, 1e-3)
    slip = tuple(v[i] + rate * n[i] for i in range(3))
    speed = math.sqrt(dot(slip, slip))
    share = -abs(friction(speed, 0.3, 0.25, 0.05, 0.1)) / speed if speed > 0 else 0.0
    return tuple(normal * (n[i] + share * slip[i]) for i in range(3))


def rate(t, y):
    """y: place, velocity and spin of each ball."""
    f = [[0.0, 0.0, -G * MASS] for _ in range(N)]
    m = [[0.0, 0.0, 0.0] for _ in range(N)]

    def at(k):
        return y[9 * k:9 * k + 3], y[9 * k + 3:9 * k + 6], y[9 * k + 6:9 * k + 9]

    def act(k, arm, on, sign):
        moment = cross(arm, on)
        for i in range(3):
            f[k][i] += sign * on[i]
            m[k][i] += sign * moment[i]

    for a in range(N):
        x, v, w = at(a)
        for point, n in FLOOR:
            d = dot([x[i] - point[i] for i in range(3)], n)
            if d < RADIUS:
                arm = tuple(-(d + RADIUS) / 2 * c for c in n)
                spin = cross(w, arm)
                act(a, arm, force(RADIUS - d, n, [v[i] + spin[i] for i in range(3)]), 1)
        for b in range(a):
            z, u, q = at(b)
            apart = [x[i] - z[i] for i in range(3)]
            square = dot(apart, apart)
            if square >= 4 * RADIUS ** 2:
                continue
            d = math.sqrt(square)
            n = tuple(c / d for c in apart)
            arm, other = tuple(-d / 2 * c for c in n), tuple(d / 2 * c for c in n)
            spin, turn = cross(w, arm), cross(q, other)
            on = force(2 * RADIUS - d, n, [v[i] + spin[i] - u[i] - turn[i] for i in range(3)])
            act(a, arm, on, 1)
            act(b, other, on, -1)
    out = []
    for k in range(N):
        out += list(y[9 * k + 3:9 * k + 6]) + [c / MASS for c in f[k]] + [c / INERTIA for c in m[k]]
    return out


def energy(y):
    total = 0.0
    for k in range(N):
        x, v, w = y[9 * k:9 * k + 3], y[9 * k + 3:9 * k + 6], y[9 * k + 6:9 * k + 9]
        total += MASS * (G * x[2] + dot(v, v) / 2) + INERTIA * dot(w, w) / 2
    return total


if __name__ == "__main__":
    ex = Expected("heap", "heap.acf", "the law of contact between all pairs by Runge-Kutta, reference.py")
    pictures = []
    y = [c for p in places(N, False)[0] for c in list(p) + [0.0] * 6]
    t, start = 0.0, energy(y)
    for n in range(1, 9):
        pictures.append(y)
        t, y = motion(rate, y, t, 0.05 * n, 1e-10, h=1e-5)
        print("%.2f s, %.9f J of %.9f" % (t, energy(y), start))
        for request, k in enumerate(shown(N), 1):
            for i in range(3):
                ex.add(t, "REQUEST/%d.%s" % (request, "XYZ"[i]), y[9 * (k - 10) + i], 3e-6,
                       "HHT with ERROR=1e-8 through a dozen blows: README")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.3, -0.05, 1.6, 0.5)
    for column, moment in enumerate((0, 3, 7)):
        x0 = 0.65 * column
        f.line((x0 - 0.28, 0.28), (x0, 0), "#888", 2)
        f.line((x0, 0), (x0 + 0.28, 0.28), "#888", 2)
        for k in range(N):
            place = pictures[moment][9 * k:9 * k + 3]
            f.dot((x0 + place[0], place[2]), RADIUS * f.s, "#36c")
        f.text((x0 - 0.06, -0.04), "t = %.2f s" % (0.05 * moment))
    f.write(os.path.join(HERE, "figure.svg"))
