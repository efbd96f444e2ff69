// Command files: layouts, several simulations, settings between them, what is left out or refused.
#include <gtest/gtest.h>

#include <regex>

#include "support.h"

using namespace trammel_test;

namespace commands_test {
namespace {

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Runs a command file on the falling body.
Outcome run_commands(const Folder& f, const std::string& commands, std::vector<std::string> options = {}) {
  f.write("stone.adm", falling_body());
  f.write("job.acf", commands);
  options.insert(options.begin(), {"run", "job.acf"});
  return run(f, options);
}

TEST(Commands, layouts_of_command_files) {
  const std::string simulate = "SIMULATE/DYNAMIC, END=0.25, DTOUT=1.0E-02\nstop\n";
  const std::pair<std::string, std::string> layouts[] = {
      {"stone\nout_a\n" + simulate, "out_a"},
      {"stone\n\n" + simulate, "stone"},
      {"\nfile/model=stone\n" + simulate, "stone"},
      {"FILE/MODEL=stone.adm, OUTPUT_PREFIX=out_c\n" + simulate, "out_c"},
      {"file/model=.\\STONE\n" + simulate, "stone"},
      {"FILE/MODEL=stone, OUTPUT_PREFIX=C:\\runs\\out_w\n" + simulate, "out_w"},
  };
  for (const auto& [text, prefix] : layouts) {
    Folder f;
    const Outcome o = run_commands(f, text);
    EXPECT_EQ(o.code, 0) << text << o.err;
    EXPECT_TRUE(f.has(prefix + ".nc")) << text << f.list();
  }
}

TEST(Commands, a_file_without_simulate_says_so) {
  Folder f;
  const Outcome o = run_commands(f, "stone\njob\nINTEGRATOR/HHT\nSTOP\n");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("no SIMULATE"), std::string::npos) << o.err;
  EXPECT_EQ(f.json("job.status.json")["exit_code"], 3);
  const Outcome ended = run_commands(f, "stone\njob\nINTEGRATOR/HHT\nSTOP\n", {"--end", "0.5"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(f.channel("job.nc", "TIME").back(), 0.5);
}

TEST(Commands, several_simulations_go_on_in_time_and_in_the_same_files) {
  Folder f;
  const Outcome o =
      run_commands(f,
                   "stone\njob\nSIMULATE/DYNAMIC, END=0.5, STEPS=5\nINTEGRATOR/HHT, ERROR=1E-7\n"
                   "SIMULATE/TRANSIENT, DURATION=0.5, DTOUT=0.25\nSIMULATE/DYNAMIC, END=2, STEPS=1\n",
                   {"--formats", "nc,res,req"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), z = f.channel("job.nc", "PART/2.Z");
  ASSERT_EQ(t.size(), 6u + 3u + 2u);
  for (std::size_t k = 0; k < t.size(); ++k)
    EXPECT_NEAR(z[k], -5 * t[k] * t[k], 1e-11) << t[k];  // exact method: rounding only
  EXPECT_EQ(t[5], 0.5);
  EXPECT_EQ(t[6], 0.5);  // each simulation begins with its start
  EXPECT_EQ(t.back(), 2);
  const std::string messages = f.read("job.msg");
  EXPECT_EQ(count(messages, "  Begin Simulation\n"), 3);
  EXPECT_EQ(count(messages, "  End Simulation\n"), 3);
  EXPECT_EQ(count(messages, "Integration error =    1.000000E-08\n"), 1);
  EXPECT_EQ(count(messages, "Integration error =    1.000000E-07\n"), 2);
  EXPECT_EQ(count(messages, " command: SIMULATE/TRANSIENT, DURATION=0.5, DTOUT=0.25\n"), 1);
  EXPECT_EQ(count(messages, "kinematic degrees of freedom"), 1);
}

TEST(Commands, initial_conditions_alone_give_one_record) {
  Folder f;
  const Outcome o = run_commands(f, "stone\njob\nSIMULATE/INITIAL_CONDITIONS\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> a = f.channel("job.nc", "PART/2.ACCZ");
  ASSERT_EQ(a.size(), 1u);
  EXPECT_NEAR(a[0], -10, 1e-12);  // −g, by one linear solve
  EXPECT_NE(f.read("job.msg").find("Performing Initial Conditions"), std::string::npos);
  const Outcome both =
      run_commands(f, "stone\njob\nSIMULATE/INITIAL_CONDITIONS\nSIMULATE/DYNAMIC, END=1, STEPS=2\n");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(f.channel("job.nc", "TIME"), (std::vector<double>{0, 0, 0.5, 1}));
}

TEST(Commands, an_end_before_the_present_time_stops_before_anything_is_computed) {
  Folder f;
  const Outcome o =
      run_commands(f, "stone\njob\nSIMULATE/DYNAMIC, END=2, STEPS=2\nSIMULATE/DYNAMIC, END=1, STEPS=2\n");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("job.acf:4: SIMULATE: END = 1 is not after the present time 2"), std::string::npos)
      << o.err;
  EXPECT_FALSE(f.has("job.nc"));
}

TEST(Commands, command_line_times_replace_those_of_the_last_simulate) {
  Folder f;
  const std::string commands =
      "stone\njob\nSIMULATE/DYNAMIC, END=0.5, STEPS=1\nSIMULATE/DYNAMIC, END=1, DTOUT=0.25\n";
  EXPECT_EQ(run_commands(f, commands, {"--end", "1.5"}).code, 0);  // DTOUT stays
  EXPECT_EQ(f.channel("job.nc", "TIME"), (std::vector<double>{0, 0.5, 0.5, 0.75, 1, 1.25, 1.5}));
  EXPECT_EQ(run_commands(f, commands, {"--steps", "1"}).code, 0);  // END stays
  EXPECT_EQ(f.channel("job.nc", "TIME"), (std::vector<double>{0, 0.5, 0.5, 1}));
}

TEST(Commands, settings_are_merged_with_the_decks_and_checked_as_a_whole) {
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT, ALPHA=-0.1, HMAX=0.01\n"));
  const auto run_with = [&](const std::string& command) {
    f.write("job.acf", "stone\njob\n" + command + "\nSIMULATE/DYNAMIC, END=1, STEPS=2\n");
    return run(f, {"run", "job.acf"});
  };
  EXPECT_EQ(run_with("INTEGRATOR/ERROR=1E-6").code, 0);
  EXPECT_NE(f.read("job.msg").find("Integration error =    1.000000E-06"), std::string::npos);
  const Outcome wrong = run_with("INTEGRATOR/HMIN=0.1");  // larger than the deck's HMAX
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("job.acf:3: INTEGRATOR: HMIN=0.1 is larger than HMAX=0.01"), std::string::npos)
      << wrong.err;
  EXPECT_EQ(run_with("INTEGRATOR/GSTIFF").code, 0);  // ALPHA went with HHT
  EXPECT_EQ(run_with("INTEGRATOR/BETA=0.3").code, 3);
}

TEST(Commands, settings_that_are_not_followed_warn_once_and_stop_a_strict_run) {
  Folder f;
  const std::string commands =
      "stone\njob\nINTEGRATOR/GSTIFF, ERROR=1E-4, KMAX=9\nSIMULATE/DYNAMIC, END=1, "
      "STEPS=2\nSIMULATE/DYNAMIC, END=2, "
      "STEPS=2\n";
  const Outcome o = run_commands(f, commands);
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(count(o.out, "KMAX = 9 is above the highest order, 6"), 1) << o.out;
  EXPECT_EQ(count(f.read("job.msg"), "KMAX = 9 is above the highest order"), 1);
  const Outcome strict = run_commands(f, commands, {"--strict"});
  EXPECT_EQ(strict.code, 4);
  EXPECT_NE(strict.err.find("job.acf:3"), std::string::npos) << strict.err;
}

TEST(Commands, strict_refuses_what_has_no_effect) {
  for (const std::string command :
       {"EQUILIBRIUM/ETA=1E-3", "INTEGRATOR/HHT, KMAX=3", "IC/VERROR=1E-3", "DEBUG/DUMP",
        "INTEGRATOR/ABAM, PATTERN=T:F", "INTEGRATOR/ABAM, CORRECTOR=MODIFIED", "INTEGRATOR/RKF45, PATTERN=T",
        "INTEGRATOR/RKF45, KMAX=3", "INTEGRATOR/RADAU, CORRECTOR=MODIFIED", "EQUILIBRIUM/GLOBAL_DAMPING=3",
        "EQUILIBRIUM/SETTLING_TIME=3", "EQUILIBRIUM/DYNAMIC, METHOD=FUNNEL", "LINEAR/EIGENSOL, COORDS=3,1",
        "SIMULATE/INITIAL_CONDITIONS, END=5", "SIMULATE/INITIAL_CONDITIONS, DTOUT=1"}) {
    Folder f;
    const std::string commands = "stone\njob\n" + command + "\nSIMULATE/DYNAMIC, END=1, STEPS=2\n";
    EXPECT_EQ(run_commands(f, commands).code, 0) << command;
    EXPECT_NE(f.read("job.msg").find("effect"), std::string::npos) << command;
    const Outcome strict = run_commands(f, commands, {"--strict"});
    EXPECT_EQ(strict.code, 4) << command;
    EXPECT_NE(strict.err.find("(--strict)"), std::string::npos) << strict.err;
  }
}

/// Warnings that the compiler of the model has, beside those of reading; a spline read beyond its data is
/// told in the run.
TEST(Commands, strict_refuses_warnings_about_the_deck_and_none_of_the_run) {
  const auto code = [](const std::string& more, const std::string& command, const std::string& told) {
    int codes[2];
    for (const bool strict : {false, true}) {
      Folder f;
      f.write("stone.adm", falling_body(more));
      std::vector<std::string> words{command, "stone.adm"};
      if (command == "run") words.insert(words.end(), {"--end", "1"});
      if (strict) words.push_back("--strict");
      const Outcome o = run(f, words);
      EXPECT_EQ(count(o.code == 4 ? o.err : o.out, told), 1) << o.out << o.err;
      EXPECT_EQ(count(o.err, "(--strict)"), o.code == 4) << o.err;
      codes[strict] = o.code;
    }
    return std::pair(codes[0], codes[1]);
  };
  for (const char* command : {"run", "check"}) {
    EXPECT_EQ(code("JOINT/1, TRANSLATIONAL, I=2, J=1, MU_STAT_TRANS=0.3\n", command,
                   "JOINT/1: MU_STAT_TRANS has no effect without FRICTION=ON"),
              std::pair(0, 4));
    EXPECT_EQ(code("PART/3, MASS=1, CM=5, IP=1,1,3, QG=1,0,0\nMARKER/5, PART=3\n", command,
                   "PART/3: the principal moments of inertia"),
              std::pair(0, 4));
  }
  EXPECT_EQ(code("SPLINE/1, X=0,0.1,0.2,0.3, Y=0,1,2,3\nREQUEST/1, F2=AKISPL(TIME,0,1)\n", "run",
                 "An out-of-range X value has been used"),
            std::pair(0, 0));
}

TEST(Commands, what_has_an_effect_is_not_told) {
  for (const std::string command :
       {"INTEGRATOR/ABAM, MAXIT=5, KMAX=3",
        "INTEGRATOR/GSTIFF, PATTERN=T:F, CORRECTOR=MODIFIED, KMAX=3, MAXIT=5",
        "INTEGRATOR/RADAU, PATTERN=T:F, MAXIT=5", "EQUILIBRIUM/DYNAMIC, GLOBAL_DAMPING=3, SETTLING_TIME=2",
        "EQUILIBRIUM/DYNAMIC, GLOBAL_DAMPING=3\nEQUILIBRIUM/STATIC",
        "INTEGRATOR/GSTIFF, HMAX=0.1, HINIT=0.1"}) {
    Folder f;
    const std::string commands = "stone\njob\n" + command + "\nSIMULATE/DYNAMIC, END=1, STEPS=2\n";
    EXPECT_EQ(run_commands(f, commands, {"--strict"}).code, 0) << command;
  }
}

TEST(Commands, a_first_step_above_the_largest_is_told) {
  Folder f;
  const std::string commands =
      "stone\njob\nINTEGRATOR/GSTIFF, HMAX=0.001, HINIT=1\nSIMULATE/DYNAMIC, END=1, STEPS=2\n";
  const Outcome o = run_commands(f, commands);
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(count(o.out, "job.acf:3: INTEGRATOR: HINIT = 1 is larger than HMAX = 0.001, which is taken."), 1)
      << o.out;
  EXPECT_EQ(run_commands(f, commands, {"--strict"}).code, 4);
  const Outcome wrong =
      run_commands(f, "stone\njob\nINTEGRATOR/HMIN=0.1, HMAX=0.01\nSIMULATE/DYNAMIC, END=1, STEPS=2\n");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_EQ(count(wrong.err, "HMIN"), 1) << wrong.err;
}

/// A part on springs: STEPS of STATICS need an END, and tables of LINEAR a mode that is there.
TEST(Commands, arguments_that_find_nothing_are_told) {
  const auto run_hung = [](const std::string& command, std::vector<std::string> options = {}) {
    Folder f;
    f.write("stone.adm", falling_body("BUSHING/1, I=2, J=1, K=9,9,9, KT=9,9,9\n"));
    f.write("job.acf", "stone\njob\n" + command + "\n");
    options.insert(options.begin(), {"run", "job.acf"});
    return run(f, options);
  };
  for (const auto& [command, told] :
       {std::pair{"SIMULATE/STATICS, STEPS=5",
                  "job.acf:3: SIMULATE/STATICS: STEPS has no effect without END or DURATION"},
        std::pair{"SIMULATE/STATICS, DTOUT=5",
                  "job.acf:3: SIMULATE/STATICS: DTOUT has no effect without END or DURATION"},
        std::pair{"SIMULATE/STATICS\nLINEAR/EIGENSOL, COORDS=99,100",
                  "job.acf:4: LINEAR: COORDS has no effect: it begins with mode 99, and there are 6"}}) {
    const Outcome o = run_hung(command);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(count(o.out, told), 1) << o.out;
  }
  EXPECT_EQ(run_hung("SIMULATE/STATICS, STEPS=5", {"--strict"}).code, 4);
  EXPECT_EQ(run_hung("SIMULATE/STATICS, END=1, STEPS=5", {"--strict"}).code, 0);
  EXPECT_EQ(run_hung("SIMULATE/STATICS\nLINEAR/EIGENSOL, COORDS=2,100", {"--strict"}).code, 0);
}

TEST(Commands, unsupported_ones_stop_the_run_or_are_left_out) {
  Folder f;
  f.write("stone.adm",
          falling_body("TIRE/7, I=2, J=1, LENGTH=1, AREA=1\n"
                       "REQUEST/1, F2=SENVAL(1)\\\nSENSOR/1, FUNCTION=TIME, EQ, VALUE=1, YYDUMP\n"));
  f.write("job.acf",
          "stone\njob\nCONTROL/FUNCTION=USER(1)\nTIRE/7, JOINT=2\nDEACTIVATE/TIRE, "
          "ID=7\nSIMULATE/DYNAMIC, "
          "END=1, STEPS=2\n");
  const Outcome o = run(f, {"run", "job.acf"});
  EXPECT_EQ(o.code, 4);
  for (const std::string place : {"stone.adm:12: TIRE/7", "stone.adm:14: SENSOR/1", "job.acf:3: CONTROL",
                                  "job.acf:4: TIRE/7", "job.acf:5: DEACTIVATE"})
    EXPECT_NE(o.err.find(place), std::string::npos) << place << "\n" << o.err;
  const Outcome lenient = run(f, {"run", "job.acf", "--permissive"});
  EXPECT_EQ(lenient.code, 0) << lenient.err;
  EXPECT_EQ(lenient.err, "");
  for (const std::string text :
       {"TIRE/7 is left out", "SENSOR/1 is left out", "REQUEST/1 is left out because it depends on SENSOR/1",
        "CONTROL is left out", "DEACTIVATE is left out"}) {
    EXPECT_NE(lenient.out.find(text), std::string::npos) << text << "\n" << lenient.out;
    EXPECT_NE(f.read("job.msg").find(text), std::string::npos) << text;
  }
  EXPECT_NEAR(f.channel("job.nc", "PART/2.Z").back(), -5, 1e-12);
}

TEST(Commands, permissive_replaces_integrators_that_do_not_exist) {
  Folder f;
  for (const std::string type : {"HASTIFF", "CONSTANT_BDF"}) {
    const std::string commands = "stone\njob\nINTEGRATOR/" + type + "\nSIMULATE/DYNAMIC, END=1, STEPS=2\n";
    EXPECT_EQ(run_commands(f, commands).code, 4) << type;
    const Outcome o = run_commands(f, commands, {"--permissive"});
    EXPECT_EQ(o.code, 0) << type << o.err;
    EXPECT_NE(o.out.find("The " + type + " integrator does not exist yet"), std::string::npos) << o.out;
    EXPECT_NE(f.read("job.msg").find("Integration error =    1.000000E-08"), std::string::npos) << type;
  }
}

TEST(Commands, output_commands_after_the_first_simulation_are_not_silently_ignored) {
  Folder f;
  const Outcome o = run_commands(
      f, "stone\njob\nSIMULATE/DYNAMIC, END=1, STEPS=2\nOUTPUT/REQSAVE\nSIMULATE/DYNAMIC, END=2, STEPS=2\n");
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.out.find("job.acf:4: OUTPUT"), std::string::npos) << o.out;
  EXPECT_FALSE(f.has("job.req"));
}

TEST(Commands, stop_ends_the_run) {
  Folder f;
  EXPECT_EQ(run_commands(
                f, "stone\njob\nSIMULATE/DYNAMIC, END=1, STEPS=1\nSTOP\nSIMULATE/DYNAMIC, END=2, STEPS=1\n")
                .code,
            0);
  EXPECT_EQ(f.channel("job.nc", "TIME").back(), 1);
}

TEST(Commands, permissive_leaves_out_a_simulation_that_is_over_already) {
  Folder f;
  const std::string commands =
      "stone\njob\nSIMULATE/DYNAMIC, END=1, STEPS=1\nSIMULATE/DYNAMIC, END=1, STEPS=1\nSIMULATE/DYNAMIC, "
      "END=2, STEPS=1\n";
  EXPECT_EQ(run_commands(f, commands).code, 3);
  const Outcome o = run_commands(f, commands, {"--permissive"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("job.acf:4: SIMULATE: END = 1 is not after the present time 1"), std::string::npos)
      << o.out;
  EXPECT_EQ(f.channel("job.nc", "TIME"), (std::vector<double>{0, 1, 1, 2}));
}

}  // namespace
}  // namespace commands_test
