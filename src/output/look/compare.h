// Comparison of two result files, channel by channel.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/read/result_reader.h"

namespace trammel {

struct CompareOptions {
  double atol = 0.0;                ///< in the unit of the channel
  std::optional<double> rtol = {};  ///< absent: default_rtol()
  bool pointwise = false;  ///< limit relative to |a| at each time instead of the scale of the channel
  bool wrap = false;       ///< angles modulo 2π
  bool common = false;     ///< channels and times in one file only are no difference
  std::vector<std::string> channels = {};  ///< patterns as for select_channels(); none: all
  std::vector<std::pair<std::string, std::string>> map =
      {};                                    ///< names in a and in b of channels named differently
  std::optional<double> from = {}, to = {};  ///< time window, ends included
};

/// 1e-6, or 1e-5 if one of the files has six digits: rounding to six digits is an error of up to 5e-6.
double default_rtol(const ResultReader& a, const ResultReader& b);

/// The worst time of a channel: that of the largest |a − b| / limit.
struct ChannelDifference {
  std::string name, unit = {};  ///< as in a; of a column of a table the header
  double time = 0, a = 0, b = 0;
  double difference = 0;  ///< |a − b|; NaN if a or b is NaN
  double limit = 0;       ///< atol + rtol · scale of the channel (pointwise: · |a|)
  std::size_t over = 0;   ///< number of times at which the limit is exceeded
};

struct Comparison {
  std::vector<ChannelDifference> channels;       ///< channels in both files, the worst first
  std::vector<std::string> only_a, only_b;       ///< channels in one file only
  std::size_t times = 0;                         ///< number of times compared
  std::size_t interpolated = 0;                  ///< of these, with interpolation of the other file
  std::size_t uncovered_a = 0, uncovered_b = 0;  ///< records outside the other file's time range
  std::size_t over = 0;                          ///< number of channels that exceed their limit
  double rtol = 0;
  std::vector<std::string> notices;  ///< remarks for the user
  bool within = false;               ///< the result: no difference
};

/// Compares at the times of the file with fewer records (a, if both have as many); values of the other file
/// are interpolated linearly where it has no record at that time (to 1e-9 of the time, or 5e-6 with six
/// digits). The scale of a channel is the largest |a| of its vector (the channels of its entity with its
/// unit), or 1e-6 of the largest |a| of that unit in the file if that is more; for a channel without unit its
/// own largest |a|. Channels of the file that are not compared count, too. NaN on either side exceeds every
/// limit. Within: no channel exceeds its limit, units agree and, unless options.common, both have the same
/// channels and time range. Failures: usage (wrong tolerance, window or channel; nothing in common), input
/// (no records, decreasing times that differ).
Comparison compare_results(const ResultReader& a, const ResultReader& b, const CompareOptions& options);

}  // namespace trammel
