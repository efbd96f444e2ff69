#include "output/write/request_file.h"

#include <algorithm>
#include <iterator>
#include <numbers>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

/// Position of the components 1 to 8 (F1 to F8) among the six numbers; 1 and 5 are magnitudes.
constexpr int position_of_slot[9] = {-1, -1, 0, 1, 2, -1, 3, 4, 5};

constexpr int displacement_request = 1, function_request = 5;

std::string padded(std::string text, std::size_t columns) {
  text.resize(columns, ' ');
  return text;
}

/// " A.R3", date and time, two zeros of unknown meaning, dimension; title; number of requests and units.
std::string header_text(std::size_t requests, const UnitNames& units, const RunInfo& info) {
  std::string text = fmt::format(" A.R3    {:<19}{:16}{:10}  3D\n", info.local_time.substr(0, 19), 0, 0);
  text += padded(single_line(info.title), 80) + "\n";
  text += fmt::format("{:5}     {} {:.15E}\n", requests, unit_code(units), units.length_per_meter);
  return text;
}

/// Identification, type, markers and the length of the comment in words of 4 characters; the comment.
std::string request_text(const Entity& request) {
  const std::string comment = single_line(request.comment);
  const std::size_t words = (comment.size() + 3) / 4;
  const bool function = request.request_type == function_request;
  return fmt::format("{:11}{:14}{:14}{:14}{:14}\n", request.id, request.request_type,
                     function ? 0 : request.marker_i, function ? 0 : request.marker_j, words) +
         padded(comment, 4 * words) + "\n";
}

/// What the types 1 to 4 contain: names of the components 1 to 8, and the quantities of the translational and
/// the rotational four.
struct TypeContents {
  std::array<const char*, 8> names;
  Quantity translational, rotational;
};
constexpr TypeContents type_contents[] = {
    {{"MAG", "X", "Y", "Z", "AMAG", "PSI", "THETA", "PHI"}, Quantity::length, Quantity::angle},
    {{"VM", "VX", "VY", "VZ", "WM", "WX", "WY", "WZ"}, Quantity::velocity, Quantity::angular_velocity},
    {{"ACCM", "ACCX", "ACCY", "ACCZ", "WDTM", "WDTX", "WDTY", "WDTZ"},
     Quantity::acceleration,
     Quantity::angular_acceleration},
    {{"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"}, Quantity::force, Quantity::torque},
};

/// Number of a component F1 to F8 of a function; 0 for other names.
int function_component(const std::string& name) {
  const bool named =
      name.size() == 2 && (name[0] == 'F' || name[0] == 'f') && name[1] >= '1' && name[1] <= '8';
  return named ? name[1] - '0' : 0;
}

/// Slots of the components if all are those of this type; empty if one is not.
std::vector<int> slots_in(const TypeContents& contents, const Components& components) {
  std::vector<int> slots;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const Component& c = components[k];
    int slot = components.size() == 8 && function_component(c.name) == 0 ? static_cast<int>(k) + 1 : 0;
    for (std::size_t n = 0; n < 8; ++n)
      if (equal_ignoring_case(c.name, contents.names[n])) slot = static_cast<int>(n) + 1;
    const bool magnitude = slot == 1 || slot == 5;
    if (slot == 0 || std::find(slots.begin(), slots.end(), slot) != slots.end()) return {};
    if (c.quantity != (slot > 4 ? contents.rotational : contents.translational) &&
        !(magnitude && c.quantity == Quantity::none))
      return {};
    slots.push_back(slot);
  }
  return slots;
}

}  // namespace

void set_request_type(Entity& request) {
  request.request_type = function_request;
  std::vector<int> slots;
  for (std::size_t type = 0; type < std::size(type_contents) && slots.empty(); ++type) {
    slots = slots_in(type_contents[type], request.components);
    if (!slots.empty()) request.request_type = static_cast<int>(type) + 1;
  }
  if (slots.empty() && request.components.size() == 8) slots = {1, 2, 3, 4, 5, 6, 7, 8};
  for (std::size_t k = 0; k < slots.size(); ++k) request.components.change()[k].slot = slots[k];
}

int request_position(const Entity& request, int index) {
  // A slot gives the position; without a slot the name does: CNAMES may name any component F3.
  const Component& component = request.components[static_cast<std::size_t>(index)];
  if (component.slot >= 1 && component.slot <= 8) return position_of_slot[component.slot];
  if (const int number = function_component(component.name)) return position_of_slot[number];
  if (request.components.size() > 6) return position_of_slot[index + 1];
  return index;
}

void RequestFile::open(const std::string& path, const Channels& channels, const RunInfo& info,
                       const FilePosition* position) {
  requests_.clear();
  std::string requests_text;
  int offset = 0;
  for (const Entity& entity : channels.entities) {
    const int size = static_cast<int>(entity.components.size());
    if (equal_ignoring_case(entity.type, "REQUEST")) {
      if (size > 8)
        fail(ExitCode::internal, "{}: {} components, the .req format has 8 at most", entity.name(), size);
      std::array<Source, 6> sources;
      for (int k = 0; k < size; ++k) {
        const int place = request_position(entity, k);
        if (place < 0) continue;
        Source& source = sources[static_cast<std::size_t>(place)];
        if (source.index >= 0)
          fail(ExitCode::internal, "{}: component {} takes a place of the .req file that is taken",
               entity.name(), entity.components[static_cast<std::size_t>(k)].name);
        source.index = offset + k;
        // Angles of displacement requests are written in degrees, everything else unchanged.
        if (entity.request_type == displacement_request &&
            entity.components[static_cast<std::size_t>(k)].quantity == Quantity::angle)
          source.factor = 180.0 / std::numbers::pi;
      }
      requests_.push_back(sources);
      requests_text += request_text(entity);
    }
    offset += size;
  }
  file_.begin(path, header_text(requests_.size(), channels.units, info) + requests_text, position);
}

void RequestFile::record(double time, std::span<const double> values) {
  char* at = put_fortran_e(text_.begin(6 * requests_.size() + 1, 2 * requests_.size()), time, 14);
  *at++ = '\n';
  for (const auto& sources : requests_) {
    *at++ = ' ';
    for (const Source& source : sources) {
      const bool there = source.index >= 0;
      at =
          put_fortran_e(at, there ? values[static_cast<std::size_t>(source.index)] * source.factor : 0.0, 13);
    }
    *at++ = '\n';
  }
  file_.write(text_.until(at));
}

}  // namespace trammel
