#include "cli/plot.h"

#include "cli/result_options.h"
#include "output/look/root_locus.h"
#include "terminal/print.h"

namespace trammel {

int plot_command(const PlotCommand& command) {
  return guarded_command([&] {
    PlotOptions options = command.options;
    if (command.modes) {
      std::vector<std::string> files{command.file};
      files.insert(files.end(), command.channels.begin(), command.channels.end());
      plot_roots(files, {options.output, options.title, options.width, options.height});
      print_line(stdout, options.output);
      return 0;
    }
    const auto window = parse_window_name(command.window);
    if (!window) fail(ExitCode::usage, "--window {}: choose from none, hann, flattop", command.window);
    options.window = *window;
    const TimeWindow times = parse_window(command.times);
    options.from = times.from;
    options.to = times.to;
    options.map = parse_map(command.map);
    print_notices(plot_channels(command.file, command.channels, options));
    print_line(stdout, options.output);
    return 0;
  });
}

}  // namespace trammel
