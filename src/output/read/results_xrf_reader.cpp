// Reader of .res files in XRF form, from front to back: the StepMap defines the numbers of a step.
#include <algorithm>
#include <map>
#include <set>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/entity_types.h"
#include "output/number_text.h"
#include "output/read/result_table.h"
#include "output/read/xml_input.h"
#include "output/unit_names.h"
#include "output/write/request_file.h"
#include "output/write/results_xrf.h"

namespace trammel {
namespace {

constexpr int most_values = 50'000'000;  // per step; a larger id is an error, not a large model
constexpr std::size_t longest_number = 4096;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

class XrfReader : private XmlContent {
 public:
  explicit XrfReader(const std::string& path) : xml_(path) {}

  ResultTable read() {
    if (!xml_.read(*this)) {
      cut_short();
      return std::move(table_);
    }
    if (!mapped_) fail_at("<Results> without a StepMap, so without results");
    if (status_ != "" && !equal_ignoring_case(status_, "Successful"))
      table_.notices.push_back(
          fmt::format("{}: the run that wrote it has not ended as asked (status {})", xml_.path(), status_));
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail_at(const std::string& text) const {
    fail(ExitCode::input, "{}: {}", xml_.place(), text);
  }

  void cut_short() {
    if (!begun_) fail_at("not an XRF result file: it has no <Results>");
    if (!mapped_)
      fail_at(fmt::format("the file ends (byte {}) before its StepMap does: no results can be read from it",
                          xml_.bytes_read()));
    table_.note_cut(xml_.place(), xml_.bytes_read(), "step");
  }

  void open(std::string_view element, const XmlAttributes& attributes) override {
    if (in_step_ || in_mode_) end_of_word();
    if (!begun_) {
      if (element != "Results") fail_at(fmt::format("not an XRF result file: it begins with <{}>", element));
      begun_ = true;
    } else if (element == "ModelInfo") {
      table_.info.title = attributes["title"];
    } else if (element == "Analysis") {
      if (mapped_) fail_at("a second <Analysis>: the file holds several runs; split it");
      table_.info.program = attributes["Solver"];
      table_.info.local_time = attributes["executionDate"];
    } else if (element == "Units") {
      UnitNames& u = table_.channels.units;
      u = {"", attributes["mass"], attributes["length"], attributes["time"], 1.0};
      degrees_ = has_prefix_ignoring_case(attributes["angle"], "deg");
    } else if (element == "StepMap") {
      if (mapped_ || in_map_)
        fail_at("a second <StepMap>: one file, one list of channels is what can be read");
      in_map_ = true;
    } else if (in_map_ && element == "Entity") {
      open_entity(attributes);
    } else if (in_map_ && element == "Component") {
      component(attributes);
    } else if (element == "EigenSolution" && attributes["xmlns"] == xrf_modes_namespace) {
      open_modes(attributes);
    } else if (in_modes_) {
      if (element == "Part") open_mode_part(attributes);
      if (element == "Mode") open_mode(attributes);
    } else if (element == "Step") {
      open_step(attributes);
    } else if (element == "TerminationStatus") {
      status_ = attributes["runStatus"];
    }
  }

  void close(std::string_view element) override {
    if (in_step_ || in_mode_) end_of_word();
    if (element == "StepMap") close_map();
    if (element == "Step") close_step();
    if (in_modes_ && element == "Mode") close_mode();
    if (in_modes_ && element == "EigenSolution") close_modes();
  }

  // ---- the StepMap

  void open_entity(const XmlAttributes& attributes) {
    Entity e;
    const std::string type = attributes["entType"];
    in_time_ = type.empty() && equal_ignoring_case(attributes["name"], "time");
    if (in_time_) return;
    e.type = type.empty() ? "ENTITY" : statement_of_xrf_type(type);
    e.id = parse_integer(attributes["objectId"]).value_or(0);
    e.view_name = attributes["entity"];
    if (e.view_name == e.type + "_" + std::to_string(e.id)) e.view_name.clear();
    int& used = numbers_[e.type];
    if (e.id <= 0 || !taken_.insert({e.type, e.id}).second) {
      e.id = used + 1;
      while (!taken_.insert({e.type, e.id}).second) ++e.id;
      table_.notices.push_back(fmt::format("{}: {} ({}) has no number of its own in the file; it is {} here",
                                           xml_.place(), attributes["entity"], attributes["name"], e.name()));
    }
    used = std::max(used, e.id);
    table_.channels.entities.push_back(std::move(e));
  }

  void component(const XmlAttributes& attributes) {
    const auto id = parse_integer(attributes["id"]);
    if (!id || *id < 1 || *id > most_values)
      fail_at(
          fmt::format("a component with the id \"{}\": a number from 1 on is expected", attributes["id"]));
    if (!places_.insert(*id).second) fail_at(fmt::format("the id {} stands twice in the StepMap", *id));
    values_per_step_ = std::max(values_per_step_, static_cast<std::size_t>(*id));
    if (in_time_) {
      time_place_ = static_cast<std::size_t>(*id) - 1;
      time_known_ = true;
      return;
    }
    if (table_.channels.entities.empty()) fail_at("a component outside of an entity");
    table_.channels.entities.back().components.push_back({attributes["name"]});
    columns_.push_back(static_cast<std::size_t>(*id) - 1);
    units_.push_back(attributes["unitsValue"]);
  }

  void close_map() {
    in_map_ = false;
    mapped_ = true;
    if (!time_known_) fail_at("the StepMap names no time");
    UnitNames& u = table_.channels.units;
    const UnitNames found = units_in(units_);
    u.force = found.force;
    if (u.length.empty()) u.length = found.length;
    if (u.time.empty()) u.time = found.time;
    u.length_per_meter = length_per_meter(u.length);
    std::erase_if(table_.channels.entities, [](const Entity& e) { return e.components.empty(); });
    factors_ = table_.set_quantities(units_, xml_.path());
    for (Entity& e : table_.channels.entities)
      if (e.type == "REQUEST") set_request_type(e);  // the file does not say it
    if (degrees_ && std::all_of(factors_.begin(), factors_.end(), [](double f) { return f == 1.0; }))
      table_.notices.push_back(
          fmt::format("{}: the file's unit of angles is the degree, but no channel says that it has it: none "
                      "is converted",
                      xml_.path()));
    table_.records.set_width(columns_.size());
    row_.resize(columns_.size());
  }

  // ---- steps

  void open_step(const XmlAttributes& attributes) {
    if (!mapped_) fail_at("a step before the StepMap");
    if (in_step_) fail_at("a step inside a step");
    in_step_ = true;
    step_line_ = xml_.line();
    step_.clear();
    const std::string type = attributes["type"];
    kind_ = StepKind::dynamics;
    for (int k = 0; k <= static_cast<int>(StepKind::dynamics); ++k)
      if (equal_ignoring_case(type, to_string(static_cast<StepKind>(k)))) kind_ = static_cast<StepKind>(k);
  }

  void text(std::string_view piece) override {
    if (!in_step_ && !in_mode_) return;
    for (std::size_t at = 0; at < piece.size();) {
      std::size_t end = at;
      while (end < piece.size() && !is_blank(piece[end])) ++end;
      const std::string_view word = piece.substr(at, end - at);
      if (end == piece.size() || !word_.empty()) {
        word_ += word;
        if (word_.size() > longest_number) bad_number(word_);
        if (end < piece.size()) end_of_word();
      } else if (!word.empty()) {
        number(word);
      }
      at = end + 1;
    }
  }

  /// Ends a word before a tag; no effect after a blank.
  void end_of_word() {
    if (!word_.empty()) number(word_);
    word_.clear();
  }

  void number(std::string_view word) {
    double value = 0;
    if (!parse_value(word, value)) bad_number(word);
    if (in_mode_) return modes_.shape.push_back(value);
    if (step_.size() == values_per_step_) too_many();
    step_.push_back(value);
  }

  [[noreturn]] void bad_number(std::string_view word) const {
    fail_at(fmt::format("\"{}\" is no number", word.substr(0, 40)));
  }

  [[noreturn]] void too_many() const {
    fail(ExitCode::input, "{}:{}: a step with more than the {} values that the StepMap names", xml_.path(),
         step_line_, values_per_step_);
  }

  void close_step() {
    in_step_ = false;
    if (step_.size() != values_per_step_)
      fail(ExitCode::input, "{}:{}: a step with {} values; the StepMap names {}", xml_.path(), step_line_,
           step_.size(), values_per_step_);
    for (std::size_t k = 0; k < columns_.size(); ++k) row_[k] = step_[columns_[k]] * factors_[k];
    table_.add(step_[time_place_], kind_, row_);
  }

  // ---- modes of LINEAR

  /// Numbers of an attribute, as many as expected.
  std::vector<double> numbers_of(const XmlAttributes& attributes, const char* name, std::size_t count) const {
    std::vector<double> out;
    const std::string text = attributes[name];
    for (const std::string_view word : split(text, ' ')) {
      double value = 0;
      if (!parse_value(word, value)) bad_number(word);
      out.push_back(value);
    }
    if (out.size() != count)
      fail_at(fmt::format("{} has {} numbers, {} are expected", name, out.size(), count));
    return out;
  }
  double number_of(const XmlAttributes& attributes, const char* name) const {
    return numbers_of(attributes, name, 1)[0];
  }

  void open_modes(const XmlAttributes& attributes) {
    if (in_modes_ || in_step_) fail_at("an EigenSolution inside another element of results");
    in_modes_ = true;
    modes_ = {};
    modes_.number = static_cast<int>(number_of(attributes, "id"));
    modes_.time = number_of(attributes, "time");
    modes_.states = static_cast<int>(number_of(attributes, "states"));
    modes_expected_ = parse_integer(attributes["modes"]).value_or(-1);
  }

  void open_mode_part(const XmlAttributes& attributes) {
    modes_.parts.push_back(attributes["name"]);
    for (const double x : numbers_of(attributes, "position", 3)) modes_.position.push_back(x);
    for (const double x : numbers_of(attributes, "axes", 9)) modes_.axes.push_back(x);
  }

  void open_mode(const XmlAttributes& attributes) {
    in_mode_ = true;
    modes_.eigenvalue.push_back(number_of(attributes, "real"));
    modes_.eigenvalue.push_back(number_of(attributes, "imaginary"));
    modes_.damping_ratio.push_back(number_of(attributes, "dampingRatio"));
  }

  void close_mode() {
    in_mode_ = false;
    const std::size_t expected = modes_.modes() * modes_.parts.size() * ModeSet::per_part;
    if (modes_.shape.size() != expected)
      fail_at(fmt::format("the shapes of {} modes have {} numbers, {} are expected", modes_.modes(),
                          modes_.shape.size(), expected));
  }

  void close_modes() {
    in_modes_ = false;
    if (static_cast<int>(modes_.modes()) != modes_expected_)
      fail_at(fmt::format("an EigenSolution with {} modes; it says {}", modes_.modes(), modes_expected_));
    table_.modes.push_back(std::move(modes_));
  }

  XmlInput xml_;
  ResultTable table_;
  ModeSet modes_;  ///< of the present EigenSolution
  int modes_expected_ = 0;
  bool in_modes_ = false, in_mode_ = false;
  bool begun_ = false, in_map_ = false, in_time_ = false, mapped_ = false, in_step_ = false, degrees_ = false,
       time_known_ = false;
  std::size_t time_place_ = 0, values_per_step_ = 0;
  int step_line_ = 0;
  std::string word_;  ///< beginning of a word that may continue in the next piece of text
  StepKind kind_ = StepKind::dynamics;
  std::string status_;
  std::set<int> places_;
  std::set<std::pair<std::string, int>> taken_;
  std::map<std::string, int> numbers_;
  std::vector<std::size_t> columns_;  ///< index of each channel in a step
  std::vector<double> factors_;       ///< factors to the units of the table
  std::vector<std::string> units_;    ///< as spelt in the file
  std::vector<double> step_, row_;
};

}  // namespace

ResultTable read_results_xrf(const std::string& path) {
  return XrfReader(path).read();
}

}  // namespace trammel
