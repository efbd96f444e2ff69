"""Independent numbers for the primer's pendulum: one angle, one ODE.

theta'' = -m g l cos(theta) / (I + m l^2), theta from +x, theta(0) = theta'(0) = 0.
Checked against the energy integral and, for the period, against the complete
elliptic integral.
"""
import os
import sys

import mpmath as mp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

M, L, I, G = 1.0, 1.0, 1.0 / 3.0, 9.81
K = M * G * L / (I + M * L * L)
ERROR, DT = 1e-9, 0.01


def accel(t, q, v):
    return -K * np.cos(q)


times = np.array([0, 0.5, 1.0, 2.0, 5.0])
q, v = integrate(accel, 0.0, 0.0, times)
q, v = q[:, 0], v[:, 0]

# energy integral: theta'^2/2 + K sin(theta) = 0
print("energy residual", np.max(np.abs(v**2 / 2 + K * np.sin(q))))
# period: release at 90 degrees from the hanging position, modulus k^2 = 1/2
period = 4 * mp.ellipk(mp.mpf(1) / 2) / mp.sqrt(K)
qp, _ = integrate(accel, 0.0, 0.0, [float(period)])
print("period", period, " angle after one period", qp[0, 0])

qh, vh, steps = hht(accel, 0.0, 0.0, times, ERROR, DT)
eq, ev = np.abs(qh[:, 0] - q), np.abs(vh[:, 0] - v)
print("HHT on the ODE: steps", steps, "angle error", eq, "rate error", ev)

ex = Expected("pendulum", "pendulum.acf",
              "ADAMS/Solver primer, section 7 (assembly); motion and reactions from the "
              "one-angle ODE, reference.py")
asm = "assembly: exact answer of the primer; weight 1e10 on the angles leaves 2e-10"
for ch, val in (("PART/2.X", 5), ("PART/2.Y", 0), ("PART/2.Z", 0), ("REQUEST/1.F2", 0),
                ("REQUEST/2.X", 6), ("REQUEST/2.Y", 0)):
    ex.add(0, ch, val, 1e-8, asm)
sta = "consistent initial state, linear solve: rounding and assembly only"
ex.add(0, "PART/2.VY", 0, 1e-8, sta)
ex.add(0, "PART/2.ACCX", 0, 1e-6, sta)
ex.add(0, "PART/2.ACCY", -K * L, 1e-6, sta)
ex.add(0, "PART/2.WDZ", -K, 1e-6, sta)
ex.add(0, "JOINT/1.FX", 0, 1e-6, sta)
ex.add(0, "JOINT/1.FY", M * (G - K * L), 1e-6, sta)
for k in range(1, len(times)):
    c, s, w, al = np.cos(q[k]), np.sin(q[k]), v[k], -K * np.cos(q[k])
    tq = round_up(10 * max(eq[k], 1e-7))
    tv = round_up(10 * max(ev[k], 3e-7))
    wq = ("10 x the error (%.1e) of HHT at ERROR=1e-9 on the one-angle ODE" % eq[k])
    wv = ("10 x the rate error (%.1e) of HHT at ERROR=1e-9 on the one-angle ODE" % ev[k])
    ex.add(times[k], "PART/2.X", 4 + L * c, tq, wq)
    ex.add(times[k], "PART/2.Y", L * s, tq, wq)
    ex.add(times[k], "REQUEST/1.F2", q[k], tq, wq)
    ex.add(times[k], "REQUEST/1.F3", w, tv, wv)
    ex.add(times[k], "PART/2.VX", -L * s * w, tv, wv)
    ax, ay = -L * (s * al + c * w * w), L * (c * al - s * w * w)
    tf = round_up(10 * tv)
    wf = "reaction m(a-g): follows the state errors with factors up to about 10"
    ex.add(times[k], "JOINT/1.FX", M * ax, tf, wf)
    ex.add(times[k], "JOINT/1.FY", M * (ay + G), tf, wf)
ex.write(os.path.join(HERE, "expected.json"))

f = Figure(3.1, -2.6, 7.6, 1.0)
f.line((5, -2), (7, -2), "#bbb", 7, "3 6")
f.text((6, -2), "as given: centre (6,-2)", dx=-70, dy=22, color="#777")
f.arrow((6, -1.85), (5.05, -0.15), "#777")
f.bar((4, 0), (6, 0))
f.ground((4, 0))
f.pin((4, 0))
f.dot((5, 0))
f.text((4, 0), "pin (4,0)", dx=-20, dy=-14)
f.text((5, 0), "assembled: centre (5,0)", dx=-10, dy=-12)
f.gravity((7.2, 0.4), 0.9)
f.write(os.path.join(HERE, "figure.svg"))
