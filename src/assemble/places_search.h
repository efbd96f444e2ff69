// What registers of expressions depend on, and how functions of places bend. Included by law_changes.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "assemble/bend.h"
#include "expression/arguments.h"
#include "expression/ops.h"
#include "model/model.h"

namespace trammel {

/// A constant number in a register; NaN: it holds none.
inline double constant_in(const Tape& tape, int r) {
  const Instruction& i = tape.code[r];
  return static_cast<Op>(i.op) == Op::constant ? tape.constants[i.a] : NAN;
}

/// Whether a power has the constant exponent 2.
inline bool is_square(const Tape& tape, const Instruction& power) {
  return constant_in(tape, argument_of(tape, power, 1)) == 2;
}

/// How deep expressions are looked into, through those of VARIABLEs: deeper than any that are written by
/// hand; the stack (8 MiB) bore some 26,000.
inline constexpr int most_depth = 2000;

/// Counts how deep a call is in itself.
class Depth {
 public:
  explicit Depth(int& depth) : depth_(depth) { ++depth_; }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  bool too_much() const { return depth_ > most_depth; }

 private:
  int& depth_;
};

/// What the registers of tapes depend on.
class PlacesSearch {
 public:
  /// Anything else, TIME alone or nothing, places and TIME, states with a rate and these.
  enum Of : unsigned char { other, time, places, states };

  explicit PlacesSearch(const Model& model) : model_(model), found_(model.tapes.size()) {}

  /// What a tape has in two registers depends on, or (end: −1) in one.
  Of of_both(int index, int x, int end) {
    const std::vector<Of>& found = of(index);
    return joined(found[x], end < 0 ? time : found[end]);
  }
  /// How a tape's functions of places bend.
  Bend bend_of(int index) {
    const std::vector<Of>& found = of(index);
    Bend most = Bend::none;
    for (std::size_t r = 0; r < found.size(); ++r)
      if (found[r] == places) most = std::max(most, bend_at(model_.tapes[index], found, r));
    return most;
  }

 private:
  /// How the operation of a register bends with those of its arguments that depend on places.
  static Bend bend_at(const Tape& tape, const std::vector<Of>& found, std::size_t r) {
    const Instruction& i = tape.code[r];
    const auto is_place = [&](int k) { return found[argument_of(tape, i, k)] == places; };
    const auto bent_if = [](bool bent) { return bent ? Bend::slight : Bend::none; };
    switch (static_cast<Op>(i.op)) {
      case Op::leaf:
      case Op::neg:
      case Op::add:
      case Op::sub:
        return Bend::none;
      case Op::mul:
        return bent_if(is_place(0) && is_place(1));
      case Op::div:
        return bent_if(is_place(1));
      case Op::pow:
        return is_square(tape, i) ? Bend::slight : Bend::as_stop;
      case Op::abs:
      case Op::atan:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh:
      case Op::exp:
      case Op::log:
      case Op::log10:
        return Bend::as_stop;
      default:
        return Bend::slight;
    }
  }

  static Of joined(Of a, Of b) { return a == other || b == other ? other : std::max(a, b); }

  /// Of each register of a tape.
  const std::vector<Of>& of(int index) {
    std::vector<Of>& out = found_[index];
    const Tape& tape = model_.tapes[index];
    if (!out.empty()) return out;
    out.resize(tape.code.size(), other);
    for (std::size_t r = 0; r < out.size(); ++r) {
      const Instruction& i = tape.code[r];
      const Op op = static_cast<Op>(i.op);
      if (op == Op::constant) out[r] = time;
      if (op == Op::leaf) out[r] = of_leaf(tape, tape.leaves[i.a]);
      if (op < Op::neg || op > Op::bistop) continue;
      out[r] = time;
      for (int k = 0; k < i.n; ++k) out[r] = joined(out[r], out[argument_of(tape, i, k)]);
    }
    return out;
  }

  Of of_leaf(const Tape& tape, const Leaf& leaf) {
    const Measure m = leaf.measure;
    if (m == Measure::time || m == Measure::mode) return time;
    if ((m >= Measure::dx && m <= Measure::incang) || m >= Measure::uvx) return places;
    const int state = m == Measure::state ? tape.states[leaf.index] : model_.scalar_count();
    if (state >= model_.scalar_count()) return other;
    const Scalar& s = model_.scalars[state];
    if (s.differential()) return states;
    const Depth depth(depth_);
    if (s.kind != ScalarKind::variable || s.tape < 0 || depth.too_much()) return other;
    return of(s.tape)[model_.tapes[s.tape].results[s.result]];
  }

  const Model& model_;
  std::vector<std::vector<Of>> found_;
  int depth_ = 0;
};

}  // namespace trammel
