// Formulas in function expressions that the program itself makes: a law that is a template of its number
// becomes the operations of a tape.
#pragma once

#include <initializer_list>

#include "expression/builder.h"

namespace trammel {

/// A number of an expression under construction, in which formulas can be written as for numbers.
struct TapeTerm {
  TapeBuilder* builder = nullptr;
  Register r = -1;
  TapeTerm apply(Op op, std::initializer_list<Register> arguments) const {
    return {builder, builder->apply(op, arguments)};
  }
};
inline TapeTerm constant(const TapeTerm& like, double value) {
  return {like.builder, like.builder->constant(value)};
}
inline TapeTerm operator+(const TapeTerm& a, const TapeTerm& b) {
  return a.apply(Op::add, {a.r, b.r});
}
inline TapeTerm operator-(const TapeTerm& a, const TapeTerm& b) {
  return a.apply(Op::sub, {a.r, b.r});
}
inline TapeTerm operator-(const TapeTerm& a) {
  return a.apply(Op::neg, {a.r});
}
inline TapeTerm operator*(const TapeTerm& a, const TapeTerm& b) {
  return a.apply(Op::mul, {a.r, b.r});
}
inline TapeTerm operator/(const TapeTerm& a, const TapeTerm& b) {
  return a.apply(Op::div, {a.r, b.r});
}
inline TapeTerm operator+(double a, const TapeTerm& b) {
  return constant(b, a) + b;
}
inline TapeTerm operator-(double a, const TapeTerm& b) {
  return constant(b, a) - b;
}
inline TapeTerm operator-(const TapeTerm& a, double b) {
  return a - constant(a, b);
}
inline TapeTerm operator*(double a, const TapeTerm& b) {
  return constant(b, a) * b;
}
inline TapeTerm operator/(double a, const TapeTerm& b) {
  return constant(b, a) / b;
}
inline TapeTerm operator/(const TapeTerm& a, double b) {
  return a / constant(a, b);
}
inline TapeTerm exp(const TapeTerm& a) {
  return a.apply(Op::exp, {a.r});
}
inline TapeTerm log(const TapeTerm& a) {
  return a.apply(Op::log, {a.r});
}
inline TapeTerm sqrt(const TapeTerm& a) {
  return a.apply(Op::sqrt, {a.r});
}
inline TapeTerm abs(const TapeTerm& a) {
  return a.apply(Op::abs, {a.r});
}
/// below(), zero() or above() where x is; only the one that holds is evaluated.
template <class Below, class Zero, class Above>
TapeTerm by_sign(const TapeTerm& x, Below below, Zero zero, Above above) {
  const TapeValue value = x.builder->select_by_sign(
      x.r, [&] { return TapeValue::scalar(below().r); }, [&] { return TapeValue::scalar(zero().r); },
      [&] { return TapeValue::scalar(above().r); });
  return {x.builder, value.r[0]};
}
template <class Below, class Else>
TapeTerm where_negative(const TapeTerm& x, Below below, Else otherwise) {
  return by_sign(x, below, otherwise, otherwise);
}
template <class Zero, class Else>
TapeTerm where_zero(const TapeTerm& x, Zero zero, Else otherwise) {
  return by_sign(x, otherwise, zero, otherwise);
}

}  // namespace trammel
