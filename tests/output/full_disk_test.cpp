// Writes that fail anywhere: what is in a file afterwards is whole, true, and counted.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "output/output_set.h"
#include "output/read/result_reader.h"
#include "output/replacement.h"
#include "output/status_file.h"
#include "support.h"

namespace trammel::test::full_disk_test {
namespace {

constexpr std::size_t records = 200;
constexpr std::size_t buffer = 4000;  // bytes: a flush every few records

/// Writes all records into one file; returns the exit code of the failure that stops it, else 0.
int write_records(const std::string& path, Format format, const Channels& channels) {
  OutputOptions options;
  options.buffer_bytes = buffer;
  options.flush_seconds = 0;
  OutputSet set;
  int code = 0;
  try {
    set.open_file(channels, sample_info(), path, format, options);
    const auto width = static_cast<std::size_t>(channels.size());
    for (std::size_t r = 0; r < records; ++r)
      set.record(sample_time(r), sample_kind(r), sample_values(r, width));
    set.close();
  } catch (const Failure& failure) {
    code = static_cast<int>(failure.code());
    try {
      set.close(false);
    } catch (const Failure&) {
      code = 99;  // the file that failed is closed by then
    }
  }
  return code;
}

/// The same in a process whose files may not exceed `bytes`.
int write_with_limit(const std::string& path, Format format, const Channels& channels, std::uint64_t bytes) {
  return with_file_limit(bytes, [&] { return write_records(path, format, channels); });
}

class FullDisk : public OutputTest, public testing::WithParamInterface<Format> {
 protected:
  /// A gamut of sizes: in the head, in the first records, in the middle, near the end.
  std::vector<std::uint64_t> limits(std::uint64_t whole) const {
    std::vector<std::uint64_t> out;
    for (std::uint64_t k = 0; k < 60; ++k) out.push_back(whole * k / 60 + k * 7 % 97);
    return out;
  }
  Channels channels_ = sample_channels();
};

/// Formats that are read back: the records are the first of those that were written, and the reader has
/// nothing to say against the file.
class ReadBack : public FullDisk {};

TEST_P(ReadBack, WhatIsThereIsWholeAndCounted) {
  const std::string name = std::string("a") + extension_of(GetParam());
  ASSERT_EQ(write_records(file(name), GetParam(), channels_), 0);
  const std::uint64_t whole = std::filesystem::file_size(file(name));
  const ResultReader all(file(name));
  const std::uint64_t each = whole / all.records();
  std::size_t least = records, most = 0;
  for (const std::uint64_t limit : limits(whole)) {
    std::filesystem::remove(file(name));
    ASSERT_EQ(write_with_limit(file(name), GetParam(), channels_, limit), 7) << limit;
    if (!std::filesystem::exists(file(name))) {  // not even its head
      EXPECT_LT(limit, 20000u);
      continue;
    }
    ASSERT_LE(std::filesystem::file_size(file(name)), limit);
    const ResultReader cut(file(name));
    for (const std::string& notice : cut.notices())  // of .res: that its run failed, nothing of an early end
      EXPECT_NE(notice.find("has not ended as asked (status Failed)"), std::string::npos) << notice;
    ASSERT_LE(cut.records(), all.records());
    std::vector<double> a(all.width()), b(all.width());
    for (std::size_t r = 0; r < cut.records(); ++r) {
      EXPECT_EQ(cut.times()[r], all.times()[r]);
      EXPECT_EQ(cut.kinds()[r], all.kinds()[r]);
      cut.record(r, a);
      all.record(r, b);
      ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << limit << " " << r;
    }
    // No more is lost than the record that did not fit; lines of text differ in length, .nc has blocks of
    // 4096 bytes, which fit as a whole or not.
    const std::uint64_t used = std::filesystem::file_size(file(name));
    EXPECT_GE(used + 2 * each + 4096 + 200, limit) << limit;
    least = std::min(least, cut.records());
    most = std::max(most, cut.records());
  }
  EXPECT_LT(least, 10u);
  EXPECT_GT(most, records / 2);
}

INSTANTIATE_TEST_SUITE_P(all, ReadBack,
                         testing::Values(Format::native, Format::results, Format::request, Format::csv),
                         [](const auto& test) { return std::string(extension_of(test.param) + 1); });

/// Formats for people and animations: whole lines, the same as those of the whole file.
class Lines : public FullDisk {};

TEST_P(Lines, AreThoseOfTheWholeFile) {
  channels_.entities.pop_back();  // one request: lines of a page that is not full begin the full one
  const std::string name = std::string("a") + extension_of(GetParam());
  ASSERT_EQ(write_records(file(name), GetParam(), channels_), 0);
  const std::uint64_t whole = std::filesystem::file_size(file(name));
  const std::vector<std::string> all = read_lines(file(name));
  std::size_t most = 0;
  for (const std::uint64_t limit : limits(whole)) {
    std::filesystem::remove(file(name));
    ASSERT_EQ(write_with_limit(file(name), GetParam(), channels_, limit), 7) << limit;
    if (!std::filesystem::exists(file(name))) continue;
    const std::string text = read_text(file(name));
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(text.back(), '\n');
    const std::vector<std::string> lines = read_lines(file(name));
    ASSERT_LE(lines.size(), all.size());
    for (std::size_t k = 2; k < lines.size(); ++k) ASSERT_EQ(lines[k], all[k]) << limit << " " << k;
    if (GetParam() == Format::graphics) {  // the head, then a time and a line for each part
      const std::size_t head = 3 + 3, rows = 1 + 2;
      EXPECT_GE(lines.size(), head);
      EXPECT_EQ((lines.size() - head) % rows, 0u) << limit;
    }
    most = std::max(most, lines.size());
  }
  EXPECT_GT(most, all.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(all, Lines, testing::Values(Format::graphics, Format::table),
                         [](const auto& test) { return std::string(extension_of(test.param) + 1); });

// ---- the account of a run

using AccountTest = OutputTest;

/// A name so long that no temporary file beside it can be made: as on a disk without a free block.
TEST_F(AccountTest, IsWrittenOverWhereNothingCanTakeItsPlace) {
  const std::string path = file(std::string(240, 's') + ".status.json");
  ASSERT_LT(path.size() - folder_.string().size(), 254u);
  RunStatus status;
  std::ofstream(path) << "{}";
  status.message = std::string(3000, 'x');
  write_status(path, status, "");
  status.state = "failed";
  status.exit_code = 7;
  status.message = "short";
  write_status(path, status, "");
  const nlohmann::json json = nlohmann::json::parse(read_text(path));  // nothing of the longer one is behind
  EXPECT_EQ(json["state"], "failed");
  EXPECT_EQ(json["exit_code"], 7);
}

TEST_F(AccountTest, LeavesNoTemporaryFiles) {
  for (int k = 0; k < 3; ++k) write_status(file("a.json"), RunStatus(), "");
  std::filesystem::create_directory(file("folder"));
  EXPECT_EQ(failure_of([&] { replace_file(file("folder"), "text"); }).code(), ExitCode::io);
  EXPECT_EQ(failure_of([&] { replace_file(file("none/a"), "text"); }).code(), ExitCode::io);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2u);
}

}  // namespace
}  // namespace trammel::test::full_disk_test
