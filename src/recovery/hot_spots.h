// Where and when a flexible body is stressed most.
#pragma once

#include <functional>
#include <vector>

#include "recovery/modal_motion.h"
#include "recovery/tensor_measures.h"

namespace trammel {

class ThreadPool;

struct HotSpot {
  int node;            ///< index in the fields
  double value, time;  ///< the worst of the measure, and when it is reached
  std::size_t record;  ///< of the motion, then
  double stress[6];    ///< then
  int others;          ///< nodes within the radius that are stressed less
};

struct HotSpotOptions {
  const TensorMeasure* measure = tensor_measure("mises");
  std::size_t top = 20;
  double radius = 0;  ///< of which a spot speaks; 0: each node is one
  ThreadPool* pool = nullptr;
  std::function<void(double part)> progress;  ///< told of the part that is done; may be empty
};

/// The worst first. Records go through in blocks: beside the fields it takes memory for the worst of each
/// node.
std::vector<HotSpot> hot_spots(const ModalFields& fields, ModalMotion& motion, const HotSpotOptions& options);

}  // namespace trammel
