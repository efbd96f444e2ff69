"""The rattleback in the axes of its body: rolling (Kane and Levinson 1982; Garcia and Hubbard 1988), and with the law of contact.

y = (z, n, v, w): height of the centre of mass, the vertical, velocity and angular velocity in the axes of the body;
n' = n x w. Rolling: v = r x w with r to the lowest point, and from m (v' + w x v + g n) = F, J w' + w x J w = r x F
    (J + m (r.r 1 - r r^T)) w' = r x m (r' x w + w x v + g n) - w x J w
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import A, B, C, D, DAMPING, G, HALF_AXES, K, LOW, MASS, MU, SPINS, STICK, start, to_lowest  # noqa: E402
from refkit import Expected, Figure, chart, motion, smooth_step  # noqa: E402


def cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def momentum(w):
    return A * w[0] + D * w[1], D * w[0] + B * w[1], C * w[2]


def solve(m, b):
    """m x = b by Cramer's rule; m: three rows of a symmetric matrix."""
    rows = (cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]))
    return [sum(rows[i][k] * b[i] for i in range(3)) / dot(m[0], rows[0]) for k in range(3)]


def rolling(t, y):
    """Rates of (n, w)."""
    n, w = y[:3], y[3:]
    r, turn = to_lowest(n), cross(n, w)
    s = math.sqrt(sum((p * q) ** 2 for p, q in zip(HALF_AXES, n)))
    growth = sum(p * p * q * x for p, q, x in zip(HALF_AXES, n, turn)) / s
    moves = [p * p * (q * growth / s - x) / s for p, q, x in zip(HALF_AXES, n, turn)]
    f = [MASS * (p + q + G * x) for p, q, x in zip(cross(moves, w), cross(w, cross(r, w)), n)]
    b = [p - q for p, q in zip(cross(r, f), cross(w, momentum(w)))]
    m = [[MASS * ((dot(r, r) if i == k else 0) - r[i] * r[k]) for k in range(3)] for i in range(3)]
    for i, row in enumerate(((A, D, 0), (D, B, 0), (0, 0, C))):
        m[i] = [p + q for p, q in zip(m[i], row)]
    return list(turn) + solve(m, b)


def contact(z, n, v, w):
    """Force and moment about the centre of mass: section 13 of docs/theory.md, for an ellipsoid on z = 0."""
    s = math.sqrt(sum((p * q) ** 2 for p, q in zip(HALF_AXES, n)))
    d = z + LOW * n[2]  # height of the ellipsoid's middle
    h = 1 - d / s
    if h <= 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    q = 3 * (2 - h) ** 2 / (4 * (3 - h))
    c = [-q * p * p * x / s for p, x in zip(HALF_AXES, n)]  # centroid of the cap, from the middle
    # from the centroid down to the surface: sum ((c - l n)/a)^2 = 1
    aa = sum((x / p) ** 2 for p, x in zip(HALF_AXES, n))
    bb = sum(x * y / p**2 for p, x, y in zip(HALF_AXES, n, c))
    cc = sum((x / p) ** 2 for p, x in zip(HALF_AXES, c)) - 1
    down = (bb + math.sqrt(bb * bb - aa * cc)) / aa
    up = s * q - d
    r = [x - (down - up) / 2 * y for x, y in zip(c, n)]
    r[2] += LOW
    at = [p + x for p, x in zip(v, cross(w, r))]
    rate = -dot(at, n)
    normal = max(0.0, K * (down + up) + DAMPING * smooth_step(down + up, 0, 0, 1e-6, 1) * rate)
    slip = [p + rate * x for p, x in zip(at, n)]
    u2 = dot(slip, slip) / STICK**2
    mu = MU * (3 - u2) / (2 * STICK) if u2 < 1 else MU / (STICK * math.sqrt(u2))
    f = [normal * (x - mu * p) for x, p in zip(n, slip)]
    return f, cross(r, f)


def by_law(t, y):
    z, n, v, w = y[0], y[1:4], y[4:7], y[7:]
    f, moment = contact(z, n, v, w)
    wv, wj = cross(w, v), cross(w, momentum(w))
    m = [p - q for p, q in zip(moment, wj)]
    det = A * B - D * D
    return ([dot(v, n)] + list(cross(n, w)) + [p / MASS - G * x - q for p, x, q in zip(f, n, wv)]
            + [(B * m[0] - D * m[1]) / det, (A * m[1] - D * m[0]) / det, m[2] / C])


def energy(z, v, w):
    return MASS * (dot(v, v) / 2 + G * z) + dot(w, momentum(w)) / 2


if __name__ == "__main__":
    ex = Expected("rattleback", "rattleback.acf", "the law of contact and rolling, reference.py")
    curves = []
    for p, (spin, color) in enumerate(zip(SPINS, ("#c33", "#36c")), 2):
        z, n, v, w = start(spin)
        y, x, t, points, rolls = [z, *n, *v, *w], [*n, *w], 0.0, [], []
        for k in range(101):
            z, n, v, w = y[0], y[1:4], y[4:7], y[7:]
            points.append((t, dot(n, w)))
            rolls.append((t, dot(x[:3], x[3:])))
            if k % 20 == 10 or k % 20 == 0 and k:
                why = "ten equations with the law of contact; README"
                ex.add(t, "REQUEST/%d.F2" % p, dot(n, w), 1e-3, why)
                ex.add(t, "REQUEST/%d.F3" % p, z, 1e-6, why)
                ex.add(t, "REQUEST/%d.F4" % p, energy(z, v, w), 1e-6, why)
                if spin > 0:
                    ex.add(t, "REQUEST/%d.F2" % p, rolls[-1][1], 0.1, "rolling without slip: 2 %; README")
                print("%g s: spin %.6f rad/s, rolling %.6f; energy %.9f J" % (t, dot(n, w), rolls[-1][1], energy(z, v, w)))
            if k < 100:
                x = motion(rolling, x, t, t + 0.05, 1e-9)[1]
                t, y = motion(by_law, y, t, t + 0.05, 1e-10)
        curves += [("spun with %g rad/s" % spin, color, points), ("the same, rolling", "#e99" if spin < 0 else "#9be", rolls)]
    ex.write(os.path.join(HERE, "expected.json"))
    chart(os.path.join(HERE, "figure.svg"), curves, "time, s", "spin, rad/s")
