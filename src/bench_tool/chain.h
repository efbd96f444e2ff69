// The hanging chain of models/chain in any length: the text that models/chain/generate.py writes.
#pragma once

#include <string>

#include <fmt/format.h>

namespace trammel::bench {

enum class ChainJoint { ball, revolute };

/// Dataset of N links: on ball joints with 3N degrees of freedom, 6N coordinates, 3N multipliers, or on
/// revolute joints about the y axis, with N degrees of freedom and 5N multipliers.
/// The counter tests hold chain_deck(10) to models/chain/chain.adm, character by character.
inline std::string chain_deck(int links, ChainJoint joint = ChainJoint::ball) {
  const bool ball = joint == ChainJoint::ball;
  const std::string turned = ball ? "" : ", REULER = 0, 90D, 0\n";  // their z axis is along y
  const std::string joint_name = ball ? "ball" : "revolute";
  const auto name = [](const std::string& s) {
    return "!                               adams_view_name='" + s + "'\n";
  };
  // Python's str.center: of an odd rest, the larger half goes to the right for an odd length of the text.
  const auto head = [](const std::string& s) {
    const std::string text = " " + s + " ";
    const std::size_t width = 78, rest = width - text.size(), left = rest / 2 + (rest & width & 1);
    return "!" + std::string(left, '-') + text + std::string(rest - left, '-') + "\n!\n";
  };
  std::string o = fmt::format("Chain of {} links on {} joints\n!\n", links, joint_name);
  o += "! Link i is PART/i+1 with its frame in the centre and x along the link;\n"
       "! markers: 10p centre, 10p+1 near end, 10p+2 far end.\n!\n";
  o += head("SYSTEM UNITS") +
       "UNITS/\n, FORCE = NEWTON\n, MASS = KILOGRAM\n, LENGTH = METER\n, TIME = SECOND\n!\n";
  o += head("PARTS") + name("ground") + "PART/1\n, GROUND\n!\n" + name("origin") + "MARKER/10\n, PART = 1\n" +
       turned + "!\n";
  for (int i = 1; i <= links; ++i) {
    const int p = i + 1;
    o += name(fmt::format("link_{}", i));
    o += fmt::format(
        "PART/{}\n, QG = {:.10g}, 0, 0\n, MASS = 0.1\n, CM = {}\n, IP = 5.0E-6, 8.583333333333333E-5, "
        "8.583333333333333E-5\n!\n",
        p, 0.1 * i - 0.05, 10 * p);
    o += fmt::format("MARKER/{}\n, PART = {}\n!\n", 10 * p, p);
    o += fmt::format("MARKER/{}\n, PART = {}\n, QP = -0.05, 0, 0\n{}!\n", 10 * p + 1, p, turned);
    o += fmt::format("MARKER/{}\n, PART = {}\n, QP = 0.05, 0, 0\n{}!\n", 10 * p + 2, p, turned);
  }
  o += head("CONSTRAINTS");
  for (int i = 1; i <= links; ++i) {
    const int p = i + 1;
    o += name(fmt::format("{}_{}", joint_name, i));
    o += fmt::format("JOINT/{}\n, {}\n, I = {}\n, J = {}\n!\n", i, ball ? "SPHERICAL" : "REVOLUTE",
                     10 * p + 1, i > 1 ? 10 * (p - 1) + 2 : 10);
  }
  o += head("GRAVITATIONAL ACCELERATION") + "ACCGRAV/\n, KGRAV = -9.80665\n!\n";
  const int tip = 10 * (links + 1) + 2;
  o += head("OUTPUT REQUESTS") + name("tip_position");
  o += fmt::format("REQUEST/1\n, DISPLACEMENT\n, I = {}\n, J = 10\n!\n", tip);
  o += name("tip_velocity") + fmt::format("REQUEST/2\n, VELOCITY\n, I = {}\n, J = 10\n!\n", tip);
  o += head("OUTPUT CONTROL") + "OUTPUT/\n, REQSAVE\n!\nRESULTS/\n, XRF\n!\nEND\n";
  return o;
}

}  // namespace trammel::bench
