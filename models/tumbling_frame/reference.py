#!/usr/bin/env python3
"""The frame's motion from the matrices of its elements, without invariants of modes.

The centre of mass moves straight on. About it, in axes of the body, node p is at s + Phi q and moves with
v = w x (s + Phi q) + Phi q'; Lagrange's equations are J^T M (J (w', q'') + w x (w x p) + 2 w x Phi q') = (0, -K q)
with the whole consistent mass matrix M of the elements and J = dv/d(w, q'), made anew at every instant. Modes: those
that scipy finds of K and M. The axes follow as a quaternion. Energy and angular momentum are sums by M, too.
"""
import os
import sys

import numpy as np
from scipy.integrate import solve_ivp

import generate as g

HERE = os.path.dirname(os.path.abspath(__file__))
from refkit import Expected, Figure  # noqa: E402  generate.py has added models/ to the path
from solidkit import free_modes  # noqa: E402

VELOCITY, SPIN = np.array([.5, -.2, 1]), np.array([.4, 22, .3])


def rotation(e):
    w, x, y, z = e / np.linalg.norm(e)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Frame:
    def __init__(self, solid, matrices, modes):
        K, M = matrices
        self.modes, self.square, shape = modes, *free_modes(K, M, modes)
        self.s = solid.positions()
        self.shape = shape.reshape(-1, 3, modes)
        self.mass = M[::3, ::3].tocsr()           # that of each direction, for all elements are solids
        self.node = {n: i for i, n in enumerate(sorted(solid.node))}

    def places(self, q):
        return self.s + self.shape @ q

    def jacobian(self, p):
        """Nodes x 3 x (3 + modes)."""
        turning = np.stack([np.cross(e, p) for e in np.eye(3)], axis=2)
        return np.concatenate([turning, self.shape], axis=2)

    def rate(self, t, y):
        n = self.modes
        e, q, w, v = y[:4], y[4:4 + n], y[4 + n:7 + n], y[7 + n:]
        p = self.places(q)
        J = self.jacobian(p)
        bias = np.cross(w, np.cross(w, p) + 2 * self.shape @ v)
        flat = J.reshape(len(p), -1)
        of_mass = (self.mass @ np.hstack([flat, bias])).reshape(len(p), 3 * (3 + n) + 3)
        MJ, Mb = of_mass[:, :-3].reshape(J.shape), of_mass[:, -3:]
        A = np.einsum("pda,pdb->ab", J, MJ)
        f = -np.einsum("pda,pd->a", J, Mb)
        f[3:] -= self.square * q
        x = np.linalg.solve(A, f)
        turn = .5 * np.array([-w @ e[1:], *(e[0] * w + np.cross(e[1:], w))])
        return np.concatenate([turn, v, x])

    def motion(self, times, tolerance=1e-10):
        y = np.concatenate([[1, 0, 0, 0], np.zeros(self.modes), SPIN, np.zeros(self.modes)])
        return solve_ivp(self.rate, (0, times[-1]), y, "DOP853", times, rtol=tolerance, atol=tolerance).y.T

    def kept(self, y):
        """Energy and angular momentum about the centre of mass, ground axes."""
        n = self.modes
        q = y[4:4 + n]
        p = self.places(q)
        v = self.jacobian(p) @ y[4 + n:]
        Mv = self.mass @ v
        return .5 * (v * Mv).sum() + .5 * self.square @ q**2, rotation(y[:4]) @ np.cross(p, Mv).sum(axis=0)

    def at(self, t, y, node):
        """Place and velocity of a node in ground."""
        n = self.modes
        i, A = self.node[node], rotation(y[:4])
        p = self.s[i] + self.shape[i] @ y[4:4 + n]
        v = np.cross(y[4 + n:7 + n], p) + self.shape[i] @ y[7 + n:]
        return VELOCITY * t + A @ p, VELOCITY + A @ v


def figure(solid, frame, times, y):
    """Outlines of the frame seen along -y + z/2, one above the other."""
    f = Figure(-.7, -.4, 2.95, 2.2, 620)
    look = np.array([[1, 0, 0], [0, .35, .94]])
    for k in range(0, len(times), 3):
        t, x = times[k], y[k]
        A, p = rotation(x[:4]), frame.places(x[4:4 + g.MODES])
        corners = [frame.node[solid.at((a * g.LENGTH / 2, b * g.WIDTH / 2, 0))]
                   for a, b in ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))]
        shift = np.array([.42 * k / 3, .28 * k / 3])
        f.poly([tuple(look @ (A @ p[c]) + shift) for c in corners], "#4c78a8" if k else "#222", 5, "none", True)
        f.text(tuple(shift + (.15, -.3)), "%.1f s" % t, size=11)
    f.write(os.path.join(HERE, "figure.svg"))


if __name__ == "__main__":
    solid = g.frame()
    matrices = solid.matrices()
    times = np.linspace(0, 1.5, 16)
    few = Frame(solid, matrices, g.MODES)
    y = few.motion(times)
    energy, spin = few.kept(y[0])
    drift = max(abs(few.kept(x)[0] / energy - 1) + np.linalg.norm(few.kept(x)[1] - spin) / np.linalg.norm(spin) for x in y)
    print("energy %.9f J, angular momentum %s, drift %.1e" % (energy, spin, drift))
    bent = [np.abs(few.shape @ x[4:4 + g.MODES]).max() for x in y]
    print("largest deformation %.4f m" % max(bent))
    if "--modes" in sys.argv:
        for modes in (2, 4, 8, 24):
            other = Frame(solid, matrices, modes)
            z = other.motion(times, 1e-8)
            print("%3d modes: corner off by %.2e m at most" % (modes, max(
                np.linalg.norm(other.at(t, a, solid.corner)[0] - few.at(t, b, solid.corner)[0])
                for t, a, b in zip(times, z, y))))
    expected = Expected("tumbling_frame", "tumbling_frame.acf", "matrices of the elements in axes of the body, reference.py")
    for t, x in zip(times, y):
        why = "axes and modes from the same matrices: error of RADAU at ERROR = 1e-11, %s with ERROR" % (
            "which falls" if t < .95 else "twenty times larger after the second turning over, falls")
        for request, node in ((1, solid.corner), (2, solid.middle)):
            for c, value in zip("XYZ", few.at(t, x, node)[0]):
                expected.add(t, "REQUEST/%d.%s" % (request, c), value, 1e-7 if t < .95 else 2e-6, why)
        for c, value in zip("XYZ", VELOCITY * t):
            expected.add(t, "FLEX_BODY/2." + c, value, 1e-8, "the centre of mass goes straight on")
    expected.write(os.path.join(HERE, "expected.json"))
    figure(solid, few, times, y)
