"""Tracked vehicle: balances that hold whatever the contacts do.

Weight on the plate, momentum given by the plate, symmetry, and the distance that the
tracks are laid out over. Masses come from generate.py, nothing is integrated.
"""
import os
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from generate import ARM_LENGTH, CARRIER_RADIUS, GRAVITY, PLATE, WHEEL_RADIUS, deck  # noqa: E402
from refkit import Expected, Figure  # noqa: E402

OPTIONS = SimpleNamespace(v=1, shoes=40, wheels=None, speed=1.0, start=0.3, travel=0.6, plate=True)
END, RAMP = 0.8, 0.3

if __name__ == "__main__":
    vehicle = deck(OPTIONS)[1][0]
    loop = vehicle.loop
    mass = sum(m for m, _ in vehicle.masses)
    assert abs(mass - vehicle.mass - PLATE) < 1e-9
    weight = mass * GRAVITY
    hull = "PART/%d" % vehicle.hull
    ex = Expected("tracked", "tracked.acf", "balances of weight and momentum, symmetry, rolling; reference.py")
    ex.add(0, "JOINT/1.FZ", weight, 1e-3,
           "every pin at the depth at which IMPACT carries its share; 12 digits of 1 mm")
    ex.add(0, "JOINT/1.FX", 0, 1e-6, "nothing slides")
    ex.add(0.3, "JOINT/1.FZ", weight, 0.04 * weight, "settled but for the ringing of the hull, measured 1.5 %")
    why = "momentum of all bodies against the impulse of the plate; 1e-5 of the 3.4e3 N s given"
    for t in (0.1, 0.3, 0.5, 0.7, 0.8):
        ex.add(t, "REQUEST/1000.F2", 0, 0.03, why)
        ex.add(t, "REQUEST/1000.F4", 0, 0.03, why)
        ex.add(t, hull + ".Y", 0, 1e-8, "left and right are mirror images")
        ex.add(t, hull + ".WZ", 0, 1e-6, "left and right are mirror images")
    # the hull starts to the rear of its place between the tracks by the slack of the teeth: none, they mesh at t = 0
    x0 = loop.length / 2
    ex.add(0.3, hull + ".X", x0, 2e-3, "the motions hold the sprockets; teeth and contacts give by some tenths of a mm")
    path = OPTIONS.speed * (END - OPTIONS.start - RAMP / 2)
    ex.add(END, hull + ".X", x0 + path, 0.05 * path,
           "path of the tracks; 1 - cos(pi/8) of the speed comes and goes with the corners of the sprocket, some creep")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-.6, -.25, 2.8, 1.35, 560)
    n = len(loop.pins)
    f.line((-.6, -.01), (2.8, -.01), "#999", 2)
    top = 2 * loop.radius
    pts = [(.0, top + .1), (2.1, top + .1), (2.3, top + .45), (.1, top + .6), (-.2, top + .4)]
    f.poly(pts, "#444", 1.5, "#e8ecf2", True)

    def circle(p, r, color="#b5651d"):
        x, y = f.p(p)
        f.body.append('<circle cx="%g" cy="%g" r="%g" fill="none" stroke="%s" stroke-width="2"/>' % (x, y, r * f.s, color))

    for p in ((0, loop.radius), (loop.length, loop.radius)):
        circle(p, loop.flat)
        f.pin(p)
    for w in range(vehicle.wheels):
        x = loop.centre(round((w + 0.5) * loop.straight / vehicle.wheels - 0.5))[0]
        circle((x, WHEEL_RADIUS), WHEEL_RADIUS)
        f.bar((x, WHEEL_RADIUS), (x + ARM_LENGTH, WHEEL_RADIUS), "#888", 4)
        f.pin((x + ARM_LENGTH, WHEEL_RADIUS), 3)
    for w in range(vehicle.carriers):
        i = loop.straight + loop.arc + round((w + 0.5) * loop.straight / vehicle.carriers - 0.5)
        circle((loop.centre(i)[0], top - CARRIER_RADIUS), CARRIER_RADIUS)
    for i in range(n):
        f.bar(loop.pins[i], loop.pins[(i + 1) % n], "#4c78a8", 5)
        f.dot(loop.pins[i], 2.5)
    f.text((-.55, -.2), "40 shoes: sprocket, idler on a tensioner, road wheels on arms, carrier roller", dx=0, dy=0)
    f.arrow((2.2, 1.2), (2.6, 1.2))
    f.write(os.path.join(HERE, "figure.svg"))
