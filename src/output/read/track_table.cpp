#include "output/read/track_table.h"

#include <algorithm>
#include <limits>
#include <map>

#include "output/write/contacts_file.h"

namespace trammel {

namespace {

constexpr int keys = static_cast<int>(IncidentKey::count);

int key_of(const std::vector<double>& row, IncidentKey key) {
  return static_cast<int>(row[static_cast<std::size_t>(key)]);
}

/// First place of each track, by CONTACT and number, in a record of the table.
using Places = std::map<std::pair<int, int>, std::size_t>;

/// The entities of the table, one for each track.
Places add_tracks(const NativeReader& file, Channels& channels) {
  Places places;
  for (std::size_t k = 0; k < file.records(); ++k) {
    const std::vector<double> row = file.record(k);
    if (key_of(row, IncidentKey::contact) != 0)
      places[{key_of(row, IncidentKey::contact), key_of(row, IncidentKey::track)}] = 0;
  }
  const std::vector<Component>& all = file.channels().entities[0].components.list();
  std::size_t width = 0;
  for (auto& [track, place] : places) {
    Entity e;
    e.type = fmt::format("CONTACT/{}", track.first);
    e.id = track.second;
    e.components = std::vector<Component>(all.begin() + keys, all.end());
    place = std::exchange(width, width + e.components.size());
    channels.entities.push_back(std::move(e));
  }
  return places;
}

}  // namespace

bool has_incidents(const NativeReader& file) {
  const std::vector<Entity>& list = file.channels().entities;
  return list.size() == 1 && list[0].type == incident_type && list[0].components.size() > keys;
}

ResultTable read_tracks(const NativeReader& file) {
  ResultTable out;
  out.info = file.info();
  out.notices = file.notices();
  out.has_gaps = true;
  out.channels.units = file.channels().units;
  const Places places = add_tracks(file, out.channels);
  std::vector<double> values(static_cast<std::size_t>(out.channels.size()));
  out.records.set_width(values.size());
  const std::vector<double> times = file.time();
  const std::vector<StepKind> kinds = file.kinds();
  for (std::size_t k = 0; k < file.records();) {
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
    const std::size_t first = k;
    int record = 0;
    for (; k < file.records(); ++k) {
      const std::vector<double> row = file.record(k);
      if (k > first && key_of(row, IncidentKey::record) != record) break;
      record = key_of(row, IncidentKey::record);
      const auto found = places.find({key_of(row, IncidentKey::contact), key_of(row, IncidentKey::track)});
      if (found != places.end())
        std::copy(row.begin() + keys, row.end(), values.begin() + static_cast<std::ptrdiff_t>(found->second));
    }
    out.add(times[first], kinds[first], values);
  }
  return out;
}

}  // namespace trammel
