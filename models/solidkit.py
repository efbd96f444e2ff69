"""Solid finite elements for the models with flexible bodies: meshes for CalculiX, its matrices, and their modes.

Standard library, but for matrices() and frequencies(), which need numpy and scipy. A mesh is a lattice of boxes some
of which are filled; it may be bent afterwards by giving its nodes other places. reduce() runs `ccx` (CalculiX, package
calculix-ccx) and `trammel flex reduce`; the program is TRAMMEL of the environment, or build/release/bin/trammel.
"""
import math
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORNERS = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2))
EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
NODES_OF = {"C3D8": 8, "C3D8I": 8, "C3D20": 20, "C3D20R": 20}


def number_text(x):
    """For CalculiX, which reads 20 characters of a number: of a longer one it loses the exponent."""
    text = "%.15g" % x
    return text if len(text) <= 20 else "%.12g" % x


class Solid:
    """Boxes between the planes xs, ys, zs; filled(i, j, k) says which. Lattice points are counted in half boxes."""

    def __init__(self, xs, ys, zs, filled=lambda i, j, k: True, element="C3D20",
                 young=2.1e11, poisson=0.3, density=7850.0):
        self.element, self.young, self.poisson, self.density = element, young, poisson, density
        planes = [[p for a, b in zip(g, g[1:]) for p in (a, (a + b) / 2)] + [g[-1]] for g in (xs, ys, zs)]
        self.number, self.node, self.elements, self.sets = {}, {}, [], {}
        for i in range(len(xs) - 1):
            for j in range(len(ys) - 1):
                for k in range(len(zs) - 1):
                    if filled(i, j, k):
                        self.elements.append(self._element((2 * i, 2 * j, 2 * k), planes))

    def _element(self, low, planes):
        corners = [tuple(l + c for l, c in zip(low, corner)) for corner in CORNERS]
        places = corners + [tuple((p + q) // 2 for p, q in zip(corners[a], corners[b])) for a, b in EDGES]
        out = []
        for place in places[:NODES_OF[self.element]]:
            if place not in self.number:
                self.number[place] = len(self.number) + 1
                self.node[self.number[place]] = tuple(g[p] for g, p in zip(planes, place))
            out.append(self.number[place])
        return out

    def move(self, place):
        """Every node p goes to place(p)."""
        self.node = {n: place(*p) for n, p in self.node.items()}

    def choose(self, name, inside):
        """A set of the nodes p for which inside(p); gives their numbers."""
        self.sets[name] = [n for n, p in sorted(self.node.items()) if inside(*p)]
        if not self.sets[name]:
            raise ValueError("no node is in " + name)
        return self.sets[name]

    def at(self, point):
        """The node nearest to a point."""
        return min(self.node, key=lambda n: math.dist(self.node[n], point))

    def inp(self):
        lines = ["*NODE, NSET=ALL"]
        lines += ["%d, %s" % (n, ", ".join(map(number_text, p))) for n, p in sorted(self.node.items())]
        lines.append("*ELEMENT, TYPE=%s, ELSET=SOLID" % self.element)
        for number, nodes in enumerate(self.elements, 1):
            words = [str(number)] + [str(n) for n in nodes]
            rows = [", ".join(words[k:k + 11]) for k in range(0, len(words), 11)]
            lines += [row + "," for row in rows[:-1]] + rows[-1:]
        for name, nodes in self.sets.items():
            lines.append("*NSET, NSET=" + name)
            lines += [", ".join(map(str, nodes[k:k + 12])) + "," for k in range(0, len(nodes), 12)]
        lines += ["*MATERIAL, NAME=M", "*ELASTIC", "%g, %g" % (self.young, self.poisson), "*DENSITY",
                  "%g" % self.density, "*SOLID SECTION, ELSET=SOLID, MATERIAL=M", "*STEP",
                  "*FREQUENCY, SOLVER=MATRIXSTORAGE", "1", "*END STEP"]
        return "\n".join(lines) + "\n"

    def _calculix(self, folder):
        with open(os.path.join(folder, "m.inp"), "w", encoding="ascii") as out:
            out.write(self.inp())
        done = subprocess.run(["ccx", "m"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if not os.path.exists(os.path.join(folder, "m.mas")):
            raise RuntimeError("CalculiX has made no matrices:\n" + done.stdout[-2000:])

    def reduce(self, path, *options):
        """Modes after Craig and Bampton, written to `path`; options of `trammel flex reduce`."""
        program = os.environ.get("TRAMMEL", os.path.join(ROOT, "build/release/bin/trammel"))
        with tempfile.TemporaryDirectory() as folder:
            self._calculix(folder)
            subprocess.run([os.path.abspath(program), "flex", "reduce", "m.inp", "-o", os.path.abspath(path), "--units",
                            "KILOGRAM,METER,SECOND,NEWTON", *map(str, options)], cwd=folder, check=True)

    def matrices(self):
        """K and M as sparse arrays, unknowns 3 (n - 1) + direction of node n; not of C3D8I, which has others."""
        import numpy as np
        from scipy.sparse import coo_array

        with tempfile.TemporaryDirectory() as folder:
            self._calculix(folder)
            place = []
            with open(os.path.join(folder, "m.dof"), encoding="ascii") as file:
                for word in file.read().split():
                    node, direction = word.split(".")
                    place.append(3 * (int(node) - 1) + int(direction) - 1)
            place, n, out = np.array(place), 3 * len(self.node), []
            for end in (".sti", ".mas"):
                i, j, value = np.loadtxt(os.path.join(folder, "m" + end), unpack=True)
                i, j = place[i.astype(int) - 1], place[j.astype(int) - 1]
                half = coo_array((np.where(i == j, value / 2, value), (i, j)), shape=(n, n)).tocsr()
                out.append(half + half.T)
        return out

    def positions(self):
        """Places of the nodes, a row each."""
        import numpy as np

        return np.array([self.node[n] for n in sorted(self.node)])


def free_modes(K, M, count):
    """The `count` modes of the free model with the lowest frequencies but the six rigid ones: ω², shapes of mass 1."""
    import numpy as np
    from scipy.sparse.linalg import eigsh

    size = K.diagonal().sum() / M.diagonal().sum()
    square, shape = eigsh(K.tocsc(), count + 6, M.tocsc(), sigma=-1e-9 * size, v0=np.ones(K.shape[0]))
    order = np.argsort(square)[6:]
    return square[order], shape[:, order]


def planes(low, high, boxes):
    """boxes + 1 equal steps from low to high."""
    return [low + (high - low) * k / boxes for k in range(boxes + 1)]
