// The contents of a .gra header besides the parts: markers, joints and shapes.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace trammel {

struct GraphicsScene {
  struct Marker {
    int id = 0, part = 0;
    std::array<double, 3> position{}, angles{};  ///< in the part's frame; angles 3-1-3, rad
  };
  struct Joint {
    int id = 0, i = 0, j = 0;  ///< ids of markers
  };
  /// GRAPHICS/..., BOX.
  struct Box {
    int corner = 0;  ///< id of a marker
    std::array<double, 3> size{};
  };
  /// GRAPHICS/..., FORCE: an arrow for the force of an element.
  struct Arrow {
    int marker = 0;       ///< id of the marker at its origin
    std::string element;  ///< name of its entity in the channels, "SFORCE/3"
    double sign = 1;      ///< −1: on the element's J marker
  };
  struct Shape {
    int id = 0;
    bool is_arrow = false;
    Box box;
    Arrow arrow;
  };
  std::vector<int> parts;  ///< ids, ground included; empty: ground and those of the channels
  std::vector<Marker> markers;
  std::vector<Joint> joints;
  std::vector<Shape> shapes;
};

}  // namespace trammel
