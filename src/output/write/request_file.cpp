#include "output/write/request_file.h"

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

}  // namespace

int request_position(const Entity& request, int index) {
  // A slot gives the position; without a slot the name does: CNAMES may name any component F3.
  const Component& component = request.components[static_cast<std::size_t>(index)];
  if (component.slot >= 1 && component.slot <= 8) return position_of_slot[component.slot];
  const std::string& name = component.name;
  if (name.size() == 2 && (name[0] == 'F' || name[0] == 'f') && name[1] >= '1' && name[1] <= '8')
    return position_of_slot[name[1] - '0'];
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
