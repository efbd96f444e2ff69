"""Draws figure.svg: the five kinds of joint in the single-body cases."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Figure  # noqa: E402

f = Figure(-.6, -2.6, 12.2, 1.3, 720)
for k, (s, style) in enumerate((("revolute, ball, Hooke", "pin"), ("cylindrical, translational", "rail"),
                                ("distance, spring", "link"), ("rack and pinion", "rack"))):
    x = 3.1 * k
    if style == "pin":
        f.bar((x, 0), (x + 2, 0))
        f.ground((x, 0))
        f.pin((x, 0))
        f.dot((x + 1.9, 0), 6)
    elif style == "rail":
        f.line((x, -1.6), (x, 1), "#888", 5)
        f.bar((x, 0), (x + 2, 0))
        f.poly([(x - .15, -.3), (x + .15, -.3), (x + .15, .3), (x - .15, .3)], "#222", 1.5, "#fff", True)
        f.dot((x + 1.9, 0), 6)
    elif style == "link":
        f.ground((x, 0))
        f.spring((x, 0), (x + 1.7, 0))
        f.pin((x, 0))
        f.dot((x + 1.85, 0), 9, "#4c78a8")
    else:
        f.line((x + .75, -1.6), (x + .75, 1), "#888", 8)
        f.poly([(x + .35 + .32 * c, .32 * d) for c, d in
                ((1, 0), (.7, .7), (0, 1), (-.7, .7), (-1, 0), (-.7, -.7), (0, -1), (.7, -.7))],
               "#222", 1.5, "#cfe0f0", True)
        f.pin((x + .35, 0))
    f.text((x, -2.2), s, dx=-12, dy=0, size=12)
f.gravity((11.6, .6), 1.0)
f.write(os.path.join(HERE, "figure.svg"))
