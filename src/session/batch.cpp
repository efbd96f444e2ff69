#include "session/batch.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "analysis/result_channels.h"
#include "assemble/model_class.h"
#include "backends/load.h"
#include "base/clock.h"
#include "integrate/device_batch.h"
#include "session/batch_device.h"
#include "session/batch_status.h"
#include "session/output_place.h"
#include "session/output_statements.h"
#include "session/run.h"
#include "session/run_log.h"
#include "session/signals.h"

namespace trammel {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_warnings = 10;  ///< warnings printed at the end
constexpr std::size_t most_texts = 1000;   ///< different warnings that are kept
constexpr int checked_at_once = 256;  ///< variants whose mistakes are held in memory before they are told

std::string label(const Variant& variant, std::size_t number) {
  const std::string text = std::to_string(number);
  return variant.name == text ? text : text + " (" + variant.name + ")";
}

/// Warnings of variants that the deck alone does not give, per text with the first variant and their number.
struct Warnings {
  struct Entry {
    std::size_t first = 0, count = 0;
  };
  std::map<std::string, Entry> texts;
  bool more = false;

  void add(const std::string& text, std::size_t variant) {
    if (texts.size() >= most_texts && !texts.contains(text)) {
      more = true;
      return;
    }
    Entry& entry = texts[text];
    entry.first = entry.count == 0 ? variant : std::min(entry.first, variant);
    ++entry.count;
  }
};

class Batch {
 public:
  Batch(const BatchOptions& options, const Listener& listener)
      : options_(options), listener_(listener), log_(listener), setting_(options) {}

  int execute() {
    try {
      return guarded();
    } catch (const Failure& failure) {
      status_.message = failure.what();
      try {
        close_status("failed", static_cast<int>(failure.code()));
      } catch (const Failure&) {  // a full disk, again
      }
      throw;
    }
  }

 private:
  int guarded() {
    check_options();
    setting_.deck = read_job(options_.job);
    setting_.deck.folder = options_.directory;
    setting_.deck.diagnostics.stop_on_errors();
    check_end_is_known(setting_.deck, options_.times);
    GeneratedTable generated(options_.generate, options_.variants);
    Diagnostics found;
    setting_.table = read_variants(options_.variants, setting_.deck.description, found);
    check_commands(setting_.table, setting_.deck.commands, found);
    setting_.interrupted = [this] {
      refresh_status();
      return stop_ || stopped_by() != 0;
    };
    setting_.stopped_by = [this] { return stopped_by(); };
    check_deck();
    threads_ = std::clamp(static_cast<int>(variants().size()), 1, threads_);
    ThreadPool pool(threads_);
    check_variants(pool, found);
    if (opening_.valid()) device_ = opening_.get();
    if (const int signal = stopped_by()) {
      log_.say("stopped by a signal before the first variant; nothing was written");
      return 128 + signal;
    }
    generated.keep();
    open_table();
    run_variants(pool);
    return finish();
  }

  /// The signal by which the batch is stopped; 0: it is not. From any thread.
  int stopped_by() {
    if (options_.stop && !asked_to_stop_)
      if (const std::unique_lock lock(stop_mutex_, std::try_to_lock); lock && options_.stop())
        asked_to_stop_ = true;
    return asked_to_stop_ ? SIGINT : SignalGuard::caught();
  }

  const std::vector<Variant>& variants() const { return setting_.table.variants; }

  void check_options() {
    check_times(options_.times);
    check_every(options_.every);
    check_linear_solver(options_.linear_solver);
    if (!options_.full && (options_.single_precision || options_.every > 1))
      fail(ExitCode::usage, "--single and --every are for the .nc files of --full");
    const int machine = static_cast<int>(std::thread::hardware_concurrency());
    threads_ = options_.threads.value_or(std::clamp(machine, 1, most_threads));
    check_threads(threads_);
    setting_.compute.linear_solver = options_.linear_solver;
    setting_.compute.share_reactions = options_.share_reactions;
    if (options_.backend == "cpu" && options_.device != 0)
      fail(ExitCode::usage, "--device {} asks for --backend cuda or host as well", options_.device);
    if (options_.backend != "cpu" && options_.linear_solver != "auto")
      fail(ExitCode::usage, "--linear-solver is for --backend cpu: variants on a device have their own");
  }

  /// Opens the device and loads its kernel while the table is checked: it takes a GPU some tenths of a
  /// second.
  void open_device(const Model& model) {
    if (options_.backend == "cpu") return;
    where_ = fmt::format("{}:{}", options_.backend, options_.device);
    opening_ = std::async(std::launch::async, [this, plain = is_plain(model)] {
      auto device = std::make_unique<Device>(load_backend(options_.backend), options_.device);
      DeviceBatch::prepare(*device, plain);
      return device;
    });
  }

  // ---- before the first run

  /// The deck without changes: its mistakes end the batch, its warnings are told once.
  void check_deck() {
    const PreparedJob deck = prepare_variant(setting_, nullptr);
    deck.job.diagnostics.stop_on_errors();
    open_device(deck.model);
    setting_.channels = make_channels(deck.model);
    setting_.unknowns = deck.model.unknowns();
    setting_.compute.structure = Assembler(deck.model).structure();
    setting_.watched = watched_channels(setting_.channels, deck.job.file, options_.channels);
    output_options(deck.plan, options_.single_precision, options_.every);
    log_.findings(deck.job);
    if (!deck.integrator_note.empty()) log_.say(deck.integrator_note);
    for (const std::string& text : model_warnings(deck.model)) log_.warn(text);
    for (const Stage& stage : deck.plan.stages)
      for (const std::string& text : stage.settings.warnings) log_.warn(text);
  }

  /// Mistakes in a variant before its first step. The model is checked where each value alone is right.
  Diagnostics mistakes_in(const Variant& variant) const {
    Diagnostics found;
    check_values(setting_.table, variant, found);
    if (found.has_errors()) return found;
    try {
      const PreparedJob prepared = prepare_variant(setting_, &variant);
      for (const Diagnostic& d : prepared.job.diagnostics.list())
        if (d.severity == Severity::error) found.add({d.severity, {}, to_string(d), d.code});
      if (!found.has_errors()) Watch(setting_.watched, setting_.channels, make_channels(prepared.model));
    } catch (const Failure& failure) {
      found.add({Severity::error, {}, failure.what(), failure.code()});
    }
    return found;
  }

  /// All mistakes of a variant: wrong values are left out and the rest checked again, until nothing is wrong
  /// or no value is to blame.
  std::vector<Diagnostic> mistakes_of(Variant variant) const {
    std::vector<Diagnostic> all;
    const std::string line = fmt::format("{}:{}", setting_.table.path, variant.line);
    Diagnostics found;
    do {
      found = mistakes_in(variant);
      for (Diagnostic d : found.list()) {
        if (d.text.find(line) == std::string::npos) d.text = line + ": " + d.text;
        all.push_back(std::move(d));
      }
    } while (leave_out_wrong(setting_.table, found, variant));
    return all;
  }

  /// All mistakes of the table, those of its headers first.
  void check_variants(ThreadPool& pool, Diagnostics& found) const {
    const int count = static_cast<int>(variants().size());
    std::vector<std::vector<Diagnostic>> mistakes(checked_at_once);
    for (int begin = 0; begin < count && !found.full(); begin += checked_at_once) {
      const int end = std::min(count, begin + checked_at_once);
      pool.run_queued(end - begin, [&](int k) {
        if (!setting_.interrupted()) mistakes[k] = mistakes_of(variants()[begin + k]);
      });
      for (std::vector<Diagnostic>& of_variant : mistakes) {
        for (Diagnostic& d : of_variant) found.add(std::move(d));
        of_variant.clear();
      }
    }
    found.stop_on_errors();
  }

  // ---- the runs

  void open_table() {
    setting_.info = info_of(setting_.deck, options_.command_line);
    setting_.prefix =
        output_prefix(setting_.deck, options_.prefix, options_.directory, "_" + stem_of(options_.variants));
    const std::string path = table_path();
    setting_.inputs = input_files(setting_.deck, options_.job);
    setting_.inputs.push_back(options_.variants);
    place_.take(setting_.prefix, setting_.inputs);
    const std::string model = model_mark(setting_.deck, options_.job, options_.times);
    const KeptLines kept = kept_lines(model);
    place_.refuse_input(path);
    if (const std::string earlier = options_.resume ? "" : place_.make_room(path); !earlier.empty())
      log_.say(fmt::format("the earlier table is kept as {}", earlier));
    table_.open(path, setting_.table, setting_.watched, kept);
    for (std::size_t k = 0; k < variants().size(); ++k)
      if (kept.lines.empty() || kept.lines[k].empty()) setting_.due.push_back(k);
    open_status(model, kept);
  }

  /// The lines of the table that --resume keeps.
  KeptLines kept_lines(const std::string& model) {
    const std::string path = table_path();
    if (!options_.resume || !fs::exists(path)) return {};
    const KeptLines kept = read_kept(path, setting_.table, setting_.watched, [&](const Variant& variant) {
      return !options_.full || fs::exists(setting_.prefix + "_" + variant.name + ".nc");
    });
    const std::size_t count = kept.done + kept.failed;
    const std::string made_by = model_in_status(status_path());
    if (count > 0 && made_by != model)
      fail(ExitCode::usage,
           "{}: {}; --resume goes on only with the same deck, --set and times: choose another -o, or leave "
           "--resume out to begin anew",
           path,
           made_by.empty() ? status_path() + ", which says what made this table, is missing or unreadable"
                           : "this table was made by another model, other commands, --set or times");
    for (const std::string& text : kept.notices) log_.say(text);
    log_.say(fmt::format("{} of {} variants stand in {} already; {} are to be computed", count,
                         variants().size(), path, variants().size() - count));
    count_[0] = kept.done;
    count_[1] = kept.failed;
    first_failed_ = kept.first_failed;
    first_failure_ = kept.first_failure;
    return kept;
  }

  // ---- the status file

  std::string status_path() const { return setting_.prefix + ".status.json"; }

  void open_status(const std::string& model, const KeptLines& kept) {
    status_.variants = variants().size();
    status_.kept = kept.done + kept.failed;
    status_.model = model;
    status_.command_line = options_.command_line;
    status_.input_file = setting_.info.input_file;
    status_.variants_file = options_.variants;
    status_.table = table_path();
    status_file_.open(status_path());
    begun_ = {};
    update_status(true);
  }

  void update_status(bool now) {
    status_.done = count_[0];
    status_.failed = count_[1];
    status_.interrupted = count_[2];
    status_.seconds = begun_.seconds();
    refresh_at_ = begun_.seconds() + 1;
    status_file_.update(status_, now);
  }

  /// Called often, from any thread: writes the status file when it is old, unless another thread is doing so.
  /// A failure is told by the next result.
  void refresh_status() {
    if (begun_.seconds() < refresh_at_.load(std::memory_order_relaxed)) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || status_.exit_code || !status_file_.is_open()) return;
    try {
      update_status(false);
    } catch (const Failure&) {
    }
  }

  void close_status(const char* state, int exit_code) {
    if (!status_file_.is_open()) return;
    const std::lock_guard lock(mutex_);
    status_.state = state;
    status_.exit_code = exit_code;
    status_.under_way = 0;
    update_status(true);
  }

  std::string table_path() const { return setting_.prefix + ".csv"; }

  void run_variants(ThreadPool& pool) {
    const Stopwatch begun;
    call(listener_.begin_variants, variants().size(), status_.kept);
    if (device_) {
      handed_back_ = run_on_device(
          setting_, *device_, where_, pool, [&](std::size_t k, const VariantResult& r) { take(k, r); },
          [&](double under_way) {
            const std::lock_guard lock(mutex_);
            call(listener_.variants, count_[0], count_[1], under_way);
            status_.under_way = under_way;
            update_status(false);
          });
    } else {
      pool.run_queued(static_cast<int>(setting_.due.size()), [&](int k) {
        const std::size_t number = setting_.due[static_cast<std::size_t>(k)];
        VariantResult result;
        if (setting_.interrupted())
          result.exit_code = setting_.stop_code();
        else
          result = run_variant(setting_, variants()[number]);
        take(number, result);
      });
    }
    seconds_ = begun.seconds();
    table_.close();
    call(listener_.end_variants);
  }

  void take(std::size_t k, const VariantResult& result) {
    const std::lock_guard lock(mutex_);
    if (stop_) return;
    ++count_[static_cast<int>(result.status)];
    if (result.status == VariantResult::Status::failed && (k < first_failed_ || count_[1] == 1)) {
      first_failed_ = k;
      first_failure_ = fmt::format("exit code {}: {}", result.exit_code, result.message);
    }
    for (const std::string& text : result.warnings) warnings_.add(text, k);
    try {
      table_.add(k, result);
      update_status(false);
    } catch (...) {
      stop_ = true;
      throw;
    }
    call(listener_.variants, count_[0], count_[1], 0.0);
  }

  // ---- the end

  void tell_warnings() {
    std::vector<std::pair<std::size_t, std::string>> texts;
    for (const auto& [text, entry] : warnings_.texts) {
      const auto& known = log_.warnings();
      if (std::find(known.begin(), known.end(), text) != known.end()) continue;
      const std::string others = entry.count > 1 ? fmt::format(" and {} more", entry.count - 1) : "";
      texts.emplace_back(entry.first,
                         fmt::format("warning: variant {}{}: {}",
                                     label(variants()[entry.first], entry.first + 1), others, text));
    }
    std::sort(texts.begin(), texts.end());
    for (std::size_t k = 0; k < std::min(texts.size(), most_warnings); ++k) log_.say(texts[k].second);
    if (texts.size() > most_warnings)
      log_.say(fmt::format("and {}{} other warnings; --full writes those of each variant to its .msg file",
                           warnings_.more ? "more than " : "", texts.size() - most_warnings));
  }

  void tell_handed_back() {
    for (const auto& [reason, entry] : handed_back_.reasons)
      log_.say(fmt::format("{} variant{} computed on the processor, the first of them {}: {}", entry.count,
                           entry.count == 1 ? " was" : "s were",
                           label(variants()[entry.first], entry.first + 1), reason));
  }

  int finish() {
    tell_warnings();
    tell_handed_back();
    const std::size_t ended = count_[0] + count_[1] - status_.kept;
    log_.say(fmt::format(
        "{} done, {} failed, {} interrupted; {:.3g} variants per second on {}{} thread{}, {:.3g} "
        "s; table in {}",
        count_[0], count_[1], count_[2], static_cast<double>(ended) / seconds_,
        device_ ? where_ + " and " : "", threads_, threads_ == 1 ? "" : "s", seconds_, table_path()));
    if (count_[1] > 0)
      call(listener_.error,
           fmt::format("{} of {} variants failed, see {}; the first is {}, {}", count_[1], variants().size(),
                       table_path(), label(variants()[first_failed_], first_failed_ + 1), first_failure_));
    const int signal = stopped_by();
    const int code =
        signal != 0 ? 128 + signal : static_cast<int>(count_[1] > 0 ? ExitCode::solver : ExitCode::ok);
    close_status(signal != 0 ? "stopped" : "finished", code);
    return code;
  }

  const BatchOptions& options_;
  const Listener& listener_;
  OutputPlace place_;
  RunLog log_;
  BatchSetting setting_;
  std::future<std::unique_ptr<Device>> opening_;
  std::unique_ptr<Device> device_;  ///< null: the processor
  std::string where_ = "cpu";
  HandedBack handed_back_;
  int threads_ = 1;
  BatchTable table_;
  BatchStatus status_;
  BatchStatusFile status_file_;
  Stopwatch begun_;
  /// When the status file is to be written again, by that clock [s].
  std::atomic<double> refresh_at_;
  std::mutex mutex_;                  ///< guards the members that follow, and the table
  std::size_t count_[3] = {0, 0, 0};  ///< by VariantResult::Status
  std::size_t first_failed_ = 0;
  std::string first_failure_;
  Warnings warnings_;
  std::atomic<bool> stop_{false};           ///< the table cannot be written
  std::atomic<bool> asked_to_stop_{false};  ///< options_.stop has returned true
  std::mutex stop_mutex_;                   ///< guards options_.stop
  double seconds_ = 0;
};

}  // namespace

int run_batch(const BatchOptions& options, Listener listener) {
  return Batch(options, listener).execute();
}

}  // namespace trammel
