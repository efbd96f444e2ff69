"""Independent dynamics of rigid bodies in natural coordinates, for the reference.py scripts.

A body is given by its centre of mass c and its three axes x, y, z as vectors of ground
(the columns of its rotation matrix A): twelve coordinates with a constant diagonal mass
matrix and six equations for the lengths and angles of the axes (Garcia de Jalon and
Bayo: Kinematic and dynamic simulation of multibody systems, Springer 1994, chapter 2).
No angles, no angular velocities in the equations, hence nothing in common with the
coordinates of the solver. Joints are linear or quadratic in these coordinates:

    ball:      c1 + A1 s1 - c2 - A2 s2 = 0
    revolute:  the same, and axis of 1 at right angles to two axes of 2

Accelerations come from the dense index-1 system [M, Phi^T; Phi, 0]; phi'' is made to
decay (Baumgarte), which takes only rounding away at the tolerances used here.

With principal axes, T = m |c'|^2/2 + sum_k J_k |a_k'|^2/2, J_k = (trace(I)/2 - I_k): the integral of x_k^2 dm.
"""
import numpy as np

G = 9.80665


class Bodies:
    def __init__(self, mass, inertia, centre, axes):
        """mass (n), principal inertia (n, 3), centre (n, 3), axes (n, 3, 3): columns are the body's axes."""
        self.n = len(mass)
        self.mass = np.asarray(mass, float)
        inertia = np.asarray(inertia, float)
        self.second = inertia.sum(axis=1, keepdims=True) / 2 - inertia
        self.m = np.concatenate([self.mass[:, None].repeat(3, 1), self.second.repeat(3, 1)], axis=1).ravel()
        self.q0 = np.concatenate([np.asarray(centre, float),
                                  np.asarray(axes, float).transpose(0, 2, 1).reshape(self.n, 9)], axis=1).ravel()
        self.linear = []                # rows {coordinate: factor} and right hand side
        self.quadratic = []             # pairs of coordinate triples whose product is constant
        self.constant = []
        for b in range(self.n):
            for i in range(3):
                for j in range(i, 3):
                    self.quadratic.append((12 * b + 3 + 3 * i, 12 * b + 3 + 3 * j, None))
                    self.constant.append(1.0 if i == j else 0.0)
        self.force = lambda t, q, v: 0.0

    def ball(self, body1, s1, body2, s2):
        """Point s1 of body1 (own axes, from its centre) on s2 of body2; body2 None: s2 is a point of ground."""
        for k in range(3):
            row = {12 * body1 + k: 1.0}
            for i in range(3):
                row[12 * body1 + 3 + 3 * i + k] = s1[i]
            if body2 is not None:
                row[12 * body2 + k] = -1.0
                for i in range(3):
                    row[12 * body2 + 3 + 3 * i + k] = -s2[i]
            self.linear.append((row, 0.0 if body2 is not None else s2[k]))

    def square(self, body1, u1, body2, u2):
        """Direction u1 of body1 at right angles to u2 of body2 (own axes; body2 None: of ground)."""
        self.quadratic.append(((body1, np.asarray(u1, float)), (body2, np.asarray(u2, float)), "axes"))
        self.constant.append(0.0)

    def assemble(self):
        n = 12 * self.n
        self.rows = np.zeros((len(self.linear), n))
        self.rhs = np.zeros(len(self.linear))
        for i, (row, value) in enumerate(self.linear):
            for k, f in row.items():
                self.rows[i, k] = f
            self.rhs[i] = value
        # each quadratic row is (P q + p) . (Q q + r) with 3 x n matrices
        z = len(self.quadratic)
        self.P = np.zeros((z, 3, n))
        self.Q = np.zeros((z, 3, n))
        self.r = np.zeros((z, 3))
        for i, (a, b, kind) in enumerate(self.quadratic):
            if kind is None:
                self.P[i, range(3), range(a, a + 3)] = 1
                self.Q[i, range(3), range(b, b + 3)] = 1
                continue
            for (body, u), mat in ((a, self.P), (b, self.Q)):
                if body is None:
                    self.r[i] = u
                    continue
                for k in range(3):
                    for axis in range(3):
                        mat[i, k, 12 * body + 3 + 3 * axis + k] = u[axis]
        self.constant = np.array(self.constant)
        # the products P^T Q + Q^T P as (n, n) would be large: kept as factors
        return self

    def phi(self, q):
        p, w = self.P @ q, self.Q @ q + self.r
        return np.concatenate((self.rows @ q - self.rhs, np.einsum("ik,ik->i", p, w) - self.constant))

    def jacobian(self, q):
        p, w = self.P @ q, self.Q @ q + self.r
        quad = np.einsum("ik,ikn->in", w, self.P) + np.einsum("ik,ikn->in", p, self.Q)
        return np.concatenate((self.rows, quad))

    def gamma(self, v):
        """-(Phi_q v)_q v."""
        g = np.zeros(len(self.rhs) + len(self.constant))
        g[len(self.rhs):] = -2 * np.einsum("ik,ik->i", self.P @ v, self.Q @ v)
        return g

    def solve(self, t, q, v, decay=0.0):
        """Accelerations and multipliers."""
        n = 12 * self.n
        f = np.zeros(n)
        f.reshape(self.n, 12)[:, 2] = -self.mass * G
        f = f + self.force(t, q, v)
        J = self.jacobian(q)
        g = self.gamma(v)
        if decay:
            g = g - 2 * decay * (J @ v) - decay * decay * self.phi(q)
        # Schur complement on the multipliers: M is diagonal
        JM = J / self.m
        lam = np.linalg.solve(JM @ J.T, JM @ f - g)
        return (f - J.T @ lam) / self.m, lam

    def accel(self, t, q, v):
        return self.solve(t, q, v, 20.0)[0]

    def energy(self, q, v):
        return 0.5 * (self.m * v) @ v + G * self.mass @ q.reshape(self.n, 12)[:, 2]

    def point(self, q, body, s):
        x = q.reshape(self.n, 4, 3)[body]
        return x[0] + np.asarray(s) @ x[1:]

    def rigid_velocity(self, centre_velocity, omega):
        """v of given velocities of the centres and angular velocities in ground axes, (n, 3) each."""
        v = np.zeros((self.n, 4, 3))
        v[:, 0] = centre_velocity
        axes = self.q0.reshape(self.n, 4, 3)[:, 1:]
        v[:, 1:] = np.cross(np.asarray(omega)[:, None, :], axes)
        return v.ravel()
