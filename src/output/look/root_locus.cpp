#include "output/look/root_locus.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "output/look/draw.h"
#include "output/read/npz_reader.h"

namespace trammel {

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
  Curve first = points(files.front(), 0), between = points("between", 2), last = points(files.back(), 1);
  for (std::size_t k = 0; k < files.size(); ++k) {
    Curve& curve = k == 0 ? first : k + 1 == files.size() ? last : between;
    for (const std::complex<double> s : NpzReader(files[k]).complex("eigenvalue")) {
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
