// Work space of one thread of the processor: runs of tapes and room for numbers (the `tapes` of pools,
// pools/pool.h), and what takes the entries of the tangent.
#pragma once

#include <utility>
#include <vector>

#include "assemble/tape_runner.h"
#include "assemble/tape_runs.h"

namespace trammel {

class Lane {
 public:
  /// `reads`: what tapes read in the present evaluation; must outlive the lane.
  Lane(const Model& model, const TapeReads& reads) : tapes(model), reads_(reads) {}

  TapeRunner tapes;

  void gradient(int tape, int result, const TapeDerivativeRoom& out) {
    tapes.gradient(tape, result, reads_, out);
  }
  TapeDerivativeView gradient(int tape, int result) {
    const TapeView& size = tapes.items()[tape].view;
    const std::size_t markers = 18 * static_cast<std::size_t>(size.n_markers), states = size.n_states;
    derivatives_.resize(markers + states + size.n_rates);
    double* first = derivatives_.data();
    const TapeDerivativeRoom out{first, first + markers, first + markers + states};
    gradient(tape, result, out);
    return out;
  }
  const double* hessian(int tape, bool velocities) {
    tapes.hessian(tape, reads_, velocities, hessian_);
    return hessian_.data();
  }
  const double* state_hessian(int tape, bool velocities) {
    tapes.state_hessian(tape, reads_, velocities, mixed_);
    return mixed_.data();
  }
  bool jet(int, int tape, int order, double (&g)[3]) {
    tapes.jet(tape, 0, reads_, g, order);
    return true;
  }
  double* room(int n) {
    if (room_.size() < static_cast<std::size_t>(n)) room_.resize(n);
    return room_.data();
  }

 private:
  const TapeReads& reads_;
  std::vector<double> derivatives_, hessian_, mixed_, room_;
};

/// Takes the entries of the tangent: the k-th goes to slots[place[k]] or, while the pattern is made, into a
/// list.
class HostSink {
 public:
  enum class Mode { tangent, weights, record };

  HostSink(Mode mode, Lane& lane) : mode_(mode), lane_(lane) {}

  bool numbers() const { return mode_ == Mode::tangent; }
  [[gnu::always_inline]] void put(int row, int column, double value) {
    if (mode_ == Mode::record) [[unlikely]]
      record(row, column);
    else
      slots[*place++] = value;
  }
  TapeDerivativeView gradient(int tape, int result) { return lane_.gradient(tape, result); }
  const double* hessian(int tape, bool velocities) { return lane_.hessian(tape, velocities); }
  const double* state_hessian(int tape, bool velocities) { return lane_.state_hessian(tape, velocities); }
  double* room(int n) { return lane_.room(n); }

  double* slots = nullptr;
  const int* place = nullptr;                 ///< slot of the next entry
  std::vector<std::pair<int, int>> recorded;  ///< (column, row) of every entry, in writing order

 private:
  void record(int row, int column);

  const Mode mode_;
  Lane& lane_;
};

}  // namespace trammel
