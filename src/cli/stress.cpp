// Command stress.
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/flex.h"
#include "cli/result_options.h"
#include "model/units.h"
#include "output/look/draw.h"
#include "output/progress.h"
#include "output/replacement.h"
#include "output/stream_file.h"
#include "recovery/fields_file.h"
#include "recovery/hot_spots.h"
#include "recovery/mode_sums.h"
#include "recovery/node_series.h"
#include "recovery/stress_picture.h"
#include "recovery/vtu_series.h"
#include "session/output_place.h"
#include "terminal/print.h"

namespace trammel {

namespace {

/// The path of the file of fields: as given, else beside the file of modes that the run has read, at its
/// place or in the folder of the results.
std::string find_fields(const StressCommand& c, const Entity& body) {
  if (!c.fields.empty()) return c.fields;
  const std::string modes = body.comment;
  std::vector<std::string> places;
  if (!modes.empty()) {
    places.push_back(fields_name(modes));
    places.push_back(
        (std::filesystem::path(c.results).parent_path() / std::filesystem::path(places[0]).filename())
            .string());
  }
  std::error_code error;
  for (const std::string& place : places)
    if (std::filesystem::is_regular_file(place, error)) return place;
  fail(ExitCode::usage,
       "{}: the stresses of the modes of {} are not there{}; make them by 'trammel flex reduce MODEL.inp ... "
       "--fields', with the options by which the modes were made, or name their file by --fields",
       c.results, body.name(), places.empty() ? "" : " (" + places[0] + ")");
}

/// The factor from lengths of the fields to lengths of the results.
double length_factor(const ModalFields& fields, const UnitNames& units) {
  return fields.units.length.empty() ? 1 : unit_in_si("LENGTH", fields.units.length) * units.length_per_meter;
}

std::string stress_unit(const ModalFields& fields, const UnitNames& units) {
  return fields.units.force.empty()
             ? fmt::format("{}/{}^2", units.force, units.length)
             : fmt::format("{}/{}^2", lower(fields.units.force), lower(fields.units.length));
}

/// Prints the finished part and the time left, one line every five seconds.
class ProgressLine {
 public:
  ProgressLine(const char* what, bool quiet) : what_(what), quiet_(quiet) {}
  void operator()(double part) {
    left_.measure(0, part);
    if (quiet_ || part >= 1 || !clock_.due()) return;
    clock_.reset();
    print_line(stdout,
               fmt::format("{}: {:.0f} %, {} left", what_, 100 * part, duration_text(left_.seconds(1))));
  }

 private:
  const char* what_;
  bool quiet_;
  TimeLeft left_;
  FlushClock clock_{5.0};
};

std::string spots_table(const ModalFields& f, const std::vector<HotSpot>& spots, const StressCommand& c,
                        const std::string& unit) {
  std::string out = fmt::format(
      "{} in {}, axes of the body\n   #        {:>9}     node        time          x          y          z   "
      "      "
      "xx         yy         zz         xy         yz         zx   others",
      c.by, unit, c.by);
  int rank = 0;
  for (const HotSpot& s : spots) {
    const Vec3d& at = f.position[s.node];
    out += fmt::format("\n{:4}  {:15.6g} {:8} {:11.5g} {:10.4g} {:10.4g} {:10.4g}", ++rank, s.value,
                       f.node_id[s.node], s.time, at.x, at.y, at.z);
    for (const double x : s.stress) out += fmt::format(" {:10.4g}", x);
    out += fmt::format(" {:8}", s.others);
  }
  return out;
}

std::string spots_csv(const ModalFields& f, const std::vector<HotSpot>& spots, const StressCommand& c) {
  std::string out = fmt::format("rank,node,x,y,z,time,{},xx,yy,zz,xy,yz,zx,others\n", c.by);
  int rank = 0;
  for (const HotSpot& s : spots) {
    const Vec3d& at = f.position[s.node];
    out += fmt::format("{},{},{},{},{},{},{}", ++rank, f.node_id[s.node], at.x, at.y, at.z, s.time, s.value);
    for (const double x : s.stress) out += fmt::format(",{}", x);
    out += fmt::format(",{}\n", s.others);
  }
  return out;
}

/// Indices of the nodes that --nodes names by their ids.
std::vector<int> named_nodes(const StressCommand& c, const ModalFields& f) {
  std::vector<int> out;
  for (const std::string& word : c.nodes) {
    const auto id = parse_integer(word);
    const auto at = id ? std::find(f.node_id.begin(), f.node_id.end(), *id) : f.node_id.end();
    if (at == f.node_id.end()) fail(ExitCode::usage, "--nodes: {} has no node {}", f.source, word);
    out.push_back(static_cast<int>(at - f.node_id.begin()));
  }
  return out;
}

/// Sets tilt and turn of a picture from "65,30" [deg].
void set_view(const std::string& text, StressPicture& picture) {
  if (text.empty()) return;
  const std::vector<std::string_view> words = split(text, ',');
  const auto tilt = parse_number(trim(words[0])), turn = parse_number(trim(words.back()));
  if (words.size() != 2 || !tilt || !turn)
    fail(ExitCode::usage, "--view {}: two angles in degrees are expected, like 65,30", text);
  // gnuplot's ranges: 0 to 180 and 0 to 360.
  picture.tilt = std::clamp(*tilt, 0.0, 180.0);
  picture.turn = *turn - 360 * std::floor(*turn / 360);
}

/// Claims the output files. Failure for names of inputs, and of files that another process writes.
void take_places(const StressCommand& c, const std::string& fields, OutputPlace (&places)[4]) {
  const std::string outputs[] = {c.spots, c.series, c.picture, c.vtu.empty() ? "" : c.vtu + ".pvd"};
  for (int k = 0; k < 4; ++k) {
    if (outputs[k].empty()) continue;
    places[k].take_file(outputs[k], {c.results, fields});
    places[k].refuse_input(outputs[k]);
  }
}

void show(const StressCommand& c, const ModalFields& fields, ModalMotion& motion,
          const ResultReader& results) {
  const UnitNames& units = results.channels().units;
  // Mistakes in the options are told before the work.
  std::vector<int> nodes = named_nodes(c, fields);
  StressPicture picture{tensor_measure(c.by), motion.entity().name(), stress_unit(fields, units)};
  set_view(c.view, picture);
  if (!c.picture.empty()) check_picture_name(c.picture);
  const int threads = c.threads > 0 ? c.threads : static_cast<int>(std::thread::hardware_concurrency());
  std::unique_ptr<ThreadPool> pool;
  if (threads > 1) pool = std::make_unique<ThreadPool>(threads);
  const auto say = [&](const std::string& text) {
    if (!c.quiet) print_line(stdout, text);
  };
  say(fmt::format("{}: {}, {} records from {} to {}; {} modes at {} nodes of {}", results.path(),
                  motion.entity().name(), motion.records(), motion.time(0), motion.time(motion.records() - 1),
                  fields.modes(), fields.nodes(), fields.source));
  if (!motion.absent().empty())
    say(fmt::format("note: modes {} did not take part", fmt::join(motion.absent(), ", ")));
  HotSpotOptions options;
  options.measure = picture.measure;
  options.top = static_cast<std::size_t>(c.top);
  options.radius = c.radius < 0 ? body_size(fields) / 50 : c.radius;
  options.pool = pool.get();
  options.progress = ProgressLine("hot spots", c.quiet);
  const std::vector<HotSpot> spots = hot_spots(fields, motion, options);
  print_line(stdout, spots_table(fields, spots, c, picture.unit));
  if (!c.spots.empty()) {
    replace_file(c.spots, spots_csv(fields, spots, c));
    say(fmt::format("{}: {} spots", c.spots, spots.size()));
  }
  if (!c.series.empty()) {
    if (nodes.empty())
      for (const HotSpot& spot : spots) nodes.push_back(spot.node);
    say(fmt::format("{}: {} nodes, {} records", c.series, nodes.size(),
                    write_node_series(c.series, fields, motion, nodes, results)));
  }
  if (!c.picture.empty()) {
    draw_stress(c.picture, fields, motion, spots, picture);
    say(fmt::format("{}: at {}", c.picture, spots.front().time));
  }
  if (!c.vtu.empty()) {
    VtuOptions vtu;
    vtu.length = length_factor(fields, units);
    vtu.body_axes = c.body_axes;
    vtu.strain = c.strain;
    vtu.progress = ProgressLine("files of VTK", c.quiet);
    say(fmt::format("{}.pvd: {} files of {:.3g} MB", c.vtu, motion.records(),
                    static_cast<double>(vtu_bytes(fields, vtu)) / 1e6));
    write_vtu_series(c.vtu, fields, motion, vtu);
  }
}

}  // namespace

int stress_command(const StressCommand& c) {
  return guarded_command([&] {
    if (!tensor_measure(c.by))
      fail(ExitCode::usage, "--by {}: measures are {}", c.by, tensor_measure_names());
    const ResultReader results(c.results);
    print_notices(results.notices());
    const TimeWindow window = parse_window(c.times);
    ModalMotion motion(results, c.body, {window.from, window.to, c.every});
    const std::string path = find_fields(c, motion.entity());
    const bool everything = !c.series.empty() || !c.vtu.empty() || !c.picture.empty();
    const ModalFields fields = read_fields(path, {everything, !c.series.empty() || c.strain, true});
    motion.use(fields);
    OutputPlace places[4];
    take_places(c, path, places);
    show(c, fields, motion, results);
    return 0;
  });
}

}  // namespace trammel
