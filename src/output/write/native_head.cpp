#include "output/write/native_head.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "output/number_text.h"
#include "output/step_kind.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr int layout_version = 1;

/// Types of the format, and tags of its lists.
enum Type : std::uint32_t { type_text = 2, type_integer = 4, type_float = 5, type_double = 6 };
enum Tag : std::uint32_t { tag_dimensions = 10, tag_variables = 11, tag_attributes = 12 };

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

/// Bytes of a header, kept or only counted. Numbers have their highest byte first; names and values are
/// padded to words of 4 bytes.
class HeadBytes {
 public:
  explicit HeadBytes(bool kept) : kept_(kept) {}

  void raw(std::string_view bytes) {
    if (char* at = room(bytes.size())) std::copy(bytes.begin(), bytes.end(), at);
  }
  /// Gives a file what has come together.
  void hand_over(StreamFile& file) {
    file.add(bytes());
    end_ = 0;
  }
  std::string_view bytes() const { return {block_.data(), end_}; }
  void number(std::uint32_t value) {
    char* at = room(4);
    if (!at) return;
    for (int k = 0; k < 4; ++k) at[k] = static_cast<char>(value >> (24 - 8 * k));
  }
  void wide(std::uint64_t value) {
    number(static_cast<std::uint32_t>(value >> 32));
    number(static_cast<std::uint32_t>(value));
  }
  void name(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    padded(text);
  }
  void list(Tag tag, std::size_t count) {
    number(tag);
    number(static_cast<std::uint32_t>(count));
  }
  void text(std::string_view name, std::string_view value) {
    attribute(name, type_text, value.size());
    padded(value);
  }
  void integers(std::string_view name, std::span<const int> values) {
    attribute(name, type_integer, values.size());
    for (const int value : values) number(static_cast<std::uint32_t>(value));
  }
  void real(std::string_view name, double value) {
    attribute(name, type_double, 1);
    wide(std::bit_cast<std::uint64_t>(value));
  }
  void zeros(std::uint64_t count) {
    if (char* at = room(count)) std::fill(at, at + count, '\0');
  }
  /// Of all bytes, those that are handed over as well.
  std::uint64_t size() const { return size_; }

 private:
  /// The place of the next bytes; nullptr where they are only counted.
  char* room(std::size_t count) {
    size_ += count;
    if (!kept_) return nullptr;
    if (end_ + count > block_.size()) block_.resize(2 * (end_ + count));
    end_ += count;
    return block_.data() + end_ - count;
  }
  void padded(std::string_view text) {
    raw(text);
    zeros((4 - text.size() % 4) % 4);
  }
  void attribute(std::string_view name, Type type, std::size_t count) {
    this->name(name);
    number(type);
    number(static_cast<std::uint32_t>(count));
  }

  bool kept_;
  std::string block_;  ///< with room behind the bytes
  std::size_t end_ = 0;
  std::uint64_t size_ = 0;
};

/// Attributes that describe the components of an entity, as bytes of the header; the same for many entities.
class ComponentTexts {
 public:
  void set(const Components& components, const UnitNames& unit_names) {
    if (of_ == components) return;
    of_ = components;
    slots_.clear();
    std::string names, units;
    std::vector<int> quantities;
    for (const Component& component : components) {
      const char* blank = names.empty() ? "" : " ";
      names += blank + word(component.name, "_");
      units += blank + word(unit_of(component.quantity, unit_names), "1");
      quantities.push_back(static_cast<int>(component.quantity));
      slots_.push_back(component.slot);
    }
    HeadBytes out(true);
    out.text("components", names);
    out.text("units", units);
    out.integers("quantities", quantities);
    attributes_ = out.bytes();
  }
  /// Three: components, units, quantities.
  const std::string& attributes() const { return attributes_; }
  const std::vector<int>& slots() const { return slots_; }

 private:
  Components of_;
  std::string attributes_;
  std::vector<int> slots_;
};

/// The header of one file. The places of the variables in it are in the header itself, so that it is counted
/// before it is written.
class Head {
 public:
  Head(const Channels& channels, const RunInfo& info, bool single_precision)
      : channels_(channels),
        info_(info),
        type_(single_precision ? type_float : type_double),
        value_bytes_(single_precision ? 4 : 8) {
    for (const Entity& entity : channels.entities) {
      const std::size_t size = entity.components.size();
      if (dimension_of_.size() <= size) dimension_of_.resize(size + 1, 0);
      if (dimension_of_[size] != 0) continue;
      lengths_.push_back(size);
      dimension_of_[size] = static_cast<std::uint32_t>(lengths_.size());  // 0 is time
    }
  }

  NativeSize count() {
    HeadBytes counted(false);
    put(counted, [] {});
    constexpr std::uint64_t a = native_record_alignment;
    return {(counted.size() + a - 1) / a * a, place_};
  }

  void write(const NativeSize& size, StreamFile& file) {
    first_record_ = size.head;
    HeadBytes bytes(true);
    put(bytes, [&] { bytes.hand_over(file); });
    bytes.zeros(size.head - bytes.size());
    bytes.hand_over(file);
    file.end_unit();
  }

 private:
  /// entity_ends() is called behind each entity.
  template <class EntityEnds>
  void put(HeadBytes& out, EntityEnds entity_ends) {
    out.raw({"CDF\2", 4});  // with 64-bit offsets
    out.number(0);          // records
    out.list(tag_dimensions, 1 + lengths_.size());
    out.name("time");
    out.number(0);  // the dimension of the records
    for (const std::size_t length : lengths_) {
      out.name(fmt::format("components_{}", length));
      out.number(static_cast<std::uint32_t>(length));
    }
    put_file(out);
    out.list(tag_variables, 2 + channels_.entities.size());
    place_ = first_record_;
    put_time(out);
    for (const Entity& entity : channels_.entities) {
      put_entity(out, entity);
      entity_ends();
    }
  }

  void put_file(HeadBytes& out) const {
    const UnitNames& units = channels_.units;
    const std::pair<const char*, const std::string*> texts[] = {
        {"title", &info_.title},
        {"program", &info_.program},
        {"version", &info_.version},
        {"build", &info_.build},
        {"command_line", &info_.command_line},
        {"input_file", &info_.input_file},
        {"integrator", &info_.integrator},
        {"backend", &info_.backend},
        {"host", &info_.host},
        {"date", &info_.local_time},
        {"unit_force", &units.force},
        {"unit_mass", &units.mass},
        {"unit_length", &units.length},
        {"unit_time", &units.time},
    };
    out.list(tag_attributes, std::size(texts) + 3);
    for (const auto& [name, text] : texts) out.text(name, as_utf8(*text));
    out.text("unit_angle", "rad");
    out.real("length_per_meter", units.length_per_meter);
    out.integers("trammel_layout", std::span(&layout_version, 1));
  }

  void put_time(HeadBytes& out) {
    begin_variable(out, "time", {});
    out.list(tag_attributes, 1);
    out.text("units", word(time_unit(channels_.units), "1"));
    end_variable(out, type_double, 8);
    begin_variable(out, "kind", {});
    std::vector<int> flags;
    std::string meanings;
    for (int k = 0; k <= static_cast<int>(StepKind::dynamics); ++k) {
      flags.push_back(k);
      meanings += (k > 0 ? " " : "") + std::string(to_string(static_cast<StepKind>(k)));
    }
    out.list(tag_attributes, 2);
    out.integers("flag_values", flags);
    out.text("flag_meanings", meanings);
    end_variable(out, type_integer, 4);
  }

  void put_entity(HeadBytes& out, const Entity& entity) {
    begin_variable(out, variable_name(entity), std::array{dimension_of_[entity.components.size()]});
    texts_.set(entity.components, channels_.units);
    const bool request = entity.request_type != 0;
    const bool comment = request || !entity.comment.empty();
    out.list(tag_attributes, 6 + (request ? 4 : 0) + (comment ? 1 : 0));
    out.text("adams_type", as_utf8(entity.type));
    out.integers("adams_id", std::span(&entity.id, 1));
    out.text("adams_name", as_utf8(entity.view_name));
    out.raw(texts_.attributes());
    if (request) {
      out.integers("request_type", std::span(&entity.request_type, 1));
      out.integers("marker_i", std::span(&entity.marker_i, 1));
      out.integers("marker_j", std::span(&entity.marker_j, 1));
      out.integers("slots", texts_.slots());
    }
    if (comment) out.text("comment", as_utf8(entity.comment));
    end_variable(out, type_, value_bytes_ * entity.components.size());
  }

  /// Name and dimensions of a variable, the records' dimension first; its attributes come next.
  static void begin_variable(HeadBytes& out, std::string_view name,
                             std::span<const std::uint32_t> dimensions) {
    out.name(name);
    out.number(static_cast<std::uint32_t>(1 + dimensions.size()));
    out.number(0);
    for (const std::uint32_t dimension : dimensions) out.number(dimension);
  }
  /// Type, bytes in a record, and place in the first record.
  void end_variable(HeadBytes& out, Type type, std::uint64_t bytes) {
    out.number(type);
    out.number(static_cast<std::uint32_t>(bytes));
    out.wide(place_);
    place_ += bytes;
  }

  const Channels& channels_;
  const RunInfo& info_;
  Type type_;
  std::uint64_t value_bytes_;
  std::vector<std::uint32_t> dimension_of_;  ///< by number of components
  std::vector<std::size_t> lengths_;         ///< of the dimensions behind time
  ComponentTexts texts_;
  std::uint64_t first_record_ = 0, place_ = 0;
};

/// Every entity is a variable of its own, and has values.
void check_entities(const Channels& channels, const std::string& path) {
  std::map<std::string_view, std::vector<int>> ids;  // by type; those of one type mostly follow each other
  auto of_type = ids.end();
  for (const Entity& entity : channels.entities) {
    if (entity.components.empty()) fail(ExitCode::internal, "{}: {} has no components", path, entity.name());
    if (of_type == ids.end() || of_type->first != entity.type) of_type = ids.try_emplace(entity.type).first;
    of_type->second.push_back(entity.id);
  }
  for (auto& [type, list] : ids) {
    if (!std::is_sorted(list.begin(), list.end())) std::sort(list.begin(), list.end());
    const auto twice = std::adjacent_find(list.begin(), list.end());
    if (twice != list.end())
      fail(ExitCode::internal, "{}: {}/{} is in the channels twice", path, type, *twice);
  }
}

}  // namespace

NativeSize native_size(const Channels& channels, const RunInfo& info, bool single_precision) {
  return Head(channels, info, single_precision).count();
}

void write_native_head(const Channels& channels, const RunInfo& info, bool single_precision,
                       const NativeSize& size, StreamFile& file) {
  check_entities(channels, file.path());
  Head(channels, info, single_precision).write(size, file);
}

}  // namespace trammel
