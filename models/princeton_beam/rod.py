"""A clamped rod under a dead force and a dead moment at its end: Kirchhoff's rod with stretch, and shear on request.

  r' = R Γ,  R' = R κ̃,  m' = −r' × n,  n = F,  Γ = (1 + N_x/EA, N_y/GA, N_z/GA),  κ = (m_x/GJ, m_y/EI_y, m_z/EI_z)

with N = Rᵀn, m = Rᵀm in the axes of the section. The moment at the clamp is found by shooting. Standard library only.
"""
import math


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def times(R, v):
    return tuple(R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2] for i in range(3))


def back(R, v):
    return tuple(R[j] * v[0] + R[3 + j] * v[1] + R[6 + j] * v[2] for j in range(3))


class Rod:
    def __init__(self, length, ea, gj, eiy, eiz, ga=math.inf, steps=400):
        self.length, self.ea, self.bend, self.ga, self.steps = length, ea, (gj, eiy, eiz), ga, steps

    def rate(self, y, force):
        R, m = y[3:12], y[12:15]
        N, M = back(R, force), back(R, m)
        r = times(R, (1 + N[0] / self.ea, N[1] / self.ga, N[2] / self.ga))
        k = tuple(M[i] / self.bend[i] for i in range(3))
        turned = [x for i in range(3) for x in cross(R[3 * i:3 * i + 3], k)]  # rows of R κ̃
        return list(r) + turned + [-x for x in cross(r, force)]

    def along(self, clamp, force, places=()):
        """Places of the rod from the clamp on, by the moment there: every step, or the last."""
        y, h = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] + list(clamp), self.length / self.steps
        all_of = [y]
        for _ in range(self.steps):
            k1 = self.rate(y, force)
            k2 = self.rate([a + h / 2 * b for a, b in zip(y, k1)], force)
            k3 = self.rate([a + h / 2 * b for a, b in zip(y, k2)], force)
            k4 = self.rate([a + h * b for a, b in zip(y, k3)], force)
            y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
            all_of.append(y)
        return all_of

    def solve(self, force, moment=(0, 0, 0), clamp=None):
        """(moment at the clamp, places): Newton's method on the moment at the end."""
        m = list(clamp) if clamp else [moment[i] + x for i, x in enumerate(cross((self.length, 0, 0), force))]
        for _ in range(40):
            all_of = self.along(m, force)
            left = [a - b for a, b in zip(all_of[-1][12:15], moment)]
            matrix = [[0.0] * 4 for _ in range(3)]
            for k in range(3):
                other = list(m)
                other[k] += 1e-6
                end = self.along(other, force)[-1]
                for i in range(3):
                    matrix[i][k] = (end[12 + i] - all_of[-1][12 + i]) / 1e-6
            for i in range(3):
                matrix[i][3] = left[i]
            for i in range(3):
                pivot = max(range(i, 3), key=lambda r: abs(matrix[r][i]))
                matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
                for r in range(3):
                    if r != i:
                        q = matrix[r][i] / matrix[i][i]
                        matrix[r] = [a - q * b for a, b in zip(matrix[r], matrix[i])]
            d = [matrix[i][3] / matrix[i][i] for i in range(3)]
            m = [a - b for a, b in zip(m, d)]
            if max(map(abs, d)) < 1e-12 * (1 + max(map(abs, m))):
                break
        return m, self.along(m, force)

    def under(self, force, parts=5):
        """The same by loads that grow, each from the one before."""
        clamp = None
        for k in range(1, parts + 1):
            now = tuple(x * k / parts for x in force)
            clamp, all_of = self.solve(now, clamp=clamp and [x * k / (k - 1) for x in clamp])
        return all_of


def tip(all_of, length):
    """Deflection along y and z, way back along x, twist atan2(R32, R22)."""
    y = all_of[-1]
    return y[1], y[2], length - y[0], math.atan2(y[10], y[7])
