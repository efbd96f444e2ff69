// All kinds of elements there are, in the order in which their wrenches, their unknowns' names and their
// parts of the tangent stand. Everything that loops over kinds follows from this list.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "assemble/pools/applied_forces.h"
#include "assemble/pools/bodies.h"
#include "assemble/pools/connectors.h"
#include "assemble/pools/constraints.h"
#include "assemble/pools/contact_groups.h"
#include "assemble/pools/contacts.h"
#include "assemble/pools/flexible_bodies.h"
#include "assemble/pools/general_constraints.h"
#include "assemble/pools/multi_point_forces.h"
#include "assemble/pools/scalars.h"

namespace trammel {

template <class P>
struct PoolTag {
  using Pool = P;
};

template <class P>
struct PoolSlot {
  typename P::Table table;
};

/// The tables of all pools, on the processor or on a device.
template <class... P>
struct PoolTablesOf : PoolSlot<P>... {
  template <class Q>
  TRAMMEL_HD const typename Q::Table& of() const {
    return static_cast<const PoolSlot<Q>&>(*this).table;
  }
  template <class Q>
  typename Q::Table& of() {
    return static_cast<PoolSlot<Q>&>(*this).table;
  }
  /// f(tag, table) for every pool.
  template <class F>
  TRAMMEL_HD void for_each(F&& f) const {
    (f(PoolTag<P>{}, of<P>()), ...);
  }
};

/// The pools of a model, with their tables on the processor. The model must outlive them.
template <class... P>
class PoolsOf : public P... {
 public:
  using Tables = PoolTablesOf<P...>;

  template <class Model>
  explicit PoolsOf(const Model& model) : P(model)... {
    PoolPlace next;
    next.first_further = 12 * static_cast<int>(model.force_output.size());
    std::size_t k = 0;
    ((place<P>(model, next, k), ++k), ...);
    tables_ = tables(here_);
  }
  PoolsOf(const PoolsOf&) = delete;
  PoolsOf& operator=(const PoolsOf&) = delete;

  /// The tables on the processor.
  const Tables& tables() const { return tables_; }
  /// The tables at another place; HostPlace shows what a place has.
  template <class Place>
  Tables tables(Place&& there) {
    Tables out;
    std::size_t k = 0;
    const auto fill = [&]<class Q>(PoolTag<Q>) {
      auto& table = out.template of<Q>();
      table = Q::table(there);
      static_cast<PoolPlace&>(table) = places_[k];
      if (!active_[k].empty()) table.active = there.table(active_[k]);
      ++k;
    };
    (fill(PoolTag<P>{}), ...);
    return out;
  }
  /// f(tag, table) for every pool.
  template <class F>
  void for_each(F&& f) const {
    tables_.for_each(f);
  }
  /// What pools do before wrenches are evaluated.
  template <class Parallel>
  void prepare(const AssemblyView& now, const Parallel& parallel) {
    const auto of_pool = [&]<class Q>(Q& pool) {
      if constexpr (requires { pool.prepare(now, tables_.template of<Q>(), parallel); })
        pool.prepare(now, tables_.template of<Q>(), parallel);
    };
    (of_pool(static_cast<P&>(*this)), ...);
  }
  /// Number of elements of all pools, each of which writes a part of the tangent.
  int items() const { return items_; }
  /// Size of AssemblyArrays::wrench.
  int wrench_numbers() const { return wrench_numbers_; }

 private:
  /// Where the elements of a pool stand among all.
  template <class Q, class Model>
  void place(const Model& model, PoolPlace& next, std::size_t k) {
    const auto& elements = Q::elements(model);
    next.count = static_cast<int>(elements.size());
    places_[k] = next;
    next.first_item += next.count;
    items_ = next.first_item;
    if constexpr (Q::has_wrench) {
      bool all = true;
      for (const auto& e : elements) {
        next.first_wrench += e.pairs();
        Q::further(model, e, [&](int) { next.first_further += 6; });
        all = all && e.name.active;
      }
      for (std::size_t n = 0; !all && n < elements.size(); ++n) active_[k].push_back(elements[n].name.active);
    }
    wrench_numbers_ = next.first_further;
  }

  PoolPlace places_[sizeof...(P)];
  std::vector<unsigned char> active_[sizeof...(P)];  ///< empty: all are in force
  int items_ = 0, wrench_numbers_ = 0;
  HostPlace here_;
  Tables tables_;
};

/// f<P...> of the list of all pools.
template <template <class...> class F>
using ForPools = F<Bodies, FlexibleBodies, Constraints, GeneralConstraints, Connectors, AppliedForces,
                   MultiPointForces, Scalars, Contacts, ContactGroups>;

/// The tables of the pools whose elements have wrenches.
template <class... P>
struct WrenchTablesOf {
  template <class Q>
  static auto table(const auto& model) {
    if constexpr (Q::has_wrench)
      return std::tie(Q::elements(model));
    else
      return std::tuple<>();
  }
  template <class Model>
  using Of = decltype(std::tuple_cat(table<P>(std::declval<const Model&>())...));
};

using PoolTables = ForPools<PoolTablesOf>;
struct Pools : ForPools<PoolsOf> {
  template <class Model>
  explicit Pools(const Model& model) : ForPools<trammel::PoolsOf>(model) {
    static_assert(
        std::is_same_v<ForPools<WrenchTablesOf>::template Of<Model>, decltype(model.wrench_tables())>,
        "Model::wrench_tables() has the tables of the pools, in their order");
  }
};

}  // namespace trammel
