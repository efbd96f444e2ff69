"""Heavy top: Euler's equations about the fixed point, quaternion kinematics.

Body equations about O: J w' = -w x (J w) + m X x (A^T g). Checked by the first
integrals (energy, vertical angular momentum, spin) and, as a second method, by
the reduced equations of the Lagrange top (nutation and precession only), which
are nearly singular where the axis passes close to the vertical (after 0.3 s).
"""
import os
import sys

import numpy as np
from scipy.integrate import solve_ivp

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, hht, round_up  # noqa: E402

M, X, G = 15.0, np.array([0, 1.0, 0]), np.array([0, 0, -9.81])
JC = np.array([.234375, .46875, .234375])
JO = JC + M * np.array([1, 0, 1])
W0 = np.array([0, 150, -4.61538])


def rot(p):
    a, b, c, d = p
    return np.array([[a*a+b*b-c*c-d*d, 2*(b*c-a*d), 2*(b*d+a*c)],
                     [2*(b*c+a*d), a*a-b*b+c*c-d*d, 2*(c*d-a*b)],
                     [2*(b*d-a*c), 2*(c*d+a*b), a*a-b*b-c*c+d*d]])


def omdot(p, w):
    n2 = p @ p
    return (np.cross(JO * w, w) + M * np.cross(X, rot(p).T @ G / n2)) / JO


def qmul_w(p, w):           # p * (0, w)
    return np.array([-p[1:] @ w, *(p[0] * w + np.cross(p[1:], w))])


def rhs(t, y):
    p, w = y[:4], y[4:]
    return np.concatenate((0.5 * qmul_w(p, w), omdot(p, w)))


def lagrange_top(times):
    """theta (figure axis from vertical) and precession psi: two equations"""
    c3 = JO[1] * W0[1]                     # spin momentum
    # figure axis y at start horizontal (theta = pi/2) pointing to azimuth +y
    # vertical momentum: component of angular momentum along z at the start
    pz = JO[2] * W0[2]

    def f(t, y):
        th, thd = y[0], y[1]
        s, c = np.sin(th), np.cos(th)
        psd = (pz - c3 * c) / (JO[0] * s * s)
        thdd = s * c * psd**2 - c3 * psd * s / JO[0] + M * 9.81 * s / JO[0]
        return [thd, thdd, psd]

    s = solve_ivp(f, (0, times[-1]), [np.pi / 2, 0, np.pi / 2], t_eval=times, method="DOP853",
                  rtol=1e-13, atol=1e-14, max_step=1e-3)
    th, ps = s.y[0], s.y[2]
    return np.array([np.sin(th) * np.cos(ps), np.sin(th) * np.sin(ps), np.cos(th)]).T


if __name__ == "__main__":
    times = np.array([0.1, 0.5, 1.0, 2.0])
    pub = np.array([[0.4212966589254, 0.8945719743456, -0.1491647005619],
                    [-0.7024682970566, -0.0211651847019, -0.7114002576517],
                    [0.1733439640984, 0.6400885920706, -0.7484907911336],
                    [-0.1504168227456, -0.7241655916369, -0.6730222695604]])
    s = solve_ivp(rhs, (0, 2), np.concatenate(([1, 0, 0, 0], W0)), t_eval=times,
                  method="DOP853", rtol=3e-14, atol=1e-15, max_step=5e-3)
    x, vel, wb, qd = [], [], [], []
    for y in s.y.T:
        p = y[:4] / np.linalg.norm(y[:4])
        A = rot(p)
        x.append(A @ X)
        vel.append(A @ np.cross(y[4:], X))
        wb.append(y[4:])
    x, vel = np.array(x), np.array(vel)
    E = [M / 2 * v @ v + JC @ (w * w) / 2 + M * 9.81 * c[2] for v, w, c in zip(vel, wb, x)]
    E0 = M / 2 * W0[2]**2 + JC @ (W0 * W0) / 2
    print("energy error", np.array(E) - E0)
    lt = lagrange_top(times)
    print("two methods, difference", np.abs(lt - x).max(axis=1))
    print("stored values, difference", np.abs(pub - x).max(axis=1))

    # HHT on Euler parameters: p'' = p*(0,w')/2 - |p'|^2 p
    def accel(t, p, pd):
        w = 2 * np.array([-p[1] * pd[0] + p[0] * pd[1] + p[3] * pd[2] - p[2] * pd[3],
                          -p[2] * pd[0] - p[3] * pd[1] + p[0] * pd[2] + p[1] * pd[3],
                          -p[3] * pd[0] + p[2] * pd[1] - p[1] * pd[2] + p[0] * pd[3]])
        return 0.5 * qmul_w(p, omdot(p, w)) - (pd @ pd) * p

    if "--hht" in sys.argv:
        qh, vh, n = hht(accel, [1, 0, 0, 0], 0.5 * qmul_w(np.array([1., 0, 0, 0]), W0),
                        times, 1e-8, 1e-3)
        xh = np.array([rot(p / np.linalg.norm(p)) @ X for p in qh])
        print("HHT on Euler parameters, steps", n, "errors", np.abs(xh - x).max(axis=1))

    ex = Expected("heavy_top", "heavy_top.acf",
                  "heavy top of Bruels, Cardona and Arnold; Euler equations and Lagrange's "
                  "reduced equations, reference.py")
    w0 = "closed form at the start, linear solve"
    a0 = omdot(np.array([1., 0, 0, 0]), W0)
    # acceleration of the centre at the start
    ac = np.cross(a0, X) + np.cross(W0, np.cross(W0, X))
    ex.add(0, "REQUEST/1.Y", 1, 1e-10, "given")
    ex.add(0, "REQUEST/2.VX", 4.61538, 1e-8, "given, consistent")
    ex.add(0, "PART/2.WY", 150, 1e-8, "given, consistent")
    for c, k in enumerate("XYZ"):
        ex.add(0, "PART/2.WD" + k, a0[c], 1e-5, w0)
        ex.add(0, "JOINT/1.F" + k, M * (ac[c] - G[c]), 1e-4, w0)
    # 20 x the errors 3e-6, 2e-5, 4.5e-5, 8.5e-5 of the HHT run (--hht)
    tol = {0.1: 1e-4, 0.5: 5e-4, 1.0: 1e-3, 2.0: 2e-3}
    for k, t in enumerate(times):
        why = ("20 x the error of HHT at ERROR=1e-8 on Euler parameters (reference.py --hht)")
        for c, n in enumerate("XYZ"):
            ex.add(t, "REQUEST/1." + n, x[k, c], tol[t], why)
        ex.add(t, "REQUEST/3.F2", 150, 0.05, "spin is a first integral; numerical damping only")
    ex.write(os.path.join(HERE, "expected.json"))

    f = Figure(-.5, -.45, 1.5, .75)
    f.poly([(0, 0), (.95, .16), (1.05, .16), (1.05, -.16), (.95, -.16)], "#345", 1.5, "#cfe0f0", True)
    f.line((0, 0), (1.35, 0), "#c33", 1.2, "5 4")
    f.ground((0, 0))
    f.pin((0, 0))
    f.dot((1, 0))
    f.text((1, 0), "15 kg, 1 m", dx=-30, dy=-50)
    f.text((1.2, 0), "150 rad/s", dx=-5, dy=-8, color="#c33")
    f.text((0, 0), "ball", dx=-40, dy=0)
    f.text((1.38, 0), "y", dx=2, dy=4)
    f.gravity((-.3, .6), .3)
    f.write(os.path.join(HERE, "figure.svg"))
