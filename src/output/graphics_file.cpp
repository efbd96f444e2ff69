#include "output/graphics_file.h"

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/entity_types.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr const char* position_names[6] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};

std::string single_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

}  // namespace

void GraphicsFile::open(const std::string& path, const Channels& channels, const RunInfo& info) {
  parts_.clear();
  std::string list;
  int offset = 0;
  for (const Entity& entity : channels.entities) {
    const int size = static_cast<int>(entity.components.size());
    if (is_part(entity)) {
      std::array<int, 6> places;
      places.fill(-1);
      for (int c = 0; c < size; ++c)
        for (std::size_t k = 0; k < 6; ++k)
          if (equal_ignoring_case(entity.components[static_cast<std::size_t>(c)].name, position_names[k]))
            places[k] = offset + c;
      parts_.push_back(places);
      list +=
          fmt::format("{:11} {:<12} {}\n", entity.id, entity.type, single_line(as_utf8(entity.view_name)));
    }
    offset += size;
  }
  file_.open(path);
  file_.write(fmt::format(" TRAMMEL.GRA 1  {:<19}  {} {:.15E}\n{}\n{:11}\n", info.local_time.substr(0, 19),
                          unit_code(channels.units), channels.units.length_per_meter,
                          single_line(as_utf8(info.title)), parts_.size()));
  file_.write(list);
  file_.flush();
}

void GraphicsFile::record(double time, std::span<const double> values) {
  text_.clear();
  append_fortran_e(text_, time, 14);
  text_ += '\n';
  for (const auto& places : parts_) {
    text_ += ' ';
    for (const int place : places)
      append_fortran_e(text_, place < 0 ? 0.0 : values[static_cast<std::size_t>(place)], 13);
    text_ += '\n';
  }
  file_.write(text_);
}

}  // namespace trammel
