#include "recovery/stress_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "output/look/draw.h"
#include "output/look/gnuplot.h"
#include "recovery/mode_sums.h"
#include "recovery/surface.h"

namespace trammel {

namespace {

/// Displacements are enlarged to this part of the body's size.
constexpr double kShown = 0.04;

/// The body at one time: places of its nodes, deformed `factor` times, and the measure there.
struct Shown {
  std::vector<Vec3d> place;
  std::vector<double> value;
  double factor = 1;
};

Shown shown_at(const ModalFields& f, ModalMotion& motion, std::size_t record, const TensorMeasure& measure) {
  std::vector<double> q(f.mode_id.size());
  motion.coordinates(record, q.data());
  Shown out;
  std::vector<Vec3d> moved;
  double farthest = 0;
  for (int p = 0; p < f.nodes(); ++p) {
    double stress[tensor_components];
    tensor_sum(f.stress, p, q, stress);
    out.value.push_back(measure.of(stress));
    Vec3d u;
    for (int d = 0; d < 3; ++d) u[d] = mode_sum(f.translation, static_cast<std::size_t>(3) * p + d, q);
    moved.push_back(u);
    farthest = std::max(farthest, norm(u));
  }
  // One significant digit: what is told of it can be remembered.
  const double wanted = farthest > 0 ? kShown * body_size(f) / farthest : 1;
  const double digit = std::pow(10.0, std::floor(std::log10(wanted)));
  out.factor = wanted < 1 ? 1 : std::floor(wanted / digit) * digit;
  for (std::size_t p = 0; p < f.node_id.size(); ++p)
    out.place.push_back(f.position[p] + out.factor * moved[p]);
  return out;
}

std::string face_data(const std::vector<SurfaceFace>& faces, const Shown& shown) {
  std::string out = "$faces << END_OF_DATA\n";
  for (const SurfaceFace& face : faces) {
    // A quadrangle is a mesh of two rows.
    for (const int c : {0, 1, 3, 2}) {
      const Vec3d& s = shown.place[face[c]];
      out += fmt::format("{:.7g} {:.7g} {:.7g} {:.6g}\n{}", s.x, s.y, s.z, shown.value[face[c]],
                         c == 1   ? "\n"
                         : c == 2 ? "\n\n"
                                  : "");
    }
  }
  return out + "END_OF_DATA\n";
}

std::string spot_data(const std::vector<HotSpot>& spots, const Shown& shown) {
  std::string out = "$spots << END_OF_DATA\n";
  for (std::size_t k = 0; k < spots.size(); ++k) {
    const Vec3d& s = shown.place[spots[k].node];
    out += fmt::format("{:.7g} {:.7g} {:.7g} {}\n", s.x, s.y, s.z, k + 1);
  }
  return out + "END_OF_DATA\n";
}

}  // namespace

void draw_stress(const std::string& path, const ModalFields& f, ModalMotion& motion,
                 const std::vector<HotSpot>& spots, const StressPicture& picture) {
  check_picture_name(path);
  const Shown shown = shown_at(f, motion, spots.front().record, *picture.measure);
  const auto range = std::minmax_element(shown.value.begin(), shown.value.end());
  const bool svg = lower(path).ends_with(".svg");
  const std::string title =
      fmt::format("{}: {}, t = {:.4g}{}", picture.title, picture.measure->help, spots.front().time,
                  shown.factor == 1 ? "" : fmt::format(", displacements x {:g}", shown.factor));
  const std::vector<SurfaceFace> faces = surface_of(f);
  const bool smooth = faces.size() < 5000;  // else each face is a point of the picture anyway
  const std::string script =
      fmt::format("set terminal {} noenhanced size 1100,700 font 'Sans,{}'\nset output '{}'\n",
                  svg ? "svg" : "pngcairo", svg ? 14 : 11, picture_name) +
      face_data(faces, shown) + spot_data(spots, shown) +
      "set encoding utf8\nunset border\nunset tics\nunset key\n" +
      fmt::format("set title {}\nset cblabel {} offset 1, 0\nset view {}, {}, 1.3\n", gnuplot_quoted(title),
                  gnuplot_quoted(fmt::format("{} [{}]", picture.measure->name, picture.unit)), picture.tilt,
                  picture.turn) +
      fmt::format("set cbrange [{:.6g}:{:.6g}]\n", *range.first,
                  *range.second > *range.first ? *range.second : *range.first + 1) +
      "set view equal xyz\nset colorbox user origin 0.86, 0.2 size 0.02, 0.6\nset format cb '%.3g'\n"
      "set cbtics\nset lmargin at screen 0.02\nset rmargin at screen 0.85\n"
      // Viridis: equal steps look equal, also to the colour-blind.
      "set palette defined (0 '#440154', 1 '#414487', 2 '#2a788e', 3 '#22a884', 4 '#7ad151', 5 '#fde725')\n"
      "set pm3d depthorder corners2color mean" +
      (smooth ? " interpolate 4,4\n" : "\n") +
      "splot $faces using 1:2:3:4 with pm3d, $spots using 1:2:3:4 with labels point pointtype 6 "
      "linecolor rgb 'red' textcolor rgb 'red' offset 1, 0.5\n";
  draw_script(script, path);
}

}  // namespace trammel
