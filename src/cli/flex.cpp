#include "cli/flex.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/flex_tables.h"
#include "cli/flex_words.h"
#include "flexible/fem_file.h"
#include "flexible/full_files.h"
#include "flexible/modal_check.h"
#include "flexible/modal_file.h"
#include "flexible/mtx_file.h"
#include "flexible/reduction.h"
#include "flexible/selection.h"
#include "output/replacement.h"
#include "recovery/fields_file.h"
#include "session/output_place.h"
#include "terminal/print.h"

namespace trammel {

namespace {

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string extension(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

void require_format(const std::string& path) {
  if (extension(path) != ".fem" && extension(path) != ".mtx")
    fail(ExitCode::usage, "{}: modes are written as .mtx (ADAMSMAT2) or .fem (MBDyn)", path);
}
/// Writes the body in the format of the extension.
void write_body(const std::string& path, const ModalBody& body) {
  replace_file(path, extension(path) == ".fem" ? write_fem(body) : write_mtx(body));
}

/// Claims a file that is to be written, as long as the result exists. Failure(usage) where it is one of the
/// inputs, (io) where another process writes it.
OutputPlace place_of(const std::string& path, const std::vector<std::string>& inputs) {
  OutputPlace place;
  place.take_file(path, inputs);
  place.refuse_input(path);
  return place;
}

/// Prints warnings and notes; throws Failure for errors.
void tell(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.list())
    if (d.severity != Severity::error)
      print_line(stderr, (d.severity == Severity::warning ? "warning: " : "note: ") + to_string(d));
  diagnostics.stop_on_errors();
}

/// Gives the nodes of a point weights by the faces of elements that they cover.
void weigh_by_surface(const InputMesh& mesh, const std::string& text, Spider& spider) {
  spider.surface = surface_entries(mesh, spider.nodes);
  std::vector<char> covered(spider.nodes.size(), 0);
  for (const SurfaceEntry& g : spider.surface) covered[g.a] = covered[g.b] = 1;
  for (std::size_t p = 0; p < covered.size(); ++p)
    if (!covered[p])
      fail(
          ExitCode::usage,
          "'{}': node {} is on no face of solid elements whose nodes all are named; name whole faces, or use "
          "--averaged",
          text, spider.nodes[p]);
}

/// A point of the interface from "ID=nodes": at the place of node ID in *NODE, else at the mean of its nodes.
Spider spider_of(const InputMesh& mesh, const std::string& text, bool rigid, bool surface = false) {
  NamedPoint named = point_of(mesh, text);
  Spider out{named.id, {}, std::move(named.nodes), rigid};
  if (surface) weigh_by_surface(mesh, text, out);
  if (const auto at = mesh.node.find(out.node); at != mesh.node.end()) {
    out.point = at->second;
    return out;
  }
  for (const int node : out.nodes)
    if (const auto at = mesh.node.find(node); at != mesh.node.end())
      out.point += (1.0 / static_cast<double>(out.nodes.size())) * at->second;
  return out;
}

FullModel read_model(const FlexReduceCommand& c, const InputMesh& mesh) {
  if (c.stiffness.empty() != c.mass.empty()) fail(ExitCode::usage, "--stiffness and --mass go together");
  return c.stiffness.empty() ? read_calculix(c.inp, mesh)
                             : read_node_matrices(c.inp, mesh, c.stiffness, c.mass);
}

int reduce_model(const FlexReduceCommand& c) {
  const Stopwatch begun;
  const auto say = [&](const std::string& text) {
    if (!c.quiet) print_line(stdout, fmt::format("{:8.1f} s  {}", begun.seconds(), text));
  };
  const std::string out =
      c.out.empty() ? std::filesystem::path(c.inp).replace_extension(".mtx").string() : c.out;
  require_format(out);
  std::vector<std::string> inputs = {c.inp, c.stiffness, c.mass};
  inputs.insert(inputs.end(), c.load_cases.begin(), c.load_cases.end());
  const OutputPlace place = place_of(out, inputs);
  say("reading " + c.inp);
  const InputMesh mesh = read_inp(c.inp);
  ReductionOptions options;
  options.interface_nodes = nodes_of(mesh, c.interface);
  for (const std::string& s : c.rigid) options.spiders.push_back(spider_of(mesh, s, true));
  for (const std::string& s : c.averaged) options.spiders.push_back(spider_of(mesh, s, false));
  for (const std::string& s : c.surface) options.spiders.push_back(spider_of(mesh, s, false, true));
  options.attachment = nodes_of(mesh, c.attachment);
  options.nodes = nodes_of(mesh, c.nodes);
  for (const std::string& file : c.load_cases) options.load_cases.push_back(read_load_case(file, mesh));
  if (!c.load_cases.empty() && extension(out) != ".mtx")
    fail(ExitCode::usage, "{}: a .fem has no load cases; write a .mtx", out);
  options.modes = c.modes;
  options.inertia = c.inertia;
  options.to_frequency = c.to_frequency;
  options.all_nodes = c.all_nodes || extension(out) == ".fem";
  options.keep_shapes = c.fields;
  options.progress = say;
  const int threads = c.threads > 0 ? c.threads : static_cast<int>(std::thread::hardware_concurrency());
  if (threads > 1) options.pool = std::make_shared<ThreadPool>(threads);
  const ModalUnits units = units_of(c.units);
  const FullModel model = read_model(c, mesh);
  Reduction done = reduce(model, options);
  done.body.units = units;
  Diagnostics diagnostics;
  check_modal_body(done.body, diagnostics);
  tell(diagnostics);
  write_body(out, done.body);
  if (c.fields) {
    say("stresses of the modes");
    write_fields(fields_name(out), modal_fields(mesh, model, done.shapes, done.body, options.pool.get()));
  }
  if (!c.quiet)
    print_line(stdout,
               reduction_table(model, done) +
                   fmt::format("\n{}: {} modes at {} nodes, {:.1f} s, {:.0f} MiB at most", out,
                               done.body.modes, done.body.nodes(), begun.seconds(), peak_mebibytes()));
  return 0;
}

/// The numbers that words such as "7" and "7-40" name.
std::set<int> numbers_of(const std::vector<std::string>& words) {
  std::set<int> out;
  for (const std::string& word : words) {
    const std::size_t dash = word.find('-', 1);
    const auto first = parse_integer(word.substr(0, dash));
    const auto last = dash == word.npos ? first : parse_integer(word.substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first || *last - *first > 1000000)
      fail(ExitCode::usage, "'{}': numbers of modes are expected, like 7 or 7-40", word);
    for (int id = *first; id <= *last; ++id) out.insert(id);
  }
  return out;
}

/// The body with the modes that --modes names, or all, without those of --modes-off.
ModalBody chosen_modes(const FlexCommand& c, const ModalBody& body) {
  std::set<int> ids = numbers_of(c.modes);
  if (c.modes.empty()) ids.insert(body.mode_id.begin(), body.mode_id.end());
  for (const int id : numbers_of(c.modes_off))
    if (ids.erase(id) == 0) fail(ExitCode::usage, "{}: there is no mode {}", body.source, id);
  return with_modes(body, {ids.begin(), ids.end()});
}

int check_file(const std::string& file) {
  Diagnostics diagnostics;
  const ModalBody body = read_modal_body(file, diagnostics);
  check_modal_body(body, diagnostics);
  tell(diagnostics);
  print_line(stdout,
             fmt::format("{}: {} modes at {} nodes can be used", body.source, body.modes, body.nodes()));
  return 0;
}

}  // namespace

int flex_command(const FlexCommand& c, const std::string& which) {
  return guarded_command([&] {
    if (which == "reduce") return reduce_model(c.reduce);
    if (which == "cut") return cut_model(c.cut);
    if (which == "check") return check_file(c.file);
    if (which == "convert") require_format(c.out);
    Diagnostics diagnostics;
    ModalBody body = read_modal_body(which == "info" ? c.file : c.in, diagnostics);
    tell(diagnostics);
    if (which == "convert") {
      const OutputPlace place = place_of(c.out, {c.in});
      body = chosen_modes(c, body);
      write_body(c.out, body);
    }
    print_line(stdout, which == "info"
                           ? modal_table(body)
                           : fmt::format("{}: {} modes at {} nodes", c.out, body.modes, body.nodes()));
    return 0;
  });
}

}  // namespace trammel
