"""Meshed gears: the ratio is that of the teeth; what remains is how far corners lie inside of the flanks, and how deep they press."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import BASE, LAG, PITCH, POINTS, SPEED, TEETH, TORQUE, outline  # noqa: E402
from refkit import Expected, Figure  # noqa: E402

STIFFNESS = 1e6

if __name__ == "__main__":
    # Between corners at the rolls a, b of an involute the chord is rb (a + b)/2 (b - a)^2/8 inside of it: most at the tip.
    inside = 0.0
    for n in range(2):
        roll = math.sqrt(((PITCH[n] + 0.01) / BASE[n]) ** 2 - 1)
        inside += BASE[n] * roll * (roll / (POINTS - 1)) ** 2 / 8
    deep = 2 * TORQUE / BASE[1] / STIFFNESS  # twice what the torque needs
    most = (inside + deep) / BASE[1]
    ahead = deep / BASE[1]  # thrown off by a corner that passes
    print("lag %.3e rad, chords %.3e m, depth %.3e m: ripple below %.3e rad" % (LAG, inside, deep, most))
    ex = Expected("gear_pair", "gear_pair.acf", "numbers of teeth; chords and depth, reference.py")
    for k in range(1, 29):
        t = k / 100
        ex.add(t, "REQUEST/1.F2", SPEED * t, 1e-7, "the motion")
        ex.add(t, "REQUEST/1.F4", -SPEED * t * TEETH[0] / TEETH[1], 1e-7, "COUPLER")
        ex.add(t, "REQUEST/1.F6", (most - ahead) / 2, (most + ahead) / 2, "the wheel lags by no more than chords and depth: README")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.12, -0.17, 0.4, 0.17)
    f.poly(outline(0), "#222", 1.2, "#cfe0f0", True)
    a = math.pi - math.pi / TEETH[1] + LAG
    f.poly([(sum(PITCH) + x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)) for x, y in outline(1)],
           "#222", 1.2, "#e0f0cf", True)
    f.pin((0, 0))
    f.pin((sum(PITCH), 0))
    f.write(os.path.join(HERE, "figure.svg"))
