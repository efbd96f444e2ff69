"""Writes coupler.mtx: the modes of the flexible coupler of the IVP Test Set's slider-crank.

A beam of length L along x whose frame is at its first pin: two sines across, two
quadratic shapes along it. All sums over the body are integrals by Gauss points, but for
the moment of inertia of the cross-section, which the problem adds.
"""
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
L, H, E, RHO, J2 = 0.30, 0.008, 2e11, 7870.0, 0.0045339259
AREA = H * H
SHAPES = [lambda x: (0, np.sin(np.pi * x), 0), lambda x: (0, np.sin(2 * np.pi * x), 0),
          lambda x: (4 * x * (1 - x), 0, 0), lambda x: (x * (2 * x - 1), 0, 0)]
SLOPES = [lambda x: np.pi * np.cos(np.pi * x) / L, lambda x: 2 * np.pi * np.cos(2 * np.pi * x) / L,
          lambda x: 0, lambda x: 0]


def cross(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def stiffness():
    bend, along = E * H**4 / 12 / L**3, E * AREA / L
    k = np.diag([bend * np.pi**4 / 2, bend * 8 * np.pi**4, along * 16 / 3, along * 7 / 3])
    k[2, 3] = k[3, 2] = -along * 8 / 3
    return k


def invariants():
    x, weight = np.polynomial.legendre.leggauss(40)
    n, mass = len(SHAPES), RHO * AREA * L
    out = {1: mass, 2: np.zeros(3), 3: np.zeros((3, n)), 4: np.zeros((3, n)), 5: np.zeros((3, n * n)),
           6: np.zeros((n, n)), 7: np.zeros((3, 3)), 8: np.zeros((n, 9)), 9: np.zeros((n * n, 9))}
    for point, share in zip((x + 1) / 2, weight / 2 * mass):
        s, phi = np.array([L * point, 0, 0]), [np.array(f(point)) for f in SHAPES]
        out[2] += share * s
        out[7] += share * cross(s).T @ cross(s)
        for j in range(n):
            out[3][:, j] += share * phi[j]
            out[4][:, j] += share * np.cross(s, phi[j])
            out[8][j] += share * (cross(s) @ cross(phi[j])).ravel()
            for k in range(n):
                out[5][:, j * n + k] += share * np.cross(phi[j], phi[k])
                out[6][j, k] += share * phi[j] @ phi[k]
                out[9][j * n + k] += share * (cross(phi[j]) @ cross(phi[k])).ravel()
    section = J2 - out[7][2, 2]
    out[7] += np.diag([2 * section, section, section])
    return out


def matrix(name, m, order="RORDER"):
    m = np.atleast_2d(m)
    values = m.ravel() if order == "RORDER" else m.T.ravel()
    text = f"{name} FULL {order} {m.shape[0]} {m.shape[1]} {m.size} (3E25.17)\n"
    for k in range(0, m.size, 3):
        text += "".join(f"{v:25.17E}" for v in values[k:k + 3]) + "\n"
    return text


def main():
    inv, k, n = invariants(), stiffness(), len(SHAPES)
    ends = [0.0, 1.0]
    shapes = np.array([f(x) for x in ends for f in SHAPES]).T
    turns = np.array([(0, 0, f(x)) for x in ends for f in SLOPES], dtype=float).T
    frequency = np.sqrt(np.diag(k) / np.diag(inv[6])) / (2 * np.pi)
    blocks = {"SELNOD": np.array([[1, 0, 0, 0], [2, L, 0, 0]]),
              "SELMOD": np.column_stack([np.arange(1, n + 1), frequency]), "GENSTIFF": k}
    blocks.update({f"INVAR{i}": inv[i] for i in range(1, 10)})
    blocks.update({"T_MODE": shapes, "R_MODE": turns})
    names = list(blocks)
    with open(os.path.join(HERE, "coupler.mtx"), "w", encoding="ascii") as out:
        out.write("ADAMSMAT2   KILOGRAM  METER  SECOND  NEWTON  TTTTTTTTT  [IVP Test Set, slider-crank]\n")
        out.write(f"{len(names):8}\n")
        for i in range(0, len(names), 4):
            out.write("".join(f"{name:18}" for name in names[i:i + 4]).rstrip() + "\n")
        for name, m in blocks.items():
            out.write(matrix(name, m))


if __name__ == "__main__":
    main()
