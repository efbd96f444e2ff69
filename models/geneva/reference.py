#!/usr/bin/env python3
"""Angles of a Geneva drive in closed form: writes expected.json and figure.svg. Needs Python alone.

While the pin, at the distance a from the crank's axis, is in a slot, the slot points at it: with the crank's angle q from
the line between the axes, c apart, the wheel is at -atan2(a sin q, c - a cos q) from the middle of the stroke. Between two
strokes, of a quarter each, it is locked. Play between pin and slot lets the wheel lag or lead by play over the distance
from its axis; the play of the lock, over the arm of its edges.
"""
import json
import math

from generate import APART, CRANK, HERE, LOCK, LOCK_ARC, PIN, PLAY, RIM, SLOTS, SPEED, START, slot


def wheel(t):
    """Angle of the wheel, and how far it may be from that."""
    q = START + SPEED * t
    turn = math.floor((q + math.pi) / (2 * math.pi))
    q -= 2 * math.pi * turn
    half = math.pi / SLOTS
    middle = -half * (2 * turn + 1)
    x, y = APART - CRANK * math.cos(q), CRANK * math.sin(q)
    if abs(q) < math.pi / 2 - half:
        return middle - math.atan2(y, x), PLAY / math.hypot(x, y)
    arm = APART * math.sin(math.radians(LOCK_ARC)) * LOCK / APART
    return middle + (half if q < 0 else -half), PLAY / arm


def main():
    checks = []
    for step in (20, 35, 42, 50, 58, 65, 90, 150, 190, 235, 242, 250, 258, 265, 290, 350, 400):
        t = 2 * step / 400
        angle, play = wheel(t)
        checks.append({"t": t, "channel": "REQUEST/1.F2", "value": angle, "tolerance": round(1.1 * play + 2e-5, 7),
                       "why": "closed form; the play, and what the pin is pressed in"})
    text = ",\n    ".join(json.dumps(c) for c in checks)
    with open(HERE + "/expected.json", "w") as f:
        f.write('{\n  "model": "geneva",\n  "command_file": "geneva.acf",\n'
                '  "source": "closed form of the Geneva drive, reference.py",\n  "checks": [\n    ' + text + "\n  ]\n}\n")
    figure()


def figure():
    scale, cx, cy = 1300, 110, 120
    at = lambda x, y: "%.1f,%.1f" % (cx + scale * x, cy - scale * y)
    turn = math.pi / 8
    outline = " ".join(at(*p) for k in range(SLOTS) for p in slot(2 * math.pi * (k + 0.5) / SLOTS - turn))
    arcs = ""
    for k in range(SLOTS):
        b = 2 * math.pi * k / SLOTS - turn
        ends = [(APART * math.cos(b) + LOCK * math.cos(b + math.pi + s * math.radians(LOCK_ARC)),
                 APART * math.sin(b) + LOCK * math.sin(b + math.pi + s * math.radians(LOCK_ARC))) for s in (-1, 1)]
        arcs += f"M{at(*ends[0])}A{scale * LOCK} {scale * LOCK} 0 0 0 {at(*ends[1])}"
    q = math.atan2(math.sin(math.pi / 4 - turn) * 1.0, 1.0)  # a crank angle within the stroke, for the drawing
    q = next(x / 1000 for x in range(-785, 785)
             if -math.atan2(CRANK * math.sin(x / 1000), APART - CRANK * math.cos(x / 1000)) < math.pi / 4 - turn)
    pin = (APART - CRANK * math.cos(q), -CRANK * math.sin(q))
    a = [math.pi + q + s * math.radians(45) for s in (1, -1)]
    ends = [(APART + LOCK * math.cos(x), LOCK * math.sin(x)) for x in a]
    lock = f"M{at(*ends[0])}A{scale * LOCK} {scale * LOCK} 0 1 0 {at(*ends[1])}"
    line = " ".join("%.1f,%.1f" % (330 + 160 * k / 400, 60 - 50 * wheel(k / 200)[0]) for k in range(401))
    with open(HERE + "/figure.svg", "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 510 240" font-family="sans-serif" font-size="12">'
                f'<rect width="510" height="240" fill="white"/><polygon points="{outline}" fill="#eee" stroke="black"/>'
                f'<path d="{arcs}" fill="none" stroke="black"/><path d="{lock}" fill="none" stroke="#c30" stroke-width="2"/>'
                f'<path d="M{at(APART, 0)}L{at(*pin)}" stroke="#c30"/>'
                f'<circle cx="{cx + scale * pin[0]}" cy="{cy - scale * pin[1]}" r="{scale * PIN}" fill="#c30"/>'
                f'<path d="M330 40V225H490" fill="none" stroke="black"/>'
                f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/>'
                f'<text x="330" y="30" fill="#06c">angle of the wheel over two turns</text></svg>\n')


if __name__ == "__main__":
    main()
