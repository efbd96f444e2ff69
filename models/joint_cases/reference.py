"""Checks the expected values that do not come from the tables.

Pendulum (spherical and Hooke cases), torsional spring, translational spring: one-
and two-coordinate equations, DOP853. Prints the largest difference between these
and the stored values; writes nothing.
"""
import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import integrate  # noqa: E402

G, M, R, I = 9.80665, 1.0, 2.0, 0.1
JO = I + M * R * R
T = np.array([0.5, 1.0, 2.0, 5.0])


def pendulum(k=0.0, c=0.0):
    """body 2 m from a pin, falling from the horizontal; position and force on ground"""
    def f(t, q, v):
        return (M * G * R * np.cos(q) - k * q - c * v) / JO
    q, v = integrate(f, 0.0, 0.0, T)
    q, v = q[:, 0], v[:, 0]
    a = f(0, q, v)
    x, z = R * np.cos(q), -R * np.sin(q)
    ax, az = -R * (a * np.sin(q) + v * v * np.cos(q)), -R * (a * np.cos(q) - v * v * np.sin(q))
    return x, z, -M * ax, -M * (az + G)


def spring():
    def f(t, q, v):
        ln = np.linalg.norm(q)
        u = q / ln
        return -(100 * (ln - 2) + v @ u) * u / M - [0, G]
    return integrate(f, [2.0, 0.0], [0.0, 0.0], T)[0]


def stored(case):
    with open(os.path.join(HERE, case + ".expected.json")) as f:
        return {(c["t"], c["channel"]): c["value"] for c in json.load(f)["checks"]}


def report(case, pairs):
    s = stored(case)
    print("%-20s largest difference %.1e" % (case, max(abs(s[k] - v) for k, v in pairs.items())))


if __name__ == "__main__":
    x, z, fx, fz = pendulum()
    for case, ax, sgn in (("Spherical_Case01", "X", 1), ("Universal_Case01", "Y", 1),
                          ("Universal_Case02", "X", -1)):
        fc = "F2" if ax == "X" else "F3"
        p = {}
        for k, t in enumerate(T):
            p.update({(t, "REQUEST/1." + ax): sgn * x[k], (t, "REQUEST/1.Z"): z[k],
                      (t, "REQUEST/5." + fc): sgn * fx[k], (t, "REQUEST/5.F4"): fz[k]})
        report(case, p)
    x, z, _, _ = pendulum(180 / np.pi, 9 / np.pi)
    report("RotSpring_Case01", {(t, "REQUEST/1." + a): v[k] for k, t in enumerate(T)
                                for a, v in (("X", x), ("Z", z))})
    q = spring()
    report("TransSpring_Case01", {(t, "REQUEST/1." + a): q[k, j] for k, t in enumerate(T)
                                  for j, a in enumerate("YZ")})
