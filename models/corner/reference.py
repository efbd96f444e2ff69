"""Forces on balls in corners, from the balance of forces."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure  # noqa: E402

WEIGHT, RADIUS, K, MU, INERTIA = 2 * 9.81, 0.1, 1e5, 0.4, 8e-3
S1, C1, S2, C2 = (f(math.radians(a)) for a in (30, 45) for f in (math.sin, math.cos))
N1, N2 = WEIGHT * S2 / (S1 * C2 + C1 * S2), WEIGHT * S1 / (S1 * C2 + C1 * S2)


def middle():
    """(y, z) of the ball: r - N/k from each slope, (-s1, c1) (y, z) and (s2, c2) (y, z)"""
    a, b = RADIUS - N1 / K, RADIUS - N2 / K
    determinant = -S1 * C2 - S2 * C1
    return (a * C2 - b * C1) / determinant, (-S1 * b - S2 * a) / determinant


def rest(ex, t, force, place):
    y, z = middle()
    why = "balance of forces; at rest"
    ex.add(t, "CONTACT/1.FM", N1, force, why)
    ex.add(t, "CONTACT/2.FM", N2, force, why)
    for contact in ("CONTACT/3", "CONTACT/4"):
        ex.add(t, contact + ".FZ", WEIGHT, force, "the whole weight")
        ex.add(t, contact + ".FY", 0, force, "nothing sideways")
        ex.add(t, contact + ".COUNT", 2, 0, "both slopes")
        ex.add(t, contact + ".DEPTH", N1 / K, place, why)
    for part in (7, 8, 9):
        ex.add(t, "PART/%d.Y" % part, y, place, why)
        ex.add(t, "PART/%d.Z" % part, z, place, why)


if __name__ == "__main__":
    ex = Expected("corner", "corner.acf", "balance of forces, reference.py")
    rest(ex, 1.0, 1e-6, 1e-9)
    floor = WEIGHT / (1 + MU * MU)
    wall = MU * floor
    torque = MU * (floor * (RADIUS - floor / K / 2) + wall * (RADIUS - wall / K / 2))
    for t in (0.1, 0.2, 0.3):
        why = "slips on floor and wall: N_f + mu N_w = m g, N_w = mu N_f; nothing moves but the spin"
        ex.add(t, "CONTACT/5.FZ", floor, 1e-5, why)
        ex.add(t, "CONTACT/5.FX", wall, 1e-5, why)
        ex.add(t, "CONTACT/6.FX", -wall, 1e-5, why)
        ex.add(t, "CONTACT/6.FZ", MU * wall, 1e-5, why)
        ex.add(t, "PART/10.WY", 40 - torque / INERTIA * t, 1e-6, why)
    ex.write(os.path.join(HERE, "expected.json"))
    ex = Expected("corner", "corner_static.acf", "balance of forces, reference.py")
    rest(ex, 0.0, 1e-4, 1e-9)
    ex.write(os.path.join(HERE, "static.expected.json"))
    f = Figure(-0.35, -0.08, 0.75, 0.35)
    f.line((0, 0), (0.3 * C1, 0.3 * S1), "#888", 3)
    f.line((0, 0), (-0.3 * C2, 0.3 * S2), "#888", 3)
    y, z = middle()
    f.pin((y, z), 0.1 * f.s)
    f.arrow((y + S1 * 0.1, z - C1 * 0.1), (y + S1 * (0.1 - N1 / 200), z - C1 * (0.1 - N1 / 200)))
    f.arrow((y - S2 * 0.1, z - C2 * 0.1), (y - S2 * (0.1 - N2 / 200), z - C2 * (0.1 - N2 / 200)))
    f.line((0.4, 0), (0.7, 0), "#888", 3)
    f.line((0.7, 0), (0.7, 0.3), "#888", 3)
    f.pin((0.6, 0.1), 0.1 * f.s)
    f.arrow((0.6, 0), (0.6, floor / 200))
    f.arrow((0.6, 0), (0.6 + wall / 200, 0), "#06c")
    f.arrow((0.7, 0.1), (0.7 - wall / 200, 0.1))
    f.arrow((0.7, 0.1), (0.7, 0.1 + MU * wall / 200), "#06c")
    f.write(os.path.join(HERE, "figure.svg"))
