"""Writer of datasets, shared by the generate.py scripts of the models of any size.

Standard library only. A Deck collects statements in the style of Adams View and
writes PREFIX.adm and PREFIX.acf.
"""
import argparse
import math
import os


def num(x):
    """A number with the digits that give it back; -0 is 0."""
    x = float(x)
    if x == 0:
        return "0"
    s = "%.15g" % x
    return s if float(s) == x else "%.17g" % x


def nums(values):
    return ", ".join(num(v) for v in values)


def euler(x, y, z):
    """Body 3-1-3 angles of a frame with these axes (ground axes)."""
    if abs(z[0]) + abs(z[1]) < 1e-14 and z[2] > 0:
        return math.atan2(x[1], x[0]), 0.0, 0.0
    if abs(z[0]) + abs(z[1]) < 1e-14:
        return math.atan2(x[1], x[0]), math.pi, 0.0
    return math.atan2(z[0], -z[1]), math.atan2(math.hypot(z[0], z[1]), z[2]), math.atan2(x[2], y[2])


class Deck:
    def __init__(self, title, comment=""):
        self.out = [title + "\n!\n"]
        for line in comment.strip().splitlines():
            self.out.append(("! " + line).rstrip() + "\n")
        self.head("SYSTEM UNITS")
        self.out.append("UNITS/\n, FORCE = NEWTON\n, MASS = KILOGRAM\n, LENGTH = METER\n, TIME = SECOND\n!\n")
        self.count = {}

    def head(self, text):
        self.out.append("!" + (" " + text + " ").center(78, "-") + "\n!\n")

    def add(self, kind, number, name, *arguments):
        """One statement, an argument a line; empty arguments are left out."""
        self.count[kind] = self.count.get(kind, 0) + 1
        if name:
            self.out.append("!                               adams_view_name='%s'\n" % name)
        self.out.append("%s/%s\n" % (kind, number) + "".join(", %s\n" % a for a in arguments if a) + "!\n")

    def ground(self):
        self.head("PARTS")
        self.add("PART", 1, "ground", "GROUND")

    def part(self, number, name, place, mass, inertia, cm, euler=None, velocity=None, spin=None):
        """Body with its frame at place (ground axes), turned by 3-1-3 angles; velocity of the centre of mass in
        ground axes, spin in the axes of the CM marker."""
        self.add("PART", number, name, "QG = " + nums(place),
                 "REULER = " + nums(euler) if euler and any(euler) else "",
                 "MASS = " + num(mass), "CM = %d" % cm, "IP = " + nums(inertia),
                 ", ".join("V%s = %s" % (a, num(v)) for a, v in zip("XYZ", velocity)) if velocity else "",
                 ", ".join("W%s = %s" % (a, num(v)) for a, v in zip("XYZ", spin)) if spin else "")

    def marker(self, number, part, place=(0, 0, 0), euler=None, name=""):
        self.add("MARKER", number, name, "PART = %d" % part,
                 "QP = " + nums(place) if any(place) else "",
                 "REULER = " + nums(euler) if euler and any(euler) else "")

    def joint(self, number, kind, i, j, name="", statement="JOINT"):
        self.add(statement, number, name, kind, "I = %d" % i, "J = %d" % j)

    def finish(self, gravity=9.80665):
        self.head("GRAVITATIONAL ACCELERATION")
        self.out.append("ACCGRAV/\n, KGRAV = %s\n!\n" % num(-gravity))
        self.head("OUTPUT CONTROL")
        self.out.append("OUTPUT/\n, REQSAVE\n!\nRESULTS/\n, XRF\n!\nEND\n")

    def text(self):
        return "".join(self.out)


def options(doc, out, end, steps, error):
    """Parser with the options that all generators have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = out or "the dataset to standard output"
    parser.add_argument("--out", default=out, metavar="PREFIX", help="write PREFIX.adm and PREFIX.acf (%s)" % where)
    parser.add_argument("--end", type=float, default=end, help="end time, s (%(default)s)")
    parser.add_argument("--steps", type=int, default=steps, help="output steps (%(default)s)")
    parser.add_argument("--error", type=float, default=error, help="ERROR of the integrator (%(default)s)")
    return parser


def write(text, arguments, integrator=""):
    """PREFIX.adm with the text of the dataset, PREFIX.acf with one simulation."""
    prefix = arguments.out[:-4] if arguments.out.endswith((".adm", ".acf")) else arguments.out
    name = os.path.basename(prefix)
    with open(prefix + ".adm", "w") as f:
        f.write(text)
    with open(prefix + ".acf", "w") as f:
        f.write("%s\n%s\nINTEGRATOR/HHT, ERROR=%s%s\nSIMULATE/DYNAMIC, END=%s, STEPS=%d\nSTOP\n"
                % (name, name, ("%.1E" % arguments.error).replace("E-0", "E-"), integrator, float(arguments.end),
                   arguments.steps))
