#include "session/graphics_scene.h"

#include <map>

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
      if (keyword == "PART" || keyword == "POINT_MASS") scene_.parts.push_back(s.id);
      if (keyword == "PART" && s.has("GROUND")) ground_ = s.id;
      if (keyword == "JOINT")
        scene_.joints.push_back({s.id, s.id_of("I").value_or(0), s.id_of("J").value_or(0)});
      if (keyword == "GRAPHICS") add_shape(s);
    }
    add_markers();
    for (const auto& [kind, count] : left_out_) left_out.push_back(fmt::format("{} {}", count, kind));
    return std::move(scene_);
  }

 private:
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
      if (element && element->id_of("J") == shape.arrow.marker) shape.arrow.sign = -1;
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
  int ground_ = 0;
};

}  // namespace

GraphicsScene graphics_scene(const Description& description, const Model& model,
                             std::vector<std::string>& left_out) {
  return SceneMaker(description, model).make(left_out);
}

}  // namespace trammel
