"""Positioning drive: a linear system, solved exactly.

Coordinates: p = position of the carriage, u = top against carriage; state
y = (p, u, p', u', x1, x2 of the LSE, x1, x2 of the TFSISO); y' = A y + b.
"""
import os
import sys

import numpy as np
from scipy.linalg import expm

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, round_up  # noqa: E402

PER_TURN = 0.15            # carriage travel per radian of the wheel
RATIO = 0.25               # wheel against rotor, 0.05/0.2
ROTOR, WHEEL, CARRIAGE, TOP = 0.02, 0.12, 8.0, 2.0
REACH = PER_TURN * RATIO   # carriage travel per radian of the rotor
EQ = CARRIAGE + WHEEL / PER_TURN**2 + ROTOR / REACH**2     # seen at the carriage
E, G, I, AREA, L, KAPPA = 2e11, 8e10, 0.9e-10, 6e-5, 0.6, 1.2
MAST = 12 * E * I / (L**3 * (1 + 12 * E * I * KAPPA / (G * AREA * L**2)))
DAMPED = 0.004 * MAST
B1, A1, A2 = 0.005, 0.03, 0.0004

M = np.array([[EQ + TOP, TOP], [TOP, TOP]])
# command w = 25 x1 - 60 x2 + 70 (0.2 - p) + 0.4; torque T = z1 + B1 z2
W = np.array([-70, 0, 0, 0, 25, -60, 0, 0.0])
W0 = 70 * 0.2 + 0.4
T = np.array([0, 0, 0, 0, 0, 0, 1, B1])
# generalized forces on p and u; the spring pushes with 20 N - 300 (1 + p - 1.05)
F = np.zeros((2, 8))
F[0] = T / REACH
F[0, 0] -= 300
F[0, 2] -= 12
F[1, 1], F[1, 3] = -MAST, -DAMPED
F0 = np.array([20 + 300 * 0.05, 0])

A = np.zeros((8, 8))
b = np.zeros(8)
A[0, 2] = A[1, 3] = 1
A[2:4], b[2:4] = np.linalg.solve(M, F), np.linalg.solve(M, F0)
A[4, 0], b[4] = -1, 0.2
A[5, 0], A[5, 5], b[5] = -40, -40, 40 * 0.2
A[6, 7] = 1
A[7] = W / A2
A[7, 6] -= 1 / A2
A[7, 7] -= A1 / A2
b[7] = W0 / A2
Y0 = np.array([0, 0, 0, 0, 0.01, 0.2, 0, 0])
YINF = np.linalg.solve(A, -b)


def state(t):
    return YINF + expm(A * t) @ (Y0 - YINF)


def channels(y):
    d = A @ y + b
    theta = y[0] / REACH
    return {
        "PART/4.X": y[0], "PART/4.VX": y[2], "PART/4.ACCX": d[2], "PART/5.X": y[0] + y[1],
        "REQUEST/1.F2": theta, "PART/3.WZ": -y[2] / PER_TURN, "REQUEST/1.F3": y[1],
        "LSE/1.X1": y[4], "LSE/1.X2": y[5], "LSE/1.Y1": W @ y + W0, "TFSISO/1.Y1": T @ y,
        "REQUEST/1.F4": 35 - 300 * y[0] - 12 * y[2], "REQUEST/1.F6": -MAST * y[1] - DAMPED * y[3],
        "REQUEST/1.F7": 0.2 - y[0],
        # J theta'' = T + (torque of the gears); m p'' + ... on the carriage; moment of the wheel
        "GEAR/1.TZ": ROTOR * d[2] / REACH - T @ y,
        "COUPLER/1.TZ": coupler_torque(y, d),
    }


def coupler_torque(y, d):
    """on the wheel: 0.15 times the force that the rack puts on the carriage, which is what the carriage
    lacks: m p'' + TOP (p'' + u'') - spring"""
    force = CARRIAGE * d[2] + TOP * (d[2] + d[3]) - (35 - 300 * y[0] - 12 * y[2])
    return PER_TURN * force


def hht_run(error, times, alpha=-0.3):
    """HHT with error control on the same system, for tolerances only."""
    beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha
    c = beta + alpha / 2 - 1 / 6
    y, out, t, h, steps = Y0.copy(), [], 0.0, 1e-6, 0
    d = A @ y + b
    a, a_true, zd, zd_true = d[2:4], d[2:4], d[4:], d[4:]
    # stiff actuator: Newton with the constant matrix of the step
    for te in times:
        while t < te - 1e-13:
            k = min(h, 5e-3, te - t)
            S = np.zeros((8, 6))
            S[0:2, 0:2] = k * k * beta * np.eye(2)
            S[2:4, 0:2] = k * gamma * np.eye(2)
            S[4:, 2:] = k * gamma * np.eye(4)
            y_const = np.concatenate((y[:2] + k * y[2:4] + k * k * (0.5 - beta) * a,
                                      y[2:4] + k * (1 - gamma) * a, y[4:] + k * (1 - gamma) * zd))
            g0 = (A @ y_const + b)[2:]
            J = A[2:] @ S
            rhs = (1 + alpha) * g0 - alpha * np.concatenate((a_true, zd_true))
            new = np.linalg.solve(np.eye(6) - (1 + alpha) * J, rhs)
            yn = y_const + S @ new
            theta = np.sum(((new[:2] - a) * k * k * c / error) ** 2) / 2
            if theta <= 1:
                g = (A @ yn + b)[2:]
                y, a, zd, a_true, zd_true = yn, new[:2], new[2:], g[:2], g[2:]
                t, steps = t + k, steps + 1
            h = k * min(2.0, max(0.2, 0.9 / max(theta, 1e-12) ** (1 / 6)))
        out.append(y.copy())
    return np.array(out), steps


def main():
    times = [0.0, 0.05, 0.2, 0.5, 1.0, 2.0]
    approx, steps = hht_run(1e-9, times[1:])
    e = Expected("geared_drive", "geared_drive.acf", "linear system, matrix exponential, reference.py")
    for name, value in channels(Y0).items():
        e.add(0, name, value, 1e-8 * max(1, abs(value)), "given state, exact accelerations")
    worst = {}
    for k, t in enumerate(times[1:]):
        exact, near = channels(state(t)), channels(approx[k])
        for name in exact:
            worst[name] = max(worst.get(name, 0), abs(exact[name] - near[name]))
    for t in times[1:]:
        for name, value in channels(state(t)).items():
            e.add(t, name, value, round_up(20 * worst[name]),
                  "20 x the error of HHT at ERROR=1e-9 on this system")
    e.write(os.path.join(HERE, "expected.json"))
    print("HHT: %d steps; eigenvalues" % steps, np.sort_complex(np.linalg.eigvals(A)))
    print({n: "%.2g of %.2g" % (w, abs(channels(state(0.2))[n])) for n, w in worst.items()})

    f = Figure(-0.75, -0.4, 0.8, 1.35)
    for centre, r in (((0, 0), 0.05), ((0.25, 0), 0.2)):
        f.poly([(centre[0] + r * np.cos(s), centre[1] + r * np.sin(s)) for s in np.linspace(0, 2 * np.pi, 60)],
               width=2)
        f.pin(centre)
    f.line((-0.6, 0.5), (0.6, 0.5), "#999", 1, "5,4")
    f.bar((-0.12, 0.5), (0.12, 0.5), width=22)
    f.bar((0, 0.5), (0, 1.1), "#b5651d", 4)
    f.bar((-0.05, 1.1), (0.05, 1.1), width=18)
    f.line((-0.6, 1.1), (0.6, 1.1), "#999", 1, "5,4")
    f.ground((-0.65, 0.5))
    f.spring((-0.6, 0.5), (-0.12, 0.5))
    f.text((0.02, -0.12), "rotor", anchor="end")
    f.text((0.32, -0.28), "wheel")
    f.text((0.16, 0.56), "carriage, p")
    f.text((0.03, 0.8), "mast")
    f.text((0.08, 1.17), "top, u")
    f.write(os.path.join(HERE, "figure.svg"))


if __name__ == "__main__":
    main()
