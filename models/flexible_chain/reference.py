"""Chain with banks of rotors: N link angles as in models/chain, the rotors one by one; DOP853.

Neither the full matrices nor their reflection appear: the bank is integrated in its own
coordinates z'' + 2 ratio w z' + w^2 z = w^2 (p_i - p_{i-1}).
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from generate import INERTIA, LENGTH, MASS, bank  # noqa: E402
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

N, MODES, ERROR = 4, 8, 1e-6
L, M, I, G = LENGTH, MASS, INERTIA[1], 9.80665
idx = np.arange(N)
below = N - 1 - idx
hi = np.maximum.outer(idx, idx)
C = M * L * L * (N - 1 - hi + 0.5)
C[idx, idx] = M * L * L * (below + 0.25) + I
GQ = M * G * L * (below + 0.5)
K, W, RATIO = np.array(bank(MODES)).T


def torques(p, z):
    """Torque on each link at its near joint."""
    turn = np.diff(p, prepend=0.0)
    return (z - turn[:, None]) @ K


def accel(t, q, v):
    p, z = q[:N], q[N:].reshape(N, MODES)
    w, zv = v[:N], v[N:].reshape(N, MODES)
    d = p[:, None] - p[None, :]
    tau = torques(p, z)
    net = tau - np.append(tau[1:], 0.0)
    a = np.linalg.solve(C * np.cos(d), GQ * np.cos(p) - (C * np.sin(d)) @ (w * w) + net)
    turn = np.diff(p, prepend=0.0)
    return np.concatenate((a, (W * W * (turn[:, None] - z) - 2 * RATIO * W * zv).ravel()))


if __name__ == "__main__":
    z0 = np.zeros(N * (1 + MODES))
    times = [0.1, 0.25, 0.5]
    q, v = integrate(accel, z0, z0, times, rtol=1e-12, atol=1e-13)
    qh, vh, steps = hht(accel, z0, z0, times, ERROR, 5e-3)
    tip = lambda p: np.array([L * np.cos(p[:N]).sum(), -L * np.sin(p[:N]).sum()])   # noqa: E731
    ex = Expected("flexible_chain", "flexible_chain.acf",
                  "link angles and rotors one by one, DOP853, reference.py")
    a0 = accel(0, z0, z0)
    ex.add(0, "PART/2.WDY", a0[0], 1e-8, "linear solve at the start")
    ex.add(0, "PART/%d.WDY" % (N + 1), a0[N - 1], 1e-8, "linear solve at the start")
    for k, t in enumerate(times):
        e = np.abs(qh[k][:N] - q[k][:N]).max() + np.abs(tip(qh[k]) - tip(q[k])).max()
        et = np.abs(torques(qh[k][:N], qh[k][N:].reshape(N, MODES)) - torques(q[k][:N], q[k][N:].reshape(N, MODES))).max()
        why = "20 x the error (%.0e) of HHT at ERROR=1e-6 on these equations" % e
        x = tip(q[k])
        ex.add(t, "REQUEST/1.X", x[0], round_up(20 * max(e, 1e-7)), why)
        ex.add(t, "REQUEST/1.Z", x[1], round_up(20 * max(e, 1e-7)), why)
        for i in range(N):
            ex.add(t, "VARIABLE/%d.Q" % (i + 1), np.diff(q[k][:N], prepend=0.0)[i], round_up(20 * max(e, 1e-7)), why)
            ex.add(t, "LSE/%d.Y1" % (i + 1), torques(q[k][:N], q[k][N:].reshape(N, MODES))[i],
                   round_up(20 * max(et, 1e-7)), "20 x the torque error (%.0e) of the same run" % et)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.3, -.45, .55, .1)
    pf, _ = integrate(accel, z0, z0, [0.1, 0.2, 0.3], rtol=1e-9, atol=1e-9)
    for a, col in zip([z0, *pf], ("#4c78a8", "#88a", "#aac", "#c46")):
        xs = np.concatenate(([0], L * np.cumsum(np.cos(a[:N]))))
        zs = np.concatenate(([0], -L * np.cumsum(np.sin(a[:N]))))
        f.poly(list(zip(xs, zs)), col, 5)
        for x in zip(xs[:-1], zs[:-1]):
            f.dot(x, 6, "#b5651d")
    f.ground((0, 0))
    f.pin((0, 0))
    f.text((-.28, .05), "t = 0; 0.1; 0.2; 0.3 s; dots: linear systems", dx=0, dy=0)
    f.gravity((.48, -.15), .1)
    f.write(os.path.join(HERE, "figure.svg"))
