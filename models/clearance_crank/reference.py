"""The slider-crank with play as two equations, for the angle of the rod and the place of the slider; the crank turns steadily."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import ASIDE, CRANK, DAMPING, DMAX, EXPONENT, G, J_ROD, K, MASS_ROD, MASS_SLIDER, PLAY, ROD, SPEED  # noqa: E402
from refkit import Expected, chart, impact, motion, round_up  # noqa: E402


def bearing(t, y):
    """(distance of the middles, their unit vector from slider to rod, force that draws them together)"""
    a, (rod, x, w, v) = SPEED * t, y
    d = (CRANK * math.cos(a) + ROD * math.cos(rod) - x, CRANK * math.sin(a) + ROD * math.sin(rod))
    rate = (-CRANK * SPEED * math.sin(a) - ROD * w * math.sin(rod) - v, CRANK * SPEED * math.cos(a) + ROD * w * math.cos(rod))
    r = math.hypot(*d)
    n = (d[0] / r, d[1] / r)
    return r, n, impact(r - PLAY, n[0] * rate[0] + n[1] * rate[1], K, EXPONENT, DAMPING, DMAX)


def rate(t, y):
    a, (rod, x, w, v) = SPEED * t, y
    _, n, f = bearing(t, y)
    c, s = math.cos(rod), math.sin(rod)
    pin = (-CRANK * SPEED**2 * math.cos(a), -CRANK * SPEED**2 * math.sin(a))
    # about the crank's pin: J' w' = m l/2 (pin x) - m g l/2 cos - f l (n x)
    moment = (MASS_ROD * ROD / 2 * (s * pin[0] - c * (pin[1] + G)) - f * ROD * (c * n[1] - s * n[0]))
    return w, v, moment / (J_ROD + MASS_ROD * ROD**2 / 4), f * n[0] / MASS_SLIDER


def ideal(t):
    """(x, v, a) of the slider without play"""
    a = SPEED * t
    s, c = CRANK * math.sin(a), CRANK * math.cos(a)
    root = math.sqrt(ROD**2 - s * s)
    return (c + root, -SPEED * (s + s * c / root),
            -SPEED**2 * (c + (c * c - s * s) / root + s * s * c * c / root**3))


ASTRAY = 1e-10  # of the angle of the rod at the start, beside which the motion is computed again
ERROR, SHARE = 1e-12, 3  # of the deck; of what that much in the angle does


def start(astray):
    return [astray, CRANK + ROD - ASIDE, -SPEED * CRANK / ROD, 0.0]


def step(t, y, end):
    """In steps of 5e-8 s at most: the last push of a blow takes 0.2 us."""
    return motion(rate, y, t, end, 1e-12, h=1e-8, hmax=5e-8)[1]


if __name__ == "__main__":
    ex = Expected("clearance_crank", "clearance_crank.acf", "two equations, and the closed form without play; reference.py")
    t, y, beside, points, most, grown = 0.0, start(0), start(ASTRAY), [], 0.0, [0.0, 0.0, 0.0]
    for k in range(1, 241):
        y, beside, t = step(t, y, k * 1e-4), step(t, beside, k * 1e-4), k * 1e-4
        r, n, f = bearing(t, y)
        points.append((t, f * n[0] / MASS_SLIDER / 1000))
        most = max(most, abs(points[-1][1]))
        x, v, a = ideal(t)
        if k % 20 == 0:
            now = (beside[1] - y[1], beside[3] - y[3], bearing(t, beside)[0] - r)
            grown = [max(g, abs(d)) for g, d in zip(grown, now)]
            for channel, value, least, by in zip(("F2", "F3", "F6"), (y[1], y[3], r), (1e-9, 1e-6, 1e-9), grown):
                ex.add(t, "REQUEST/1." + channel, value, round_up(max(least, SHARE * by * ERROR / ASTRAY)),
                       "two equations; three times what ERROR in the angle of the rod at the start does")
            ex.add(t, "REQUEST/2.F2", x, 1e-8, "closed form without play")
            ex.add(t, "REQUEST/2.F3", v, 1e-5, "closed form without play")
            ex.add(t, "REQUEST/2.F4", a, 1e-1, "closed form without play; of 1.9e4")
    at_rest = SPEED**2 * CRANK * (1 + CRANK / ROD)
    print("largest acceleration at output times: %.1f km/s^2, without play %.1f: ratio %.2f" % (most, at_rest / 1000, 1000 * most / at_rest))
    ex.write(os.path.join(HERE, "expected.json"))
    chart(os.path.join(HERE, "figure.svg"), [("with play", "#c33", points),
                                             ("without", "#36c", [(k * 1e-4, ideal(k * 1e-4)[2] / 1000) for k in range(1, 241)])],
          "time, s", "acceleration of the slider, km/s^2")
