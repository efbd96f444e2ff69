#!/usr/bin/env python3
"""Write V tracked vehicles as PREFIX.adm and PREFIX.acf.

  generate.py V [--shoes N] [--wheels W] [--speed S] [--travel L] [--plate] [--out PREFIX]

A vehicle is a hull on two loops of N shoes. A loop runs around a sprocket (rear), an
idler (front, on a carriage with a tensioning spring), W road wheels below, each on an
arm with a torsion spring, and carrier rollers above. Shoes touch wheels and ground
through VFORCEs with IMPACT; teeth push the pins along the sprocket. The sprockets are
driven by motions. Starts near equilibrium. README.md has the equations and the count.
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from deckkit import Deck, euler, num, options, write  # noqa: E402

GRAVITY, PITCH, TRACK = 9.80665, 0.15, 2.2            # m/s^2; m, shoe; m, distance of the loops
PLATE = 100.0                                         # kg, weighing plate
HULL, SHOE, WHEEL, ARM, END, CARRIAGE, CARRIER = 2400.0, 6.0, 20.0, 8.0, 60.0, 15.0, 8.0   # kg
WHEEL_RADIUS, CARRIER_RADIUS, ARM_LENGTH = 0.15, 0.08, 0.25                                # m
TENSION = 2.0e4                                       # N, in each strand
EXPONENT = 1.5
ROLL = dict(k=5.0e7, c=4.0e3, d=2.0e-3)               # wheel on shoe: N/m^1.5, N s/m, m
SOIL = dict(k=2.0e7, c=2.0e3, d=2.0e-3)               # pin on ground
TOOTH, TOOTH_DAMPING, TOOTH_HEIGHT = 4.0e4, 4.0e3, 0.03      # N, N s/m, m
FRICTION, CREEP = 0.7, 0.05                           # coefficient, m/s
TURN = (0, -math.pi / 2, 0)                           # z of a marker along y of its body


def depth(force, law):
    """Penetration at which IMPACT gives this force."""
    return (force / law["k"]) ** (1 / EXPONENT)


def impact(x, rate, at, law):
    return "IMPACT(%s,%s,%s,%g,%g,%g,%g)" % (x, rate, num(round(at, 12)), law["k"], EXPONENT, law["c"], law["d"])


class Loop:
    """Pins of a loop in the x-z plane, its lowest pins at z = 0: straight below from x = 0 forward, half circle about
    the idler, back above, half circle about the sprocket. All chords have one length, so it closes exactly."""

    def __init__(self, shoes):
        self.arc = max(3, round(shoes / 10))
        self.straight = shoes // 2 - self.arc
        self.radius = PITCH / (2 * math.sin(math.pi / (2 * self.arc)))       # of the pins around the end wheels
        self.flat = self.radius * math.cos(math.pi / (2 * self.arc))         # of the planes of the shoes
        self.length = self.straight * PITCH
        angle = [0.0] * self.straight + [(j + 0.5) * math.pi / self.arc for j in range(self.arc)]
        self.angle = angle + [math.pi + a for a in angle]
        pins = [(i * PITCH, 0.0) for i in range(self.straight)]
        pins += [(self.length + self.radius * math.sin(j * math.pi / self.arc),
                  self.radius * (1 - math.cos(j * math.pi / self.arc))) for j in range(self.arc)]
        self.pins = pins + [(self.length - x, 2 * self.radius - z) for x, z in pins]

    def centre(self, i):
        (x, z), (u, w) = self.pins[i], self.pins[(i + 1) % len(self.pins)]
        return (x + u) / 2, (z + w) / 2


class Vehicle:
    def __init__(self, d, k, number, first_part):
        self.d, self.k, self.v = d, k, number
        self.part_id, self.marker_id = first_part, 10000 * (number + 1) + 100 * k.shoes * number
        self.loop = Loop(k.shoes)
        self.wheels = k.wheels or max(3, self.loop.straight // 4 - 1)
        self.carriers = max(1, self.loop.straight // 10)
        self.joints, self.forces, self.masses = [], [], []
        carried = HULL + 2 * (2 * END + CARRIAGE + self.carriers * CARRIER + self.wheels * (WHEEL + ARM))
        self.mass = carried + 2 * k.shoes * SHOE
        self.load = carried * GRAVITY / (2 * self.wheels)                    # of a road wheel on its shoe
        self.pin_load = self.mass * GRAVITY / (2 * (self.loop.straight + 1))

    def marker(self, part, place=(0, 0, 0), turn=None):
        self.marker_id += 1
        self.d.marker(self.marker_id, part, place, turn)
        return self.marker_id

    def floating(self, part):
        self.marker_id += 1
        self.d.add("MARKER", self.marker_id, "", "PART = %d" % part, "FLOATING")
        return self.marker_id

    def body(self, name, place, mass, size, turn=None):
        """A box of the given size; (part, its CM marker)."""
        self.part_id += 1
        x, y, z = (s * s * mass / 12 for s in size)
        self.d.part(self.part_id, "v%d_%s" % (self.v, name), place, mass, (y + z, z + x, x + y),
                    self.marker_id + 1, turn)
        self.masses.append((mass, self.marker_id + 1))
        return self.part_id, self.marker(self.part_id)

    def revolute(self, name, part, place, other, other_place, kind="REVOLUTE"):
        i, j = self.marker(part, place, TURN), self.marker(other, other_place, TURN)
        self.joints.append((name, kind, i, j))
        return i, j

    def write_bodies(self, y, base):
        """Bodies and markers; joints and forces are noted. `base`: part that takes the forces on the ground."""
        loop = self.loop
        hull_z = 2 * loop.radius + 0.3
        self.hull, self.hull_cm = self.body("hull", (loop.length / 2, y, hull_z), HULL,
                                            (loop.length, 1.6, 0.8))
        self.base = base
        for side, offset in (("left", TRACK / 2), ("right", -TRACK / 2)):
            self.write_side(side, y + offset, offset, (loop.length / 2, y, hull_z))

    def write_side(self, side, y, offset, hull):
        loop, n = self.loop, len(self.loop.pins)
        on_hull = lambda x, z: (x - hull[0], offset, z - hull[2])            # noqa: E731
        shoe, front, back = [], [], []
        for i in range(n):
            (x, z), a = loop.centre(i), loop.angle[i]
            c, s = math.cos(a), math.sin(a)
            part, cm = self.body("%s_shoe_%d" % (side, i), (x, y, z), SHOE, (PITCH, 0.5, 0.03),
                                 euler((c, 0, s), (0, 1, 0), (-s, 0, c)))
            shoe.append((part, cm))
            back.append(self.marker(part, (-PITCH / 2, 0, 0), TURN))
            front.append(self.marker(part, (PITCH / 2, 0, 0), TURN))
        for i in range(n - 1):
            self.joints.append(("%s_pin_%d" % (side, i + 1), "REVOLUTE", back[i + 1], front[i]))
        self.joints.append(("%s_pin_0" % side, "INLINE", back[0], front[n - 1]))
        guide = self.marker(shoe[0][0], (0, 0, 0), TURN)
        self.joints.append(("%s_guide" % side, "PLANAR", guide,
                            self.marker(self.hull, on_hull(*loop.centre(0)), TURN)))
        top = 2 * loop.radius
        # end wheels
        x, z = 0.0, loop.radius
        sprocket, sprocket_cm = self.body("%s_sprocket" % side, (x, y, z), END, (2 * loop.flat, 0.2, 2 * loop.flat))
        drive, _ = self.revolute("%s_sprocket" % side, sprocket, (0, 0, 0), self.hull, on_hull(x, z))
        x = loop.length
        carriage, carriage_cm = self.body("%s_carriage" % side, (x, y, z), CARRIAGE, (0.3, 0.2, 0.2))
        ahead = (math.pi / 2, math.pi / 2, 0)                                # z of the marker along x
        i, j = self.marker(carriage, (0, 0, 0), ahead), self.marker(self.hull, on_hull(x, z), ahead)
        self.joints.append(("%s_carriage" % side, "TRANSLATIONAL", i, j))
        behind = self.marker(self.hull, on_hull(x - 0.4, z))
        self.forces.append(("SPRINGDAMPER", "%s_tensioner" % side, "TRANSLATION",
                            "I = %d" % carriage_cm, "J = %d" % behind, "K = 400000", "C = 8000",
                            "LENGTH = 0.4", "FORCE = %g" % (2 * TENSION)))
        idler, idler_cm = self.body("%s_idler" % side, (x, y, z), END, (2 * loop.flat, 0.2, 2 * loop.flat))
        self.revolute("%s_idler" % side, idler, (0, 0, 0), carriage, (0, 0, 0))
        # what a turn of the strand presses on the wheel, per shoe
        press = depth(2 * TENSION * math.sin(math.pi / (2 * loop.arc)), ROLL)
        reach = 2 + math.ceil(self.k.travel / PITCH)
        arc = loop.arc
        for wheel, at in ((idler_cm, loop.straight), (sprocket_cm, 2 * loop.straight + arc)):
            for i in range(at - reach, at + arc + reach):
                self.contact(wheel, shoe[i % n], loop.flat + press)
        teeth = self.marker(sprocket, (0, 0, 0), TURN)
        at = 2 * loop.straight + arc
        for i in range(at - reach, at + arc + 1 + reach):
            self.tooth(back[i % n], teeth, sprocket)
        # road wheels over the middles of shoes, carrier rollers under the middles of the upper ones
        for w in range(self.wheels):
            i = round((w + 0.5) * loop.straight / self.wheels - 0.5)
            x, z = loop.centre(i)[0], WHEEL_RADIUS
            arm, _ = self.body("%s_arm_%d" % (side, w), (x + ARM_LENGTH / 2, y, z), ARM, (ARM_LENGTH, 0.06, 0.06))
            on_arm, on_pivot = self.revolute("%s_arm_%d" % (side, w), arm, (ARM_LENGTH / 2, 0, 0), self.hull,
                                             on_hull(x + ARM_LENGTH, z))
            wheel, wheel_cm = self.body("%s_wheel_%d" % (side, w), (x, y, z), WHEEL, (0.26, 0.3, 0.26))
            self.revolute("%s_wheel_%d" % (side, w), wheel, (0, 0, 0), arm, (-ARM_LENGTH / 2, 0, 0))
            preload = -ARM_LENGTH * (self.load - (WHEEL + ARM / 2) * GRAVITY)
            self.forces.append(("SPRINGDAMPER", "%s_torsion_%d" % (side, w), "ROTATION", "I = %d" % on_arm,
                                "J = %d" % on_pivot, "KT = 4000", "CT = 300", "TORQUE = %s" % num(preload)))
            for s in range(i - reach, i + reach + 1):
                self.contact(wheel_cm, shoe[s % n], WHEEL_RADIUS + depth(self.load, ROLL))
        for w in range(self.carriers):
            i = loop.straight + arc + round((w + 0.5) * loop.straight / self.carriers - 0.5)
            x, z = loop.centre(i)[0], top - CARRIER_RADIUS
            roller, roller_cm = self.body("%s_carrier_%d" % (side, w), (x, y, z), CARRIER, (0.14, 0.3, 0.14))
            self.revolute("%s_carrier_%d" % (side, w), roller, (0, 0, 0), self.hull, on_hull(x, z))
            carried = SHOE * GRAVITY * loop.straight / (self.carriers + 1)
            for s in range(i - reach, i + reach + 1):
                self.contact(roller_cm, shoe[s % n], CARRIER_RADIUS + depth(carried, ROLL))
        sink = depth(self.pin_load, SOIL)
        more = reach - 1
        for i in range(-more, loop.straight + 1 + more):
            m = back[i % n]
            normal = impact("DZ(%d)" % m, "VZ(%d)" % m, sink, SOIL)
            slide = ["-%g*STEP(V%s(%d),-%g,-1,%g,1)" % (FRICTION, c, m, CREEP, CREEP) for c in "XY"]
            self.forces.append(("VFORCE", "", "I = %d" % m, "JFLOAT = %d" % self.floating(self.base),
                                "FXYZ = %s*[%s,%s,1]" % (normal, *slide)))
        self.drive = getattr(self, "drive", []) + [("%s_drive" % side, "%s_sprocket" % side)]

    def contact(self, wheel, shoe, radius):
        """Wheel on the plane of a shoe, while the foot of its centre lies on the shoe (with a soft edge)."""
        part, s = shoe
        args = "(%d,%d,%d)" % (wheel, s, s)
        on = "STEP(ABS(DX%s),%g,1,%g,0)" % (args, 0.3 * PITCH, 0.7 * PITCH)
        law = impact("DZ" + args, "VZ(%d,%d,%d,%d)" % (wheel, s, s, s), radius, ROLL)
        self.forces.append(("VFORCE", "", "I = %d" % wheel, "JFLOAT = %d" % self.floating(part), "RM = %d" % s,
                            "FZ = %s*%s" % (on, law)))

    def tooth(self, pin, teeth, sprocket):
        """Along the circle: -TOOTH sin(Z phi) - TOOTH_DAMPING * speed on a pin at the angle phi of the sprocket, fading
        out with its radius."""
        loop, m = self.loop, "(%d,%d,%d)" % (pin, teeth, teeth)
        rate = "(%d,%d,%d,%d)" % (pin, teeth, teeth, teeth)
        sign = "" if loop.arc % 2 == 0 else "-"
        far = "DM(%d,%d)" % (pin, teeth)
        self.forces.append(("VFORCE", "", "I = %d" % pin, "JFLOAT = %d" % self.floating(sprocket), "RM = %d" % teeth,
                            "FXYZ = (%s%g*SIN(%d*ATAN2(DY%s,DX%s))+%g*(DX%s*VY%s-DY%s*VX%s)/%s)*STEP(%s,%s,1,%s,0)/%s"
                            "*[DY%s,-DX%s,0]"
                            % (sign, TOOTH, 2 * loop.arc, m, m, TOOTH_DAMPING, m, rate, m, rate, far, far,
                               num(round(loop.radius, 12)),
                               num(round(loop.radius + TOOTH_HEIGHT, 12)), far, m, m)))


def momentum_balance(d, vehicles, ids):
    """What the ground gave a vehicle since the start, less the momentum it has: F2 along x, F4 along z; N s."""
    d.head("MOMENTUM: WHAT THE PLATE GAVE LESS WHAT THE BODIES HAVE")
    for v in vehicles:
        scale, n = ids[v.v, "scale"], 2 * v.v + 1
        for i, c in ((n, 2), (n + 1, 4)):
            given = "JOINT(%d,0,%d,0)" % (scale, c) + ("-%s" % num((v.mass + PLATE) * GRAVITY) if c == 4 else "")
            d.add("DIFF", i, "v%d_given_%s" % (v.v, "xz"[c == 4]), "FUNCTION = " + given)
        has = ["".join("-%g*V%s(%d)" % (mass, c, cm) + ("\n, " if b % 6 == 5 else "")
                       for b, (mass, cm) in enumerate(v.masses)) for c in "XZ"]
        d.add("REQUEST", 1000 + v.v, "v%d_balance" % v.v,
              "F2 = DIF(%d)%s\\" % (n, has[0]), "F4 = DIF(%d)%s\\" % (n + 1, has[1]))


def deck(k):
    plural = "s" if k.v > 1 else ""
    d = Deck("%d tracked vehicle%s, two loops of %d shoes each" % (k.v, plural, k.shoes),
             "x forward, z up; the pins of the lower strands start at z = 0. Vehicle v stands at y = 4 v.\n")
    d.ground()
    d.marker(1, 1, name="origin")
    part, vehicles = 1, []
    for v in range(k.v):
        vehicle = Vehicle(d, k, v, part)
        base = 1
        if k.plate:
            base, _ = vehicle.body("plate", (0, 4.0 * v, -0.2), PLATE, (6, 4, 0.2))
            i, j = vehicle.marker(base, (0, 0, 0.2)), vehicle.marker(1, (0, 4.0 * v, 0))
            vehicle.joints.append(("scale", "FIXED", i, j))
        vehicle.write_bodies(4.0 * v, base)
        part = vehicle.part_id
        vehicles.append(vehicle)
    d.head("CONSTRAINTS")
    number, ids = 0, {}
    for v in vehicles:
        for name, kind, i, j in v.joints:
            number += 1
            ids[v.v, name] = number
            d.joint(number, kind, i, j, "v%d_%s" % (v.v, name), "JPRIM" if kind == "INLINE" else "JOINT")
    turn = k.speed * 2 * math.pi / (2 * vehicles[0].loop.arc * PITCH)
    number = 0
    for v in vehicles:
        for name, joint in v.drive:
            number += 1
            d.add("MOTION", number, "v%d_%s" % (v.v, name), "JOINT = %d" % ids[v.v, joint], "VELOCITY",
                  "FUNCTION = STEP(TIME,%g,0,%g,%s)" % (k.start, k.start + 0.3, num(turn)))
    d.head("FORCES")
    numbers = {}
    for v in vehicles:
        for kind, name, *arguments in v.forces:
            numbers[kind] = numbers.get(kind, 0) + 1
            d.add(kind, numbers[kind], "v%d_%s" % (v.v, name) if name else "", *arguments)
    d.head("OUTPUT REQUESTS")
    for v in vehicles:
        d.add("REQUEST", v.v + 1, "hull_%d" % v.v, "DISPLACEMENT", "I = %d" % v.hull_cm)
    if k.plate:
        momentum_balance(d, vehicles, ids)
    d.finish(GRAVITY)
    return d.text(), vehicles


def main():
    a = options(__doc__, "tracked", 0.8, 80, 1e-5)
    a.add_argument("v", type=int, nargs="?", default=1, help="number of vehicles (%(default)s)")
    a.add_argument("--shoes", type=int, default=80, help="of a loop, even (%(default)s)")
    a.add_argument("--wheels", type=int, help="road wheels on a side")
    a.add_argument("--speed", type=float, default=1.0, help="of the tracks after 0.3 s of start, m/s (%(default)s)")
    a.add_argument("--start", type=float, default=0.3, help="time at which it sets out, s (%(default)s)")
    a.add_argument("--travel", type=float, default=0.6, help="path for which wheels find shoes, m (%(default)s)")
    a.add_argument("--plate", action="store_true", help="each vehicle stands on a weighing plate")
    k = a.parse_args()
    if k.v < 1 or k.shoes < 20 or k.shoes % 2 or k.travel < 0:
        a.error("V must be at least 1, N even and at least 20, L not negative")
    write(deck(k)[0], k)


if __name__ == "__main__":
    main()
