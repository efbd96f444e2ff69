"""Net of crosses on ball joints: natural coordinates (models/natural.py); DOP853.

  reference.py           expected.json and figure.svg
  reference.py --rank    smallest singular values of the constraint matrix (the table in README.md)
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from generate import MASS, PITCH, SLOPE, frame, held, inertia, tips  # noqa: E402
from natural import Bodies  # noqa: E402
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

N = 4


def build(n, slope=SLOPE):
    places, arm = tips(slope)
    sign = lambda r, c: 1 if (r + c) % 2 == 0 else -1                    # noqa: E731
    cells = [(r, c) for r in range(n) for c in range(n)]
    b = Bodies([MASS] * n * n, [inertia(arm)] * n * n, [(c * PITCH, -r * PITCH, 0) for r, c in cells],
               [np.array(frame(sign(r, c), slope)).T for r, c in cells])
    right, back, left, front = places
    for c in held("edge", n):
        b.ball(c, back, None, (c * PITCH, PITCH / 2, sign(0, c) * slope * PITCH / 2))
    for r, c in cells:
        k = r * n + c
        if c + 1 < n:
            b.ball(k + 1, left, k, right)
        if r + 1 < n:
            b.ball(k + n, back, k, front)
    return b.assemble()


def smallest(n, heights, hang):
    """Smallest singular value of the ball equations; lengths in pitches; heights(r, c, direction) of the tips."""
    rows = []

    def add(p, a, other):
        for k in range(3):
            row = np.zeros(6 * n * n)
            for s, i in ((1, a), (-1, other)):
                if i is None:
                    continue
                d = p - np.array([i % n, -(i // n), 0])
                row[6 * i + k] = s
                row[6 * i + 3:6 * i + 6] = s * np.cross(d, np.eye(3)[k])
            rows.append(row)

    for r in range(n):
        for c in range(n):
            k = r * n + c
            if c + 1 < n:
                add(np.array([c + .5, -r, 0]) + heights(r, c, 0), k, k + 1)
            if r + 1 < n:
                add(np.array([c, -r - .5, 0]) + heights(r, c, 1), k, k + n)
    for c in held(hang, n):
        add(np.array([c, .5, 0]) - heights(0, c, 1), c, None)
    return np.linalg.svd(np.array(rows), compute_uv=False)[-1]


def rank_table():
    rng = np.random.default_rng(1)
    noise = rng.uniform(-.25, .25, (40, 40, 2, 3))
    kinds = (("flat", lambda r, c, d: np.zeros(3)),
             ("pleated", lambda r, c, d: np.array([0, 0, SLOPE / 2 * (-1) ** (r + c + d)])),
             ("random", lambda r, c, d: noise[r, c, d]))
    for n in (4, 8, 16, 24):
        print(n, *["%s %s %.1e" % (name, hang, smallest(n, h, hang))
                   for name, h in kinds for hang in ("edge", "corners")])


if __name__ == "__main__":
    if "--rank" in sys.argv:
        rank_table()
        sys.exit()
    b = build(N)
    n = b.n
    rest = np.zeros(12 * n)
    times = [0.1, 0.25, 0.5]
    q, v = integrate(b.accel, b.q0, rest, times, rtol=1e-10, atol=1e-11)
    print("energy", b.energy(b.q0, rest), [b.energy(*x) for x in zip(q, v)], "phi", [np.abs(b.phi(x)).max() for x in q])
    qh, vh, steps = hht(b.accel, b.q0, rest, times, 1e-8, 5e-3)
    print("hht steps", steps)
    ex = Expected("net", "net.acf", "natural coordinates with multipliers, DOP853, reference.py")
    a0, lam = b.solve(0, b.q0, rest)
    for c in range(3):
        for i in (0, n - N, n - 1):
            ex.add(0, "PART/%d.ACC%s" % (i + 2, "XYZ"[c]), a0.reshape(n, 12)[i, c], 1e-8, "linear solve at the start")
    for k in range(N):
        for c in range(3):
            ex.add(0, "JOINT/%d.F%s" % (k + 1, "XYZ"[c]), -lam[3 * k + c], 1e-7, "linear solve at the start")
    for k, t in enumerate(times):
        e = np.abs((qh[k] - q[k]).reshape(n, 12)[:, :3]).max()
        ev = np.abs((vh[k] - v[k]).reshape(n, 12)[:, :3]).max()
        for i in (0, N + 1, n - N, n - 1):
            for c in range(3):
                ex.add(t, "PART/%d.%s" % (i + 2, "XYZ"[c]), q[k].reshape(n, 12)[i, c], round_up(20 * max(e, 1e-8)),
                       "20 x the error (%.0e) of HHT at ERROR=1e-8 on these equations" % e)
                ex.add(t, "PART/%d.V%s" % (i + 2, "XYZ"[c]), v[k].reshape(n, 12)[i, c], round_up(20 * max(ev, 1e-7)),
                       "20 x the speed error (%.0e) of the same run" % ev)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.15, -.55, .62, .14)
    view = lambda p: (p[0] + .35 * p[1] + .1, p[2] + .25 * p[1])        # noqa: E731
    for x, color in ((b.q0, "#4c78a8"), (q[1], "#c46")):
        places = tips(SLOPE)[0]
        for i in range(n):
            for s in places:
                f.line(view(b.point(x, i, (0, 0, 0))), view(b.point(x, i, s)), color, 3)
                f.dot(view(b.point(x, i, s)), 2.2)
    for c in range(N):
        f.pin(view(b.point(b.q0, c, places[1])))
    f.text((-.13, -.52), "t = 0 and 0.25 s", dx=0, dy=0)
    f.gravity((.55, .05), .12)
    f.write(os.path.join(HERE, "figure.svg"))
