// User code among the operations of a tape: a function whose values are calls and whose derivatives are
// differences.
#pragma once

#include <string>
#include <vector>

#include "expression/functions.h"

namespace trammel {

/// Arguments are those of the code, and TIME as the last one. One call at a time in the process: user code
/// need not be ready for threads. derivatives: it depends on TIME alone and gives its derivatives itself.
class UserFunction {
 public:
  UserFunction(std::string name, int results, bool derivatives = false)
      : name_(std::move(name)), results_(results), derivatives_(derivatives) {}
  virtual ~UserFunction() = default;

  const std::string& name() const { return name_; }
  int results() const { return results_; }
  int arguments() const { return static_cast<int>(least_.size()); }
  /// Size of each argument below which differences are no longer taken in proportion to it.
  void set_arguments(std::vector<double> least) { least_ = std::move(least); }

  /// A result; no number where the code gives none. complaint() then says why.
  double value(int result, const double* x) const;
  /// ∂result/∂x_k, the central difference over ±6e-6 of the size of x_k, or what the code gives.
  double slope(int result, int k, const double* x) const;
  /// ∂²result/∂x_j∂x_k, over ±1e-4 of these sizes: for what asks for second derivatives.
  double curvature(int result, int j, int k, const double* x) const;
  const std::string& complaint() const { return complaint_; }

 protected:
  /// Calls the code: `results` numbers, or none that is finite and a complaint. `what`: 0 for their values; 1
  /// for values of which differences are taken, or, if the code gives derivatives, the order of these.
  virtual void call(const double* x, int what, double* results, std::string& complaint) const = 0;

 private:
  double size_of(int k, const double* x) const;
  const double* results_at(const double* x, int what) const;

  const std::string name_;
  const int results_;
  const bool derivatives_;
  std::vector<double> least_;
  // What was computed last: results of one statement are asked for one by one.
  mutable std::string complaint_;
  mutable std::vector<double> at_, found_, slopes_at_, slopes_, shifted_, beside_;
  mutable int what_ = 0;
};

namespace functions {

inline double user_value(const UserFunction& f, int result, const double* x) {
  return f.value(result, x);
}
inline double user_slope(const UserFunction& f, int result, int k, const double* x) {
  return f.slope(result, k, x);
}

/// The values of dual numbers.
template <class T, int N>
std::vector<T> values_of(const Dual<T, N>* x, int n) {
  std::vector<T> v(n);
  for (int k = 0; k < n; ++k) v[k] = x[k].v;
  return v;
}

template <int N>
Dual<double, N> user_slope(const UserFunction& f, int result, int k, const Dual<double, N>* x) {
  const std::vector<double> at = values_of(x, f.arguments());
  Dual<double, N> out(f.slope(result, k, at.data()));
  for (int j = 0; j < f.arguments(); ++j) {
    bool varies = false;
    for (const double d : x[j].d) varies = varies || d != 0;
    if (!varies) continue;
    const double curvature = f.curvature(result, j, k, at.data());
    for (int c = 0; c < N; ++c) out.d[c] += curvature * x[j].d[c];
  }
  return out;
}

/// By the chain rule.
template <class T, int N>
Dual<T, N> user_value(const UserFunction& f, int result, const Dual<T, N>* x) {
  const std::vector<T> at = values_of(x, f.arguments());
  Dual<T, N> out(0.0);
  out.v = user_value(f, result, at.data());
  for (int k = 0; k < f.arguments(); ++k) {
    bool varies = false;
    for (const T& d : x[k].d) varies = varies || !is_zero(d);
    if (!varies) continue;
    const T slope = user_slope(f, result, k, at.data());
    for (int c = 0; c < N; ++c) out.d[c] = out.d[c] + slope * x[k].d[c];
  }
  return out;
}

}  // namespace functions

}  // namespace trammel
