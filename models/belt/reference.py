"""Belt: natural coordinates (models/natural.py), links without spin about their length; DOP853.

Also the start of the deck that stays at rest: the accelerations of the link-by-link
equilibrium vanish in these equations, which were not used to find it.
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from generate import GRAVITY, INERTIA, LENGTH, MASS, equilibrium  # noqa: E402
from natural import Bodies  # noqa: E402
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

N, SWING = 17, 3.0


def build(n):
    centres, direction, second, span, force = equilibrium(n)
    axes = [[[np.cos(a), 0, -np.sin(a)], [0, 1, 0], [np.sin(a), 0, np.cos(a)]] for a in direction]
    b = Bodies([MASS] * n, [INERTIA] * n, [(x, 0, z) for x, z in centres], axes)
    half = np.array([LENGTH / 2, 0, 0])
    for i in range(n):
        b.ball((i + 1) % n, -half, i, half)
    b.ball(0, 0 * half, None, (0, 0, 0))
    b.ball(second, 0 * half, None, (span, 0, 0))
    b.assemble()
    d = np.array([(np.cos(a), 0, np.sin(a)) for a in direction])
    return b, d, second, force


def pins(b, second, lam):
    """Forces of ground on the belt at both pins (rows of the last two balls, sign of the solver: on I)."""
    n = b.n
    return -lam[3 * n:3 * n + 3], -lam[3 * n + 3:3 * n + 6]


if __name__ == "__main__":
    b, d, second, force = build(N)
    rest = np.zeros(12 * N)
    a0, lam0 = b.solve(0, b.q0, rest)
    print("rest: largest acceleration", np.abs(a0).max(), "pins", pins(b, second, lam0))
    swing = np.array([SWING, 0, 0])
    centre = b.q0.reshape(N, 12)[:, :3]
    omega = swing - (d @ swing)[:, None] * d
    v0 = b.rigid_velocity(np.cross(swing, centre), omega)
    print("phi", np.abs(b.phi(b.q0)).max(), "phi'", np.abs(b.jacobian(b.q0) @ v0).max())
    times = [0.25, 0.5, 1.0]
    q, v = integrate(b.accel, b.q0, v0, times, rtol=1e-10, atol=1e-11)
    print("energy", b.energy(b.q0, v0), [b.energy(*x) for x in zip(q, v)],
          "phi", [np.abs(b.phi(x)).max() for x in q])
    qh, vh, steps = hht(b.accel, b.q0, v0, times, 1e-8, 5e-3)
    upper, lower = second // 2, second + (N - second) // 2
    ex = Expected("belt", "belt.acf", "natural coordinates with multipliers, DOP853, reference.py")
    a0, lam0 = b.solve(0, b.q0, v0)
    f1, f2 = pins(b, second, lam0)
    for joint, f in ((N + 1, f1), (N + 2, f2)):
        for c, x in zip("XYZ", f):
            ex.add(0, "JOINT/%d.F%s" % (joint, c), x, 1e-7, "linear solve at the start")
    for k, t in enumerate(times):
        for i, name in ((upper, "PART/%d" % (upper + 2)), (lower, "PART/%d" % (lower + 2)),
                        (second, "PART/%d" % (second + 2))):
            e = np.abs((qh[k] - q[k]).reshape(N, 12)[:, :3]).max()
            ev = np.abs((vh[k] - v[k]).reshape(N, 12)[:, :3]).max()
            for c in range(3):
                ex.add(t, name + "." + "XYZ"[c], q[k].reshape(N, 12)[i, c], round_up(20 * max(e, 1e-8)),
                       "20 x the error (%.0e) of HHT at ERROR=1e-8 on these equations" % e)
            for c in range(3):
                ex.add(t, name + ".V" + "XYZ"[c], v[k].reshape(N, 12)[i, c], round_up(20 * max(ev, 1e-7)),
                       "20 x the speed error (%.0e) of the same run" % ev)
    ex.write(os.path.join(HERE, "expected.json"))
    still = Expected("belt_still", "belt_still.acf",
                     "link-by-link equilibrium of generate.py, confirmed by natural coordinates in reference.py")
    why = "equilibrium: only rounding moves it (1e-15 m grown by fewer than 1e3 steps)"
    f1, f2 = pins(b, second, b.solve(0, b.q0, rest)[1])
    for t in (0, 0.5):
        for i in (upper, lower, second):
            still.add(t, "PART/%d.X" % (i + 2), centre[i, 0], 1e-9, why)
            still.add(t, "PART/%d.Z" % (i + 2), centre[i, 2], 1e-9, why)
        # moment equilibrium about a pin: each pin carries half of the weight; horizontally the two strands pull
        still.add(t, "JOINT/%d.FZ" % (N + 1), N * MASS * GRAVITY / 2, 1e-7, "half of the weight")
        still.add(t, "JOINT/%d.FZ" % (N + 2), N * MASS * GRAVITY / 2, 1e-7, "half of the weight")
        still.add(t, "JOINT/%d.FX" % (N + 1), -sum(force), 1e-7, "horizontal forces of both strands")
    still.write(os.path.join(HERE, "still.expected.json"))
    f = Figure(-.25, -.75, 1.0, .2)
    c, _, _ = np.array(centre), 0, 0
    for i in range(N):
        x, u = b.q0.reshape(N, 12)[i, :3], d[i] * LENGTH / 2
        f.bar((x[0] - u[0], x[2] - u[2]), (x[0] + u[0], x[2] + u[2]),
              "#c46" if i in (0, second) else "#4c78a8", 6)
        f.dot((x[0] + u[0], x[2] + u[2]), 2.5)
    for i in (0, second):
        f.pin((centre[i, 0], centre[i, 2]))
    f.text((0.05, -.7), "turns about the line of the pins", dx=0, dy=0)
    f.gravity((.9, -.3), .2)
    f.write(os.path.join(HERE, "figure.svg"))
