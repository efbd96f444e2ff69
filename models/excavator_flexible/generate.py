#!/usr/bin/env python3
"""Write boom.mtx, excavator_flexible.adm and excavator_rigid.adm: the excavator with a boom of steel plates. With the
name of a file: write the boom's finite elements there instead.

The boom is a bent box of plates, 0.46 m wide, with diaphragms at its pins, of quadratic solids, one through a
plate. Its four pins are rigid points on the plates around them. The rest of the deck is that of ../excavator, with
the mass and centre of this boom; in excavator_rigid the same body has no modes (REPRESENTATION = RIGID).
"""
import importlib.util
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from solidkit import Solid, planes  # noqa: E402

SPEC = importlib.util.spec_from_file_location("excavator", os.path.join(HERE, "..", "excavator", "generate.py"))
excavator = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(excavator)

WIDTH, SIDE, FLANGE, DIAPHRAGM = 0.46, 0.012, 0.016, 0.030     # outer width, thickness of plates, m
KNEE = (2.60, 0.80)                                            # of the middle line, between foot and stick pin
HEIGHTS = [(0.0, 0.36), (0.45, 0.78), (1.0, 0.34)]             # of the box at shares of its length
MODES = 12
PINS = {9001: (0, 0), 9002: excavator.BOOM["stick_pin"], 9003: excavator.BOOM["boom_cyl"],
        9004: excavator.BOOM["stick_cyl"]}


def middle_line(s):
    """Point and direction of the middle line at a share of its length: a parabola through foot, knee, stick pin."""
    end = excavator.BOOM["stick_pin"][0]
    x = end * s
    b = KNEE[1] / (KNEE[0] * (end - KNEE[0]))
    return (x, b * x * (end - x)), math.atan2(b * (end - 2 * x), 1)


def height(s):
    for (a, h), (b, k) in zip(HEIGHTS, HEIGHTS[1:]):
        if s <= b:
            return h + (k - h) * (s - a) / (b - a)
    return HEIGHTS[-1][1]


def boom():
    length = excavator.BOOM["stick_pin"][0]
    stations = {0.0, 1.0, PINS[9003][0] / length, PINS[9004][0] / length}     # diaphragms begin there
    xs = []
    for a, b in zip(sorted(stations), sorted(stations)[1:]):
        thin = DIAPHRAGM / length
        xs += [a, a + thin] + planes(a + thin, b, max(1, round((b - a) * 22)))[1:-1]
    xs += [1.0 - DIAPHRAGM / length, 1.0]
    xs = sorted(set(xs))
    walls = {k for k, x in enumerate(xs) if any(abs(x - s) < 1e-9 for s in stations)} - {len(xs) - 1} | {len(xs) - 2}
    ys = [-WIDTH / 2, -WIDTH / 2 + SIDE, 0, WIDTH / 2 - SIDE, WIDTH / 2]
    zs = [-1, -.999, -.33, .33, .999, 1]                                      # of half the height; flanges as below
    solid = Solid(xs, ys, zs, lambda i, j, k: i in walls or j in (0, 3) or k in (0, 4), young=2.1e11, poisson=0.3, density=7850.0)

    def place(s, y, z):
        half, a = height(s) / 2, abs(z)
        z = math.copysign(half - FLANGE * (1 - a) / .001 if a > .999 else a / .999 * (half - FLANGE), z)
        (x, up), turn = middle_line(s)
        return x - z * math.sin(turn), y, up + z * math.cos(turn)

    solid.station = {n: p[0] for n, p in solid.node.items()}
    solid.level = {n: p[2] for n, p in solid.node.items()}
    solid.move(place)
    near = lambda n, s: s - 1e-9 < solid.station[n] < s + DIAPHRAGM / length + 1e-9
    solid.sets = {"FOOT": [n for n in solid.node if near(n, 0.0)],
                  "TIP": [n for n in solid.node if near(n, 1.0 - DIAPHRAGM / length)],
                  "UNDER": [n for n in solid.node if near(n, PINS[9003][0] / length) and solid.level[n] < -.3],
                  "TOP": [n for n in solid.node if near(n, PINS[9004][0] / length) and solid.level[n] > .3]}
    for number, (x, z) in PINS.items():       # *NODE puts the points where the pins are
        solid.node[number] = (x, 0.0, z)
    return solid


SETS = {9001: "FOOT", 9002: "TIP", 9003: "UNDER", 9004: "TOP"}


def invariant(number):
    """Numbers of INVARn in boom.mtx."""
    with open(os.path.join(HERE, "boom.mtx"), encoding="ascii") as file:
        text = file.read()
    block = re.search(r"\nINVAR%d +FULL[^\n]*\n((?:[ \t][^\n]*\n)+)" % number, text).group(1)
    return [float(w) for w in re.findall(r"[-+]?\d\.\d+E[-+]\d\d", block)]


def deck(rigid):
    mass, first, inertia = invariant(1)[0], invariant(2), invariant(7)
    cm = (first[0] / mass, first[2] / mass)
    about = [inertia[0] - mass * cm[1] ** 2, inertia[4] - mass * (cm[0] ** 2 + cm[1] ** 2), inertia[8] - mass * cm[0] ** 2]
    excavator.MASS["boom"] = (mass, cm, about)
    text = excavator.deck().replace("Excavator of the 20 t class: a dig cycle of 12 s on soft ground",
                                    "Excavator with a %s boom of plates" % ("rigid" if rigid else "flexible"))
    part = text[text.index("PART/3\n"):]
    part = part[:part.index("!\n")]
    place = "".join(line + "\n" for line in part.split("\n") if line.startswith((", QG", ", REULER")))
    text = text.replace(part, "FLEX_BODY/3\n, MNF_FILE = boom.mtx\n%s%s" % (place, ", REPRESENTATION = RIGID\n" if rigid else ""))
    at = text.index("!                               adams_view_name='boom_centre'")
    text = text[:at] + text[text.index("!                               adams_view_name='boom.foot'"):]
    for marker, node in ((31, 9001), (32, 9002), (33, 9003), (34, 9004)):
        text = re.sub(r"MARKER/%d\n, PART = 3\n(, QP[^\n]*\n)?" % marker,
                      "MARKER/%d\n, FLEX_BODY = 3\n, NODE_ID = %d\n" % (marker, node), text)
    return text


if __name__ == "__main__":
    solid = boom()
    if len(sys.argv) > 1:                                          # the elements alone, for docs/flexible_bodies.md
        with open(sys.argv[1], "w", encoding="ascii") as file:
            file.write(solid.inp())
        sys.exit()
    options = [o for number in PINS for o in ("--rigid", "%d=%s" % (number, SETS[number]))]
    solid.reduce(os.path.join(HERE, "boom.mtx"), *options, "--modes", MODES, "--inertia", 0)
    for name in ("flexible", "rigid"):
        with open(os.path.join(HERE, "excavator_%s.adm" % name), "w", encoding="ascii") as file:
            file.write(deck(name == "rigid"))
        with open(os.path.join(HERE, "excavator_%s.acf" % name), "w", encoding="ascii") as file:
            file.write("excavator_{0}\nexcavator_{0}\nINTEGRATOR/HHT, ERROR=1.0E-6\nSIMULATE/STATICS\n"
                       "SIMULATE/DYNAMIC, END=14.0, STEPS=700\nSTOP\n".format(name))
