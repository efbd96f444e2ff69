// All files together, and what happens when the disk does not take them.
#include <gtest/gtest.h>

#include <chrono>

#include <unistd.h>

#include <fstream>

#include "output/message_file.h"
#include "output/output_set.h"
#include "output/predicted_size.h"
#include "output/status_file.h"
#include "output/write/native_file.h"
#include "output/write/request_file.h"
#include "support.h"

namespace trammel::test::output_set_test {
namespace {

class OutputSetTest : public OutputTest {
 protected:
  Channels channels_ = sample_channels();
  std::size_t width_ = static_cast<std::size_t>(channels_.size());
};

TEST_F(OutputSetTest, WritesAllFormats) {
  OutputSet outputs;
  outputs.open(channels_, sample_info(), file("run"),
               {Format::request, Format::native, Format::results, Format::native});
  constexpr std::size_t records = 25;
  for (std::size_t r = 0; r < records; ++r)
    outputs.record(sample_time(r), sample_kind(r), sample_values(r, width_));
  outputs.flush();
  // Everything is readable before the end of the run.
  EXPECT_EQ(NativeReader(file("run.nc")).records(), records);
  outputs.close();
  EXPECT_EQ(outputs.records(), records);
  const std::vector<FileReport> files = outputs.files();
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].path, file("run.req"));
  EXPECT_EQ(files[1].path, file("run.nc"));
  EXPECT_EQ(files[2].path, file("run.res"));
  for (const FileReport& report : files) EXPECT_EQ(report.bytes, std::filesystem::file_size(report.path));
  // The .req file has no record of the input state; a header of 3 lines, 2 per request, 3 per record.
  EXPECT_EQ(read_lines(file("run.req")).size(), 3 + 2 * 2 + 3 * (records - 1));
  EXPECT_EQ(NativeReader(file("run.nc")).record(24), sample_values(24, width_));
}

TEST_F(OutputSetTest, TimeDrivesTheFlush) {
  OutputOptions options;
  options.flush_seconds = 0.0;  // always due
  OutputSet outputs;
  outputs.open(channels_, sample_info(), file("run"), {Format::request, Format::native}, options);
  for (std::size_t r = 1; r < 4; ++r) {
    outputs.record(sample_time(r), sample_kind(r), sample_values(r, width_));
    EXPECT_EQ(NativeReader(file("run.nc")).records(), r);
    EXPECT_EQ(read_lines(file("run.req")).size(), 3 + 2 * 2 + 3 * r);
  }
}

TEST_F(OutputSetTest, CanBeUsedAgain) {
  OutputSet outputs;
  for (const char* name : {"one", "two"}) {
    outputs.open(channels_, sample_info(), file(name), {Format::native});
    outputs.record(1.0, StepKind::statics, sample_values(5, width_));
    outputs.close();
    EXPECT_EQ(outputs.records(), 1u);
    EXPECT_EQ(NativeReader(file(std::string(name) + ".nc")).kinds().at(0), StepKind::statics);
  }
  EXPECT_EQ(failure_of([&] { outputs.record(2.0, StepKind::statics, sample_values(5, width_)); }).code(),
            ExitCode::internal);
}

TEST_F(OutputSetTest, EmptyModelAndNoFormats) {
  OutputSet outputs;
  outputs.open({}, sample_info(), file("empty"), {Format::request, Format::native, Format::results});
  outputs.record(0.5, StepKind::dynamics, {});
  outputs.close();
  EXPECT_EQ(NativeReader(file("empty.nc")).time(), std::vector<double>{0.5});
  outputs.open(channels_, sample_info(), file("none"), {});
  outputs.record(0.0, StepKind::dynamics, sample_values(0, width_));
  outputs.close();
  EXPECT_TRUE(outputs.files().empty());
}

TEST(Formats, Names) {
  EXPECT_EQ(parse_format("REQ"), Format::request);
  EXPECT_EQ(parse_format("nc"), Format::native);
  EXPECT_EQ(parse_format("res"), Format::results);
  EXPECT_EQ(parse_format("h5"), std::nullopt);
}

using IoErrors = OutputSetTest;

/// Writers of every kind, into a given file.
std::vector<std::pair<const char*, std::function<void(const std::string&)>>> writers(const Channels& channels,
                                                                                     std::size_t width) {
  return {
      {"msg", [](const std::string& path) { MessageFile().open(path, sample_info()); }},
      {"req", [=](const std::string& path) { RequestFile().open(path, channels, sample_info()); }},
      {"res", [=](const std::string& path) { ResultsFile().open(path, channels, sample_info()); }},
      {"nc",
       [=](const std::string& path) {
         NativeWriter writer;
         writer.open(path, channels, sample_info());
         for (std::size_t r = 0; r < 1000; ++r)
           writer.record(sample_time(r), sample_kind(r), sample_values(r, width));
         writer.close();
       }},
      {"stream",
       [](const std::string& path) {
         StreamFile stream;
         stream.open(path);
         stream.write("text");
         stream.close();
       }},
  };
}

void expect_io_failure(const char* kind, const std::function<void()>& action, const std::string& path,
                       const std::string& reason) {
  const Failure failure = failure_of(action);
  const std::string text = failure.what();
  EXPECT_EQ(failure.code(), ExitCode::io) << kind;
  EXPECT_NE(text.find(path), std::string::npos) << kind << ": " << text;
  EXPECT_NE(text.find(reason), std::string::npos) << kind << ": " << text;
}

TEST_F(IoErrors, FullDevice) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "this machine has no /dev/full";
  for (const auto& [kind, write] : writers(channels_, width_)) {
    const bool seeks = std::string(kind) == "nc";  // refused, because the format is not a stream
    expect_io_failure(
        kind, [&, w = &write] { (*w)("/dev/full"); }, "/dev/full",
        seeks ? "not a regular file" : "No space left on device");
    ASSERT_TRUE(std::filesystem::is_character_file("/dev/full")) << kind << " has replaced the device";
  }
}

TEST_F(IoErrors, FoldersThatAreNone) {
  std::ofstream(file("plain")) << "x";
  for (const auto& [kind, write] : writers(channels_, width_)) {
    const std::string missing = file("absent/run.x"), through = file("plain/run.x");
    expect_io_failure(
        kind, [&, w = &write] { (*w)(missing); }, missing, "No such file or directory");
    expect_io_failure(
        kind, [&, w = &write] { (*w)(through); }, through, "Not a directory");
    expect_io_failure(
        kind, [&, w = &write] { (*w)(folder_.string()); }, folder_.string(), "Is a directory");
  }
  expect_io_failure(
      "status", [&] { StatusFile(file("absent/a.json")).update({}, true); }, "absent/a.json", "No such file");
}

TEST_F(IoErrors, FoldersWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "permissions do not bind the superuser";
  std::filesystem::permissions(folder_,
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  for (const auto& [kind, write] : writers(channels_, width_))
    expect_io_failure(
        kind, [&, w = &write] { (*w)(file("run.x")); }, file("run.x"), "Permission denied");
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
}

/// A failed writer does not fail again, nor write, when it is destroyed.
TEST_F(IoErrors, FailureIsReportedOnce) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "this machine has no /dev/full";
  StreamFile stream;
  stream.open("/dev/full");
  stream.write("text");
  EXPECT_THROW(stream.flush(), Failure);
  EXPECT_NO_THROW(stream.close());
}

/// The size that is told before a run is the size afterwards, where the format has a fixed width.
TEST_F(OutputSetTest, SizesAreKnownBefore) {
  for (const long long records : {0LL, 1LL, 50LL, 137LL}) {
    for (const bool single : {false, true}) {
      OutputOptions options;
      options.single_precision = single;
      OutputSet outputs;
      outputs.open(
          channels_, sample_info(), file("run"),
          {Format::native, Format::request, Format::graphics, Format::table, Format::results, Format::csv},
          options);
      for (long long r = 0; r < records; ++r)
        outputs.record(0.3 * static_cast<double>(r), StepKind::dynamics,
                       sample_values(static_cast<std::size_t>(r), width_));
      outputs.close();
      const auto predicted = [&](Format format) {
        return predicted_size(format, channels_, sample_info(), options, records).bytes;
      };
      const auto size = [&](const char* name) { return std::filesystem::file_size(file(name)); };
      EXPECT_EQ(predicted(Format::native), size("run.nc")) << records;
      EXPECT_EQ(predicted(Format::request), size("run.req")) << records;
      EXPECT_EQ(predicted(Format::graphics), size("run.gra")) << records;
      EXPECT_EQ(predicted(Format::table), size("run.out")) << records;
      // 16 characters are assumed in the mean, and one behind; sample_value() has up to 23 with its exponent.
      for (const auto& [format, name] :
           {std::pair(Format::results, "run.res"), std::pair(Format::csv, "run.csv")}) {
        const double ratio = static_cast<double>(size(name)) / static_cast<double>(predicted(format));
        EXPECT_GT(ratio, 0.9) << name << records;
        EXPECT_LT(ratio, 23.0 / 16.0) << name << records;
      }
    }
  }
}

/// Of many entities a sample is measured; what is of fixed width is still exact.
TEST_F(OutputSetTest, SizesOfManyEntitiesAreKnownBefore) {
  Channels many;
  many.units = channels_.units;
  const auto fill = [&](int copies) {
    for (int k = 0; k < copies; ++k)
      for (Entity e : channels_.entities) {
        e.id += 100 * (k + 1);
        if (!e.view_name.empty()) e.view_name += std::to_string(k + 1);
        many.entities.push_back(std::move(e));
      }
  };
  fill(150);
  OutputOptions options;
  OutputSet outputs;
  outputs.open(
      many, sample_info(), file("run"),
      {Format::native, Format::request, Format::graphics, Format::table, Format::results, Format::csv},
      options);
  const auto width = static_cast<std::size_t>(many.size());
  std::vector<double> values(width);
  constexpr int records = 63;
  for (int r = 0; r < records; ++r) {
    for (std::size_t k = 0; k < width; ++k)
      values[k] = (k + 3) % 8 == 0 ? 0 : 60 * std::sin(0.7 * r + 1.3 * static_cast<double>(k));
    outputs.record(0.3 * r, StepKind::dynamics, values);
  }
  outputs.close();
  for (const auto& [format, name, tolerance] :
       {std::tuple(Format::native, "run.nc", 0.0), std::tuple(Format::request, "run.req", 0.0),
        // Names in the head have three to five digits, and the sample not quite in these proportions.
        std::tuple(Format::graphics, "run.gra", 1e-3), std::tuple(Format::table, "run.out", 1e-3),
        // An eighth is 0, as the prediction assumes; lengths of the others vary by a digit or two.
        std::tuple(Format::results, "run.res", 0.02), std::tuple(Format::csv, "run.csv", 0.02)}) {
    const double size = static_cast<double>(std::filesystem::file_size(file(name)));
    const double predicted =
        static_cast<double>(predicted_size(format, many, sample_info(), options, records).bytes);
    EXPECT_NEAR(predicted, size, tolerance * size) << name;
  }
  // Parts and joints, 150000 in all formats: 0.4 s on one core of a server, where writing them takes 15 s.
  many.entities.clear();
  for (int k = 0; k < 150000; ++k) {
    many.entities.push_back(channels_.entities[k % 2 ? 0 : 2]);
    many.entities.back().id = k + 1;
  }
  const auto begin = std::chrono::steady_clock::now();
  for (const Format format :
       {Format::native, Format::request, Format::graphics, Format::table, Format::results, Format::csv})
    EXPECT_GT(predicted_size(format, many, sample_info(), options, 1000).bytes, 0u);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(seconds, 3);
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds));
}

}  // namespace
}  // namespace trammel::test::output_set_test
