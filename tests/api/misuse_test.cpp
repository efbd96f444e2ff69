// The C functions, called wrongly: every one gives TRAMMEL_USAGE with a text, and none crashes.
#include "trammel/trammel.hpp"

#include <functional>
#include <map>

#include "decks.h"

namespace trammel_test::misuse_test {
namespace {

struct Calls {
  trammel_model* m;
  double number = 0;
  double* numbers = &number;
  int whole = 0;
  std::size_t count = 0;
  trammel_sizes sizes{};
  trammel_coefficients c{1, 1, 1, 1, 1};
  const void* bytes = nullptr;

  /// All functions that take a model, right but for it.
  std::map<std::string, std::function<int()>> with_model() {
    return {{"change", [&] { return trammel_change(m, "PART/2.MASS=1"); }},
            {"warning_count", [&] { return trammel_warning_count(m, &count); }},
            {"warning", [&] { return trammel_warning(m, 0) ? 0 : 2; }},
            {"assemble", [&] { return trammel_assemble(m); }},
            {"degrees_of_freedom", [&] { return trammel_degrees_of_freedom(m, &whole); }},
            {"redundant_count", [&] { return trammel_redundant_count(m, &count); }},
            {"redundant", [&] { return trammel_redundant(m, 0) ? 0 : 2; }},
            {"channel_count", [&] { return trammel_channel_count(m, &count); }},
            {"channel_name", [&] { return trammel_channel_name(m, 0) ? 0 : 2; }},
            {"channel_unit", [&] { return trammel_channel_unit(m, 0) ? 0 : 2; }},
            {"channel", [&] { return trammel_channel(m, "PART/2.X", &count); }},
            {"values", [&] { return trammel_values(m, numbers, 1); }},
            {"on_record", [&] { return trammel_on_record(m, nullptr, nullptr); }},
            {"on_text", [&] { return trammel_on_text(m, nullptr, nullptr); }},
            {"run_commands", [&] { return trammel_run_commands(m); }},
            {"begin", [&] { return trammel_begin(m, 1, 0); }},
            {"step", [&] { return trammel_step(m, &whole); }},
            {"finish", [&] { return trammel_finish(m); }},
            {"advance", [&] { return trammel_advance(m, 1, 0); }},
            {"standing", [&] { return trammel_standing(m, &whole); }},
            {"time", [&] { return trammel_time(m, &number); }},
            {"get_sizes", [&] { return trammel_get_sizes(m, &sizes); }},
            {"unknown_name", [&] { return trammel_unknown_name(m, 0) ? 0 : 2; }},
            {"equation_name", [&] { return trammel_equation_name(m, 0) ? 0 : 2; }},
            {"get", [&] { return trammel_get(m, TRAMMEL_COORDINATES, numbers, 1); }},
            {"set", [&] { return trammel_set(m, numbers, numbers, 1); }},
            {"residual", [&] { return trammel_residual(m, nullptr, &c, numbers, 1); }},
            {"tangent_pattern", [&] { return trammel_tangent_pattern(m, &whole, 1, &whole, 1); }},
            {"tangent", [&] { return trammel_tangent(m, nullptr, &c, numbers, 1); }},
            {"save", [&] { return trammel_save(m, &bytes, &count); }},
            {"restore", [&] { return trammel_restore(m, "x", 1); }}};
  }
};

TEST(ApiMisuse, a_model_that_is_null) {
  Calls calls{nullptr};
  for (const auto& [name, call] : calls.with_model()) {
    EXPECT_EQ(call(), TRAMMEL_USAGE) << name;
    EXPECT_STREQ(trammel_failure(nullptr), "the model: null was given") << name;
  }
  trammel_free(nullptr);
}

/// Arrays of one item, indices of what is not there, places that are null.
TEST(ApiMisuse, arrays_of_another_length_and_places_that_are_null) {
  trammel::Model model = trammel::Model::of_text(oscillator());
  Calls calls{model.get()};
  trammel_model* m = model.get();
  const std::size_t none = 100000;
  std::vector<double> right(6);
  const std::map<std::string, int> statuses = {
      {"values", trammel_values(m, calls.numbers, 1)},
      {"values null", trammel_values(m, nullptr, model.channel_count())},
      {"get", trammel_get(m, TRAMMEL_COORDINATES, calls.numbers, 1)},
      {"get null", trammel_get(m, TRAMMEL_COORDINATES, nullptr, 6)},
      {"get what", trammel_get(m, 77, right.data(), 6)},
      {"set", trammel_set(m, calls.numbers, nullptr, 1)},
      {"residual", trammel_residual(m, nullptr, &calls.c, calls.numbers, 1)},
      {"residual null", trammel_residual(m, nullptr, nullptr, right.data(), model.sizes().unknowns)},
      {"tangent", trammel_tangent(m, nullptr, &calls.c, calls.numbers, 1)},
      {"pattern", trammel_tangent_pattern(m, &calls.whole, 1, &calls.whole, 1)},
      {"change", trammel_change(m, nullptr)},
      {"warnings", trammel_warning_count(m, nullptr)},
      {"freedoms", trammel_degrees_of_freedom(m, nullptr)},
      {"redundant", trammel_redundant_count(m, nullptr)},
      {"channels", trammel_channel_count(m, nullptr)},
      {"channel", trammel_channel(m, "PART/2.X", nullptr)},
      {"channel name", trammel_channel(m, nullptr, &calls.count)},
      {"standing", trammel_standing(m, nullptr)},
      {"time", trammel_time(m, nullptr)},
      {"sizes", trammel_get_sizes(m, nullptr)},
      {"save", trammel_save(m, nullptr, &calls.count)},
      {"save count", trammel_save(m, &calls.bytes, nullptr)},
      {"restore", trammel_restore(m, nullptr, 0)},
  };
  for (const auto& [name, status] : statuses) EXPECT_EQ(status, TRAMMEL_USAGE) << name;
  EXPECT_EQ(trammel_warning(m, none), nullptr);
  EXPECT_EQ(trammel_redundant(m, 0), nullptr);
  EXPECT_EQ(trammel_channel_name(m, none), nullptr);
  EXPECT_EQ(trammel_channel_unit(m, none), nullptr);
  EXPECT_EQ(trammel_unknown_name(m, none), nullptr);
  EXPECT_EQ(trammel_equation_name(m, none), nullptr);
  EXPECT_NE(std::string(trammel_failure(m)).find("100000"), std::string::npos) << trammel_failure(m);
  model.advance(1, 0.5);  // none of it has done any harm
  EXPECT_NEAR(model.value("PART/2.X"), -0.416, 0.01);
}

TEST(ApiMisuse, loading) {
  trammel_model* m = nullptr;
  trammel_options options{};
  EXPECT_EQ(trammel_load(nullptr, nullptr, &m), TRAMMEL_USAGE);
  EXPECT_EQ(trammel_load("x.adm", nullptr, nullptr), TRAMMEL_USAGE);
  EXPECT_EQ(trammel_load_text(nullptr, nullptr, 0, nullptr, &m), TRAMMEL_USAGE);
  EXPECT_EQ(trammel_load_text(nullptr, "", 0, nullptr, &m), TRAMMEL_INPUT);
  EXPECT_EQ(trammel_load("x.adm", &options, &m), TRAMMEL_USAGE);  // size 0
  EXPECT_NE(std::string(trammel_failure(nullptr)).find("size"), std::string::npos);
  options.size = sizeof options;
  options.change_count = 1;
  EXPECT_EQ(trammel_load("x.adm", &options, &m), TRAMMEL_USAGE);
  EXPECT_EQ(m, nullptr);
}

}  // namespace
}  // namespace trammel_test::misuse_test
