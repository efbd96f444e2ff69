#include "output/look/root_locus.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/diagnostics.h"
#include "output/look/draw.h"
#include "output/read/npz_reader.h"
#include "output/read/result_reader.h"

namespace trammel {

namespace {

/// Eigenvalues of one LINEAR, and what the legend calls them.
struct Roots {
  std::string name;
  std::vector<std::complex<double>> s;
};

/// Of an .npz file its array, of a result file those of each LINEAR/EIGENSOL of its run.
std::vector<Roots> roots_of(const std::string& file) {
  if (is_npz(file)) return {{file, NpzReader(file).complex("eigenvalue")}};
  const ResultReader results(file);
  const std::vector<ModeSet> sets = results.modes();
  if (sets.empty())
    fail(
        ExitCode::input,
        "{}: no modes are in the file: LINEAR/EIGENSOL writes them to .nc and .res, to .nc when the run ends",
        file);
  std::vector<Roots> out;
  for (const ModeSet& set : sets) {
    out.push_back({sets.size() == 1 ? file : fmt::format("{}, time {:.6g}", file, set.time), {}});
    for (std::size_t m = 0; m < set.modes(); ++m)
      out.back().s.emplace_back(set.eigenvalue[2 * m], set.eigenvalue[2 * m + 1]);
  }
  return out;
}

}  // namespace

void plot_roots(const std::vector<std::string>& files, const RootLocusOptions& options) {
  Picture picture;
  picture.title = options.title.empty() ? "Eigenvalues" : options.title;
  picture.x_label = "real part [cycles/time]";
  picture.width = options.width;
  picture.height = options.height;
  Panel panel;
  panel.label = "imaginary part [cycles/time]";
  const auto points = [](const std::string& legend, int color) {
    Curve curve;
    curve.legend = legend;
    curve.color = color;
    curve.points = true;
    return curve;
  };
  std::vector<Roots> roots;
  for (const std::string& file : files)
    for (Roots& of : roots_of(file)) roots.push_back(std::move(of));
  Curve first = points(roots.front().name, 0), between = points("between", 2),
        last = points(roots.back().name, 1);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    Curve& curve = k == 0 ? first : k + 1 == roots.size() ? last : between;
    for (const std::complex<double> s : roots[k].s) {
      curve.x.push_back(s.real() / (2 * std::numbers::pi));
      curve.y.push_back(std::abs(s.imag()) / (2 * std::numbers::pi));
    }
  }
  for (Curve* curve : {&between, &first, &last})
    if (!curve->x.empty()) panel.curves.push_back(std::move(*curve));
  picture.panels.push_back(std::move(panel));
  draw(picture, options.output);
}

}  // namespace trammel
