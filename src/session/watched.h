// The values of a run that `trammel batch` puts into its table: last value, extremes and their times, rms of
// channels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/channel_names.h"

namespace trammel {

struct Watched {
  enum class Take { last, smallest, largest, largest_magnitude, rms };
  Take take = Take::last;
  bool time_of = false;  ///< the time of that record in place of the value
  ChannelRef channel;    ///< column −1: the time
  std::string header;    ///< "final:PART/2.X"
};

/// The values that --channels names: "PART/2.X", "min:PART/2.X", "max:PART/*.X", "tmax:PART/2.X",
/// "final:REQUEST/1". The words before the colon are those of the table in docs/batch.md, names as for plot
/// and compare. Failure(usage), naming `path`, for names that no channel has.
std::vector<Watched> watched_channels(const Channels& channels, const std::string& path,
                                      const std::vector<std::string>& names);

/// Collects the values from the records of a run.
class Watch {
 public:
  /// `found_in`: the channels to which `watched` refers; `channels`: those of the run, which may differ.
  /// Failure(usage), naming a channel that the run does not have.
  Watch(const std::vector<Watched>& watched, const Channels& found_in, const Channels& channels);

  void record(double time, std::span<const double> values);
  /// One value per entry of `watched`, in its order; empty without a record.
  const std::vector<double>& values() const { return values_; }

 private:
  const std::vector<Watched>& watched_;
  /// The value of a watched channel so far.
  struct Sum {
    double value = 0, time = 0;            ///< the value taken, and the time of its record
    double last = 0;                       ///< value of the last record
    double square_time = 0, duration = 0;  ///< integrals of value² and of 1 over time
  };
  void add(Watched::Take take, double time, double value, Sum& sum) const;

  std::vector<int> columns_;  ///< index of each channel in a record; −1: the time
  std::vector<Sum> sums_;
  double last_time_ = 0;
  std::vector<double> values_;
};

}  // namespace trammel
