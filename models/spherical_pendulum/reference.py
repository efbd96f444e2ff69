"""Asymmetric rod on a ball joint: Euler's equations about the fixed point."""
import os
import sys

import numpy as np
from scipy.integrate import solve_ivp

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, hht, round_up  # noqa: E402

M, G = 2.0, np.array([0, 0, -9.81])
BALL = np.array([0.1, 0.2, 1.5])
C = np.array([0.4, 0, 0])                       # centre in the body frame
JC = np.array([0.015, 0.11, 0.12])              # about the centre, body axes
JO = JC + M * 0.16 * np.array([0, 1, 1])
D = np.pi / 180


def rz(a):
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def rx(a):
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


A0 = rz(30 * D) @ rx(70 * D) @ rz(-20 * D)
# spin (1.5, -2, 6) in centre-marker axes: x = body y, y = body z, z = body x
W0 = np.array([6.0, 1.5, -2.0])                 # body axes
V0 = A0 @ np.cross(W0, C)                       # velocity of the centre, ground axes


def quat(A):
    w = np.sqrt(1 + np.trace(A)) / 2
    return np.array([w, (A[2, 1] - A[1, 2]) / 4 / w, (A[0, 2] - A[2, 0]) / 4 / w,
                     (A[1, 0] - A[0, 1]) / 4 / w])


def rot(p):
    a, b, c, d = p / np.linalg.norm(p)
    return np.array([[a*a+b*b-c*c-d*d, 2*(b*c-a*d), 2*(b*d+a*c)],
                     [2*(b*c+a*d), a*a-b*b+c*c-d*d, 2*(c*d-a*b)],
                     [2*(b*d-a*c), 2*(c*d+a*b), a*a-b*b-c*c+d*d]])


def pw(p, w):
    return 0.5 * np.array([-p[1:] @ w, *(p[0] * w + np.cross(p[1:], w))])


def wdot(p, w):
    return (np.cross(JO * w, w) + M * np.cross(C, rot(p).T @ G)) / JO


def rhs(t, y):
    return np.concatenate((pw(y[:4], y[4:]), wdot(y[:4], y[4:])))


def invariants(p, w):
    A = rot(p)
    return 0.5 * w @ (JO * w) + M * 9.81 * (A @ C)[2], (A @ (JO * w))[2]


if __name__ == "__main__":
    times = np.array([0.25, 0.5, 1.0, 2.0, 3.0])
    s = solve_ivp(rhs, (0, 3), np.concatenate((quat(A0), W0)), t_eval=times, method="DOP853",
                  rtol=3e-14, atol=1e-15, max_step=5e-3)
    e0 = invariants(quat(A0), W0)
    print("V0", V0, "energy and vertical momentum kept to",
          max(abs(np.array(invariants(y[:4], y[4:])) - e0).max() for y in s.y.T))

    def accel(t, p, pd):
        q = np.array([p[0], -p[1], -p[2], -p[3]])
        w = 2 * (q[0] * pd[1:] + pd[0] * q[1:] + np.cross(q[1:], pd[1:]))
        return pw(p, wdot(p, w)) - (pd @ pd) * p

    qh, vh, n = hht(accel, quat(A0), pw(quat(A0), W0), times, 1e-9, 0.01)
    # Largest error so far, of the centre and of the body's y axis: the rod is thin, its roll errs most.
    def error(column):
        h, x = (np.array([rot(p) @ column for p in qs]) for qs in (qh, s.y[:4].T))
        return np.maximum.accumulate(np.abs(h - x).max(axis=1))

    err, roll = error(C), error(np.array([0, 1, 0]))
    print("HHT steps", n, err, roll)

    ex = Expected("spherical_pendulum", "spherical_pendulum.acf",
                  "Euler's equations about the fixed point with quaternions, reference.py")

    def put(t, y, tx, ty, tv, tf, why, why_y):
        A, w = rot(y[:4]), y[4:]
        al = wdot(y[:4], w)
        xc, vc = A @ C, A @ np.cross(w, C)
        ac = A @ (np.cross(al, C) + np.cross(w, np.cross(w, C)))
        wg, f = A @ w, M * (ac - G)
        for c, k in enumerate("XYZ"):
            ex.add(t, "REQUEST/1." + k, BALL[c] + xc[c], tx, why)
        for c, k in enumerate("XYZ"):
            ex.add(t, "REQUEST/2.V" + k, vc[c], tv, why)
            ex.add(t, "REQUEST/2.W" + k, wg[c], tv, why)
        for c, k in enumerate(("F2", "F3", "F4")):
            ex.add(t, "REQUEST/4." + k, A[c, 1], ty, why_y + " (body y axis)")
        for c, k in enumerate("XYZ"):
            ex.add(t, "JOINT/1.F" + k, f[c], tf, why + "; force m(a-g)")
        if t == 0:
            for c, k in enumerate("XYZ"):
                ex.add(t, "PART/2.WD" + k, (A @ al)[c], 1e-7, why)

    put(0, np.concatenate((quat(A0), W0)), 1e-10, 1e-10, 1e-8, 1e-6,
        *["given state (velocities to 1e-15), linear solve"] * 2)
    for k, t in enumerate(times):
        tx, ty = round_up(20 * max(err[k], 1e-7)), round_up(20 * max(roll[k], 1e-7))
        put(t, s.y[:, k], tx, ty, round_up(10 * ty), round_up(100 * tx),
            "20 x the largest error so far (%.0e, roll %.0e) of HHT at ERROR=1e-9 on Euler "
            "parameters; rates 10 x roll, forces x 100" % (err[k], roll[k]),
            "20 x the largest roll error so far (%.0e) of the same run" % roll[k])
    ex.write(os.path.join(HERE, "expected.json"))
    ts = np.linspace(0, 3, 400)
    s = solve_ivp(rhs, (0, 3), np.concatenate((quat(A0), W0)), t_eval=ts, method="DOP853",
                  rtol=1e-10, atol=1e-12)
    f = Figure(-.75, -.95, .75, .45, 380)
    view = np.array([[1, -.35, 0], [0, .3, 1]])
    f.poly([view @ (rot(y[:4]) @ (2 * C)) for y in s.y.T], "#88a", 1)
    f.bar((0, 0), view @ (A0 @ (2 * C)))
    f.dot(view @ (A0 @ C))
    f.ground((0, 0))
    f.pin((0, 0))
    f.text((-.72, -.92), "path of the rod's end, 3 s")
    f.gravity((-.6, .35), .25)
    f.write(os.path.join(HERE, "figure.svg"))
