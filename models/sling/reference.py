"""Independent numbers for the rod that is held, swings, and flies.

Swing from level at rest: theta'' = -(3 g / 4 l) cos(theta), l half the length.
Hanging at theta = -pi/2 after K(1/2)/sqrt(3 g / 4 l), a quarter of the period, with
theta' = -w, w = sqrt(3 g / 2 l). Then the centre moves from (0, -l) with
velocity (-w l, 0) on a parabola, and the rod turns uniformly.
"""
import os
import sys

import mpmath as mp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, hht, round_up  # noqa: E402

M, L, G = 3.0, 1.0, 9.80665
HOLD, END = 0.1, 2.0
ERROR, DT = 1e-9, 0.01

K = mp.mpf(3) * mp.mpf(G) / (4 * L)
swing = float(mp.ellipk(mp.mpf(1) / 2) / mp.sqrt(K))
w = float(mp.sqrt(2 * K))
by_quadrature = mp.quad(lambda a: 1 / mp.sqrt(-2 * K * mp.sin(a)), [-mp.pi / 2, -mp.pi / 4, 0])
print("swing", swing, "by quadrature", by_quadrature, "rate", w)

qh, vh, steps = hht(lambda t, q, v: -float(K) * np.cos(q), 0.0, 0.0, [0.0, swing], ERROR, DT)
late, slow = abs(qh[1, 0] + np.pi / 2) / w, abs(vh[1, 0] + w)
print("HHT on the ODE: steps", steps, "time error", late, "rate error", slow)

s = END - HOLD - swing  # of flight
ex = Expected("sling", "sling.acf", "closed forms: quarter period of the swing, parabola; reference.py")
held = "held by the motion: equilibrium, linear solve"
for ch, val in (("PART/2.X", L), ("PART/2.Y", 0), ("JOINT/1.FY", M * G), ("MOTION/1.TZ", M * G * L)):
    ex.add(HOLD, ch, val, 1e-8, held)
rate = "10 x the rate error (%.1e) of HHT at ERROR=1e-9 on the swing" % slow
place = "10 x the time error (%.1e) and rate error (%.1e) of HHT on the swing, over the flight" % (late, slow)
tv = round_up(10 * max(slow, 3e-7))
tx = round_up(10 * (w * late + slow * s))
for ch, val, tol, why in (
        ("PART/2.X", -w * L * s, tx, place),
        ("PART/2.Y", -L - G * s * s / 2, round_up(tx + 10 * G * s * late), place),
        ("PART/2.VX", -w * L, tv, rate),
        ("PART/2.VY", -G * s, round_up(10 * G * late), place),
        ("REQUEST/1.F2", -np.pi / 2 - w * s, tx, place),
        ("REQUEST/1.F3", -w, tv, rate),
        ("REQUEST/1.F4", -w, tv, rate + "; what the sensor kept"),
        ("JOINT/1.FY", 0, 1e-12, "not in force"),
        ("MOTION/1.TZ", 0, 1e-12, "not in force")):
    ex.add(END, ch, val, tol, why)
ex.write(os.path.join(HERE, "expected.json"))

f = Figure(-5.4, -8.2, 2.6, 0.8)
f.bar((0, 0), (2, 0), "#bbb", 7)
f.bar((0, 0), (0, -2))
f.ground((0, 0))
f.pin((0, 0))
for k in range(1, 6):
    t = 0.22 * k
    c = np.array([-w * L * t, -L - G * t * t / 2])
    a = -np.pi / 2 - w * t
    d = L * np.array([np.cos(a), np.sin(a)])
    f.bar(tuple(c - d), tuple(c + d), "#9ecae9", 5)
    f.dot(tuple(c))
f.text((0, 0), "held, then let go", dx=20, dy=-14)
f.text((0, -2), "taken off the pin", dx=10, dy=4)
f.gravity((2.2, -3), 0.9)
f.write(os.path.join(HERE, "figure.svg"))
