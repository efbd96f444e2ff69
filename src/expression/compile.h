// Tree -> tape: types, markers, functions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "expression/builder.h"
#include "expression/builtins.h"
#include "expression/parse.h"

namespace trammel {

/// A call of a system function with its evaluated arguments.
struct SystemCall {
  std::string_view name;            ///< upper case
  std::vector<Register> arguments;  ///< registers of the builder
  std::vector<int> columns;         ///< where each argument stands
  std::vector<double> constants;    ///< value of arguments that are constant, NaN for others
  int column = 1;

  int count() const { return static_cast<int>(arguments.size()); }
  /// Argument k as an integer, `fallback` when there are not so many. Throws ExpressionError if it is none.
  int integer(int k, int fallback = 0) const;
};

/// What the compiler must know of the model. Every function may throw Failure with the bare reason
/// ("marker 205 does not exist"); the compiler adds the place.
class Resolver {
 public:
  virtual ~Resolver() = default;
  /// Index in the model's marker table of MARKER/id; 0 is the ground frame, and is not asked for.
  virtual int marker(int id) = 0;
  /// Index in the model's spline tables of SPLINE/id.
  virtual int spline(int id) = 0;
  /// Whether that spline is a surface, whose derivatives (iord) are refused.
  virtual bool spline_is_surface(int /*index*/) { return false; }
  /// Index in the model's revolution counters for AX, AY or AZ of marker table entries i in j.
  virtual int angle_counter(Measure measure, int i, int j) = 0;
  /// Index in the model's delay buffers. id: the optional fourth argument of DELAY, -1 when not given.
  /// value: tape of the delayed expression, to be appended to the buffer at each accepted step. longest: how
  /// far the buffer is ever looked back into; infinite when the delay is no constant.
  virtual int delay_buffer(int id, const Tape& value, double longest) = 0;
  /// Builds a function of system elements out of the builder's primitives. nullopt: not available; that is
  /// an error with code unsupported (4) for the names in builtins(), input (3) for others.
  virtual std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder& builder) = 0;
};

/// A resolver for expressions that may not refer to a model: every element "does not exist here".
class NoModel : public Resolver {
 public:
  int marker(int id) override;
  int spline(int id) override;
  int angle_counter(Measure, int, int) override { return 0; }
  int delay_buffer(int, const Tape&, double) override;
  std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder&) override;
};

enum class ResultKind { scalar, vector, any };

/// Throws ExpressionError: the text, the place in it, and what would mend it.
Tape compile_expression(std::string_view text, Resolver& resolver, ResultKind wanted = ResultKind::scalar);

/// Adds the instructions of an expression to a builder (for statements with several expressions).
TapeValue lower_expression(const ExpressionTree& tree, Resolver& resolver, TapeBuilder& builder);

}  // namespace trammel
