// A result file of the kind that FUZZ_FILE ends in, read as compare and plot read it: every record, every
// channel, every name.
#include <vector>

#include "base/diagnostics.h"
#include "entry.h"
#include "output/read/result_reader.h"

using namespace trammel;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::file_with(FUZZ_FILE, fuzz::text_of(data, size));
  try {
    const ResultReader reader(path);
    std::vector<double> record(reader.width());
    for (std::size_t k = 0; k < reader.records() && k < 100; ++k) reader.record(k, record);
    std::size_t columns = 0;
    for (const ChannelRef& channel : reader.list())
      if (++columns <= 100) {
        const std::vector<double> values = reader.column(channel);
        fuzz::require(values.size() == reader.records(), "a channel of another length than the times");
      }
    fuzz::require(reader.kinds().size() == reader.records(), "records without kind");
  } catch (const Failure& failure) {
    fuzz::require(failure.what()[0] != '\0', "an empty message");
    fuzz::require(failure.code() != ExitCode::internal, failure.what());
  }
  return 0;
}
