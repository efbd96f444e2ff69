// The C interface: library, models, initial conditions, results.
#include "api/guarded.h"

#include "output/channel_names.h"
#include "session/failure.h"
#include "session/version.h"
#include "trammel/trammel.h"

namespace trammel {

std::string& failure_of_thread() {
  thread_local std::string text;
  return text;
}

int told_to(std::string& text) noexcept {
  try {
    try {
      const Failure failure = present_failure();
      text = failure.what();
      return static_cast<int>(failure.code());
    } catch (...) {  // not an exception of the library
      text = "defect of the program: an exception of an unknown kind";
    }
  } catch (...) {  // no memory for the text
  }
  return TRAMMEL_DEFECT;
}

void refuse_null(const char* what) {
  fail(ExitCode::usage, "{}: null was given", what);
}

namespace {

ApiOptions options_of(const trammel_options* given) {
  ApiOptions options;
  if (!given) return options;
  if (given->size != sizeof(trammel_options))
    fail(ExitCode::usage, "trammel_options: size is {} where {} is expected", given->size,
         sizeof(trammel_options));
  if (given->change_count > 0 && !given->changes) refuse_null("trammel_options: changes");
  for (std::size_t k = 0; k < given->change_count; ++k)
    options.job.sets.emplace_back(&place(given->changes[k], "trammel_options: a change"));
  options.job.strict = given->strict != 0;
  options.job.permissive = given->permissive != 0;
  options.compute.share_reactions = given->share_reactions != 0;
  if (given->threads != 0) options.compute.threads = given->threads;
  if (given->linear_solver) options.compute.linear_solver = given->linear_solver;
  return options;
}

/// Sets *model to a new model, made by `make`. Returns the status.
template <class Make>
int loaded(trammel_model** model, const Make& make) noexcept {
  try {
    trammel_model*& made = place(model, "the place of the model");
    made = make();
    return TRAMMEL_OK;
  } catch (...) {
    return told_to(failure_of_thread());
  }
}

}  // namespace

}  // namespace trammel

using namespace trammel;

const char* trammel_version(void) {
  static const std::string text = program_version();
  return text.c_str();
}

const char* trammel_build(void) {
  static const std::string text = program_build();
  return text.c_str();
}

int trammel_abi(void) {
  return TRAMMEL_ABI;
}

const char* trammel_failure(const trammel_model* model) {
  return (model ? model->failure : failure_of_thread()).c_str();
}

int trammel_load(const char* file, const trammel_options* options, trammel_model** model) {
  return loaded(model, [&] {
    return new trammel_model{
        ApiModel(std::string(&place(file, "the name of the file")), options_of(options))};
  });
}

int trammel_load_text(const char* name, const char* text, size_t length, const trammel_options* options,
                      trammel_model** model) {
  return loaded(model, [&] {
    const std::string_view dataset(&place(text, "the text of the dataset"), length);
    return new trammel_model{ApiModel(name ? name : "text.adm", dataset, options_of(options))};
  });
}

void trammel_free(trammel_model* model) {
  delete model;
}

int trammel_change(trammel_model* model, const char* change) {
  return guarded(model, [&](ApiModel& m) { m.change(&place(change, "the change")); });
}

int trammel_warning_count(trammel_model* model, size_t* count) {
  return guarded(model, [&](ApiModel& m) { place(count, "the place of the count") = m.warnings().size(); });
}

const char* trammel_warning(trammel_model* model, size_t index) {
  return guarded_text(model, [&](ApiModel& m) { return item(m.warnings(), index, "warning"); });
}

// ---- initial conditions

int trammel_assemble(trammel_model* model) {
  return guarded(model, [](ApiModel& m) { m.session(); });
}

int trammel_degrees_of_freedom(trammel_model* model, int* freedoms) {
  return guarded(model, [&](ApiModel& m) {
    place(freedoms, "the place of the degrees of freedom") = m.report().degrees_of_freedom;
  });
}

int trammel_redundant_count(trammel_model* model, size_t* count) {
  return guarded(model,
                 [&](ApiModel& m) { place(count, "the place of the count") = m.report().redundant.size(); });
}

const char* trammel_redundant(trammel_model* model, size_t index) {
  return guarded_text(model, [&](ApiModel& m) {
    const int row = item(m.report().redundant, index, "redundant equation");
    const RowName name = row_name(m.session().model(), row);
    return name.owner + " " + name.equation;
  });
}

// ---- results

int trammel_channel_count(trammel_model* model, size_t* count) {
  return guarded(model, [&](ApiModel& m) { place(count, "the place of the count") = m.channels().size(); });
}

const char* trammel_channel_name(trammel_model* model, size_t index) {
  return guarded_text(model, [&](ApiModel& m) { return item(m.channels(), index, "channel").name; });
}

const char* trammel_channel_unit(trammel_model* model, size_t index) {
  return guarded_text(model, [&](ApiModel& m) { return item(m.channels(), index, "channel").unit; });
}

int trammel_channel(trammel_model* model, const char* name, size_t* index) {
  return guarded(model, [&](ApiModel& m) {
    size_t& found = place(index, "the place of the index");
    const ChannelRef channel = find_channel(m.record_channels(), "the model", &place(name, "the name"));
    if (channel.column < 0) fail(ExitCode::usage, "the time is no channel: trammel_time() gives it");
    found = static_cast<std::size_t>(channel.column);
  });
}

int trammel_values(trammel_model* model, double* values, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    const std::span<double> out = array(values, count, m.channels().size(), "values of channels");
    const std::span<const double> present = m.values();
    std::copy(present.begin(), present.end(), out.begin());
  });
}

int trammel_on_record(trammel_model* model, trammel_record_function function, void* user) {
  return guarded(model, [&](ApiModel& m) {
    m.require_idle();
    m.listeners.record = function, m.listeners.record_user = user;
  });
}

int trammel_on_text(trammel_model* model, trammel_text_function function, void* user) {
  return guarded(model, [&](ApiModel& m) {
    m.require_idle();
    m.listeners.text = function, m.listeners.text_user = user;
  });
}
