"""Excavator kinematics from the cylinder lengths, in closed form.

generate.py places the bodies from their angles; here the same mechanism is solved
the other way round: strokes -> cylinder lengths -> triangles (law of cosines) ->
angles -> bucket tip. Only the dimension tables and the stroke table are shared.
The cylinder forces at the start follow from the potential energy: F = dV/d(stroke).
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import generate as g  # noqa: E402
from refkit import Expected, Figure  # noqa: E402


def stroke(c, t):
    s = 0.0
    for t0, t1, h in g.STROKES[c]:
        d = min(1.0, max(0.0, (t - t0) / (t1 - t0)))
        s += h * d**3 * (10 - 15 * d + 6 * d * d)
    return s


def z(p):
    return complex(*p)


def turn(a):
    return np.exp(1j * a)


def corner(p, r, length):
    """angle at the origin between p and r when |p - r| = length"""
    a, b = abs(p), abs(r)
    return np.arccos((a * a + b * b - length**2) / (2 * a * b))


# lengths at the start, measured from the published angles (law of cosines again)
def start_lengths():
    al, be, ga = (np.radians(g.START[k]) for k in ("boom", "stick", "bucket"))
    A, B = z(g.CHASSIS["boom_foot"]), z(g.CHASSIS["boom_cyl"])
    l1 = abs(A + turn(al) * z(g.BOOM["boom_cyl"]) - B)
    S = z(g.BOOM["stick_pin"])
    l2 = abs(S + turn(be - al) * z(g.STICK["stick_cyl"]) - z(g.BOOM["stick_cyl"]))
    V, K = z(g.STICK["rocker_pin"]), z(g.STICK["bucket_pin"])
    X = K + turn(ga - be) * z(g.BUCKET["link_pin"])
    ang = np.angle(X - V) + np.arccos((g.ROCKER_LENGTH**2 + abs(X - V)**2 - g.LINK_LENGTH**2)
                                      / (2 * g.ROCKER_LENGTH * abs(X - V)))
    W = V + g.ROCKER_LENGTH * turn(ang)
    l3 = abs(W - z(g.STICK["bucket_cyl"]))
    return np.array([l1, l2, l3])


L0 = start_lengths()


def solve(s):
    """angles and points in chassis axes for strokes s = (boom, stick, bucket)"""
    l1, l2, l3 = L0 + s
    A, B = z(g.CHASSIS["boom_foot"]), z(g.CHASSIS["boom_cyl"])
    P = z(g.BOOM["boom_cyl"])
    al = np.angle(B - A) + corner(B - A, P, l1) - np.angle(P)
    # stick to boom: triangle stick pin, cylinder base on boom, cylinder end on stick
    S, Q, R = z(g.BOOM["stick_pin"]), z(g.BOOM["stick_cyl"]), z(g.STICK["stick_cyl"])
    rel = np.angle(Q - S) - corner(Q - S, R, l2) - np.angle(R)
    rel = (rel + np.pi) % (2 * np.pi) - np.pi
    # rocker on stick
    V, U, K = z(g.STICK["rocker_pin"]), z(g.STICK["bucket_cyl"]), z(g.STICK["bucket_pin"])
    rock = np.angle(U - V) - corner(U - V, g.ROCKER_LENGTH + 0j, l3)
    rock = (rock + np.pi) % (2 * np.pi) - np.pi
    W = V + g.ROCKER_LENGTH * turn(rock)
    # link and bucket: triangle K, W, X
    X0 = z(g.BUCKET["link_pin"])
    buck = np.angle(W - K) - corner(W - K, X0, g.LINK_LENGTH) - np.angle(X0)
    buck = (buck + np.pi) % (2 * np.pi) - np.pi
    X = K + turn(buck) * X0
    link = np.angle(X - W)
    be = al + rel
    boom = (A, turn(al))
    stick = (A + turn(al) * S, turn(be))
    bucket = (stick[0] + turn(be) * K, turn(be + buck))
    frames = {"chassis": (0j, 1 + 0j), "boom": boom, "stick": stick, "bucket": bucket,
              "rocker": (stick[0] + turn(be) * V, turn(be + rock)),
              "link": (stick[0] + turn(be) * W, turn(be + link))}
    ends = {"boom": (B, A + turn(al) * P), "stick": (A + turn(al) * Q, stick[0] + turn(be) * R),
            "bucket": (stick[0] + turn(be) * U, stick[0] + turn(be) * W)}
    for c, (p, q) in ends.items():
        u = (q - p) / abs(q - p)
        frames[c + "_barrel"], frames[c + "_rod"] = (p, u), (q, u)
    tip = bucket[0] + bucket[1] * z(g.BUCKET["tip"])
    lr = (link - rock + np.pi) % (2 * np.pi) - np.pi
    return frames, tip, (al, rel, buck, rock, lr)


def potential(s):
    frames = solve(np.asarray(s, float))[0]
    m = g.bodies()[2]
    return sum(v[0] * g.G * (frames[k][0] + frames[k][1] * z(v[1])).imag for k, v in m.items())


if __name__ == "__main__":
    f0, _ = g.pose()
    fr = solve(np.zeros(3))[0]
    gap = max(max(abs(fr[k][0] - z(f0[k][0])), abs(fr[k][1] - turn(f0[k][1]))) for k in g.ORDER)
    print("start frames: two ways, largest difference %.1e" % gap)
    grid = np.linspace(0, 12, 1201)
    path = []
    for t in grid:
        s = np.array([stroke(c, t) for c in ("boom", "stick", "bucket")])
        path.append(solve(s))
    tips = np.array([p[1] for p in path])
    ang = np.degrees(np.array([p[2] for p in path]))
    print("angle ranges", ang.min(axis=0), ang.max(axis=0))
    print("tip x %.2f..%.2f z %.2f..%.2f" % (tips.real.min(), tips.real.max(),
                                            tips.imag.min(), tips.imag.max()))
    print("largest jump of an angle per 0.01 s", np.abs(np.diff(ang, axis=0)).max(axis=0))
    assert np.isfinite(ang).all() and np.abs(np.diff(ang, axis=0)).max() < 2
    h = 1e-4
    force = []
    for k in range(3):
        e = np.eye(3)[k] * h
        force.append((8 * (potential(e) - potential(-e)) - potential(2 * e) + potential(-2 * e))
                     / (12 * h))
    front, rear = g.foot_loads()
    print("cylinder forces at the start", force, "feet", front, rear)

    ex = Expected("excavator", "excavator.acf",
                  "closed-form loop geometry (law of cosines) and potential energy, reference.py")
    wk = ("relative to the chassis the tip is a function of the strokes only: constraint "
          "tolerance of the corrector at ERROR=1e-6 times the lever arms of about 10")
    for t in (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0):
        s = np.array([stroke(c, t) for c in ("boom", "stick", "bucket")])
        _, tip, an = solve(s)
        tol = 1e-9 if t == 0 else 1e-5
        ex.add(t, "REQUEST/1.X", tip.real, tol, wk if t else "given state, closed to 1e-15")
        ex.add(t, "REQUEST/1.Y", 0, 1e-7, "plane of symmetry")
        ex.add(t, "REQUEST/1.Z", tip.imag, tol, wk if t else "given state, closed to 1e-15")
        for c, a in zip(("F2", "F3", "F4", "F6", "F7"), an):
            ex.add(t, "REQUEST/3." + c, a, tol, wk if t else "given state, closed to 1e-15")
        for c, a in zip(("F2", "F3", "F4"), s):
            ex.add(t, "REQUEST/5." + c, a, 1e-6 if t else 1e-9, "prescribed stroke")
    eq = "static equilibrium at the start: loads and dV/d(stroke), both to 1e-6 relative"
    for k in range(3):
        ex.add(0, "REQUEST/4.F%d" % (k + 2), force[k], 1e-6 * abs(force[k]) + 1e-2, eq)
    for k, fz in ((1, front), (2, front), (3, rear), (4, rear)):
        ex.add(0, "BUSHING/%d.FZ" % k, fz, 1e-2, eq)
    for c in ("ACCX", "ACCY", "ACCZ", "WDY"):
        ex.add(0, "PART/2." + c, 0, 1e-6, "static equilibrium at the start")
    back = ("strokes back at zero for 2.2 s, chassis settled (slowest mode decays about "
            "600-fold): same equilibrium as at the start")
    for k in range(3):
        ex.add(14, "REQUEST/4.F%d" % (k + 2), force[k], 300, back)
    for k, fz in ((1, front), (2, front), (3, rear), (4, rear)):
        ex.add(14, "BUSHING/%d.FZ" % k, fz, 100, back)
    for c in ("X", "Y", "Z"):
        ex.add(14, "PART/2." + c, 0, 2e-5, back)
    ex.write(os.path.join(HERE, "expected.json"))

    f = Figure(-3.6, -1.4, 10.0, 7.2, 720)
    f.line((-3.6, 0), (10, 0), "#a87", 2)
    f.poly([(t.real, t.imag) for t in tips], "#c33", 1, "none")
    for t, alpha in ((6.5, "#c8d4e4"), (0.0, "#4c78a8")):
        s = np.array([stroke(c, t) for c in ("boom", "stick", "bucket")])
        fr, tip, _ = solve(s)

        def w(b, p):
            q = fr[b][0] + fr[b][1] * z(p)
            return (q.real, q.imag)
        if t == 0:
            f.poly([(-2.1, 0), (2.1, 0), (2.1, .7), (-2.1, .7)], "#333", 1.5, "#999", True)
            f.poly([(-2.6, .9), (1.1, .9), (1.1, 2.0), (.3, 2.0), (.1, 2.8), (-.9, 2.8),
                    (-1.0, 2.0), (-2.6, 2.0)], "#333", 1.5, "#f2c14e", True)
        for c in ("boom", "stick", "bucket"):
            p, q = fr[c + "_barrel"][0], fr[c + "_rod"][0]
            f.line((p.real, p.imag), (q.real, q.imag), "#888" if t == 0 else "#ddd", 5)
        f.poly([w("boom", (0, 0)), w("boom", g.BOOM["boom_cyl"]), w("boom", g.BOOM["stick_pin"])],
               alpha, 10)
        f.poly([w("stick", g.STICK["stick_cyl"]), w("stick", (0, 0)),
                w("stick", g.STICK["bucket_pin"])], alpha, 8)
        f.poly([w("bucket", (0, 0)), w("bucket", g.BUCKET["link_pin"]), w("bucket", (.6, .55)),
                w("bucket", g.BUCKET["tip"])], "#333", 1.5, alpha, True)
        f.line(w("rocker", (0, 0)), w("rocker", (g.ROCKER_LENGTH, 0)), alpha, 4)
        f.line(w("link", (0, 0)), w("link", (g.LINK_LENGTH, 0)), alpha, 4)
        for b, p in (("boom", (0, 0)), ("stick", (0, 0)), ("bucket", (0, 0)), ("rocker", (0, 0))):
            f.pin(w(b, p), 3.5)
    for x in (1.7, -1.7):
        f.spring((x, 0), (x, -.8), 4, 7)
        f.ground((x, -.8), 10)
    f.text((3.4, 6.7), "start (dark), 6.5 s (light), path of the tip (red)")
    f.write(os.path.join(HERE, "figure.svg"))
