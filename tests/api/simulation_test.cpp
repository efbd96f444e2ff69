// Simulations of the public interface: commands, steps, stops, sensors, failures, and saving.
#include <cmath>
#include <stdexcept>

#include "decks.h"

namespace trammel_test::simulation_test {
namespace {

using trammel::Model;
using trammel::Standing;

TEST(ApiSimulation, advances_with_records_at_every_interval) {
  Model m = Model::of_text(oscillator("INTEGRATOR/HHT,ERROR=1E-9\n"));
  Records records;
  records.listen(m);
  EXPECT_TRUE(m.advance(1, 0.125));
  EXPECT_TRUE(m.advance(1.5));
  EXPECT_EQ(m.standing(), Standing::complete);
  const std::size_t x = m.channel("PART/2.X"), n = m.channel_count();
  ASSERT_EQ(records.times.size(), 9u + 2u);
  for (std::size_t k = 0; k < records.times.size(); ++k) {
    const double t = k < 9 ? 0.125 * static_cast<double>(k) : k == 9 ? 1 : 1.5;
    EXPECT_EQ(records.times[k], t);
    EXPECT_NEAR(records.values[k * n + x], std::cos(2 * t), 2e-5) << t;
  }
  EXPECT_EQ(m.time(), 1.5);
  m.on_record(nullptr);
  m.advance(2, 0.1);
  EXPECT_EQ(records.times.size(), 11u);
}

TEST(ApiSimulation, steps_are_those_of_the_whole_whatever_is_asked_between_them) {
  Model whole = Model::of_text(of_all_kinds()), steps = Model::of_text(of_all_kinds());
  Records of_whole, of_steps;
  of_whole.listen(whole), of_steps.listen(steps);
  whole.advance(2, 0.1);
  steps.begin(2, 0.1);
  int count = 0;
  double before = 0;
  for (Standing how = Standing::stepping; how == Standing::stepping; ++count) {
    how = steps.step();
    EXPECT_GT(steps.time(), before);
    EXPECT_LE(steps.time() - before, 0.1 + 1e-12);
    before = steps.time();
    const trammel::Coefficients c{0.01, 0.1, 1, 0.1, 1};
    std::vector<double> elsewhere = steps.get(trammel::Quantity::coordinates);
    for (double& q : elsewhere) q += 0.1;
    trammel::Point point{};
    point.time = 7, point.coordinates = elsewhere.data();
    steps.residual(c, &point), steps.tangent(c), steps.tangent(c, &point);
    steps.values();
    if (count == 3) steps.save();
  }
  EXPECT_GE(count, 20);
  EXPECT_EQ(steps.standing(), Standing::complete);
  EXPECT_EQ(of_steps.times, of_whole.times);
  EXPECT_TRUE(same_bits(of_steps.values, of_whole.values));
  EXPECT_TRUE(same_bits(steps.values(), whole.values()));
}

TEST(ApiSimulation, stopped_by_a_record_it_goes_on_with_the_same_bits) {
  for (const bool by_steps : {false, true}) {
    Model whole = Model::of_text(of_all_kinds()), stopped = Model::of_text(of_all_kinds());
    Records of_whole, of_stopped;
    of_stopped.stop_at = 6;
    of_whole.listen(whole), of_stopped.listen(stopped);
    EXPECT_TRUE(whole.advance(1, 0.1));
    EXPECT_FALSE(stopped.advance(1, 0.1));
    EXPECT_EQ(stopped.standing(), Standing::stepping);
    EXPECT_EQ(of_stopped.times.size(), 6u);
    if (by_steps)
      while (stopped.step() == Standing::stepping) {
      }
    else
      EXPECT_TRUE(stopped.finish());
    EXPECT_TRUE(same_bits(of_stopped.values, of_whole.values));
  }
}

TEST(ApiSimulation, commands_have_the_bits_of_the_programs_file) {
  Folder f;
  ASSERT_EQ(run(f, {"run", model("slider_crank/slider_crank.acf").string(), "--end", "0.5", "--quiet"}).code,
            0);
  f.write("short.acf",
          "slider_crank\nshort\nINTEGRATOR/HHT, ERROR=1.0E-9\nSIMULATE/DYNAMIC, END=0.5, STEPS=200\n");
  fs::copy_file(model("slider_crank/slider_crank.adm"), f.path("slider_crank.adm"));
  for (const int stop_at : {-1, 50}) {
    Model m(f.path("short.acf").string());
    Records records;
    records.stop_at = stop_at;
    records.listen(m);
    EXPECT_EQ(m.run_commands(), stop_at < 0);
    EXPECT_EQ(records.times.size(), stop_at > 0 ? 50u : 201u);
    EXPECT_TRUE(m.run_commands());
    EXPECT_TRUE(same_bits(records.times, f.channel("slider_crank.nc", "time")));
    const std::vector<trammel::Channel> channels = m.channels();
    for (std::size_t c = 0; c < channels.size(); ++c) {
      std::vector<double> column;
      for (std::size_t k = c; k < records.values.size(); k += channels.size())
        column.push_back(records.values[k]);
      EXPECT_TRUE(same_bits(column, f.channel("slider_crank.nc", channels[c].name))) << channels[c].name;
    }
  }
}

TEST(ApiSimulation, commands_change_the_model_and_channels_stay) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("stone.acf",
          "stone\nstone\nSIMULATE/DYNAMIC,END=1,STEPS=5\nDEACTIVATE/SFORCE,ID=1\n"
          "SIMULATE/DYNAMIC,END=3,STEPS=5\n");
  Model m(f.path("stone.acf").string());
  std::vector<std::string> said;
  m.on_text([&](std::string_view text) { said.emplace_back(text); });
  const std::size_t n = m.channel_count();
  EXPECT_TRUE(m.run_commands());
  EXPECT_EQ(m.time(), 3);
  EXPECT_NEAR(m.value("PART/2.X"), 0.25 + 0.5 * 2, 1e-9);  // no force after 1 s
  EXPECT_EQ(m.channel_count(), n);
  EXPECT_EQ(m.values().size(), n);
  EXPECT_TRUE(m.run_commands());  // none is left
  EXPECT_EQ(m.time(), 3);
}

TEST(ApiSimulation, sensors_end_it_and_are_told) {
  for (const auto& [word, how] :
       {std::pair("RETURN", Standing::returned), std::pair("HALT", Standing::halted)}) {
    Model m = Model::of_text(
        oscillator(std::string("SENSOR/1,GE,VALUE=.6,ERROR=1E-6,FUNCTION=TIME,") + word + "\n"));
    std::string said;
    m.on_text([&](std::string_view text) { said += text; });
    EXPECT_TRUE(m.advance(2, 0.25));
    EXPECT_EQ(m.standing(), how);
    EXPECT_NEAR(m.time(), 0.6, 2e-6);
    EXPECT_NE(said.find("Sensor/1 has become active"), std::string::npos) << said;
    EXPECT_EQ(thrown([&] { m.step(); }).status, TRAMMEL_USAGE);
    EXPECT_TRUE(m.advance(3, 0.25));
  }
}

TEST(ApiSimulation, a_failure_of_the_solver_keeps_the_records) {
  Model m =
      Model::of_text(falling_body("SFORCE/9,TRANSLATION,I=2,J=1,FUNCTION=SQRT(.5-TIME)*DZ(2,1)\n"
                                  "PART/3,MASS=1,CM=31,IP=1,1,1,QG=0,0,5\nMARKER/31,PART=3\n"));
  m.change("SFORCE/9.J=31");
  Records records;
  records.listen(m);
  const Thrown t = thrown([&] { m.advance(1, 0.1); });
  EXPECT_EQ(t.status, TRAMMEL_SOLVER);
  EXPECT_NE(t.text.find("SFORCE/9"), std::string::npos) << t.text;
  EXPECT_EQ(m.standing(), Standing::failed);
  EXPECT_LE(m.time(), 0.5);
  EXPECT_GE(m.time(), 0.4);
  EXPECT_GE(records.times.size(), 5u);
  EXPECT_EQ(thrown([&] { m.finish(); }).status, TRAMMEL_USAGE);
  EXPECT_EQ(m.values().size(), m.channel_count());
}

TEST(ApiSimulation, what_a_listener_throws_comes_back) {
  Model m = Model::of_text(oscillator());
  int heard = 0;
  m.on_record([&](double, std::span<const double>) -> bool {
    if (++heard == 3) throw std::out_of_range("of the listener");
    return true;
  });
  EXPECT_THROW(m.advance(1, 0.1), std::out_of_range);
  EXPECT_EQ(m.standing(), Standing::stepping);
  EXPECT_TRUE(m.finish());
  EXPECT_EQ(heard, 11);
}

TEST(ApiSimulation, a_listener_may_ask_but_not_move) {
  Model m = Model::of_text(oscillator());
  int refused = 0;
  m.on_record([&](double, std::span<const double> values) {
    EXPECT_TRUE(same_bits(m.values(), {values.begin(), values.end()}));
    for (const int status :
         {trammel_step(m.get(), nullptr), trammel_finish(m.get()), trammel_advance(m.get(), 9, 1),
          trammel_run_commands(m.get()), trammel_change(m.get(), "PART/2.MASS=3"),
          trammel_on_record(m.get(), nullptr, nullptr), trammel_restore(m.get(), "", 0)})
      refused += status == TRAMMEL_USAGE;
    return true;
  });
  EXPECT_TRUE(m.advance(1, 0.5));
  EXPECT_EQ(refused, 3 * 7);
  EXPECT_EQ(m.time(), 1);
}

TEST(ApiSimulation, intervals_that_cannot_be_are_wrong_calls) {
  Model m = Model::of_text(oscillator());
  EXPECT_EQ(thrown([&] { m.step(); }).status, TRAMMEL_USAGE);
  m.advance(1, 0.5);
  for (const auto& [end, interval] :
       {std::pair(1.0, 0.1), std::pair(0.5, 0.1), std::pair(2.0, -0.1), std::pair(std::nan(""), 0.1),
        std::pair(2.0, std::nan("")), std::pair(HUGE_VAL, 0.1)})
    EXPECT_EQ(thrown([&] { m.advance(end, interval); }).status, TRAMMEL_USAGE) << end << " " << interval;
  EXPECT_EQ(m.standing(), Standing::complete);
  EXPECT_EQ(m.time(), 1);
}

// ---- saving

TEST(ApiSaving, goes_on_with_the_same_bits_in_another_model) {
  for (const int steps : {0, 1, 17}) {
    Model whole = Model::of_text(of_all_kinds()), other = Model::of_text(of_all_kinds());
    whole.change("PART/2.MASS=1.25");
    whole.assemble();
    whole.change("SPRINGDAMPER/1.K=30");
    whole.begin(1.5, 0.1);
    for (int k = 0; k < steps; ++k) whole.step();
    const std::string bytes = whole.save();
    Records of_whole, of_other;
    of_whole.listen(whole), of_other.listen(other);
    other.restore(bytes);
    EXPECT_EQ(other.time(), whole.time());
    EXPECT_EQ(other.standing(), Standing::stepping);
    whole.finish(), other.finish();
    whole.advance(2, 0.1), other.advance(2, 0.1);
    EXPECT_GT(of_whole.times.size(), 5u);
    EXPECT_TRUE(same_bits(of_whole.values, of_other.values)) << steps;
  }
}

TEST(ApiSaving, goes_back_in_the_same_model_and_within_commands) {
  Folder f;
  f.write("stone.adm", of_all_kinds());
  f.write("stone.acf",
          "stone\nstone\nINTEGRATOR/HHT,ERROR=1E-7\nSIMULATE/DYNAMIC,END=.5,STEPS=5\nPART/2,MASS=2\n"
          "INTEGRATOR/HHT,ERROR=1E-6\nSIMULATE/DYNAMIC,END=1,STEPS=5\n");
  Model m(f.path("stone.acf").string());
  Records first, again;
  first.stop_at = 3;
  first.listen(m);
  EXPECT_FALSE(m.run_commands());
  const std::string bytes = m.save();
  EXPECT_TRUE(m.run_commands());
  const std::vector<double> end = m.values();
  const std::size_t before = 3 * m.channel_count();
  m.restore(bytes);
  again.listen(m);
  EXPECT_TRUE(m.run_commands());
  EXPECT_TRUE(same_bits(m.values(), end));
  EXPECT_EQ(again.values.size() + before, first.values.size());
  EXPECT_TRUE(
      same_bits(again.values, {first.values.begin() + static_cast<long>(before), first.values.end()}));
}

TEST(ApiSaving, refuses_what_is_damaged_or_of_another_deck) {
  Model m = Model::of_text(oscillator()), other = Model::of_text(four_bar()),
        like = Model::of_text(oscillator());
  for (Model* each : {&m, &like}) each->advance(0.5, 0.1);
  const std::string bytes = m.save();
  const std::string of_other = other.save();
  EXPECT_EQ(thrown([&] { m.restore(of_other); }).status, TRAMMEL_INPUT);
  EXPECT_EQ(thrown([&] { m.restore(""); }).status, TRAMMEL_INPUT);
  for (const std::size_t size : {std::size_t{1}, std::size_t{20}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_EQ(thrown([&] { m.restore(bytes.substr(0, size)); }).status, TRAMMEL_INPUT) << size;
  for (std::size_t k = 0; k < bytes.size(); k += bytes.size() / 23) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ 16);
    EXPECT_EQ(thrown([&] { m.restore(damaged); }).status, TRAMMEL_INPUT) << k;
  }
  for (Model* each : {&m, &like}) each->advance(1, 0.1);
  EXPECT_TRUE(same_bits(m.values(), like.values()));
}

}  // namespace
}  // namespace trammel_test::simulation_test
