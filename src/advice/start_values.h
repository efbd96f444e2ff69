// What the functions and elements of a model read and give at its initial state.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advice/deck_expressions.h"
#include "analysis/session.h"

namespace trammel {

class StartValues {
 public:
  /// After Session::initialize(), which the session must outlive. Throws Failure(solver) where a function has
  /// no value.
  explicit StartValues(Session& session);

  const InitialReport& report() const { return report_; }
  /// Value of argument k of a call or binary operation; nullopt where it is not evaluated at the start or
  /// was folded away.
  std::optional<double> argument(const DeckExpression& e, int node, int k) const;
  /// Value of the call or operation itself.
  std::optional<double> value(const DeckExpression& e, int node) const;
  /// The derivative of a result of a tape for a body moving faster along, or turning faster about, a
  /// direction (global axes); 0 where that is rounding of terms that cancel.
  double by_velocity(int tape, int result, int body, const Vec3d& direction, bool turning) const;
  const MarkerKinematics<double>& marker(int m) const { return session_.assembler().kinematics().marker(m); }
  /// Diagonal of the box around all markers [length]; 0: they coincide.
  double size() const { return size_; }
  /// Largest coordinate of a marker [length].
  double farthest() const { return farthest_; }
  /// Forces on marker I of every pair of the wrench elements, global axes: F, T.
  std::span<const double> wrenches() const { return session_.assembler().wrenches(); }

 private:
  struct Registers {
    int tape = -1;
    std::vector<double> values;                    ///< NaN: not evaluated
    std::map<std::pair<int, int>, int> at_column;  ///< (operation, column) → its first instruction
  };
  const Registers* registers(const DeckExpression& e) const;
  /// The instruction that a node became; −1.
  static int instruction(const DeckExpression& e, int node, const Registers& r);
  void measure_markers();

  Session& session_;
  InitialReport report_;
  std::map<std::string, int> tape_of_;  ///< by name
  mutable std::map<int, Registers> registers_;
  double size_ = 0, farthest_ = 0;
};

}  // namespace trammel
