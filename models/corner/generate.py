#!/usr/bin/env python3
"""Write trough.obj: a prism along x with a groove between slopes of 30 and 45 degrees that meet in the x axis."""
import math
import os

C30, C45 = math.cos(math.radians(30)), math.cos(math.radians(45))
PROFILE = ((0.3 * C30, 0.15), (0, 0), (-0.3 * C45, 0.3 * C45), (-0.3 * C45, -0.1), (0.3 * C30, -0.1))

if __name__ == "__main__":
    n = len(PROFILE)
    lines = ["v %s %.17g %.17g" % (x, y, z) for x in ("-0.2", "0.2") for y, z in PROFILE]
    lines += ["f %d %d %d %d" % (k + 1, (k + 1) % n + 1, (k + 1) % n + n + 1, k + n + 1) for k in range(n)]
    lines += ["f " + " ".join(str(k) for k in range(n, 0, -1)), "f " + " ".join(str(n + k) for k in range(1, n + 1))]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "trough.obj"), "w") as f:
        f.write("\n".join(lines) + "\n")
