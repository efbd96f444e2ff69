// Classes of models that groups of threads compute: the device's code of a class has what its models need and
// no more, as all of it is fetched again and again by groups that are at different places.
#pragma once

#include <type_traits>

#include "assemble/pools/plain.h"

namespace trammel {

struct Model;

/// Whatever groups compute.
struct AllElements {
  static constexpr bool functions = true;  ///< tapes that are more than a constant
  static constexpr bool scalars = true;    ///< scalar unknowns
  template <class P>
  static constexpr bool has = P::in_groups;
  template <class P>
  using As = P;
};

/// Bodies, joints whose rows are products of axes and separations, SPRINGDAMPERs, and forces of one constant
/// component.
struct PlainElements {
  static constexpr bool functions = false, scalars = false;
  template <class P>
  static constexpr bool has = !std::is_void_v<PlainPool<P>>;
  template <class P>
  using As = PlainPool<P>;
};
bool is_plain(const Model& model);

template <class Run>
inline constexpr bool in_group = requires {
  typename std::remove_cvref_t<Run>::Elements;
};
/// Elements of the models that a run is for.
template <class Run>
struct ElementsOfRun {
  using Type = AllElements;
};
template <class Run>
requires in_group<Run>
struct ElementsOfRun<Run> {
  using Type = typename std::remove_cvref_t<Run>::Elements;
};
template <class Run>
using ElementsOf = typename ElementsOfRun<Run>::Type;

/// Whether a run computes the elements of a pool one by one: of those that are no Elements of its group it
/// has none, those by_modes are computed by parts.
template <class P, class Run>
inline constexpr bool computed = !P::by_modes && (!in_group<Run> || ElementsOf<Run>::template has<P>);
/// The pool whose functions a run calls for elements of P.
template <class P, class Run>
using PoolAs = typename ElementsOf<Run>::template As<P>;

}  // namespace trammel
