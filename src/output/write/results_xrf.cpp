#include "output/write/results_xrf.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/entity_types.h"
#include "output/number_text.h"
#include "output/unit_names.h"

namespace trammel {
namespace {

constexpr int values_per_line = 6;

/// Text of an attribute: markup escaped, control characters (invalid in XML 1.0) replaced by blanks.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : as_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
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

bool is_written(const Entity& e, const Component& c, const ResultsOptions& o) {
  switch (class_of(e)) {
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

/// Numbers the values in the order of the file: displacements of all parts, then velocities, then
/// accelerations, then the other entities; one group of lines per entity. Returns the indices in a record per
/// group; `id` is set to the number of each value, 0: omitted.
std::vector<std::vector<int>> file_order(const Channels& channels, const ResultsOptions& options,
                                         std::vector<int>& id) {
  std::vector<std::vector<int>> groups;
  id.assign(static_cast<std::size_t>(channels.size()), 0);
  int next = 2;  // 1 is time
  const auto add_pass = [&](auto wanted) {
    int offset = 0;
    for (const Entity& entity : channels.entities) {
      std::vector<int> group;
      for (std::size_t c = 0; c < entity.components.size(); ++c, ++offset) {
        if (!wanted(entity, entity.components[c]) || !is_written(entity, entity.components[c], options))
          continue;
        group.push_back(offset);
        id[static_cast<std::size_t>(offset)] = next++;
      }
      if (!group.empty()) groups.push_back(std::move(group));
    }
  };
  for (int order = 0; order < 3; ++order)
    add_pass([order](const Entity& e, const Component& c) {
      return is_part(e) && rate_order(c.quantity) == order;
    });
  add_pass([](const Entity& e, const Component&) { return !is_part(e); });
  return groups;
}

std::string entity_text(const Entity& entity, const UnitNames& units, const int* id) {
  const bool part = is_part(entity);
  const std::string plain = entity.type + "_" + std::to_string(entity.id);
  std::string full = entity.view_name.empty() ? plain : entity.view_name;
  while (!full.empty() && full.front() == '.') full.erase(0, 1);
  if (std::all_of(id, id + entity.components.size(), [](int number) { return number == 0; })) return "";
  std::string text = fmt::format("<Entity name=\"{}\" entity=\"{}\" entType=\"{}\" objectId=\"{}\">\n",
                                 escaped(short_name(entity, full, part)), escaped(full),
                                 escaped(xrf_type(entity)), entity.id);
  for (std::size_t c = 0; c < entity.components.size(); ++c) {
    if (id[c] == 0) continue;
    const std::string unit = unit_of(entity.components[c].quantity, units);
    text += fmt::format("<Component name=\"{}\"", escaped(entity.components[c].name));
    if (!unit.empty()) text += fmt::format(" unitsValue=\"{}\"", escaped(unit));
    text += fmt::format(" id=\"{}\" />\n", id[c]);
  }
  return text + "</Entity>\n";
}

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
  std::size_t offset = 0;
  for (const Entity& entity : channels.entities) {
    text += entity_text(entity, units, id.data() + offset);
    offset += entity.components.size();
  }
  file_.set_tail(tail(false));
  text += "</StepMap>\n";
  file_.write(text);
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
  const std::string_view end = "</Step>\n";
  head += fmt::format("<Step type=\"{}\">\n", to_string(kind));
  char* at = text_.begin(values.size() + 1, head.size() + end.size());
  at = std::copy(head.begin(), head.end(), at);
  at = put_shortest(at, time);
  *at++ = '\n';
  for (const std::vector<int>& group : lines_) {
    for (std::size_t k = 0; k < group.size(); ++k) {
      at = put_digits(at, values[static_cast<std::size_t>(group[k])], digits_);
      const bool last = k + 1 == group.size() || k % values_per_line == values_per_line - 1;
      *at++ = last ? '\n' : ' ';
    }
  }
  at = std::copy(end.begin(), end.end(), at);
  file_.set_tail(tail(false));   // termination status until close(): not successful
  file_.write(text_.until(at));  // one write per step: a step is never split
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
