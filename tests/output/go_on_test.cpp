// Files that go on after the death of their process: in the end they are those of a run that nobody stopped.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>

#include "output/message_file.h"
#include "output/output_set.h"
#include "output/read/result_reader.h"
#include "output/status_file.h"
#include "output/write/native_file.h"
#include "support.h"

namespace trammel::test {
namespace {

namespace fs = std::filesystem;

const std::vector<Format> all_formats = {Format::native, Format::request,  Format::results,
                                         Format::csv,    Format::graphics, Format::table};

struct OneRecord {
  double time;
  StepKind kind;
};

/// Initial conditions, a simulation, an equilibrium, and two more simulations of which the second begins
/// where the first has ended. More records than a page of the tables has.
std::vector<OneRecord> run_of_records() {
  std::vector<OneRecord> list = {{0, StepKind::initial_conditions}};
  for (int k = 0; k <= 30; ++k) list.push_back({0.01 * k, StepKind::dynamics});
  list.push_back({0.3, StepKind::statics});
  for (int k = 0; k <= 11; ++k) list.push_back({0.3 + 0.02 * k, StepKind::dynamics});
  for (int k = 0; k <= 13; ++k) list.push_back({0.52 + 0.03 * k, StepKind::dynamics});
  return list;
}

/// Runs `action` in a process of its own, which then is killed.
void in_killed_process(const std::function<void()>& action) {
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

TEST_F(GoOn, EndsAsIfNobodyHadStoppedIt) {
  ASSERT_GT(records_.size(), TableFile::times_per_page + 5);
  kill_everywhere("in memory");
}

TEST_F(GoOn, AlsoWhereEveryRecordIsFlushed) {
  options_.flush_seconds = 0;
  kill_everywhere("flushed");
}

TEST_F(GoOn, AlsoWithEveryFourthRecordInSinglePrecision) {
  options_.every = 4;
  options_.single_precision = true;
  options_.results.digits = 6;
  options_.table.fixed = true;
  kill_everywhere("every 4");
}

TEST_F(GoOn, AlsoWhereBlocksOfTheFileAreFull) {
  options_.every = 3;
  options_.buffer_bytes = 3000;
  kill_everywhere("small buffer");
}

/// A process that went on is killed itself, before and after it has saved again.
TEST_F(GoOn, AgainAndAgain) {
  options_.every = 2;
  const std::size_t n = records_.size();
  whole("whole", n);
  interrupted("a", 5, 40);
  const auto second = [&](std::size_t saves, std::size_t end) {
    in_killed_process([&] {
      OutputSet set;
      go_on(set, "a", "a.saved");
      write(set, 5, saves);
      if (saves < end) save(set, "b.saved");
      write(set, saves, end);
      set.flush();
    });
  };
  second(33, 33);
  second(28, 50);
  OutputSet set;
  go_on(set, "a", "b.saved");
  write(set, 28, n);
  set.close();
  expect_equal_files("a", "whole", "twice");
}

/// A run that ends before the place that the interrupted one had reached has nothing of it behind its end.
TEST_F(GoOn, LeavesNothingOfALongerRun) {
  const std::size_t n = records_.size();
  for (const std::size_t end : {std::size_t{20}, std::size_t{24}, std::size_t{37}}) {
    for (const bool closed : {false, true}) {
      whole("whole", end, false);
      if (closed) {  // by a signal, with all that belongs to an end
        OutputSet first;
        begin(first, "a");
        write(first, 0, 20);
        save(first, "a.saved");
        write(first, 20, n);
        first.close(false);
      } else {
        interrupted("a", 20, n, true);
      }
      OutputSet set;
      go_on(set, "a", "a.saved");
      write(set, 20, end);
      set.close(false);
      expect_equal_files("a", "whole", fmt::format("{} {}", end, closed));
    }
  }
}

/// Eigenvalues, whose arrays stand before the records of a native file.
ModeSet eigenvalues(int number) {
  ModeSet out;
  out.number = number;
  out.states = 2;
  out.eigenvalue = {-0.5, 3.0 + number};
  out.damping_ratio = {0.1};
  return out;
}

/// Closed by a signal or a failure behind its checkpoint, with modes of before and of after it.
TEST_F(GoOn, AlsoWithModes) {
  formats_ = {Format::native, Format::results};
  const std::size_t n = records_.size();
  const auto write_with_modes = [&](OutputSet& set, std::size_t from, std::size_t to) {
    for (std::size_t r = from; r < to; ++r) {
      if (r == 10 || r == 30) set.modes(eigenvalues(static_cast<int>(r)));
      write(set, r, r + 1);
    }
  };
  const auto end_of = [&](OutputSet& set, std::size_t from) {
    write_with_modes(set, from, n);
    set.close();
  };
  OutputSet undisturbed;
  begin(undisturbed, "whole");
  end_of(undisturbed, 0);
  ASSERT_EQ(NativeReader(file("whole.nc")).modes().size(), 2u);
  for (const std::size_t kept : {5, 20, 40})
    for (const std::size_t end : {kept, std::size_t{50}}) {
      OutputSet first;
      begin(first, "a");
      write_with_modes(first, 0, kept);
      save(first, "a.saved");
      write_with_modes(first, kept, end);
      first.close(false);
      OutputSet second;  // is stopped itself, and has no checkpoint of its own
      go_on(second, "a", "a.saved");
      write_with_modes(second, kept, end);
      second.close(false);
      OutputSet set;
      go_on(set, "a", "a.saved");
      end_of(set, kept);
      expect_equal_files("a", "whole", fmt::format("{} {}", kept, end));
    }
  OutputSet lost;  // nobody can go on from here
  begin(lost, "a");
  write_with_modes(lost, 0, 20);
  lost.close(false);
  EXPECT_EQ(NativeReader(file("a.nc")).modes().size(), 1u);
}

/// Before the first new record, and if that process dies at once, the files are those of the moment of
/// saving.
TEST_F(GoOn, FilesAreWholeFromTheBeginning) {
  for (const std::size_t kept : {0, 1, 20, 50, 53}) {
    std::map<std::string, std::string> saved;
    in_killed_process([&] {
      OutputSet set;
      begin(set, "a");
      write(set, 0, kept);
      save(set, "a.saved");
      for (const Format format : all_formats)
        fs::copy_file(file("a") + extension_of(format), file("copy") + extension_of(format),
                      fs::copy_options::overwrite_existing);
      write(set, kept, records_.size());
      set.flush();
    });
    in_killed_process([&] {
      OutputSet set;
      go_on(set, "a", "a.saved");
    });
    for (const auto& [extension, text] : contents("a"))
      EXPECT_TRUE(extension == ".nc" || text == read_text(file("copy" + extension))) << kept << extension;
    EXPECT_EQ(NativeReader(file("a.nc")).records(), kept);
    EXPECT_EQ(ResultReader(file("a.res")).records(), kept + 1);
  }
}

/// Saved before there were files: they are created, whatever is there.
TEST_F(GoOn, BeginsWhereNothingHadBegun) {
  Archive archive;
  OutputSet().save(archive);
  whole("a", 30);
  whole("whole", 10);
  Archive saved(archive.bytes());
  OutputSet set;
  set.open(channels_, info_, file("a"), formats_, options_, &saved);
  EXPECT_TRUE(saved.at_end());
  set.record_input(0, sample_values(999, width_));
  write(set, 0, 10);
  set.close();
  expect_equal_files("a", "whole", "begun");
}

// ---- what must not be gone on with

class GoOnErrors : public GoOn {
 protected:
  void SetUp() override { interrupted("a", 20, 25, true); }

  /// Nothing goes on, and no file is changed by the attempt.
  void expect_refused(ExitCode code, const std::string& name, const std::string& reason) {
    const auto before = contents("a");
    const Failure failure = failure_of([&] {
      OutputSet set;
      Archive archive(read_text(file("a.saved")));
      set.open(channels_, info_, file("a"), formats_, options_, &archive);
    });
    const std::string text = failure.what();
    EXPECT_EQ(failure.code(), code) << text;
    EXPECT_NE(text.find(name), std::string::npos) << text;
    EXPECT_NE(text.find(reason), std::string::npos) << text;
    for (const auto& [extension, content] : contents("a"))
      EXPECT_TRUE(content == before.at(extension)) << extension << " has changed: " << text;
  }
  std::uint64_t saved_bytes(Format format) const {
    Archive archive(read_text(file("a.saved")));
    archive.section("results");
    bool open = false;
    std::vector<Format> formats;
    std::uint64_t identity = 0;
    std::vector<FilePosition> positions;
    archive(open, formats, identity, positions);
    return positions[static_cast<std::size_t>(std::find(formats.begin(), formats.end(), format) -
                                              formats.begin())]
        .bytes;
  }
};

TEST_F(GoOnErrors, MissingFiles) {
  for (const Format format : all_formats) {
    const std::string path = file("a") + extension_of(format);
    fs::rename(path, path + ".away");
    expect_refused(ExitCode::io, path, "it is not there");
    fs::rename(path + ".away", path);
  }
}

TEST_F(GoOnErrors, CutFiles) {
  for (const Format format : all_formats) {
    const std::string path = file("a") + extension_of(format);
    fs::copy_file(path, path + ".copy");
    const std::uint64_t bytes = saved_bytes(format);
    for (const std::uint64_t left : {std::uint64_t{0}, bytes / 2, bytes - 1}) {
      fs::resize_file(path, left);
      expect_refused(ExitCode::io, path, fmt::format("it has {} bytes", left));
    }
    fs::copy_file(path + ".copy", path, fs::copy_options::overwrite_existing);
    fs::resize_file(path, bytes);  // all that was there when it was saved
  }
  OutputSet set;
  go_on(set, "a", "a.saved");
  EXPECT_EQ(set.records(), 20u);
}

/// Of the same model at another time, or with another value in the record before the checkpoint.
TEST_F(GoOnErrors, OtherFiles) {
  OutputSet later, other;
  info_.local_time = "2031-01-02 03:04:05";
  begin(later, "later");
  write(later, 0, 25);
  later.close();
  begin(other, "other");
  write(other, 0, 19);
  other.record(records_[19].time, records_[19].kind, sample_values(77, width_));
  write(other, 20, 30);
  other.close();
  for (const std::string name : {"later", "other"}) {
    for (const Format format : all_formats) {
      if (name == "later" && format == Format::csv) continue;    // has no date, so that the two are equal
      if (name == "other" && format == Format::table) continue;  // the page is not full: not in the file yet
      const std::string path = file("a") + extension_of(format);
      fs::rename(path, path + ".away");
      fs::copy_file(file(name) + extension_of(format), path);
      ASSERT_GE(fs::file_size(path), saved_bytes(format));
      expect_refused(ExitCode::io, path, "it is not the file that was written");
      fs::rename(path + ".away", path);
    }
  }
  const std::string noise(fs::file_size(file("a.nc")), 'x');
  std::ofstream(file("a.nc")) << noise;
  expect_refused(ExitCode::io, file("a.nc"), "it is not the file that was written");
  fs::remove(file("a.nc"));
  fs::create_directory(file("a.nc"));
  expect_refused(ExitCode::io, file("a.nc"), "it is not a regular file");
}

TEST_F(GoOnErrors, OtherChannelsAndOptions) {
  const std::vector<std::function<void(OutputOptions&)>> changes = {
      [](OutputOptions& o) { o.every = 2; }, [](OutputOptions& o) { o.single_precision = true; },
      [](OutputOptions& o) { o.results.digits = 9; }, [](OutputOptions& o) { o.table.scale[2][1] = 7; }};
  const OutputOptions options = options_;
  for (const auto& change : changes) {
    change(options_);
    expect_refused(ExitCode::input, file("a"), "other options");
    options_ = options;
  }
  options_.flush_seconds = 7;  // is no part of the results
  channels_.entities[1].components.change()[3].name = "PHI3";
  expect_refused(ExitCode::input, file("a"), "other channels");
  channels_ = sample_channels();
  formats_.pop_back();
  expect_refused(ExitCode::input, file("a"), "other formats");
  formats_ = all_formats;
  OutputSet set;
  go_on(set, "a", "a.saved");
  EXPECT_EQ(set.records(), 20u);
}

/// No room for more: what was there before the checkpoint stays, and whole records behind it.
TEST_F(GoOnErrors, FullDisk) {
  for (const Format format : {Format::native, Format::request, Format::results, Format::csv}) {
    formats_ = {format};
    options_.flush_seconds = 0;
    interrupted("b", 20, 40);
    const std::string path = file("b") + extension_of(format);
    const rlim_t room = fs::file_size(path) * 3 / 4;
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{room, room};
      setrlimit(RLIMIT_FSIZE, &limit);
      try {
        OutputSet set;
        go_on(set, "b", "b.saved");
        write(set, 20, records_.size());
        set.close();
      } catch (const Failure& failure) {
        _exit(static_cast<int>(failure.code()));
      }
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 7) << path;
    EXPECT_LE(fs::file_size(path), room);
    whole("whole", records_.size());
    const ResultReader cut(path), all(file("whole") + extension_of(format));
    EXPECT_GE(cut.records(), 20u) << path;
    EXPECT_LT(cut.records(), 40u) << path;
    std::vector<double> a(all.width()), b(all.width());
    for (std::size_t r = 0; r < cut.records(); ++r) {
      cut.record(r, a);
      all.record(r, b);
      EXPECT_EQ(cut.times()[r], all.times()[r]);
      EXPECT_EQ(a, b) << path << " " << r;
    }
    for (const std::string& notice : cut.notices())  // of .res: that its run failed
      EXPECT_NE(notice.find("has not ended as asked (status Failed)"), std::string::npos) << notice;
  }
}

// ---- files of text alone

TEST_F(GoOn, MessageFile) {
  MessageFile whole, first, second;
  for (MessageFile* m : {&whole, &first}) {
    m->open(file(m == &whole ? "whole.msg" : "a.msg"), info_);
    m->note("one");
  }
  FilePosition position = first.position();
  Archive archive;
  archive(position);
  first.note("lost");
  Archive saved(archive.bytes());
  FilePosition restored;
  saved(restored);
  second.open(file("a.msg"), restored);
  EXPECT_EQ(second.size(), whole.size());
  for (MessageFile* m : {&whole, &second}) m->warning("two");
  EXPECT_EQ(read_text(file("a.msg")), read_text(file("whole.msg")));
}

/// What has no position is written on as it is.
TEST_F(GoOn, Devices) {
  StreamFile device;
  device.open("/dev/null");
  device.write("text");
  const FilePosition position = device.position();
  EXPECT_FALSE(position.regular);
  StreamFile again;
  again.open("/dev/null", position);
  again.write("more");
  again.close();
  EXPECT_EQ(again.size(), 8u);
  std::ofstream(file("a")) << "a file of that name";
  EXPECT_EQ(failure_of([&] { again.open(file("a"), position); }).code(), ExitCode::io);
  EXPECT_EQ(read_text(file("a")), "a file of that name");
}

TEST_F(GoOn, AFileThatIsGoneHasNoPosition) {
  StreamFile stream;
  stream.open(file("a"));
  stream.write("text");
  fs::remove(file("a"));
  const Failure failure = failure_of([&] { stream.position(); });
  EXPECT_EQ(failure.code(), ExitCode::io);
  EXPECT_NE(std::string(failure.what()).find(file("a")), std::string::npos);
}

}  // namespace
}  // namespace trammel::test
