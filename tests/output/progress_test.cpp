// Progress lines, with a clock that the test moves.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "output/progress.h"

namespace trammel::test::progress_test {
namespace {

/// A stream whose text the test can look at.
class Captured {
 public:
  Captured() : stream_(open_memstream(&data_, &size_)) {}
  ~Captured() {
    std::fclose(stream_);
    std::free(data_);
  }
  std::FILE* stream() { return stream_; }
  std::string text() {
    std::fflush(stream_);
    return std::string(data_, size_);
  }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* stream_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Progress, LinesNowAndThen) {
  Captured out;
  double now = 1000.0;
  ProgressOptions options;
  options.line_seconds = 30.0;
  options.clock = [&] { return now; };
  {
    Progress progress(out.stream(), 0.0, 10.0, options);
    for (int k = 1; k <= 100; ++k) {  // 100 s for the whole way
      now += 1.0;
      progress.update(0.1 * k, 1e-3, 10 * k);
    }
    progress.finish(10.0, 1e-3, 1000);
  }
  const std::string text = out.text();
  EXPECT_EQ(count(text, "\n"), 4u) << text;  // after 30, 60 and 90 s, and the end
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(text.substr(0, text.find('\n')), " 30 %  t = 3 of 10  h = 1.00e-03  300 steps  1:10 left");
  EXPECT_NE(text.find("100 %  t = 10 of 10  h = 1.00e-03  1000 steps  in 1:40\n"), std::string::npos) << text;
}

TEST(Progress, TerminalLineIsRewritten) {
  Captured out;
  double now = 0.0;
  ProgressOptions options;
  options.style = ProgressStyle::terminal;
  options.color = true;
  options.columns = 100;
  options.redraw_seconds = 0.125;
  options.clock = [&] { return now; };
  Progress progress(out.stream(), 0.0, 1.0, options);
  for (int k = 1; k <= 50; ++k) {
    now += 0.03125;  // binary fractions: 4 steps are 0.125 exactly
    progress.update(0.01 * k, 1e-4, k);
  }
  EXPECT_EQ(count(out.text(), "\r"), 12u);  // once per 0.125 s, not once per step
  EXPECT_EQ(count(out.text(), "\n"), 0u);
  EXPECT_NE(out.text().find("\x1b[32m==========\x1b[0m          ]  48 %"), std::string::npos) << out.text();
  progress.clear();
  EXPECT_EQ(out.text().substr(out.text().size() - 4), "\r\x1b[K");
  progress.finish(1.0, 1e-4, 100);
  EXPECT_EQ(out.text().back(), '\n');
}

TEST(Progress, NoColorAndNarrowTerminals) {
  Captured out;
  double now = 0.0;
  ProgressOptions options;
  options.style = ProgressStyle::terminal;
  options.columns = 30;
  options.clock = [&] { return now; };
  Progress progress(out.stream(), 0.0, 1.0, options);
  now = 5.0;
  progress.update(0.5, 1e-4, 123456);
  const std::string text = out.text();
  EXPECT_EQ(text.find("\x1b[3"), std::string::npos);
  EXPECT_LT(text.size(), 30 + std::string("\r\x1b[K").size());  // no line break by the terminal
}

TEST(Progress, TimeLeftFollowsTheRecentRate) {
  Captured out;
  double now = 0.0;
  ProgressOptions options;
  options.line_seconds = 1.0;
  options.clock = [&] { return now; };
  Progress progress(out.stream(), 0.0, 100.0, options);
  EXPECT_LT(progress.seconds_left(), 0.0);  // nothing is known yet
  double t = 0.0;
  for (int k = 0; k < 20; ++k) progress.update(t += 1.0, 0.1, k), now += 1.0;
  progress.update(t, 0.1, 20);
  EXPECT_NEAR(progress.seconds_left(), 80.0, 8.0);  // one unit per second; the first look saw one step less
  for (int k = 0; k < 200; ++k) now += 1.0, progress.update(t += 0.1, 0.1, k);
  // Ten times slower for 200 s = 10 memories of 20 s: what is left of the old rate is e^-10 of 9 times it.
  EXPECT_NEAR(progress.seconds_left(), (100.0 - t) / 0.1, 0.01 * (100.0 - t) / 0.1);
}

TEST(Progress, SilentAndFiles) {
  Captured out;
  ProgressOptions options;
  options.style = ProgressStyle::silent;
  {
    Progress progress(out.stream(), 0.0, 1.0, options);
    progress.update(0.5, 0.1, 1);
    progress.finish(1.0, 0.1, 2);
  }
  EXPECT_EQ(out.text(), "");
  std::FILE* file = std::tmpfile();
  EXPECT_EQ(progress_options_for(file).style, ProgressStyle::lines);
  EXPECT_FALSE(progress_options_for(file).color);
  std::fclose(file);
}

/// The other end of a pseudo-terminal is a terminal; NO_COLOR takes the colour away, not the line.
TEST(Progress, StyleOnATerminal) {
  const int host = posix_openpt(O_RDWR | O_NOCTTY);
  if (host < 0 || grantpt(host) != 0 || unlockpt(host) != 0) GTEST_SKIP() << "no pseudo-terminals here";
  std::FILE* terminal = std::fopen(ptsname(host), "w");
  ASSERT_NE(terminal, nullptr);
  const winsize size{24, 57, 0, 0};
  ASSERT_EQ(ioctl(host, TIOCSWINSZ, &size), 0);
  const auto with = [&](const char* no_color, const char* term) {
    setenv("NO_COLOR", no_color, 1);
    setenv("TERM", term, 1);
    return progress_options_for(terminal);
  };
  EXPECT_EQ(with("", "xterm").style, ProgressStyle::terminal);
  EXPECT_EQ(with("", "xterm").columns, 57);
  EXPECT_TRUE(with("", "xterm").color);
  EXPECT_FALSE(with("1", "xterm").color);
  EXPECT_FALSE(with("", "dumb").color);
  unsetenv("NO_COLOR");
  std::fclose(terminal);
  close(host);
}

TEST(Progress, Durations) {
  EXPECT_EQ(duration_text(7.4), "7 s");
  EXPECT_EQ(duration_text(187), "3:07");
  EXPECT_EQ(duration_text(7387), "2:03:07");
  EXPECT_EQ(duration_text(4 * 86400 + 2 * 3600), "4 d 02 h");
  EXPECT_EQ(duration_text(1e300), "-");
}

}  // namespace
}  // namespace trammel::test::progress_test
