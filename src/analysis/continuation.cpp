#include "analysis/continuation.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <variant>

#include "assemble/kinematics.h"

namespace trammel {

namespace {

Renewed::Key key_of(const ElementName& name) {
  return {name.type, name.id};
}

void continue_body(InitialBody& initial, const Body& b, const Body& old, const BodyKinematics& k,
                   const Renewed& renewed) {
  const Renewed::Key key = key_of(b.name);
  const bool same_plane =
      old.planar() && std::ranges::equal(old.plane.m, b.plane.m) && old.height == b.height;
  if (b.planar() && !same_plane)
    fail(ExitCode::unsupported, "{}: its motion goes on, and PLANAR or PLANE cannot be changed under way",
         b.name.label());
  // Origin of the BCS: r = x + A b, v = ẋ + ω × A b; the centre of mass may have moved in the part.
  if (!renewed.positions.contains(key)) {
    initial.exact = {};
    initial.orientation = k.A;
    initial.position = k.x + k.A * (old.bcs - b.bcs);
  }
  if (!renewed.velocities.contains(key)) {
    initial.velocity_marker = initial.angular_marker = 0;
    initial.velocity = k.v + cross(k.w, k.A * (old.bcs - b.bcs));
    initial.angular_velocity = k.w;
    initial.velocity_given = {};
  }
}

/// Carries modal coordinates over to modes of the same number in the file.
void continue_modes(InitialValues& values, const Model& model, const Model& before, const State& state,
                    const Renewed& renewed) {
  for (const FlexibleBody& f : model.flexible_bodies)
    for (const FlexibleBody& old : before.flexible_bodies) {
      if (key_of(f.name) != key_of(old.name)) continue;
      for (int j = 0; j < f.modes; ++j) {
        const auto at = std::find(old.mode_id.begin(), old.mode_id.end(), f.mode_id[j]);
        if (at == old.mode_id.end()) continue;
        const auto k = at - old.mode_id.begin();
        InitialMode& mode = values.modes[f.first - model.first_modal() + j];
        const double unit = f.size[j] / old.size[k];
        if (!renewed.modes.contains(key_of(f.name))) {
          mode.exact = false;
          mode.value = unit * state.q[old.first + k];
        }
        if (!renewed.modal_rates.contains(key_of(f.name))) {
          mode.rate_given = false;
          mode.rate = unit * state.v[old.first + k];
        }
      }
    }
}

/// Whether the element reads curves: an inactive one does not.
bool on_curves(const ConstraintElement& e) {
  return e.curves >= 0 && !e.initial_only && e.name.active;
}

/// Indices in State::angle of the counted angles and the parameters on curves, by the element that they
/// belong to and what they are measured on: between other markers another angle begins. The angle of a MOTION
/// that gives it begins where its function is.
using AngleKey = std::tuple<std::string, int, std::vector<int>, int>;
std::map<AngleKey, int> angle_slots(const Model& model) {
  std::map<AngleKey, int> slots;
  const auto id = [&](int marker) { return model.markers[marker].id; };
  for (const AngleCounter& c : model.tape_angles)
    slots[{"expression", c.axis, {id(c.I), id(c.J)}, 0}] = c.slot;
  for (const ConstraintElement& e : model.constraint_elements) {
    for (int r = 0; r < e.rows; ++r)
      if (e.angle[r] >= 0 && !(e.motion && e.level == 0))
        slots[{e.name.type, e.name.id, {e.initial_only, id(e.I), id(e.J)}, r}] = e.angle[r];
    if (!on_curves(e)) continue;
    constexpr int of_J = 2, of_I = 3;
    const CurveUse& use = model.curve_uses[e.curves];
    slots[{e.name.type, e.name.id, {model.curves[use.curve_J].id}, of_J}] = use.slot_J;
    if (use.slot_I >= 0) slots[{e.name.type, e.name.id, {model.curves[use.curve_I].id}, of_I}] = use.slot_I;
  }
  for (const Connector& f : model.connectors) {
    if (f.angle < 0) continue;
    const int count = std::visit([](const auto& law) { return counted_angles(law).count; }, f.law);
    for (int k = 0; k < count; ++k)
      slots[{f.name.type, f.name.id, {count, id(f.I), id(f.J)}, k}] = f.angle + k;
  }
  for (const MultiPointForce& f : model.multi_point_forces) {
    std::vector<int> markers;
    f.for_ends([&](int marker) { markers.push_back(id(marker)); });
    for (int k = 0; k < f.angles; ++k) slots[{f.name.type, f.name.id, markers, k}] = f.angle + k;
  }
  return slots;
}

/// How far the point I is from the place on the curve of J, or the curves are from each other there.
double distance_at(const CurveContact& contact, const ContactPlace& at, const Pose<double>& I,
                   const Pose<double>& J) {
  const Pose<double> r = curve_rows::relative(I, J);
  const Vec3d p = contact.I.points > 0 ? r.r + r.A * curve_point(contact.I, at.I).c : r.r;
  return norm(p - curve_point(contact.J, at.J).c);
}

/// PTCVs and CVCVs begin at the points where the curves are nearest now: those that were inactive or on other
/// curves in the old model, whose slots `old` lists, and those that are farther off where they were, as
/// curves, markers or parts have changed.
void find_contacts(State& next, const Model& model, const std::map<AngleKey, int>& old) {
  Kinematics kinematics(model);
  kinematics.update(next);
  const std::map<AngleKey, int> slots = angle_slots(model);
  const auto known = [&](int slot) {
    return std::any_of(slots.begin(), slots.end(),
                       [&](const auto& entry) { return entry.second == slot && old.contains(entry.first); });
  };
  for (const ConstraintElement& e : model.constraint_elements) {
    if (!on_curves(e)) continue;
    const CurveUse& use = model.curve_uses[e.curves];
    const Pose<double>&I = kinematics.marker(e.I), &J = kinematics.marker(e.J);
    const CurveTable& on = model.curves[use.curve_J];
    CurveContact contact{{}, on, 0, next.angle[use.slot_J]};
    ContactPlace nearest;
    if (use.slot_I >= 0) {
      contact.I = model.curves[use.curve_I];
      contact.last_I = next.angle[use.slot_I];
      nearest = nearest_contact(contact, I, J);
    } else {
      nearest.J = nearest_parameter(on, transpose_times(J.A, I.r - J.r));
    }
    if (known(use.slot_J) && (use.slot_I < 0 || known(use.slot_I))) {
      constexpr double little = 1e-6;  // of the curve's size: what steps leave
      const ContactPlace kept = contact_place(contact, I, J);
      const double size = curve_rows::metric(on, nearest.J);
      if (kept.found &&
          distance_at(contact, kept, I, J) <= distance_at(contact, nearest, I, J) + little * size)
        continue;
    }
    if (use.slot_I >= 0) next.angle[use.slot_I] = nearest.I;
    next.angle[use.slot_J] = nearest.J;
  }
}

/// Where each DELAY of the model stands: the expression, and which of its DELAYs it is.
using DelayPlace = std::pair<std::string, int>;
std::vector<DelayPlace> places_of_delays(const Model& model) {
  std::vector<unsigned char> is_argument(model.tapes.size(), 0);
  for (const Delay& d : model.delays) is_argument[d.tape] = 1;
  std::vector<DelayPlace> places(model.delays.size());
  std::map<std::string, int> found;
  for (std::size_t t = 0; t < model.tapes.size(); ++t) {
    if (is_argument[t]) continue;
    const std::string& name = model.tape_name[t];
    for (const DelaySlot& slot : model.tapes[t].delays) places[slot.buffer] = {name, found[name]++};
  }
  return places;
}

/// Whether two tapes of two models are the same function of the same markers and states.
bool same_function(const Model& m, const Tape& a, const Model& n, const Tape& b) {
  const auto same = [](const auto& x, const auto& y, auto equal) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  };
  const auto same_scalar = [&](int i, int k) {
    const int i_wrench = i - m.scalar_count(),
              k_wrench = k - n.scalar_count();  // of the table behind scalars
    if (i_wrench >= 0 || k_wrench >= 0) return i_wrench == k_wrench;
    const Scalar &x = m.scalars[i], &y = n.scalars[k];
    return key_of(x.name) == key_of(y.name) && x.part == y.part;
  };
  return a.constants == b.constants && a.arguments == b.arguments && a.coefficients == b.coefficients &&
         same(a.code, b.code,
              [](const Instruction& x, const Instruction& y) {
                return std::tie(x.op, x.n, x.a, x.b, x.c) == std::tie(y.op, y.n, y.a, y.b, y.c);
              }) &&
         same(a.leaves, b.leaves,
              [](const Leaf& x, const Leaf& y) {
                return x.measure == y.measure && x.component == y.component && x.index == y.index &&
                       std::ranges::equal(x.marker, y.marker);
              }) &&
         same(a.markers, b.markers,
              [&](const TapeMarker& x, const TapeMarker& y) {
                return m.markers[x.marker].id == n.markers[y.marker].id;
              }) &&
         same(a.states, b.states, same_scalar) && same(a.rates, b.rates, same_scalar);
}

/// The histories of DELAYs, by their places. Tells where the argument was another one in the past. Throws
/// Failure(unsupported) where a history is not known.
void continue_delays(State& next, const Model& model, const Model& before, const State& state,
                     std::vector<std::string>& notes) {
  if (before.delays.size() != model.delays.size())
    fail(ExitCode::unsupported,
         "the change leaves {} DELAYs of {}: a history that is carried over must not change their number",
         model.delays.size(), before.delays.size());
  const std::vector<DelayPlace> places = places_of_delays(model), old = places_of_delays(before);
  for (std::size_t d = 0; d < places.size(); ++d) {
    const auto at = std::find(old.begin(), old.end(), places[d]);
    const std::string& where = places[d].first;
    if (at == old.end())
      fail(ExitCode::unsupported, "{}: its DELAY had another place before the change, and no history here",
           where);
    const std::size_t from = at - old.begin();
    const DelayBuffer& history = state.delays[from];
    const Delay &now = model.delays[d], &then = before.delays[from];
    if (now.longest > then.longest && history.forgets() && state.t - now.longest < history.times().front())
      fail(ExitCode::unsupported,
           "{}: its DELAY looks back {:.6g} since the change, and the history that is kept begins at time "
           "{:.9g}",
           where, now.longest, history.times().front());
    if (!same_function(model, model.tapes[now.tape], before, before.tapes[then.tape]))
      notes.push_back(fmt::format(
          "{}: what its DELAY tells of times before {:.9g} is its argument as it was before the change.",
          where, state.t));
    next.delays[d] = history;
  }
}

}  // namespace

InitialValues values_to_go_on_with(const Model& model, const Model& before, const State& state,
                                   const Renewed& renewed) {
  InitialValues values = model.initial;
  Kinematics kinematics(before);
  kinematics.update(state);
  std::map<Renewed::Key, std::size_t> bodies;
  for (std::size_t b = 0; b < before.bodies.size(); ++b) bodies[key_of(before.bodies[b].name)] = b;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (const auto old = bodies.find(key_of(model.bodies[b].name)); old != bodies.end())
      continue_body(values.bodies[b], model.bodies[b], before.bodies[old->second],
                    kinematics.body(static_cast<int>(old->second)), renewed);
  continue_modes(values, model, before, state, renewed);
  std::map<std::tuple<std::string, int, std::string, int>, std::size_t> scalars;
  const auto scalar_key = [](const Scalar& x, int& run, const Scalar* last) {
    run = last && last->name.type == x.name.type && last->name.id == x.name.id && last->part == x.part
              ? run + 1
              : 0;
    return std::tuple{x.name.type, x.name.id, x.part, run};  // a MOTION has two states of one name
  };
  int run = 0;
  const Scalar* last = nullptr;
  for (std::size_t k = 0; k < before.scalars.size(); last = &before.scalars[k++])
    scalars[scalar_key(before.scalars[k], run, last)] = k;
  last = nullptr;
  for (std::size_t k = 0; k < model.scalars.size(); ++k) {
    const Scalar& x = model.scalars[k];
    const auto old = scalars.find(scalar_key(x, run, last));
    last = &x;
    if (old == scalars.end() || renewed.states.contains(key_of(x.name))) continue;
    // A scalar that was inactive has no rate to continue with, and no value of a function; the dataset has
    // first guesses.
    const bool was_active = before.scalars[old->second].name.active;
    if (was_active || x.differential()) {
      values.scalars[k].value = state.s[old->second];
      values.scalars[k].given = false;
    }
    if (was_active) values.scalars[k].rate = state.sdot[old->second];
  }
  return values;
}

std::vector<std::string> continue_state(State& next, const Model& model, const Model& before,
                                        const State& state) {
  const std::map<AngleKey, int> old = angle_slots(before);
  for (const auto& [key, slot] : angle_slots(model))
    if (const auto at = old.find(key); at != old.end()) next.angle[slot] = state.angle[at->second];
  find_contacts(next, model, old);
  std::vector<std::string> notes;
  continue_delays(next, model, before, state, notes);
  return notes;
}

}  // namespace trammel
