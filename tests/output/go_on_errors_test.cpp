// What must not be gone on with: files that are not those that were saved, or cannot be written.
#include "go_on.h"

namespace trammel::test::go_on_errors_test {
namespace {

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

}  // namespace
}  // namespace trammel::test::go_on_errors_test
