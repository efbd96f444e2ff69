#include "output/channel_names.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "base/spelling.h"
#include "base/text.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

/// Whether `name` is "PART/2" (or "PART_2", with that separator); leading zeros are allowed, and a shortened
/// type if `shortened`.
bool names_entity(std::string_view name, char separator, const Entity& entity, bool shortened) {
  const std::size_t at = name.rfind(separator);
  if (at == std::string_view::npos) return false;
  const std::string_view type = name.substr(0, at);
  if (parse_integer(name.substr(at + 1)) != entity.id) return false;
  if (shortened) return type.size() >= 2 && has_prefix_ignoring_case(entity.type, type);
  return equal_ignoring_case(entity.type, type);
}

/// Whether `name` is the view name, its last part, or the view name after the model's name (".model.boom").
bool names_view(std::string_view name, std::string_view view) {
  if (view.empty()) return false;
  if (equal_ignoring_case(name, view)) return true;
  const auto ends_with_part = [](std::string_view whole, std::string_view part) {
    return whole.size() > part.size() && whole[whole.size() - part.size() - 1] == '.' &&
           equal_ignoring_case(whole.substr(whole.size() - part.size()), part);
  };
  return ends_with_part(view, name) || ends_with_part(name, view);
}

/// The label for users; for a plain column its header.
std::string label_of(const Entity& owner, const std::string& component, const std::string& name) {
  if (owner.view_name.empty()) return name;
  return owner.type == "COLUMN" ? owner.view_name : owner.view_name + "." + component;
}

ChannelRef make_ref(const Channels& channels, int entity, int component) {
  const Entity& owner = channels.entities[static_cast<std::size_t>(entity)];
  const Component& part = owner.components[static_cast<std::size_t>(component)];
  ChannelRef ref;
  ref.entity = entity;
  ref.component = component;
  ref.column = component;
  for (int e = 0; e < entity; ++e)
    ref.column += static_cast<int>(channels.entities[static_cast<std::size_t>(e)].components.size());
  ref.name = owner.name() + "." + part.name;
  ref.label = label_of(owner, part.name, ref.name);
  ref.unit = unit_of(part.quantity, channels.units);
  return ref;
}

std::vector<int> entities_named(const Channels& channels, std::string_view name) {
  using Test = bool (*)(std::string_view, const Entity&);
  // The first rule with any match decides: PART_2 is a view name before it is another spelling of PART/2.
  constexpr Test tests[] = {
      [](std::string_view n, const Entity& e) { return names_entity(n, '/', e, false); },
      [](std::string_view n, const Entity& e) { return equal_ignoring_case(n, e.view_name); },
      [](std::string_view n, const Entity& e) { return names_view(n, e.view_name); },
      [](std::string_view n, const Entity& e) { return names_entity(n, '_', e, false); },
      [](std::string_view n, const Entity& e) { return names_entity(n, '/', e, true); },
  };
  if (name.empty()) return {};
  for (const Test& test : tests) {
    std::vector<int> found;
    for (std::size_t k = 0; k < channels.entities.size(); ++k)
      if (test(name, channels.entities[k])) found.push_back(static_cast<int>(k));
    if (!found.empty()) return found;
  }
  return {};
}

[[noreturn]] void no_such_channel(const Channels& channels, const std::string& path, std::string_view name) {
  std::vector<std::pair<int, std::string>> ranked;
  for (const ChannelRef& ref : list_channels(channels)) {
    const int distance = std::min(edit_distance(name, ref.name), edit_distance(name, ref.label));
    ranked.emplace_back(distance,
                        ref.label == ref.name ? ref.name : fmt::format("{} ({})", ref.name, ref.label));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> near;
  for (std::size_t k = 0; k < ranked.size() && k < 3; ++k) near.push_back(ranked[k].second);
  if (near.empty()) fail(ExitCode::usage, "{}: no channel {}: the file has none but TIME", path, name);
  fail(ExitCode::usage, "{}: no channel {}; near names: {}", path, name, joined_names(near, 3));
}

/// Whether `text` matches `pattern`, in which * is any text and ? any character; both in upper case. Greedy
/// with one backtracking position: linear in practice, never exponential.
bool fits(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Marks the channels that a pattern matches; false if there are none.
bool mark_fitting(const Channels& channels, const std::vector<ChannelRef>& all, std::string_view pattern,
                  std::vector<char>& chosen) {
  bool any = false;
  if (pattern.find_first_of("*?") == std::string_view::npos) {
    for (const int entity : entities_named(channels, pattern))
      for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].entity == entity) chosen[k] = any = true;
    return any;
  }
  const std::string wanted = upper(pattern);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Entity& owner = channels.entities[static_cast<std::size_t>(all[k].entity)];
    for (const std::string& name : {all[k].name, all[k].label, owner.name(), owner.view_name})
      if (fits(wanted, upper(name))) chosen[k] = any = true;
  }
  return any;
}

}  // namespace

std::string joined_names(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) out += (k > 0 ? ", " : "") + names[k];
  if (names.size() > most) out += fmt::format(" ... ({} in all)", names.size());
  return out;
}

std::vector<ChannelRef> list_channels(const Channels& channels) {
  std::vector<ChannelRef> out;
  for (int e = 0; e < static_cast<int>(channels.entities.size()); ++e) {
    const Entity& owner = channels.entities[static_cast<std::size_t>(e)];
    const std::string name = owner.name();
    for (int c = 0; c < static_cast<int>(owner.components.size()); ++c) {
      const Component& part = owner.components[static_cast<std::size_t>(c)];
      const std::string own = name + "." + part.name;
      out.push_back({e, c, static_cast<int>(out.size()), own, label_of(owner, part.name, own),
                     unit_of(part.quantity, channels.units)});
    }
  }
  return out;
}

ChannelRef find_channel(const Channels& channels, const std::string& path, std::string_view name) {
  name = trim(name);
  if (equal_ignoring_case(name, "TIME")) return {-1, 0, -1, "TIME", "TIME", time_unit(channels.units)};
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < name.size()) {
    const std::string_view component = name.substr(dot + 1);
    std::vector<ChannelRef> found;
    std::vector<std::string> components;
    for (const int e : entities_named(channels, name.substr(0, dot))) {
      const auto& parts = channels.entities[static_cast<std::size_t>(e)].components;
      for (std::size_t c = 0; c < parts.size(); ++c) {
        components.push_back(parts[c].name);
        if (equal_ignoring_case(parts[c].name, component))
          found.push_back(make_ref(channels, e, static_cast<int>(c)));
      }
    }
    if (found.size() == 1) return found[0];
    std::vector<std::string> names;
    for (const ChannelRef& ref : found) names.push_back(ref.name);
    if (found.size() > 1) fail(ExitCode::usage, "{}: {} can mean {}", path, name, joined_names(names, 8));
    if (!components.empty())
      fail(ExitCode::usage, "{}: {} has no component {}; it has {}", path, name.substr(0, dot), component,
           joined_names(components, 24));
  }
  const std::vector<int> whole = entities_named(channels, name);
  if (whole.empty()) no_such_channel(channels, path, name);
  if (whole.size() > 1) {
    std::vector<std::string> names;
    for (const int e : whole) names.push_back(channels.entities[static_cast<std::size_t>(e)].name());
    fail(ExitCode::usage, "{}: {} can mean {}", path, name, joined_names(names, 8));
  }
  const Entity& entity = channels.entities[static_cast<std::size_t>(whole[0])];
  if (entity.components.size() == 1) return make_ref(channels, whole[0], 0);
  std::vector<std::string> components;
  for (const Component& component : entity.components) components.push_back(component.name);
  fail(ExitCode::usage, "{}: {} needs a component: {}", path, name, joined_names(components, 24));
}

std::vector<ChannelRef> select_channels(const Channels& channels, const std::string& path,
                                        const std::vector<std::string>& patterns) {
  const std::vector<ChannelRef> all = list_channels(channels);
  if (patterns.empty()) return all;
  std::vector<char> chosen(all.size(), 0);
  for (const std::string& pattern : patterns) {
    const std::string_view wanted = trim(pattern);
    if (mark_fitting(channels, all, wanted, chosen)) continue;
    if (wanted.find_first_of("*?") != std::string_view::npos)
      fail(ExitCode::usage, "{}: no channel fits {}", path, wanted);
    const ChannelRef one = find_channel(channels, path, wanted);
    if (one.column >= 0) chosen[static_cast<std::size_t>(one.column)] = 1;  // TIME is always included
  }
  std::vector<ChannelRef> out;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (chosen[k]) out.push_back(all[k]);
  return out;
}

Channels reduced(const Channels& channels, const std::vector<ChannelRef>& chosen) {
  Channels out;
  out.units = channels.units;
  int last = -1;
  for (const ChannelRef& ref : chosen) {
    const Entity& owner = channels.entities[static_cast<std::size_t>(ref.entity)];
    if (ref.entity != last) {
      out.entities.push_back(owner);
      out.entities.back().components.clear();
      last = ref.entity;
    }
    Component component = owner.components[static_cast<std::size_t>(ref.component)];
    // A component's slot that followed from its position must be stored when others are removed.
    if (owner.request_type > 0 && component.slot == 0 && owner.components.size() > 6)
      component.slot = ref.component + 1;
    out.entities.back().components.push_back(std::move(component));
  }
  return out;
}

}  // namespace trammel
