#!/usr/bin/env python3
"""Write frame.mtx and vehicle_frame.adm: a ladder frame of hollow steel rails on four posts that move.

Rails of 120 x 80 x 5 mm, 4 m long, joined by five cross-members of two plates each, of quadratic solids, one through a
plate. Six averaged points: four of the suspension, one each for engine and tank: 36 static shapes less the six
rigid motions, and 10 normal modes: 40 modes.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from solidkit import Solid, planes  # noqa: E402

LENGTH, TRACK, WIDE, HIGH, PLATE = 4.0, 0.82, 0.08, 0.12, 0.005     # m; track: between the rails' middle lines
CROSS = [(0.0, .12), (.94, 1.06), (1.94, 2.06), (2.94, 3.06), (3.88, 4.0)]
YOUNG, POISSON, DENSITY = 2.1e11, 0.3, 7850.0
AXLES = {"front": 3.4, "rear": 0.6}                                  # x
# node of the averaged point: place
POINTS = {9001: (3.4, .41, 0), 9002: (3.4, -.41, 0), 9003: (.6, .41, 0), 9004: (.6, -.41, 0),
          9005: (3.0, 0, 0), 9006: (1.0, 0, 0)}
POST_OF = {1: 9001, 2: 9002, 3: 9003, 4: 9004}
# rigid bodies: node, mass, moments of inertia about their centre, which is at the node
LOADS = {"engine": (9005, 420.0, (18.0, 22.0, 20.0)), "tank": (9006, 260.0, (9.0, 12.0, 14.0))}
SPRING = dict(K=(4e5, 4e5, 9e4), C=(4e3, 4e3, 2.5e3), KT=(800.0, 800.0, 800.0), CT=(10.0, 10.0, 10.0))
G = 9.80665
# bumps of the posts: time of the rise, height; each rises in RISE and falls in RISE. 10 m/s, axles 2.8 m apart
RISE = 0.08
BUMPS = {1: [(0.2, .01)], 3: [(0.48, .01)], 2: [(0.9, .008)], 4: [(1.18, .008)]}
MODES = 10


def frame():
    xs = sorted({round(x, 9) for a, b in zip(CROSS, CROSS[1:]) for x in planes(a[1], b[0], 4)} | {0.0, LENGTH}
                | set(AXLES.values()))
    rail = TRACK / 2 - WIDE / 2, TRACK / 2 + WIDE / 2
    half = [rail[0], rail[0] + PLATE, rail[1] - PLATE, rail[1]]
    ys = [-y for y in reversed(half)] + planes(-rail[0], rail[0], 4)[1:-1] + half
    zs = [-HIGH / 2, -HIGH / 2 + PLATE, HIGH / 2 - PLATE, HIGH / 2]

    def filled(i, j, k):
        if j in (1, len(ys) - 3):
            return k != 1                                    # flanges of the rails
        if j in (0, 2, len(ys) - 4, len(ys) - 2):
            return True                                      # webs
        middle = (xs[i] + xs[i + 1]) / 2
        return k != 1 and any(a < middle < b for a, b in CROSS)

    solid = Solid(xs, ys, zs, filled, young=YOUNG, poisson=POISSON, density=DENSITY)
    for node, (x0, y0, _) in POINTS.items():
        near = TRACK / 8 if y0 == 0 else WIDE / 2 + 1e-6
        reach = .061 if y0 == 0 else 1e-6
        solid.choose("P%d" % node, lambda x, y, z, x0=x0, y0=y0, near=near, reach=reach:
                     abs(x - x0) < reach and abs(y - y0) < near)
    return solid


def deck():
    out = ["Ladder frame of a vehicle, 40 modes, on four posts", "!",
           "! Written by generate.py. x forward, z up. A post moves up and down; the suspension between it and the",
           "! frame is a BUSHING. Left wheels pass a bump of 10 mm, then right wheels one of 8 mm.", "!",
           "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND", "ACCGRAV/KGRAV = %g" % -G,
           "INTEGRATOR/RADAU, ERROR = 1.0E-6", "!", "PART/1, GROUND", "MARKER/1, PART = 1", "!",
           "!                         adams_view_name='frame'", "FLEX_BODY/2, MNF_FILE = frame.mtx, CRATIO = 0"]
    out += ["MARKER/%d, FLEX_BODY = 2, NODE_ID = %d" % (node - 8980, node) for node in POINTS]
    for k, (name, (node, mass, inertia)) in enumerate(LOADS.items(), 3):
        out += ["!", "!                         adams_view_name='%s'" % name,
                "PART/%d, MASS = %g, CM = %d, IP = %g, %g, %g, QG = %g, %g, %g" % (k, mass, 10 * k, *inertia, *POINTS[node]),
                "MARKER/%d, PART = %d" % (10 * k, k), "JOINT/%d, FIXED, I = %d, J = %d" % (k, 10 * k, node - 8980)]
    for post, node in POST_OF.items():
        x, y, z = POINTS[node]
        part, moves = 10 + post, " + ".join(
            "STEP5(TIME, %g, 0, %g, %g) - STEP5(TIME, %g, 0, %g, %g)" % (t, t + RISE, h, t + RISE, t + 2 * RISE, h)
            for t, h in BUMPS[post])
        out += ["!", "!                         adams_view_name='post_%d'" % post,
                "PART/%d, MASS = 10, CM = %d0, IP = 0.1, 0.1, 0.1, QG = %g, %g, %g" % (part, part, x, y, z),
                "MARKER/%d0, PART = %d" % (part, part), "MARKER/%d1, PART = 1, QP = %g, %g, %g" % (part, x, y, z),
                "JOINT/%d, TRANSLATIONAL, I = %d0, J = %d1" % (part, part, part),
                "MOTION/%d, JOINT = %d, TRANSLATION" % (post, part), ", FUNCTION = " + moves,
                "BUSHING/%d, I = %d, J = %d0" % (post, node - 8980, part)]
        out += [", %s = %s" % (key, ", ".join("%g" % v for v in values)) for key, values in SPRING.items()]
    out += ["!", "!         heights: F2, F3 front left and right, F4, F6 rear left and right; F7 engine, F8 tank",
            "REQUEST/1", ", " + "".join("F%d = DZ(%d,1)\\, " % (f, node - 8980)
                                       for f, node in zip((2, 3, 4, 6, 7), POINTS)) + "F8 = DZ(26,1)\\",
            "!         F2: twist, rad; F3: bending between the axles; F4, F6: accelerations of engine and tank",
            "REQUEST/2",
            ", F2 = (DZ(21,1)-DZ(22,1)-DZ(23,1)+DZ(24,1))/%g\\" % TRACK,
            ", F3 = (DZ(25,1)+DZ(26,1))/2-(DZ(21,1)+DZ(22,1)+DZ(23,1)+DZ(24,1))/4\\",
            ", F4 = ACCZ(25)\\, F6 = ACCZ(26)\\", "END"]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    f = frame()
    print({s: len(n) for s, n in f.sets.items()})
    options = [o for node in POINTS for o in ("--averaged", "%d=P%d" % (node, node))]
    f.reduce(os.path.join(HERE, "frame.mtx"), *options, "--modes", MODES, "--inertia", 0)
    with open(os.path.join(HERE, "vehicle_frame.adm"), "w", encoding="ascii") as file:
        file.write(deck())
    with open(os.path.join(HERE, "vehicle_frame.acf"), "w", encoding="ascii") as file:
        file.write("vehicle_frame\nvehicle_frame\nSIMULATE/STATICS\nLINEAR/EIGENSOL\n"
                   "SIMULATE/DYNAMIC, END = 2, STEPS = 400\nSTOP\n")
