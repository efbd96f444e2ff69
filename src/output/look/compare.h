// Two results against each other, channel by channel.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/read/result_reader.h"

namespace trammel {

struct CompareOptions {
  double atol = 0.0;                       ///< in the unit of the channel
  std::optional<double> rtol = {};         ///< absent: default_rtol()
  bool pointwise = false;                  ///< limit by |a| at each time instead of the scale of the channel
  bool wrap = false;                       ///< angles modulo a full turn
  bool common = false;                     ///< what only one file has is no difference
  std::vector<std::string> channels = {};  ///< patterns as for select_channels(); none: all
  std::vector<std::pair<std::string, std::string>> map =
      {};                                    ///< names in a and in b of channels named differently
  std::optional<double> from = {}, to = {};  ///< window of time, ends included
};

/// 1e-6, or 1e-5 where one of the files has six digits: a rounded value is off by up to 5e-6 of itself.
double default_rtol(const ResultReader& a, const ResultReader& b);

/// The worst place of a channel: where |a − b| exceeds its limit most, by ratio.
struct ChannelDifference {
  std::string name, unit = {};  ///< as a has them
  double time = 0, a = 0, b = 0;
  double difference = 0;  ///< |a − b|; NaN where a or b is none
  double limit = 0;       ///< atol + rtol · scale of the channel (pointwise: · |a|)
  std::size_t over = 0;   ///< times at which it is above the limit
};

struct Comparison {
  std::vector<ChannelDifference> channels;       ///< those that both have, the worst first
  std::vector<std::string> only_a, only_b;       ///< channels
  std::size_t times = 0;                         ///< compared
  std::size_t interpolated = 0;                  ///< of these, by interpolation of the other file
  std::size_t uncovered_a = 0, uncovered_b = 0;  ///< records outside the other file's range of time
  std::size_t over = 0;                          ///< channels above their limit
  double rtol = 0;
  std::vector<std::string> notices;  ///< what else has to be said
  bool within = false;               ///< the verdict
};

/// Compares at the times of the file with fewer records (a, where both have as many); values of the other are
/// interpolated linearly between its records where it has none at that time (to 1e-9 of the time, or 5e-6
/// with six digits). The scale of a channel is the largest |a| of its
/// vector (the channels of its entity that have its unit), or 1e-6 of the largest |a| of that unit in the
/// file where that is more; of a channel without unit its own largest |a|. NaN on either side is above every
/// limit. The verdict is "within" when no channel is above its limit, units agree and, unless options.common,
/// both have the same channels and range of time. Failures: usage (wrong tolerance, window or channel;
/// nothing in common), input (no records, time that runs backwards).
Comparison compare_results(const ResultReader& a, const ResultReader& b, const CompareOptions& options);

}  // namespace trammel
