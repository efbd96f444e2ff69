#include "recovery/modal_motion.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "base/text.h"
#include "math/rotation.h"

namespace trammel {

ModalMotion::ModalMotion(const ResultReader& results, const std::string& body, const RecordRange& range)
    : results_(results), values_(results.width()) {
  const std::vector<Entity>& entities = results.channels().entities;
  std::string names;
  int found = 0, first = 0;
  for (std::size_t k = 0; k < entities.size(); ++k) {
    const Entity& e = entities[k];
    if (e.type == "FLEX_BODY") {
      names += (names.empty() ? "" : ", ") + e.name();
      if (body.empty() || upper(body) == e.name() || body == std::to_string(e.id) || body == e.view_name) {
        entity_ = static_cast<int>(k);
        first_ = first;
        ++found;
      }
    }
    first += static_cast<int>(e.components.size());
  }
  if (names.empty())
    fail(ExitCode::usage, "{}: has no flexible body (FLEX_BODY) whose stresses could be known",
         results.path());
  if (found == 0)
    fail(ExitCode::usage, "{}: has no flexible body {}; it has {}", results.path(), body, names);
  if (found > 1)
    fail(ExitCode::usage, "{}: has several flexible bodies; choose one of {} by --body", results.path(),
         names);
  const std::vector<double>& times = results.times();
  std::size_t within = 0;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] >= range.from.value_or(times[k]) && times[k] <= range.to.value_or(times[k]) &&
        within++ % static_cast<std::size_t>(range.every) == 0)
      record_.push_back(k);
  if (record_.empty()) fail(ExitCode::usage, "{}: has no record in these times", results.path());
}

const Entity& ModalMotion::entity() const {
  return results_.channels().entities[static_cast<std::size_t>(entity_)];
}

int ModalMotion::column(const char* component) const {
  const Components& components = entity().components;
  for (std::size_t k = 0; k < components.size(); ++k)
    if (components[k].name == component) return first_ + static_cast<int>(k);
  fail(ExitCode::input, "{}: {} has no channel {}", results_.path(), entity().name(), component);
}

void ModalMotion::use(const ModalFields& fields) {
  column_.assign(fields.mode_id.size(), -1);
  absent_.clear();
  const Components& components = entity().components;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const std::string& name = components[k].name;
    const auto id = name.starts_with("Q") ? parse_integer(std::string_view(name).substr(1)) : std::nullopt;
    if (!id) continue;
    const auto mode = std::find(fields.mode_id.begin(), fields.mode_id.end(), *id);
    if (mode == fields.mode_id.end())
      fail(ExitCode::input, "{}: {} moves by mode {}, which {} does not have: they are of other modes",
           results_.path(), entity().name(), *id, fields.source);
    column_[static_cast<std::size_t>(mode - fields.mode_id.begin())] = first_ + static_cast<int>(k);
  }
  for (std::size_t j = 0; j < column_.size(); ++j)
    if (column_[j] < 0) absent_.push_back(fields.mode_id[j]);
  if (absent_.size() == column_.size())
    fail(ExitCode::input, "{}: {} has no modal coordinates: it moved as a rigid body", results_.path(),
         entity().name());
}

void ModalMotion::coordinates(std::size_t k, double* q) {
  results_.record(record_[k], values_);
  for (std::size_t j = 0; j < column_.size(); ++j) {
    q[j] = column_[j] < 0 ? 0.0 : values_[static_cast<std::size_t>(column_[j])];
    if (!std::isfinite(q[j]))
      fail(ExitCode::input,
           "{}: at time {} a modal coordinate of {} is no number; leave that time out by --times",
           results_.path(), time(k), entity().name());
  }
}

Vec3d ModalMotion::origin() const {
  return {values_[static_cast<std::size_t>(column("X"))], values_[static_cast<std::size_t>(column("Y"))],
          values_[static_cast<std::size_t>(column("Z"))]};
}

Mat3d ModalMotion::axes() const {
  return rotation_313(Vec3d{values_[static_cast<std::size_t>(column("PSI"))],
                            values_[static_cast<std::size_t>(column("THETA"))],
                            values_[static_cast<std::size_t>(column("PHI"))]});
}

}  // namespace trammel
