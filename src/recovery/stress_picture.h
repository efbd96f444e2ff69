// A picture of a stressed body.
#pragma once

#include <string>

#include "recovery/hot_spots.h"

namespace trammel {

struct StressPicture {
  const TensorMeasure* measure;
  std::string title, unit;
  double tilt = 65, turn = 30;  ///< of the view, degrees about the horizontal and about z of the body
};

/// Draws the outside of the body as it is deformed at the time of the first spot, enlarged so that it shows,
/// coloured by the measure, with the spots numbered. Failure(usage), (io) as draw().
void draw_stress(const std::string& path, const ModalFields& fields, ModalMotion& motion,
                 const std::vector<HotSpot>& spots, const StressPicture& picture);

}  // namespace trammel
