// The compiled form of a function expression: 16-byte instructions over one table of operations, whose leaves
// are measures of markers, states and time.
//
// Instruction k writes register k (single assignment), so a reverse sweep over the executed instructions
// computes all derivatives at once. The inputs are listed in `markers`, `states` and `rates`, so the sparsity
// pattern is known before evaluation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expression/marker_kinematics.h"

namespace trammel {

/// One operation (op: Op, expression/ops.h): n argument registers a, b, c, or, if n > 3, a = index of the
/// first of n consecutive entries of `Tape::arguments`. Without argument registers: see `Op`. 16 bytes.
struct Instruction {
  std::uint16_t op = 0;
  std::uint16_t n = 0;
  std::int32_t a = 0, b = 0, c = 0;
};
static_assert(sizeof(Instruction) == 16);

/// The quantity of a leaf. Angle functions count revolutions.
enum class Measure : std::uint16_t {
  time,
  mode,
  state,
  rate,
  dx,
  dy,
  dz,
  dm,
  ax,
  ay,
  az,
  psi,
  theta,
  phi,
  yaw,
  pitch,
  roll,
  incang,
  vx,
  vy,
  vz,
  vm,
  vr,
  wx,
  wy,
  wz,
  wm,
  accx,
  accy,
  accz,
  accm,
  wdtx,
  wdty,
  wdtz,
  wdtm,
  uvx,
  uvy,
  uvz,             ///< component `component` (0..2) of the unit axis of marker i, seen in marker j
  euler_parameter  ///< ORIENT(27, component+1, i, j)
};

/// A measure with its operands. marker[]: i, j, k, l as indices in Tape::markers. index: index in
/// Tape::states or Tape::rates (state, rate), in Tape::angles (ax, ay, az).
struct Leaf {
  Measure measure = Measure::time;
  std::int16_t component = 0;
  std::int32_t marker[4] = {0, 0, 0, 0};
  std::int32_t index = 0;
};

/// The derivatives of a marker's motion that a tape needs: 1 position, 2 velocity, 3 acceleration.
struct TapeMarker {
  int marker = 0;  ///< index in the model's marker table; 0 is the ground frame
  int level = 1;
};

/// Data of AKISPL, CUBSPL and INTERP: piecewise cubics. Filled by make_spline_table().
struct SplineTable {
  int id = 0;
  bool linear_extrapolate = false;
  bool history = false;      ///< a time history of a file: constant outside the data, unless linear
  bool bounded = false;      ///< coordinate of a CURVE: no value outside the data
  bool straight = false;     ///< straight lines between the points; the slopes are for extrapolation
  std::vector<double> x, z;  ///< x strictly increasing; z empty for a curve, else strictly increasing
  std::vector<double> y;     ///< [z][x]
  std::vector<double> cubic_slopes, akima_slopes;  ///< [z][x], dy/dx at the data points
  std::vector<double> corners;                     ///< of a history: corners_of() its data
  std::vector<double> bends;                       ///< bends_of() its Akima splines
};

/// One DELAY: its buffer of accepted (time, value) pairs, kept in the state.
struct DelaySlot {
  int buffer = 0;  ///< index among the model's delay buffers
};

class UserFunction;  // expression/user_function.h

struct Tape {
  std::vector<Instruction> code;
  std::vector<double> constants;
  std::vector<int> arguments;  ///< register lists of operations with more than three arguments
  std::vector<Leaf> leaves;
  std::vector<double> coefficients;  ///< of linear sums, each for consecutive entries of `states`
  std::vector<int> columns;          ///< per instruction: position in `text` (from 1), for messages
  std::vector<int> results;          ///< registers: one for a scalar, three for a vector expression
  std::vector<TapeMarker> markers;
  std::vector<int> states;   ///< indices in the model's scalar states (values read); sums may repeat one
  std::vector<int> rates;    ///< indices in the model's scalar states (rates read)
  std::vector<int> angles;   ///< indices in the state's revolution counters (one per AX, AY, AZ leaf)
  std::vector<int> splines;  ///< indices in the model's spline tables
  std::vector<DelaySlot> delays;
  std::vector<const UserFunction*> users;  ///< the model's
  bool uses_time = false;
  bool uses_mode = false;   ///< depends on MODE: constant only within one analysis
  bool only_shown = false;  ///< the motion does not depend on it: 0/0 in it is 0, with a warning
  std::string text;         ///< the expression as written, for messages

  /// Whether the expression is constant: it folds to one instruction.
  bool constant() const { return only_time() && !uses_time && !uses_mode; }
  /// Whether it depends on time (and MODE) only, as a MOTION must to be differentiated in time.
  bool only_time() const { return markers.empty() && states.empty() && rates.empty(); }
  int max_level() const {
    int level = 0;
    for (const TapeMarker& m : markers) level = m.level > level ? m.level : level;
    return level;
  }
};

}  // namespace trammel
