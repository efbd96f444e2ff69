#!/usr/bin/env python3
"""Sliding, rolling and bouncing balls: writes expected.json and figure.svg. Needs Python alone.

The cue ball slides with v = v0 - mu g t until t = 2 v0/(7 mu g) and rolls with 5/7 v0 after that (Coriolis 1835). The
other ball falls, z'' = -g, and meets F = max(0, k d^e + c(d) d'), c = STEP(d, 0, 0, DMAX, DAMPING): one equation, by
Runge-Kutta of order 4 with steps that end where the ball touches and leaves.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
G, MASS, RADIUS = 9.81, 0.17, 0.0286
V0, MU = 2.0, 0.2
K, E, C, DMAX, HEIGHT = 1e7, 1.5, 40.0, 1e-4, 0.2


def damping(d):
    if d >= DMAX:
        return C
    x = d / DMAX
    return C * x * x * (3 - 2 * x)


def acceleration(z, v):
    d = -z
    return -G + (max(0.0, K * d**E - damping(d) * v) / MASS if d > 0 else 0.0)


def through_contact(v, h):
    """Time and speed from the first touch, z = 0 with v < 0, to the last one."""
    t, z = 0.0, 0.0
    while True:
        k1, l1 = v, acceleration(z, v)
        k2, l2 = v + h / 2 * l1, acceleration(z + h / 2 * k1, v + h / 2 * l1)
        k3, l3 = v + h / 2 * l2, acceleration(z + h / 2 * k2, v + h / 2 * l2)
        k4, l4 = v + h * l3, acceleration(z + h * k3, v + h * l3)
        zn = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        vn = v + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        if zn >= 0 and vn > 0:  # the end, along a straight line: steps are far shorter than the contact
            part = -z / (zn - z)
            return t + part * h, v + part * (vn - v)
        t, z, v = t + h, zn, vn


def heights(times):
    """Of the rim above the table, in flight; None in contact."""
    out, begin, z0, v0 = [], 0.0, HEIGHT, 0.0
    for t in times:
        while True:
            lands = begin + (v0 + (v0 * v0 + 2 * G * z0) ** 0.5) / G
            if t < lands:
                s = t - begin
                out.append(z0 + v0 * s - G * s * s / 2)
                break
            took, v = through_contact(-(v0 * v0 + 2 * G * z0) ** 0.5, 2e-8)
            begin, z0, v0 = lands + took, 0.0, v
    return out


def main():
    checks = []

    def check(t, channel, value, tolerance, why):
        checks.append({"t": t, "channel": channel, "value": value, "tolerance": tolerance, "why": why})

    rolls = 2 * V0 / (7 * MU * G)
    sag = MASS * G / 1e6
    arm = RADIUS - sag / 2  # of the middle of the overlap
    for k in (10, 20, 25):
        t = k / 100
        why = "sliding: v0 - mu g t; the force acts at the middle of an overlap of 1.7e-6"
        check(t, "REQUEST/1.F2", V0 - MU * G * t, 1e-6, why)
        check(t, "REQUEST/1.F3", MU * MASS * G * t * arm / 5.562128e-5, 1e-4, why)
    for k in (40, 80, 120):
        why = "rolling: 5/7 v0; the transition of friction takes 2e-4 m/s"
        check(k / 100, "REQUEST/1.F2", 5 / 7 * V0, 2e-4, why)
        check(k / 100, "REQUEST/1.F3", 5 / 7 * V0 / RADIUS, 1e-2, why)
    times = [0.1, 0.3, 0.5, 0.8, 1.1]
    for t, z in zip(times, heights(times)):
        check(t, "REQUEST/1.F4", z + RADIUS, 2e-6, "between bounces, each by Runge-Kutta with steps of 2e-8")
    text = ",\n    ".join(json.dumps(c) for c in checks)
    (HERE / "expected.json").write_text(
        '{\n  "model": "billiard",\n  "command_file": "billiard.acf",\n'
        '  "source": "Coriolis; one equation for the bounces, reference.py",\n  "checks": [\n    ' + text + "\n  ]\n}\n")
    figure(rolls)


def figure(rolls):
    w, h = 460, 240
    x = lambda t: 50 + t / 1.2 * (w - 70)
    y = lambda v: h - 40 - v / 2 * (h - 70)
    slide = f"{x(0)},{y(V0)} {x(rolls)},{y(5 / 7 * V0)} {x(1.2)},{y(5 / 7 * V0)}"
    spin = f"{x(0)},{y(0)} {x(rolls)},{y(5 / 7 * V0)} {x(1.2)},{y(5 / 7 * V0)}"
    ts = [1.2 * k / 400 for k in range(401)]
    bounce = " ".join(f"{x(t):.1f},{y(10 * z):.1f}" for t, z in zip(ts, heights(ts)))
    (HERE / "figure.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" font-family="sans-serif" font-size="12">'
        f'<rect width="{w}" height="{h}" fill="white"/><path d="M50 20V{h - 40}H{w - 20}" fill="none" stroke="black"/>'
        f'<polyline points="{slide}" fill="none" stroke="#06c" stroke-width="2"/>'
        f'<polyline points="{spin}" fill="none" stroke="#06c" stroke-width="2" stroke-dasharray="5 4"/>'
        f'<polyline points="{bounce}" fill="none" stroke="#c30" stroke-width="1.5"/>'
        f'<text x="{w - 190}" y="{y(1.5)}" fill="#06c">v and R ω of the cue ball, m/s</text>'
        f'<text x="{w - 190}" y="{y(0.75)}" fill="#c30">height of the other, 0.1 m</text>'
        f'<text x="{w - 60}" y="{h - 20}">time, s</text><text x="30" y="{y(2)}">2</text><text x="30" y="{y(0)}">0</text></svg>\n')


if __name__ == "__main__":
    main()
