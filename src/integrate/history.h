// Past points of a motion, and the order of the extrapolation that predicts from them.
#pragma once

#include "integrate/predictor.h"

namespace trammel {

struct History {
  /// Past values of what is extrapolated (q̈, λ, algebraic scalars, Ẋ; one per unknown), of q and of q̇.
  Predictor unknowns, q, v;
  int order_limit = 3;  ///< grows to the predictor's order after a corrector failure
  int best_order = 3;   ///< of those whose misses were least of late
  double miss[4] = {};  ///< per order: smoothed, in units of the corrector's tolerance

  template <class Visit>
  void arrays(int unknown_count, int coordinates, Visit&& visit) {
    unknowns.arrays(unknown_count, visit);
    q.arrays(coordinates, visit);
    v.arrays(coordinates, visit);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(unknowns, q, v, order_limit, best_order, miss);
  }
  TRAMMEL_HD void begin(int order) {
    for (Predictor* p : {&unknowns, &q, &v}) p->clear();
    order_limit = best_order = order;
    for (double& m : miss) m = 0;
  }
  /// Before the second point: the step under way is the first.
  TRAMMEL_HD bool at_first_step() const { return unknowns.points() == 1; }
  TRAMMEL_HD int order() const { return order_limit < best_order ? order_limit : best_order; }

  /// Takes a new miss of order k into the mean; another order is taken when it missed clearly less.
  TRAMMEL_HD void note_miss(int k, double of_last_step) {
    constexpr double miss_weight = 0.3;     // of the last step in the misses of the predictor
    constexpr double clearly_better = 0.8;  // of its misses: another order is taken
    miss[k] += miss_weight * (of_last_step - miss[k]);
    if (miss[k] < clearly_better * miss[best_order]) best_order = k;
  }
};

}  // namespace trammel
