// Which values of a run `trammel batch` puts into its table: the last of a channel, extremes and their times,
// rms.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/channel_names.h"

namespace trammel {

struct Watched {
  enum class Take { last, smallest, largest, largest_magnitude, rms };
  Take take = Take::last;
  bool time_of = false;  ///< the time of that record in place of its value
  ChannelRef channel;    ///< column −1: the time
  std::string header;    ///< "final:PART/2.X"
};

/// What --channels names: "PART/2.X", "min:PART/2.X", "max:PART/*.X", "tmax:PART/2.X", "final:REQUEST/1"; the
/// words before the colon are those of the table in docs/batch.md, names as for plot and compare.
/// Failure(usage), naming `path`, for names that no channel has.
std::vector<Watched> watched_channels(const Channels& channels, const std::string& path,
                                      const std::vector<std::string>& names);

/// Takes the values from the records of a run.
class Watch {
 public:
  /// `channels`: of the run; may differ from those with which the watched were found. Failure(usage), naming
  /// one that is not there.
  Watch(const std::vector<Watched>& watched, const Channels& found_in, const Channels& channels);

  void record(double time, std::span<const double> values);
  /// In the order of the watched; empty without a record.
  const std::vector<double>& values() const { return values_; }

 private:
  const std::vector<Watched>& watched_;
  /// What is known of a watched channel so far.
  struct Sum {
    double value = 0, time = 0;            ///< of the record that is taken
    double last = 0;                       ///< the value before
    double square_time = 0, duration = 0;  ///< integrals of value² and 1 over the time
  };
  void add(Watched::Take take, double time, double value, Sum& sum) const;

  std::vector<int> columns_;  ///< −1: the time
  std::vector<Sum> sums_;
  double last_time_ = 0;
  std::vector<double> values_;
};

}  // namespace trammel
