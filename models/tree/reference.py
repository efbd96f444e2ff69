"""Random tree: natural coordinates (models/natural.py); DOP853."""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from generate import INERTIA, LENGTH, MASS, plan  # noqa: E402
from natural import Bodies  # noqa: E402
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

N, SEED = 12, 5


def build(n, seed):
    rods = plan(n, seed)
    b = Bodies([MASS] * n, [INERTIA] * n,
               [np.array(s) + LENGTH / 2 * np.array(x) for _, _, s, x, _, _ in rods],
               [np.array([x, y, z]).T for _, _, _, x, y, z in rods])
    for i, (parent, place, start, x, y, z) in enumerate(rods):
        up = None if parent < 0 else parent
        b.ball(i, (-LENGTH / 2, 0, 0), up, start if up is None else (place, 0, 0))
        A = np.eye(3) if up is None else np.array(rods[parent][3:])
        for u in (x, y):
            b.square(i, (0, 0, 1), up, A @ np.array(u))
    return b.assemble(), rods


if __name__ == "__main__":
    b, rods = build(N, SEED)
    rest = np.zeros(12 * N)
    times = [0.1, 0.25, 0.5]
    q, v = integrate(b.accel, b.q0, rest, times, rtol=1e-10, atol=1e-11)
    print("energy", b.energy(b.q0, rest), [b.energy(*x) for x in zip(q, v)], "phi", [np.abs(b.phi(x)).max() for x in q])
    qh, vh, steps = hht(b.accel, b.q0, rest, times, 1e-8, 5e-3)
    ex = Expected("tree", "tree.acf", "natural coordinates with multipliers, DOP853, reference.py")
    a0, lam = b.solve(0, b.q0, rest)
    for i in (0, N // 2, N - 1):
        for c in range(3):
            ex.add(0, "PART/%d.ACC%s" % (i + 2, "XYZ"[c]), a0.reshape(N, 12)[i, c], 1e-8, "linear solve at the start")
    for c in range(3):
        ex.add(0, "JOINT/1.F%s" % "XYZ"[c], MASS * (a0.reshape(N, 12)[:, c].sum() + (9.80665 * N if c == 2 else 0)),
               1e-7, "momentum of the whole tree")
    for k, t in enumerate(times):
        e = np.abs((qh[k] - q[k]).reshape(N, 12)[:, :3]).max()
        ev = np.abs((vh[k] - v[k]).reshape(N, 12)[:, :3]).max()
        for i in range(N):
            for c in range(3):
                ex.add(t, "PART/%d.%s" % (i + 2, "XYZ"[c]), q[k].reshape(N, 12)[i, c], round_up(20 * max(e, 1e-8)),
                       "20 x the error (%.0e) of HHT at ERROR=1e-8 on these equations" % e)
        for c in range(3):
            ex.add(t, "PART/%d.V%s" % (N + 1, "XYZ"[c]), v[k].reshape(N, 12)[N - 1, c], round_up(20 * max(ev, 1e-7)),
                   "20 x the speed error (%.0e) of the same run" % ev)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.7, -.9, .7, .1)
    for x, color in ((b.q0, "#4c78a8"), (q[2], "#c9a6a6")):
        for i in range(N):
            p, r = b.point(x, i, (-LENGTH / 2, 0, 0)), b.point(x, i, (LENGTH / 2, 0, 0))
            f.bar((p[0], p[2]), (r[0], r[2]), color, 5)
            f.dot((p[0], p[2]), 2.5)
    f.pin((0, 0))
    f.text((-.65, -.85), "t = 0 and 0.5 s, seen along y", dx=0, dy=0)
    f.gravity((.6, -.3), .15)
    f.write(os.path.join(HERE, "figure.svg"))
