#include "cli/flex_cut.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "cli/flex_words.h"
#include "flexible/mesh_cut.h"
#include "model/units.h"
#include "output/replacement.h"
#include "session/output_place.h"
#include "terminal/print.h"

namespace trammel {

namespace {

namespace fs = std::filesystem;

/// A point of a piece's interface: its id, the option of 'flex reduce' that makes it ("rigid") and the value
/// of that option ("1001=ROOT").
struct InterfacePoint {
  int id;
  std::string kind, nodes;
};

class CutFiles {
 public:
  explicit CutFiles(const FlexCutCommand& c) : c_(c), mesh_(read_inp(c.inp)) {
    const int ways = (c.parts > 0) + !c.at.empty() + !c.sets.empty();
    if (ways != 1) fail(ExitCode::usage, "one of --parts, --at, --sets must say where to cut");
    MeshCutOptions options{-1, c.parts, c.at, c.sets};
    if (!c.axis.empty()) options.axis = c.axis[0] - 'x';
    cut_ = cut_mesh(mesh_, c.inp, options);
    prefix_ = c.out.empty() ? fs::path(c.inp).replace_extension("").string() : c.out;
    name_ = fs::path(prefix_).filename().string();
    points_.resize(cut_.piece.size());
    const int first = first_free_id();
    for (std::size_t f = 0; f < cut_.face.size(); ++f)
      for (const int piece : {cut_.face[f].first, cut_.face[f].second})
        points_[piece].push_back(
            {first + static_cast<int>(f), c.faces, fmt::format("{}={}", first + f, cut_.face[f].name)});
    for (const std::string& text : c.rigid) add_point(text, "rigid");
    for (const std::string& text : c.averaged) add_point(text, "averaged");
    for (const std::string& text : c.surface) add_point(text, "surface");
  }

  int write() {
    for (std::size_t p = 0; p < points_.size(); ++p) {
      if (points_[p].empty())
        fail(ExitCode::usage,
             "{}: piece {} touches no other and has no point of an interface; name one by --rigid or "
             "--averaged",
             c_.inp, p + 1);
      write_file(suffix(p) + ".inp",
                 inp_text(cut_.piece[p], fmt::format("Piece {} of {} of {}", p + 1, points_.size(), c_.inp)));
    }
    write_file(".sh", script());
    fs::permissions(prefix_ + ".sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
    write_file(".adm", deck());
    if (!c_.quiet) print_line(stdout, summary());
    return 0;
  }

 private:
  /// Writes the file prefix + `end`. An earlier file of that name is kept as NAME.1, as it may be a deck that
  /// was edited.
  void write_file(const std::string& end, const std::string& text) const {
    OutputPlace place;
    place.take_file(prefix_ + end, {c_.inp});
    place.make_room(prefix_ + end);
    replace_file(prefix_ + end, text);
  }
  static std::string suffix(std::size_t piece) { return fmt::format("_{}", piece + 1); }

  /// The number after the first power of ten, from 1000 on, above all node ids.
  int first_free_id() const {
    int id = 1000;
    while (!mesh_.node.empty() && id <= mesh_.node.rbegin()->first) id *= 10;
    return id + 1;
  }
  /// Adds a point "ID=nodes" to the piece that has all of its nodes; where *NODE gives the point a place, the
  /// piece gets it, too.
  void add_point(const std::string& text, const std::string& kind) {
    const auto [id, nodes] = point_of(mesh_, text);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      InputMesh& piece = cut_.piece[p];
      if (!std::all_of(nodes.begin(), nodes.end(), [&](int node) { return piece.node.contains(node); }))
        continue;
      if (const auto at = mesh_.node.find(id); at != mesh_.node.end()) piece.node.insert(*at);
      points_[p].push_back({id, kind, text});
      return;
    }
    fail(ExitCode::usage, "'{}': these nodes are in no piece all together; cut elsewhere, or name fewer",
         text);
  }

  std::string script() const {
    std::string text = fmt::format(
        "#!/bin/sh\n# Matrices of the pieces of {} by CalculiX, and their modes. CCX and TRAMMEL name the "
        "programs.\n"
        "set -e\ncd \"$(dirname \"$0\")\"\n: \"${{CCX:=ccx}}\" \"${{TRAMMEL:=trammel}}\"\n",
        c_.inp);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const std::string piece = name_ + suffix(p);
      text += fmt::format("\"$CCX\" '{0}' > '{0}.log' || {{ cat '{0}.log'; exit 1; }}\n", piece);
      text += fmt::format("\"$TRAMMEL\" flex reduce '{}.inp' --quiet --modes {}", piece, c_.modes);
      for (const InterfacePoint& point : points_[p])
        text += fmt::format(" --{} '{}'", point.kind, point.nodes);
      if (!c_.units.empty()) text += fmt::format(" --units {}", c_.units);
      text += fmt::format(" -o '{}.mtx'\n", piece);
    }
    return text;
  }

  static int body(std::size_t piece) { return static_cast<int>(piece) + 2; }
  int marker(std::size_t piece, std::size_t point) const {
    return 100 * body(piece) + static_cast<int>(point) + 1;
  }
  /// Id of the marker of a piece at the point with this id.
  int marker_at(int piece, int id) const {
    const auto& points = points_[piece];
    const auto at =
        std::find_if(points.begin(), points.end(), [&](const InterfacePoint& p) { return p.id == id; });
    return marker(piece, at - points.begin());
  }

  std::string deck() const {
    const std::string units = c_.units.empty() ? "KILOGRAM,METER,SECOND,NEWTON" : c_.units;
    const ModalUnits u = units_of(units);
    const double g =
        9.80665 * unit_in_si("TIME", u.time) * unit_in_si("TIME", u.time) / unit_in_si("LENGTH", u.length);
    std::string text = fmt::format(
        "{0} in {1} pieces\n! Bodies by {0}.sh: run it first. Each piece deforms in its own frame, which "
        "follows the "
        "motion.\nUNITS/FORCE = {2}, MASS = {3}, LENGTH = {4}, TIME = {5}\nACCGRAV/KGRAV = "
        "{6:.9g}\n!\nPART/1, "
        "GROUND\n",
        name_, points_.size(), u.force, u.mass, u.length, u.time, -g);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      text += fmt::format("!\n!          adams_view_name='{0}{1}'\nFLEX_BODY/{2}, MNF_FILE = {0}{1}.mtx\n",
                          name_, suffix(p), body(p));
      for (std::size_t k = 0; k < points_[p].size(); ++k)
        text +=
            fmt::format("MARKER/{}, FLEX_BODY = {}, NODE_ID = {}\n", marker(p, k), body(p), points_[p][k].id);
    }
    text += "!\n";
    const int first = first_free_id();
    for (std::size_t f = 0; f < cut_.face.size(); ++f)
      text +=
          fmt::format("!          adams_view_name='{}'\nJOINT/{}, FIXED, I = {}, J = {}\n", cut_.face[f].name,
                      f + 1, marker_at(cut_.face[f].second, first + static_cast<int>(f)),
                      marker_at(cut_.face[f].first, first + static_cast<int>(f)));
    return text + "!\nEND\n";
  }

  std::string summary() const {
    std::string text;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      std::size_t elements = 0;
      for (const InputElements& group : cut_.piece[p].elements) elements += group.id.size();
      text += fmt::format("{}{}.inp: {} elements, {} nodes, interface", prefix_, suffix(p), elements,
                          cut_.piece[p].node.size());
      for (const InterfacePoint& point : points_[p]) text += fmt::format(" {}", point.id);
      text += "\n";
    }
    return text + fmt::format("{0}.sh makes their modes (CalculiX, trammel flex reduce); {0}.adm joins them",
                              prefix_);
  }

  const FlexCutCommand& c_;
  InputMesh mesh_;
  MeshCut cut_;
  std::string prefix_, name_;
  std::vector<std::vector<InterfacePoint>> points_;  ///< points of each piece
};

}  // namespace

int cut_model(const FlexCutCommand& command) {
  return CutFiles(command).write();
}

}  // namespace trammel
