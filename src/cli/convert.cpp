#include "cli/convert.h"

#include <filesystem>

#include "cli/result_options.h"
#include "output/look/convert.h"
#include "session/output_place.h"
#include "terminal/print.h"

namespace trammel {

int convert_command(const ConvertCommand& command) {
  return guarded_command([&] {
    ConvertOptions options;
    options.channels = command.channels;
    const TimeWindow window = parse_window(command.times);
    options.from = window.from;
    options.to = window.to;
    options.every = command.every;
    options.single_precision = command.single_precision;
    const ResultReader in(command.in);
    OutputPlace place;
    std::error_code error;
    if (std::filesystem::exists(command.out, error))  // the file may belong to a run under way
      place.take(std::filesystem::path(command.out).replace_extension("").string(), {command.in});
    else
      place.take_file(command.out, {command.in});
    const Conversion done = convert_results(in, command.out, options);
    if (command.quiet) return 0;
    print_notices(in.notices());
    print_notices(done.notices);
    print_line(stdout, fmt::format("{}: {} of {} records, {} of {} channels, {} bytes", command.out,
                                   done.records, in.records(), done.channels, in.width(), done.bytes));
    return 0;
  });
}

}  // namespace trammel
