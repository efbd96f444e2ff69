// How channels of a native file are found by the names a user types.
#include <algorithm>
#include <numeric>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/native_file.h"
#include "output/number_text.h"

namespace trammel {
namespace {

/// Smallest number of insertions, deletions and replacements that turn a into b (Wagner and Fischer).
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// "PART/2" (or "PART_2", by the separator), leading zeros of the number allowed, the type possibly
/// shortened.
bool names_entity(std::string_view name, char separator, const Entity& entity, bool shortened) {
  const std::size_t at = name.rfind(separator);
  if (at == std::string_view::npos) return false;
  const std::string_view type = name.substr(0, at);
  if (parse_integer(name.substr(at + 1)) != entity.id) return false;
  if (shortened) return type.size() >= 2 && has_prefix_ignoring_case(entity.type, type);
  return equal_ignoring_case(entity.type, type);
}

/// The view name as it stands, or its last part, or `name` with the model's name in front (".model.boom").
bool names_view(std::string_view name, std::string_view view) {
  if (view.empty()) return false;
  if (equal_ignoring_case(name, view)) return true;
  const auto ends_with_part = [](std::string_view whole, std::string_view part) {
    return whole.size() > part.size() && whole[whole.size() - part.size() - 1] == '.' &&
           equal_ignoring_case(whole.substr(whole.size() - part.size()), part);
  };
  return ends_with_part(view, name) || ends_with_part(name, view);
}

std::string joined(const std::vector<std::string>& list, std::size_t most) {
  std::string out;
  for (std::size_t k = 0; k < list.size() && k < most; ++k) out += (k > 0 ? ", " : "") + list[k];
  if (list.size() > most) out += fmt::format(" ... ({} in all)", list.size());
  return out;
}

}  // namespace

ChannelRef NativeReader::make_ref(int entity, int component) const {
  const Entity& owner = channels_.entities[static_cast<std::size_t>(entity)];
  const Component& part = owner.components[static_cast<std::size_t>(component)];
  ChannelRef ref;
  ref.entity = entity;
  ref.component = component;
  ref.name = owner.name() + "." + part.name;
  ref.label = owner.view_name.empty() ? ref.name : owner.view_name + "." + part.name;
  ref.unit = unit_of(part.quantity, channels_.units);
  return ref;
}

std::vector<ChannelRef> NativeReader::list() const {
  std::vector<ChannelRef> out;
  for (int e = 0; e < static_cast<int>(channels_.entities.size()); ++e)
    for (int c = 0; c < static_cast<int>(channels_.entities[static_cast<std::size_t>(e)].components.size());
         ++c)
      out.push_back(make_ref(e, c));
  return out;
}

std::vector<int> NativeReader::entities_named(std::string_view name) const {
  using Test = bool (*)(std::string_view, const Entity&);
  // The first rule that fits anything decides: PART_2 is the view name before it is a spelling of PART/2.
  constexpr Test tests[] = {
      [](std::string_view n, const Entity& e) { return names_entity(n, '/', e, false); },
      [](std::string_view n, const Entity& e) { return equal_ignoring_case(n, e.view_name); },
      [](std::string_view n, const Entity& e) { return names_view(n, e.view_name); },
      [](std::string_view n, const Entity& e) { return names_entity(n, '_', e, false); },
      [](std::string_view n, const Entity& e) { return names_entity(n, '/', e, true); },
  };
  for (const Test& test : tests) {
    std::vector<int> found;
    for (std::size_t k = 0; k < channels_.entities.size(); ++k)
      if (test(name, channels_.entities[k])) found.push_back(static_cast<int>(k));
    if (!found.empty()) return found;
  }
  return {};
}

void NativeReader::no_such_channel(std::string_view name) const {
  const std::string wanted = upper(name);
  std::vector<std::pair<int, std::string>> ranked;
  for (const ChannelRef& ref : list()) {
    const int distance =
        std::min(edit_distance(wanted, upper(ref.name)), edit_distance(wanted, upper(ref.label)));
    ranked.emplace_back(distance,
                        ref.label == ref.name ? ref.name : fmt::format("{} ({})", ref.name, ref.label));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> near;
  for (std::size_t k = 0; k < ranked.size() && k < 3; ++k) near.push_back(ranked[k].second);
  if (near.empty()) fail(ExitCode::usage, "{}: no channel {}: the file has none but TIME", path_, name);
  fail(ExitCode::usage, "{}: no channel {}; near names: {}", path_, name, joined(near, 3));
}

ChannelRef NativeReader::find(std::string_view name) const {
  name = trim(name);
  if (equal_ignoring_case(name, "TIME")) return {-1, 0, "TIME", "TIME", time_unit(channels_.units)};
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < name.size()) {
    const std::string_view component = name.substr(dot + 1);
    std::vector<ChannelRef> found;
    std::vector<std::string> components;
    for (const int e : entities_named(name.substr(0, dot))) {
      const auto& parts = channels_.entities[static_cast<std::size_t>(e)].components;
      for (std::size_t c = 0; c < parts.size(); ++c) {
        components.push_back(parts[c].name);
        if (equal_ignoring_case(parts[c].name, component)) found.push_back(make_ref(e, static_cast<int>(c)));
      }
    }
    if (found.size() == 1) return found[0];
    std::vector<std::string> names;
    for (const ChannelRef& ref : found) names.push_back(ref.name);
    if (found.size() > 1) fail(ExitCode::usage, "{}: {} can mean {}", path_, name, joined(names, 8));
    if (!components.empty())
      fail(ExitCode::usage, "{}: {} has no component {}; it has {}", path_, name.substr(0, dot), component,
           joined(components, 24));
  }
  const std::vector<int> whole = entities_named(name);
  if (whole.empty()) no_such_channel(name);
  if (whole.size() > 1) {
    std::vector<std::string> names;
    for (const int e : whole) names.push_back(channels_.entities[static_cast<std::size_t>(e)].name());
    fail(ExitCode::usage, "{}: {} can mean {}", path_, name, joined(names, 8));
  }
  const Entity& entity = channels_.entities[static_cast<std::size_t>(whole[0])];
  if (entity.components.size() == 1) return make_ref(whole[0], 0);
  std::vector<std::string> components;
  for (const Component& component : entity.components) components.push_back(component.name);
  fail(ExitCode::usage, "{}: {} needs a component: {}", path_, name, joined(components, 24));
}

}  // namespace trammel
