// Trammel in C++20: trammel.h with objects, exceptions, spans and strings. Header alone, over the C
// interface: what is said there of units, frame, lifetime and threads holds here. docs/api.md has examples.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/trammel.h"

namespace trammel {
inline namespace interface_1 {

/// A call that failed: its status (enum trammel_status) and text.
class Error : public std::runtime_error {
 public:
  Error(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

inline std::string version() {
  return trammel_version();
}

/// How a model is read and computed: trammel_options.
struct Options {
  std::vector<std::string> changes;
  bool strict = false, permissive = false, share_reactions = false;
  int threads = 1;
  std::string linear_solver = "auto";
};

using Sizes = trammel_sizes;
using Coefficients = trammel_coefficients;
/// Members that are null are those of the present state.
using Point = trammel_point;

/// How a simulation stands.
enum class Standing {
  none = TRAMMEL_NONE,
  stepping = TRAMMEL_STEPPING,
  complete = TRAMMEL_COMPLETE,
  returned = TRAMMEL_RETURNED,
  halted = TRAMMEL_HALTED,
  failed = TRAMMEL_FAILED,
};

enum class Quantity {
  coordinates = TRAMMEL_COORDINATES,
  velocities = TRAMMEL_VELOCITIES,
  accelerations = TRAMMEL_ACCELERATIONS,
  multipliers = TRAMMEL_MULTIPLIERS,
  scalars = TRAMMEL_SCALARS,
  rates = TRAMMEL_RATES,
};

/// A sparse pattern in compressed columns.
struct Pattern {
  std::vector<int> column_start, row;
};

struct Channel {
  std::string name, unit;
};

/// A model under analysis. Can be moved; after that only destroyed or assigned to.
class Model {
 public:
  /// A command file or dataset.
  explicit Model(const std::string& file, const Options& options = {}) {
    load(options,
         [&](const trammel_options& o, trammel_model** m) { return trammel_load(file.c_str(), &o, m); });
  }
  /// The text of a dataset.
  static Model of_text(std::string_view text, const Options& options = {},
                       const std::string& name = "text.adm") {
    Model model;
    model.load(options, [&](const trammel_options& o, trammel_model** m) {
      return trammel_load_text(name.c_str(), text.data() ? text.data() : "", text.size(), &o, m);
    });
    return model;
  }

  /// For calls of the C interface.
  trammel_model* get() const { return model_.get(); }

  void change(const std::string& text) { check(trammel_change(get(), text.c_str())); }
  std::vector<std::string> warnings() const {
    return texts(number<std::size_t>(trammel_warning_count), trammel_warning);
  }

  // ---- initial conditions
  void assemble() { check(trammel_assemble(get())); }
  int degrees_of_freedom() { return number<int>(trammel_degrees_of_freedom); }
  std::vector<std::string> redundant() {
    return texts(number<std::size_t>(trammel_redundant_count), trammel_redundant);
  }

  // ---- results
  std::size_t channel_count() const { return number<std::size_t>(trammel_channel_count); }
  std::vector<Channel> channels() const {
    std::vector<Channel> list(channel_count());
    for (std::size_t k = 0; k < list.size(); ++k)
      list[k] = {trammel_channel_name(get(), k), trammel_channel_unit(get(), k)};
    return list;
  }
  /// The place of a channel in values: "PART/2.X".
  std::size_t channel(const std::string& name) const {
    std::size_t index = 0;
    check(trammel_channel(get(), name.c_str(), &index));
    return index;
  }
  std::vector<double> values() {
    std::vector<double> list(channel_count());
    check(trammel_values(get(), list.data(), list.size()));
    return list;
  }
  double value(const std::string& name) { return values()[channel(name)]; }

  /// Hears records of later simulations; false: stop. What it throws stops the simulation, and is thrown by
  /// the function that simulates.
  using Record = std::function<bool(double time, std::span<const double> values)>;
  void on_record(Record function) {
    check(trammel_on_record(get(), function ? record : nullptr, ears_.get()));
    ears_->record = std::move(function);
  }
  /// Hears what `trammel run` would print.
  void on_text(std::function<void(std::string_view)> function) {
    check(trammel_on_text(get(), function ? text : nullptr, ears_.get()));
    ears_->text = std::move(function);
  }

  // ---- simulations; false: stopped by what hears records
  bool run_commands() { return simulated(trammel_run_commands(get())); }
  bool advance(double end, double output_interval = 0) {
    return simulated(trammel_advance(get(), end, output_interval));
  }
  void begin(double end, double output_interval = 0) { check(trammel_begin(get(), end, output_interval)); }
  Standing step() {
    int how = TRAMMEL_NONE;
    simulated(trammel_step(get(), &how));
    return static_cast<Standing>(how);
  }
  bool finish() { return simulated(trammel_finish(get())); }
  Standing standing() const { return static_cast<Standing>(number<int>(trammel_standing)); }
  double time() const { return number<double>(trammel_time); }

  // ---- state
  Sizes sizes() const { return number<Sizes>(trammel_get_sizes); }
  std::string unknown_name(std::size_t index) const { return named(trammel_unknown_name(get(), index)); }
  std::string equation_name(std::size_t index) const { return named(trammel_equation_name(get(), index)); }
  std::vector<double> get(Quantity quantity) {
    const Sizes n = sizes();
    const bool of_coordinates = quantity == Quantity::coordinates || quantity == Quantity::velocities ||
                                quantity == Quantity::accelerations;
    std::vector<double> list(of_coordinates                      ? n.coordinates
                             : quantity == Quantity::multipliers ? n.multipliers
                                                                 : n.scalars);
    check(trammel_get(get(), static_cast<int>(quantity), list.data(), list.size()));
    return list;
  }
  void set(std::span<const double> coordinates, std::span<const double> velocities) {
    if (coordinates.size() != velocities.size())
      throw Error(TRAMMEL_USAGE, "as many velocities as coordinates are needed");
    check(trammel_set(get(), coordinates.data(), velocities.data(), coordinates.size()));
  }

  // ---- equations; no point: at the present state
  std::vector<double> residual(const Coefficients& coefficients, const Point* point = nullptr) {
    std::vector<double> list(sizes().unknowns);
    check(trammel_residual(get(), point, &coefficients, list.data(), list.size()));
    return list;
  }
  Pattern tangent_pattern() const {
    const Sizes n = sizes();
    Pattern pattern{std::vector<int>(n.unknowns + 1), std::vector<int>(n.nonzeros)};
    check(trammel_tangent_pattern(get(), pattern.column_start.data(), pattern.column_start.size(),
                                  pattern.row.data(), pattern.row.size()));
    return pattern;
  }
  std::vector<double> tangent(const Coefficients& coefficients, const Point* point = nullptr) {
    std::vector<double> list(sizes().nonzeros);
    check(trammel_tangent(get(), point, &coefficients, list.data(), list.size()));
    return list;
  }

  // ---- saving
  std::string save() {
    const void* bytes = nullptr;
    std::size_t count = 0;
    check(trammel_save(get(), &bytes, &count));
    return {static_cast<const char*>(bytes), count};
  }
  void restore(std::string_view bytes) { check(trammel_restore(get(), bytes.data(), bytes.size())); }

 private:
  struct Ears {
    Record record;
    std::function<void(std::string_view)> text;
    std::exception_ptr thrown;
  };
  struct Free {
    void operator()(trammel_model* model) const { trammel_free(model); }
  };

  Model() = default;

  template <class Load>
  void load(const Options& given, const Load& by) {
    std::vector<const char*> changes;
    for (const std::string& change : given.changes) changes.push_back(change.c_str());
    trammel_options options{};
    options.size = sizeof options;
    options.changes = changes.data();
    options.change_count = changes.size();
    options.strict = given.strict, options.permissive = given.permissive;
    options.share_reactions = given.share_reactions;
    options.threads = given.threads;
    options.linear_solver = given.linear_solver.c_str();
    trammel_model* model = nullptr;
    const int status = by(options, &model);
    if (status != TRAMMEL_OK) throw Error(status, trammel_failure(nullptr));
    model_.reset(model);
  }
  void check(int status) const {
    if (ears_->thrown) std::rethrow_exception(std::exchange(ears_->thrown, nullptr));
    if (status != TRAMMEL_OK) throw Error(status, trammel_failure(get()));
  }
  bool simulated(int status) const {
    check(status == TRAMMEL_INTERRUPTED ? TRAMMEL_OK : status);
    return status != TRAMMEL_INTERRUPTED;
  }
  template <class T>
  T number(int (*function)(trammel_model*, T*)) const {
    T value{};
    check(function(get(), &value));
    return value;
  }
  std::string named(const char* text) const {
    if (!text) throw Error(TRAMMEL_USAGE, trammel_failure(get()));
    return text;
  }
  std::vector<std::string> texts(std::size_t count,
                                 const char* (*function)(trammel_model*, std::size_t)) const {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < count; ++k) list.push_back(named(function(get(), k)));
    return list;
  }

  static int record(void* user, double time, const double* values, std::size_t count) noexcept {
    auto& ears = *static_cast<Ears*>(user);
    try {
      return ears.thrown || !ears.record(time, {values, count});
    } catch (...) {
      ears.thrown = std::current_exception();
      return 1;
    }
  }
  static void text(void* user, const char* said) noexcept {
    auto& ears = *static_cast<Ears*>(user);
    try {
      if (!ears.thrown) ears.text(said);
    } catch (...) {
      ears.thrown = std::current_exception();
    }
  }

  std::unique_ptr<Ears> ears_ = std::make_unique<Ears>();
  std::unique_ptr<trammel_model, Free> model_;
};

/// Who hears of a job: trammel_listener. Functions must not throw.
struct JobListener {
  std::function<void(std::string_view)> say, error;
  std::function<void(double begin, double end)> begin_steps;
  std::function<void(double time, double step, long long steps)> step;
  std::function<bool()> stop;
  std::function<void(std::size_t done, std::size_t failed)> variants;  ///< of a batch, by any of its threads
};

namespace detail {

inline int job(int (*function)(int, const char* const*, const trammel_listener*),
               const std::vector<std::string>& words, const JobListener& hears) {
  std::vector<const char*> list;
  for (const std::string& word : words) list.push_back(word.c_str());
  static constexpr auto of = [](void* user) -> const JobListener& {
    return *static_cast<const JobListener*>(user);
  };
  trammel_listener c{};
  c.size = sizeof c;
  c.user = const_cast<JobListener*>(&hears);
  if (hears.say) c.say = [](void* user, const char* text) { of(user).say(text); };
  if (hears.error) c.error = [](void* user, const char* text) { of(user).error(text); };
  if (hears.begin_steps) c.begin_steps = [](void* user, double b, double e) { of(user).begin_steps(b, e); };
  if (hears.step) c.step = [](void* user, double t, double h, long long n) { of(user).step(t, h, n); };
  if (hears.stop) c.stop = [](void* user) -> int { return of(user).stop(); };
  if (hears.variants)
    c.variants = [](void* user, std::size_t done, std::size_t failed, double) {
      of(user).variants(done, failed);
    };
  return function(static_cast<int>(list.size()), list.data(), &c);
}

}  // namespace detail

/// Runs a whole job by the words of a command line; its exit code.
inline int run(const std::vector<std::string>& words, const JobListener& hears = {}) {
  return detail::job(trammel_run, words, hears);
}
/// The same for many variants of one model: {"trammel", "batch", ...}.
inline int batch(const std::vector<std::string>& words, const JobListener& hears = {}) {
  return detail::job(trammel_batch, words, hears);
}

}  // namespace interface_1
}  // namespace trammel
