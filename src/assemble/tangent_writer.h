// The writer of the tangent on the processor: all items one after the other, those of a device
// (tangent_items.h) and those that only the processor computes: general constraints and nodal forces.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "assemble/assembler.h"
#include "assemble/tangent_items.h"

namespace trammel {

/// Where entries go: the k-th to slots[place[k]], or, while the pattern is made, into a list.
class HostSink {
 public:
  enum class Mode { tangent, weights, record };

  HostSink(Mode mode, const TapeReads& reads, TapeRunner& tapes, TapeDerivatives& derivatives)
      : mode_(mode), reads_(reads), tapes_(tapes), derivatives_(derivatives) {}

  bool numbers() const { return mode_ == Mode::tangent; }
  bool records() const { return mode_ == Mode::record; }
  void put(int row, int column, double value) {
    if (mode_ == Mode::record) [[unlikely]]
      record(row, column);
    else
      slots[*place++] = value;
  }
  TapeDerivativeView gradient(int tape, int result) {
    tapes_.gradient(tape, result, reads_, derivatives_);
    return {derivatives_.marker.data(), derivatives_.state.data(), derivatives_.rate.data()};
  }

  double* slots = nullptr;
  const int* place = nullptr;                 ///< of the next entry
  std::vector<std::pair<int, int>> recorded;  ///< (column, row) of every entry, in writing order

 private:
  void record(int row, int column);

  const Mode mode_;
  const TapeReads& reads_;
  TapeRunner& tapes_;
  TapeDerivatives& derivatives_;
};

class TangentWriter : public TangentItems<HostSink> {
 public:
  using Mode = HostSink::Mode;

  TangentWriter(const Assembler& assembler, const AssemblyView& view, Mode mode, int lane = 0)
      : TangentItems(view, sink),
        sink(mode, assembler.reads_, assembler.lanes_[lane]->tapes, assembler.lanes_[lane]->gradient),
        as_(assembler),
        lane_(*assembler.lanes_[lane]),
        model_(assembler.model_) {}

  /// Items: bodies, row elements, general constraints, forces, scalars, in the order of their tables. Each
  /// writes slots of its own.
  static int items(const Model& model);
  /// Writes items [begin, end).
  void run(int begin, int end, const BodyWeights* weights = nullptr);

  HostSink sink;

 private:
  // tangent.cpp
  void weighted_body(int b, const std::array<double, 36>& w);
  // tangent_constraints.cpp
  void general_constraint(int n, int element);
  void general_output(const GeneralConstraint& g, int element, const TapeDerivatives& d, bool active,
                      const std::vector<double>& hessian, const std::vector<double>& mixed);
  struct Derivative6 {
    Vec3d f, t;
  };
  Derivative6 mixed_block(const std::vector<double>& mixed, int p, const Tape& tape, std::size_t k) const;
  void hessian_block(const GeneralConstraint& g, const Tape& tape, int p, int w,
                     const std::vector<double>& hessian);
  void generalized(int marker, const Vec3d& f, const Vec3d& t, double (&out)[6]) const;
  // nodal_forces.cpp
  void nodal_force(const NodalForce& f, int element);

  const Assembler& as_;
  Assembler::Lane& lane_;
  const Model& model_;
};

}  // namespace trammel
