"""Chain of N links as a planar N-fold pendulum in absolute angles.

Link angle p_i from +x towards -z (falling positive). Mass matrix
M_ij = c_ij cos(p_i - p_j), the classical closed form; DOP853.
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

N, L, M, I, G = 10, 0.1, 0.1, 8.583333333333333e-5, 9.80665
idx = np.arange(N)
below = N - 1 - idx                                  # links after link i
hi = np.maximum.outer(idx, idx)
C = M * L * L * (N - 1 - hi + 0.5)
C[idx, idx] = M * L * L * (below + 0.25) + I
GQ = M * G * L * (below + 0.5)


def accel(t, p, w):
    d = p[:, None] - p[None, :]
    return np.linalg.solve(C * np.cos(d), GQ * np.cos(p) - (C * np.sin(d)) @ (w * w))


def energy(p, w):
    return 0.5 * w @ (C * np.cos(p[:, None] - p[None, :])) @ w - GQ @ np.sin(p)


if __name__ == "__main__":
    times = np.array([0.1, 0.25, 0.5, 1.0])
    pub = {0.1: (0.99090650, -0.04903303), 0.5: (-0.26412151, -0.86209723),
           1.0: (-0.89667171, -0.14811542)}
    z = np.zeros(N)
    p, w = integrate(accel, z, z, times, rtol=1e-13, atol=1e-14)
    tip = np.array([[L * np.cos(a).sum(), -L * np.sin(a).sum()] for a in p])
    vel = np.array([[-L * np.sin(a) @ b, -L * np.cos(a) @ b] for a, b in zip(p, w)])
    print("energy", [energy(a, b) for a, b in zip(p, w)])
    for t, (x, zz) in zip(times, tip):
        print("t=%g tip %.12f %.12f" % (t, x, zz), "published", pub.get(t))
    err = 1e-9
    ph, wh, n = hht(accel, z, z, times, err, 1e-3)
    th = np.array([[L * np.cos(a).sum(), -L * np.sin(a).sum()] for a in ph])
    vh = np.array([[-L * np.sin(a) @ b, -L * np.cos(a) @ b] for a, b in zip(ph, wh)])
    et, ev = np.abs(th - tip).max(axis=1), np.abs(vh - vel).max(axis=1)
    print("HHT at %g: steps" % err, n, et, ev)
    ex = Expected("chain", "chain.acf",
                  "planar N-fold pendulum in closed form, reference.py; the tip agrees with the "
                  "values of the Project Chrono comparison")
    a0 = accel(0, z, z)
    ex.add(0, "REQUEST/1.X", 1.0, 1e-9, "given")
    ex.add(0, "PART/2.WDY", a0[0], 1e-6, "linear solve at the start (last digits: conditioning)")
    ex.add(0, "PART/11.WDY", a0[-1], 1e-6, "linear solve at the start")
    ex.add(0, "JOINT/1.FZ", N * M * G - M * L * (below + 0.5) @ a0, 1e-7,
           "linear solve at the start")
    for k, t in enumerate(times):
        tq, tv = round_up(20 * max(et[k], 1e-7)), round_up(20 * max(ev[k], 1e-6))
        why = "20 x the tip error (%.0e) of HHT at ERROR=1e-9 on the N-angle equations" % et[k]
        ex.add(t, "REQUEST/1.X", tip[k, 0], tq, why)
        ex.add(t, "REQUEST/1.Y", 0, 1e-9, "planar motion")
        ex.add(t, "REQUEST/1.Z", tip[k, 1], tq, why)
        why = "20 x the tip speed error (%.0e) of the same run" % ev[k]
        ex.add(t, "REQUEST/2.VX", vel[k, 0], tv, why)
        ex.add(t, "REQUEST/2.VZ", vel[k, 1], tv, why)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.6, -1.0, 1.15, .2)
    pf, _ = integrate(accel, z, z, [0.2, 0.4, 0.5], rtol=1e-9, atol=1e-9)
    for a, col in zip([z, *pf], ("#4c78a8", "#88a", "#aac", "#c46")):
        xs = np.concatenate(([0], L * np.cumsum(np.cos(a))))
        zs = np.concatenate(([0], -L * np.cumsum(np.sin(a))))
        f.poly(list(zip(xs, zs)), col, 4)
        for q in zip(xs, zs):
            f.dot(q, 2.5)
    f.ground((0, 0))
    f.pin((0, 0))
    f.text((.35, 0), "t = 0; 0.2; 0.4; 0.5 s", dx=0, dy=-10)
    f.gravity((1.0, -.3), .2)
    f.write(os.path.join(HERE, "figure.svg"))
