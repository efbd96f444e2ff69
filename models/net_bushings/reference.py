"""Net on bushings: bodies in natural coordinates (models/natural.py), the law of BUSHING written out; DOP853.

On I, in the axes of J: F = -K d - C d', T = -KT (AX, AY, AZ) - CT w; on J: -F and -T - (r_I - r_J) x F.
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "net"), os.path.dirname(HERE)]
import importlib.util  # noqa: E402

from natural import Bodies  # noqa: E402
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


net = load("net_generate", os.path.join(HERE, "..", "net", "generate.py"))
own = load("bushings_generate", os.path.join(HERE, "generate.py"))
N = 3


def build(n):
    (right, back, left, front), arm = net.tips(0.0)
    A0 = np.array(net.frame(1, 0.0)).T
    b = Bodies([net.MASS] * n * n, [net.inertia(arm)] * n * n,
               [(c * net.PITCH, -r * net.PITCH, 0) for r in range(n) for c in range(n)], [A0] * n * n).assemble()
    pairs = [(c, back, None, np.array([c * net.PITCH, net.PITCH / 2, 0])) for c in range(n)]
    for r in range(n):
        for c in range(n):
            k = r * n + c
            if c + 1 < n:
                pairs.append((k + 1, left, k, right))
            if r + 1 < n:
                pairs.append((k + n, back, k, front))

    # ground is one more body at the end, at rest
    I, J = np.array([p[0] for p in pairs]), np.array([b.n if p[2] is None else p[2] for p in pairs])
    si, sj = np.array([p[1] for p in pairs]), np.array([p[3] for p in pairs])
    fixed = np.concatenate((np.zeros((1, 3)), A0.T))
    sj[J == b.n] = sj[J == b.n] @ A0                                     # in the axes of that last body

    def force(t, q, v):
        x = np.concatenate((q.reshape(b.n, 4, 3), fixed[None]))
        w = np.concatenate((v.reshape(b.n, 4, 3), np.zeros((1, 4, 3))))
        omega = 0.5 * np.cross(x[:, 1:], w[:, 1:]).sum(axis=1)
        place = lambda k, s, y: y[k, 0] + np.einsum("pa,pak->pk", s, y[k, 1:])   # noqa: E731
        d = place(I, si, x) - place(J, sj, x)
        rate = place(I, si, w) - place(J, sj, w) - np.cross(omega[J], d)
        Ai, Aj = x[I, 1:], x[J, 1:]                                      # rows are the axes
        R = np.einsum("pak,pbk->pab", Aj, Ai)
        angle = np.stack((np.arctan2(-R[:, 1, 2], R[:, 2, 2]), np.arctan2(R[:, 0, 2], R[:, 2, 2]),
                          np.arctan2(R[:, 1, 0], R[:, 0, 0])), axis=1)
        into = lambda a: np.einsum("pak,pk->pa", Aj, a)                  # noqa: E731
        out = lambda a: np.einsum("pak,pa->pk", Aj, a)                   # noqa: E731
        F = out(-own.STIFFNESS * into(d) - own.DAMPING * into(rate))
        T = out(-own.TURN_STIFFNESS * angle - own.TURN_DAMPING * into(omega[I] - omega[J]))
        f = np.zeros((b.n + 1, 4, 3))
        for k, s, force, torque in ((I, si, F, T), (J, sj, -F, -T - np.cross(d, F))):
            np.add.at(f[:, 0], k, force)
            np.add.at(f[:, 1:], k, s[:, :, None] * force[:, None, :] + 0.5 * np.cross(torque[:, None, :], x[k, 1:]))
        return f[:b.n].ravel()

    b.force = force
    return b


if __name__ == "__main__":
    b = build(N)
    n = b.n
    rest = np.zeros(12 * n)
    times = [0.05, 0.1, 0.2, 0.3]
    q, v = integrate(b.accel, b.q0, rest, times, rtol=1e-9, atol=1e-10)
    print("axes", [np.abs(b.phi(x)).max() for x in q])
    qh, vh, steps = hht(b.accel, b.q0, rest, times, 1e-9, 3e-4)
    print("hht steps", steps)
    ex = Expected("net_bushings", "net_bushings.acf",
                  "natural coordinates, law of BUSHING written out, DOP853, reference.py")
    for i in (0, n - 1):
        ex.add(0, "PART/%d.ACCZ" % (i + 2), -9.80665, 1e-9, "no force yet")
    for k, t in enumerate(times):
        e = np.abs((qh[k] - q[k]).reshape(n, 12)[:, :3]).max()
        ev = np.abs((vh[k] - v[k]).reshape(n, 12)[:, :3]).max()
        for i in (0, 1, n - N, n - 1):
            for c in range(3):
                ex.add(t, "PART/%d.%s" % (i + 2, "XYZ"[c]), q[k].reshape(n, 12)[i, c], round_up(20 * max(e, 1e-8)),
                       "20 x the error (%.0e) of HHT at ERROR=1e-9 on these equations" % e)
                ex.add(t, "PART/%d.V%s" % (i + 2, "XYZ"[c]), v[k].reshape(n, 12)[i, c], round_up(20 * max(ev, 1e-7)),
                       "20 x the speed error (%.0e) of the same run" % ev)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.15, -.4, .5, .14)
    view = lambda p: (p[0] + .35 * p[1] + .1, p[2] + .25 * p[1])        # noqa: E731
    places = net.tips(0.0)[0]
    for x, color in ((b.q0, "#4c78a8"), (q[1], "#c46")):
        for i in range(n):
            for s in places:
                f.line(view(b.point(x, i, (0, 0, 0))), view(b.point(x, i, s)), color, 3)
                f.dot(view(b.point(x, i, s)), 2.2)
    for c in range(N):
        f.pin(view((c * net.PITCH, net.PITCH / 2, 0)))
    f.text((-.13, -.37), "t = 0 and 0.1 s", dx=0, dy=0)
    f.gravity((.45, .05), .12)
    f.write(os.path.join(HERE, "figure.svg"))
