"""A box that falls, in its own axes, with what the ground cuts off by sums over its corners.

y = (z, n, v, w): height of the middle, the vertical, velocity and angular velocity in the axes of the body. From the lowest corner, with
x_i along the edges and n_i > 0 (the axes on which the vertical has a part, k of them), the part below n.x = s has
    V = sum over sets S of corners of (-1)^|S| u^k/(k! prod n),   u = max(0, s - sum over S of n_i L_i)
and the moment of x_j in the same sum u^(k+1)/((k+1)! n_j prod n) + (L_j u^k/(k! prod n) if j is in S).
"""
import itertools
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import CASES, DAMPING, DMAX, EDGES, EXPONENT, G, INERTIA, K, MASS, MU, STICK, height, vertical  # noqa: E402
from refkit import Expected, chart, friction, impact, motion  # noqa: E402


def cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def overlap(z, n):
    """(depth, place from the middle in the axes of the body) of what is below z = 0; None: nothing is"""
    s = sum(e / 2 * abs(x) for e, x in zip(EDGES, n)) - z
    if s <= 0:
        return None
    axes = [i for i in range(3) if n[i] != 0]
    k, slopes = len(axes), [abs(x) for x in n]
    volume, moment = 0.0, [0.0] * 3
    for chosen in itertools.chain.from_iterable(itertools.combinations(axes, m) for m in range(k + 1)):
        u = s - sum(slopes[i] * EDGES[i] for i in chosen)
        if u <= 0:
            continue
        part = (-1) ** len(chosen) * u**k / math.factorial(k)
        volume += part
        for j in axes:
            moment[j] += part * (u / ((k + 1) * slopes[j]) + (EDGES[j] if j in chosen else 0.0))
    x = [moment[i] / volume if i in axes else EDGES[i] / 2 for i in range(3)]
    below = min(x[i] / slopes[i] for i in axes)  # from the centroid down to the surface
    above = s - sum(slopes[i] * x[i] for i in axes)  # and up to the plane
    place = [math.copysign(1, n[i]) * (x[i] - EDGES[i] / 2) if i in axes else 0.0 for i in range(3)]
    return below + above, [p - (below - above) / 2 * q for p, q in zip(place, n)]


def rate(t, y):
    z, n, v, w = y[0], y[1:4], y[4:7], y[7:]
    f, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    met = overlap(z, n)
    if met:
        depth, r = met
        at = [p + q for p, q in zip(v, cross(w, r))]
        approach = -dot(at, n)
        normal = impact(depth, approach, K, EXPONENT, DAMPING, DMAX)
        slip = [p + approach * q for p, q in zip(at, n)]
        speed = math.sqrt(dot(slip, slip))
        share = friction(speed, MU, MU, STICK, 2 * STICK) / speed if speed else 0.0
        f = [normal * (q - share * p) for p, q in zip(slip, n)]
        moment = cross(r, f)
    spin = [j * x for j, x in zip(INERTIA, w)]
    return ([dot(v, n)] + list(cross(n, w)) + [p / MASS - G * q - x for p, q, x in zip(f, n, cross(w, v))]
            + [(p - q) / j for p, q, j in zip(moment, cross(w, spin), INERTIA)])


if __name__ == "__main__":
    ex = Expected("falling_box", "falling_box.acf", "body axes and sums over corners, reference.py")
    curves = []
    for p, ((name, angles, spin), color) in enumerate(zip(CASES, ("#c33", "#36c", "#2a7")), 2):
        n = vertical(angles)
        t, y, points, bounces = 0.0, [height(angles), *n, 0.0, 0.0, 0.0, *spin], [], 0
        for k in range(1, 161):
            t, y = motion(rate, y, t, k * 0.005, 1e-12, h=1e-5, hmax=1e-5)  # no second push is passed
            z, n, v, w = y[0], y[1:4], y[4:7], y[7:]
            points.append((t, z))
            if k % 10 == 0:
                why = "on a %s: body axes, sums over corners" % name
                for field, value, tolerance in (("F2", z, 1e-6), ("F3", dot(v, n), 1e-5), ("F4", w[0], 1e-4), ("F6", w[1], 1e-4), ("F7", w[2], 1e-4),
                                                ("F8", MASS * (dot(v, v) / 2 + G * z) + sum(j * x * x for j, x in zip(INERTIA, w)) / 2, 1e-5)):
                    ex.add(t, "REQUEST/%d.%s" % (p, field), value, tolerance, why)
        print(name, ["%.6g" % x for x in y])
        curves.append(("on a " + name, color, points))
    ex.write(os.path.join(HERE, "expected.json"))
    chart(os.path.join(HERE, "figure.svg"), curves, "time, s", "height of the middle, m")
