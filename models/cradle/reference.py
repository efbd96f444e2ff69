"""Newton's cradle as five angles, with Hertz's force along the line between neighbours."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import BALLS, INERTIA, K, LENGTH, MASS, RADIUS, RAISED  # noqa: E402
from refkit import Expected, Figure, motion  # noqa: E402

G = 9.81
J = MASS * LENGTH**2 + INERTIA


def rate(t, y):
    """Angles and their rates."""
    angle, w = y[:BALLS], y[BALLS:]
    s, c = [math.sin(a) for a in angle], [math.cos(a) for a in angle]
    torque = [-MASS * G * LENGTH * a for a in s]
    for n in range(BALLS - 1):
        dx, dz = 2 * RADIUS + LENGTH * (s[n + 1] - s[n]), LENGTH * (c[n] - c[n + 1])
        d = math.hypot(dx, dz)
        if d < 2 * RADIUS:
            f = K * (2 * RADIUS - d) ** 1.5 * LENGTH / d
            torque[n] -= f * (dx * c[n] + dz * s[n])
            torque[n + 1] += f * (dx * c[n + 1] + dz * s[n + 1])
    return w + [x / J for x in torque]


if __name__ == "__main__":
    ex = Expected("cradle", "cradle.acf", "five angles by Runge-Kutta, reference.py")
    times = [k / 100 for k in (10, 32, 36, 45, 60, 80, 95, 100, 105, 115)]
    t, y = 0.0, [math.radians(-RAISED)] + [0.0] * (2 * BALLS - 1)
    start = MASS * G * LENGTH * sum(math.cos(a) for a in y[:BALLS])
    for end in times:
        t, y = motion(rate, y, t, end, 1e-14, h=1e-5, hmax=1e-3)
        speeds = [LENGTH * math.cos(a) * w for a, w in zip(y[:BALLS], y[BALLS:])]
        print("%.2f s: " % t + " ".join("%9.6f" % v for v in speeds)
              + "  m/s, energy lost %.1e J" % (J / 2 * sum(w * w for w in y[BALLS:])
                                               - MASS * G * LENGTH * sum(math.cos(a) for a in y[:BALLS]) + start))
        for n in range(BALLS):
            ex.add(t, "REQUEST/1.F%d" % (n + 2), speeds[n], 1e-7, "five angles; README")
            ex.add(t, "REQUEST/2.F%d" % (n + 2), 2 * RADIUS * n + LENGTH * math.sin(y[n]), 1e-7, "five angles; README")
        ex.add(t, "REQUEST/3.F2", J / 2 * sum(w * w for w in y[BALLS:]), 1e-7, "kinetic energy; README")
        ex.add(t, "REQUEST/3.F3", -MASS * G * LENGTH * sum(math.cos(a) for a in y[:BALLS]), 1e-7, "potential energy; README")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.32, -0.48, 0.42, 0.05)
    f.line((-0.05, 0), (0.25, 0), "#888", 4)
    for n in range(BALLS):
        a = math.radians(0 if n else -RAISED)
        c = (2 * RADIUS * n + LENGTH * math.sin(a), -LENGTH * math.cos(a))
        f.line((2 * RADIUS * n, 0), c, "#444", 1)
        f.pin(c, RADIUS * f.s)
    f.arrow((-0.17, -0.37), (-0.1, -0.39))
    f.write(os.path.join(HERE, "figure.svg"))
