#!/usr/bin/env python3
"""Writes a model of this folder, which is in metres, in millimetres: the same motion in other numbers.

    in_millimetres.py MODEL.adm OUT.adm

Forces stay in newtons, so torques are in N mm. Knows the statements that these models use; another one ends it
with its name. What functions measure is turned back into metres inside expressions, and their value into
the unit of the statement they drive.
"""
import os
import re
import sys

MEASURES = "DX|DY|DZ|DM|VX|VY|VZ|VM|VR|ACCX|ACCY|ACCZ|ACCM"
LENGTH, TORQUE, INERTIA = 1e3, 1e3, 1e6

# Factors of the numbers behind an argument: one for all, or one per number.
MIXED = [1, 1, 1, 1e3, 1e3, 1e3]
STIFFNESS = [1e-3] * 3 + [1] * 3, [1] * 3 + [1e3] * 3
FACTORS = {
    "PART": {"QG": LENGTH, "IP": INERTIA, "VX": LENGTH, "VY": LENGTH, "VZ": LENGTH},
    "FLEX_BODY": {"QG": LENGTH, "VX": LENGTH, "VY": LENGTH, "VZ": LENGTH},   # its file of modes names its own units
    "POINT_MASS": {"QG": LENGTH, "VX": LENGTH, "VY": LENGTH, "VZ": LENGTH},
    "MARKER": {"QP": LENGTH, "XP": LENGTH, "ZP": LENGTH},
    "ACCGRAV": {"IGRAV": LENGTH, "JGRAV": LENGTH, "KGRAV": LENGTH},
    "BUSHING": {"K": 1e-3, "C": 1e-3, "KT": TORQUE, "CT": TORQUE},
    "BEAM": {"LENGTH": LENGTH, "IXX": 1e12, "IYY": 1e12, "IZZ": 1e12, "AREA": 1e6, "EMODULUS": 1e-6,
             "GMODULUS": 1e-6},
    "FIELD": {"FORCE": MIXED, "LENGTH": [1e3] * 3 + [1] * 3,
              "KMATRIX": [r for k in range(6) for r in STIFFNESS[k // 3]],
              "CMATRIX": [r for k in range(6) for r in STIFFNESS[k // 3]]},
    "SPRINGDAMPER": {"K": 1e-3, "C": 1e-3, "LENGTH": LENGTH, "KT": TORQUE, "CT": TORQUE, "TORQUE": TORQUE},
    "JOINT": {"PD": LENGTH, "PITCH": LENGTH},
    "GFORCE": {}, "VFORCE": {}, "SFORCE": {}, "MOTION": {}, "GCON": {}, "VARIABLE": {}, "SENSOR": {}, "DIFF": {},
    "LSE": {}, "TFSISO": {}, "ARRAY": {}, "COUPLER": {}, "GEAR": {}, "CURVE": {}, "PTCV": {}, "CVCV": {},
    "JPRIM": {}, "MATRIX": {}, "REQUEST": {}, "OUTPUT": {}, "RESULTS": {}, "INTEGRATOR": {}, "UNITS": {},
}
EXPRESSIONS = {"FUNCTION", "EVALUATE", "FX", "FY", "FZ", "TX", "TY", "TZ"}
EXPRESSIONS |= {f"F{k}" for k in range(1, 9)}
TORQUES = {"TX", "TY", "TZ"}


def split(text):
    """The pieces between commas outside parentheses, and behind backslashes, which stand before their piece."""
    pieces, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "\\" or (c == "," and depth == 0):
            pieces.append(c.strip(","))
        else:
            pieces[-1] += c
    return pieces


class Statement:
    """Keyword, id, and arguments: pairs of a name and its value, which is None behind a flag."""

    def __init__(self, lines):
        head, _, rest = lines[0].partition("/")
        self.keyword = head.strip().upper()
        self.id, *first = split(rest)
        if "=" in self.id:  # UNITS/FORCE = NEWTON: none
            first.insert(0, self.id)
            self.id = ""
        self.arguments = []
        self.open = False  # the last argument is an expression that goes on
        for piece in first:
            self.add(piece)
        for line in lines[1:]:
            for piece in split(line.strip()[1:]) if not self.within_parentheses() else [line.strip()[1:]]:
                self.add(piece)

    def add(self, piece):
        if piece.startswith("\\"):
            self.open, piece = False, piece[1:]
        name = re.match(r"\s*([A-Z]\w*)\s*=(.*)", piece, re.I)
        if name:
            self.arguments.append([name[1].upper(), name[2].strip()])
            self.open = name[1].upper() in EXPRESSIONS
        elif re.fullmatch(r"\s*[A-Z_][A-Z_0-9]*\s*", piece, re.I):
            self.arguments.append([piece.strip().upper(), None])
            self.open = False
        elif piece.strip():  # the next line of an expression, or another number of a list
            self.arguments[-1][1] += (" " if self.open else ", ") + piece.strip()

    def within_parentheses(self):
        return self.open and self.arguments[-1][1].count("(") > self.arguments[-1][1].count(")")

    def flag(self, name):
        return any(a == [name, None] for a in self.arguments)

    def value(self, name):
        return next((v for n, v in self.arguments if n == name), None)

    def text(self):
        lines = [f"{self.keyword}/{self.id}"]
        for name, value in self.arguments:
            end = "\\" if name in EXPRESSIONS else ""
            lines += broken(f", {name}" + ("" if value is None else f" = {value}{end}"))
        return "\n".join(lines) + "\n"


def broken(line, width=1000):
    """A line in pieces of at most about the width, broken at spaces; the comma at the break goes on the line."""
    lines = []
    while len(line) > width:
        at = line.rindex(" ", 0, width)
        lines.append(line[:at].rstrip(","))
        line = ", " + line[at:].lstrip()
    return lines + [line]


def scaled(value, factors):
    numbers = value.split(",")
    if not isinstance(factors, list):
        factors = [factors] * len(numbers)
    return ", ".join(n.strip() if f == 1 else repr(float(n) * f) for n, f in zip(numbers, factors))


def arguments_of(text, begin):
    """Where the parenthesis that opens at `begin` closes, plus one."""
    depth = 0
    for k in range(begin, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return k + 1
    sys.exit("a parenthesis does not close: " + text)


def in_metres(expression):
    """The expression with all measures of length turned back into metres. Torques that it measures stay in N mm."""
    out, at = "", 0
    for found in re.finditer(rf"\b({MEASURES})\(", expression, re.I):
        end = arguments_of(expression, found.end() - 1)
        out += expression[at:found.start()] + f"(1E-3*{expression[found.start():end]})"
        at = end
    return out + expression[at:]


def is_length(statement, joints):
    """Whether a MOTION moves along, not about, its axis."""
    if statement.flag("TRANSLATION") or statement.flag("ROTATION"):
        return statement.flag("TRANSLATION")
    return "TRANSLATIONAL" in joints[statement.value("JOINT")]


def convert(statement, joints, curves, folder):
    if statement.keyword not in FACTORS:
        sys.exit(f"{statement.keyword}/{statement.id} is not known here")
    factors = FACTORS[statement.keyword]
    kind = statement.keyword
    for argument in statement.arguments:
        name, value = argument
        if value is None:
            continue
        if name in EXPRESSIONS and kind != "REQUEST":
            argument[1] = in_metres(value)
            if name in TORQUES or (kind == "SFORCE" and statement.flag("ROTATION")):
                argument[1] = f"1E3*({argument[1]})"
            if kind == "MOTION" and is_length(statement, joints):
                argument[1] = f"1E3*({argument[1]})"
        elif name in factors:
            argument[1] = scaled(value, factors[name])
        elif kind == "JOINT" and name == "IC" and statement.flag("TRANSLATIONAL"):
            argument[1] = scaled(value, LENGTH)
        elif kind == "COUPLER" and name == "SCALES":
            coupled = [joints[j.strip()] for j in statement.value("JOINTS").split(",")]
            argument[1] = scaled(value, [1 if "TRANSLATIONAL" in j else LENGTH for j in coupled])
        elif kind == "MATRIX" and name == "VALUES" and statement.id in curves:
            argument[1] = scaled(value, LENGTH)
        elif name == "MNF_FILE":
            argument[1] = os.path.join(folder, value)
        elif kind == "UNITS" and name == "LENGTH":
            argument[1] = "MILLIMETER"


def main(source, target):
    text = open(source).read().split("\n", 1)
    statements, end = [], []
    for line in text[1].splitlines():
        if line.lstrip().startswith(","):
            statements[-1].append(line)
        elif "/" in line and not line.lstrip().startswith("!"):
            statements.append([line])
        elif line.strip() and not line.lstrip().startswith("!"):
            end.append(line)
    statements = [Statement(lines) for lines in statements]
    joints = {s.id: [n for n, v in s.arguments if v is None] for s in statements if s.keyword == "JOINT"}
    curves = {s.value("MATRIX") for s in statements if s.keyword == "CURVE"}
    for s in statements:
        convert(s, joints, curves, os.path.dirname(os.path.abspath(source)))
    with open(target, "w") as out:
        out.write(text[0] + ", in millimetres\n" + "".join(s.text() for s in statements) + "\n".join(end) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
