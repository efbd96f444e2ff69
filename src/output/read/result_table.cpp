#include "output/read/result_table.h"

#include <algorithm>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "output/unit_names.h"

namespace trammel {

void RecordBlocks::set_width(std::size_t width) {
  constexpr std::size_t block_values = std::size_t{1} << 16;
  width_ = width;
  per_block_ = std::max<std::size_t>(1, block_values / std::max<std::size_t>(1, width));
}

void RecordBlocks::append(std::span<const double> values) {
  if (count_++ % per_block_ == 0) blocks_.emplace_back().reserve(per_block_ * width_);
  blocks_.back().insert(blocks_.back().end(), values.begin(), values.end());
}

std::span<const double> RecordBlocks::operator[](std::size_t index) const {
  return {blocks_[index / per_block_].data() + index % per_block_ * width_, width_};
}

void ResultTable::add(double time, StepKind kind, std::span<const double> values) {
  times.push_back(time);
  kinds.push_back(kind);
  records.append(values);
}

namespace {

/// Whether the text is a degree of angle; of a temperature, as degC or "deg F", it is not.
bool is_degree(std::string_view text) {
  constexpr std::string_view names[] = {"deg", "deg.", "degs", "degree", "degrees"};
  return std::any_of(std::begin(names), std::end(names),
                     [text](std::string_view name) { return equal_ignoring_case(text, name); });
}

}  // namespace

std::vector<double> ResultTable::set_quantities(const std::vector<std::string>& texts,
                                                const std::string& path, const std::string& time) {
  std::vector<double> factors;
  std::set<std::string> unknown;
  for (Entity& e : channels.entities)
    for (Component& c : e.components.change()) {
      const std::string& text = texts[factors.size()];
      const std::size_t end = std::min(text.find_first_of("/*-"), text.size());
      const bool degrees = is_degree(trim(std::string_view(text).substr(0, end)));
      factors.push_back(degrees ? std::numbers::pi / 180.0 : 1.0);
      const std::string unit = degrees ? "rad" + text.substr(end) : text;
      c.quantity = quantity_of(unit, channels.units);
      if (c.quantity == Quantity::none && !unit.empty()) unknown.insert(text);
    }
  for (const std::string& unit : unknown)
    notices.push_back(fmt::format(
        "{}: the unit \"{}\" is not known; its channels are read as numbers without unit", path, unit));
  if (!time.empty() && units_in({time}).time.empty())
    notices.push_back(
        fmt::format("{}: the unit of time \"{}\" is not known; times are read as numbers", path, time));
  return factors;
}

void ResultTable::note_cut(const std::string& place, std::uint64_t byte, std::string_view record) {
  const std::string kept =
      times.empty() ? fmt::format("it holds no complete {}", record)
                    : fmt::format("it is read up to its last complete {}, time {:.9g}", record, times.back());
  notices.push_back(fmt::format("{}: the file ends early (byte {}): {}", place, byte, kept));
}

}  // namespace trammel
