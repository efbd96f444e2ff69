"""A mass with a spring on a moving belt: Coulomb's closed form of the period, and one equation with each law of friction."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, chart, friction, motion, smooth_step  # noqa: E402

BELT, MASS, K, G, MU_S, MU_D, STICK, CREEP = 0.1, 1.0, 100.0, 9.81, 0.4, 0.3, 1e-3, 1e-5
LEVEL = MU_D * MASS * G / K  # passed upward once a period


def of_joint(v, z):
    """(coefficient over MU_STATIC, rate of the creep): (14e), (14f) of docs/theory.md in one component, TRANSITION_VELOCITY_COEFFICIENT = 2"""
    u, p = v / STICK, (z / CREEP) ** 2
    t = abs(u)
    s = (1.5 - p / 2 if p < 1 else 1 / math.sqrt(p)) * z / CREEP
    if t < 1:
        c = s * (1 - 3 * t * t + 2 * t**3) + (1.5 * (1 - s * s) * (1 - t) ** 2 + t * (3 - 2 * t)) * u
    else:
        c = smooth_step(t, 1, 1, 2, MU_D / MU_S) * u / t
    return c, v * (1 - smooth_step(p, 0.81, 0, 1, 1)) if v * z > 0 else v


def joint(t, y):
    x, v, z = y
    c, creeps = of_joint(v - BELT, z)
    return v, (-K * x - MU_S * MASS * G * c) / MASS, creeps


def contact(t, y):
    x, v = y
    return v, (-K * x - MASS * G * friction(v - BELT, MU_S, MU_D, STICK, 2 * STICK)) / MASS


if __name__ == "__main__":
    w, d = math.sqrt(K / MASS), (MU_S - MU_D) * MASS * G / K
    period = 2 * d / BELT + 2 / w * (math.pi - math.atan(w * d / BELT))
    print("Coulomb: period %.6f s" % period)
    ex = Expected("stick_slip", "stick_slip.acf", "one equation with each law, and Coulomb's closed form; reference.py")
    curves = []
    for name, color, rate, y, first in (("joint", "#c33", joint, [0.0, BELT, 0.0], 2), ("contact", "#36c", contact, [0.0, BELT], 6)):
        t, passed, points = 0.0, [], [(0.0, 0.0)]
        for k in range(1, 301):
            while t < k / 100:
                t, y = motion(rate, y, t, k / 100, 1e-13, until=lambda t, y: LEVEL - y[0], h=1e-6)
                if t < k / 100:
                    passed.append(t)
            points.append((t, 100 * y[0]))
            if k % 25 == 0:
                ex.add(t, "REQUEST/1.F%d" % first, y[0], 1e-6, name + ": one equation; ERROR = 1e-10")
                ex.add(t, "REQUEST/1.F%d" % (first + 1), y[1], 1e-5, name + ": one equation; ERROR = 1e-10")
            if passed and t - passed[-1] < 0.01:
                ex.add(t, "REQUEST/1.F%d" % (first + 2), passed[-1], 1e-6, name + ": time of passing, one equation")
        print(name, "periods", ["%.6f" % (b - a) for a, b in zip(passed, passed[1:])])
        for n in range(1, len(passed)):
            ex.add(math.ceil(100 * passed[n]) / 100, "REQUEST/1.F%d" % (first + 2), passed[0] + n * period, 0.025 * n * period,
                   name + ": Coulomb's closed form of the period; README")
        curves.append((name + ": place, cm", color, points))
    ex.write(os.path.join(HERE, "expected.json"))
    chart(os.path.join(HERE, "figure.svg"), curves, "time, s", "")
