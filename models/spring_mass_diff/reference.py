"""Cart, spring and PID controller: a linear system, solved exactly.

State y = (x, v, z, w); y' = A y + b; y(t) = y_inf + expm(A t)(y0 - y_inf).
"""
import os
import sys

import numpy as np
from scipy.linalg import expm

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, round_up  # noqa: E402

M, K, C, L0, REF = 2.0, 200.0, 4.0, 0.5, 0.7
KP, KI, KD, TAU = 150.0, 400.0, 20.0, 0.05
Y0 = np.array([0.55, 0.3, 0.0, 0.15])
A = np.array([
    [0, 1, 0, 0],
    [-(K + KP + KD / TAU) / M, -C / M, KI / M, -KD / TAU / M],
    [-1, 0, 0, 0],
    [-1 / TAU, 0, 0, -1 / TAU]])
b = np.array([0, (K * L0 + (KP + KD / TAU) * REF) / M, REF, REF / TAU])
YINF = np.linalg.solve(A, -b)


def state(t):
    return YINF + expm(A * t) @ (Y0 - YINF)


def force(y):
    e = REF - y[0]
    return KP * e + KI * y[2] + KD * (e - y[3]) / TAU


def hht_run(error, times, alpha=-0.3):
    """the linear system with HHT for x and, with the same shifted rates, for the DIFF states"""
    beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha
    c = beta + alpha / 2 - 1 / 6
    y, out, t, h, steps = Y0.copy(), [], 0.0, 1e-6, 0
    d = A @ y + b
    a, a_true, zd, zd_true = d[1], d[1], d[2:], d[2:]
    for te in times:
        while t < te - 1e-13:
            k = min(h, 5e-3, te - t)
            an, zn = a, zd
            for _ in range(60):
                yn = np.array([y[0] + k * y[1] + k * k * ((0.5 - beta) * a + beta * an),
                               y[1] + k * ((1 - gamma) * a + gamma * an),
                               *(y[2:] + k * zd + k * gamma * (zn - zd))])
                g = A @ yn + b
                new = (1 + alpha) * g[1] - alpha * a_true
                znew = (1 + alpha) * g[2:] - alpha * zd_true
                diff = abs(new - an) + np.abs(znew - zn).sum()
                an, zn = new, znew
                if diff < 1e-13:
                    break
            theta = ((an - a) * k * k * c / error) ** 2 / 6
            if theta <= 1:
                y, a, a_true, zd, zd_true = yn, an, g[1], zn, g[2:]
                t, steps = t + k, steps + 1
            h = min(2 * h, 0.9 * k / max(theta, 1e-12) ** (1 / 6))
        out.append(y)
    return np.array(out), steps


if __name__ == "__main__":
    ts = np.arange(1, 101) * 0.02
    o, n = hht_run(1e-9, ts)
    es, ev = 0.0, 0.0
    for t, row in zip(ts, o):
        e = np.abs(row - state(t))
        es, ev = max(es, e[0], e[2], e[3]), max(ev, e[1])
    print("HHT: %d steps, errors: states %.1e, rate %.1e" % (n, es, ev))
    TX, TV = round_up(20 * es), round_up(20 * ev)
    TF = round_up(550 * TX + 20 * TV)
    print("eigenvalues", np.linalg.eigvals(A), "final state", YINF)
    ex = Expected("spring_mass_diff", "spring_mass_diff.acf",
                  "linear system, matrix exponential, reference.py")
    for t in (0.0, 0.1, 0.5, 1.0, 2.0):
        y = state(t)
        u, sp = force(y), -K * (y[0] - L0) - C * y[1]
        # tolerances: see README
        tx, tv, tf = (1e-9, 1e-9, 1e-6) if t == 0 else (TX, TV, TF)
        why = ("given state" if t == 0 else
               "20 x the largest error of HHT at ERROR=1e-9 on this system (states %.0e, rate "
               "%.0e); forces: gains up to 550 N/m and 20 N s/m" % (es, ev))
        ex.add(t, "PART/2.X", y[0], tx, why)
        ex.add(t, "REQUEST/1.F3", y[1], tv, why)
        ex.add(t, "DIFF/1.Q", y[2], tx, why)
        ex.add(t, "DIFF/2.Q", y[3], tx, why)
        ex.add(t, "VARIABLE/1.Q", REF - y[0], tx, why)
        ex.add(t, "VARIABLE/2.Q", u, tf, why)
        ex.add(t, "SFORCE/1.FX", u, tf, why)
        ex.add(t, "REQUEST/1.F4", u, tf, why)
        ex.add(t, "REQUEST/1.F6", sp, tf, why)
        ex.add(t, "REQUEST/1.F7", (REF - y[0] - y[3]) / TAU, 30 * tv, why + "; filter gain 20/s")
        ex.add(t, "PART/2.ACCX", (u + sp) / M, tf if t else 1e-6, why)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.12, -.18, 1.0, .22)
    f.line((0, -.08), (0, .14), "#222", 4)
    f.line((-.02, -.06), (.95, -.06), "#888", 3)
    f.spring((0, .03), (.5, .03))
    f.poly([(.5, -.055), (.62, -.055), (.62, .07), (.5, .07)], "#222", 1.5, "#cfe0f0", True)
    f.arrow((.62, .0), (.78, .0))
    f.text((.66, .0), "F = PID(0.7 - x)", dx=0, dy=-8, color="#c33")
    f.text((.25, .03), "200 N/m, 4 N s/m", dx=-50, dy=-12)
    f.text((.56, -.0), "2 kg", dx=-13, dy=4)
    f.write(os.path.join(HERE, "figure.svg"))
