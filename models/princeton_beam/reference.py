#!/usr/bin/env python3
"""Reference of the Princeton beam: the rod of rod.py by shooting, beside the published table. Standard library only."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from generate import ANGLES, AREA, E, G, LENGTH, POISSON, SOFT, STIFF, TORSION  # noqa: E402
from refkit import Expected, Figure  # noqa: E402
from rod import Rod, tip  # noqa: E402

LOADS = (4.448, 8.896, 13.345)  # N, at t = 1, 2, 3
# An exact rod with shear, k = 10 (1 + v)/(12 + 11 v): load, angle, soft, stiff deflection, twist
TABLE = (
    (4.448, 0, 0, 0.005359, 0), (4.448, 45, 0.05605205, 0.00396446, 0.00582), (4.448, 90, 0.07807762, 0, 0),
    (8.896, 0, 0, 0.010713, 0), (8.896, 45, 0.10903582, 0.00888733, 0.02278), (8.896, 90, 0.14625296, 0, 0),
    (13.345, 0, 0, 0.016062, 0), (13.345, 15, 0.064492, 0.016500, 0.02807), (13.345, 30, 0.117896, 0.016775, 0.04587),
    (13.345, 45, 0.15658032, 0.01533975, 0.04958), (13.345, 60, 0.181913, 0.011715, 0.04062),
    (13.345, 75, 0.19611655, 0.00632747, 0.02262), (13.345, 90, 0.20068472, 0, 0))


def force(load, angle):
    return 0.0, load * math.sin(math.radians(angle)), load * math.cos(math.radians(angle))


def rod(shear=False, steps=200):
    k = 10 * (1 + POISSON) / (12 + 11 * POISSON)
    return Rod(LENGTH, E * AREA, G * TORSION, E * STIFF, E * SOFT, k * G * AREA if shear else math.inf, steps)


def main():
    with_shear = rod(True)
    for load, angle, *values in TABLE:
        found = tip(with_shear.under(force(load, angle)), LENGTH)
        for a, b, digits in zip(values, (found[0], found[1], found[3]), (1e-6, 1e-6, 1e-5)):
            if abs(a - b) > digits:
                raise SystemExit("table and rod.py differ: %g N, %g degrees: %g, %g" % (load, angle, a, b))
    e = Expected("princeton_beam", "princeton_beam.acf",
                 "reference.py: Kirchhoff's rod by shooting; a table of an exact rod with shear")
    lines = {}
    for case, angle in enumerate(ANGLES):
        for t, load in enumerate(LOADS, 1):
            lines[load, angle] = rod().under(force(load, angle))
            soft, stiff, way_back, twist = tip(lines[load, angle], LENGTH)
            for channel, value in (("F2", soft), ("F3", stiff), ("F4", way_back), ("F6", twist)):
                e.add(t, "REQUEST/%d.%s" % (case + 1, channel), value, 1e-6, "order four: 5e-7 with eight BEAMs")
    for load, angle, *values in TABLE:
        if angle not in ANGLES:
            continue
        for channel, value in zip(("F2", "F3", "F6"), values):
            e.add(LOADS.index(load) + 1, "REQUEST/%d.%s" % (ANGLES.index(angle) + 1, channel), value,
                  1e-5 if channel != "F6" else 2e-5, "table: its digits, and its shear, 7.4e-6 at the largest load")
    e.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.05, -0.03, 0.56, 0.24)
    for angle, color in ((90, "#4c78a8"), (45, "#b5651d"), (15, "#2a7")):
        for load in LOADS:
            f.poly([(y[0], y[1]) for y in lines[load, angle]], color, 2)
        f.text((lines[LOADS[-1], angle][-1][0], lines[LOADS[-1], angle][-1][1]), "%d°" % angle, 4, 4, color=color)
    f.line((0, 0), (LENGTH, 0), "#aaa", 1, "4 4")
    f.ground((0, 0))
    f.text((0.02, 0.22), "soft deflection at 4.448, 8.896, 13.345 N", 0, 0)
    f.write(os.path.join(HERE, "figure.svg"))


if __name__ == "__main__":
    main()
