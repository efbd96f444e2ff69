#include "output/result_table.h"

#include <algorithm>

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

}  // namespace trammel
