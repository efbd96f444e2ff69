// Pools for models of one class (assemble/model_class.h): the functions of the whole pools, compiled for the
// elements of that class alone. They have the tables of the whole pools.
#pragma once

#include "assemble/pools/list.h"

namespace trammel {

struct AxisConstraints : Constraints {
  static constexpr bool has_angles = false;
  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&& tapes) {
    Constraints::wrench<AxisRow>(w, t, n, tapes);
  }
  TRAMMEL_HD static void residual(const AssemblyView& w, const Table& t, int n, double* out) {
    Constraints::residual<AxisRow>(w, t, n, out);
  }
  template <class Tapes>
  TRAMMEL_HD static void rates(const AssemblyView& w, const Table& t, int n, int order, Tapes&& tapes,
                               double* rows) {
    Constraints::rates<AxisRow>(w, t, n, order, tapes, rows);
  }
  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    Constraints::tangent<AxisRow>(writer, t, n);
  }
};

/// Those of the first kind of ForceLaw.
struct SpringDampers : Connectors {
  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&& tapes) {
    Connectors::wrench<FirstLaw>(w, t, n, tapes);
  }
  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    Connectors::tangent<FirstLaw>(writer, t, n);
  }
  TRAMMEL_HD static void angles(const AssemblyView& w, const Table& t, int n, double* angle) {
    Connectors::angles<FirstLaw>(w, t, n, angle);
  }
};

struct ConstantForces : AppliedForces {
  static constexpr bool has_room = false;
  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&& tapes) {
    AppliedForces::wrench<ConstantForce>(w, t, n, tapes);
  }
  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    AppliedForces::tangent<ConstantForce>(writer, t, n);
  }
};

/// The pool of a plain model for a pool of all elements; void: a plain model has none of it.
template <class P>
struct PlainPoolOf {
  using Type = void;
};
template <>
struct PlainPoolOf<Bodies> {
  using Type = Bodies;
};
template <>
struct PlainPoolOf<Constraints> {
  using Type = AxisConstraints;
};
template <>
struct PlainPoolOf<Connectors> {
  using Type = SpringDampers;
};
template <>
struct PlainPoolOf<AppliedForces> {
  using Type = ConstantForces;
};
template <class P>
using PlainPool = typename PlainPoolOf<P>::Type;

}  // namespace trammel
