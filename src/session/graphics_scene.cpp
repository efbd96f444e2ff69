#include "session/graphics_scene.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "math/rotation.h"

namespace trammel {

namespace {

std::array<double, 3> numbers_of(const Vec3d& v) {
  return {v[0], v[1], v[2]};
}

class SceneMaker {
 public:
  SceneMaker(const Description& description, const Model& model) : description_(description), model_(model) {}

  GraphicsScene make(std::vector<std::string>& left_out) {
    for (const Statement& s : description_.statements) {
      const std::string_view keyword = s.spec->keyword;
      if (keyword == "PART" || keyword == "POINT_MASS") {
        scene_.parts.push_back(s.id);
        last_part_ = {keyword, s.id};
      }
      if (keyword == "PART" && s.has("GROUND")) ground_ = s.id;
      if (keyword == "JOINT")
        scene_.joints.push_back({s.id, s.id_of("I").value_or(0), s.id_of("J").value_or(0)});
      if (keyword == "GRAPHICS") add_shape(s);
      if (keyword == "MARKER" && s.has("FLOATING")) floating_.push_back({s.id, owner_of(s)});
      const std::optional<int> i = s.id_of("I"), floating = s.id_of("JFLOAT");
      if (i && floating) carriers_[*floating] = *i;
    }
    add_markers();
    add_floating();
    for (const auto& [kind, count] : left_out_) left_out.push_back(fmt::format("{} {}", count, kind));
    return std::move(scene_);
  }

 private:
  /// Statement and number of a body.
  using Owner = std::pair<std::string_view, int>;

  /// The body that a marker names, else the part in front of it.
  Owner owner_of(const Statement& marker) const {
    for (const std::string_view keyword : {"PART", "POINT_MASS", "FLEX_BODY"})
      if (const std::optional<int> id = marker.id_of(keyword)) return {keyword, *id};
    return last_part_;
  }

  /// Floating markers follow the I markers of their forces, for which the format has no place: they stand
  /// where these are in the state that the dataset gives, with the axes of their own parts.
  void add_floating() {
    if (floating_.empty()) return;
    std::map<int, const Marker*> markers;
    for (const Marker& m : model_.markers) markers[m.id] = &m;
    std::map<Owner, std::size_t> bodies;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      bodies[{model_.bodies[b].name.type, model_.bodies[b].name.id}] = b;
    for (const auto& [id, owner] : floating_) {
      GraphicsScene::Marker marker{id, owner.second, {}, {}};
      const auto carrier = carriers_.find(id);
      const auto i = carrier == carriers_.end() ? markers.end() : markers.find(carrier->second);
      const auto body = bodies.find(owner);  // ground is none
      if (i != markers.end()) {
        const Vec3d place = initial_place(*i->second);
        marker.position = numbers_of(body == bodies.end() ? place : place_in_frame(body->second, place));
      }
      scene_.markers.push_back(marker);
    }
  }

  /// Global coordinates of a marker in the state that the dataset gives.
  Vec3d initial_place(const Marker& m) const {
    if (m.body < 0) return m.s;
    const InitialBody& initial = model_.initial.bodies[static_cast<std::size_t>(m.body)];
    return initial.position + initial.orientation * m.s;
  }

  /// Coordinates of a global place in the frame of a body there.
  Vec3d place_in_frame(std::size_t body, const Vec3d& place) const {
    const InitialBody& initial = model_.initial.bodies[body];
    return transpose_times(initial.orientation, place - initial.position) - model_.bodies[body].bcs;
  }

  /// The model gives markers from the centre of mass, in body axes, which are those of the part's own frame.
  void add_markers() {
    for (const Marker& m : model_.markers) {
      if (m.id <= 0) continue;
      GraphicsScene::Marker marker{m.id, ground_, numbers_of(m.s), numbers_of(angles_313(m.A))};
      if (m.body >= 0) {
        const Body& body = model_.bodies[static_cast<std::size_t>(m.body)];
        marker.part = body.name.id;
        marker.position = numbers_of(m.s - body.bcs);
      }
      scene_.markers.push_back(marker);
    }
  }

  void add_shape(const Statement& s) {
    const std::string_view kind = s.chosen("shape");
    GraphicsScene::Shape shape;
    shape.id = s.id;
    if (kind == "BOX") {
      shape.box = {s.id_of("CORNER").value_or(0), {s.real("X", 0), s.real("Y", 0), s.real("Z", 0)}};
    } else if (kind == "FORCE") {
      shape.is_arrow = true;
      const std::string keyword = upper(s.text("ETYPE"));
      const int element_id = s.integer("EID", 0);
      shape.arrow = {s.id_of("EMARKER").value_or(0), fmt::format("{}/{}", keyword, element_id), 1};
      const Statement* element = description_.find(keyword, element_id);
      for (const std::string_view j : {"J", "JFLOAT"})
        if (element && element->id_of(j) == shape.arrow.marker) shape.arrow.sign = -1;
    } else {
      ++left_out_[kind.empty() ? "GRAPHICS without a kind" : std::string(kind)];
      return;
    }
    scene_.shapes.push_back(shape);
  }

  const Description& description_;
  const Model& model_;
  GraphicsScene scene_;
  std::map<std::string, int> left_out_;
  std::vector<std::pair<int, Owner>> floating_;  ///< floating markers and their bodies
  std::map<int, int> carriers_;                  ///< the I marker of the force that has a floating marker
  Owner last_part_;
  int ground_ = 0;
};

}  // namespace

GraphicsScene graphics_scene(const Description& description, const Model& model,
                             std::vector<std::string>& left_out) {
  return SceneMaker(description, model).make(left_out);
}

}  // namespace trammel
