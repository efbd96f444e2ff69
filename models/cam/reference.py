#!/usr/bin/env python3
"""Followers of a cam by its support function: writes expected.json and figure.svg. Needs Python alone.

p(a), the distance from the axis of the cam's tangent with the normal at the angle a, gives what a flat follower does in
closed form: its height is p(pi/2 - w t). The roller's middle is on the curve with the support p + r, at the distance
hypot(p + r, p') from the axis and the angle a + atan2(p', p + r); one equation says which a is on its ray. Newton's law
gives the forces, and these how deep the follower is in the cam, F/k.
"""
import json
import math

from generate import HERE, MASS, POINTS, PRESS, ROLLER, SPEED, depth_of, place, roller_at, support


def flat(t):
    """Height and force."""
    p, _, dd, _ = support(math.pi / 2 - SPEED * t)
    force = PRESS + MASS * SPEED**2 * dd
    return p - depth_of(force), force


def roller(t):
    angle, h = -SPEED * t, 1e-3
    r = [roller_at(angle + k * h)[0] for k in (-2, -1, 0, 1, 2)]
    bend = (-r[0] + 16 * r[1] - 30 * r[2] + 16 * r[3] - r[4]) / (12 * h * h)
    lean = math.cos(roller_at(angle)[1] - angle)
    force = (PRESS + MASS * SPEED**2 * bend) / lean
    return r[2] - depth_of(force) / lean, force


def main():
    checks = []
    for step in (10, 21, 30, 42, 55, 66, 78):
        t = 0.316 * step / 79
        for channel, force_channel, (x, force) in (("F2", "F4", flat(t)), ("F3", "F6", roller(t))):
            checks.append({"t": t, "channel": "REQUEST/1." + channel, "value": x, "tolerance": 2e-8,
                           "why": "support function, less F/k = 6e-7; cubics through %d points 2e-9, ERROR" % POINTS})
            checks.append({"t": t, "channel": "REQUEST/1." + force_channel, "value": force, "tolerance": 0.06,
                           "why": "Newton's law; the curvature of the cubics is good to 1e-5 m, 3e-3 N; SI2 controls velocities: accelerations scatter, 0.043 N were seen"})
    text = ",\n    ".join(json.dumps(c) for c in checks)
    with open(HERE + "/expected.json", "w") as f:
        f.write('{\n  "model": "cam",\n  "command_file": "cam.acf",\n'
                '  "source": "support function of the cam, reference.py",\n  "checks": [\n    ' + text + "\n  ]\n}\n")
    figure()


def figure():
    scale, cx, cy = 2200, 130, 150
    at = lambda x, y: "%.1f,%.1f" % (cx + scale * x, cy - scale * y)
    cam = " ".join(at(*place(2 * math.pi * k / 200)) for k in range(201))
    y, x = flat(0)[0], roller(0)[0]
    curves = ""
    for f, color in ((flat, "#06c"), (roller, "#c30")):
        line = " ".join("%.1f,%.1f" % (290 + 200 * k / 100, 330 - 5200 * f(0.314159 * k / 100)[0]) for k in range(101))
        curves += f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>'
    with open(HERE + "/figure.svg", "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 510 270" font-family="sans-serif" font-size="12">'
                f'<rect width="510" height="270" fill="white"/><polygon points="{cam}" fill="#eee" stroke="black"/>'
                f'<circle cx="{cx}" cy="{cy}" r="3"/>'
                f'<path d="M{at(-0.03, y)}L{at(0.03, y)}M{at(0, y)}L{at(0, y + 0.02)}" stroke="#06c" stroke-width="3"/>'
                f'<circle cx="{cx + scale * x}" cy="{cy}" r="{scale * ROLLER}" fill="none" stroke="#c30" stroke-width="2"/>'
                f'<path d="M290 40V230H490" fill="none" stroke="black"/>{curves}'
                f'<text x="290" y="30" fill="#06c">height of the flat follower</text>'
                f'<text x="290" y="250" fill="#c30">place of the roller, over one turn</text></svg>\n')


if __name__ == "__main__":
    main()
