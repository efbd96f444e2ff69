#include "output/look/convert.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/entity_types.h"
#include "output/look/common_times.h"
#include "output/write/request_file.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

Format format_of(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  const auto format = parse_format(std::string_view(extension).substr(extension.empty() ? 0 : 1));
  if (!format || *format == Format::contacts || extension.size() < 2) {
    std::vector<std::string> names = format_names();
    std::erase(names, "contacts");  // its records are no table of channels
    fail(ExitCode::usage, "{}: the name of the new file says its format by its end: .{}", path,
         fmt::join(names, ", ."));
  }
  return *format;
}

void check_options(const ResultReader& in, const std::string& out, Format format, const ConvertOptions& o) {
  if (o.every < 1) fail(ExitCode::usage, "--every {}: 1 or more is possible", o.every);
  if (o.single_precision && format != Format::native)
    fail(ExitCode::usage, "--single: only native files (.nc) hold float32, {} does not", out);
  if (o.from && o.to && *o.from > *o.to) fail(ExitCode::usage, "--times: the window ends before it begins");
  std::error_code error;
  if (fs::equivalent(in.path(), out, error))
    fail(ExitCode::usage, "{}: the new file would replace the one that is read; choose another name", out);
}

std::vector<std::size_t> chosen_records(const ResultReader& in, const ConvertOptions& o) {
  std::vector<std::size_t> in_window, out;
  const std::vector<double>& t = in.times();
  const TimeTolerance tolerance(in);
  for (std::size_t r = 0; r < t.size(); ++r)
    if (tolerance.is_within(t[r], o.from, o.to)) in_window.push_back(r);
  if (in_window.empty() && !t.empty())
    fail(ExitCode::usage, "{}: no record lies in the window; its times are {:.9g} to {:.9g}", in.path(),
         t.front(), t.back());
  for (std::size_t k = 0; k < in_window.size(); ++k)
    if (k % static_cast<std::size_t>(o.every) == 0 || k + 1 == in_window.size()) out.push_back(in_window[k]);
  return out;
}

/// Prepares requests for the .req and .out formats; notes what these cannot hold.
void prepare_requests(Channels& channels, const std::string& out, Format format,
                      std::vector<std::string>& notices) {
  std::size_t others = 0, magnitudes = 0, requests = 0;
  for (Entity& e : channels.entities) {
    if (class_of(e) != ElementClass::request) {
      others += e.components.size();
      continue;
    }
    ++requests;
    if (e.components.size() > 8)
      fail(ExitCode::input, "{}: {} has {} components; a request has 8 at most", out, e.name(),
           e.components.size());
    if (e.request_type == 0) e.request_type = 5;  // from a table: values are written unchanged
    if (format != Format::request) continue;
    std::vector<int> taken;
    for (int c = 0; c < static_cast<int>(e.components.size()); ++c) {
      const int position = request_position(e, c);
      if (position < 0 ? ++magnitudes == 0 : std::count(taken.begin(), taken.end(), position) > 0)
        fail(ExitCode::input, "{}: two components of {} have the same place in the file", out, e.name());
      taken.push_back(position);
    }
  }
  if (requests == 0)
    fail(ExitCode::usage, "{}: the file is for REQUESTs, and none is among the channels", out);
  if (others > 0)
    notices.push_back(fmt::format("{}: {} channels are not of REQUESTs and are left out", out, others));
  if (magnitudes > 0)
    notices.push_back(
        fmt::format("{}: {} magnitudes have no place in the format and are left out", out, magnitudes));
}

void prepare_graphics(const Channels& channels, const std::string& out, std::vector<std::string>& notices) {
  std::size_t parts = 0, others = 0;
  for (const Entity& e : channels.entities) {
    parts += is_part(e);
    for (const Component& c : e.components)
      others += !is_part(e) || (c.quantity != Quantity::length && c.quantity != Quantity::angle);
  }
  if (parts == 0) fail(ExitCode::usage, "{}: the file is for PARTs, and none is among the channels", out);
  if (others > 0)
    notices.push_back(fmt::format("{}: {} channels are no positions of parts and are left out", out, others));
}

}  // namespace

Conversion convert_results(const ResultReader& in, const std::string& out, const ConvertOptions& options) {
  const Format format = format_of(out);
  check_options(in, out, format, options);
  Conversion done;
  const std::vector<ChannelRef> chosen = select_channels(in.channels(), in.path(), options.channels);
  Channels channels = reduced(in.channels(), chosen);
  if (format == Format::request || format == Format::table)
    prepare_requests(channels, out, format, done.notices);
  if (format == Format::graphics) prepare_graphics(channels, out, done.notices);
  std::vector<std::size_t> records = chosen_records(in, options);
  if (format != Format::native && format != Format::results && format != Format::graphics) {
    const std::size_t before = records.size();
    std::erase_if(records, [&](std::size_t r) { return in.kinds()[r] == StepKind::model_input; });
    if (records.size() < before)
      done.notices.push_back(fmt::format(
          "{}: the state as the dataset gives it (input) is no output step of the format and is left out",
          out));
  }
  OutputOptions output;
  output.single_precision = options.single_precision;
  OutputSet set;
  set.open_file(channels, in.info(), out, format, output);
  std::vector<double> all(in.width()), some(chosen.size());
  for (const std::size_t r : records) {
    in.record(r, all);
    for (std::size_t k = 0; k < chosen.size(); ++k) some[k] = all[static_cast<std::size_t>(chosen[k].column)];
    set.record(in.times()[r], in.kinds()[r], some);
  }
  const std::vector<ModeSet> modes = in.modes();
  if (!modes.empty() && !shows_modes(format))
    done.notices.push_back(fmt::format(
        "{}: the format has no place for modes: those of {} LINEAR are left out", out, modes.size()));
  for (const ModeSet& m : modes) set.modes(m);
  set.close();
  done.records = records.size();
  done.channels = chosen.size();
  done.bytes = set.files().at(0).bytes;
  return done;
}

}  // namespace trammel
