#!/usr/bin/env python3
"""Write woodpecker.adm: the toy of Leine, Glocker and van Campen, on its limit cycle."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from deckkit import num  # noqa: E402

# radius of the pole; of the sleeve radius and half height; hinge and centre of mass of the bird; the beak from there
R_O, R_M, H_M, L_M, L_G, H_S, L_S = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
M_M, M_S, J_M, J_S, C_PHI, G = 3e-4, 4.5e-3, 5e-9, 7e-7, 0.0056, 9.81
NEWTON, MU = (0.5, 0.0, 0.0), 0.3  # restitution of speeds of beak, lower and upper edge of the sleeve
RESTITUTION = (0.65, 0.0, 0.0)  # of POISSON, which is of energy: with friction the beak comes back with half of its speed
PENALTY, STICK = 1e7, 1e-3
SMALL = 10000.0  # the equations of the publication are linear in the angles: arms this many times as long, angles as small
PUBLISHED = (-0.2788, -0.3411, -7.4583)  # angle of the bird, speed of the sleeve, rate of the bird, once a period


def deck():
    bird, v, w = PUBLISHED
    sleeve = -(R_M - R_O) / H_M  # its lower edge touches
    arm = lambda length: num(length * SMALL)
    o = ["Woodpecker on a pole\n!                     adams_view_name='woodpecker'\n",
         "UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\n!\n",
         "PART/1, GROUND\nMARKER/1, PART = 1\nMARKER/2, PART = 1, REULER = 0D, -90D, 0D\n"]
    for n, (name, x) in enumerate((("beak", (L_M + L_G - L_S) * SMALL - (L_M + L_G - L_S - R_O)),
                                   ("sleeve", R_M * SMALL - (R_M - R_O))), 3):
        o.append("!                     adams_view_name='pole_at_the_%s'\n" % name)
        o.append("MARKER/%d, PART = 1, QP = %s, 0, 0, REULER = 90D, 90D, 0D\n" % (n, num(x)))
        o.append("GRAPHICS/%d, PLANE, RM = %d, XMIN = -1, XMAX = 1, YMIN = -0.01, YMAX = 0.01\n" % (n, n))
    j_sleeve, j_bird = num(J_M * SMALL**2), num(J_S * SMALL**2)
    o += ["!                     adams_view_name='sleeve'\n",
          "PART/2, MASS = %s, CM = 20, IP = %s, %s, %s, REULER = %s, 0, 0, VY = %s\n"
          % (num(M_M), j_sleeve, j_sleeve, j_sleeve, num(sleeve / SMALL), num(v)),
          "MARKER/20, PART = 2\nMARKER/21, PART = 2, QP = %s, 0, 0\n" % arm(L_M),
          "MARKER/22, PART = 2, QP = %s, %s, 0\nMARKER/23, PART = 2, QP = %s, %s, 0\n" % (arm(R_M), arm(-H_M), arm(R_M), arm(H_M)),
          "GRAPHICS/22, POINT, RM = 22\nGRAPHICS/23, POINT, RM = 23\n",
          "JPRIM/1, INLINE, I = 20, J = 2\nJPRIM/2, PARALLEL_AXES, I = 20, J = 1\n",
          "!                     adams_view_name='bird'\n",
          "PART/3, MASS = %s, CM = 30, IP = %s, %s, %s\n" % (num(M_S), j_bird, j_bird, j_bird)]
    a, b, l_m, l_g = sleeve / SMALL, bird / SMALL, L_M * SMALL, L_G * SMALL
    o += [", QG = %s, %s, 0, REULER = %s, 0, 0\n" % (num(l_m * math.cos(a) + l_g * math.cos(b)),
                                                    num(l_m * math.sin(a) + l_g * math.sin(b)), num(b)),
          ", VX = %s, VY = %s, WZ = %s\n" % (num(-L_G * math.sin(b) * w), num(v + L_G * math.cos(b) * w), num(w / SMALL)),
          "MARKER/30, PART = 3\nMARKER/31, PART = 3, QP = %s, 0, 0\n" % arm(-L_G),
          "MARKER/32, PART = 3, QP = %s, %s, 0\nGRAPHICS/32, POINT, RM = 32\n" % (arm(-L_S), arm(H_S)),
          "JOINT/1, REVOLUTE, I = 31, J = 21\n",
          "SPRINGDAMPER/1, ROTATION, I = 31, J = 21, KT = %s, ANGLE = 0D\n!\n" % num(C_PHI * SMALL**2)]
    for n, (shape, pole, restitution) in enumerate(zip((32, 22, 23), (3, 4, 4), RESTITUTION), 1):
        o.append("CONTACT/%d, IGEOM = %d, JGEOM = %d, POISSON, PENALTY = %s, RESTITUTION_COEFFICIENT = %s\n"
                 % (n, shape, pole, num(PENALTY), num(restitution)))
        o.append(", COULOMB_FRICTION = ON, MU_STATIC = %s, MU_DYNAMIC = %s\n" % (num(MU), num(MU)))
        o.append(", STICTION_TRANSITION_VELOCITY = %s, FRICTION_TRANSITION_VELOCITY = %s\n" % (num(STICK), num(2 * STICK)))
    o.append("!\n!                     adams_view_name='once_a_period'\n")
    for n, what in enumerate(("TIME", "DY(20)", "VY(20)", "%s*WZ(30)" % num(SMALL)), 1):
        o.append("SENSOR/%d, FUNCTION = %s*AZ(30,1), VALUE = %s, ERROR = 1E-9, LE, EVALUATE = %s\n" % (n, num(SMALL), num(bird), what))
    o.append("REQUEST/1, F2 = DY(20)\\F3 = %s*AZ(20,1)\\F4 = %s*AZ(30,1)\\F6 = VY(20)\\F7 = %s*WZ(20)\\F8 = %s*WZ(30)\n"
             % ((num(SMALL),) * 4))
    o.append("REQUEST/2, F2 = SENVAL(1)\\F3 = SENVAL(2)\\F4 = SENVAL(3)\\F6 = SENVAL(4)\n")
    o.append("!\nACCGRAV/JGRAV = %s\nINTEGRATOR/GSTIFF, SI2, ERROR = 1E-9\nEND\n" % num(-G))
    return "".join(o)


if __name__ == "__main__":
    with open(os.path.join(HERE, "woodpecker.adm"), "w") as f:
        f.write(deck())
