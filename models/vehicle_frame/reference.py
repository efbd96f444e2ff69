#!/usr/bin/env python3
"""The frame on its posts as a linear system of all elements: equilibrium, frequencies, response to the bumps.

M u'' + C u' + K u = f of the displacements of all nodes (CalculiX), with the mean motion W^T u of the nodes around
each point: springs W K_b W^T, masses W M_e W^T, forces W f. Equilibrium by scipy. Frequencies and response in a basis of the
100 lowest modes of this whole and the 36 shapes of unit forces and moments at the points, which holds what the bumps
excite (10 cycles/s) far better than the tolerances. No frame that moves, no modes of the program.
"""
import os

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import csc_array
from scipy.sparse.linalg import eigsh, splu

import generate as g

HERE = os.path.dirname(os.path.abspath(__file__))
from refkit import Expected, chart  # noqa: E402  generate.py has added models/ to the path


def mean_motion(x, nodes, point):
    """W: displacement of the point and rotation, by all unknowns: those of the nodes' nearest rigid motion."""
    W = np.zeros((3 * len(x), 6))
    p = np.array(nodes) - 1
    r = x[p] - x[p].mean(axis=0)
    S = (r**2).sum() * np.eye(3) - r.T @ r
    for k, at in enumerate(p):
        cross = np.array([[0, -r[k, 2], r[k, 1]], [r[k, 2], 0, -r[k, 0]], [-r[k, 1], r[k, 0], 0]])
        turn = np.linalg.solve(S, cross)                       # theta = sum S^-1 r x u
        arm = np.array(point) - x[p].mean(axis=0)
        lever = -np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        W[3 * at:3 * at + 3, :3] = (np.eye(3) / len(p) + lever @ turn).T
        W[3 * at:3 * at + 3, 3:] = turn.T
    return W


def step5(t, t0, t1, h):
    """Value and rate."""
    d = min(1.0, max(0.0, (t - t0) / (t1 - t0)))
    return h * d**3 * (10 - 15 * d + 6 * d * d), h * 30 * d * d * (1 - d) ** 2 / (t1 - t0)


def post(k, t):
    ups = [step5(t, a, a + g.RISE, h) for a, h in g.BUMPS[k]]
    downs = [step5(t, a + g.RISE, a + 2 * g.RISE, h) for a, h in g.BUMPS[k]]
    return sum(u[0] - d[0] for u, d in zip(ups, downs)), sum(u[1] - d[1] for u, d in zip(ups, downs))


def build():
    solid = g.frame()
    K, M = solid.matrices()
    x = solid.positions()
    W = {node: mean_motion(x, solid.sets["P%d" % node], point) for node, point in g.POINTS.items()}
    C = csc_array(K.shape)
    for node in g.POST_OF.values():
        w = csc_array(W[node])
        K = K + w @ np.diag(g.SPRING["K"] + g.SPRING["KT"]) @ w.T
        C = C + w @ np.diag(g.SPRING["C"] + g.SPRING["CT"]) @ w.T
    for node, mass, inertia in g.LOADS.values():
        w = csc_array(W[node])
        M = M + w @ np.diag([mass] * 3 + list(inertia)) @ w.T
    return csc_array(K), csc_array(C), csc_array(M), W, solid


def reduced(K, C, M, W):
    _, modes = eigsh(K, 100, M, sigma=0, v0=np.ones(K.shape[0]))
    shapes = splu(K).solve(np.hstack(list(W.values())))
    shapes -= modes @ (modes.T @ (M @ shapes))
    basis, _ = np.linalg.qr(np.hstack([modes / np.linalg.norm(modes, axis=0), shapes / np.linalg.norm(shapes, axis=0)]))
    return [basis.T @ (A @ basis) for A in (K, C, M)], {n: w.T @ basis for n, w in W.items()}


if __name__ == "__main__":
    K, C, M, W, solid = build()
    up = np.tile([0, 0, 1.0], K.shape[0] // 3)
    still = splu(K).solve(-g.G * (M @ up))
    height0 = [(W[node].T @ still)[2] for node in g.POINTS]
    (k, c, m), points = reduced(K, C, M, W)
    n, inverse = len(k), np.linalg.inv(m)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ k, -inverse @ c]])
    s = np.linalg.eigvals(A)
    s = np.array(sorted(s[s.imag > 0], key=abs))[:12]
    inputs = np.array([points[node][2] for node in g.POST_OF.values()]).T

    def rate(t, y):
        z = np.array([post(p, t) for p in g.POST_OF])
        force = inputs @ (g.SPRING["K"][2] * z[:, 0] + g.SPRING["C"][2] * z[:, 1])
        return A @ y + np.concatenate([np.zeros(n), inverse @ force])

    times = np.linspace(0, 2, 401)
    y = solve_ivp(rate, (0, 2), np.zeros(2 * n), "Radau", times, rtol=1e-7, atol=1e-10, jac=A, max_step=0.01).y
    out = np.array([points[node][2] @ y[:n] + h for node, h in zip(g.POINTS, height0)])
    acc = np.array([[points[node][2] @ rate(t, v)[n:] for node in (9005, 9006)] for t, v in zip(times, y.T)]).T
    expected = Expected("vehicle_frame", "vehicle_frame.acf", "all finite elements as a linear system, reference.py")
    for mode, f in enumerate(abs(s[:10]) / (2 * np.pi), 1):
        expected.frequency(1, mode, f, 1e-3 * f, "40 modes instead of all elements: measured 5e-4 at most")
    columns = ("F2", "F3", "F4", "F6", "F7", "F8")
    for k in range(0, 401, 20):
        for column, z in zip(columns, out[:, k]):
            expected.add(times[k], "REQUEST/1." + column, z, 1e-5 if k else 2e-6,
                         "40 modes, large turns: measured 5e-6 in motion, 5e-7 at rest")
        if k:
            for column, a in zip(("F4", "F6"), acc[:, k]):
                expected.add(times[k], "REQUEST/2." + column, a, 2e-3, "measured 7e-4; largest value 3.6")
    expected.write(os.path.join(HERE, "expected.json"))
    print("frequencies", abs(s[:10]) / (2 * np.pi))
    print("heights at rest", np.array(height0), "largest accelerations", abs(acc).max(axis=1))
    curves = [("engine", "#4c78a8", list(zip(times, acc[0]))), ("tank", "#e45756", list(zip(times, acc[1])))]
    chart(os.path.join(HERE, "figure.svg"), curves, "s", "upward acceleration, m/s²", 620, 260)
