"""The woodpecker's three equations, linear in the angles, with rigid impacts (time stepping) and with the law of contact.

q = (y, sleeve, bird);  M q'' = f(q) + sum (w_N N + w_T T) over beak, lower and upper edge of the sleeve.
"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import C_PHI, G, H_M, H_S, J_M, J_S, L_G, L_M, L_S, M_M, M_S, MU, PENALTY, PUBLISHED, R_M, R_O  # noqa: E402
from generate import NEWTON, RESTITUTION, STICK  # noqa: E402
from refkit import Expected, chart, friction, motion, poisson  # noqa: E402

MASS = ((M_S + M_M, M_S * L_M, M_S * L_G), (M_S * L_M, J_M + M_S * L_M**2, M_S * L_M * L_G),
        (M_S * L_G, M_S * L_M * L_G, J_S + M_S * L_G**2))
NORMAL = ((0, 0, -H_S), (0, H_M, 0), (0, -H_M, 0))
ALONG = ((1, L_M, L_G - L_S), (1, R_M, 0), (1, R_M, 0))
GAP = (L_M + L_G - L_S - R_O, R_M - R_O, R_M - R_O)
START = (0.0, -(R_M - R_O) / H_M, PUBLISHED[0], PUBLISHED[1], 0.0, PUBLISHED[2])


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


ROWS = (cross(MASS[1], MASS[2]), cross(MASS[2], MASS[0]), cross(MASS[0], MASS[1]))
INVERSE = [[row[k] / dot(MASS[0], ROWS[0]) for row in ROWS] for k in range(3)]


def solve(f):
    return [dot(row, f) for row in INVERSE]


FOR_NORMAL, FOR_ALONG = [solve(w) for w in NORMAL], [solve(w) for w in ALONG]


def free(q):
    turn = C_PHI * (q[1] - q[2])
    return solve((-(M_S + M_M) * G, -M_S * L_M * G - turn, -M_S * L_G * G + turn))


def by_law(t, y):
    """Rates of (q, u) with POISSON and Coulomb's friction; the force acts half the depth outside of the point."""
    q, u = y[:3], y[3:]
    a = free(q)
    for n in range(3):
        depth = -GAP[n] - dot(NORMAL[n], q)
        if depth > 0:
            force = poisson(depth, -dot(NORMAL[n], u), PENALTY, RESTITUTION[n])
            along = -force * friction(dot(ALONG[n], u), MU, MU, STICK, 2 * STICK)
            a = [x + force * p + along * s for x, p, s in zip(a, FOR_NORMAL[n], FOR_ALONG[n])]
    return list(u) + a


def rigid(h, end):
    """(t, y, v, w) each time the bird passes PUBLISHED[0] downward: Moreau's scheme with Newton's restitution, by sweeps."""
    q, u, found = list(START[:3]), list(START[3:]), []
    for step in range(round(end / h)):
        middle = [a + h / 2 * b for a, b in zip(q, u)]
        now = [a + h * b for a, b in zip(u, free(middle))]
        closed = [n for n in range(3) if GAP[n] + dot(NORMAL[n], middle) <= 0]
        push, rub = [0.0] * 3, [0.0] * 3
        for _ in range(2000 if closed else 0):
            change = 0.0
            for n in closed:
                slope = dot(NORMAL[n], FOR_NORMAL[n])
                new = max(0.0, push[n] - (dot(NORMAL[n], now) + NEWTON[n] * dot(NORMAL[n], u)) / slope)
                now = [a + (new - push[n]) * b for a, b in zip(now, FOR_NORMAL[n])]
                change, push[n] = max(change, abs(new - push[n]) * slope), new
                slope = dot(ALONG[n], FOR_ALONG[n])
                new = min(MU * push[n], max(-MU * push[n], rub[n] - dot(ALONG[n], now) / slope))
                now = [a + (new - rub[n]) * b for a, b in zip(now, FOR_ALONG[n])]
                change, rub[n] = max(change, abs(new - rub[n]) * slope), new
            if change < 1e-13:
                break
        u = now
        before, q = q[2], [a + h / 2 * b for a, b in zip(middle, u)]
        if before > PUBLISHED[0] >= q[2]:
            found.append(((step + 1) * h, q[0], u[0], u[2]))
    return found


def beaks_ratio():
    """Normal speed of the beak after over before its first blow, with the law."""
    t, y = motion(by_law, START, 0.0, 0.2, 1e-11, until=lambda t, y: GAP[0] + dot(NORMAL[0], y), h=1e-6)
    before = dot(NORMAL[0], y[3:])
    t, y = motion(by_law, y, t, t + 0.01, 1e-11, until=lambda t, y: -GAP[0] - dot(NORMAL[0], y), h=1e-7)
    return -dot(NORMAL[0], y[3:]) / before


if __name__ == "__main__":
    print("beak: restitution of speed %.4f" % beaks_ratio())
    returns = rigid(2e-5, 0.6)
    for t, y, v, w in returns:
        print("rigid: t = %.4f s, y = %.5f m, v = %.4f m/s, w = %.3f rad/s" % (t, y, v, w))
    ex = Expected("woodpecker", "woodpecker.acf", "three equations with the law of contact, and publication; reference.py")
    t, y, passed, points = 0.0, list(START), [], []
    for k in range(1, 121):
        end = k / 200
        while t < end:
            t, y = motion(by_law, y, t, end, 1e-11, until=lambda t, y: y[2] - PUBLISHED[0], h=1e-7)
            if t < end:
                passed.append((t, y[0], y[3], y[5]))
                print("law: t = %.6f s, y = %.6f m, v = %.5f m/s, w = %.4f rad/s" % passed[-1])
        points.append((t, 10 * y[0], y[1], y[2]))
        if k % 10 == 0:
            why = "three equations with the law of contact; README"
            for channel, value, tolerance in zip(("F2", "F3", "F4", "F6", "F8"), (y[0], y[1], y[2], y[3], y[5]),
                                                 (1e-5, 1e-4, 1e-4, 1e-3, 1e-2)):
                ex.add(end, "REQUEST/1." + channel, value, tolerance, why)
        if passed and end - passed[-1][0] < 0.005:
            for n, (value, tolerance) in enumerate(zip(passed[-1], (1e-5, 1e-5, 1e-4, 1e-3))):
                ex.add(end, "REQUEST/2.F" + "2346"[n], value, tolerance, "passes %g, with the law of contact" % PUBLISHED[0])
    ex.add(0.15, "REQUEST/2.F2", returns[0][0], 0.05 * returns[0][0], "period with rigid impacts; README")
    ex.add(0.15, "REQUEST/2.F4", PUBLISHED[1], 0.1 * abs(PUBLISHED[1]), "limit cycle of the publication; README")
    ex.add(0.15, "REQUEST/2.F6", PUBLISHED[2], 0.05 * abs(PUBLISHED[2]), "limit cycle of the publication; README")
    ex.write(os.path.join(HERE, "expected.json"))
    chart(os.path.join(HERE, "figure.svg"), [("bird, rad", "#c33", [(p[0], p[3]) for p in points]),
                                             ("sleeve, rad", "#36c", [(p[0], p[2]) for p in points]),
                                             ("height, 0.1 m", "#2a7", [(p[0], p[1]) for p in points])], "time, s", "")
