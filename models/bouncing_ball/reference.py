"""Times of bounces and heights between them: flights are parabolas, each contact is one equation of motion."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, impact, motion, poisson  # noqa: E402

G, MASS, RADIUS, HEIGHT = 9.81, 0.5, 0.05, 0.5


def on_a_spring(v):
    """Time and speed through a contact that begins with the speed v downward: of a harmonic motion about the sag."""
    w = math.sqrt(2e4 / MASS)
    return 2 / w * (math.pi - math.atan(v * w / G)), v


def by_law(force):
    def through(v):
        t, (_, back) = motion(lambda t, y: (y[1], -G + force(-y[0], -y[1]) / MASS), (0.0, -v), 0.0, 1.0, 1e-15,
                              until=lambda t, y: -y[0], h=1e-7, hmax=2e-6)  # no second push is passed
        return t, back
    return through


BALLS = (on_a_spring, by_law(lambda g, rate: impact(g, rate, 1e6, 1.5, 60.0, 1e-3)),
         by_law(lambda g, rate: poisson(g, rate, 1e6, 0.8)))


def bounces(through, end):
    """(t, v) of each touch and of each leaving up to the time `end`"""
    t, v, out = math.sqrt(2 * HEIGHT / G), math.sqrt(2 * HEIGHT * G), []
    while t < end:
        took, back = through(v)
        out.append((t, v, t + took, back))
        t, v = t + took + 2 * back / G, back
    return out


def rim(list_of_bounces, t):
    """Height of the rim at t; None in contact."""
    z = HEIGHT - G * t * t / 2
    for touch, _, leave, v in list_of_bounces:
        if t >= touch:
            z = None if t < leave else v * (t - leave) - G * (t - leave) ** 2 / 2
    return z


if __name__ == "__main__":
    ex = Expected("bouncing_ball", "bouncing_ball.acf", "flights and one equation for each contact, reference.py")
    f = Figure(-0.25, -0.12, 2.3, 0.6)
    f.line((0, 0), (2.1, 0), "#888", 2)
    for n, (through, color, name) in enumerate(zip(BALLS, ("#2a7", "#36c", "#c33"), ("spring", "IMPACT", "POISSON"))):
        all_bounces = bounces(through, 2.0)
        for k, (touch, v, leave, back) in enumerate(all_bounces):
            print("%-8s bounce %d at %.9f s, %.6f m/s, for %.3f ms, restitution %.6f"
                  % (name, k + 1, touch, v, 1e3 * (leave - touch), back / v))
            at = math.ceil(100 * leave) / 100
            ends = all_bounces[k + 1][0] if k + 1 < len(all_bounces) else 2.0
            if at < ends and at <= 2:
                ex.add(at, "REQUEST/1.F%d" % (n + 2), touch, 1e-7 * (k + 1), "time of bounce %d; 1e-7 a bounce: README" % (k + 1))
        for t in (0.25, 0.5, 0.9, 1.3, 1.6, 2.0):
            z = rim(all_bounces, t)
            if z is not None:
                ex.add(t, "REQUEST/1.F%d" % (n + 6), RADIUS + z, 2e-6, "height; 1e-7 s a bounce at up to 3 m/s: README")
        points = [(k / 100, rim(all_bounces, k / 100)) for k in range(201)]
        f.poly([(t, z) for t, z in points if z is not None], color, 1.5)
        f.text((1.5, 0.55 - 0.05 * n), name, color=color)
    f.text((2.1, 0), "2 s", dx=4, dy=4)
    f.text((-0.2, 0.5), "0.5 m", dx=0)
    f.write(os.path.join(HERE, "figure.svg"))
    ex.write(os.path.join(HERE, "expected.json"))
