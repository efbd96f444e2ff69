"""Balls in a funnel: what the motion keeps, whatever it is."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import FLOOR, G, MASS, PROFILE, RADIUS, places  # noqa: E402
from refkit import Expected, Figure  # noqa: E402

N, END = 10, 1.5

if __name__ == "__main__":
    ex = Expected("funnel", "funnel.acf", "weight, counts and energy, reference.py")
    highest = sum(MASS * G * z for _, _, z in places(N))
    lowest = N * MASS * G * (FLOOR + RADIUS - 1e-3)
    for k in range(1, 16):
        ex.add(k / 5, "VARIABLE/2.Q", (highest + lowest) / 2, (highest - lowest) / 2, "no more energy than at the start, no ball below the floor")
    ex.add(0.0, "VARIABLE/2.Q", highest, 1e-12, "at rest, by heights")
    ex.add(END, "VARIABLE/1.Q", 0, 1e-5, "at rest in the funnel, but for creep")
    ex.add(END, "VARIABLE/3.Q", N * MASS * G, 1e-3, "funnel and slide bear the weight")
    ex.add(END, "VARIABLE/4.Q", 0, 0, "nothing is on the floor")
    for t in (0.5, 1.0, 1.5):
        ex.add(t, "VARIABLE/5.Q", 0, 0, "all are in the funnel")
    ex.add(2 * END, "VARIABLE/5.Q", N, 0, "all are through")
    ex.add(2 * END, "VARIABLE/3.Q", 0, 0, "nothing is in the funnel")
    ex.add(2 * END, "VARIABLE/4.Q", N * MASS * G, 1e-2, "the floor bears the weight; balls roll on it")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.35, -0.35, 0.35, 0.35, 300)
    f.line((-0.3, FLOOR), (0.3, FLOOR), "#888", 3)
    for side in (-1, 1):
        f.poly([(side * r, z) for r, z in PROFILE], "#222", 1.5, "#ddd", True)
    f.line((-0.06, 0), (0.06, 0), "#06c", 2, "4 3")
    for x, _, z in places(N):
        f.pin((x, z), RADIUS * f.s)
    f.write(os.path.join(HERE, "figure.svg"))
