// Eigenvalues and mode shapes of one LINEAR/EIGENSOL, as result files hold them.
#pragma once

#include <string>
#include <vector>

#include "base/archive.h"

namespace trammel {

/// Complex numbers are two doubles, real and imaginary part.
struct ModeSet {
  static constexpr std::size_t per_part = 12;  ///< X Y Z RX RY RZ of a part, complex

  int number = 0;                     ///< of the LINEAR in its run, from 1: PREFIX_linear_N.npz
  double time = 0;                    ///< where the model was linearised
  int states = 0;                     ///< how many eigenvalues there are, pairs counted twice
  std::vector<double> eigenvalue;     ///< [rad/time]; of a pair the one with a positive imaginary part
  std::vector<double> damping_ratio;  ///< −Re s/|s|
  std::vector<std::string> parts;     ///< "PART/2"; empty without shapes, as the next three
  std::vector<double> position;       ///< of their own frames (BCS), three each
  std::vector<double> axes;           ///< of these, nine each, row by row; columns are axes
  std::vector<double> shape;          ///< modes × parts × per_part [length, rad], of any size
  std::string text;                   ///< tables for people, as in the message file

  std::size_t modes() const { return damping_ratio.size(); }
  bool has_shapes() const { return !parts.empty(); }
  void archive(Archive& a) {
    a(number, time, states, eigenvalue, damping_ratio, parts, position, axes, shape, text);
  }
};

}  // namespace trammel
