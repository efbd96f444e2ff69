// The native file: exact values back, names, and what is left after a kill.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "output/write/native_file.h"
#include "support.h"

namespace trammel::test::native_test {
namespace {

class NativeTest : public OutputTest {
 protected:
  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());

  void write(const std::string& path, std::size_t records) {
    NativeWriter writer;
    writer.open(path, channels_, sample_info());
    for (std::size_t r = 0; r < records; ++r)
      writer.record(sample_time(r), sample_kind(r), sample_values(r, width_));
    writer.close();
  }
  /// Every record that the file says it has holds the values that were written. Returns their number.
  std::size_t verified_records(const std::string& path) {
    const NativeReader reader(path);
    const std::vector<double> time = reader.time();
    const std::vector<StepKind> kinds = reader.kinds();
    for (std::size_t r = 0; r < reader.records(); ++r) {
      EXPECT_EQ(time[r], sample_time(r));
      EXPECT_EQ(kinds[r], sample_kind(r));
      EXPECT_EQ(reader.record(r), sample_values(r, width_)) << "record " << r;
    }
    return reader.records();
  }
};

TEST_F(NativeTest, ReadsBackExactly) {
  write(file("a.nc"), 300);
  EXPECT_EQ(verified_records(file("a.nc")), 300u);
  const NativeReader reader(file("a.nc"));
  ASSERT_EQ(reader.channels().entities.size(), channels_.entities.size());
  for (std::size_t e = 0; e < channels_.entities.size(); ++e) {
    const Entity &read = reader.channels().entities[e], &written = channels_.entities[e];
    EXPECT_EQ(read.name(), written.name());
    EXPECT_EQ(read.view_name, written.view_name);
    EXPECT_EQ(read.request_type, written.request_type);
    EXPECT_EQ(read.comment, written.comment);
    ASSERT_EQ(read.components.size(), written.components.size());
    for (std::size_t c = 0; c < read.components.size(); ++c) {
      EXPECT_EQ(read.components[c].name, written.components[c].name);
      EXPECT_EQ(read.components[c].quantity, written.components[c].quantity);
    }
  }
  EXPECT_EQ(reader.info().title, sample_info().title);
  EXPECT_EQ(reader.info().command_line, sample_info().command_line);
  std::size_t at = 0;
  for (const ChannelRef& channel : reader.list()) {
    const std::vector<double> values = reader.read(channel);
    ASSERT_EQ(values.size(), 300u);
    for (std::size_t r = 0; r < 300; ++r) EXPECT_EQ(values[r], sample_value(r, at)) << channel.name;
    ++at;
  }
  EXPECT_EQ(at, width_);
}

TEST_F(NativeTest, NamesOfChannels) {
  write(file("a.nc"), 3);
  const NativeReader reader(file("a.nc"));
  const std::pair<const char*, const char*> names[] = {
      {"PART/2.X", "PART/2.X"},
      {"part/02.x", "PART/2.X"},
      {"PART_2.VX", "PART/2.VX"},
      {"boom.X", "PART/2.X"},
      {"BOOM.phi", "PART/2.PHI"},
      {".crane.boom.X", "PART/2.X"},
      {"rotation.TZ", "MOTION/4.TZ"},
      {"crane.drive.rotation.TZ", "MOTION/4.TZ"},
      {"drive.rotation.TZ", "MOTION/4.TZ"},
      {"REQ/12.F4", "REQUEST/12.F4"},
      {"VARIABLE/7", "VARIABLE/7.Q"},
      {"time", "TIME"},
  };
  for (const auto& [asked, found] : names) EXPECT_EQ(reader.find(asked).name, found) << asked;
  EXPECT_EQ(reader.find("PART/2.X").unit, "meter");
  EXPECT_EQ(reader.find("boom.x").label, "boom.X");
  EXPECT_EQ(reader.read("boom.VX")[2], sample_value(2, 6));
  EXPECT_EQ(reader.read("time"), reader.time());
}

/// A view name wins over the spelling PART_2 of a statement; the slash always means the statement.
TEST_F(NativeTest, ViewNamesComeFirst) {
  channels_.entities[1].view_name = "PART_2";
  write(file("a.nc"), 1);
  const NativeReader reader(file("a.nc"));
  EXPECT_EQ(reader.find("PART_2.X").name, "PART/30.X");
  EXPECT_EQ(reader.find("PART/2.X").name, "PART/2.X");
}

TEST_F(NativeTest, UnknownNamesAreExplained) {
  channels_.entities[3].view_name =
      "other.pivot";  // as ambiguous as "pivot" once the model's name is left out
  channels_.entities[2].view_name = "model.pivot";
  write(file("a.nc"), 1);
  const NativeReader reader(file("a.nc"));
  const auto text = [&](const char* name) {
    const Failure failure = failure_of([&] { reader.find(name); });
    EXPECT_EQ(failure.code(), ExitCode::usage);
    return std::string(failure.what());
  };
  EXPECT_NE(text("PART/3.X").find("PART/30.X"), std::string::npos);
  EXPECT_NE(text("bom.X").find("boom.X"), std::string::npos);
  EXPECT_NE(text("PART/2.Q").find("no component Q; it has X, Y, Z"), std::string::npos);
  EXPECT_NE(text("PART/2").find("needs a component: X, Y"), std::string::npos);
  EXPECT_NE(text("pivot.FX").find("can mean JOINT/1.FX, MOTION/4.FX"), std::string::npos);
  for (const char* name : {"", ".", "..", "/", "PART/", "PART/2.", "PART/99999999999999.X", "_", "."})
    EXPECT_FALSE(text(name).empty());
}

TEST_F(NativeTest, OtherFilesAreRefused) {
  std::ofstream(file("text.nc")) << "not a netCDF file, but long enough to hold a magic number";
  EXPECT_EQ(failure_of([&] { NativeReader reader(file("text.nc")); }).code(), ExitCode::input);
  EXPECT_EQ(failure_of([&] { NativeReader reader(file("absent.nc")); }).code(), ExitCode::io);
  EXPECT_EQ(failure_of([&] { NativeReader reader(folder_.string()); }).code(), ExitCode::io);
  std::ofstream(file("empty.nc"));
  EXPECT_NE(failure_of([&] { NativeReader reader(file("empty.nc")); }).code(), ExitCode::ok);
  // A header cut in the middle.
  write(file("a.nc"), 10);
  std::filesystem::resize_file(file("a.nc"), 200);
  EXPECT_NE(failure_of([&] { NativeReader reader(file("a.nc")); }).code(), ExitCode::ok);
}

TEST_F(NativeTest, HeaderAsNcdumpSeesIt) {
  const std::string ncdump = program_on_path("ncdump");
  if (ncdump.empty()) GTEST_SKIP() << "ncdump is not on the PATH";
  write(file("a.nc"), 5);
  EXPECT_EQ(output_of("ncdump -k " + file("a.nc")), "64-bit offset\n");
  const std::string text = output_of("ncdump -h " + file("a.nc"));
  for (const char* part :
       {"time = UNLIMITED ; // (5 currently)", "double time(time)", "double PART_2(time, components_18)",
        "PART_2:adams_id = 2", "PART_2:adams_name = \"boom\"", "PART_2:adams_type = \"PART\"",
        "JOINT_1:components = \"FX FY FZ TX TY TZ\"",
        "JOINT_1:units = \"newton newton newton newton-meter newton-meter newton-meter\"",
        ":integrator = \"HHT I3\"", ":command_line = \"trammel run crane.acf\"", ":version = \"0.1.0\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  // One value through ncdump's own arithmetic of the format.
  const std::string data = output_of("ncdump -p 17 -v VARIABLE_7 " + file("a.nc"));
  const std::size_t at = data.find("VARIABLE_7 =\n");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::stod(data.substr(at + 13)), sample_value(0, 48));
}

/// Runs `work` in a child process that is killed once it says so through the pipe.
void run_and_kill(const std::function<void(int)>& work, useconds_t patience = 0) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    work(ready[1]);
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  usleep(patience);
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(NativeTest, FlushedRecordsSurviveAKill) {
  const std::string path = file("a.nc");
  run_and_kill([&](int ready) {
    NativeWriter writer;
    writer.open(path, channels_, sample_info(), {std::size_t{1} << 30, 1e9});
    for (std::size_t r = 0; r < 100; ++r)
      writer.record(sample_time(r), sample_kind(r), sample_values(r, width_));
    writer.flush();
    for (std::size_t r = 100; r < 150; ++r)
      writer.record(sample_time(r), sample_kind(r), sample_values(r, width_));
    if (::write(ready, "x", 1) == 1) pause();
  });
  EXPECT_EQ(verified_records(path), 100u);  // exactly: nothing more was flushed
}

/// Killed at any moment while it writes and flushes: all records that the file counts are whole.
TEST_F(NativeTest, KilledWhileWriting) {
  std::size_t most = 0;
  for (useconds_t patience = 0; patience < 30000; patience += 2500) {
    const std::string path = file("a.nc");
    run_and_kill(
        [&](int ready) {
          NativeWriter writer;
          writer.open(path, channels_, sample_info(), {4000, 1e9});  // a flush every 9 records
          for (std::size_t r = 0; true; ++r) {
            writer.record(sample_time(r), sample_kind(r), sample_values(r, width_));
            if (r == 100 && ::write(ready, "x", 1) != 1) _exit(1);
          }
        },
        patience);
    const std::size_t records = verified_records(path);
    EXPECT_GE(records, 90u);
    most = std::max(most, records);
  }
  EXPECT_GT(most, 100u);  // else the kills came before anything interesting
}

/// Writes until it fails, in a process whose files may not exceed `bytes`: a disk that fills up.
/// Returns 42 where the failure was of the disk and named the file.
int write_until_full(const std::string& path, const Channels& channels, rlim_t bytes) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      NativeWriter writer;
      writer.open(path, channels, sample_info(), {50000, 1e9});
      const std::size_t width = static_cast<std::size_t>(channels.size());
      for (std::size_t r = 0; r < 100000; ++r)
        writer.record(sample_time(r), sample_kind(r), sample_values(r, width));
      _exit(1);
    } catch (const Failure& failure) {
      const bool named = std::string(failure.what()).find(path) != std::string::npos;
      _exit(failure.code() == ExitCode::io && named ? 42 : 2);
    }
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(NativeTest, FullDisk) {
  // In the middle of a run: what was flushed before is there. 58 values, time and kind take 476 bytes a
  // record, so 1 MiB holds about 2180; at most one flush (108 records) is lost.
  EXPECT_EQ(write_until_full(file("a.nc"), channels_, 1 << 20), 42);
  EXPECT_GT(verified_records(file("a.nc")), 2050u);
  // Before the header is whole.
  EXPECT_EQ(write_until_full(file("b.nc"), channels_, 1000), 42);
}

/// The buffer is what bounds the memory: records appear in the file as soon as it is full.
TEST_F(NativeTest, BufferIsBounded) {
  NativeWriter writer;
  const std::size_t record_bytes = width_ * sizeof(double);
  writer.open(file("a.nc"), channels_, sample_info(), {10 * record_bytes, 1e9});
  for (std::size_t r = 0; r < 95; ++r)
    writer.record(sample_time(r), sample_kind(r), sample_values(r, width_));
  EXPECT_EQ(writer.records(), 95u);
  EXPECT_EQ(verified_records(file("a.nc")), 90u);
}

TEST_F(NativeTest, WrongWidthIsADefect) {
  NativeWriter writer;
  writer.open(file("a.nc"), channels_, sample_info());
  EXPECT_EQ(failure_of([&] { writer.record(0, StepKind::dynamics, std::vector<double>(3)); }).code(),
            ExitCode::internal);
  channels_.entities.push_back(channels_.entities[0]);
  EXPECT_EQ(failure_of([&] { NativeWriter().open(file("b.nc"), channels_, sample_info()); }).code(),
            ExitCode::internal);
}

}  // namespace
}  // namespace trammel::test::native_test
