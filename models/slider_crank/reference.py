"""Slider-crank by one generalised coordinate, the crank angle.

Kinetic energy T = J(phi) phi'^2 / 2 with the exact reduced inertia J, so
J phi'' + J' phi'^2 / 2 = Q(phi). Reactions follow from Newton's law on the
slider and on the rod.
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

R, L, MC, MR, MS, RAD, G = 0.2, 0.5, 0.5, 1.0, 2.0, 0.01, 9.80665
IC = MC * (3 * RAD**2 + R**2) / 12
IR = MR * (3 * RAD**2 + L**2) / 12
ERROR, DT = 1e-9, 0.01


def kinematics(phi):
    """rod angle psi below the x axis and derivatives with respect to phi"""
    s, c = np.sin(phi), np.cos(phi)
    sp = R / L * s
    cp = np.sqrt(1 - sp * sp)
    p1 = R / L * c / cp                                  # dpsi/dphi
    p2 = (-R / L * s + sp * p1 * p1) / cp                # d2psi/dphi2
    # slider x = R c + L cos psi ; rod centre = (R c + L/2 cos psi, R s - L/2 sin psi)
    x1 = -R * s - L * sp * p1
    x2 = -R * c - L * (cp * p1 * p1 + sp * p2)
    gx1 = -R * s - L / 2 * sp * p1
    gx2 = -R * c - L / 2 * (cp * p1 * p1 + sp * p2)
    gz1 = R * c - L / 2 * cp * p1
    gz2 = -R * s - L / 2 * (-sp * p1 * p1 + cp * p2)
    return dict(psi=np.arcsin(sp), x=R * c + L * cp, x1=x1, x2=x2, p1=p1, p2=p2,
                gx1=gx1, gx2=gx2, gz1=gz1, gz2=gz2, s=s, c=c, sp=sp, cp=cp)


def accel(t, q, v):
    k = kinematics(q[0])
    J = IC + MC * R * R / 4 + MR * (k["gx1"]**2 + k["gz1"]**2) + IR * k["p1"]**2 + MS * k["x1"]**2
    J1 = 2 * (MR * (k["gx1"] * k["gx2"] + k["gz1"] * k["gz2"]) + IR * k["p1"] * k["p2"]
              + MS * k["x1"] * k["x2"])
    Q = -G * (MC * R / 2 * k["c"] + MR * k["gz1"])
    return np.array([(Q - J1 * v[0]**2 / 2) / J])


times = np.array([0, 0.25, 0.5, 1.0, 1.5, 2.0])
q, v = integrate(accel, np.pi / 3, 0.0, times)
q, v = q[:, 0], v[:, 0]
print("crank angle at 2 s: %.14f (published comparison: 0.64990)" % q[-1])
qh, vh, steps = hht(accel, np.pi / 3, 0.0, times, ERROR, DT)
eq, ev = np.abs(qh[:, 0] - q), np.abs(vh[:, 0] - v)
print("HHT steps", steps, eq, ev)

ex = Expected("slider_crank", "slider_crank.acf",
              "one-coordinate equation of motion, reference.py; crank angle at 2 s agrees with "
              "0.64990 rad of the Project Chrono comparison")
for k, t in enumerate(times):
    kin = kinematics(q[k])
    a = accel(t, [q[k]], [v[k]])[0]
    w = v[k]
    tq = 1e-9 if t == 0 else round_up(10 * max(eq[k], 1e-7))
    tv = 1e-8 if t == 0 else round_up(10 * max(ev[k], 5e-7))
    why = ("given state, closed to 1e-15" if t == 0 else
           "10 x the error of HHT at ERROR=1e-9 on the one-coordinate equation (%.0e, rate %.0e)"
           % (eq[k], ev[k]))
    ex.add(t, "REQUEST/1.F2", q[k], tq, why)
    ex.add(t, "REQUEST/1.F3", w, tv, why)
    ex.add(t, "PART/4.X", kin["x"], tq, why)
    ex.add(t, "PART/4.VX", kin["x1"] * w, tv, why)
    ex.add(t, "PART/3.WY", kin["p1"] * w, tv, why)
    # accelerations
    xa = kin["x1"] * a + kin["x2"] * w * w
    ga = np.array([kin["gx1"] * a + kin["gx2"] * w * w, kin["gz1"] * a + kin["gz2"] * w * w])
    pa = kin["p1"] * a + kin["p2"] * w * w
    # the universal joint force on the rod at the slider: x from the slider,
    # z from the moment of the rod about its crank end
    fx = -MS * xa
    # moment about the rod centre (about +y, positive increases psi):
    # ends relative to the centre: small end +L/2 (cp, -sp), big end -L/2 (cp, -sp)
    # F1 + F2 = m ga + m g z ; F2 = (fx, fz), moment_y = z Fx - x Fz
    tot = MR * ga + np.array([0, MR * G])
    # moment: 2nd end (cp,-sp)L/2 : (-sp L/2) fx - (cp L/2) fz
    #         1st end: -( -sp L/2)(tot_x - fx) + (cp L/2)(tot_z - fz)
    # sum = IR pa
    fz = (-kin["sp"] * fx + kin["sp"] * (tot[0] - fx) + kin["cp"] * tot[1]
          - IR * pa * 2 / L) / (2 * kin["cp"])
    f1 = tot - np.array([fx, fz])
    tf = 1e-6 if t == 0 else round_up(30 * tv)
    wf = ("consistent initial state, linear solve" if t == 0 else
          "force = inertia x acceleration: state tolerance x about 30 (2 kg, 10 rad/s)")
    ex.add(t, "JOINT/3.FX", fx, tf, wf)
    ex.add(t, "JOINT/3.FZ", fz, tf, wf)
    ex.add(t, "JOINT/2.FX", f1[0], tf, wf)
    ex.add(t, "JOINT/2.FZ", f1[1], tf, wf)
ex.write(os.path.join(HERE, "expected.json"))

kin = kinematics(np.pi / 3)
f = Figure(-0.2, -0.22, 0.8, 0.32)
f.line((0.35, -0.035), (0.78, -0.035), "#888", 3)
B = (R * kin["c"], R * kin["s"])
S = (kin["x"], 0)
f.poly([(S[0] - .06, -.03), (S[0] + .06, -.03), (S[0] + .06, .03), (S[0] - .06, .03)],
       "#222", 1.5, "#e6c07a", True)
f.bar((0, 0), B, "#c46")
f.bar(B, S)
f.ground((0, 0))
for a in ((0, 0), B, S):
    f.pin(a)
f.text((0, 0), "revolute", dx=-75, dy=4)
f.text(B, "spherical", dx=-10, dy=-12)
f.text(S, "universal", dx=-25, dy=-26)
f.text((S[0], -0.035), "translational", dx=-40, dy=22)
f.text((0.05, 0.0), "60&#176;", dx=8, dy=-6)
f.gravity((0.72, 0.28), 0.1)
f.write(os.path.join(HERE, "figure.svg"))
