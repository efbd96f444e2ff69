// Models of the public interface: loading, changes, initial conditions, channels, and what goes wrong.
#include <algorithm>
#include <cmath>
#include <thread>

#include "decks.h"

namespace trammel_test::model_test {
namespace {

using trammel::Model;
using trammel::Options;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ApiLibrary, says_which_it_is) {
  Folder f;
  const std::string told = run(f, {"--version"}).out;
  EXPECT_TRUE(has(told, std::string("trammel ") + trammel_version() + " (" + trammel_build() + ")")) << told;
  EXPECT_EQ(trammel::version(), trammel_version());
  EXPECT_EQ(trammel_abi(), TRAMMEL_ABI);
}

TEST(ApiModel, reads_a_command_file_and_a_dataset_with_the_extension_left_out) {
  Model of_commands(model("pendulum/pendulum.acf"));
  EXPECT_EQ(of_commands.degrees_of_freedom(), 1);
  Folder f;
  f.write("stone.adm", falling_body());
  Model of_dataset((f.path("stone")).string());
  EXPECT_EQ(of_dataset.degrees_of_freedom(), 6);
  EXPECT_EQ(f.list(), "stone.adm");
}

TEST(ApiModel, loading_fails_with_the_exit_codes_of_the_program) {
  Thrown t = thrown([] { Model("/nowhere/model.acf"); });
  EXPECT_EQ(t.status, TRAMMEL_IO);
  EXPECT_TRUE(has(t.text, "/nowhere/model.acf")) << t.text;
  t = thrown(
      [] { Model::of_text("title\nPART/1,GROUND\nJOINT/7,REVOLUTE,I=98,J=99\nEND\n", {}, "deck.adm"); });
  EXPECT_EQ(t.status, TRAMMEL_INPUT);
  EXPECT_TRUE(has(t.text, "deck.adm:3") && has(t.text, "98") && has(t.text, "99")) << t.text;
  const std::string with_beam = falling_body("FE_PART/1\n");
  t = thrown([&] { Model::of_text(with_beam); });
  EXPECT_EQ(t.status, TRAMMEL_UNSUPPORTED);
  EXPECT_TRUE(has(t.text, "FE_PART")) << t.text;
  Options permissive;
  permissive.permissive = true;
  const std::vector<std::string> warnings = Model::of_text(with_beam, permissive).warnings();
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                          [](const std::string& text) { return has(text, "FE_PART"); }));
}

TEST(ApiModel, options_that_cannot_be_are_wrong_calls) {
  const auto with = [](const auto& set) {
    Options options;
    set(options);
    return thrown([&] { Model::of_text(oscillator(), options); });
  };
  EXPECT_EQ(with([](Options& o) { o.threads = -1; }).status, TRAMMEL_USAGE);
  EXPECT_EQ(with([](Options& o) { o.linear_solver = "magic"; }).status, TRAMMEL_USAGE);
  EXPECT_EQ(with([](Options& o) { o.strict = o.permissive = true; }).status, TRAMMEL_USAGE);
  const Thrown t = with([](Options& o) { o.changes = {"PART/9.MASS=1"}; });
  EXPECT_EQ(t.status, TRAMMEL_INPUT);
  EXPECT_TRUE(has(t.text, "PART/9")) << t.text;
  EXPECT_EQ(with([](Options& o) { o.threads = 2, o.linear_solver = "klu"; }).status, TRAMMEL_OK);
}

TEST(ApiModel, warnings_are_those_of_the_run) {
  Model light = Model::of_text(
      "title\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=0,CM=20\nMARKER/20,PART=2\n"
      "JOINT/1,FIXED,I=20,J=10\nEND\n");
  const std::vector<std::string> warnings = light.warnings();
  const auto of_mass = [](const std::string& text) { return has(text, "PART/2 has no mass"); };
  EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(), of_mass), 1);
  EXPECT_TRUE(Model::of_text(falling_body()).warnings().empty());
}

TEST(ApiModel, names_redundant_equations) {
  Model linkage = Model::of_text(four_bar());
  linkage.assemble();
  EXPECT_EQ(linkage.degrees_of_freedom(), 1);
  const std::vector<std::string> redundant = linkage.redundant();
  ASSERT_EQ(redundant.size(), 3u);
  for (const std::string& name : redundant) EXPECT_EQ(name.substr(0, 6), "JOINT/") << name;
  EXPECT_TRUE(Model::of_text(falling_body()).redundant().empty());
}

TEST(ApiModel, channels_have_names_units_and_values) {
  Model body = Model::of_text(falling_body());
  const std::vector<trammel::Channel> channels = body.channels();
  const std::size_t z = body.channel("PART/2.Z");
  EXPECT_EQ(channels.at(z).name, "PART/2.Z");
  EXPECT_EQ(channels.at(z).unit, "meter");
  EXPECT_EQ(channels.at(body.channel("stone.VX")).unit, "meter/sec");
  EXPECT_EQ(body.value("PART/2.ACCZ"), -10);
  EXPECT_EQ(body.value("PART/2.ACCX"), 0.5);
  const Thrown t = thrown([&] { body.channel("PART/2.XX"); });
  EXPECT_EQ(t.status, TRAMMEL_USAGE);
  EXPECT_TRUE(has(t.text, "no component XX")) << t.text;
  EXPECT_EQ(thrown([&] { body.channel("TIME"); }).status, TRAMMEL_USAGE);
}

/// With the force of 1 N: x = t²/4 of 2 kg, t²/2 of 1 kg.
TEST(ApiModel, a_change_before_the_first_use_is_one_of_the_dataset) {
  Options options;
  options.changes = {"PART/2.MASS=1"};
  Model given = Model::of_text(falling_body(), options), changed = Model::of_text(falling_body());
  changed.change("PART/2, MASS=1");
  for (Model* m : {&given, &changed}) {
    m->advance(2);
    EXPECT_NEAR(m->value("PART/2.X"), 2, 1e-9);
  }
}

TEST(ApiModel, a_change_in_a_motion_goes_on_from_there) {
  Model body = Model::of_text(falling_body());
  body.advance(2, 0.1);
  body.change("PART/2.MASS=1");
  EXPECT_EQ(body.standing(), trammel::Standing::none);
  EXPECT_NEAR(body.value("PART/2.ACCX"), 1, 1e-12);
  body.advance(4, 0.1);
  EXPECT_NEAR(body.value("PART/2.X"), 1 + 1 * 2 + 0.5 * 1 * 4, 1e-8);  // x, ẋ at 2 s are 1
  EXPECT_NEAR(body.time(), 4, 0);
}

TEST(ApiModel, a_wrong_change_changes_nothing) {
  for (const double begin : {0.0, 1.0}) {
    Model body = Model::of_text(falling_body()), other = Model::of_text(falling_body());
    for (Model* m : {&body, &other})
      if (begin > 0) m->advance(begin, 0.1);
    for (const char* wrong :
         {"PART/9.MASS=1", "PART/2.MASS=-1", "SFORCE/1.FUNCTION=FROG(1)", "nonsense", "SFORCE/1.I=77"}) {
      const Thrown t = thrown([&] { body.change(wrong); });
      EXPECT_EQ(t.status, TRAMMEL_INPUT) << wrong;
      EXPECT_EQ(std::string(trammel_failure(body.get())), t.text);
    }
    for (Model* m : {&body, &other}) m->advance(2, 0.1);
    EXPECT_TRUE(same_bits(body.values(), other.values())) << begin;
  }
}

TEST(ApiModel, a_change_without_initial_conditions_changes_nothing) {
  Model linkage = Model::of_text(four_bar()), other = Model::of_text(four_bar());
  for (Model* m : {&linkage, &other}) {
    m->begin(0.4, 0.1);
    for (int k = 0; k < 3; ++k) m->step();
  }
  int said = 0;
  linkage.on_text([&](std::string_view) { ++said; });
  EXPECT_EQ(thrown([&] { linkage.change("MARKER/12.QP=30,0,0"); }).status, TRAMMEL_SOLVER);
  EXPECT_EQ(said, 0);
  EXPECT_EQ(linkage.standing(), trammel::Standing::stepping);
  for (Model* m : {&linkage, &other}) m->finish();
  EXPECT_TRUE(same_bits(linkage.values(), other.values()));
}

/// A part without mass that a force alone holds has no accelerations: no function gives a state without them.
TEST(ApiModel, without_accelerations_there_is_no_state) {
  const std::string light = "PART/3,CM=30\nMARKER/30,PART=3\nBUSHING/1,I=30,J=10,K=9,9,9,KT=9,9,9\n";
  Model never = Model::of_text(oscillator(light));
  for (int k = 0; k < 2; ++k) {
    const Thrown t = thrown([&] { k == 0 ? never.assemble() : static_cast<void>(never.values()); });
    EXPECT_EQ(t.status, TRAMMEL_SOLVER) << k;
    EXPECT_TRUE(has(t.text, "PART/3 X") && has(t.text, "give the part some mass")) << t.text;
  }
  Model changed = Model::of_text(oscillator()), other = Model::of_text(oscillator());
  for (Model* m : {&changed, &other}) {
    m->begin(0.4, 0.1);
    m->step();
  }
  EXPECT_EQ(thrown([&] { changed.change("PART/2,MASS=0"); }).status, TRAMMEL_SOLVER);
  for (Model* m : {&changed, &other}) m->finish();
  EXPECT_TRUE(same_bits(changed.values(), other.values()));
}

TEST(ApiModel, two_threads_have_the_bits_of_one) {
  const auto motion = [](const std::string& deck, double end) {
    Model m = Model::of_text(deck);
    Records records;
    records.listen(m);
    for (int k = 1; k <= 20; ++k) m.advance(end * k / 20, end / 100);
    return records.values;
  };
  const std::vector<double> a = motion(of_all_kinds(), 3), b = motion(four_bar(), 3);
  std::vector<double> a2, b2;
  std::thread first([&] { a2 = motion(of_all_kinds(), 3); }), second([&] { b2 = motion(four_bar(), 3); });
  first.join(), second.join();
  EXPECT_TRUE(same_bits(a, a2));
  EXPECT_TRUE(same_bits(b, b2));
  EXPECT_FALSE(same_bits(a, b));
}

TEST(ApiModel, failures_belong_to_their_model_and_thread) {
  Model a = Model::of_text(oscillator()), b = Model::of_text(oscillator());
  thrown([&] { a.change("PART/9.MASS=1"); });
  EXPECT_TRUE(has(trammel_failure(a.get()), "PART/9"));
  EXPECT_STREQ(trammel_failure(b.get()), "");
  thrown([] { Model("/nowhere"); });
  std::string elsewhere = "?";
  std::thread([&] { elsewhere = trammel_failure(nullptr); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_TRUE(has(trammel_failure(nullptr), "/nowhere"));
}

TEST(ApiModel, can_be_moved_with_what_hears_it) {
  Records records;
  Model a = Model::of_text(oscillator());
  records.listen(a);
  Model b = std::move(a);
  b.advance(1, 0.25);
  EXPECT_EQ(records.times, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

}  // namespace
}  // namespace trammel_test::model_test
