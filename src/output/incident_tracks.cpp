#include "output/incident_tracks.h"

#include <algorithm>

namespace trammel {

namespace {
auto pair_of(const ContactIncident& i) {
  return std::tuple{i.contact, i.shape_I, i.shape_J};
}
}  // namespace

std::span<const int> IncidentTracks::follow(std::span<const ContactIncident> incidents) {
  number_.assign(incidents.size(), 0);
  continue_tracks(incidents);
  for (const auto& [pair, ended] : tracks_)  // those that are left
    for (const Track& track : ended) free_[std::get<0>(pair)].insert(track.number);
  tracks_.clear();
  for (std::size_t k = 0; k < incidents.size(); ++k) {
    if (number_[k] == 0) number_[k] = lowest_free(incidents[k].contact);
    tracks_[pair_of(incidents[k])].push_back({incidents[k].point, number_[k]});
  }
  return number_;
}

/// The closest first, among an old and a new overlap of the same two shapes; takes them out of tracks_.
void IncidentTracks::continue_tracks(std::span<const ContactIncident> incidents) {
  struct Match {
    double distance;
    std::size_t incident;
    Track* track;
  };
  std::vector<Match> matches;
  for (std::size_t k = 0; k < incidents.size(); ++k)
    if (const auto found = tracks_.find(pair_of(incidents[k])); found != tracks_.end())
      for (Track& track : found->second)
        matches.push_back({norm(incidents[k].point - track.point), k, &track});
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.distance < b.distance; });
  for (const Match& m : matches)
    if (number_[m.incident] == 0 && m.track->number != 0)
      number_[m.incident] = std::exchange(m.track->number, 0);
  for (auto& [pair, old] : tracks_) std::erase_if(old, [](const Track& t) { return t.number == 0; });
}

int IncidentTracks::lowest_free(int contact) {
  std::set<int>& free = free_[contact];
  return free.empty() ? ++most_[contact] : free.extract(free.begin()).value();
}

namespace {
struct SavedTrack {
  int contact = 0, shape_I = 0, shape_J = 0, number = 0;
  Vec3d point;
  void archive(Archive& a) { a(contact, shape_I, shape_J, number, point[0], point[1], point[2]); }
};
}  // namespace

void IncidentTracks::archive(Archive& a) {
  std::vector<SavedTrack> open;
  std::vector<std::pair<int, int>> free, most(most_.begin(), most_.end());
  for (const auto& [pair, list] : tracks_)
    for (const auto& [point, number] : list)
      open.push_back({std::get<0>(pair), std::get<1>(pair), std::get<2>(pair), number, point});
  for (const auto& [contact, list] : free_)
    for (const int number : list) free.emplace_back(contact, number);
  a(open, free, most);
  if (!a.restores()) return;
  *this = {};
  for (const SavedTrack& t : open) tracks_[{t.contact, t.shape_I, t.shape_J}].push_back({t.point, t.number});
  for (const auto& [contact, number] : free) free_[contact].insert(number);
  most_ = {most.begin(), most.end()};
}

}  // namespace trammel
