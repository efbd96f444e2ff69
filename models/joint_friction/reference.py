"""Friction in joints: closed forms of Coulomb's law, and the creep that bears a weight."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure  # noqa: E402

G = 9.81


def root(f, low, high):
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low


def slide(t, h=1e-5):
    """(x, v, z) of the slide: MU_STATIC 0.5, MU_DYNAMIC 0.4, 500/m, 5 s/m, Stribeck's velocity 0.1, exponent 2"""
    def rate(y):
        x, v, z = y
        g = 0.4 + 0.1 * math.exp(-(v / 0.1) ** 2)
        dz = v - 500 * abs(v) * z / g
        return v, 2.4525 - G * (500 * z + 5 * dz), dz

    y = (0.0, 0.0, 0.0)
    for _ in range(round(t / h)):
        k1 = rate(y)
        k2 = rate([a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rate([a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rate([a + h * b for a, b in zip(y, k3)])
        y = tuple(a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4))
    return y


if __name__ == "__main__":
    ex = Expected("joint_friction", "joint_friction.acf", "closed forms, reference.py")
    slides = "constant deceleration; 2e-6: README"
    for t in (0.1, 0.3, 0.6):  # the sled rests at 0.68 s
        ex.add(t, "PART/2.X", 2 * t - 0.3 * G * t * t / 2, 2e-6, slides)
        ex.add(t, "PART/2.VX", 2 - 0.3 * G * t, 2e-5, slides)
        ex.add(t, "FRICTION/1.FX", -0.3 * 3 * G, 1e-5, slides)
        ex.add(t, "FRICTION/1.MU", 0.3, 1e-9, "MU_DYNAMIC")
    ex.add(2.0, "PART/2.X", 4 / (2 * 0.3 * G), 1.3e-5, "creep of 1e-5 and what is below V: README")
    ex.add(2.0, "FRICTION/1.REGIME", 0, 0, "it sticks")
    # the crate: tan = 0.3 of MU_STATIC = 0.4 by STEP(z, -D, -1, D, 1) = (3 s - s^3)/2
    s = root(lambda x: x * (3 - x * x) / 2 - 0.75, 0, 1)
    sine = 0.3 / math.sqrt(1.09)
    for t in (1.0, 2.0):
        ex.add(t, "FRICTION/2.CREEP", 1e-3 * s, 2e-8, "2e-5 of MAX_STICTION_DEFORMATION, ERROR = 5e-9")
        ex.add(t, "FRICTION/2.FM", 2 * G * sine, 2e-3, "slope 1.5 m g cos MU/D = 1e4 N/m times 2e-8, and rounding")
        ex.add(t, "REQUEST/1.F2", 1e-3 * s, 2e-8, "the same by the function FRICTION")
        ex.add(t, "REQUEST/1.F5", 0, 0, "it sticks")
    torque = 0.12 * 0.03 * 20 * G + 0.12 / 0.15 * 0.4
    decrease = 0.2 * 0.04 * 4 * G / 0.02
    for t in (0.5, 1.0, 2.0):
        ex.add(t, "PART/4.WX", 30 - torque / 0.5 * t, 2e-5, slides)
        ex.add(t, "FRICTION/3.TX", -torque, 1e-6, slides)
        ex.add(t, "REQUEST/1.F3", -torque, 1e-6, "the same by the function FRICTION")
        ex.add(t, "REQUEST/1.F6", torque, 1e-6, "on J")
        w = 40 - decrease * t
        for channel, share in (("WX", 0.6), ("WY", 0.0), ("WZ", 0.8)):
            ex.add(t, "PART/5." + channel, share * w, 1e-4, slides + "; 20 rad/s per m/s")
    z = 2.4525 / G / 500
    for t in (1.0, 2.0):
        ex.add(t, "FRICTION/5.BRISTLE", z, 1e-9, "F/(m g SIGMA0); at rest")
        ex.add(t, "REQUEST/1.F4", z, 1e-9, "the same by the function FRICTION")
        ex.add(t, "FRICTION/5.FX", -2.4525, 1e-5, "at rest")
    for t in (0.05, 2.0):
        ex.add(t, "PART/6.X", slide(t)[0], 2e-6, "Runge-Kutta of order 4 on (x, v, z); 400 steps of ERROR = 5e-9")
        ex.add(t, "FRICTION/5.BRISTLE", slide(t)[2], 2e-6, "the same")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.2, -.3, 2.6, .6)
    f.line((-.1, 0), (.6, 0), "#888", 3)
    f.poly([(0, 0), (.3, 0), (.3, .15), (0, .15)], "#222", 1.5, "#cfe0f0", True)
    f.arrow((.3, .08), (.5, .08))
    f.text((.0, -.1), "sled", dx=0, dy=0)
    f.line((.7, .3), (1.2, .15), "#888", 3)
    f.poly([(.85, .255), (1.0, .21), (1.03, .31), (.88, .355)], "#222", 1.5, "#cfe0f0", True)
    f.text((.85, -.1), "crate", dx=0, dy=0)
    for x, name in ((1.45, "flywheel"), (1.9, "ball")):
        f.pin((x, .15), 14 if name == "ball" else 24)
        f.dot((x, .15))
        f.text((x - .12, -.1), name, dx=0, dy=0)
    f.line((2.1, 0), (2.6, 0), "#888", 3)
    f.poly([(2.2, 0), (2.4, 0), (2.4, .12), (2.2, .12)], "#222", 1.5, "#e0f0cf", True)
    f.text((2.2, -.1), "slide", dx=0, dy=0)
    f.write(os.path.join(HERE, "figure.svg"))
