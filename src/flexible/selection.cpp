#include "flexible/selection.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace trammel {

namespace {

/// Leaves in lists per mode, and per pair of modes, what belongs to the chosen modes.
struct Chosen {
  std::vector<int> mode;  ///< indices, ascending
  std::size_t all;
  template <class T>
  void per_mode(std::vector<T>& v) const {
    if (v.empty()) return;
    std::vector<T> out;
    for (std::size_t first = 0; first < v.size(); first += all)  // also of lists per node and mode
      for (const int j : mode) out.push_back(v[first + j]);
    v = std::move(out);
  }
  template <class T>
  void per_pair(std::vector<T>& v) const {
    if (v.empty()) return;
    std::vector<T> out;
    for (const int j : mode)
      for (const int k : mode) out.push_back(v[j * all + k]);
    v = std::move(out);
  }
};

}  // namespace

ModalBody with_modes(const ModalBody& body, const std::vector<int>& ids) {
  Chosen chosen{{}, static_cast<std::size_t>(body.modes)};
  for (const int id : ids) {
    const auto at = std::find(body.mode_id.begin(), body.mode_id.end(), id);
    if (at == body.mode_id.end())
      fail(ExitCode::usage, "{}: there is no mode {}; it has {} modes", body.source, id, body.modes);
    chosen.mode.push_back(static_cast<int>(at - body.mode_id.begin()));
  }
  std::sort(chosen.mode.begin(), chosen.mode.end());
  chosen.mode.erase(std::unique(chosen.mode.begin(), chosen.mode.end()), chosen.mode.end());
  ModalBody out = body;
  out.modes = static_cast<int>(chosen.mode.size());
  chosen.per_mode(out.mode_id), chosen.per_mode(out.frequency), chosen.per_mode(out.preload);
  chosen.per_mode(out.translation), chosen.per_mode(out.rotation);
  chosen.per_pair(out.stiffness), chosen.per_pair(out.damping);
  for (std::vector<double>& load : out.loads) chosen.per_mode(load);
  Invariants& in = out.invariants;
  chosen.per_mode(in.I3), chosen.per_mode(in.I4), chosen.per_mode(in.I8);
  chosen.per_pair(in.I5), chosen.per_pair(in.I6), chosen.per_pair(in.I9);
  return out;
}

}  // namespace trammel
