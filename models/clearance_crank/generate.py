#!/usr/bin/env python3
"""Write clearance_crank.adm: the slider-crank of Flores et al. with play between rod and slider, and without it."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num  # noqa: E402

CRANK, ROD, SPEED, G = 0.05, 0.12, 5000 * 2 * math.pi / 60, 9.81
MASS_CRANK, MASS_ROD, MASS_SLIDER, J_CRANK, J_ROD = 0.3, 0.21, 0.14, 1e-4, 2.5e-4
ASIDE = 1e-6  # at the start: the force has no direction where both middles are one
PLAY, K, EXPONENT, DAMPING, DMAX = 5e-4, 6.61e10, 1.5, 400.0, 1e-6


def mechanism(n, z, aside, last):
    """Parts n, n + 1, n + 2 in the plane at z, the slider `aside` of the rod's end; `last`: what joins both."""
    o = ["MARKER/%d, PART = 1, QP = 0, 0, %s\nMARKER/%d, PART = 1, QP = 0.17, 0, %s, REULER = 90D, 90D, 0D\n"
         % (10 * n + 5, num(z), 10 * n + 6, num(z)),
         "!                     adams_view_name='crank'\n",
         "PART/%d, MASS = %s, CM = %d, IP = 1E-4, 1E-4, %s, QG = %s, 0, %s, WZ = %s, VY = %s\n"
         % (n, num(MASS_CRANK), 10 * n, num(J_CRANK), num(CRANK / 2), num(z), num(SPEED), num(SPEED * CRANK / 2)),
         "MARKER/%d, PART = %d\n" % (10 * n, n),
         "MARKER/%d, PART = %d, QP = %s, 0, 0\n" % (10 * n + 1, n, num(-CRANK / 2)),
         "MARKER/%d, PART = %d, QP = %s, 0, 0\n" % (10 * n + 2, n, num(CRANK / 2)),
         "JOINT/%d, REVOLUTE, I = %d, J = %d\nMOTION/%d, JOINT = %d, ROTATION, FUNCTION = %s*TIME\n"
         % (n, 10 * n + 1, 10 * n + 5, n, n, num(SPEED)),
         "!                     adams_view_name='rod'\n",
         "PART/%d, MASS = %s, CM = %d, IP = 2E-4, 2E-4, %s, QG = %s, 0, %s, WZ = %s, VY = %s\n"
         % (n + 1, num(MASS_ROD), 10 * n + 10, num(J_ROD), num(CRANK + ROD / 2), num(z), num(-SPEED * CRANK / ROD),
            num(SPEED * CRANK / 2)),
         "MARKER/%d, PART = %d\n" % (10 * n + 10, n + 1),
         "MARKER/%d, PART = %d, QP = %s, 0, 0\n" % (10 * n + 11, n + 1, num(-ROD / 2)),
         "MARKER/%d, PART = %d, QP = %s, 0, 0\n" % (10 * n + 12, n + 1, num(ROD / 2)),
         "JOINT/%d, REVOLUTE, I = %d, J = %d\n" % (n + 1, 10 * n + 11, 10 * n + 2),
         "!                     adams_view_name='slider'\n",
         "PART/%d, MASS = %s, CM = %d, IP = 1E-4, 1E-4, 1E-4, QG = %s, 0, %s\n"
         % (n + 2, num(MASS_SLIDER), 10 * n + 20, num(CRANK + ROD - aside), num(z)),
         "MARKER/%d, PART = %d\nMARKER/%d, PART = %d, REULER = 90D, 90D, 0D\n" % (10 * n + 20, n + 2, 10 * n + 21, n + 2),
         "JOINT/%d, TRANSLATIONAL, I = %d, J = %d\n" % (n + 2, 10 * n + 21, 10 * n + 6), last]
    return "".join(o)


def deck():
    r, v = "DM(32,40)", "VR(32,40)"
    return ("Slider-crank with play between rod and slider, and without\n!                     adams_view_name='clearance_crank'\n"
            "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\nPART/1, GROUND\n"
            + mechanism(2, 0, ASIDE, "!                     adams_view_name='bearing'\n"
                              "SFORCE/1, TRANSLATION, I = 32, J = 40\n"
                              ", FUNCTION = -IMPACT(%s-%s, -%s, 0, %s, %s, %s, %s)\n!\n"
                        % (num(PLAY), r, v, num(K), num(EXPONENT), num(DAMPING), num(DMAX)))
            + mechanism(5, 0.1, 0, "JPRIM/1, INLINE, I = 62, J = 79\nMARKER/79, PART = 7\n!\n")
            + "REQUEST/1, F2 = DX(40)\\F3 = VX(40)\\F4 = ACCX(40)\\F6 = %s\\F8 = SFORCE(1,0,1,0)\n" % r
            + "REQUEST/2, F2 = DX(70)\\F3 = VX(70)\\F4 = ACCX(70)\n!\n"
            + "ACCGRAV/JGRAV = %s\nINTEGRATOR/GSTIFF, SI2, ERROR = 1E-12\nEND\n" % num(-G))


if __name__ == "__main__":
    with open(os.path.join(HERE, "clearance_crank.adm"), "w") as f:
        f.write(deck())
