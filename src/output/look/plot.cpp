#include "output/look/plot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/look/column_headers.h"
#include "output/look/common_times.h"
#include "output/look/draw.h"
#include "output/number_text.h"
#include "output/read/result_reader.h"
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

void check_options(const std::string& file, const std::vector<std::string>& channels, const PlotOptions& o) {
  check_picture_name(o.output);
  if (channels.empty() && o.panels.empty())
    fail(ExitCode::usage, "{}: no channels to plot; name some, such as PART/2.X", file);
  if (o.width < 100 || o.width > 20000 || o.height < 0 || o.height > 20000)
    fail(ExitCode::usage, "{}: size {} x {} is outside 100 to 20000 pixels", o.output, o.width, o.height);
  if (o.fft && !equal_ignoring_case(o.x_channel, "TIME"))
    fail(ExitCode::usage, "--fft: a spectrum is over the frequency; leave -x {} out", o.x_channel);
  if (o.errors && (o.fft || o.log_y))
    fail(ExitCode::usage, "--errors draws bands of values; leave out --fft and --log-y");
  if (o.equal && (o.fft || o.log_y || equal_ignoring_case(o.x_channel, "TIME")))
    fail(ExitCode::usage, "--equal is for one channel over another: -x PART/2.X, without --fft and --log-y");
}

/// The first characters of the text, at most `most` bytes, none of them cut.
std::string first_characters(const std::string& text, std::size_t most) {
  while (most > 0 && (static_cast<unsigned char>(text[most]) >> 6) == 2) --most;
  return text.substr(0, most);
}

/// A channel of one file to be drawn in a panel.
struct Source {
  ChannelRef channel;
  std::size_t file, number;  ///< index of the file; index of the channel as requested
};

class Plotter {
 public:
  Plotter(const std::string& file, const PlotOptions& options) : options_(options) {
    files_.push_back(std::make_unique<ResultReader>(file));
    for (const std::string& overlay : options.overlays)
      files_.push_back(std::make_unique<ResultReader>(overlay));
    if (options.errors) errors_ = errors_of(file);
    for (const auto& f : files_) {
      if (f->records() == 0) fail(ExitCode::input, "{}: holds no records yet", f->path());
      notices.insert(notices.end(), f->notices().begin(), f->notices().end());
    }
    check_kinds();
    used_.resize(files_.size(), 0);
    legend_per_file_ = files_.size() > 1 && options.legends.size() == files_.size();
  }

  Picture make(const std::vector<std::string>& channels) {
    Picture picture;
    for (const std::string& text : channels)
      for (const std::string& name : channels_named(text)) place_by_unit(sources_of(name));
    const std::size_t by_unit = groups_.size();
    for (const std::string& panel : options_.panels) {
      groups_.emplace_back();
      for (const std::string_view text : split(panel, ','))
        for (const std::string& name : channels_named(std::string(trim(text))))
          for (const Source& s : sources_of(name)) groups_.back().push_back(s);
    }
    for (std::size_t f = 1; f < files_.size(); ++f)
      if (used_[f] == 0)
        fail(ExitCode::usage, "{}: has none of the channels; it has {}", files_[f]->path(),
             some_names(*files_[f]));
    if (options_.equal) check_equal();
    for (std::size_t g = 0; g < groups_.size(); ++g)
      picture.panels.push_back(panel_of(groups_[g], g >= by_unit));
    set_legends(picture);
    const ResultReader& first = *files_[0];
    picture.x_label = x_label();
    picture.title = options_.title.empty() ? first.info().title : options_.title;
    return picture;
  }

  std::vector<std::string> notices;

 private:
  using Group = std::vector<Source>;

  /// Batch tables can only be combined with each other, and have no time.
  void check_kinds() const {
    const ResultReader& first = *files_[0];
    for (const auto& f : files_)
      if (f->of_variants() != first.of_variants())
        fail(ExitCode::usage, "{}: the table of a batch and results over time do not fit into one plot",
             f->path());
    if (first.of_variants() && options_.fft)
      fail(ExitCode::usage, "{}: the table of a batch has no spectrum; leave --fft out", first.path());
  }

  static std::string some_names(const ResultReader& file) {
    std::vector<std::string> names;
    for (const ChannelRef& ref : file.list()) names.push_back(ref.label);
    return joined_names(names, 4);
  }

  std::string x_label() const {
    const ResultReader& first = *files_[0];
    const ChannelRef x = first.find(options_.x_channel);
    const std::string unit = time_unit(first.channels().units);
    if (options_.fft) return axis_label("frequency", unit == "sec" ? "Hz" : unit.empty() ? "" : "1/" + unit);
    if (first.of_variants()) return x.column < 0 ? "number of the variant" : x.label;
    return axis_label(x.label, x.unit);
  }

  /// The channel of the same statement and id, else of the same view name; for a column of the first file
  /// that of its header.
  ChannelRef same_channel(const ResultReader& file, const ChannelRef& wanted) const {
    if (is_column(*files_[0], wanted)) {
      const std::optional<ChannelRef> found = channel_of_header(file, wanted.label);
      if (!found) fail(ExitCode::usage, "{}: has no channel {}", file.path(), wanted.label);
      return *found;
    }
    try {
      return file.find(wanted.name);
    } catch (const Failure&) {
      return file.find(wanted.label);
    }
  }

  /// The channels of the first file that a user's text names: a channel, an entity, or matches of a pattern.
  std::vector<std::string> channels_named(const std::string& text) const {
    const ResultReader& first = *files_[0];
    if (equal_ignoring_case(trim(text), "TIME")) return {text};
    const std::vector<ChannelRef> found = select_channels(first.channels(), first.path(), {text});
    if (text.find_first_of("*?") == std::string::npos && found.size() == 1)
      return {text};  // --map may contain the channel
    std::vector<std::string> names;
    for (const ChannelRef& ref : found) names.push_back(ref.name);
    return names;
  }

  /// What --map says that overlays call a channel of the first file, null if nothing; `name` is the user's.
  const std::string* mapped_name(const std::string& name, const ChannelRef& channel) const {
    const std::string* found = nullptr;
    for (const auto& [first, other] : options_.map)
      if (equal_ignoring_case(first, name) || equal_ignoring_case(first, own_name(*files_[0], channel)))
        found = &other;
    return found;
  }

  /// The channel in every file that contains it; the first file must.
  Group sources_of(const std::string& name) {
    Group group;
    const std::size_t number = channels_++;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const std::string* mapped = f > 0 ? mapped_name(name, group[0].channel) : nullptr;
      try {
        group.push_back({f == 0   ? files_[f]->find(name)
                         : mapped ? files_[f]->find(*mapped)
                                  : same_channel(*files_[f], group[0].channel),
                         f, number});
      } catch (const Failure&) {
        if (f == 0 || mapped) throw;
        const bool column = is_column(*files_[0], group[0].channel);
        notices.push_back(
            fmt::format("{}: has no channel {}", files_[f]->path(), column ? group[0].channel.label : name));
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

  /// Makes one panel per unit, in the order in which units first appear.
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
    // Each curve has its own colour; coinciding curves are visible through the gaps of dashes.
    for (const Source& s : group)
      panel.curves.push_back(curve_of(s, static_cast<int>(panel.curves.size()), !one_unit));
    return panel;
  }

  Curve curve_of(const Source& s, int color, bool with_unit) {
    const ResultReader& file = *files_[s.file];
    Curve curve;
    curve.legend = legend_of(s, with_unit);
    if (files_.size() > 1) curve.legend += ", " + file_label(s.file);
    curve.color = color;
    curve.dash = static_cast<int>(s.file);
    curve.points = file.of_variants();
    const std::vector<double> y = file.column(s.channel);
    const std::vector<double> error = errors_ && s.file == 0 && s.channel.entity >= 0
                                          ? errors_->column(errors_->find(s.channel.name))
                                          : std::vector<double>();
    const std::vector<double> x = options_.fft ? file.times() : file.column(x_of(s.file));
    const TimeTolerance tolerance(file);
    for (std::size_t r = 0; r < y.size(); ++r) {
      if (!tolerance.is_within(file.times()[r], options_.from, options_.to)) continue;
      if (file.kinds()[r] == StepKind::model_input) continue;  // before assembly
      curve.x.push_back(x[r]);
      curve.y.push_back(y[r]);
      if (!error.empty()) curve.error.push_back(error[r]);
    }
    if (curve.x.empty())
      fail(ExitCode::usage, "{}: no record lies in the window; its times are {:.9g} to {:.9g}", file.path(),
           file.times().front(), file.times().back());
    if (options_.fft) make_spectrum(curve, file, s.channel.label);
    return curve;
  }

  /// The channel of the x axis in a file.
  ChannelRef x_of(std::size_t f) const {
    const ChannelRef x = files_[0]->find(options_.x_channel);
    return f > 0 && is_column(*files_[0], x) ? same_channel(*files_[f], x)
                                             : files_[f]->find(options_.x_channel);
  }

  static std::unique_ptr<ResultReader> errors_of(const std::string& file) {
    fs::path name(file);
    name.replace_extension(".error.nc");
    std::error_code missing;
    if (!fs::exists(name, missing))
      fail(ExitCode::usage, "--errors: {} is not there; trammel run --accuracy writes it", name.string());
    return std::make_unique<ResultReader>(name.string());
  }

  /// The channel's name, with the COMMENT of a REQUEST without a name.
  std::string legend_of(const Source& s, bool with_unit) const {
    constexpr std::size_t longest_comment = 40;
    std::string text = with_unit ? axis_label(s.channel.label, s.channel.unit) : s.channel.label;
    if (s.channel.entity < 0) return text;
    const Entity& owner = files_[s.file]->channels().entities[static_cast<std::size_t>(s.channel.entity)];
    const std::string comment = as_utf8(owner.comment);
    if (comment.empty() || !owner.view_name.empty()) return text;
    return text + ": " +
           (comment.size() > longest_comment ? first_characters(comment, longest_comment) + "..." : comment);
  }

  /// The file's --legend, else its name without directory, or its path if two files share a name.
  std::string file_label(std::size_t f) const {
    if (legend_per_file_) return options_.legends[f];
    const auto stem = [&](std::size_t k) { return fs::path(files_[k]->path()).filename().string(); };
    for (std::size_t k = 0; k < files_.size(); ++k)
      if (k != f && stem(k) == stem(f)) return files_[f]->path();
    return stem(f);
  }

  /// Resamples the records at equal steps and computes the spectrum. Of records at one time the last counts.
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
    // Equal steps within the precision of the times: six digits in a .req file.
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

  /// Sets --legend: one per curve, file by file in the order of the channels, or one per file.
  void set_legends(Picture& picture) {
    if (options_.legends.empty()) return;
    std::vector<Curve*> curves;
    for (std::size_t f = 0; f < files_.size(); ++f)
      for (Panel& panel : picture.panels)
        for (Curve& curve : panel.curves)
          if (curve.dash == static_cast<int>(f)) curves.push_back(&curve);
    const std::size_t names = options_.legends.size();
    if (names == curves.size()) {
      for (std::size_t k = 0; k < names; ++k) curves[k]->legend = options_.legends[k];
    } else if (!legend_per_file_) {
      const std::string files =
          files_.size() > 1
              ? fmt::format(" of {} files; give one for each curve (first those of {}) or one for each file",
                            files_.size(), files_[0]->path())
              : "; give one for each curve";
      fail(ExitCode::usage, "--legend: {} name{} for {} curve{}{}", names, names == 1 ? "" : "s",
           curves.size(), curves.size() == 1 ? "" : "s", files);
    }
  }

  /// --equal requires the same unit on both axes of all panels.
  void check_equal() const {
    const ChannelRef x = files_[0]->find(options_.x_channel);
    for (const Group& group : groups_)
      for (const Source& s : group)
        if (s.channel.unit != x.unit)
          fail(ExitCode::usage, "--equal: {} is in {}, {} in {}; axes of one scale have one unit", x.name,
               x.unit.empty() ? "no unit" : x.unit, s.channel.name,
               s.channel.unit.empty() ? "no unit" : s.channel.unit);
  }

  const PlotOptions& options_;
  std::vector<std::unique_ptr<ResultReader>> files_;
  std::unique_ptr<ResultReader> errors_;  ///< of the first file; null: not asked for
  std::vector<std::size_t> used_;         ///< channels of each file
  std::vector<Group> groups_;             ///< one per panel
  std::size_t channels_ = 0;              ///< number of channels requested
  bool legend_per_file_ = false;
};

}  // namespace

std::vector<std::string> plot_channels(const std::string& file, const std::vector<std::string>& channels,
                                       const PlotOptions& options) {
  check_options(file, channels, options);
  Plotter plotter(file, options);
  Picture picture = plotter.make(channels);
  picture.log_y = options.log_y;
  picture.equal = options.equal;
  picture.width = options.width;
  picture.height = options.height;
  draw(std::move(picture), options.output);
  return plotter.notices;
}

}  // namespace trammel
