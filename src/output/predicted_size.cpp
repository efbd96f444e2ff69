#include "output/predicted_size.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <vector>

#include "base/diagnostics.h"
#include "output/table_file.h"

namespace trammel {
namespace {

/// Bytes that the format needs for `records` records of numbers with all digits.
std::uint64_t written_bytes(Format format, const Channels& channels, const RunInfo& info,
                            const OutputOptions& options, long long records) {
  const int memory = ::memfd_create("trammel_size", MFD_CLOEXEC);
  if (memory < 0) fail(ExitCode::io, "cannot make a file in memory to measure results");
  struct Closing {
    int descriptor;
    ~Closing() { ::close(descriptor); }
  } closing{memory};
  OutputSet set;
  set.open_file(channels, info, "/proc/self/fd/" + std::to_string(memory), format, options);
  std::vector<double> values(static_cast<std::size_t>(channels.size()));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = -std::sqrt(2.0 + static_cast<double>(k));
  for (long long r = 0; r < records; ++r)
    set.record(std::sqrt(2.0) * static_cast<double>(r + 1), StepKind::dynamics, values);
  set.close();
  struct stat status {};
  ::fstat(memory, &status);
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

std::uint64_t predicted_bytes(Format format, const Channels& channels, const RunInfo& info,
                              const OutputOptions& options, long long records) {
  // Tables have a heading per page: whole pages are measured.
  const long long unit = format == Format::table ? static_cast<long long>(TableFile::times_per_page) : 1;
  OutputOptions measured = options;
  measured.every = 1;
  const std::uint64_t head = written_bytes(format, channels, info, measured, 0);
  const std::uint64_t one = written_bytes(format, channels, info, measured, unit) - head;
  const std::uint64_t rest = written_bytes(format, channels, info, measured, records % unit) - head;
  const std::uint64_t whole = one * static_cast<std::uint64_t>(records / unit);
  return head + whole + rest;
}

}  // namespace trammel
