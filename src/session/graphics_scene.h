// Markers, joints and shapes of a model, for the head of its .gra file.
#pragma once

#include <string>
#include <vector>

#include "dataset/description.h"
#include "model/model.h"
#include "output/write/graphics_scene.h"

namespace trammel {

/// The scene, with GRAPHICS of the kinds BOX and FORCE. Adds to `left_out` the number of each other kind, "12
/// CYLINDER".
GraphicsScene graphics_scene(const Description& description, const Model& model,
                             std::vector<std::string>& left_out);

}  // namespace trammel
