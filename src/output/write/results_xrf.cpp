#include "output/write/results_xrf.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/entity_types.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr int values_per_line = 6;
constexpr int values_per_part = 1000;  ///< of a step handed to the file at a time

/// Text of an attribute: markup escaped, control characters (invalid in XML 1.0) replaced by blanks.
std::string escaped(std::string_view text) {
  std::string out = as_utf8(text);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const char c = out[k];
    const char* markup = c == '&'   ? "&amp;"
                         : c == '<' ? "&lt;"
                         : c == '>' ? "&gt;"
                         : c == '"' ? "&quot;"
                                    : "";
    if (*markup != 0) {
      out.replace(k, 1, markup);
      k += std::string_view(markup).size() - 1;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out[k] = ' ';
    }
  }
  return out;
}

/// The last part of a name such as "general_motion_4.motion_r3"; names of parts end in _XFORM.
std::string short_name(const Entity& entity, const std::string& full, bool part) {
  std::string name = full.substr(full.rfind('.') + 1);
  if (name.empty()) name = entity.type + "_" + std::to_string(entity.id);
  return part ? name + "_XFORM" : name;
}

bool is_written(ElementClass of, const Component& c, const ResultsOptions& o) {
  switch (of) {
    case ElementClass::part: {
      const bool by_order[] = {o.displacements, o.velocities, o.accelerations};
      return by_order[rate_order(c.quantity)];
    }
    case ElementClass::reaction_force:
      return o.reaction_forces;
    case ElementClass::applied_force:
      return o.applied_forces;
    case ElementClass::contact:
      return o.contacts;
    case ElementClass::system_element:
      return o.system_elements;
    case ElementClass::request:
      return o.requests;
    case ElementClass::none:
    case ElementClass::watch:
      return true;
  }
  return true;
}

/// What entities of one type have in common, looked up once for entities that follow each other.
struct TypeOf {
  std::string type;
  ElementClass element = ElementClass::none;

  ElementClass operator()(const Entity& entity) {
    if (entity.type != type) type = entity.type, element = class_of(entity);
    return element;
  }
};

/// Numbers the values in the order of the file: displacements of all parts, then velocities, then
/// accelerations, then the other entities. Returns the groups of lines: the values of one entity that stand
/// together in a record. `id` is set to the number of each value, 0: omitted.
std::vector<ResultsFile::Group> file_order(const Channels& channels, const ResultsOptions& options,
                                           std::vector<int>& id) {
  std::vector<ResultsFile::Group> groups;
  id.assign(static_cast<std::size_t>(channels.size()), 0);
  int next = 2;  // 1 is time
  const auto add_pass = [&](auto wanted) {
    int offset = 0;
    TypeOf type_of;
    for (const Entity& entity : channels.entities) {
      const ElementClass element = type_of(entity);
      bool first = true;
      for (const Component& c : entity.components) {
        const int at = offset++;
        if (!wanted(element, c) || !is_written(element, c, options)) continue;
        if (first || groups.back().end != at) groups.push_back({at, at, first});
        groups.back().end = at + 1;
        first = false;
        id[static_cast<std::size_t>(at)] = next++;
      }
    }
  };
  for (int order = 0; order < 3; ++order)
    add_pass([order](ElementClass element, const Component& c) {
      return element == ElementClass::part && rate_order(c.quantity) == order;
    });
  add_pass([](ElementClass element, const Component&) { return element != ElementClass::part; });
  groups.shrink_to_fit();
  return groups;
}

/// The entities of the head, one at a time.
class EntityText {
 public:
  explicit EntityText(const UnitNames& units) : units_(units) {}

  /// The element of an entity, "" where none of its values is written; valid until the next call.
  std::string_view operator()(const Entity& entity, const int* id) {
    text_.clear();
    if (std::all_of(id, id + entity.components.size(), [](int number) { return number == 0; })) return text_;
    const bool part = type_of_(entity) == ElementClass::part;
    std::string full =
        entity.view_name.empty() ? entity.type + "_" + std::to_string(entity.id) : entity.view_name;
    while (!full.empty() && full.front() == '.') full.erase(0, 1);
    fmt::format_to(
        std::back_inserter(text_), "<Entity name=\"{}\" entity=\"{}\" entType=\"{}\" objectId=\"{}\">\n",
        escaped(short_name(entity, full, part)), escaped(full), escaped(xrf_type(entity)), entity.id);
    set_beginnings(entity.components);
    append_components(id);
    return text_ += "</Entity>\n";
  }

 private:
  void append_components(const int* id) {
    constexpr std::string_view ending = "\" />\n";
    constexpr std::size_t longest_number = 11;
    const std::size_t before = text_.size();
    text_.resize(before + length_ + beginnings_.size() * (longest_number + ending.size()));
    char* at = text_.data() + before;
    const auto put = [&](std::string_view part) { at = std::copy(part.begin(), part.end(), at); };
    for (const std::string& beginning : beginnings_) {
      const int number = *id++;
      if (number == 0) continue;
      put(beginning);
      at = std::to_chars(at, at + longest_number, number).ptr;
      put(ending);
    }
    text_.resize(static_cast<std::size_t>(at - text_.data()));
  }

  /// What stands before the numbers of components; the same for many entities.
  void set_beginnings(const Components& components) {
    if (of_ == components) return;
    of_ = components;
    beginnings_.clear();
    for (const Component& c : components) {
      const std::string unit = unit_of(c.quantity, units_);
      beginnings_.push_back(fmt::format("<Component name=\"{}\"", escaped(c.name)) +
                            (unit.empty() ? "" : fmt::format(" unitsValue=\"{}\"", escaped(unit))) +
                            " id=\"");
    }
    length_ = 0;
    for (const std::string& beginning : beginnings_) length_ += beginning.size();
  }

  const UnitNames& units_;
  TypeOf type_of_;
  Components of_;
  std::vector<std::string> beginnings_;
  std::size_t length_ = 0;  ///< of all beginnings
  std::string text_;
};

std::string or_unknown(const std::string& text) {
  return text.empty() ? "-unknown-" : escaped(text);
}

/// Names of Data blocks: "modelInput_001".
const char* block_name(StepKind kind) {
  return kind == StepKind::model_input ? "modelInput" : to_string(kind);
}

/// Numbers of one part of a mode on a line, all digits: Re and Im of X Y Z RX RY RZ.
void append_shape(std::string& text, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    append_shortest(text, values[k]);
    text += k + 1 == values.size() || k % ModeSet::per_part == ModeSet::per_part - 1 ? '\n' : ' ';
  }
}

std::string numbers_text(std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    append_shortest(text, value);
  }
  return text;
}

}  // namespace

void ResultsFile::open(const std::string& path, const Channels& channels, const RunInfo& info,
                       ResultsOptions options, const FilePosition* position) {
  block_open_ = false;
  digits_ = options.digits;
  rate_unit_ = "rad/" + time_unit(channels.units);
  blocks_ = 0;
  for (int& count : blocks_of_kind_) count = 0;
  std::vector<int> id;
  lines_ = file_order(channels, options, id);
  if (position) return file_.open(path, *position);
  file_.open(path);
  write_head(channels, info, options, id);
}

void ResultsFile::archive(Archive& a) {
  a(block_open_, block_kind_, blocks_, blocks_of_kind_);
  if (a.restores()) file_.set_tail(tail(false));
}

void ResultsFile::write_head(const Channels& channels, const RunInfo& info, const ResultsOptions& options,
                             const std::vector<int>& id) {
  const UnitNames& units = channels.units;
  const std::string time = escaped(time_unit(units));
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<Results xmlns=\"http://www.mscsoftware.com/:xrf10\">\n<Bibliography>\n";
  const std::string uri =
      "file://" + (file_.path().front() == '/' ? file_.path() : info.directory + "/" + file_.path());
  text += fmt::format("<File URI=\"{}\" schema=\"xrf\" version=\"2.0.0.0\" publicationDate=\"{}{}\" />\n",
                      escaped(uri), escaped(info.local_time), escaped(info.time_zone));
  text += fmt::format("<Author user=\"{}\" name=\"-unknown name-\" />\n", or_unknown(info.user));
  text +=
      "<Revision version=\"1\" "
      "derivedFrom=\"-unknown-\">\n<Comment>\n";
  if (!options.comment.empty()) text += escaped(options.comment) + "\n";
  text += "</Comment>\n</Revision>\n</Bibliography>\n";
  text += fmt::format("<Analysis name=\"{}\" executionDate=\"{}\" Solver=\"{} {}\" script=\"-unknown-\">\n",
                      escaped(options.analysis_name), escaped(info.local_time), escaped(info.program),
                      escaped(info.version));
  text += fmt::format("<Bibliography>\n<Environment operatingSystem=\"{} {}\" hostname=\"{}\" />\n",
                      escaped(info.system), escaped(info.system_release), escaped(info.host));
  text += fmt::format("<Application name=\"{}\" version=\"{}\" />\n</Bibliography>\n", escaped(info.program),
                      escaped(info.version));
  text += fmt::format("<ModelInfo title=\"{}\" creationDate=\"-unknown-\" checksum=\"-unknown-\" />\n",
                      escaped(trim(info.title)));
  text += fmt::format("<Units angle=\"rad\" length=\"{}\" mass=\"{}\" time=\"{}\" />\n",
                      escaped(units.length), escaped(units.mass), time);
  text += fmt::format(
      "<StepMap name=\"map_001\">\n<Entity name=\"time\">\n"
      "<Component name=\"TIME\" unitsValue=\"{}\" id=\"1\" />\n</Entity>\n",
      time);
  file_.add(text);
  EntityText entity_text(units);
  std::size_t offset = 0;
  for (const Entity& entity : channels.entities) {
    file_.add(entity_text(entity, id.data() + offset));
    offset += entity.components.size();
  }
  file_.set_tail(tail(false));
  file_.add("</StepMap>\n");
  file_.end_unit();
  file_.flush();
}

void ResultsFile::record(double time, StepKind kind, std::span<const double> values) {
  std::string head;
  if (!block_open_ || kind != block_kind_) {
    if (block_open_) head = "</Data>\n";
    block_open_ = true;
    block_kind_ = kind;
    head += fmt::format("<Data name=\"{}_{:03}\" id=\"{}\">\n", block_name(kind),
                        ++blocks_of_kind_[static_cast<int>(kind)], ++blocks_);
  }
  head += fmt::format("<Step type=\"{}\">\n", to_string(kind));
  file_.set_tail(tail(false));  // termination status until close(): not successful
  file_.add(head);
  char* at = put_shortest(text_.begin(values_per_part), time);
  *at++ = '\n';
  int in_part = 1, in_line = 0;
  for (std::size_t g = 0; g < lines_.size(); ++g) {
    const bool ends = g + 1 == lines_.size() || lines_[g + 1].begins;
    if (lines_[g].begins) in_line = 0;
    for (int k = lines_[g].first; k < lines_[g].end; ++k) {
      at = put_digits(at, values[static_cast<std::size_t>(k)], digits_);
      const bool last = ++in_line == values_per_line || (ends && k + 1 == lines_[g].end);
      *at++ = last ? '\n' : ' ';
      if (last) in_line = 0;
      if (++in_part < values_per_part) continue;
      file_.add(text_.until(at));
      at = text_.begin(values_per_part);
      in_part = 0;
    }
  }
  file_.add(text_.until(at));
  file_.add("</Step>\n");
  file_.end_unit();
}

/// An element of our own namespace, which readers of XRF skip: the form of ADAMS's is not public.
void ResultsFile::modes(const ModeSet& set) {
  std::string text = block_open_ ? "</Data>\n" : "";
  block_open_ = false;
  text += fmt::format(
      "<EigenSolution xmlns=\"{}\" id=\"{}\" time=\"{}\" states=\"{}\" modes=\"{}\" unitsValue=\"{}\">\n",
      xrf_modes_namespace, set.number, numbers_text({&set.time, 1}), set.states, set.modes(),
      escaped(rate_unit_));
  for (std::size_t p = 0; p < set.parts.size(); ++p)
    text += fmt::format("<Part name=\"{}\" position=\"{}\" axes=\"{}\" />\n", escaped(set.parts[p]),
                        numbers_text(std::span(set.position).subspan(3 * p, 3)),
                        numbers_text(std::span(set.axes).subspan(9 * p, 9)));
  const std::size_t width = set.parts.size() * ModeSet::per_part;
  for (std::size_t m = 0; m < set.modes(); ++m) {
    text +=
        fmt::format("<Mode id=\"{}\" real=\"{}\" imaginary=\"{}\" dampingRatio=\"{}\">\n", m + 1,
                    numbers_text({&set.eigenvalue[2 * m], 1}), numbers_text({&set.eigenvalue[2 * m + 1], 1}),
                    numbers_text({&set.damping_ratio[m], 1}));
    append_shape(text, std::span(set.shape).subspan(m * width, width));
    text += "</Mode>\n";
  }
  file_.set_tail(tail(false));
  file_.write(text + "</EigenSolution>\n");
}

std::string ResultsFile::tail(bool successful) const {
  return fmt::format("{}<TerminationStatus runTermObject=\"\" runStatus=\"{}\" />\n</Analysis>\n</Results>\n",
                     block_open_ ? "</Data>\n" : "", successful ? "Successful" : "Failed");
}

void ResultsFile::close(bool successful) {
  if (!file_.is_open()) return;
  file_.set_tail(tail(successful));
  file_.close();
}

}  // namespace trammel
