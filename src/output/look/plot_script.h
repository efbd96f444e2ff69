// A picture as a gnuplot script.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct Curve {
  std::string legend;
  std::vector<double> x, y;
  std::vector<double> error;  ///< half the width of a band about y, one per point; none: no band
  int color = 0, dash = 0;    ///< index in the panel; index of the file
  bool points = false;        ///< points instead of a line
};

struct Panel {
  std::string label;  ///< label of the y axis, with unit
  std::vector<Curve> curves;
};

struct Picture {
  std::string title, x_label;
  std::vector<Panel> panels;
  bool log_x = false, log_y = false;
  bool equal = false;  ///< equal scales on x and y
  bool svg = false;
  int width = 1000, height = 0;  ///< pixels; height 0: by the number of panels
};

/// The script with its data. Values that are not finite leave gaps.
std::string gnuplot_script(const Picture& picture);

}  // namespace trammel
