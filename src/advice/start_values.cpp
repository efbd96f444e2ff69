#include "advice/start_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assemble/tape_runs.h"
#include "expression/arguments.h"

namespace trammel {

namespace {

/// Op::constant where a node becomes no operation of its own.
Op op_of_node(const Node& node) {
  if (const Builtin* row = builtin_of(node)) return row->op;
  constexpr std::pair<char, Op> binary[] = {
      {'+', Op::add}, {'-', Op::sub}, {'*', Op::mul}, {'/', Op::div}, {'^', Op::pow}};
  for (const auto& [symbol, op] : binary)
    if (node.kind == NodeKind::binary && node.op == symbol) return op;
  return Op::constant;
}

}  // namespace

StartValues::StartValues(Session& session) : session_(session), report_(session.initialize()) {
  session.assembler().evaluate(session.state(), in_dynamics);
  const Model& model = session.model();
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    tape_of_.try_emplace(model.tape_name[k], static_cast<int>(k));
  measure_markers();
}

void StartValues::measure_markers() {
  const Model& model = session_.model();
  Vec3d low{}, high{};
  for (std::size_t m = 1; m < model.markers.size(); ++m) {
    const Vec3d r = marker(static_cast<int>(m)).r;
    for (int c = 0; c < 3; ++c) {
      low[c] = m == 1 ? r[c] : std::min(low[c], r[c]);
      high[c] = m == 1 ? r[c] : std::max(high[c], r[c]);
      farthest_ = std::max(farthest_, std::abs(r[c]));
    }
  }
  size_ = norm(high - low);
}

const StartValues::Registers* StartValues::registers(const DeckExpression& e) const {
  const auto at = tape_of_.find(e.label());
  if (at == tape_of_.end()) return nullptr;
  const auto [found, fresh] = registers_.try_emplace(at->second);
  Registers& r = found->second;
  if (!fresh) return &r;
  r.tape = at->second;
  Assembler& assembler = session_.assembler();
  const TapeItem& item = assembler.tapes().items()[r.tape];
  const Tape& tape = session_.model().tapes[r.tape];
  std::vector<MarkerKinematics<double>> markers(tape.markers.size());
  std::vector<double> states(tape.states.size()), rates(tape.rates.size()), angles(tape.angles.size());
  const State& state = session_.state();
  const TapeSources from{assembler.kinematics().markers(),
                         state.s.data(),
                         state.sdot.data(),
                         assembler.wrenches().data(),
                         state.angle.data(),
                         session_.model().scalar_count(),
                         state.t,
                         4,
                         assembler.tapes().tables(state)};
  r.values.assign(tape.code.size(), std::numeric_limits<double>::quiet_NaN());
  const TapeInputs<double> in = gather_inputs(
      from, item, {markers.data(), states.data(), rates.data(), angles.data(), nullptr, nullptr});
  evaluate(item.view, in, r.values.data());
  for (std::size_t k = 0; k < tape.code.size(); ++k)
    if (is_function(static_cast<Op>(tape.code[k].op)))
      r.at_column.try_emplace({tape.code[k].op, tape.columns[k]}, static_cast<int>(k));
  return &r;
}

int StartValues::instruction(const DeckExpression& e, int node, const Registers& r) {
  const auto at = r.at_column.find({static_cast<int>(op_of_node(e[node])), e[node].column});
  return at == r.at_column.end() ? -1 : at->second;
}

std::optional<double> StartValues::argument(const DeckExpression& e, int node, int k) const {
  const Registers* r = registers(e);
  const int place = r ? instruction(e, node, *r) : -1;
  if (place < 0) return std::nullopt;
  const Tape& tape = session_.model().tapes[r->tape];
  const Instruction& i = tape.code[place];
  if (k >= i.n) return std::nullopt;
  const double value = r->values[argument_of(tape, i, k)];
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> StartValues::value(const DeckExpression& e, int node) const {
  const Registers* r = registers(e);
  const int place = r ? instruction(e, node, *r) : -1;
  return place >= 0 && std::isfinite(r->values[place]) ? std::optional(r->values[place]) : std::nullopt;
}

double StartValues::by_velocity(int tape, int result, int body, const Vec3d& direction, bool turning) const {
  const Tape& t = session_.model().tapes[tape];
  std::vector<double> by_marker(18 * t.markers.size()), by_state(t.states.size()), by_rate(t.rates.size());
  Assembler& assembler = session_.assembler();
  assembler.tapes().gradient(tape, result, assembler.reads(),
                             {by_marker.data(), by_state.data(), by_rate.data()});
  constexpr int velocity = 6, angular_velocity = 9;  // places in (δr, δθ, δv, δω, δa, δα)
  double sum = 0, terms = 0;
  for (std::size_t p = 0; p < t.markers.size(); ++p) {
    if (session_.model().markers[t.markers[p].marker].body != body) continue;
    for (int c = 0; c < 3; ++c) {
      const double term = by_marker[18 * p + (turning ? angular_velocity : velocity) + c] * direction[c];
      sum += term;
      terms += std::abs(term);
    }
  }
  constexpr double rounding = 1e-9;  // of derivatives along axes that the initial conditions gave
  return std::abs(sum) > rounding * terms ? sum : 0;
}

}  // namespace trammel
