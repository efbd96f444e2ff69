// Files that go on after the death of their process: in the end they are those of a run that nobody stopped.
#include "go_on.h"
#include "output/message_file.h"
#include "output/write/native_file.h"

namespace trammel::test::go_on_test {
namespace {

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
}  // namespace trammel::test::go_on_test
