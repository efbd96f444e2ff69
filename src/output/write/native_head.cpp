#include "output/write/native_head.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "base/diagnostics.h"
#include "output/number_text.h"
#include "output/step_kind.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr int layout_version = 1;

/// The entity's name with the slash, and other characters than letters, digits and _, replaced.
std::string variable_name(const Entity& entity) {
  std::string name = entity.type + "_" + std::to_string(entity.id);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return name;
}

/// A word of a blank-separated attribute: blanks become _, an empty text becomes `empty`.
std::string word(const std::string& text, const char* empty) {
  if (text.empty()) return empty;
  std::string out = as_utf8(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return out;
}

/// Attributes that describe the components of an entity; the same for many entities.
struct ComponentTexts {
  const std::vector<Component>* of = nullptr;
  std::string names, units;
  std::vector<int> quantities, slots;

  void set(const std::vector<Component>& components, const UnitNames& unit_names) {
    const auto same = [](const Component& a, const Component& b) {
      return a.quantity == b.quantity && a.slot == b.slot && a.name == b.name;
    };
    if (of && std::equal(of->begin(), of->end(), components.begin(), components.end(), same)) return;
    *this = {&components, {}, {}, {}, {}};
    for (const Component& component : components) {
      const char* blank = names.empty() ? "" : " ";
      names += blank + word(component.name, "_");
      units += blank + word(unit_of(component.quantity, unit_names), "1");
      quantities.push_back(static_cast<int>(component.quantity));
      slots.push_back(component.slot);
    }
  }
};

void describe_file(const RunInfo& info, const UnitNames& units, NativeHead& head) {
  const std::pair<const char*, const std::string*> texts[] = {
      {"title", &info.title},
      {"program", &info.program},
      {"version", &info.version},
      {"build", &info.build},
      {"command_line", &info.command_line},
      {"input_file", &info.input_file},
      {"integrator", &info.integrator},
      {"backend", &info.backend},
      {"host", &info.host},
      {"date", &info.local_time},
      {"unit_force", &units.force},
      {"unit_mass", &units.mass},
      {"unit_length", &units.length},
      {"unit_time", &units.time},
  };
  for (const auto& [name, text] : texts) head.text(head.whole_file, name, as_utf8(*text));
  head.text(head.whole_file, "unit_angle", "rad");
  head.number(head.whole_file, "length_per_meter", units.length_per_meter);
  head.integers(head.whole_file, "trammel_layout", std::span(&layout_version, 1));
}

/// Counts the bytes that the library would write. Names and values are padded to words of 4 bytes.
class CountedHead final : public NativeHead {
 public:
  int dimension(const char* name, std::size_t length) override {
    bytes_ += text_bytes(std::string_view(name).size()) + 4;
    lengths_.push_back(length);
    return static_cast<int>(lengths_.size()) - 1;
  }
  int variable(const std::string& name, NativeType type, std::span<const int> dimensions) override {
    // Name, rank and dimensions, attributes (tag and count), type, size, offset.
    bytes_ += text_bytes(name.size()) + 4 + 4 * dimensions.size() + 8 + 4 + 4 + 8;
    std::uint64_t values = 1;
    for (int d : dimensions)
      if (lengths_[d] > 0) values *= lengths_[d];
    record_ += padded(values * (type == NativeType::double_precision ? 8 : 4));
    return variables_++;
  }
  void text(int, const char* name, std::string_view value) override { attribute(name, value.size()); }
  void integers(int, const char* name, std::span<const int> values) override {
    attribute(name, 4 * values.size());
  }
  void number(int, const char* name, double) override { attribute(name, 8); }

  NativeSize size() const {
    constexpr std::uint64_t a = native_record_alignment;
    // Magic word, number of records, tag and count of dimensions, attributes, variables.
    return {(bytes_ + 4 + 4 + 3 * 8 + a - 1) / a * a, record_};
  }

 private:
  static std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }
  static std::uint64_t text_bytes(std::uint64_t characters) { return 4 + padded(characters); }
  void attribute(std::string_view name, std::uint64_t bytes) {
    bytes_ += text_bytes(name.size()) + 4 + 4 + padded(bytes);  // name, type, count, values
  }

  std::uint64_t bytes_ = 0, record_ = 0;
  std::vector<std::size_t> lengths_;
  int variables_ = 0;
};

}  // namespace

NativeVariables describe_native_head(const Channels& channels, const RunInfo& info, bool single_precision,
                                     const std::string& path, NativeHead& head) {
  NativeVariables out;
  const int time = head.dimension("time", 0);
  out.time = head.variable("time", NativeType::double_precision, std::span(&time, 1));
  head.text(out.time, "units", word(time_unit(channels.units), "1"));
  out.kind = head.variable("kind", NativeType::integer, std::span(&time, 1));
  std::vector<int> flags;
  std::string meanings;
  for (int k = 0; k <= static_cast<int>(StepKind::dynamics); ++k) {
    flags.push_back(k);
    meanings += (k > 0 ? " " : "") + std::string(to_string(static_cast<StepKind>(k)));
  }
  head.integers(out.kind, "flag_values", flags);
  head.text(out.kind, "flag_meanings", meanings);

  std::vector<int> dimensions;  // index n: dimension of n components, made at first use
  std::unordered_set<std::string> names;
  names.reserve(channels.entities.size());
  ComponentTexts texts;
  for (const Entity& entity : channels.entities) {
    const auto [name, added] = names.insert(variable_name(entity));
    if (!added) fail(ExitCode::internal, "{}: {} is in the channels twice", path, entity.name());
    const std::size_t size = entity.components.size();
    if (size == 0) fail(ExitCode::internal, "{}: {} has no components", path, entity.name());
    if (dimensions.size() <= size) dimensions.resize(size + 1, -1);
    if (dimensions[size] < 0)
      dimensions[size] = head.dimension(fmt::format("components_{}", size).c_str(), size);
    const int shape[2] = {time, dimensions[size]};
    const int id = head.variable(
        *name, single_precision ? NativeType::single_precision : NativeType::double_precision, shape);
    out.entities.push_back({id, size});
    texts.set(entity.components, channels.units);
    head.text(id, "adams_type", as_utf8(entity.type));
    head.integers(id, "adams_id", std::span(&entity.id, 1));
    head.text(id, "adams_name", as_utf8(entity.view_name));
    head.text(id, "components", texts.names);
    head.text(id, "units", texts.units);
    head.integers(id, "quantities", texts.quantities);
    if (entity.request_type == 0) {
      if (!entity.comment.empty()) head.text(id, "comment", as_utf8(entity.comment));
      continue;
    }
    head.integers(id, "request_type", std::span(&entity.request_type, 1));
    head.integers(id, "marker_i", std::span(&entity.marker_i, 1));
    head.integers(id, "marker_j", std::span(&entity.marker_j, 1));
    head.integers(id, "slots", texts.slots);
    head.text(id, "comment", as_utf8(entity.comment));
  }
  describe_file(info, channels.units, head);
  return out;
}

NativeSize native_size(const Channels& channels, const RunInfo& info, bool single_precision) {
  CountedHead head;
  describe_native_head(channels, info, single_precision, "native file", head);
  return head.size();
}

NativeVariables native_variables(const Channels& channels, const RunInfo& info, bool single_precision) {
  CountedHead head;
  return describe_native_head(channels, info, single_precision, "native file", head);
}

}  // namespace trammel
