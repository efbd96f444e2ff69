#!/usr/bin/env python3
"""The Princeton beam of solid elements, cut in N flexible bodies: errors against the table of reference.py.

  substructures.py PROGRAM [--numbers 1,2,4,8,16] [--faces surface|averaged|rigid] [--elements 64] [--keep FOLDER]

PROGRAM is the built trammel; ccx (CalculiX) must be installed. The strip is a mesh of bricks of 20 nodes (one across the
thickness, two across the height), clamped and loaded at the mean motion of its end faces. Standard library only.
"""
import argparse
import csv
import math
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from deckkit import num  # noqa: E402
from generate import E, HEIGHT, LENGTH, LOAD, POISSON, THICKNESS  # noqa: E402
from reference import LOADS, TABLE  # noqa: E402

CORNERS = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2))
MIDDLES = ((1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
           (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1))


def lines(numbers):
    return [", ".join(map(str, numbers[k:k + 10])) + ("," if k + 10 < len(numbers) else "")
            for k in range(0, len(numbers), 10)]


def mesh(path, nx, ny=1, nz=2):
    """x along the strip, y across its thickness, z across its height; sets ROOT and TIP."""
    ids, nodes, elements = {}, [], []

    def node(place):
        if place not in ids:
            ids[place] = len(ids) + 1
            i, j, k = place
            nodes.append("%d, %s, %s, %s" % (ids[place], num(LENGTH * i / (2 * nx)), num(THICKNESS * (j / (2 * ny) - 0.5)),
                                             num(HEIGHT * (k / (2 * nz) - 0.5))))
        return ids[place]

    for a in range(nx):
        for b in range(ny):
            for c in range(nz):
                at = [node((2 * a + x, 2 * b + y, 2 * c + z)) for x, y, z in CORNERS + MIDDLES]
                elements += lines([1 + (a * ny + b) * nz + c] + at)
    ends = ["*NSET, NSET=%s\n%s" % (name, "\n".join(lines([n for p, n in ids.items() if p[0] == i])))
            for name, i in (("ROOT", 0), ("TIP", 2 * nx))]
    with open(path, "w") as f:
        f.write("\n".join(["*NODE"] + nodes + ["*ELEMENT, TYPE=C3D20, ELSET=STRIP"] + elements + ends +
                          ["*MATERIAL, NAME=ALUMINIUM\n*ELASTIC\n%s, %s\n*DENSITY\n2700" % (num(E), num(POISSON)),
                           "*SOLID SECTION, ELSET=STRIP, MATERIAL=ALUMINIUM", ""]))


def run(program, n, faces, angle, folder):
    """REQUEST/1 at t = 1, 2, 3 of the strip in n bodies under loads at an angle."""
    subprocess.run([program, "flex", "cut", "strip.inp", "--parts", str(n), "--axis", "x", "--faces", faces,
                    "--surface", "9001=ROOT", "--surface", "9002=TIP", "--quiet", "-o", "strip%d" % n],
                   cwd=folder, check=True)
    if not os.path.exists(os.path.join(folder, "strip%d_1.mtx" % n)):
        subprocess.run(["sh", "strip%d.sh" % n], cwd=folder, check=True, env=dict(os.environ, TRAMMEL=program))
    with open(os.path.join(folder, "strip%d.adm" % n)) as f:
        text = f.read()
    marker = {}
    for line in text.splitlines():
        if line.startswith("MARKER/"):
            marker[line.split("NODE_ID = ")[1]] = line.split("/")[1].split(",")[0]
    root, tip = marker["9001"], marker["9002"]
    force = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    text = text.replace("ACCGRAV/KGRAV = -9.80665", "ACCGRAV/KGRAV = 0")
    text = text.replace("PART/1, GROUND\n", """PART/1, GROUND
MARKER/1, PART = 1
MARKER/2, PART = 1, QP = %s, 0, 0
MARKER/9, PART = 1, FLOATING
""" % num(LENGTH))
    text = text.replace("!\nEND\n", """!
JOINT/9001, FIXED, I = %s, J = 1
VFORCE/1, I = %s, JFLOAT = 9, RM = 1, FY = %s*%s\\ FZ = %s*%s
REQUEST/1, F2 = DY(%s,1,1)\\ F3 = DZ(%s,1,1)\\ F4 = %s-DX(%s,1,1)
END
""" % (root, tip, num(force[0]), LOAD, num(force[1]), LOAD, tip, tip, num(LENGTH), tip))
    with open(os.path.join(folder, "run.adm"), "w") as f:
        f.write(text)
    with open(os.path.join(folder, "run.acf"), "w") as f:
        f.write("run\nrun\nSIMULATE/STATIC, END = 3, STEPS = 12\nSTOP\n")
    subprocess.run([program, "run", "run.acf", "--quiet", "--formats", "csv"], cwd=folder, check=True, timeout=100)
    with open(os.path.join(folder, "run.csv")) as f:
        rows = list(csv.reader(f))
    at = {name.split(" ")[0]: k for k, name in enumerate(rows[0])}
    return {round(float(r[0])): [float(r[at["REQUEST/1." + c]]) for c in ("F2", "F3", "F4")]
            for r in rows[1:] if abs(float(r[0]) - round(float(r[0]))) < 1e-9}


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("program")
    a.add_argument("--numbers", default="1,2,4,8,16")
    a.add_argument("--faces", default="surface")
    a.add_argument("--elements", type=int, default=64)
    a.add_argument("--keep", help="folder for the files (default: a temporary one)")
    k = a.parse_args()
    program, folder = os.path.abspath(k.program), k.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    mesh(os.path.join(folder, "strip.inp"), k.elements)
    print("| bodies | angle | " + " | ".join("soft, %g N | stiff" % p for p in LOADS) + " |\n|---|---|" + "---|---|" * 3)
    table = {(load, angle): (soft, stiff) for load, angle, soft, stiff, _ in TABLE}
    for angle in (90, 45, 0):
        for n in map(int, k.numbers.split(",")):
            found = run(program, n, k.faces, angle, folder)
            cells = []
            for t, load in enumerate(LOADS, 1):
                for value, exact in zip(found[t], table[load, angle]):
                    cells.append("%+.2f %%" % (100 * (value / exact - 1)) if exact else "")
            print("| %d | %d | %s |" % (n, angle, " | ".join(cells)), flush=True)
    if not k.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
