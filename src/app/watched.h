// Which values of a run `trammel batch` puts into its table: last, smallest or largest of a channel.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/channel_names.h"

namespace trammel {

struct Watched {
  enum class Take { last, smallest, largest };
  Take take = Take::last;
  ChannelRef channel;  ///< column −1: the time
  std::string header;  ///< "final:PART/2.X"
};

/// What --channels names: "PART/2.X", "min:PART/2.X", "max:PART/*.X", "final:REQUEST/1"; names as for plot
/// and compare. Failure(usage), naming `path`, for names that no channel has.
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
  std::vector<int> columns_;  ///< −1: the time
  std::vector<double> values_;
};

}  // namespace trammel
