#include "analysis/result_channels.h"

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/text.h"
#include "math/rotation.h"

namespace trammel {

namespace {

using Q = Quantity;

/// The components of every part, of every force; lists that all of their entities share.
const Components part_components = {{"X", Q::length},
                                    {"Y", Q::length},
                                    {"Z", Q::length},
                                    {"PSI", Q::angle},
                                    {"THETA", Q::angle},
                                    {"PHI", Q::angle},
                                    {"VX", Q::velocity},
                                    {"VY", Q::velocity},
                                    {"VZ", Q::velocity},
                                    {"WX", Q::angular_velocity},
                                    {"WY", Q::angular_velocity},
                                    {"WZ", Q::angular_velocity},
                                    {"ACCX", Q::acceleration},
                                    {"ACCY", Q::acceleration},
                                    {"ACCZ", Q::acceleration},
                                    {"WDX", Q::angular_acceleration},
                                    {"WDY", Q::angular_acceleration},
                                    {"WDZ", Q::angular_acceleration}};
const Components force_components = {{"FM", Q::force},  {"FX", Q::force},  {"FY", Q::force},
                                     {"FZ", Q::force},  {"TM", Q::torque}, {"TX", Q::torque},
                                     {"TY", Q::torque}, {"TZ", Q::torque}};

/// Further components of a CONTACT: the number of overlapping pairs of shapes, and the largest depth.
const Components overlap_components = {{"COUNT", Q::none}, {"DEPTH", Q::length}};

/// Quantity of the two halves of a request, by its type 1..4.
constexpr Quantity request_quantities[5][2] = {{Q::none, Q::none},
                                               {Q::length, Q::angle},
                                               {Q::velocity, Q::angular_velocity},
                                               {Q::acceleration, Q::angular_acceleration},
                                               {Q::force, Q::torque}};

/// The words of CUNITS, in the order of Quantity.
constexpr std::string_view unit_words[] = {"no_units",     "time",
                                           "length",       "angle",
                                           "velocity",     "angular_velocity",
                                           "acceleration", "angular_acceleration",
                                           "force",        "torque"};

/// Quantity of component k of a request: that of its CUNITS, else that of its type.
Quantity quantity_of(const Request& r, std::size_t k) {
  for (std::size_t q = 0; q < std::size(unit_words); ++q)
    if (r.units[k] == unit_words[q]) return static_cast<Quantity>(q);
  return r.type < 5 ? request_quantities[r.type][r.slot[k] > 4] : Q::none;
}

/// Name of a unit in result files; `fallback` where the deck has none.
std::string spelled(const std::string& name, const char* fallback) {
  if (name.empty()) return fallback;
  if (name == "KILOGRAM") return "kg";
  if (name == "MILLIMETER") return "mm";
  if (name == "SECOND") return "sec";
  return lower(name);
}

/// Whether a scalar has a channel: VARIABLEs, DIFFs, and the states and outputs of LSE and TFSISO, which have
/// parts. Scalars of FRICTION and CONTACT stand beside their forces.
bool has_channel(const Scalar& s) {
  return s.kind != ScalarKind::force_output && s.kind != ScalarKind::modal_output &&
         s.name.type != "FRICTION" && s.name.type != "CONTACT" &&
         (s.name.type == "VARIABLE" || s.name.type == "DIFF" || !s.part.empty());
}

Entity make_entity(const ElementName& name, Components components) {
  Entity e;
  e.type = name.type;
  e.id = name.id;
  e.view_name = name.view_name;
  e.components = std::move(components);
  return e;
}

/// The components of an element of a wrench table: those of its forces, and what else it shows.
template <class Element>
Components components_of(const Element& e, const Model& model) {
  const bool one = e.pairs() == 1 && e.part_marker(0) < 0;
  Components components = one ? force_components : Components();
  for (int pair = 0; !one && pair < e.pairs(); ++pair) {
    // One entity for all pairs of a multi-point force: FX_201 is the force on marker 201.
    const int marker = e.part_marker(pair);
    const std::string suffix = marker < 0 ? "" : fmt::format("_{}", model.markers[marker].id);
    for (const Component& c : force_components) components.push_back({c.name + suffix, c.quantity, 0});
  }
  if constexpr (requires { e.of_I; })
    for (const Component& c : overlap_components) components.push_back(c);
  e.for_shown([&](const ShownValue& value) {
    components.push_back({value.name, value.velocity ? Q::velocity : Q::none, 0});
  });
  return components;
}

}  // namespace

Channels make_channels(const Model& model) {
  Channels channels;
  channels.units = {spelled(model.units.force, "newton"), spelled(model.units.mass, "kg"),
                    spelled(model.units.length, "meter"), spelled(model.units.time, "sec"),
                    1.0 / model.units.meters_per_length};
  std::size_t entities =
      model.bodies.size() + model.contact_groups.size() + model.scalars.size() + model.requests.size();
  model.for_wrench_tables([&](const auto& table) { entities += table.size(); });
  channels.entities.reserve(entities);
  for (const Body& b : model.bodies) channels.entities.push_back(make_entity(b.name, part_components));
  for (const FlexibleBody& f : model.flexible_bodies) {
    Entity& entity = channels.entities[static_cast<std::size_t>(f.body)];
    for (const int id : f.mode_id) entity.components.push_back({fmt::format("Q{}", id), Q::none, 0});
    entity.comment = f.source;
  }
  model.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table)
      if (e.shown()) channels.entities.push_back(make_entity(e.name, components_of(e, model)));
  });
  for (const ContactGroup& g : model.contact_groups)
    channels.entities.push_back(make_entity(g.name, overlap_components));
  const ElementName* last = nullptr;  // the parts of an LSE or TFSISO stand together
  for (const Scalar& s : model.scalars)
    if (has_channel(s)) {
      if (s.part.empty() || !last || last->type != s.name.type || last->id != s.name.id)
        channels.entities.push_back(make_entity(s.name, {}));
      channels.entities.back().components.push_back({s.part.empty() ? "Q" : s.part, Q::none, 0});
      last = &s.name;
    }
  for (const Request& r : model.requests) {
    if (r.tape.empty()) continue;  // CNAMES took every component out
    Entity e = make_entity(r.name, {});
    for (std::size_t k = 0; k < r.component_names.size(); ++k)
      e.components.push_back({r.component_names[k], quantity_of(r, k), r.slot[k]});
    e.request_type = r.type;
    e.marker_i = r.marker_i;
    e.marker_j = r.marker_j;
    e.comment = r.comment;
    channels.entities.push_back(e);
  }
  return channels;
}

void gather_channels(const Model& model, Assembler& assembler, const State& state, std::span<double> values) {
  double* out = values.data();
  const auto put = [&](const Vec3d& v) {
    for (int k = 0; k < 3; ++k) *out++ = v[k];
  };
  auto flexible = model.flexible_bodies.begin();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyKinematics& k = assembler.kinematics().body(static_cast<int>(b));
    const Vec3d s = k.A * model.bodies[b].bcs, ws = cross(k.w, s);
    put(k.x + s);
    put(angles_313(k.A, parallel_sine));
    put(k.v + ws);
    put(k.w);
    put(k.a + cross(k.alpha, s) + cross(k.w, ws));
    put(k.alpha);
    if (flexible == model.flexible_bodies.end() || flexible->body != static_cast<int>(b)) continue;
    for (int j = 0; j < flexible->modes; ++j) *out++ = state.q[flexible->first + j] / flexible->size[j];
    ++flexible;
  }
  const auto value_of = [&](int tape, int at) {
    double result[3] = {0, 0, 0};
    if (tape >= 0) assembler.tapes().values(tape, assembler.reads(), result);
    return result[at];
  };
  const double* w = assembler.wrenches().data();
  std::vector<ContactOverlaps> overlaps(model.contacts.size());
  if (!overlaps.empty()) assembler.overlaps(overlaps);
  auto overlap = overlaps.begin();
  model.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table) {
      for (int pair = 0; pair < e.pairs(); ++pair, w += 12)
        for (int half = 0; e.shown() && half < 2; ++half) {
          const double* x = w + 3 * half;
          *out++ = std::hypot(x[0], x[1], x[2]);
          put({x[0], x[1], x[2]});
        }
      if constexpr (requires { e.of_I; }) {
        *out++ = overlap->count;
        *out++ = std::max(0.0, (overlap++)->depth);
      }
      e.for_shown([&](const ShownValue& value) {
        *out++ = value.scalar >= 0 ? state.s[value.scalar] : value_of(value.tape, value.result);
      });
    }
  });
  std::vector<ContactOverlaps> of_groups(model.contact_groups.size());
  if (!of_groups.empty()) assembler.overlaps_of_groups(of_groups);
  for (const ContactOverlaps& g : of_groups) {
    *out++ = g.count;
    *out++ = std::max(0.0, g.depth);
  }
  for (std::size_t k = 0; k < model.scalars.size(); ++k)
    if (has_channel(model.scalars[k])) *out++ = state.s[k];
  for (const Request& r : model.requests)
    for (int tape : r.tape) *out++ = value_of(tape, 0);
}

namespace {

/// Finds components by the names of their entities; made anew for each use.
class ComponentPlaces {
 public:
  explicit ComponentPlaces(const Channels& channels) {
    int at = 0;
    for (const Entity& e : channels.entities)
      for (const Component& c : e.components) place_.emplace(key(e, c), at++);
  }
  int of(const Entity& e, const Component& c) const {
    const auto found = place_.find(key(e, c));
    return found == place_.end() ? -1 : found->second;
  }

 private:
  using Key = std::tuple<std::string, int, std::string>;
  static Key key(const Entity& e, const Component& c) {
    return {e.type, e.id, c.slot > 0 ? std::to_string(c.slot) : c.name};
  }
  std::map<Key, int> place_;
};

}  // namespace

std::vector<int> match_channels(const Channels& open, const Channels& present) {
  std::vector<int> columns;
  columns.reserve(static_cast<std::size_t>(open.size()));
  std::optional<ComponentPlaces> places;
  // Most changes leave the entities as they are: each is looked for in its own place first.
  auto same = present.entities.begin();
  int at = 0;
  for (const Entity& e : open.entities) {
    const bool found = same != present.entities.end() && same->id == e.id && same->type == e.type &&
                       same->components == e.components;
    if (!found && !places) places.emplace(present);
    for (std::size_t k = 0; k < e.components.size(); ++k)
      columns.push_back(found ? at + static_cast<int>(k) : places->of(e, e.components[k]));
    if (same != present.entities.end()) at += static_cast<int>((same++)->components.size());
  }
  return columns;
}

}  // namespace trammel
