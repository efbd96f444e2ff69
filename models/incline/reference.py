"""Coulomb's friction on inclines: one equation for what slides, closed forms for what rolls or slips."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import CASES, G, RADIUS, STICK, sag  # noqa: E402
from refkit import Expected, Figure, friction, motion  # noqa: E402


def along(angle):
    return G * math.sin(math.radians(angle))


def block(angle, mu, v, t):
    """(x, v) of v' = g (sin - mu(v) cos)"""
    across = G * math.cos(math.radians(angle))
    rate = lambda t, y: (y[1], along(angle) - across * friction(y[1], mu, mu, STICK, 2 * STICK))
    return motion(rate, (0.0, v), 0.0, t, 1e-12)[1]


def creep(angle, mu):
    """The slip at which friction is what a block needs to stay: mu (3 u - u^3)/2 = tan, u = v/STICK"""
    u = 0.5
    for _ in range(100):
        u = (2 * math.tan(math.radians(angle)) / mu + u**3) / 3
    return STICK * u


def ball(angle, mu, inertia, t):
    """(x, v, w) of a ball (inertia 2/5 m r^2) or a disc (1/2 m r^2), whose force acts at the arm r - sag/2.

    J' = J/(m arm^2) and the slip s = v - arm w give v = (g sin t + J' s)/(1 + J'), whatever the friction is. Rolling, s
    is constant, with friction F = m g sin J'/(1 + J'); else s' = g sin - mu(s) g cos (1 + J')/J'."""
    arm = RADIUS - sag(angle) / 2
    j = inertia * (RADIUS / arm) ** 2
    across = G * math.cos(math.radians(angle))
    rolls = along(angle) * j / (1 + j)
    if rolls < mu * across:
        slip = creep(math.degrees(math.atan(rolls / across)), mu)
        path = slip * t
    else:
        rate = lambda t, y: (y[1], along(angle) - friction(y[1], mu, mu, STICK, 2 * STICK) * across * (1 + j) / j)
        path, slip = motion(rate, (0.0, 0.0), 0.0, t, 1e-12)[1]
    v = (along(angle) * t + j * slip) / (1 + j)
    return (along(angle) * t * t / 2 + j * path) / (1 + j), v, (v - slip) / arm


if __name__ == "__main__":
    ex = Expected("incline", "incline.acf", "one equation and closed forms, reference.py")
    for n, (name, shape, angle, mu, v, inertia) in enumerate(CASES):
        channel = "REQUEST/%d." % (n + 2)
        for t in (0.1, 0.5, 1.0):
            if shape == "block":
                x, speed = block(angle, mu, v, t)
                ex.add(t, channel + "F2", x, 1e-6, name + ": v' = g (sin - mu(v) cos)")
                ex.add(t, channel + "F3", speed, 1e-6, name + ": v' = g (sin - mu(v) cos)")
                continue
            why = name + (": slips, s' = g sin - mu(s) g cos 7/2" if name == "slips" else ": rolls, the slip is constant after 1e-4 s")
            x, speed, w = ball(angle, mu, inertia, t)
            ex.add(t, channel + "F2", x, 1e-6, why)
            ex.add(t, channel + "F3", speed, 1e-6, why)
            ex.add(t, channel + "F4", w, 2e-5, name + ": 1e-6 m/s over 0.05 m")
    ex.add(1.0, "REQUEST/3.F3", creep(15, 0.35), 1e-9, "creeps with mu (3 u - u^3)/2 = tan")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.3, -0.9, 2.9, 0.6)
    for n, (name, shape, angle, mu, v, inertia) in enumerate(CASES):
        s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        o = (1.0 * (n % 3), 0.25 - 0.75 * (n // 3))
        at = lambda x, z: (o[0] + x * c + z * s, o[1] - x * s + z * c)
        f.line(at(0, 0), at(0.7, 0), "#888", 3)
        if shape == "block":
            f.poly([at(0.2, 0), at(0.4, 0), at(0.4, 0.1), at(0.2, 0.1)], "#222", 1.5, "#cfe0f0", True)
        else:
            f.pin(at(0.3, 0.08), 11)
            f.dot(at(0.3, 0.08), 2)
        f.arrow(at(0.45, 0.08), at(0.3 if v < 0 else 0.6, 0.08))
        f.text(o, "%s, %d°, µ = %g" % (name.replace("_", " "), angle, mu), dx=0, dy=-20)
    f.write(os.path.join(HERE, "figure.svg"))
