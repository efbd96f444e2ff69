// What is drawn, as a gnuplot script.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct Curve {
  std::string legend;
  std::vector<double> x, y;
  int color = 0, dash = 0;  ///< place in the panel; number of the file
  bool points = false;      ///< instead of a line
};

struct Panel {
  std::string label;  ///< of the y axis, with the unit
  std::vector<Curve> curves;
};

struct Picture {
  std::string title, x_label;
  std::vector<Panel> panels;
  bool log_y = false;
  bool equal = false;  ///< a unit is as long on x as on y
  bool svg = false;
  int width = 1000, height = 0;  ///< pixels; height 0: by the number of panels
};

/// Data and commands in one text. Values that are no numbers leave gaps.
std::string gnuplot_script(const Picture& picture);

}  // namespace trammel
