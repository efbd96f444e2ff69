#include "output/plot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/native_file.h"
#include "output/number_text.h"
#include "output/stream_file.h"

extern char** environ;

namespace trammel {
namespace {

/// Channels of one unit and their values.
struct Panel {
  std::string unit, quantity;  ///< "meter", "length"
  std::vector<ChannelRef> channels;
  std::vector<std::vector<double>> values;
};

// Colours that stay apart for the colour-blind (Okabe and Ito).
constexpr const char* colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                  "#E69F00", "#56B4E9", "#000000", "#8C6D00"};

/// A file in memory, as input and output of gnuplot: nothing is left on the disk.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("trammel_plot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail(ExitCode::io, "cannot make a file in memory for gnuplot");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int descriptor() const { return descriptor_; }

  void put(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw Failure(ExitCode::io, io_error_text("write", "the data for gnuplot", errno));
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void rewind() { ::lseek(descriptor_, 0, SEEK_SET); }
  std::string content() {
    rewind();
    std::string text(4096, '\0');
    const ssize_t length = ::read(descriptor_, text.data(), text.size());
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return text;
  }

 private:
  int descriptor_;
};

/// Runs gnuplot without the user's settings, script from memory; returns what it said where it failed.
void run_gnuplot(const std::string& program, const std::string& script, const std::string& output) {
  MemoryFile input, said;
  input.put(script);
  input.rewind();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said.descriptor(), STDERR_FILENO);
  std::string name = "gnuplot", settings = "--default-settings";
  char* arguments[] = {name.data(), settings.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Failure(ExitCode::io, io_error_text("start", program, error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::error_code ignored;
  const bool drawn = std::filesystem::file_size(output, ignored) > 0 && !ignored;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && drawn) return;
  fail(ExitCode::io, "{}: gnuplot failed: {}", output, std::string(trim(said.content())));
}

std::string terminal_line(const std::string& extension, int width, int height) {
  // noenhanced: underscores of names are no subscripts.
  if (extension == ".png")
    return fmt::format("set terminal pngcairo noenhanced size {},{} font 'Sans,11' linewidth 1.5\n", width,
                       height);
  return fmt::format("set terminal svg noenhanced size {},{} font 'Sans,14' linewidth 1.2 dynamic\n", width,
                     height);
}

std::string axis_label(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

/// All curves of a panel as one block of lines "x y1 y2 ..."; a value that is no number leaves a gap.
std::string data_block(std::size_t number, const std::vector<double>& x, const Panel& panel) {
  std::string text = fmt::format("$panel{} << END_OF_DATA\n", number);
  for (std::size_t row = 0; row < x.size(); ++row) {
    const auto put = [&](double value) {
      if (std::isfinite(value))
        append_shortest(text, value);
      else
        text += "NaN";
    };
    put(x[row]);
    for (const std::vector<double>& values : panel.values) {
      text += ' ';
      put(values[row]);
    }
    text += '\n';
  }
  return text + "END_OF_DATA\n";
}

std::string panel_plot(std::size_t number, const Panel& panel, bool last, const std::string& x_label) {
  const std::string what = panel.channels.size() == 1 ? panel.channels[0].label : panel.quantity;
  std::string text = fmt::format("set ylabel {}\n", gnuplot_quoted(axis_label(what, panel.unit)));
  text += last ? fmt::format("set xlabel {}\nset format x '%g'\n", gnuplot_quoted(x_label))
               : std::string("set xlabel ''\nset format x ''\n");
  text += "plot ";
  for (std::size_t k = 0; k < panel.channels.size(); ++k)
    text += fmt::format("{}$panel{} using 1:{} with lines linewidth 1.5 linecolor rgb '{}' title {}",
                        k > 0 ? ", " : "", number, k + 2, colors[k % std::size(colors)],
                        gnuplot_quoted(panel.channels[k].label));
  return text + "\n";
}

constexpr const char* style_lines =
    "set encoding utf8\n"
    "set border 3 linecolor rgb '#555555'\n"
    "set tics nomirror textcolor rgb '#333333'\n"
    "set grid linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
    "set key at graph 1.02, graph 1 left top vertical Left reverse samplen 2\n"
    "set autoscale xfix\n"
    "set offsets 0, 0, graph 0.05, graph 0.05\n"
    "set lmargin 14\n"
    "set datafile missing 'NaN'\n";

std::string quantity_name(const NativeReader& file, const ChannelRef& channel) {
  constexpr const char* names[] = {"value",        "time",
                                   "length",       "angle",
                                   "velocity",     "angular velocity",
                                   "acceleration", "angular acceleration",
                                   "force",        "torque"};
  if (channel.entity < 0) return "time";
  const Entity& entity = file.channels().entities[static_cast<std::size_t>(channel.entity)];
  return names[static_cast<int>(entity.components[static_cast<std::size_t>(channel.component)].quantity)];
}

/// One panel per unit, in the order in which units first appear.
std::vector<Panel> make_panels(const NativeReader& file, const std::vector<std::string>& channels) {
  std::vector<Panel> panels;
  for (const std::string& name : channels) {
    const ChannelRef channel = file.find(name);
    auto panel =
        std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.unit == channel.unit; });
    if (panel == panels.end())
      panel = panels.insert(panels.end(), Panel{channel.unit, quantity_name(file, channel), {}, {}});
    panel->channels.push_back(channel);
    panel->values.push_back(file.read(channel));
  }
  return panels;
}

/// Width of the legend beside the panels, in characters: all panels keep the same x axis.
std::size_t legend_columns(const std::vector<Panel>& panels) {
  std::size_t longest = 0;
  for (const Panel& panel : panels)
    for (const ChannelRef& channel : panel.channels) longest = std::max(longest, channel.label.size());
  return std::min<std::size_t>(longest, 40) + 7;
}

std::string script_text(const std::vector<Panel>& panels, const std::vector<double>& x,
                        const ChannelRef& x_channel, const std::string& title, const PlotOptions& options,
                        const std::string& extension, const std::string& output) {
  const int height = options.height > 0
                         ? options.height
                         : static_cast<int>(std::min<std::size_t>(200 + 300 * panels.size(), 4000));
  std::string script = terminal_line(extension, options.width, height);
  script += fmt::format("set output {}\n", gnuplot_quoted(output)) + style_lines;
  script += fmt::format("set rmargin {}\n", legend_columns(panels));
  for (std::size_t k = 0; k < panels.size(); ++k) script += data_block(k, x, panels[k]);
  script += fmt::format("set multiplot layout {},1 title {}\n", panels.size(), gnuplot_quoted(title));
  for (std::size_t k = 0; k < panels.size(); ++k)
    script += panel_plot(k, panels[k], k + 1 == panels.size(), axis_label(x_channel.label, x_channel.unit));
  return script + "unset multiplot\nunset output\n";
}

}  // namespace

std::string gnuplot_quoted(const std::string& text) {
  std::string out = "'";
  if (!text.empty() && text.front() == '\'') out += ' ';  // some versions end a literal at a leading ''
  for (const char c : as_utf8(text)) {
    if (c == '\'')
      out += "''";  // the one character that ends the literal
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return out + "'";
}

std::string find_gnuplot() {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path ? path : "", ':')) {
    if (folder.empty()) continue;
    const std::string candidate = std::string(folder) + "/gnuplot";
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

void plot_channels(const std::string& native_file, const std::vector<std::string>& channels,
                   const PlotOptions& options) {
  const std::string extension = lower(std::filesystem::path(options.output).extension().string());
  if (extension != ".png" && extension != ".svg")
    fail(ExitCode::usage, "{}: the name of a plot ends in .png or .svg", options.output);
  if (channels.empty())
    fail(ExitCode::usage, "{}: no channels to plot; name some, such as PART/2.X", native_file);
  if (options.width < 100 || options.width > 20000 || options.height < 0 || options.height > 20000)
    fail(ExitCode::usage, "{}: size {} x {} is outside 100 to 20000 pixels", options.output, options.width,
         options.height);
  const NativeReader file(native_file);
  const ChannelRef x_channel = file.find(options.x_channel);
  const std::vector<Panel> panels = make_panels(file, channels);
  if (file.records() == 0) fail(ExitCode::input, "{}: holds no records yet", native_file);
  const std::string program = find_gnuplot();
  if (program.empty())
    fail(ExitCode::io, "{}: plots need gnuplot, which is not on the PATH; install it (Debian: gnuplot-nox)",
         options.output);
  StreamFile().open(options.output);  // reports an unwritable place in our words
  const std::string output = std::filesystem::absolute(options.output).string();
  const std::string title = options.title.empty() ? file.info().title : options.title;
  run_gnuplot(program,
              script_text(panels, file.read(x_channel), x_channel, title, options, extension, output),
              output);
}

}  // namespace trammel
