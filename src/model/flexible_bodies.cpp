// Flexible bodies: their files, modes, damping, and markers at nodes.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "base/text_records.h"
#include "flexible/modal_check.h"
#include "flexible/modal_file.h"
#include "flexible/rigid_motions.h"
#include "model/compiler.h"
#include "model/units.h"

namespace trammel {

namespace {

/// The deck's number of one unit of the file; 1 where either is not named.
double factor(std::string_view kind, const std::string& of_file, const std::string& of_deck) {
  const double file = unit_in_si(kind, of_file), deck = unit_in_si(kind, of_deck);
  return file > 0 && deck > 0 ? file / deck : 1.0;
}

}  // namespace

/// The first mode whose √(k/m) is not the frequency that the file gives for it, as where units are taken
/// wrongly; −1: none. Coupled modes are left out, as their frequencies are others. `found`: √(k/m)/2π.
int mode_of_other_frequency(const ModalTables& f, double& found) {
  constexpr double digits = 1e-3, uncoupled = 1e-6;
  const auto n = static_cast<std::size_t>(f.modes);
  for (std::size_t j = 0; j < n; ++j) {
    bool coupled = false;
    for (std::size_t k = 0; k < n; ++k)
      coupled =
          coupled || (k != j && (std::abs(f.stiffness[j * n + k]) > uncoupled * f.stiffness[j * n + j] ||
                                 std::abs(f.mass[j * n + k]) > uncoupled * f.mass[j * n + j]));
    found = std::sqrt(std::max(0.0, f.stiffness[j * n + j] / f.mass[j * n + j])) / (2 * std::numbers::pi);
    if (!coupled && std::abs(found - f.frequency[j]) > digits * f.frequency[j]) return static_cast<int>(j);
  }
  return -1;
}

/// The modes of the file that its MATRICES name, else of MNF_FILE. Null after an error.
std::shared_ptr<const ModalBody> Compiler::modal_body_of(const Statement& s) {
  std::set<std::string> files;
  if (const Argument* matrices = s.find("MATRICES"))
    for (const double id : matrices->numbers)
      if (const Statement* m = statements_.find("MATRIX", static_cast<int>(id)))
        files.emplace(m->text("FILE"));
  if (files.size() > 1 || (files.size() == 1 && files.begin()->empty())) {
    diagnostics_.error(s.find("MATRICES")->where,
                       "{}: its MATRICES must be of one file, with the names of ADAMSMAT2", s.label());
    return nullptr;
  }
  const std::string given = files.empty() ? std::string(s.text("MNF_FILE")) : *files.begin();
  if (given.empty()) {
    diagnostics_.error(s.where, "{}: names no modes; add MATRICES=... or MNF_FILE=...", s.label());
    return nullptr;
  }
  try {
    auto body = std::make_shared<ModalBody>(read_modal_body(beside(description_.file, given), diagnostics_));
    check_modal_body(*body, diagnostics_);
    if (!body->tells_frequencies)  // its k/m is the deck's, of which masses are divided by UCF
      for (double& frequency : body->frequency) frequency *= std::sqrt(model_.ucf);
    return diagnostics_.has_errors() ? nullptr : body;
  } catch (const Failure& failure) {
    diagnostics_.add(
        {Severity::error, s.where, fmt::format("{}: {}", s.label(), failure.what()), failure.code()});
    return nullptr;
  }
}

ModalChoice Compiler::choose_modes(const Statement& s, const ModalBody& body) {
  ModalChoice choice;
  const ModalUnits& units = body.units;
  choice.mass = factor("MASS", units.mass, model_.units.mass);
  choice.length = factor("LENGTH", units.length, model_.units.length);
  choice.energy = factor("FORCE", units.force, model_.units.force) * choice.length;
  choice.ucf = model_.ucf;
  const double time = factor("TIME", units.time, model_.units.time);
  if (time != 1)
    diagnostics_.error(s.where, "{}: {} is in {}, the deck in {}; give the deck the unit of time of the file",
                       s.label(), body.source, lower(units.time), lower(model_.units.time));
  std::copy(body.invariants.has, body.invariants.has + 10, choice.invariants.begin());
  if (const Argument* flags = s.find("INVARIANTS"))
    for (int k = 0; k < 9; ++k) {
      choice.invariants[k + 1] = flags->numbers[k] != 0;
      if (choice.invariants[k + 1] && !body.invariants.has[k + 1])
        diagnostics_.error(flags->where, "{}: INVARIANTS asks for invariant {}, which {} does not have",
                           s.label(), k + 1, body.source);
    }
  bool moves = s.word("REPRESENTATION") != "RIGID";
  if (const Argument* flags = s.find("INVARIANTS")) {
    if (!choice.invariants[1] || !choice.invariants[2] || !choice.invariants[7])
      diagnostics_.warning(flags->where,
                           "{}: INVARIANTS leaves out 1, 2 or 7, the mass, its centre and the inertia of the "
                           "undeformed body, which are used all the same",
                           s.label());
    if (moves && !choice.invariants[6])
      diagnostics_.note(flags->where,
                        "{}: INVARIANTS leaves out 6, the modal mass: no mode takes part, as with "
                        "REPRESENTATION=RIGID",
                        s.label());
    moves = moves && choice.invariants[6];
  }
  if (moves) select_modes(s, body, choice);
  if (const Argument* limit = s.find("DYNAMIC_LIMIT"))
    std::stable_partition(choice.modes.begin(), choice.modes.end(),
                          [&](int j) { return !(body.frequency[j] > limit->numbers[0]); });
  return choice;
}

/// MODES, MODES_OFF; without both all modes that deform the body.
void Compiler::select_modes(const Statement& s, const ModalBody& body, ModalChoice& choice) {
  const Argument *on = s.find("MODES"), *off = s.find("MODES_OFF");
  const std::vector<int> rigid = rigid_modes(body);
  std::set<int> named;  // indices
  if (const Argument* list = on ? on : off)
    for (const double id : list->numbers) {
      const auto at = std::find(body.mode_id.begin(), body.mode_id.end(), static_cast<int>(id));
      const int j = static_cast<int>(at - body.mode_id.begin());
      if (at == body.mode_id.end())
        diagnostics_.error(list->where, "{}: {}={}: {} has no such mode; it has {} modes, {} to {}",
                           s.label(), list->field->name, id, body.source, body.modes,
                           *std::min_element(body.mode_id.begin(), body.mode_id.end()),
                           *std::max_element(body.mode_id.begin(), body.mode_id.end()));
      else if (!named.insert(j).second)
        diagnostics_.error(list->where, "{}: {}: mode {} stands twice", s.label(), list->field->name, id);
      else if (on && std::find(rigid.begin(), rigid.end(), j) != rigid.end())
        diagnostics_.error(list->where, "{}: MODES={}: that mode moves it as a rigid body, as its frame does",
                           s.label(), id);
    }
  for (int j = 0; j < body.modes; ++j)
    if (std::find(rigid.begin(), rigid.end(), j) == rigid.end() && named.contains(j) == (on != nullptr))
      choice.modes.push_back(j);
  if (rigid.empty() || on) return;
  std::vector<int> ids;
  for (const int j : rigid) ids.push_back(body.mode_id[j]);
  diagnostics_.note(s.where,
                    "{}: modes {} of {} move it as a rigid body, as its frame does, and are left out",
                    s.label(), fmt::join(ids, ", "), body.source);
}

/// DMODE, VMODE and MEXACT.
void Compiler::start_modes(const Statement& s, const ModalChoice& choice, const FlexibleBody& f) {
  std::vector<InitialMode> start(f.modes);
  std::vector<int> in_file(choice.modes);
  std::sort(in_file.begin(), in_file.end());
  const auto read = [&](std::string_view name, double InitialMode::*value) {
    const Argument* given = s.find(name);
    if (!given) return;
    if (start.empty()) {
      diagnostics_.note(given->where, "{}: {} says nothing where no mode takes part", s.label(), name);
      return;
    }
    if (given->numbers.size() != start.size()) {
      diagnostics_.error(given->where, "{}: {} has {} values; {} modes take part", s.label(), name,
                         given->numbers.size(), f.modes);
      return;
    }
    for (std::size_t j = 0; j < start.size(); ++j) {
      const auto at = std::lower_bound(in_file.begin(), in_file.end(), choice.modes[j]) - in_file.begin();
      start[j].*value = f.size[j] * given->numbers[at];
    }
  };
  read("DMODE", &InitialMode::value);
  read("VMODE", &InitialMode::rate);
  for (InitialMode& mode : start) mode.rate_given = s.has("VMODE");
  if (const Argument* exact = s.find("MEXACT"); exact && !start.empty())
    for (const double id : exact->numbers) {
      const auto at = std::find(f.mode_id.begin(), f.mode_id.end(), static_cast<int>(id));
      if (at == f.mode_id.end())
        diagnostics_.error(exact->where, "{}: MEXACT={}: no such mode takes part", s.label(), id);
      else
        start[static_cast<std::size_t>(at - f.mode_id.begin())].exact = true;
    }
  model_.initial.modes.insert(model_.initial.modes.end(), start.begin(), start.end());
}

/// Comes after all bodies, among which the frames are: modal coordinates are the last coordinates.
void Compiler::compile_flexible_bodies() {
  for (const Statement& s : statements_.all("FLEX_BODY")) {
    const std::shared_ptr<const ModalBody> body = modal_body_of(s);
    if (!body) continue;
    PlacedModes placed{body, choose_modes(s, *body)};
    try {
      FlexibleBody f{modal_tables(*body, placed.choice), name_of(s), body->source};
      f.body = flexible_frames_[s.id].body;
      f.first = model_.coordinates;
      model_.coordinates += f.modes;
      model_.modal_coordinates += f.modes;
      double frequency = 0;
      if (const int j = mode_of_other_frequency(f, frequency); j >= 0)
        diagnostics_.warning(
            s.where,
            "{}: mode {} of {} has the frequency {:.6g} there and {:.6g} by its stiffness and mass in "
            "the deck's units; compare the units of both",
            s.label(), f.mode_id[j], body->source, f.frequency[j], frequency);
      damp_modes(s, *body, placed.choice, f);
      start_modes(s, placed.choice, f);
      take_inertia_of_fast_modes(s, f);
      Body& frame = model_.bodies[f.body];
      const double mass = placed.choice.mass / model_.ucf;
      frame.mass = mass * body->invariants.mass;
      frame.inertia = (mass * placed.choice.length * placed.choice.length) * body->invariants.I7;
      flexible_[s.id] = static_cast<int>(model_.flexible_bodies.size());
      tell_fast_modes_that_move_mass(s, f, frame);
      model_.flexible_bodies.push_back(std::move(f));
      placed_modes_.push_back(std::move(placed));
    } catch (const Failure& failure) {
      diagnostics_.add(
          {Severity::error, s.where, fmt::format("{}: {}", s.label(), failure.what()), failure.code()});
    }
  }
  if (!model_.settling.empty()) model_.settling.resize(model_.coordinates);
}

/// A marker with NODE_ID: its place is the node's.
void Compiler::place_on_node(const Statement& s, int flexible) {
  const PlacedModes& of = placed_modes_[flexible];
  const int id = s.integer("NODE_ID", 0);
  LocalMarker& m = local_[s.id];
  m.flexible = flexible;
  m.node = of.modes->node(id);
  if (m.node < 0) {
    diagnostics_.error(s.find("NODE_ID")->where, "{}: {} has no node {}; it has {} nodes, {} to {}",
                       s.label(), of.modes->source, id, of.modes->nodes(),
                       *std::min_element(of.modes->node_id.begin(), of.modes->node_id.end()),
                       *std::max_element(of.modes->node_id.begin(), of.modes->node_id.end()));
    m.flexible = -1;
    return;
  }
  if (of.modes->rotation.empty() && told_of_rotations_.insert(flexible).second)
    diagnostics_.note(s.where,
                      "{}: {} tells no rotations of nodes: markers at its nodes keep the axes of the body's "
                      "frame, and torques there do not deform it",
                      model_.flexible_bodies[flexible].name.label(), of.modes->source);
  const Vec3d node = of.choice.length * of.modes->position[m.node];
  constexpr double digits = 1e-5;  // of numbers in decks
  if (s.has("QP") && norm(m.position - node) > digits * (norm(node) + norm(m.position)))
    diagnostics_.error(s.find("QP")->where,
                       "{}: QP is not where node {} is, at {:.6g}, {:.6g}, {:.6g}; leave QP out", s.label(),
                       id, node.x, node.y, node.z);
  m.position = node;
}

/// The unknown by which expressions read a modal coordinate or its derivative, made when first asked for.
int Compiler::modal_output(const FlexibleBody& f, int mode, int order) {
  const auto [at, made] = modal_output_.try_emplace({f.first + mode, order}, model_.scalar_count());
  if (made) {
    constexpr const char* names[] = {"Q", "QDOT", "QDDOT"};
    Scalar x;
    x.name = f.name;
    x.part = fmt::format("{}{}", names[order], f.mode_id[mode]);
    x.kind = ScalarKind::modal_output;
    x.element = f.first + mode;
    x.component = order;
    add_scalar(x);
  }
  return at->second;
}

void Compiler::add_node(int flexible, Marker& marker, int node) {
  FlexibleBody& f = model_.flexible_bodies[flexible];
  marker.node = static_cast<int>(model_.nodes.size());
  model_.nodes.push_back({flexible, static_cast<int>(model_.node_shapes.size() / 6)});
  f.nodes.push_back(marker.node);
  append_shapes(*placed_modes_[flexible].modes, placed_modes_[flexible].choice, f, node, model_.node_shapes);
}

}  // namespace trammel
