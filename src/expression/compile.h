// Compiler from expression trees to tapes: types, markers, functions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "expression/builder.h"
#include "expression/builtins.h"
#include "expression/parse.h"

namespace trammel {

/// A call of a system function, with its compiled arguments.
struct SystemCall {
  std::string_view name;            ///< upper case
  std::vector<Register> arguments;  ///< registers of the builder
  std::vector<int> columns;         ///< column of each argument in the text
  std::vector<double> constants;    ///< value of each argument, NaN if it is not constant
  int column = 1;

  int count() const { return static_cast<int>(arguments.size()); }
  /// Argument k as an integer, `fallback` if there are fewer. Throws ExpressionError if it is no integer.
  int integer(int k, int fallback = 0) const;
};

/// The compiler's interface to the model. Every function may throw Failure with the bare reason ("marker 205
/// does not exist"); the compiler adds the position.
class Resolver {
 public:
  virtual ~Resolver() = default;
  /// Index of MARKER/id in the model's marker table; not called for 0, the ground frame.
  virtual int marker(int id) = 0;
  /// Index in the model's spline tables of SPLINE/id.
  virtual int spline(int id) = 0;
  /// Whether that spline is a surface, whose derivatives (iord) are not supported.
  virtual bool spline_is_surface(int /*index*/) { return false; }
  /// Whether that spline is a time history of a file, as INTERP reads.
  virtual bool spline_is_history(int /*index*/) { return false; }
  /// Index in the model's revolution counters for AX, AY or AZ of the marker table entries i and j.
  virtual int angle_counter(Measure measure, int i, int j) = 0;
  /// Index in the model's delay buffers. id: the optional fourth argument of DELAY, -1 if absent. value: tape
  /// of the delayed expression, to be appended to the buffer after each accepted step. longest: largest
  /// delay, infinite when it is not constant. lag: tape of such a delay; null: it is constant.
  virtual int delay_buffer(int id, const Tape& value, double longest, const Tape* lag) = 0;
  /// Builds a system function from the builder's operations. nullopt: not available; an error with code
  /// unsupported (4) for names in builtins(), input (3) for others.
  virtual std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder& builder) = 0;
  /// The value of a name that is known where the expression stands, as FXFREQ in CRATIO; upper case.
  virtual std::optional<double> named_constant(std::string_view) { return {}; }
};

/// A resolver for expressions without a model: every element "does not exist here".
class NoModel : public Resolver {
 public:
  int marker(int id) override;
  int spline(int id) override;
  int angle_counter(Measure, int, int) override { return 0; }
  int delay_buffer(int, const Tape&, double, const Tape*) override;
  std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder&) override;
};

enum class ResultKind { scalar, vector, any };

/// Compiles an expression. Throws ExpressionError: the message, the position, and a remedy.
Tape compile_expression(std::string_view text, Resolver& resolver, ResultKind wanted = ResultKind::scalar);

/// Compiles an expression into a builder (for statements with several expressions).
TapeValue lower_expression(const ExpressionTree& tree, Resolver& resolver, TapeBuilder& builder);

}  // namespace trammel
