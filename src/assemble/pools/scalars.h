// The equations of scalar unknowns: VARIABLE, DIFF, states of systems and motions, forces that expressions
// read.
#pragma once

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"

namespace trammel {

struct Scalars : PoolDefaults {
  static constexpr const char* name = "scalars";
  static constexpr bool has_wrench = false, has_residual = true, has_room = true;
  static constexpr int grain = 1024;
  using Table = PoolPlace;

  template <class Model>
  explicit Scalars(const Model&) {}
  static const auto& elements(const auto& model) { return model.scalars; }
  template <class Place>
  Table table(Place&&) {
    return {};
  }

  TRAMMEL_HD static void residual(const AssemblyView& w, const Table&, int k, double* out) {
    const ScalarItem& s = w.table.scalar[k];
    const double e = s.tape >= 0 ? w.array.tape_value[3 * s.tape + s.result] : 0.0;
    double& r = out[w.table.first_scalar() + k];
    switch (s.kind) {
      case ScalarKind::variable:
        r = w.state.s[k] - e;
        break;
      case ScalarKind::differential:
        r = w.state.sdot[k] - e;
        break;
      case ScalarKind::implicit:
      case ScalarKind::algebraic:
        r = e;
        break;
      case ScalarKind::motion_rate:
        r = w.state.sdot[k] - w.state.s[k + 1];
        break;
      case ScalarKind::force_output:
        r = w.state.s[k] - w.array.wrench[s.wrench];
        break;
      case ScalarKind::modal_output:
        r = w.state.s[k] - (s.result == 0 ? w.state.q : s.result == 1 ? w.state.v : w.state.a)[s.wrench];
        break;
    }
  }

  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table&, int k) {
    const AssemblyView& w = writer.w;
    const ScalarItem& s = w.table.scalar[k];
    const int row = w.table.first_scalar() + k;
    const double own = is_residual(s.kind) ? 0.0 : s.differential() ? writer.c.rate : 1.0;
    writer.put(row, row, writer.numbers() ? own : 1.0);
    if (s.kind == ScalarKind::motion_rate) writer.put(row, row + 1, writer.numbers() ? -writer.c.state : 0.0);
    if (s.kind == ScalarKind::modal_output) {
      const Coefficients& c = writer.c;
      writer.put(row, s.wrench, writer.numbers() ? -(s.result == 0 ? c.c : s.result == 1 ? c.b : c.a) : 0.0);
    }
    if (s.tape >= 0) tape_entries(writer, s, row);
  }

 private:
  /// −∂e/∂Δ (explicit equations) or +∂e/∂Δ (implicit ones) in a scalar row.
  template <class Writer>
  TRAMMEL_HD static void tape_entries(Writer& writer, const ScalarItem& s, int row) {
    const AssemblyView& w = writer.w;
    const TapeItem& tape = w.table.tape[s.tape];
    const double sign = is_residual(s.kind) ? 1.0 : -1.0;
    TapeDerivativeView d{};
    if (writer.numbers()) d = writer.sink.gradient(s.tape, s.result);
    for (int m = 0; m < tape.view.n_markers; ++m) {
      const int marker = tape.markers[m].marker;
      if (writer.body_of(marker) < 0) continue;
      writer.for_columns(marker, [&](const auto& to) {
        double g[Writer::most_columns] = {};
        if (writer.numbers()) writer.project(d.marker + 18 * m, tape.markers[m].level, marker, to, g);
        for (int i = 0; i < to.count; ++i) writer.put(row, to.first + i, sign * g[i]);
      });
    }
    const int first = w.table.first_scalar();
    for (int i = 0; i < tape.view.n_states; ++i)
      writer.put(row, first + tape.states[i],
                 writer.numbers() ? sign * d.state[i] * writer.state_factor(tape.states[i]) : 0.0);
    for (int i = 0; i < tape.view.n_rates; ++i)
      writer.put(row, first + tape.rates[i], writer.numbers() ? sign * d.rate[i] * writer.c.rate : 0.0);
  }
};

}  // namespace trammel
