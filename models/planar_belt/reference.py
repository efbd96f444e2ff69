"""Plane belt: the natural coordinates of ../belt (bodies in space on balls, in the x-z plane), gravity turned; DOP853.

The deck has its y where these equations have z. Forces in the plane of a motion in the plane have no others.
"""
import importlib.util
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "belt"), os.path.dirname(HERE)]
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

_belt = importlib.util.spec_from_file_location("belt_reference", os.path.join(HERE, "..", "belt", "reference.py"))
belt = importlib.util.module_from_spec(_belt)
_belt.loader.exec_module(belt)

N, TILT = 17, 3.0

if __name__ == "__main__":
    b, d, second, _ = belt.build(N)
    push = np.zeros(12 * N)
    push.reshape(N, 12)[:, 0] = b.mass * TILT
    b.force = lambda t, q, v: push
    rest = np.zeros(12 * N)
    times = [0.25, 0.5, 1.0]
    q, v = integrate(b.accel, b.q0, rest, times, rtol=1e-10, atol=1e-11)
    work = [b.energy(*x) - push @ x[0] for x in zip(q, v)]
    print("energy", b.energy(b.q0, rest) - push @ b.q0, work, "phi", [np.abs(b.phi(x)).max() for x in q])
    qh, vh, steps = hht(b.accel, b.q0, rest, times, 1e-8, 5e-3)
    upper, lower = second // 2, second + (N - second) // 2
    ex = Expected("planar_belt", "planar_belt.acf", "natural coordinates with multipliers, DOP853, reference.py")
    f1, f2 = belt.pins(b, second, b.solve(0, b.q0, rest)[1])
    for joint, f in ((N + 1, f1), (N + 2, f2)):
        for c, x in zip("XYZ", (f[0], f[2], f[1])):
            ex.add(0, "JOINT/%d.F%s" % (joint, c), x, 1e-7, "linear solve at the start")
    for k, t in enumerate(times):
        e = np.abs((qh[k] - q[k]).reshape(N, 12)[:, :3]).max()
        ev = np.abs((vh[k] - v[k]).reshape(N, 12)[:, :3]).max()
        for i in (upper, lower, second):
            for c, name in ((0, "X"), (2, "Y")):
                ex.add(t, "PART/%d.%s" % (i + 2, name), q[k].reshape(N, 12)[i, c], round_up(20 * max(e, 1e-8)),
                       "20 x the error (%.0e) of HHT at ERROR=1e-8 on these equations" % e)
                ex.add(t, "PART/%d.V%s" % (i + 2, name), v[k].reshape(N, 12)[i, c], round_up(20 * max(ev, 1e-7)),
                       "20 x the speed error (%.0e) of the same run" % ev)
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.25, -.75, 1.0, .2)
    for state, colour in ((q[1], "#aaa"), (b.q0, "#4c78a8")):
        for i in range(N):
            x, u = state.reshape(N, 12)[i, :3], state.reshape(N, 12)[i, 3:6] * belt.LENGTH / 2
            f.bar((x[0] - u[0], x[2] - u[2]), (x[0] + u[0], x[2] + u[2]), "#c46" if i in (0, second) else colour, 6)
            f.dot((x[0] + u[0], x[2] + u[2]), 2.5)
    for i in (0, second):
        f.pin((b.q0.reshape(N, 12)[i, 0], b.q0.reshape(N, 12)[i, 2]))
    f.gravity((.9, -.3), .2)
    f.write(os.path.join(HERE, "figure.svg"))
