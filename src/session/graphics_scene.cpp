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

/// The text of a GRAPHICS: its kind, and its arguments by name.
struct ShapeText {
  std::string kind;
  std::map<std::string, std::string> arguments;

  explicit ShapeText(const Statement& s) {
    if (s.arguments.empty()) return;
    std::string text = s.arguments[0].text;
    for (char& c : text)
      if (c == '\n' || c == '\r') c = ',';
    for (const std::string_view part : split(text, ',')) {
      const std::size_t at = part.find('=');
      const std::string name = upper(trim(part.substr(0, at)));
      if (at != std::string_view::npos)
        arguments[name] = std::string(trim(part.substr(at + 1)));
      else if (kind.empty())
        kind = name;
    }
  }
  int id(const char* name) const {
    const auto found = arguments.find(name);
    return found == arguments.end() ? 0 : parse_integer(found->second).value_or(0);
  }
  double number(const char* name) const {
    const auto found = arguments.find(name);
    return found == arguments.end() ? 0 : parse_number(found->second).value_or(0);
  }
};

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
  /// Markers of the model lie in body axes, which are those of the part's own frame, from the centre of mass.
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
    const ShapeText text(s);
    GraphicsScene::Shape shape;
    shape.id = s.id;
    if (text.kind == "BOX") {
      shape.box = {text.id("CORNER"), {text.number("X"), text.number("Y"), text.number("Z")}};
    } else if (text.kind == "FORCE") {
      shape.is_arrow = true;
      const auto type = text.arguments.find("ETYPE");
      const std::string keyword = type == text.arguments.end() ? "" : upper(type->second);
      shape.arrow = {text.id("EMARKER"), fmt::format("{}/{}", keyword, text.id("EID")), 1};
      const Statement* element = description_.find(keyword, text.id("EID"));
      if (element && element->id_of("J") == shape.arrow.marker) shape.arrow.sign = -1;
    } else {
      ++left_out_[text.kind.empty() ? "GRAPHICS without a kind" : text.kind];
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
