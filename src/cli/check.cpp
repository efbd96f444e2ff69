#include "cli/check.h"

#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/session.h"
#include "cli/check_advice.h"
#include "model/compile.h"
#include "output/number_text.h"
#include "output/predicted_size.h"
#include "session/graphics_scene.h"
#include "session/make_plan.h"
#include "session/output_statements.h"
#include "session/version.h"
#include "terminal/print.h"

namespace trammel {

namespace {

using Json = nlohmann::ordered_json;

Json place(const Location& where, const std::string& text) {
  return {{"file", as_utf8(where.file)}, {"line", where.line}, {"text", as_utf8(text)}};
}

/// Collects the report of check, in the order of telling; both its forms, JSON and text, are made from it.
class Check {
 public:
  explicit Check(const CheckOptions& options) : options_(options) {}

  int run() {
    try {
      examine();
    } catch (const Failure& failure) {
      take_diagnostics();
      add_error({Severity::error, {}, failure.what(), failure.code()});
      code_ = static_cast<int>(failure.code());
    }
    report_["exit_code"] = code_;
    if (options_.json)
      print_line(stdout, report_.dump(2, ' ', false, Json::error_handler_t::replace));
    else
      print();
    for (const std::string& text : errors_) print_line(stderr, text);
    return code_;
  }

 private:
  void add_error(const Diagnostic& d) {
    Json entry = place(d.where, d.text);
    entry["exit_code"] = static_cast<int>(d.code);
    errors_.push_back(to_string(d));
    report_["errors"].push_back(entry);
  }

  /// Adds a warning or note, once.
  void tell(const char* key, const Location& where, const std::string& text) {
    if (said_.insert(to_string(Diagnostic{Severity::note, where, text})).second)
      report_[key].push_back(place(where, text));
  }

  void take_diagnostics() {
    constexpr const char* keys[] = {"notes", "warnings", "errors"};
    const auto& list = job_.diagnostics.list();
    for (; taken_ < list.size(); ++taken_) {
      const Diagnostic& d = list[taken_];
      if (d.severity == Severity::error)
        add_error(d);
      else
        tell(keys[static_cast<int>(d.severity)], d.where, d.text);
    }
    code_ = static_cast<int>(job_.diagnostics.exit_code());
  }

  void examine() {
    for (const char* key : {"exit_code", "file", "title"}) report_[key] = nullptr;
    for (const char* key : {"errors", "warnings", "notes", "left_out"}) report_[key] = Json::array();
    const JobOptions& job = options_.job;
    check_every(options_.every);
    formats_ = formats_named(options_.formats);
    report_["file"] = job.file;
    job_ = load_job(job);
    if (job_.read) {
      report_["title"] = as_utf8(job_.description.title);
      report_["dataset"] = job_.commands.model;
      report_["statements"] = job_.statements;
    }
    for (const DroppedStatement& d : job_.dropped.dropped)
      report_["left_out"].push_back(place(d.where, d.label + ": " + d.reason));
    for (const Dependent& d : job_.dropped.dependents)
      report_["left_out"].push_back(place(d.where, d.label + ": depends on " + d.on));
    PlannedModel planned;
    if (job_.read) planned = plan_and_compile(job_, {}, job.strict, job.permissive);
    for (const std::string& text : model_warnings(planned.model)) tell("warnings", {}, text);
    for (const Stage& stage : planned.plan.stages) add_settings(stage.settings);
    add_settings(planned.plan.settings);
    take_diagnostics();
    if (!job_.diagnostics.has_errors())
      assemble(std::move(planned.model), planned.plan);
    else if (job_.read)
      assemble_the_rest(planned.plan);
  }

  /// Assembles the rest of a model without all that is wrong. The constraints left must agree with one
  /// another whatever is missing; only parts without mass or inertia may need what is missing, and such
  /// models are not assembled.
  void assemble_the_rest(const Plan& plan) {
    set_wrong_aside(job_);
    Diagnostics found;
    Model rest = compile(job_.description, found);
    if (found.has_errors() || rest.bodies.empty() || !model_warnings(rest).empty()) return;
    try {
      Session(std::move(rest), plan.settings, {}).initialize();
    } catch (const Failure& failure) {
      add_error({Severity::error, {}, failure.what(), failure.code()});
    }
  }

  void add_settings(const DynamicsSettings& settings) {
    const auto add = [&](const char* key, const std::vector<std::string>& texts) {
      for (const std::string& text : texts) tell(key, {}, text);
    };
    add("warnings", settings.warnings);
    add("notes", settings.idle);
  }

  void assemble(Model compiled, const Plan& plan) {
    SessionEvents events;
    events.warning = [this](const std::string& text) { tell("warnings", {}, text); };
    Session session(std::move(compiled), plan.settings, std::move(events));
    const Model& model = session.model();
    report_["parts"] = model.bodies.size();
    report_["coordinates"] = model.coordinates;
    report_["scalar_states"] = model.scalars.size();
    report_["unknowns"] = model.unknowns();
    report_["matrix_nonzeros"] = session.assembler().pattern().nonzeros();
    const int channels = session.channels().size();
    report_["channels"] = channels;
    report_["requests"] = model.requests.size();
    report_["simulations"] = Json::array();
    for (const Stage& s : plan.stages)
      if (s.takes_steps())
        report_["simulations"].push_back({{"begin", s.begin}, {"end", s.end}, {"output_steps", s.steps}});
    add_sizes(session, plan);
    try {
      session.initialize();
      if (plan.begins_with_motion()) session.require_accelerations();
    } catch (const Failure&) {
      add_advice(report_, job_.description, plan, session, false);
      throw;
    }
    const InitialReport& initial = session.initialize();
    report_["constraint_equations"] = model.coordinates - initial.gruebler;
    report_["gruebler"] = initial.gruebler;
    report_["degrees_of_freedom"] = initial.degrees_of_freedom;
    report_["redundant"] = Json::array();
    for (int row : initial.redundant) {
      const RowName name = row_name(model, row);
      report_["redundant"].push_back(as_utf8(name.equation + " in " + name.owner));
    }
    for (const std::string& note : initial.notes) tell("warnings", {}, note);
    if (!initial.moved.empty()) tell("notes", {}, initial.moved);
    add_advice(report_, job_.description, plan, session, true);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    report_["memory_bytes"] = 1024LL * usage.ru_maxrss;
  }

  /// Adds the sizes of the result files that run would write.
  void add_sizes(const Session& session, const Plan& plan) {
    RunInfo info;
    info.title = job_.description.title;
    info.input_file = job_.commands.model;
    describe_run(info);
    OutputOptions options;
    options.results = plan.results;
    options.table = plan.table;
    std::vector<std::string> left_out;
    options.scene = graphics_scene(job_.description, session.model(), left_out);
    options.single_precision = options_.single_precision;
    std::uint64_t all = 0;
    report_["output_records"] = plan.records();
    report_["files"] = Json::array();
    const std::vector<Format>& formats = options_.formats.empty() ? plan.formats : formats_;
    for (auto format = formats.begin(); format != formats.end(); ++format) {
      if (std::find(formats.begin(), format, *format) != format) continue;  // listed already
      if (*format == Format::contacts) continue;  // its size depends on the number of overlaps
      const bool native = *format == Format::native;
      const long long records =
          native ? plan.kept_records(options_.every) : plan.records() + shows_input(*format);
      const FileSize size = predicted_size(*format, session.channels(), info, options, records);
      report_["files"].push_back({{"format", extension_of(*format) + 1},
                                  {"bytes", size.bytes},
                                  {"record_bytes", size.record},
                                  {"records", records}});
      if (native) report_["record_bytes"] = size.record;
      all += size.bytes;
      if (*format == Format::table)
        for (const std::string& text : table_warnings(session.channels(), plan.table))
          tell("warnings", {}, text);
    }
    report_["output_bytes"] = all;
  }

  void line(const char* name, const char* key) const {
    if (report_.contains(key)) print_line(stdout, fmt::format("  {:<22}{}", name, report_[key].dump()));
  }

  void list(const char* key, const char* head) const {
    if (!report_.contains(key)) return;
    for (const Json& entry : report_[key]) {
      const std::string text =
          entry.is_string() ? entry.get<std::string>() : entry["text"].get<std::string>();
      const Location where = entry.is_string() ? Location{} : Location{entry["file"], entry["line"]};
      print_line(stdout, fmt::format("  {}: {}", head, to_string(Diagnostic{Severity::note, where, text})));
    }
  }

  void print() const {
    if (report_["title"].is_string()) print_line(stdout, report_["title"].get<std::string>());
    if (report_.contains("statements")) {
      std::string text;
      for (const auto& [keyword, count] : report_["statements"].items())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", keyword, count.dump());
      print_line(stdout, "  " + text);
    }
    line("moving parts", "parts");
    line("coordinates", "coordinates");
    line("constraint equations", "constraint_equations");
    if (report_.contains("redundant"))
      print_line(stdout, fmt::format("  {:<22}{}", "redundant of them", report_["redundant"].size()));
    line("degrees of freedom", "degrees_of_freedom");
    line("unknowns per step", "unknowns");
    line("result channels", "channels");
    if (report_.contains("simulations"))
      for (const Json& s : report_["simulations"])
        print_line(stdout, fmt::format("  simulation            {:.9g} to {:.9g}, {} output steps",
                                       s["begin"].get<double>(), s["end"].get<double>(),
                                       s["output_steps"].get<int>()));
    if (report_.contains("files"))
      for (const Json& f : report_["files"])
        print_line(stdout, fmt::format("  {:<22}about {:.3g} MB ({} bytes per output step)",
                                       "." + f["format"].get<std::string>() + " file",
                                       1e-6 * f["bytes"].get<double>(), f["record_bytes"].get<long long>()));
    if (report_.contains("memory_bytes"))
      print_line(stdout, fmt::format("  memory so far         {:.3g} MB",
                                     1e-6 * report_["memory_bytes"].get<double>()));
    list("redundant", "redundant");
    list("left_out", "left out");
    list("warnings", "warning");
    list("notes", "note");
    print_advice(report_);
  }

  CheckOptions options_;
  std::vector<Format> formats_;  ///< --formats
  Job job_;
  Json report_;
  std::vector<std::string> errors_;
  std::set<std::string> said_;  ///< warnings and notes told
  std::size_t taken_ = 0;       ///< number of diagnostics taken into the report
  int code_ = 0;
};

}  // namespace

int check_command(const CheckOptions& options) {
  return Check(options).run();
}

}  // namespace trammel
