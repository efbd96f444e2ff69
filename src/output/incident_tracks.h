// Overlaps in contact followed from one record to the next: which of them is which.
#pragma once

#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "base/archive.h"
#include "element/contact_incident.h"

namespace trammel {

/// A track is the overlap of two shapes for as long as it lasts. Overlaps of the same two are told apart by
/// their points: the nearest to where a track was goes on with it. A new one takes the lowest number that is
/// free in its CONTACT, from 1.
class IncidentTracks {
 public:
  /// Number of the track of each; until the next call.
  std::span<const int> follow(std::span<const ContactIncident> incidents);

  void archive(Archive& a);

 private:
  using Pair = std::tuple<int, int, int>;  // CONTACT, both GRAPHICS
  struct Track {
    Vec3d point;
    int number = 0;
  };
  void continue_tracks(std::span<const ContactIncident> incidents);
  int lowest_free(int contact);

  std::map<Pair, std::vector<Track>> tracks_;  ///< of the last record
  std::map<int, std::set<int>> free_;          ///< of each CONTACT, below most_
  std::map<int, int> most_;                    ///< highest number so far
  std::vector<int> number_;
};

}  // namespace trammel
