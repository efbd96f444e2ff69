// Every model of the project, written as a dataset and read again, is the same model: to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "dataset/reader.h"
#include "dataset/writer.h"
#include "model/compile.h"
#include "support.h"

using namespace trammel;
namespace fs = trammel_test::fs;

namespace round_trip_test {
namespace {

std::vector<fs::path> datasets() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(trammel_test::model("")))
    if (entry.path().extension() == ".adm") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// All records of five output steps.
std::vector<std::vector<double>> records(const Description& description) {
  Diagnostics diagnostics;
  Model model = compile(description, diagnostics);
  const DynamicsSettings settings = read_settings(description, diagnostics);
  diagnostics.stop_on_errors();
  std::vector<std::vector<double>> all;
  SessionEvents events;
  events.record = [&](double t, StepKind, std::span<const double> values) {
    all.emplace_back(values.begin(), values.end());
    all.back().push_back(t);
  };
  Session(std::move(model), settings, std::move(events)).run(dynamics_analysis, {0.05, 5});
  return all;
}

class RoundTrip : public testing::TestWithParam<fs::path> {};

TEST_P(RoundTrip, gives_the_same_results) {
  Diagnostics diagnostics;
  const Description first = read_dataset(GetParam().string(), diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  // In the same folder, as files that it names are found there.
  const Description second = parse_dataset(write_dataset(first), first.file, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const auto a = records(first), b = records(second);
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(a, b);
}

INSTANTIATE_TEST_SUITE_P(all, RoundTrip, testing::ValuesIn(datasets()), [](const auto& test) {
  std::string name = test.param.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace round_trip_test
