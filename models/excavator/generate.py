#!/usr/bin/env python3
"""Write excavator.adm: geometry, closed to rounding, from a few dimensions.

Everything moves in the x-z plane (x forward, z up); angles count from +x towards
+z. Lengths in m, masses in kg. Only the standard library is used.
"""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
G = 9.80665

# pins in the frame of their body (x, z); every body frame sits in its main pin
CHASSIS = {"boom_foot": (0.20, 1.75), "boom_cyl": (0.85, 1.30)}
BOOM = {"stick_pin": (5.70, 0.0), "boom_cyl": (2.45, 0.35), "stick_cyl": (2.90, 1.05)}
STICK = {"bucket_pin": (2.90, 0.0), "stick_cyl": (-0.80, 0.30), "bucket_cyl": (0.25, 0.60),
         "rocker_pin": (2.45, 0.05)}
ROCKER_LENGTH, LINK_LENGTH = 0.62, 0.56
BUCKET = {"link_pin": (0.42 * math.cos(math.radians(120)), 0.42 * math.sin(math.radians(120))),
          "tip": (1.45, 0.0), "load": (0.75, 0.10)}
# start: absolute angles of boom, stick, bucket
START = {"boom": 38.0, "stick": -52.0, "bucket": -95.0}

# name: mass, centre (x, z), (Ixx, Iyy, Izz) about the centre in body axes
MASS = {
    "chassis": (15200, (-0.35, 1.15), (15000, 35000, 36000)),
    "boom": (1700, (2.70, 0.45), (260, 4900, 4750)),
    "stick": (850, (1.10, 0.15), (55, 800, 770)),
    "bucket": (750, (0.65, 0.12), (190, 210, 180)),
    "rocker": (60, (ROCKER_LENGTH / 2, 0), (0.6, 2.4, 2.2)),
    "link": (55, (LINK_LENGTH / 2, 0), (0.5, 1.9, 1.8)),
}
# cylinders: barrel mass, rod mass; centres at 0.30 L0 from the base pin and 0.30 L0
# from the rod end, slender
CYL = {"boom": (260, 160), "stick": (150, 100), "bucket": (110, 75)}
FEET = [(1.7, 1.2), (1.7, -1.2), (-1.7, 1.2), (-1.7, -1.2)]
K_FOOT, C_FOOT = (4.0e6, 4.0e6, 6.0e6), (8.0e4, 8.0e4, 1.0e5)

# strokes: sums of STEP5(TIME, t0, 0, t1, h)
STROKES = {
    "boom": [(0.5, 3.0, -0.32), (3.5, 6.5, 0.54), (9.5, 11.8, -0.22)],
    "stick": [(1.0, 5.0, 0.70), (6.5, 8.5, -0.20), (9.0, 11.8, -0.50)],
    "bucket": [(1.5, 5.5, 0.50), (7.5, 9.0, -0.60), (9.5, 11.8, 0.10)],
}


def at(o, a, p):
    return (o[0] + p[0] * math.cos(a) - p[1] * math.sin(a),
            o[1] + p[0] * math.sin(a) + p[1] * math.cos(a))


def circles(p, rp, q, rq, side):
    """intersection of two circles; side +1: to the left of p->q"""
    d = math.hypot(q[0] - p[0], q[1] - p[1])
    x = (d * d + rp * rp - rq * rq) / (2 * d)
    h = math.sqrt(rp * rp - x * x)
    u = ((q[0] - p[0]) / d, (q[1] - p[1]) / d)
    return (p[0] + x * u[0] - side * h * u[1], p[1] + x * u[1] + side * h * u[0])


def angle(p, q):
    return math.atan2(q[1] - p[1], q[0] - p[0])


def dist(p, q):
    return math.hypot(q[0] - p[0], q[1] - p[1])


def pose():
    """frames (origin, angle) of all bodies at the start"""
    rad = math.radians
    f = {"chassis": ((0.0, 0.0), 0.0)}
    f["boom"] = (CHASSIS["boom_foot"], rad(START["boom"]))
    f["stick"] = (at(*f["boom"], BOOM["stick_pin"]), rad(START["stick"]))
    f["bucket"] = (at(*f["stick"], STICK["bucket_pin"]), rad(START["bucket"]))
    v, x = at(*f["stick"], STICK["rocker_pin"]), at(*f["bucket"], BUCKET["link_pin"])
    w = circles(v, ROCKER_LENGTH, x, LINK_LENGTH, 1)
    f["rocker"], f["link"] = (v, angle(v, w)), (w, angle(w, x))
    ends = {"boom": (at(*f["chassis"], CHASSIS["boom_cyl"]), at(*f["boom"], BOOM["boom_cyl"])),
            "stick": (at(*f["boom"], BOOM["stick_cyl"]), at(*f["stick"], STICK["stick_cyl"])),
            "bucket": (at(*f["stick"], STICK["bucket_cyl"]), w)}
    for c, (p, q) in ends.items():
        f[c + "_barrel"], f[c + "_rod"] = (p, angle(p, q)), (q, angle(p, q))
    return f, {c: dist(p, q) for c, (p, q) in ends.items()}


def bodies():
    f, l0 = pose()
    m = dict(MASS)
    for c, (mb, mr) in CYL.items():
        ib, ir = mb * (0.6 * l0[c]) ** 2 / 12, mr * (0.6 * l0[c]) ** 2 / 12
        m[c + "_barrel"] = (mb, (0.30 * l0[c], 0), (0.004 * mb, ib, ib))
        m[c + "_rod"] = (mr, (-0.30 * l0[c], 0), (0.002 * mr, ir, ir))
    return f, l0, m


def foot_loads():
    """vertical load of the front and the rear feet at the start"""
    f, _, m = bodies()
    w = sum(v[0] for v in m.values()) * G
    mx = sum(v[0] * at(*f[k], v[1])[0] for k, v in m.items()) * G
    front = (w + mx / 1.7) / 4
    return front, w / 2 - front


ORDER = ["chassis", "boom", "stick", "bucket", "rocker", "link", "boom_barrel", "boom_rod",
         "stick_barrel", "stick_rod", "bucket_barrel", "bucket_rod"]
NUMBER = {k: i + 2 for i, k in enumerate(ORDER)}
PIN = "0D, 90D, 0D"            # z = -y: AZ counts like the angles above
LATERAL = "0D, -90D, 0D"       # z = +y
AXIAL = "90D, 90D, -90D"       # z = x of the body, y = y


def num(x):
    s = "%.16g" % (x if abs(x) > 1e-15 else 0.0)
    return s


def name(s):
    return "!                               adams_view_name='%s'\n" % s


def head(s):
    return "!" + (" " + s + " ").center(78, "-") + "\n!\n"


def deck():
    f, l0, m = bodies()
    o = ["Excavator of the 20 t class: a dig cycle of 12 s on soft ground\n"]
    o.append("""!
! Written by generate.py. SI units, x forward, y to the left, z up. Chassis on
! four bushings (tracks on soil), boom, stick, bucket with rocker and link, and
! three hydraulic cylinders driven by smooth strokes. Every body frame sits in
! its main pin with x along the member, y lateral. 12 moving parts, 66
! independent constraint equations, 6 degrees of freedom: those of the chassis.
!
""")
    o.append(head("SYSTEM UNITS") + "UNITS/\n, FORCE = NEWTON\n, MASS = KILOGRAM\n"
             ", LENGTH = METER\n, TIME = SECOND\n!\n")
    o.append(head("GROUND") + name("ground") + "PART/1\n, GROUND\n!\n")

    def marker(i, part, label, p=(0, 0), y=0.0, euler=None):
        s = name(label) + "MARKER/%d\n, PART = %d\n" % (i, part)
        if p != (0, 0) or y:
            s += ", QP = %s, %s, %s\n" % (num(p[0]), num(y), num(p[1]))
        if euler:
            s += ", REULER = %s\n" % euler
        return s + "!\n"

    o.append(marker(10, 1, "origin"))
    for k, (x, y) in enumerate(FEET, 1):
        o.append(marker(10 + k, 1, "soil_%d" % k, (x, 0), y))
    for i, label in ((15, "soil_float"), (16, "load_float")):
        o.append(name(label) + "MARKER/%d\n, PART = 1\n, FLOATING\n!\n" % i)

    def shaft(c, body):        # z along the cylinder at the start, y lateral
        a = f[c + "_barrel"][1] - f[body][1]
        return "90D, %s, -90D" % num(math.pi / 2 - a)

    extra = {
        "chassis": [(1, "boom_foot", CHASSIS["boom_foot"], PIN),
                    (2, "boom_cylinder_base", CHASSIS["boom_cyl"], shaft("boom", "chassis")),
                    (5, "chassis_reference", (0, 0), PIN)],
        "boom": [(1, "foot", (0, 0), PIN), (2, "stick_pin", BOOM["stick_pin"], PIN),
                 (3, "boom_cylinder_end", BOOM["boom_cyl"], None),
                 (4, "stick_cylinder_base", BOOM["stick_cyl"], shaft("stick", "boom"))],
        "stick": [(1, "stick_pin", (0, 0), PIN), (2, "bucket_pin", STICK["bucket_pin"], PIN),
                  (3, "stick_cylinder_end", STICK["stick_cyl"], None),
                  (4, "bucket_cylinder_base", STICK["bucket_cyl"], LATERAL),
                  (5, "rocker_pin", STICK["rocker_pin"], PIN)],
        "bucket": [(1, "bucket_pin", (0, 0), PIN), (2, "link_pin", BUCKET["link_pin"], PIN),
                   (3, "tip", BUCKET["tip"], None), (4, "load", BUCKET["load"], None)],
        "rocker": [(1, "rocker_pin", (0, 0), PIN), (2, "link_pin", (ROCKER_LENGTH, 0), PIN),
                   (3, "cylinder_end", (ROCKER_LENGTH, 0), LATERAL)],
        "link": [(1, "rocker_end", (0, 0), PIN), (2, "bucket_end", (LINK_LENGTH, 0), PIN)],
    }
    for c in ("boom", "stick", "bucket"):
        base = None if c == "bucket" else AXIAL
        extra[c + "_barrel"] = [(1, "base", (0, 0), base), (2, "bore", (0.6 * l0[c], 0), AXIAL)]
        extra[c + "_rod"] = [(1, "end", (0, 0), None), (2, "piston", (-0.4 * l0[c], 0), AXIAL)]
    for k in ORDER:
        p = NUMBER[k]
        (q, a), (mass, cm, ip) = f[k], m[k]
        s = head(k.replace("_", " ")) + name(k) + "PART/%d\n" % p
        if q != (0.0, 0.0):
            s += ", QG = %s, 0, %s\n" % (num(q[0]), num(q[1]))
        if a:
            s += ", REULER = 90D, %s, -90D\n" % num(-a)
        s += ", MASS = %s\n, CM = %d\n, IP = %s, %s, %s\n!\n" % (
            num(mass), 10 * p, num(ip[0]), num(ip[1]), num(ip[2]))
        s += marker(10 * p, p, k + "_centre", cm)
        for j, label, pt, e in extra[k]:
            s += marker(10 * p + j, p, k + "." + label, pt, 0.0, e)
        if k == "chassis":
            for j, (x, y) in enumerate(FEET, 1):
                s += marker(1000 + j, p, "chassis.foot_%d" % j, (x, 0), y)
        o.append(s)

    def mk(body, j):
        return 10 * NUMBER[body] + j

    o.append(head("PINS"))

    def joint(i, label, kind, a, b, prim=False):
        o.append(name(label) + "%s/%d\n, %s\n, I = %d\n, J = %d\n!\n"
                 % ("JPRIM" if prim else "JOINT", i, kind, a, b))

    joint(1, "boom_foot", "REVOLUTE", mk("boom", 1), mk("chassis", 1))
    joint(2, "stick_pin", "REVOLUTE", mk("stick", 1), mk("boom", 2))
    joint(3, "bucket_pin", "REVOLUTE", mk("bucket", 1), mk("stick", 2))
    joint(4, "rocker_pin", "REVOLUTE", mk("rocker", 1), mk("stick", 5))
    joint(5, "rocker_link_pin", "REVOLUTE", mk("link", 1), mk("rocker", 2))
    o.append("!                   closes the bucket linkage: two in-plane equations\n")
    joint(1, "link_bucket_pin", "INLINE", mk("link", 2), mk("bucket", 2), True)
    o.append(head("CYLINDERS"))
    for n, (c, basebody, j, endbody, e) in enumerate(
            (("boom", "chassis", 2, "boom", 3), ("stick", "boom", 4, "stick", 3),
             ("bucket", "stick", 4, "rocker", 3)), 1):
        b = c == "bucket"
        joint(10 * n + 1, c + "_cylinder_base", "UNIVERSAL" if b else "HOOKE",
              mk(c + "_barrel", 1), mk(basebody, j))
        joint(10 * n + 2, c + "_cylinder_slide", "CYLINDRICAL" if b else "TRANSLATIONAL",
              mk(c + "_rod", 2), mk(c + "_barrel", 2))
        joint(10 * n + 3, c + "_cylinder_end", "UNIVERSAL" if b else "SPHERICAL",
              mk(c + "_rod", 1), mk(endbody, e))
    o.append(head("DRIVES"))
    for n, c in enumerate(("boom", "stick", "bucket"), 1):
        terms = ["STEP5(TIME, %g, 0, %g, %g)" % (t0, t1, h) for t0, t1, h in STROKES[c]]
        o.append(name(c + "_stroke") + "MOTION/%d\n, JOINT = %d\n%s, FUNCTION = %s\n!\n"
                 % (n, 10 * n + 2, ", TRANSLATION\n" if c == "bucket" else "",
                    "\n, + ".join(terms)))
    o.append(head("GROUND CONTACT"))
    o.append("!         vertical preload = static load, so the run starts in equilibrium\n!\n")
    front, rear = foot_loads()
    for k, (x, y) in enumerate(FEET, 1):
        o.append(name("track_%d" % k) + "BUSHING/%d\n, I = %d\n, J = %d\n" % (k, 1000 + k, 10 + k)
                 + ", K = %g, %g, %g\n, C = %g, %g, %g\n" % (K_FOOT + C_FOOT)
                 + ", KT = 0, 0, 0\n, CT = 0, 0, 0\n, FORCE = 0, 0, %s\n, TORQUE = 0, 0, 0\n!\n"
                 % num(front if x > 0 else rear))
    o.append(head("WORK"))
    tip, load = mk("bucket", 3), mk("bucket", 4)
    o.append("!         the soil resists while the tip is low and the stick pulls in\n!\n"
             + name("dig_force")
             + "GFORCE/1\n, I = %d\n, JFLOAT = 15\n, RM = 10\n" % tip
             + ", FX = 45000*STEP(TIME, 1, 0, 2, 1)*STEP(TIME, 4.5, 1, 5.5, 0)\n"
             ", *STEP(DZ(%d,10), -0.2, 1, 0.6, 0)\\\n, FY = 0\\\n" % tip
             + ", FZ = 15000*STEP(TIME, 1, 0, 2, 1)*STEP(TIME, 4.5, 1, 5.5, 0)\n"
             ", *STEP(DZ(%d,10), -0.2, 1, 0.6, 0)\\\n, TX = 0\\\n, TY = 0\\\n, TZ = 0\\\n!\n" % tip)
    o.append("!         weight of the soil in the bucket until it is dumped\n!\n"
             + name("payload") + "VFORCE/1\n, I = %d\n, JFLOAT = 16\n, RM = 10\n" % load
             + ", FX = 0\\\n, FY = 0\\\n"
             ", FZ = -12000*STEP(TIME, 3, 0, 5.5, 1)*STEP(TIME, 7.5, 1, 8.5, 0)\\\n!\n")
    o.append(head("GRAVITATIONAL ACCELERATION") + "ACCGRAV/\n, KGRAV = -9.80665\n!\n")
    o.append(head("OUTPUT REQUESTS"))
    ref = mk("chassis", 5)
    o.append(name("tip_on_chassis") + "REQUEST/1\n, DISPLACEMENT\n, I = %d\n, J = %d\n"
             ", RM = 20\n!\n" % (tip, ref))
    o.append(name("tip_on_ground") + "REQUEST/2\n, DISPLACEMENT\n, I = %d\n, J = 10\n!\n" % tip)
    o.append("!         F2 boom to chassis, F3 stick to boom, F4 bucket to stick,\n"
             "!         F6 rocker to stick, F7 link to rocker\n!\n" + name("angles")
             + "REQUEST/3\n, F2 = AZ(%d,%d)\\\n, F3 = AZ(%d,%d)\\\n, F4 = AZ(%d,%d)\\\n"
             ", F6 = AZ(%d,%d)\\\n, F7 = AZ(%d,%d)\\\n!\n"
             % (mk("boom", 1), ref, mk("stick", 1), mk("boom", 2), mk("bucket", 1), mk("stick", 2),
                mk("rocker", 1), mk("stick", 5), mk("link", 1), mk("rocker", 2)))
    o.append("!         positive: the cylinder pushes. F2 boom, F3 stick, F4 bucket\n!\n"
             + name("cylinder_forces")
             + "REQUEST/4\n" + "".join(", F%d = MOTION(%d,0,4,%d)\\\n"
                                       % (n + 1, n, mk(c + "_barrel", 2))
                                       for n, c in enumerate(("boom", "stick", "bucket"), 1))
             + "!\n")
    o.append("!         strokes: F2 boom, F3 stick, F4 bucket\n!\n" + name("strokes")
             + "REQUEST/5\n" + "".join(", F%d = DZ(%d,%d,%d)\\\n"
                                       % (n + 1, mk(c + "_rod", 2), mk(c + "_barrel", 2),
                                          mk(c + "_barrel", 2))
                                       for n, c in enumerate(("boom", "stick", "bucket"), 1))
             + "!\n")
    for n, label in ((1, "boom_foot"), (2, "stick_pin"), (3, "bucket_pin")):
        o.append(name(label + "_force") + "REQUEST/%d\n" % (10 + n)
                 + "".join(", F%d = JOINT(%d,0,%d,0)\\\n" % (k, n, k) for k in (2, 3, 4)) + "!\n")
    o.append(head("OUTPUT CONTROL") + "OUTPUT/\n, REQSAVE\n!\nRESULTS/\n, XRF\n!\nEND\n")
    return "".join(o)


if __name__ == "__main__":
    with open(os.path.join(HERE, "excavator.adm"), "w") as out:
        out.write(deck())
    frames, lengths = pose()
    x = at(*frames["bucket"], BUCKET["link_pin"])
    w = at(*frames["rocker"], (ROCKER_LENGTH, 0))
    gap = dist(at(*frames["link"], (LINK_LENGTH, 0)), x) + dist(w, frames["link"][0])
    print("cylinder lengths", lengths, "closure", gap, "foot loads", foot_loads())
