#include "output/predicted_size.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/diagnostics.h"
#include "output/write/native_head.h"
#include "output/write/table_file.h"

namespace trammel {
namespace {

/// Sizes of the parts of a text file: header, what is written once (in tables: once per page), records.
struct TextSize {
  double head = 0, once = 0, record = 0;
  void add(const TextSize& more, double factor) {
    head += factor * more.head;
    once += factor * more.once;
    record += factor * more.record;
  }
};

/// A record of typical length: in the results of the project's models a number has 16 characters on average
/// (13 to 18), about 20 if it is not 0. Point masses have no angles.
std::vector<double> typical_values(const Channels& channels) {
  std::vector<double> values;
  for (const Entity& e : channels.entities)
    for (const Component& c : e.components) {
      const bool angular = c.quantity == Quantity::angle || c.quantity == Quantity::angular_velocity ||
                           c.quantity == Quantity::angular_acceleration;
      const std::size_t k = values.size();
      const bool zero = k % 8 == 7 || (angular && e.type == "POINT_MASS");
      values.push_back(zero ? 0 : 60 * std::sin(1 + 1.3 * static_cast<double>(k)));
    }
  return values;
}

/// Bytes written by the format's writer for `records` typical records.
double written_bytes(Format format, const Channels& channels, const RunInfo& info,
                     const OutputOptions& options, int records) {
  const int memory = ::memfd_create("trammel_size", MFD_CLOEXEC);
  if (memory < 0) fail(ExitCode::io, "cannot make a file in memory to measure results");
  struct Closing {
    int descriptor;
    ~Closing() { ::close(descriptor); }
  } closing{memory};
  OutputSet set;
  set.open_file(channels, info, "/proc/self/fd/" + std::to_string(memory), format, options);
  const std::vector<double> values = typical_values(channels);
  for (int r = 0; r < records; ++r)
    set.record(std::sqrt(2.0) * static_cast<double>(r + 1), StepKind::dynamics, values);
  set.close();
  struct stat status {};
  ::fstat(memory, &status);
  return static_cast<double>(status.st_size);
}

TextSize measured(Format format, const Channels& channels, const RunInfo& info,
                  const OutputOptions& options) {
  const auto bytes = [&](int records) { return written_bytes(format, channels, info, options, records); };
  const double none = bytes(0), one = bytes(1), two = bytes(2);
  return {none, one - none - (two - one), two - one};
}

/// Σ number of digits of 1 … n.
double digits_up_to(double n) {
  double sum = 0;
  for (double from = 1; from <= n; from *= 10) sum += n - from + 1;
  return sum;
}

/// Sizes as sums over entities: for each kind of entity the mean of a sample times their number.
TextSize sampled(Format format, const Channels& channels, const RunInfo& info, const OutputOptions& options) {
  using Kind = std::tuple<std::string_view, std::size_t, int>;  // type, components, type of request
  std::map<Kind, std::vector<const Entity*>> kinds;
  for (const Entity& e : channels.entities)
    kinds[{e.type, e.components.size(), e.request_type}].push_back(&e);
  Channels sample;
  sample.units = channels.units;
  const TextSize empty = measured(format, sample, info, options);
  TextSize sum = empty;
  for (const auto& [kind, members] : kinds) {
    constexpr std::size_t most = 40;
    const std::size_t count = std::min(most, members.size());
    sample.entities.clear();
    for (std::size_t k = 0; k < count; ++k) sample.entities.push_back(*members[k * members.size() / count]);
    TextSize these = measured(format, sample, info, options);
    // Components have consecutive numbers in the header of .res files; those of the sample are shorter.
    if (format == Format::results) these.head -= digits_up_to(1 + sample.size()) - 1;
    these.add(empty, -1);
    sum.add(these, static_cast<double>(members.size()) / static_cast<double>(count));
  }
  if (format == Format::results) sum.head += digits_up_to(1 + channels.size()) - 1;
  return sum;
}

FileSize text_size(Format format, const Channels& channels, const RunInfo& info, const OutputOptions& options,
                   long long records) {
  constexpr std::size_t measured_whole = 300;  // entities
  const TextSize size = channels.entities.size() <= measured_whole ? measured(format, channels, info, options)
                                                                   : sampled(format, channels, info, options);
  double once = records > 0 ? 1 : 0, page_numbers = 0;
  if (format == Format::table) {
    constexpr long long per_page = TableFile::times_per_page;
    once = static_cast<double>((records + per_page - 1) / per_page);
    page_numbers = digits_up_to(once) - once;  // the page number measured has one digit
  }
  const double bytes =
      size.head + once * size.once + page_numbers + static_cast<double>(records) * size.record;
  return {static_cast<std::uint64_t>(std::llround(bytes)),
          static_cast<std::uint64_t>(std::llround(size.record))};
}

}  // namespace

FileSize predicted_size(Format format, const Channels& channels, const RunInfo& info,
                        const OutputOptions& options, long long records) {
  if (format != Format::native) return text_size(format, channels, info, options, records);
  const NativeSize size = native_size(channels, info, options.single_precision);
  return {size.head + static_cast<std::uint64_t>(records) * size.record, size.record};
}

}  // namespace trammel
