#include "output/look/plot_script.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "output/look/gnuplot.h"
#include "output/number_text.h"

namespace trammel {
namespace {

// Colours that colour-blind people can distinguish (Okabe and Ito).
constexpr const char* colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                  "#E69F00", "#56B4E9", "#000000", "#8C6D00"};

constexpr const char* style_lines =
    "set encoding utf8\n"
    "set border 3 linecolor rgb '#555555'\n"
    "set tics nomirror textcolor rgb '#333333'\n"
    "set grid linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
    "set key at graph 1.02, graph 1 left top vertical Left reverse samplen 2\n"
    "set autoscale xfix\n"
    "set offsets 0, 0, graph 0.05, graph 0.05\n"
    "set lmargin 14\n";

std::string terminal_line(const Picture& p, int height) {
  // noenhanced: underscores in names are not subscripts
  if (!p.svg)
    return fmt::format("set terminal pngcairo noenhanced size {},{} font 'Sans,11' linewidth 1.5\n", p.width,
                       height);
  return fmt::format("set terminal svg noenhanced size {},{} font 'Sans,14' linewidth 1.2 dynamic\n", p.width,
                     height);
}

/// A curve as lines "x y", with a band "x y low high"; a value that is not finite, or not positive on a
/// logarithmic axis, leaves a gap.
std::string data_block(const std::string& name, const Curve& curve, bool log_x, bool log_y) {
  std::string text = fmt::format("{} << END_OF_DATA\n", name);
  for (std::size_t row = 0; row < curve.x.size(); ++row) {
    const auto put = [&](double value, bool log) {
      if (std::isfinite(value) && !(log && value <= 0.0))
        append_shortest(text, value);
      else
        text += "NaN";
    };
    put(curve.x[row], log_x);
    text += ' ';
    put(curve.y[row], log_y);
    if (!curve.error.empty())
      for (const double sign : {-1.0, 1.0}) {
        text += ' ';
        put(curve.y[row] + sign * curve.error[row], log_y);
      }
    text += '\n';
  }
  return text + "END_OF_DATA\n";
}

std::string block_name(std::size_t panel, std::size_t curve) {
  return fmt::format("$panel{}_{}", panel, curve);
}

const char* color_of(const Curve& curve) {
  return colors[static_cast<std::size_t>(curve.color) % std::size(colors)];
}

/// Style of a curve: files differ by dashes, or by the shape of points.
std::string style_of(const Curve& curve) {
  constexpr int points[] = {7, 9, 5, 13, 11};  // filled: disc, triangle, square, diamond, triangle
  if (!curve.points) return fmt::format("lines linewidth 1.5 dashtype {}", curve.dash + 1);
  return fmt::format("points pointsize 0.8 pointtype {}",
                     points[static_cast<std::size_t>(curve.dash) % std::size(points)]);
}

std::string panel_plot(std::size_t number, const Panel& panel, bool last, const std::string& x_label) {
  std::string text = fmt::format("set ylabel {}\n", gnuplot_quoted(panel.label));
  text += last ? fmt::format("set xlabel {}\nset format x '%g'\n", gnuplot_quoted(x_label))
               : std::string("set xlabel ''\nset format x ''\n");
  text += "plot ";
  for (std::size_t k = 0; k < panel.curves.size(); ++k)
    if (!panel.curves[k].error.empty())
      text += fmt::format(
          "{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle transparent solid 0.25 "
          "noborder notitle, ",
          block_name(number, k), color_of(panel.curves[k]));
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const Curve& curve = panel.curves[k];
    text +=
        fmt::format("{}{} using 1:2 with {} linecolor rgb '{}' title {}", k > 0 ? ", " : "",
                    block_name(number, k), style_of(curve), color_of(curve), gnuplot_quoted(curve.legend));
  }
  return text + "\n";
}

/// Width of the legends beside the panels, in characters: all panels have the same x axis.
std::size_t legend_columns(const std::vector<Panel>& panels) {
  std::size_t longest = 0;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves) longest = std::max(longest, curve.legend.size());
  return std::min<std::size_t>(longest, 40) + 7;
}

/// One x range for all panels: files and channels may cover different ranges.
std::string x_range(const std::vector<Panel>& panels) {
  double low = INFINITY, high = -INFINITY;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves)
      for (const double x : curve.x)
        if (std::isfinite(x)) {
          low = std::min(low, x);
          high = std::max(high, x);
        }
  if (!(low < high)) return "";
  std::string text = "set xrange [";
  append_shortest(text, low);
  text += ":";
  append_shortest(text, high);
  return text + "]\n";
}

}  // namespace

std::string gnuplot_script(const Picture& picture) {
  const std::vector<Panel>& panels = picture.panels;
  const int height = picture.height > 0
                         ? picture.height
                         : static_cast<int>(std::min<std::size_t>(200 + 300 * panels.size(), 4000));
  std::string script = terminal_line(picture, height);
  script += fmt::format("set output {}\n", gnuplot_quoted(picture_name)) + style_lines + x_range(panels);
  if (picture.log_x) script += "set logscale x\n";
  if (picture.log_y) script += "set logscale y\nset format y '%g'\nset offsets 0, 0, 0, 0\n";
  script += fmt::format("set rmargin {}\n", legend_columns(panels));
  if (picture.equal) script += "set size ratio -1\n";
  for (std::size_t p = 0; p < panels.size(); ++p)
    for (std::size_t k = 0; k < panels[p].curves.size(); ++k)
      script += data_block(block_name(p, k), panels[p].curves[k], picture.log_x, picture.log_y);
  script += fmt::format("set multiplot layout {},1 title {}\n", panels.size(), gnuplot_quoted(picture.title));
  for (std::size_t p = 0; p < panels.size(); ++p)
    script += panel_plot(p, panels[p], p + 1 == panels.size(), picture.x_label);
  return script + "unset multiplot\nunset output\n";
}

}  // namespace trammel
