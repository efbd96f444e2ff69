// Runs of records that are killed and gone on with.
#pragma once

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>

#include "output/output_set.h"
#include "output/read/result_reader.h"
#include "support.h"

namespace trammel::test {

namespace fs = std::filesystem;

inline const std::vector<Format> all_formats = {Format::native, Format::request,  Format::results,
                                                Format::csv,    Format::graphics, Format::table};

struct OneRecord {
  double time;
  StepKind kind;
};

/// Initial conditions, a simulation, an equilibrium, and two more simulations of which the second begins
/// where the first has ended. More records than a page of the tables has.
inline std::vector<OneRecord> run_of_records() {
  std::vector<OneRecord> list = {{0, StepKind::initial_conditions}};
  for (int k = 0; k <= 30; ++k) list.push_back({0.01 * k, StepKind::dynamics});
  list.push_back({0.3, StepKind::statics});
  for (int k = 0; k <= 11; ++k) list.push_back({0.3 + 0.02 * k, StepKind::dynamics});
  for (int k = 0; k <= 13; ++k) list.push_back({0.52 + 0.03 * k, StepKind::dynamics});
  return list;
}

/// Runs `action` in a process of its own, which then is killed.
inline void in_killed_process(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      action();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      _exit(1);
    }
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "exit code " << WEXITSTATUS(status);
}

class GoOn : public OutputTest {
 protected:
  void write(OutputSet& set, std::size_t from, std::size_t to) const {
    for (std::size_t r = from; r < to; ++r)
      set.record(records_.at(r).time, records_.at(r).kind, sample_values(r, width_));
  }
  void begin(OutputSet& set, const std::string& name) const {
    set.open(channels_, info_, file(name), formats_, options_);
    set.record_input(0, sample_values(999, width_));
  }
  /// Another process has another time, number and command line.
  void go_on(OutputSet& set, const std::string& name, const std::string& saved) const {
    RunInfo info = info_;
    info.local_time = "2031-01-02 03:04:05";
    info.command_line += " --resume";
    info.process_id += 1;
    Archive archive(read_text(file(saved)));
    set.open(channels_, info, file(name), formats_, options_, &archive);
    EXPECT_TRUE(archive.at_end());
  }
  void save(OutputSet& set, const std::string& name) const {
    Archive archive;
    set.save(archive);
    std::ofstream(file(name), std::ios::binary) << archive.bytes();
  }
  void whole(const std::string& name, std::size_t records, bool successful = true) const {
    OutputSet set;
    begin(set, name);
    write(set, 0, records);
    set.close(successful);
  }
  /// A process that saves after `kept` records, writes up to record `end`, and is killed.
  void interrupted(const std::string& name, std::size_t kept, std::size_t end, bool flushes = false) const {
    in_killed_process([&] {
      OutputSet set;
      begin(set, name);
      write(set, 0, kept);
      save(set, name + ".saved");
      write(set, kept, end);
      if (flushes) set.flush();
    });
  }
  std::map<std::string, std::string> contents(const std::string& name) const {
    std::map<std::string, std::string> out;
    for (const Format format : formats_)
      out[extension_of(format)] = read_text(file(name + extension_of(format)));
    return out;
  }
  /// All but the name of the file itself, which is in its head.
  std::string text_of(const std::string& name, Format format) const {
    std::string text = read_text(file(name + extension_of(format)));
    const std::size_t at = format == Format::results ? text.find(file(name)) : std::string::npos;
    return at == std::string::npos ? text : text.erase(at, file(name).size());
  }
  void expect_equal_files(const std::string& a, const std::string& b, const std::string& what) const {
    for (const Format format : formats_)
      ASSERT_TRUE(text_of(a, format) == text_of(b, format)) << what << " " << extension_of(format);
    for (const Format format : {Format::native, Format::results}) {
      const ResultReader x(file(a + extension_of(format))), y(file(b + extension_of(format)));
      ASSERT_EQ(x.records(), y.records()) << what;
      ASSERT_EQ(x.times(), y.times()) << what;
      ASSERT_EQ(x.kinds(), y.kinds()) << what;
    }
  }
  /// Killed at every place, with some more records in the files or in memory, or all of them.
  void kill_everywhere(const std::string& what) {
    const std::size_t n = records_.size();
    whole("whole", n);
    for (std::size_t kept = 0; kept <= n; ++kept) {
      const std::size_t end = kept % 3 == 0 ? kept : kept % 3 == 1 ? std::min(kept + 4, n) : n;
      interrupted("a", kept, end, kept % 2 == 0);
      OutputSet set;
      go_on(set, "a", "a.saved");
      EXPECT_EQ(set.records(), kept);
      write(set, kept, n);
      set.close();
      expect_equal_files("a", "whole", fmt::format("{}, {} of {}", what, kept, end));
      if (HasFatalFailure()) return;
    }
  }

  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());
  RunInfo info_ = sample_info();
  std::vector<Format> formats_ = all_formats;
  std::vector<OneRecord> records_ = run_of_records();
  OutputOptions options_;
};

}  // namespace trammel::test
