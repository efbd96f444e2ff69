#!/usr/bin/env python3
"""Write a closed belt of N links on ball joints, hung over two pins, as PREFIX.adm and PREFIX.acf.

  generate.py N [--swing W] [--out PREFIX]

A closed loop of links of 0.1 m and 0.1 kg; two of them turn on balls in their centres,
between these one strand is short and one is long. The belt starts in its equilibrium,
found here link by link; with --swing it turns about the line through the pins, which is
a motion that all joints allow.
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import Deck, euler, options, write  # noqa: E402

LENGTH, MASS, GRAVITY = 0.1, 0.1, 9.80665
INERTIA = 5.0e-6, 8.583333333333333e-5, 8.583333333333333e-5


def strand(n, span):
    """Angles of n links that hang between points of equal height: each link is parallel to the mean of the forces
    at its ends, (H, (n/2 - k - 1/2) weight); H in weights from the span, by bisection. (angles, H)"""
    if n * LENGTH <= span:
        raise ValueError("a strand of %d links does not reach over %g m" % (n, span))

    def angles(h):
        return [-math.atan2(n / 2 - k - 0.5, h) for k in range(n)]

    low, high = 0.0, 1.0
    while LENGTH * math.fsum(math.cos(a) for a in angles(high)) < span:
        high *= 2
    for _ in range(200):
        h = 0.5 * (low + high)
        if h in (low, high):
            break
        if LENGTH * math.fsum(math.cos(a) for a in angles(h)) < span:
            low = h
        else:
            high = h
    return angles(h), h


def equilibrium(n):
    """Centres (x, z) and angles of all links, in the order of the loop; place of the second pinned link; distance
    of the pins; horizontal forces of the strands in N. A pinned link stands along the difference of the forces at
    its ends."""
    upper = max(1, round(0.42 * (n - 2)))
    lower = n - 2 - upper
    span = round(0.9 * upper, 1) * LENGTH
    turn = 1.0
    for _ in range(500):
        a, ha = strand(upper, span - LENGTH * math.cos(turn))
        b, hb = strand(lower, span + LENGTH * math.cos(turn))
        new = math.atan2((lower - upper) / 2, ha - hb)
        if abs(new - turn) < 1e-15:
            break
        turn += 0.7 * (new - turn)
    else:
        if abs(new - turn) > 1e-12:
            raise ValueError("no equilibrium of the pinned links found")
    direction = [turn] + a + [-turn] + [math.pi + x for x in reversed(b)]
    x, z = -LENGTH / 2 * math.cos(turn), -LENGTH / 2 * math.sin(turn)
    centres = []
    for d in direction:
        centres.append((x + LENGTH / 2 * math.cos(d), z + LENGTH / 2 * math.sin(d)))
        x, z = x + LENGTH * math.cos(d), z + LENGTH * math.sin(d)
    # the lower strand was laid from the left; of equal heights, it closes
    gap = math.hypot(x + LENGTH / 2 * math.cos(turn), z + LENGTH / 2 * math.sin(turn))
    if gap > 1e-9 * n:
        raise ValueError("the loop does not close: %g m" % gap)
    weight = MASS * GRAVITY
    return centres, direction, upper + 1, span, (ha * weight, hb * weight)


def deck(n, swing):
    """Link i of the loop (from 0) is PART/k, k = i+2, x along the link. Markers: 10k centre, 10k+1 near, 10k+2 far
    end; 11 and 12 the pins on ground."""
    centres, direction, second, span, _ = equilibrium(n)
    d = Deck("Belt of %d links on ball joints, hung over two pins" % n,
             "Link i of the loop (from 0) is PART/i+2 with its frame in the centre and x along the link;\n"
             "links 0 and %d turn on the pins. Markers: 10k centre, 10k+1 near end, 10k+2 far end of PART/k.\n!\n"
             % second)
    d.ground()
    d.marker(11, 1, name="pin_left")
    d.marker(12, 1, (span, 0, 0), name="pin_right")
    for i, ((x, z), a) in enumerate(zip(centres, direction)):
        k, c, s = i + 2, math.cos(a), math.sin(a)
        moving = dict(velocity=(0, -swing * z, 0), spin=(0, 0, -swing * s)) if swing else {}
        d.part(k, "link_%d" % i, (x, 0, z), MASS, INERTIA, 10 * k, euler((c, 0, s), (0, 1, 0), (-s, 0, c)), **moving)
        d.marker(10 * k, k)
        d.marker(10 * k + 1, k, (-LENGTH / 2, 0, 0))
        d.marker(10 * k + 2, k, (LENGTH / 2, 0, 0))
    d.head("CONSTRAINTS")
    for i in range(n):
        d.joint(i + 1, "SPHERICAL", 10 * ((i + 1) % n + 2) + 1, 10 * (i + 2) + 2, "ball_%d" % i)
    d.joint(n + 1, "SPHERICAL", 20, 11, "left")
    d.joint(n + 2, "SPHERICAL", 10 * (second + 2), 12, "right")
    d.head("OUTPUT REQUESTS")
    upper, lower = second // 2, second + (n - second) // 2
    for number, (name, i) in enumerate((("upper_middle", upper), ("lower_middle", lower)), 1):
        d.add("REQUEST", number, name, "DISPLACEMENT", "I = %d" % (10 * (i + 2)))
    d.finish(GRAVITY)
    return d.text()


def main():
    a = options(__doc__, "belt", 1.0, 200, 1e-8)
    a.add_argument("n", type=int, nargs="?", default=17, help="number of links (%(default)s)")
    a.add_argument("--swing", type=float, default=3.0, help="angular velocity about the line of the pins, rad/s; 0: at "
                   "rest (%(default)s)")
    k = a.parse_args()
    if k.n < 8:
        a.error("N must be at least 8")
    write(deck(k.n, k.swing), k)


if __name__ == "__main__":
    main()
