// What the solver has to know of one kind of elements. A pool is a class whose objects hold the tables of a
// model, packed for its loops (numbers alone, on the processor or on a device), and whose static functions
// work on one element each. pools/list.h names all pools; loops, order of wrenches and of the tangent,
// pattern, kernels, names of unknowns and what DEACTIVATE does follow from that list.
//
//   explicit Pool(const Model&)                 packs
//   static const auto& elements(const Model&)   its table in the model
//   struct Table : PoolPlace                    what its functions read, as pointers
//   Table table(Place&&)                        makes it: place.table(vector) and place.array(vector) copy
//                                               numbers to where the pool works and give pointers to them,
//                                               arrays for what evaluations write; place.object(x): a copy of
//                                               x that may change
//   static void needs(model, e, need)           need(marker, level): what its equations read (WantedMarker)
//   static void rows(e, row)                    row(multiplier, phases) for the rows of a constraint, one
//                                               after the other
//   void prepare(w, t, parallel)                what it does before wrenches are evaluated, on the processor
//   static void further(model, e, end)          end(marker) for each marker beside its pairs on which it
//                                               acts; 6 numbers of `wrench` each
//
// and, with w the view and t the table:
//
//   wrench(w, t, i, tapes)                      writes its wrenches, and what the functions below read again
//   tangent(writer, t, i)                       −d(generalized forces)/dΔ and the rows of its own unknowns
//   residual(w, t, i, r)                        rows of its own unknowns
//   rates(w, t, i, order, tapes, rows)          rows of constraints, differentiated `order` times in time
//   gradients(w, t, i, add, finish)             Φq: add(marker, f, t) for what a row reads, finish() after
//                                               each
//   angles(w, t, i, angle)                      present values of the angles whose revolutions it counts
//
// The flags of PoolDefaults say which of these functions a pool has. `tapes` runs function expressions and
// has room to work in:
//
//   TapeDerivativeView gradient(tape, result)        first derivatives of a result
//   const double* hessian(tape, velocities)          second derivatives of a constraint expression, by
//                                                    markers
//   const double* state_hessian(tape, velocities)    and by its states
//   bool jet(element, tape, order, double (&g)[3])   a result and its derivatives in time, up to `order`;
//                                                    false: it has none
//   double* room(n)                                  n numbers
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "assemble/tape_runs.h"
#include "assemble/view.h"
#include "base/unroll.h"
#include "element/wrench.h"

namespace trammel {

struct TapeRoom;
struct JetPlace;

/// What every table of a pool has.
struct PoolPlace {
  int count = 0;                          ///< elements
  int first_item = 0;                     ///< its first element among those that write the tangent
  int first_wrench = 0;                   ///< its first pair of markers among those of all pools
  int first_further = 0;                  ///< where in `wrench` wrenches on markers beside its pairs begin
  const unsigned char* active = nullptr;  ///< per element: not deactivated; null: all are in force
  const TapeRoom* room = nullptr;         ///< per element, on a device
  const JetPlace* jets = nullptr;         ///< per constraint, on a device
  TRAMMEL_HD bool in_force(int i) const { return !active || active[i]; }
  /// Where the 12 numbers of pair `pair` of the pool are.
  TRAMMEL_HD double* wrench_of(const AssemblyView& w, int pair) const {
    return w.array.wrench + 12 * static_cast<long>(first_wrench + pair);
  }
};

/// The flags of a pool that does not set its own.
struct PoolDefaults {
  static constexpr bool has_wrench = true;     ///< it puts wrenches on markers
  static constexpr bool has_rows = false;      ///< constraints: has multipliers, residual, rates, gradients
  static constexpr bool has_residual = false;  ///< rows of the residual
  static constexpr bool has_angles = false;    ///< counts revolutions
  static constexpr bool has_room =
      false;  ///< runs tapes in its wrench or tangent, or has room_size(e) numbers
  static constexpr bool along_line = false;      ///< may have no value: where its markers I and J coincide
  static constexpr bool runs_user_code = false;  ///< or because user code has none
  /// a device computes its elements mode by mode (modal_kernels.h)
  static constexpr bool by_modes = false;
  static constexpr bool in_groups = true;  ///< computed also where a model has a group of threads
  static constexpr bool acts = true;       ///< the wrenches of its pairs act on bodies (else: reported only)
  static constexpr int grain = 128;        ///< elements that are worth waking a thread for
  template <class Model, class Element, class End>
  static void further(const Model&, const Element&, End&&) {}
  template <class Element>
  static int room_size(const Element&) {
    return 0;
  }
};

/// The processor as a place of tables.
class HostPlace {
 public:
  template <class T>
  const T* table(const std::vector<T>& v) const {
    return v.data();
  }
  template <class T>
  T* array(std::vector<T>& v) const {
    return v.data();
  }
  /// A value that may change: on the processor the value itself.
  template <class T>
  T* object(T& x) const {
    return &x;
  }
  /// A table that is made for this place, which keeps it alive.
  template <class T>
  const T* keep(std::vector<T> v) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(v));
    kept_.push_back(kept);
    return kept->data();
  }

 private:
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace trammel
