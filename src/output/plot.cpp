#include "output/plot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/plot_script.h"
#include "output/replacement.h"
#include "output/result_reader.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t fewest_samples = 8;

std::string axis_label(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

std::string quantity_name(const Channels& channels, const ChannelRef& channel) {
  constexpr const char* names[] = {"value",        "time",
                                   "length",       "angle",
                                   "velocity",     "angular velocity",
                                   "acceleration", "angular acceleration",
                                   "force",        "torque"};
  if (channel.entity < 0) return "time";
  const Entity& entity = channels.entities[static_cast<std::size_t>(channel.entity)];
  return names[static_cast<int>(entity.components[static_cast<std::size_t>(channel.component)].quantity)];
}

std::string extension_of_picture(const std::string& path) {
  return lower(fs::path(path).extension().string());
}

void check_options(const std::string& file, const std::vector<std::string>& channels, const PlotOptions& o) {
  const std::string extension = extension_of_picture(o.output);
  if (extension != ".png" && extension != ".svg")
    fail(ExitCode::usage, "{}: the name of a plot ends in .png or .svg", o.output);
  if (channels.empty() && o.panels.empty())
    fail(ExitCode::usage, "{}: no channels to plot; name some, such as PART/2.X", file);
  if (o.width < 100 || o.width > 20000 || o.height < 0 || o.height > 20000)
    fail(ExitCode::usage, "{}: size {} x {} is outside 100 to 20000 pixels", o.output, o.width, o.height);
  if (o.fft && !equal_ignoring_case(o.x_channel, "TIME"))
    fail(ExitCode::usage, "--fft: a spectrum is over the frequency; leave -x {} out", o.x_channel);
}

/// A channel of one file on its way into a panel.
struct Source {
  ChannelRef channel;
  std::size_t file, number;  ///< of the file; of the channel as asked for
};

class Plotter {
 public:
  Plotter(const std::string& file, const PlotOptions& options) : options_(options) {
    files_.push_back(std::make_unique<ResultReader>(file));
    for (const std::string& overlay : options.overlays)
      files_.push_back(std::make_unique<ResultReader>(overlay));
    for (const auto& f : files_) {
      if (f->records() == 0) fail(ExitCode::input, "{}: holds no records yet", f->path());
      notices.insert(notices.end(), f->notices().begin(), f->notices().end());
    }
    used_.resize(files_.size(), 0);
  }

  Picture make(const std::vector<std::string>& channels) {
    Picture picture;
    for (const std::string& name : channels) place_by_unit(sources_of(name));
    const std::size_t by_unit = groups_.size();
    for (const std::string& panel : options_.panels) {
      groups_.emplace_back();
      for (const std::string_view name : split(panel, ','))
        for (const Source& s : sources_of(std::string(trim(name)))) groups_.back().push_back(s);
    }
    for (std::size_t f = 1; f < files_.size(); ++f)
      if (used_[f] == 0)
        fail(ExitCode::usage, "{}: has none of the channels; it has {}", files_[f]->path(),
             some_names(*files_[f]));
    for (std::size_t g = 0; g < groups_.size(); ++g)
      picture.panels.push_back(panel_of(groups_[g], g >= by_unit));
    set_legends(picture);
    const ResultReader& first = *files_[0];
    const std::string unit = time_unit(first.channels().units);
    const ChannelRef x = first.find(options_.x_channel);
    picture.x_label = options_.fft ? axis_label("frequency", unit == "sec"  ? "Hz"
                                                             : unit.empty() ? ""
                                                                            : "1/" + unit)
                                   : axis_label(x.label, x.unit);
    picture.title = options_.title.empty() ? first.info().title : options_.title;
    return picture;
  }

  std::vector<std::string> notices;

 private:
  using Group = std::vector<Source>;

  static std::string some_names(const ResultReader& file) {
    std::vector<std::string> names;
    for (const ChannelRef& ref : file.list()) names.push_back(ref.label);
    return joined_names(names, 4);
  }

  /// By statement and number, else by the name in ADAMS View.
  static ChannelRef same_channel(const ResultReader& file, const ChannelRef& wanted) {
    try {
      return file.find(wanted.name);
    } catch (const Failure&) {
      return file.find(wanted.label);
    }
  }

  /// The channel in every file that has it. The first file must.
  Group sources_of(const std::string& name) {
    Group group;
    const std::size_t number = channels_++;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      std::string here = name;
      for (const auto& [first, other] : options_.map)
        if (f > 0 && equal_ignoring_case(first, name)) here = other;
      try {
        group.push_back(
            {f == 0 || here != name ? files_[f]->find(here) : same_channel(*files_[f], group[0].channel), f,
             number});
      } catch (const Failure&) {
        if (f == 0 || here != name) throw;
        notices.push_back(fmt::format("{}: has no channel {}", files_[f]->path(), name));
        continue;
      }
      ++used_[f];
      const std::string &unit = group.back().channel.unit, &wanted = group.front().channel.unit;
      if (unit != wanted && !unit.empty() && !wanted.empty())
        fail(ExitCode::input, "{}: {} is in {}, in {} it is in {}", files_[f]->path(), name, unit,
             files_[0]->path(), wanted);
    }
    return group;
  }

  /// One panel per unit, in the order in which units first appear.
  void place_by_unit(const Group& sources) {
    const std::string& unit = sources.front().channel.unit;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& g) { return g.front().channel.unit == unit; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{});
    group->insert(group->end(), sources.begin(), sources.end());
  }

  Panel panel_of(const Group& group, bool own) {
    Panel panel;
    const ChannelRef& first = group.front().channel;
    bool one_unit = true, one_channel = true;
    for (const Source& s : group) {
      one_unit = one_unit && (s.channel.unit == first.unit || s.file > 0);
      one_channel = one_channel && s.number == group.front().number;
    }
    std::string what = one_channel ? first.label : quantity_name(files_[0]->channels(), first);
    if (own && !one_unit) what = "value";
    panel.label = axis_label(what, one_unit ? first.unit : "");
    if (options_.fft) panel.label = fmt::format("amplitude: {}, {}", panel.label, name_of(options_.window));
    // A colour each: curves that lie on one another are told apart through the gaps of the dashes.
    for (const Source& s : group)
      panel.curves.push_back(curve_of(s, static_cast<int>(panel.curves.size()), !one_unit));
    return panel;
  }

  Curve curve_of(const Source& s, int color, bool with_unit) {
    const ResultReader& file = *files_[s.file];
    Curve curve;
    curve.legend = with_unit ? axis_label(s.channel.label, s.channel.unit) : s.channel.label;
    if (files_.size() > 1) curve.legend += fmt::format(", {}", file_label(s.file));
    curve.color = color;
    curve.dash = static_cast<int>(s.file);
    const std::vector<double> y = file.column(s.channel);
    const std::vector<double> x = options_.fft ? file.times() : file.column(file.find(options_.x_channel));
    for (std::size_t r = 0; r < y.size(); ++r) {
      const double t = file.times()[r];
      if ((options_.from && t < *options_.from) || (options_.to && t > *options_.to)) continue;
      if (file.kinds()[r] == StepKind::model_input) continue;  // before anything is assembled
      curve.x.push_back(x[r]);
      curve.y.push_back(y[r]);
    }
    if (curve.x.empty())
      fail(ExitCode::usage, "{}: no record lies in the window; its times are {:.9g} to {:.9g}", file.path(),
           file.times().front(), file.times().back());
    if (options_.fft) make_spectrum(curve, file, s.channel.label);
    return curve;
  }

  /// The file's name without folder and extension, or all of it where two files share that.
  std::string file_label(std::size_t f) const {
    const auto stem = [&](std::size_t k) { return fs::path(files_[k]->path()).filename().string(); };
    for (std::size_t k = 0; k < files_.size(); ++k)
      if (k != f && stem(k) == stem(f)) return files_[f]->path();
    return stem(f);
  }

  /// Samples at equal steps from the records, then their spectrum. Of records at one time the last counts.
  void make_spectrum(Curve& curve, const ResultReader& file, const std::string& name) {
    std::vector<double> t, y;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (!std::isfinite(curve.y[k]))
        fail(ExitCode::input, "{}: {} is no number at time {:.9g}: it has no spectrum", file.path(), name,
             curve.x[k]);
      if (!t.empty() && curve.x[k] <= t.back()) {
        t.pop_back();
        y.pop_back();
      }
      t.push_back(curve.x[k]);
      y.push_back(curve.y[k]);
    }
    if (t.size() < fewest_samples)
      fail(ExitCode::usage, "{}: {} samples are too few for a spectrum; {} or more are needed", file.path(),
           t.size(), fewest_samples);
    const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
    // Equal steps as far as the digits of the times say: six in a .req file.
    const double slack = file.six_digits() ? 1e-5 * std::max(std::abs(t.front()), std::abs(t.back())) : 0.0;
    bool equal = true;
    for (std::size_t k = 0; k < t.size(); ++k)
      equal = equal && std::abs(t[k] - t.front() - static_cast<double>(k) * step) <= 1e-6 * step + slack;
    if (!equal) {
      y = resampled(t, y, step);
      const std::string text = fmt::format(
          "{}: its records are not equally spaced: spectra are of {} samples interpolated linearly",
          file.path(), y.size());
      if (std::find(notices.begin(), notices.end(), text) == notices.end()) notices.push_back(text);
    }
    const Spectrum spectrum = amplitude_spectrum(y, step, options_.window);
    curve.x.clear();
    for (std::size_t k = 0; k < spectrum.amplitude.size(); ++k)
      curve.x.push_back(static_cast<double>(k) * spectrum.resolution);
    curve.y = spectrum.amplitude;
  }

  static std::vector<double> resampled(const std::vector<double>& t, const std::vector<double>& y,
                                       double step) {
    std::vector<double> out;
    std::size_t j = 1;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double at = std::min(t.front() + static_cast<double>(k) * step, t.back());
      while (j + 1 < t.size() && t[j] < at) ++j;
      const double u = (at - t[j - 1]) / (t[j] - t[j - 1]);
      out.push_back(y[j - 1] + u * (y[j] - y[j - 1]));
    }
    return out;
  }

  /// Names of the user's: one per curve, file by file, in the order of the channels.
  void set_legends(Picture& picture) const {
    std::size_t next = 0;
    for (std::size_t f = 0; f < files_.size(); ++f)
      for (Panel& panel : picture.panels)
        for (Curve& curve : panel.curves)
          if (curve.dash == static_cast<int>(f) && next < options_.legends.size())
            curve.legend = options_.legends[next++];
    if (next < options_.legends.size())
      fail(ExitCode::usage, "--legend: {} names for {} curves", options_.legends.size(), next);
  }

  const PlotOptions& options_;
  std::vector<std::unique_ptr<ResultReader>> files_;
  std::vector<std::size_t> used_;  ///< channels of each file
  std::vector<Group> groups_;      ///< one per panel
  std::size_t channels_ = 0;       ///< asked for so far
};

}  // namespace

std::vector<std::string> plot_channels(const std::string& file, const std::vector<std::string>& channels,
                                       const PlotOptions& options) {
  check_options(file, channels, options);
  Plotter plotter(file, options);
  Picture picture = plotter.make(channels);
  picture.log_y = options.log_y;
  picture.svg = extension_of_picture(options.output) == ".svg";
  picture.width = options.width;
  picture.height = options.height;
  const std::string program = find_gnuplot();
  if (program.empty())
    fail(ExitCode::io, "{}: plots need gnuplot, which is not on the PATH; install it (Debian: gnuplot-nox)",
         options.output);
  replace_file(options.output, run_gnuplot(program, gnuplot_script(picture), options.output));
  return plotter.notices;
}

}  // namespace trammel
