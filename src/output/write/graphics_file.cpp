#include "output/write/graphics_file.h"

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/entity_types.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

using Names = std::array<const char*, 6>;
constexpr Names position_names = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
constexpr Names force_names = {"FX", "FY", "FZ", "TX", "TY", "TZ"};

/// Written in place of the time: for the model as input, and for a static equilibrium.
constexpr double input_mark = -9.99999e5, static_mark = -5.55555e5;

/// Kinds of shapes.
constexpr int arrow_kind = 5, box_kind = 7;

std::string title_line(const RunInfo& info) {
  std::string text = as_utf8(info.title);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  text.resize(std::max<std::size_t>(text.size(), 80), ' ');
  return text + "\n";
}

std::array<int, 6> places_of(const Entity& entity, int offset, const Names& names) {
  std::array<int, 6> places;
  places.fill(-1);
  for (std::size_t c = 0; c < entity.components.size(); ++c)
    for (std::size_t k = 0; k < 6; ++k)
      if (equal_ignoring_case(entity.components[c].name, names[k])) places[k] = offset + static_cast<int>(c);
  return places;
}

/// Ground is not a channel: it gets the smallest id that no part has.
std::vector<int> parts_of(const Channels& channels) {
  std::vector<int> ids;
  for (const Entity& entity : channels.entities)
    if (is_part(entity)) ids.push_back(entity.id);
  int ground = 1;
  while (std::count(ids.begin(), ids.end(), ground) > 0) ++ground;
  ids.insert(ids.begin(), ground);
  return ids;
}

/// Positions of markers in the list, from 1; 0: none.
std::map<int, int> numbered(const std::vector<GraphicsScene::Marker>& markers) {
  std::map<int, int> places;
  for (std::size_t k = 0; k < markers.size(); ++k) places.emplace(markers[k].id, static_cast<int>(k) + 1);
  return places;
}

void append_marker(std::string& text, const GraphicsScene::Marker& marker) {
  text += fmt::format(" {:10}{:10}", marker.id, marker.part);
  for (const double x : marker.position) append_fortran_e(text, x, 13);
  text += fmt::format("{:8}\n ", 0);
  for (const double angle : marker.angles) append_fortran_e(text, angle, 13);
  text += '\n';
}

void append_shape(std::string& text, const GraphicsScene::Shape& shape, std::map<int, int>& place) {
  const int kind = shape.is_arrow ? arrow_kind : box_kind, numbers = shape.is_arrow ? 2 : 7;
  text += fmt::format(" {:10}{:10}{:10}\n", shape.id, kind, numbers);
  if (shape.is_arrow) {
    text += fmt::format(" {:10}{:10}\n", place[shape.arrow.marker], 0);
    return;
  }
  text += fmt::format(" {:5}", place[shape.box.corner]);
  for (int k = 0; k < 3; ++k) append_fortran_e(text, 0, 13);
  for (const double length : shape.box.size) append_fortran_e(text, length, 13);
  text += '\n';
}

}  // namespace

void GraphicsFile::open(const std::string& path, const Channels& channels, const RunInfo& info,
                        const GraphicsScene& scene, const FilePosition* position) {
  rows_.clear();
  std::map<std::string, std::array<int, 6>> forces;
  int offset = 0;
  for (const Entity& entity : channels.entities) {
    if (is_part(entity))
      rows_.push_back({places_of(entity, offset, position_names)});
    else
      forces.emplace(entity.name(), places_of(entity, offset, force_names));
    offset += static_cast<int>(entity.components.size());
  }
  int arrows = 0;
  for (const GraphicsScene::Shape& shape : scene.shapes) {
    if (!shape.is_arrow) continue;
    const auto found = forces.find(shape.arrow.element);
    Row row{{-1, -1, -1, -1, -1, -1}, shape.arrow.sign};
    if (found != forces.end()) row.places = found->second;
    rows_.push_back(row);
    ++arrows;
  }
  const std::vector<int> parts = scene.parts.empty() ? parts_of(channels) : scene.parts;
  std::map<int, int> place = numbered(scene.markers);
  std::string text = fmt::format(" A.G8    {:<19}  {} {:.15E}\n", info.local_time.substr(0, 19),
                                 unit_code(channels.units), channels.units.length_per_meter);
  text += title_line(info);
  text += fmt::format(" {:5}{:5}{:5}{:5}{:5}{:5}{:5}{:5}{:5}\n", parts.size(), scene.markers.size(),
                      scene.shapes.size(), 0, scene.joints.size(), 0, 0, 0, arrows);
  for (const int part : parts) text += fmt::format(" {:10}{:10}\n", part, 1);
  for (const GraphicsScene::Joint& joint : scene.joints)
    text += fmt::format(" {:10}{:10}{:10}\n", joint.id, place[joint.i], place[joint.j]);
  for (const GraphicsScene::Marker& marker : scene.markers) append_marker(text, marker);
  for (const GraphicsScene::Shape& shape : scene.shapes) append_shape(text, shape, place);
  file_.begin(path, text, position);
}

char* GraphicsFile::put_row(char* at, const Row& row, std::span<const double> values) {
  *at++ = ' ';
  for (const int place : row.places)
    at = put_fortran_e(at, place < 0 ? 0.0 : row.factor * values[static_cast<std::size_t>(place)], 13);
  *at++ = '\n';
  return at;
}

void GraphicsFile::record(double time, StepKind kind, std::span<const double> values) {
  const double mark = kind == StepKind::model_input ? input_mark
                      : kind == StepKind::statics   ? static_mark
                                                    : time;
  char* at = put_fortran_e(text_.begin(6 * rows_.size() + 1, 2 * rows_.size()), mark, 14);
  *at++ = '\n';
  for (const Row& row : rows_) at = put_row(at, row, values);
  file_.write(text_.until(at));
}

}  // namespace trammel
