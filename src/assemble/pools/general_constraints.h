// Constraints given by an expression: GCON, COUPLER, GEAR. e(markers, states, t) = 0, holonomic or linear in
// velocities.
#pragma once

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"

namespace trammel {

struct GeneralConstraints : PoolDefaults {
  static constexpr const char* name = "general_constraints";
  static constexpr bool has_rows = true, has_residual = true, has_room = true;
  static constexpr bool acts = false;
  static constexpr int grain = 64;

  struct Item {
    int tape, at;   ///< at: index among multipliers
    int reporting;  ///< marker about which the reaction on its body is reported
    int offset;     ///< slot, −1: none
    int further;    ///< index of the wrench on its first marker among those of all general constraints
    int gradient;   ///< where its derivatives begin in Table::gradient
    bool pfaffian;  ///< linear in velocities
  };
  struct Table : PoolPlace {
    const Item* item;
    double* gradient;  ///< per element 18 per marker, 1 per state, 1 per rate of its tape
  };

  std::vector<Item> item;
  std::vector<double> gradient;

  static const auto& elements(const auto& model) { return model.general_constraints; }

  template <class Model>
  explicit GeneralConstraints(const Model& model) {
    std::size_t size = 0;
    int markers = 0;
    for (const auto& g : elements(model)) {
      const auto& tape = model.tapes[g.tape];
      item.push_back(
          {g.tape, g.row, g.reporting_marker, g.offset, markers, static_cast<int>(size), g.pfaffian});
      markers += static_cast<int>(tape.markers.size());
      size += 18 * tape.markers.size() + tape.states.size() + tape.rates.size();
    }
    gradient.resize(size);
  }
  template <class Place>
  Table table(Place&& place) {
    return {{}, place.table(item), place.array(gradient)};
  }
  template <class Model, class Element, class Need>
  static void needs(const Model& model, const Element& g, Need&& need) {
    need(g.reporting_marker, 1);
    for (const auto& m : model.tapes[g.tape].markers) need(m.marker, m.level);
  }
  template <class Element, class Row>
  static void rows(const Element& g, Row&& row) {
    row(g.row, g.phases);
  }
  template <class Model, class Element, class End>
  static void further(const Model& model, const Element& g, End&& end) {
    for (const auto& m : model.tapes[g.tape].markers) end(m.marker);
  }

  /// F = −λ ∂e/∂r, T = −λ ∂e/∂θ (where e is linear in velocities −λ ∂e/∂v, −λ ∂e/∂ω) on every marker of the
  /// expression. For results the sum of those on the body of the reporting marker, about that marker.
  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&& tapes) {
    const Item& g = t.item[n];
    const TapeItem& tape = w.table.tape[g.tape];
    tapes.gradient(g.tape, 0, derivatives(w, t, g));
    const double lambda = w.array.masked[g.at] ? 0.0 : w.state.lambda[g.at];
    WrenchPair<double> reported;
    for (int m = 0; m < tape.view.n_markers; ++m) {
      const int marker = tape.markers[m].marker;
      const double* d = reaction(w, t, g, m);
      const Vec3d force = -lambda * load(d), torque = -lambda * load(d + 3);
      double* out = w.array.wrench + t.first_further + 6 * static_cast<long>(g.further + m);
      for (int k = 0; k < 3; ++k) out[k] = force[k], out[3 + k] = torque[k];
      if (w.table.marker[marker].body != w.table.marker[g.reporting].body) continue;
      reported.fi += force;
      reported.ti += cross(w.array.marker[marker].r - w.array.marker[g.reporting].r, force) + torque;
    }
    store(reported, t.wrench_of(w, n));
  }

  /// e/c or, linear in velocities, e/b; λ where the row is masked.
  TRAMMEL_HD static void residual(const AssemblyView& w, const Table& t, int n, double* out) {
    const Item& g = t.item[n];
    const Coefficients& c = w.point->c;
    const double holonomic = c.c != 0 ? 1.0 / c.c : 1.0, pfaffian = c.b != 0 ? 1.0 / c.b : 1.0;
    out[w.table.coordinates + g.at] =
        w.array.masked[g.at]
            ? w.state.lambda[g.at]
            : (g.pfaffian ? pfaffian : holonomic) *
                  (w.array.tape_value[3 * g.tape] - (g.offset >= 0 ? w.state.offset[g.offset] : 0.0));
  }

  template <class Tapes>
  TRAMMEL_HD static void rates(const AssemblyView& w, const Table& t, int n, int order, Tapes&& tapes,
                               double* rows) {
    const Item& g = t.item[n];
    const int at = g.pfaffian ? order - 1 : order;
    rows[g.at] = 0;
    if (w.array.masked[g.at] || at < 0) return;
    double value[3];
    if (!tapes.jet(n, g.tape, 2, value)) value[at] = NAN;  // the tape has no such derivative
    if (g.offset >= 0) value[0] -= w.state.offset[g.offset];
    rows[g.at] = value[at];
  }

  template <class Add, class Finish>
  static void gradients(const AssemblyView& w, const Table& t, int n, Add&& add, Finish&& finish) {
    const Item& g = t.item[n];
    const TapeItem& tape = w.table.tape[g.tape];
    for (int m = 0; m < tape.view.n_markers; ++m) {
      const double* d = reaction(w, t, g, m);
      add(tape.markers[m].marker, load(d), load(d + 3));
    }
    finish();
  }

  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const AssemblyView& w = writer.w;
    const Item& g = t.item[n];
    const TapeItem& tape = w.table.tape[g.tape];
    const TapeDerivativeView d = derivatives(w, t, g);
    const int row = w.table.coordinates + g.at, markers = tape.view.n_markers, states = tape.view.n_states;
    const bool active = !w.array.masked[g.at];
    Second second;
    if (writer.numbers() && active && writer.c.c != 0)
      second.hessian = writer.sink.hessian(g.tape, g.pfaffian);
    if (writer.numbers() && active && states > 0)
      second.mixed = writer.sink.state_hessian(g.tape, g.pfaffian);
    for (int p = 0; p < markers; ++p) {
      if (writer.body_of(tape.markers[p].marker) < 0) continue;
      marker_entries(writer, t, n, p, active);
      for (int q = 0; q < markers; ++q) hessian_block(writer, g, p, q, second);
      for (int k = 0; k < states; ++k) {  // λ ∂(gradient at p)/∂state
        const Derivative6 m = mixed_block(writer, second, p, tape, k);
        writer.put_force_on(tape.markers[p].marker, m.f, m.t, all_axes, [&](int r, double x) {
          writer.put(r, w.table.first_scalar() + tape.states[k], w.state.lambda[g.at] * x);
        });
      }
    }
    writer.put(row, row, active ? 0.0 : 1.0);
    const double scale = g.pfaffian ? writer.c.b : writer.c.c;
    for (int k = 0; k < states; ++k)
      writer.put(row, w.table.first_scalar() + tape.states[k],
                 writer.numbers() && active && scale != 0
                     ? d.state[k] * writer.state_factor(tape.states[k]) / scale
                     : 0.0);
    if (w.table.force_output[t.first_wrench + n] >= 0) output(writer, t, n, active, second);
  }

 private:
  /// Second derivatives of the expression; null: zero, while the pattern is made or where the row is masked.
  struct Second {
    const double *hessian = nullptr, *mixed = nullptr;
  };
  struct Derivative6 {
    Vec3d f, t;
  };

  TRAMMEL_HD static TapeDerivativeRoom derivatives(const AssemblyView& w, const Table& t, const Item& g) {
    const TapeView& tape = w.table.tape[g.tape].view;
    double* marker = t.gradient + g.gradient;
    double* state = marker + 18 * tape.n_markers;
    return {marker, state, state + tape.n_states};
  }
  /// Direction (f, t) of the reaction at marker m of the tape, per unit multiplier: ∂e/∂(r, θ) or ∂e/∂(v, ω).
  TRAMMEL_HD static const double* reaction(const AssemblyView& w, const Table& t, const Item& g, int m) {
    return derivatives(w, t, g).marker + 18 * m + (g.pfaffian ? 6 : 0);
  }

  /// Φqᵀ and Φq of the marker p of an expression; where it is linear in velocities the row is Φ_q̇ + Φ_q c/b.
  template <class Writer>
  TRAMMEL_HD static void marker_entries(Writer& writer, const Table& t, int n, int p, bool active) {
    const Item& g = t.item[n];
    const int marker = writer.w.table.tape[g.tape].markers[p].marker;
    const int row = writer.w.table.coordinates + g.at;
    Derivative6 f{};
    if (active) f = {load(reaction(writer.w, t, g, p)), load(reaction(writer.w, t, g, p) + 3)};
    writer.put_force_on(marker, f.f, f.t, all_axes, [&](int k, double x) { writer.put(k, row, x); });
    if (!g.pfaffian || !writer.numbers() || writer.c.b == 0)
      return writer.put_force_on(marker, f.f, f.t, all_axes, [&](int k, double x) { writer.put(row, k, x); });
    writer.for_columns(marker, [&](const auto& to) {
      double line[Writer::most_columns] = {};
      if (active) writer.project(derivatives(writer.w, t, g).marker + 18 * p, 2, marker, to, line);
      for (int k = 0; k < to.count; ++k) writer.put(row, to.first + k, line[k] / writer.c.b);
    });
  }

  /// Rows of the force outputs that read the reaction on the reporting marker,
  ///   F = −λ Σ g_r,  T = −λ Σ (s × g_r + g_θ)  over the markers of its body, s from the reporting marker.
  template <class Writer>
  TRAMMEL_HD static void output(Writer& writer, const Table& t, int n, bool active, const Second& second) {
    const AssemblyView& w = writer.w;
    const Item& g = t.item[n];
    const TapeItem& tape = w.table.tape[g.tape];
    const int markers = tape.view.n_markers, body = writer.body_of(g.reporting);
    const int first = w.table.first_scalar() + w.table.force_output[t.first_wrench + n];
    const double lambda = active ? w.state.lambda[g.at] : 0.0;
    for (int p = 0; p < markers; ++p) {
      const int marker = tape.markers[p].marker;
      if (writer.body_of(marker) != body) continue;
      const Vec3d s = writer.pose(marker).r - writer.pose(g.reporting).r;
      Vec3d gr{}, gt{};
      if (writer.numbers() && active) {
        const double* x = reaction(w, t, g, p);
        gr = load(x);
        gt = load(x + 3);
      }
      writer.put_wrench(first, w.table.coordinates + g.at, gr, cross(s, gr) + gt);
      for (int q = 0; q < markers; ++q) {
        const int mq = tape.markers[q].marker;
        if (writer.body_of(mq) < 0) continue;
        second_columns(writer, g, p, q, second, [&](int column, const Vec3d& mr, const Vec3d& mt) {
          writer.put_wrench(first, column, lambda * mr, lambda * (cross(s, mr) + mt));
        });
      }
      for (int k = 0; k < tape.view.n_states; ++k) {
        const Derivative6 m = mixed_block(writer, second, p, tape, k);
        writer.put_wrench(first, w.table.first_scalar() + tape.states[k], lambda * m.f,
                          lambda * (cross(s, m.f) + m.t));
      }
      if (body < 0 || !writer.body_at(body).turns()) continue;
      for (int k = 0; k < writer.body_at(body).rotations; ++k) {  // δs = δθ × s
        const Vec3d turn = writer.numbers() ? w.array.variation[body].P.column(k) : Vec3d{};
        writer.put_wrench(first, writer.body_at(body).angles() + k, Vec3d{},
                          lambda * cross(cross(turn, s), gr));
      }
      modal_arm(writer, marker, first, lambda, gr);
      modal_arm(writer, g.reporting, first, -lambda, gr);
    }
  }

  /// Derivative of T = λ s × g_r by the modal coordinates that move a marker at an end of s.
  template <class Writer>
  TRAMMEL_HD static void modal_arm(Writer& writer, int marker, int first, double lambda, const Vec3d& gr) {
    writer.for_columns(marker, [&](const auto& to) {
      for (int k = 0; k < to.count && to.mode >= 0; ++k) {
        double shift[3][Writer::most_columns] = {};
        for (int i = 0; i < 3 && writer.numbers(); ++i) {
          double unit[6] = {};
          unit[i] = 1;
          writer.project(unit, 1, marker, to, shift[i]);
        }
        writer.put_wrench(first, to.first + k, Vec3d{},
                          lambda * cross(Vec3d{shift[0][k], shift[1][k], shift[2][k]}, gr));
      }
    });
  }

  /// ∂(gradient at marker p)/∂δstate k of a tape.
  template <class Writer>
  TRAMMEL_HD static Derivative6 mixed_block(const Writer& writer, const Second& second, int p,
                                            const TapeItem& tape, int k) {
    if (!second.mixed) return {};
    const double* m = second.mixed + 6 * (p * tape.view.n_states + k);
    const double factor = writer.state_factor(tape.states[k]);
    return {factor * load(m), factor * load(m + 3)};
  }

  /// λ ∂(gradient at marker p)/∂(pose of marker q) in coordinates.
  template <class Writer>
  TRAMMEL_HD static void hessian_block(Writer& writer, const Item& g, int p, int q, const Second& second) {
    const TapeItem& tape = writer.w.table.tape[g.tape];
    const int mp = tape.markers[p].marker, mq = tape.markers[q].marker;
    if (writer.body_of(mq) < 0) return;
    const double lambda = writer.w.state.lambda[g.at];
    second_columns(writer, g, p, q, second, [&](int column, const Vec3d& f, const Vec3d& t) {
      writer.put_force_on(mp, f, t, all_axes, [&](int r, double x) { writer.put(r, column, lambda * x); });
    });
  }

  /// put(column, f, t): ∂(gradient at marker p) by what moves marker q.
  template <class Writer, class Put>
  TRAMMEL_HD static void second_columns(Writer& writer, const Item& g, int p, int q, const Second& second,
                                        Put&& put) {
    const TapeItem& tape = writer.w.table.tape[g.tape];
    const int marker = tape.markers[q].marker;
    writer.for_columns(marker, [&](const auto& to) {
      double M[6][Writer::most_columns] = {};
      if (second.hessian)
        for (int r = 0; r < 6; ++r)
          writer.project(second.hessian + 36 * (p * tape.view.n_markers + q) + 6 * r, 1, marker, to, M[r]);
      for (int k = 0; k < to.count; ++k)
        put(to.first + k, Vec3d{M[0][k], M[1][k], M[2][k]}, Vec3d{M[3][k], M[4][k], M[5][k]});
    });
  }
};

}  // namespace trammel
