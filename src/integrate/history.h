// Past points of a motion, and the choice of the order of the extrapolation from them.
#pragma once

#include "integrate/predictor.h"

namespace trammel {

struct History {
  /// Past values of the unknowns (q̈, λ, algebraic scalars, Ẋ), of q and of q̇.
  Predictor unknowns, q, v;
  int order_limit = 3;  ///< 1 after a corrector failure, then one more per step
  int best_order = 3;   ///< order with the smallest mean miss
  double miss[4] = {};  ///< per order: mean prediction error in units of the corrector's tolerance

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
  /// Whether the step in progress is the first of the motion.
  TRAMMEL_HD bool at_first_step() const { return unknowns.points() == 1; }
  TRAMMEL_HD int order() const { return order_limit < best_order ? order_limit : best_order; }

  /// Adds a prediction error of order k to its mean; order k is taken when its mean is clearly smaller.
  TRAMMEL_HD void note_miss(int k, double of_last_step) {
    constexpr double miss_weight = 0.3;     // weight of the last step in the mean
    constexpr double clearly_better = 0.8;  // fraction of the present order's mean
    miss[k] += miss_weight * (of_last_step - miss[k]);
    if (miss[k] < clearly_better * miss[best_order]) best_order = k;
  }
};

}  // namespace trammel
