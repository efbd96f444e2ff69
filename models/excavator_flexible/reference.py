#!/usr/bin/env python3
"""Equilibrium of the excavator with its boom bent by its loads, from the elements' stiffness matrix.

The forces of all pins follow from the equilibrium of bodies and cylinders in the plane (24 equations); they and its
weight bend the boom (K u = f of all elements, CalculiX and scipy, no modes). With the pins where that puts them the
loops are closed by the law of cosines (../excavator/reference.py), and so on until nothing changes. The cylinders'
forces are then derivatives of the potential energy by the strokes, at that shape. reference.py FOLDER draws the
program's results there.
"""
import importlib.util
import os
import sys

import numpy as np
from scipy.io import netcdf_file
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

import generate as g

HERE = os.path.dirname(os.path.abspath(__file__))
sys.modules["generate"] = g.excavator                    # what ../excavator/reference.py imports
SPEC = importlib.util.spec_from_file_location("closed_form", os.path.join(HERE, "..", "excavator", "reference.py"))
closed = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(closed)
from refkit import Expected, chart  # noqa: E402

G, ex = g.excavator.G, g.excavator
STROKES = ("boom", "stick", "bucket")


class Boom:
    """The finite elements, their pins as rigid points, the foot held."""

    def __init__(self):
        solid = g.boom()
        points = {n: solid.node.pop(n) for n in g.PINS}
        K, M = solid.matrices()
        x = solid.positions()
        n = len(x)
        owner = {node: k for k, pin in enumerate(g.PINS) for node in solid.sets[g.SETS[pin]]}
        rows, columns, values = [], [], []

        def put(row, column, value):
            rows.append(row)
            columns.append(column)
            values.append(value)

        free = 24                                        # unknowns 0 to 23: motions of the four points
        for p in range(n):
            k = owner.get(p + 1)
            if k is None:
                for d in range(3):
                    put(3 * p + d, free + d, 1.0)
                free += 3
                continue
            arm = x[p] - points[list(g.PINS)[k]]
            for d in range(3):
                put(3 * p + d, 6 * k + d, 1.0)
                for r in range(3):
                    turned = np.cross(np.eye(3)[r], arm)[d]
                    if turned:
                        put(3 * p + d, 6 * k + 3 + r, turned)
        self.T = coo_array((values, (rows, columns)), shape=(3 * n, free)).tocsr()
        self.K = (self.T.T @ K @ self.T).tocsc()[6:, 6:]
        self.M, self.each = M, np.kron(np.ones(n), np.eye(3)).T
        self.mass = (self.each[:, 0] @ (M @ self.each[:, 0]))
        self.centre = self.each.T @ (M @ x.ravel()) / self.mass

    def bent(self, gravity, forces):
        """Displacements of stick pin, boom_cyl, stick_cyl and the centre of mass (x, z) under forces at these pins,
        boom axes, seen from the foot."""
        f = self.T.T @ (self.M @ (self.each @ np.array([gravity.real, 0, gravity.imag])))
        for k, force in enumerate(forces, 1):
            f[6 * k] += force.real
            f[6 * k + 2] += force.imag
        u = np.concatenate([np.zeros(6), spsolve(self.K, f[6:])])
        centre = self.each.T @ (self.M @ (self.T @ u)) / self.mass
        return [complex(u[6 * k], u[6 * k + 2]) for k in (1, 2, 3)] + [complex(centre[0], centre[2])]


def pin_forces(frames, mass):
    """Of every pin, from its first body on its second."""
    z = closed.z
    at = lambda body, p: frames[body][0] + frames[body][1] * z(p)
    pins = [("", "boom", at("boom", (0, 0))), ("boom", "stick", at("stick", (0, 0))), ("stick", "bucket", at("bucket", (0, 0))),
            ("stick", "rocker", at("rocker", (0, 0))), ("rocker", "link", at("link", (0, 0))),
            ("link", "bucket", at("bucket", ex.BUCKET["link_pin"]))]
    for c, base, end in (("boom", "", "boom"), ("stick", "boom", "stick"), ("bucket", "stick", "rocker")):
        pins += [(base, c + "_cylinder", frames[c + "_barrel"][0]), (c + "_cylinder", end, frames[c + "_rod"][0])]
    bodies = ["boom", "stick", "bucket", "rocker", "link"] + [c + "_cylinder" for c in STROKES]
    A, b = np.zeros((24, 24)), np.zeros(24)
    for k, (first, second, p) in enumerate(pins):
        for body, sign in ((first, -1), (second, 1)):
            if body:
                row = 3 * bodies.index(body)
                A[row, 2 * k] = A[row + 1, 2 * k + 1] = sign
                A[row + 2, 2 * k:2 * k + 2] = -sign * p.imag, sign * p.real
    for name, (m, cm, _) in mass.items():
        if name == "chassis":
            continue
        row = 3 * bodies.index(name if name in bodies else name.split("_")[0] + "_cylinder")
        b[row + 1] += m * G
        b[row + 2] += m * G * at(name, cm).real
    F = np.linalg.solve(A, b)
    return {(first, second): complex(F[2 * k], F[2 * k + 1]) for k, (first, second, _) in enumerate(pins)}


def potential(s, mass):
    frames = closed.solve(np.asarray(s, float))[0]
    return sum(m * G * (frames[k][0] + frames[k][1] * closed.z(cm)).imag for k, (m, cm, _) in mass.items())


def equilibrium(boom, bends):
    """Forces of the cylinders, of the pins, and the place of the tip."""
    mass, pins = dict(MASS), dict(PINS)
    for _ in range(20):
        ex.BOOM.update(pins)
        frames, tip, _ = closed.solve(np.zeros(3))
        force = pin_forces(frames, mass)
        if not bends:
            break
        axes = frames["boom"][1]
        loads = [-force["boom", "stick"] / axes, force["boom_cylinder", "boom"] / axes, -force["boom", "stick_cylinder"] / axes]
        u = boom.bent(-1j * G / axes, loads)
        before, pins = pins, {k: (PINS[k][0] + d.real, PINS[k][1] + d.imag)
                              for k, d in zip(("stick_pin", "boom_cyl", "stick_cyl"), u)}
        mass["boom"] = (boom.mass, (boom.centre[0] + u[3].real, boom.centre[2] + u[3].imag), MASS["boom"][2])
        if max(abs(before[k][0] - pins[k][0]) + abs(before[k][1] - pins[k][1]) for k in pins) < 1e-13:
            break
    h, drive = 1e-4, []
    for k in range(3):
        e = np.eye(3)[k] * h
        V = [potential(c * e, mass) for c in (1, -1, 2, -2)]
        drive.append((8 * (V[0] - V[1]) - V[2] + V[3]) / (12 * h))
    ex.BOOM.update(PINS)
    return drive, force, tip


if __name__ == "__main__":
    elements = Boom()
    ex.MASS["boom"] = (elements.mass, (elements.centre[0], elements.centre[2]), ex.MASS["boom"][2])
    MASS, PINS = ex.bodies()[2], {k: ex.BOOM[k] for k in ("stick_pin", "boom_cyl", "stick_cyl")}
    for bends, name in ((False, "excavator_rigid"), (True, "excavator_flexible")):
        drive, force, tip = equilibrium(elements, bends)
        print("%-20s cylinders %s tip %s" % (name, np.array(drive), tip))
        expected = Expected(name, name + ".acf", "equilibrium with the elements' stiffness matrix, reference.py")
        why = ("of the bent boom (2.3 mm at the tip, 18 N in a cylinder), to second order in it" if bends else
               "closed form; SIMULATE/STATICS to the last digits")
        share = 2e-7 if bends else 1e-8
        rows = [("REQUEST/4.F%d" % (k + 2), f) for k, f in enumerate(drive)]
        for request, pin in ((11, force["", "boom"]), (12, force["boom", "stick"])):
            rows += [("REQUEST/%d.F2" % request, pin.real), ("REQUEST/%d.F4" % request, pin.imag)]
        for channel, value in rows:
            expected.add(0, channel, value, share * 187e3, why)
        for c, value in (("X", tip.real), ("Z", tip.imag)):
            expected.add(0, "REQUEST/2." + c, value, 4e-6 if bends else 1e-8, why)
        for channel, value in rows:
            expected.add(14, channel, value, 300, "strokes back at zero for 2.2 s, chassis settled, as in ../excavator")
        expected.write(os.path.join(HERE, name + ".expected.json"))
    if len(sys.argv) > 1:
        force = []
        for name in ("flexible", "rigid"):
            with netcdf_file(os.path.join(sys.argv[1], "excavator_%s.nc" % name), mmap=False) as run:
                force.append(dict(zip(run.variables["time"][:], run.variables["REQUEST_4"][:] / 1e3)))
        curves = [(name + "'s cylinder", color, [(t, force[0][t][k] - force[1][t][k]) for t in sorted(force[0])])
                  for k, (name, color) in enumerate((("boom", "#222"), ("stick", "#e45756"), ("bucket", "#4c78a8")), 1)]
        chart(os.path.join(HERE, "figure.svg"), curves, "s", "force with flexible boom less that with the rigid one, kN", 620, 280)
