"""A stack of boxes at rest: each contact bears what is above it."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from generate import EDGE, G, K, MASS, heights  # noqa: E402
from refkit import Expected, Figure  # noqa: E402

N = 10

if __name__ == "__main__":
    ex = Expected("stack", "stack.acf", "weights, reference.py")
    z = heights(N)
    for t in (5.0, 10.0):
        for k in range(N):
            bears = (N - k) * MASS * G
            ex.add(t, "CONTACT/%d.FZ" % (k + 1), bears, 1e-3, "what is above it; 1e-9 of depth is 1e-3 N")
            ex.add(t, "CONTACT/%d.DEPTH" % (k + 1), bears / K, 1e-9, "weight over stiffness")
            ex.add(t, "CONTACT/%d.COUNT" % (k + 1), 1, 0, "one place")
            ex.add(t, "PART/%d.Z" % (k + 2), z[k], 1e-8, "sum of edges less depths")
            ex.add(t, "PART/%d.X" % (k + 2), 0.001, 5e-5, "creep of friction: README")
            ex.add(t, "PART/%d.Y" % (k + 2), 0.002, 5e-5, "creep of friction: README")
            for w in ("WX", "WY", "WZ"):
                ex.add(t, "PART/%d.%s" % (k + 2, w), 0, 1e-4, "at rest")
    ex.write(os.path.join(HERE, "expected.json"))
    f = Figure(-0.4, -0.1, 0.5, 1.05, 260)
    f.line((-0.3, 0), (0.4, 0), "#888", 3)
    for k in range(N):
        f.poly([(0, k * EDGE), (EDGE, k * EDGE), (EDGE, (k + 1) * EDGE), (0, (k + 1) * EDGE)], "#222", 1.5, "#cfe0f0", True)
        f.arrow((0.25, k * EDGE), (0.25, k * EDGE + 0.009 * (N - k)))
    f.write(os.path.join(HERE, "figure.svg"))
