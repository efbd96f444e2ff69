#include "output/write/table_file.h"

#include <cmath>
#include <numbers>

#include "base/diagnostics.h"
#include "base/text.h"
#include "math/rotation.h"
#include "output/number_text.h"
#include "output/unit_names.h"
#include "output/write/request_file.h"

namespace trammel {
namespace {

constexpr int column_width = 14;
constexpr const char* type_names[6] = {"", "displacement", "velocity", "acceleration", "force", "function"};

/// Index of the limit of OUTPUT (DZERO, VZERO, AZERO, FZERO) for a quantity; −1: none.
int zero_index(Quantity quantity) {
  switch (quantity) {
    case Quantity::length:
    case Quantity::angle:
      return 0;
    case Quantity::velocity:
    case Quantity::angular_velocity:
      return 1;
    case Quantity::acceleration:
    case Quantity::angular_acceleration:
      return 2;
    case Quantity::force:
    case Quantity::torque:
      return 3;
    default:
      return -1;
  }
}

/// Which of the components 1 to 8 component c of a request is.
int slot_of(const Entity& request, std::size_t c) {
  const int slot = request.components[c].slot;
  if (slot >= 1 && slot <= 8) return slot;
  const int position = request_position(request, static_cast<int>(c));  // without magnitudes
  return position < 0 ? static_cast<int>(c) + 1 : position + (position < 3 ? 2 : 3);
}

/// The component of a displacement request at which psi, theta, phi begin; −1 if they are not all present.
int first_angle(const Entity& request) {
  for (std::size_t c = 0; request.request_type == 1 && c + 2 < request.components.size(); ++c)
    if (slot_of(request, c) == 6 && slot_of(request, c + 1) == 7 && slot_of(request, c + 2) == 8)
      return static_cast<int>(c);
  return -1;
}

/// (yaw, pitch, roll) of the orientation with these 3-1-3 angles: from A₂₁/A₁₁, A₃₁, A₃₂/A₃₃.
Vec3d yaw_pitch_roll(const Vec3d& angles) {
  const Mat3d a = rotation_313(angles);
  return {std::atan2(a(1, 0), a(0, 0)), std::atan2(a(2, 0), std::hypot(a(0, 0), a(1, 0))),
          std::atan2(a(2, 1), a(2, 2))};
}

constexpr const char* euler_names[3] = {"PSI", "THETA", "PHI"};
constexpr const char* yaw_names[3] = {"YAW", "PITCH", "ROLL"};

std::string right(const std::string& text) {
  return fmt::format("{:>{}}", text.substr(0, column_width - 1), column_width);
}

}  // namespace

std::vector<std::string> table_warnings(const Channels& channels, const TableOptions& options) {
  std::vector<std::string> texts;
  if (!options.yaw_pitch_roll) return texts;
  for (const Entity& e : channels.entities) {
    if (e.request_type != 1 || first_angle(e) >= 0) continue;
    bool some = false;
    for (std::size_t c = 0; c < e.components.size(); ++c) some = some || slot_of(e, c) >= 6;
    if (some)
      texts.push_back(fmt::format(
          "{}: CNAMES leaves out some of psi, theta, phi, so that OUTPUT/YPR has no effect on it.",
          e.name()));
  }
  return texts;
}

TableFile::Table TableFile::make_table(const Entity& request, std::size_t offset,
                                       const UnitNames& units) const {
  Table table;
  const int type = request.request_type >= 1 && request.request_type <= 5 ? request.request_type : 5;
  table.heading = fmt::format("\n {}", request.name());
  if (!request.view_name.empty()) table.heading += " (" + single_line(as_utf8(request.view_name)) + ")";
  table.heading += fmt::format("   {}", type_names[type]);
  if (type != 5) {
    table.heading += fmt::format(" of marker {}", request.marker_i);
    if (request.marker_j != 0) table.heading += fmt::format(", relative to {}", request.marker_j);
  }
  table.heading += "\n";
  if (!request.comment.empty()) table.heading += " " + single_line(as_utf8(request.comment)) + "\n";
  constexpr double unscaled[2] = {1, 1};
  const double* scale = type == 5 ? unscaled : options_.scale[type - 1];
  if (scale[0] != 1 || scale[1] != 1)
    table.heading += fmt::format(" scaled: {:g} (translational), {:g} (rotational)\n", scale[0], scale[1]);
  const int psi = options_.yaw_pitch_roll ? first_angle(request) : -1;
  if (psi >= 0) table.angles = static_cast<int>(offset) + psi;
  std::string names = right("TIME"), second = right(time_unit(units));
  for (std::size_t c = 0; c < request.components.size(); ++c) {
    const Component& component = request.components[c];
    const bool degrees = type == 1 && component.quantity == Quantity::angle;
    // The fifth component of a displacement has no meaning.
    if (type == 1 && (component.slot == 5 || equal_ignoring_case(component.name, "AMAG"))) continue;
    const int angle = psi >= 0 ? static_cast<int>(c) - psi : -1;  // 0 1 2: yaw, pitch, roll
    const bool renamed = angle >= 0 && angle < 3 && component.name == euler_names[angle];
    names += right(renamed ? yaw_names[angle] : as_utf8(component.name));
    second += right(degrees ? "deg" : unit_of(component.quantity, units));
    const int index = zero_index(component.quantity);
    double zero = index < 0 ? 0.0 : options_.zero[index];
    if (zero < 0.0) zero = options_.fixed ? 1e-3 : 1e-7;
    const double factor = scale[slot_of(request, c) > 4] * (degrees ? 180.0 / std::numbers::pi : 1.0);
    table.columns.push_back({offset + c, factor, zero});
  }
  table.heading += "\n" + names + "\n" + second + "\n";
  return table;
}

void TableFile::open(const std::string& path, const Channels& channels, const RunInfo& info,
                     TableOptions options, const FilePosition* position) {
  options_ = options;
  title_ = single_line(as_utf8(info.title));
  tables_.clear();
  times_.clear();
  rows_.clear();
  page_ = 1;
  width_ = 0;
  std::size_t offset = 0;
  for (const Entity& entity : channels.entities) {
    if (equal_ignoring_case(entity.type, "REQUEST")) {
      tables_.push_back(make_table(entity, offset, channels.units));
      width_ += tables_.back().columns.size();
    }
    offset += entity.components.size();
  }
  file_.begin(path,
              fmt::format(" {}\n {} {}   {}   {} request{}\n", title_, info.program, info.version,
                          info.local_time, tables_.size(), tables_.size() == 1 ? "" : "s"),
              position);
}

void TableFile::append_number(std::string& text, double value) const {
  if (!options_.fixed)
    append_fortran_e(text, value, column_width);
  else if (!(std::abs(value) < 1e8))  // wider than the column
    append_fortran_e(text, value, column_width);
  else
    text += fmt::format("{:{}.4f}", value, column_width);
}

std::string TableFile::page_head() const {
  return fmt::format("\f\n {}   page {}\n", title_, page_);
}

std::string TableFile::page_text() const {
  std::string text = page_head();
  std::size_t first = 0;
  for (const Table& table : tables_) {
    text += table.heading;
    for (std::size_t r = 0; r < times_.size(); ++r) {
      append_number(text, times_[r]);
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        append_number(text, rows_[r * width_ + first + c]);
      text += '\n';
    }
    first += table.columns.size();
  }
  return text;
}

void TableFile::record(double time, std::span<const double> values) {
  times_.push_back(time);
  for (const Table& table : tables_) {
    const int psi = table.angles;
    Vec3d angles{};
    if (psi >= 0) angles = yaw_pitch_roll({values[psi], values[psi + 1], values[psi + 2]});
    for (const Column& column : table.columns) {
      const int angle = static_cast<int>(column.place) - psi;
      const double shown = psi >= 0 && angle >= 0 && angle < 3 ? angles[angle] : values[column.place];
      const double value = shown * column.factor;
      rows_.push_back(std::abs(value) < column.zero ? 0.0 : value);
    }
  }
  if (times_.size() >= times_per_page) end_page();
}

void TableFile::end_page() {
  if (times_.empty()) return;
  file_.set_tail("");
  file_.write(page_text());
  ++page_;
  times_.clear();
  rows_.clear();
}

void TableFile::modes(const ModeSet& set) {
  end_page();
  file_.set_tail("");
  file_.write(page_head() + set.text);
  ++page_;
}

void TableFile::flush() {
  file_.set_tail(times_.empty() ? "" : page_text());
  file_.flush();
}

FilePosition TableFile::position() {
  flush();
  return file_.position();
}

void TableFile::close() {
  if (!file_.is_open()) return;
  file_.set_tail("");
  if (!times_.empty()) file_.write(page_text());
  times_.clear();
  rows_.clear();
  file_.close();
}

}  // namespace trammel
