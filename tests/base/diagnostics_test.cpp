// Diagnostics: how messages read, which exit code they lead to, and when they stop.
#include "base/diagnostics.h"

#include <gtest/gtest.h>

namespace trammel::diagnostics_test {
namespace {

TEST(Diagnostics, places_read_as_file_and_line) {
  EXPECT_EQ(to_string(Location{"slider.adm", 41}), "slider.adm:41");
  EXPECT_EQ(to_string(Location{"slider.adm", 0}), "slider.adm");
  EXPECT_EQ(to_string(Location{}), "");
  EXPECT_EQ(to_string(Diagnostic{Severity::error, {"a.adm", 3}, "JOINT/3: bad"}), "a.adm:3: JOINT/3: bad");
  EXPECT_EQ(to_string(Diagnostic{Severity::error, {}, "bad"}), "bad");
}

TEST(Diagnostics, counts_by_severity_and_stops_on_errors_only) {
  Diagnostics d;
  d.note({"a", 1}, "n {}", 1);
  d.warning({"a", 2}, "w {}", 2);
  EXPECT_FALSE(d.has_errors());
  EXPECT_EQ(d.exit_code(), ExitCode::ok);
  EXPECT_NO_THROW(d.stop_on_errors());
  d.error({"a", 3}, "e {}", 3);
  d.error({"a", 4}, "f {}", 4);
  EXPECT_EQ(d.count(Severity::note), 1);
  EXPECT_EQ(d.count(Severity::warning), 1);
  EXPECT_EQ(d.count(Severity::error), 2);
  try {
    d.stop_on_errors();
    FAIL() << "errors must stop";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "a:3: e 3\na:4: f 4");
    EXPECT_EQ(failure.code(), ExitCode::input);
  }
}

TEST(Diagnostics, a_mistake_of_the_deck_outranks_what_is_unsupported) {
  Diagnostics d;
  d.unsupported({"a", 1}, "u");
  EXPECT_EQ(d.exit_code(), ExitCode::unsupported);
  d.error({"a", 2}, "e");
  EXPECT_EQ(d.exit_code(), ExitCode::input);
  d.unsupported({"a", 3}, "v");
  EXPECT_EQ(d.exit_code(), ExitCode::input);
}

TEST(Diagnostics, a_thousand_of_a_kind_are_kept_and_one_says_so) {
  Diagnostics d;
  for (int k = 1; k <= 5000; ++k) d.unsupported({"a", k}, "u {}", k);
  EXPECT_TRUE(d.full());
  EXPECT_EQ(d.exit_code(), ExitCode::unsupported);
  d.error({"a", 6000}, "e");
  EXPECT_EQ(d.exit_code(), ExitCode::input) << "what is not listed counts";
  d.warning({"a", 7}, "w");
  ASSERT_EQ(d.list().size(), 1002u);
  EXPECT_EQ(d.list()[999].text, "u 1000");
  EXPECT_EQ(to_string(d.list()[1000]), "a:1001: 1000 mistakes so far: the others are not listed");
  EXPECT_EQ(d.list()[1001].text, "w");
}

TEST(Diagnostics, fail_carries_code_and_text) {
  try {
    fail(ExitCode::solver, "step {:.1f} of {}", 2.0, "x");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    EXPECT_STREQ(failure.what(), "step 2.0 of x");
  }
}

}  // namespace
}  // namespace trammel::diagnostics_test
