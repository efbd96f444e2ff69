"""Two cams on one shaft: one equation for the angle of the shaft.

The follower's height y and the rocker's angle p are functions of the shaft's angle q alone. With
  M(q) = J + m y'^2 + R p'^2:   M q'' + (m y' y'' + R p' p'') q'^2 = Q,
where ' on y and p is d/dq. y, p and their derivatives come from the conditions of contact, differentiated by
hand; the curves are scipy's periodic cubic splines over the lengths of the chords.
"""
import os
import sys
from bisect import bisect_right

import numpy as np
from scipy.interpolate import CubicSpline

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
from generate import CAM, DISK, NOSE  # noqa: E402
from refkit import Expected, Figure, hht, integrate, round_up  # noqa: E402

J, MASS, M_SHAFT, R, G = 0.004, 0.4, 1.2, 0.002, 9.81
BESIDE = 0.012                                  # the follower's guide
PIVOT = complex(-0.15, -0.07)
K, C, KT, CT = 400.0, 1.5, 6.0, 0.02


class Curve:
    """c(s), c'(s), c''(s) as complex numbers; s is the length along the chords, periodic."""

    def __init__(self, points):
        z = np.array([complex(*p) for p in points])
        self.s = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(z)))))
        both = CubicSpline(self.s, np.column_stack((z.real, z.imag)), bc_type="periodic")
        self.c = [tuple(complex(a) for a in row) for row in (both.c[:, :, 0] + 1j * both.c[:, :, 1]).T]
        self.knots = list(self.s)
        self.length = float(self.s[-1])

    def __call__(self, s):
        s %= self.length
        k = min(bisect_right(self.knots, s) - 1, len(self.c) - 1)
        a, b, c, d = self.c[k]
        x = s - self.knots[k]
        return ((a * x + b) * x + c) * x + d, (3 * a * x + 2 * b) * x + c, 6 * a * x + 2 * b


cam, disk, nose = Curve(CAM), Curve(DISK), Curve(NOSE)


def cross(a, b):
    return a.real * b.imag - a.imag * b.real


def dot(a, b):
    return a.real * b.real + a.imag * b.imag


START = {"cam": cam.length / 4, "disk": 0.75 * disk.length, "nose": nose.length / 4, "p": 0.0}  # q = 0
last = dict(START)                              # contacts go on from the last ones


def follow(q):
    """Brings the contacts from the start to angle q, so that they are on the right sides of the cams."""
    last.update(START)
    for angle in np.linspace(0, q, 2 + int(abs(q) / 0.05)):
        follower(angle)
        rocker(angle)


def follower(q):
    """y, y', y'' and the direction of the cam at the edge: e^{iq} c(s) = BESIDE + i y."""
    turn, s = complex(np.cos(q), np.sin(q)), last["cam"]
    for _ in range(50):
        c, c1, c2 = cam(s)
        step = ((turn * c).real - BESIDE) / (turn * c1).real
        s -= step
        if abs(step) < 1e-15:
            break
    last["cam"] = s
    c, c1, c2 = cam(s)
    s1 = -(turn * 1j * c).real / (turn * c1).real
    first = turn * (1j * c + c1 * s1)
    rest = turn * (-c + 2j * c1 * s1 + c2 * s1 * s1)
    s2 = -rest.real / (turn * c1).real
    return (turn * c).imag, first.imag, (rest + turn * c1 * s2).imag, turn * c1


def rocker(q):
    """p, p', p'', place and direction of the contact: PIVOT + e^{ip} n(v) = e^{iq} d(u), tangents parallel."""
    turn = complex(np.cos(q), np.sin(q))
    p, u, v = last["p"], last["disk"], last["nose"]
    for _ in range(50):
        tip = complex(np.cos(p), np.sin(p))
        d, d1, d2 = disk(u)
        n, n1, n2 = nose(v)
        apart = PIVOT + tip * n - turn * d
        f = np.array([apart.real, apart.imag, cross(tip * n1, turn * d1)])
        a, b, c = tip * 1j * n, -turn * d1, tip * n1
        jac = np.array([[a.real, b.real, c.real], [a.imag, b.imag, c.imag],
                        [cross(tip * 1j * n1, turn * d1), cross(tip * n1, turn * d2), cross(tip * n2, turn * d1)]])
        step = np.linalg.solve(jac, f)
        p, u, v = p - step[0], u - step[1], v - step[2]
        if np.max(np.abs(step)) < 1e-14:
            break
    last.update(p=p, disk=u, nose=v)
    moved = turn * 1j * d
    p1, u1, v1 = np.linalg.solve(jac, [moved.real, moved.imag, -cross(tip * n1, turn * 1j * d1)])
    # along the normal the second derivatives of u and v drop out
    rest = (tip * (-n * p1 * p1 + 2j * n1 * p1 * v1 + n2 * v1 * v1)
            - turn * (-d + 2j * d1 * u1 + d2 * u1 * u1))
    normal = 1j * turn * d1
    p2 = -dot(normal, rest) / dot(normal, tip * 1j * n)
    return p, p1, p2, turn * d, turn * d1


def forces(q, w):
    """Generalised force on q without inertia, and what the acceleration needs."""
    y, y1, y2, _ = follower(q)
    p, p1, p2, _, _ = rocker(q)
    on_follower = -MASS * G - K * (y - 0.03) - C * y1 * w
    on_rocker = -KT * (p - 0.3) - CT * p1 * w
    mass = J + MASS * y1 * y1 + R * p1 * p1
    return (0.9 - 0.12 * w + y1 * on_follower + p1 * on_rocker
            - (MASS * y1 * y2 + R * p1 * p2) * w * w) / mass


def accel(t, q, v):
    return np.array([forces(q[0], v[0])])


def channels(q, w):
    """Newton's second law gives the normal forces at the contacts."""
    follow(q)
    a = forces(q, w)
    y, y1, y2, t_cam = follower(q)
    p, p1, p2, at, t_disk = rocker(q)
    ay, ap = y1 * a + y2 * w * w, p1 * a + p2 * w * w
    up = MASS * ay + MASS * G + K * (y - 0.03) + C * y1 * w
    edge = complex(-up * t_cam.imag / t_cam.real, up)
    moment = R * ap + KT * (p - 0.3) + CT * p1 * w
    normal = 1j * t_disk
    on_nose = normal * (moment / cross(at - PIVOT, normal))
    bearing = edge + on_nose + 1j * M_SHAFT * G
    return {
        "REQUEST/1.F2": q, "PART/2.WZ": w, "PART/2.WDZ": a,
        "PART/3.Y": y, "PART/3.VY": y1 * w, "PART/3.ACCY": ay,
        "REQUEST/1.F3": p, "PART/4.WZ": p1 * w, "PART/4.WDZ": ap,
        "PTCV/1.FX": edge.real, "PTCV/1.FY": edge.imag, "REQUEST/1.F4": edge.imag,
        "CVCV/1.FX": on_nose.real, "CVCV/1.FY": on_nose.imag,
        "JOINT/1.FX": bearing.real, "JOINT/1.FY": bearing.imag,
    }


def check_derivatives():
    """The derivatives by hand against central differences: a slip here would be a slip of both programs."""
    for q in (0.3, 2.0, 4.4, 9.0):
        h = 1e-5
        follow(q)
        for f in (follower, rocker):
            low, here, high = f(q - h), f(q), f(q + h)
            assert abs((high[0] - low[0]) / (2 * h) - here[1]) < 1e-8, f
            assert abs((high[1] - low[1]) / (2 * h) - here[2]) < 1e-6, f


def main():
    check_derivatives()
    times = [0.02 * k for k in range(101)]      # where the error is measured; some are checked
    checked = (5, 25, 50, 75, 100)
    follow(0.0)
    q, v = integrate(accel, 0.0, 6.0, times, rtol=1e-12, atol=1e-13)
    exact = [channels(q[k, 0], v[k, 0]) for k in range(len(times))]
    follow(0.0)
    qa, va, steps = hht(accel, 0.0, 6.0, times[1:], 1e-9, 0.005)
    near = [channels(qa[k, 0], va[k, 0]) for k in range(len(times) - 1)]
    e = Expected("cams", "cams.acf", "one equation for the shaft's angle, reference.py")
    for name, value in exact[0].items():
        e.add(0, name, value, 1e-8 * max(1, abs(value)), "given angle and speed, exact accelerations")
    worst = {}
    for k in range(1, len(times)):
        for name in exact[k]:
            worst[name] = max(worst.get(name, 0), abs(exact[k][name] - near[k - 1][name]))
    for k in checked:
        for name, value in exact[k].items():
            e.add(round(times[k], 9), name, value, round_up(20 * worst[name]),
                  "20 x the error of HHT at ERROR=1e-9 on this equation")
    e.write(os.path.join(HERE, "expected.json"))
    print("HHT: %d steps; revolutions: %.3f" % (steps, q[-1, 0] / (2 * np.pi)))
    print({n: "%.2g of %.2g" % (w, abs(exact[25][n])) for n, w in worst.items()})
    draw()


def draw():
    follow(0.0)
    f = Figure(-0.22, -0.15, 0.16, 0.32)
    y, p = follower(0)[0], rocker(0)[0]
    for curve, color in ((disk, "#b5651d"), (cam, "#4c78a8")):
        f.poly([(z.real, z.imag) for z in (curve(s)[0] for s in np.linspace(0, curve.length, 121))],
               color, 2)
    tip = complex(np.cos(p), np.sin(p))
    centre = PIVOT + tip * 0.15
    f.bar((PIVOT.real, PIVOT.imag), (centre.real, centre.imag), "#7a9", 6)
    f.poly([(z.real, z.imag) for z in (PIVOT + tip * nose(s)[0] for s in np.linspace(0, nose.length, 61))],
           "#375", 2, "#cfe0d5")
    f.ground((PIVOT.real, PIVOT.imag))
    f.pin((PIVOT.real, PIVOT.imag))
    f.bar((BESIDE, y + 0.012), (BESIDE, y + 0.1), "#7a9", 8)
    f.poly([(BESIDE - 0.006, y + 0.014), (BESIDE, y), (BESIDE + 0.006, y + 0.014)], "#375", 2, "#cfe0d5")
    f.spring((BESIDE, y + 0.1), (BESIDE, 0.3))
    f.line((BESIDE - 0.03, 0.3), (BESIDE + 0.03, 0.3), "#222", 2)
    f.pin((0, 0))
    f.text((0.03, 0.2), "follower (PTCV)")
    f.text((-0.2, -0.1), "rocker (CVCV)", dy=18)
    f.text((0.076, 0.03), "lobed cam", dx=2)
    f.text((0.055, -0.07), "elliptic cam")
    f.gravity((-0.15, 0.2), 0.06)
    f.write(os.path.join(HERE, "figure.svg"))


if __name__ == "__main__":
    main()
