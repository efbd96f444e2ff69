// compare, convert, plot and what run writes besides, as a user starts them.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <fstream>

#include "support.h"

using namespace trammel_test;

namespace result_commands_test {
namespace {

/// Runs the falling body (x = t²/4, z = −5 t²) for 1 s with a request of its position.
Outcome run_body(const Folder& f, const std::vector<std::string>& options, const std::string& more = "") {
  f.write("stone.adm",
          falling_body("REQUEST/5, DISPLACEMENT, I=2, J=1, CNAMES=mag,F7,F2,depth,,,,\n" + more));
  std::vector<std::string> arguments = {"run", "stone.adm", "--end", "1", "--steps", "40", "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(f, arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// One run in all formats: they agree with one another to their digits, names of CNAMES notwithstanding.
TEST(ResultCommands, formats_of_one_run_agree) {
  Folder f;
  const Outcome o = run_body(f, {"--formats", "nc,res,req,csv,gra,out"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* name : {"stone.nc", "stone.res", "stone.req", "stone.csv", "stone.gra", "stone.out"})
    EXPECT_TRUE(f.has(name)) << f.list();
  for (const char* other : {"stone.res", "stone.csv"}) {
    const Outcome same = run(f, {"compare", "stone.nc", other, "--rtol", "0"});
    EXPECT_EQ(same.code, 0) << same.out << same.err;
    EXPECT_TRUE(same.err.empty());
  }
  const Outcome strict = run(f, {"compare", "stone.nc", "stone.req"});
  EXPECT_EQ(strict.code, 9);
  EXPECT_TRUE(contains(strict.out, "only in a: ")) << strict.out;
  EXPECT_TRUE(contains(strict.out, "--common")) << strict.out;
  const Outcome requests = run(f, {"compare", "stone.nc", "stone.req", "--common"});
  EXPECT_EQ(requests.code, 0) << requests.out;
  // F7, F2 and depth stand in the places of X, Y and Z; the last angle keeps its name; mag has no place
  // there.
  EXPECT_TRUE(contains(requests.out, "4 channels at 41 times")) << requests.out;
}

/// Exit codes are what a script goes by.
TEST(ResultCommands, exit_codes_of_compare) {
  Folder f;
  ASSERT_EQ(run_body(f, {"-o", "a"}).code, 0);
  ASSERT_EQ(run_body(f, {"-o", "b", "--set", "ACCGRAV/KGRAV=-10.01"}).code, 0);
  const Outcome o = run(f, {"compare", "a.nc", "b.nc"});
  EXPECT_EQ(o.code, 9);
  EXPECT_TRUE(o.err.empty()) << o.err;
  EXPECT_TRUE(contains(o.out, "PART/2.Z")) << o.out;
  // z = −g t²/2: the largest difference is 0.005 at t = 1, where |z| is 5.
  EXPECT_EQ(run(f, {"compare", "a.nc", "b.nc", "--channels", "PART/2.Z", "--rtol", "0.00101"}).code, 0);
  EXPECT_EQ(run(f, {"compare", "a.nc", "b.nc", "--channels", "PART/2.Z", "--rtol", "0.00099"}).code, 9);
  EXPECT_EQ(
      run(f, {"compare", "a.nc", "b.nc", "--channels", "PART/2.Z", "--rtol", "0", "--atol", "0.00501"}).code,
      0);
  EXPECT_EQ(run(f, {"compare", "a.nc", "b.nc", "--channels", "PART/2.Z", "--rtol", "0", "--atol", "0.0013",
                    "--times", ":0.5"})
                .code,
            0);
  EXPECT_EQ(run(f, {"compare", "a.nc"}).code, 2);
  EXPECT_EQ(run(f, {"compare", "a.nc", "b.nc", "--rtol", "-1"}).code, 2);
  EXPECT_EQ(run(f, {"compare", "a.nc", "b.nc", "--times", "3"}).code, 2);
  EXPECT_EQ(run(f, {"compare", "a.nc", "b.nc", "--channels", "PART/77"}).code, 2);
  EXPECT_EQ(run(f, {"compare", "a.nc", "absent.nc"}).code, 7);
  f.write("bad.csv", "TIME,PART/2.Z\n0,x\n");
  const Outcome bad = run(f, {"compare", "a.nc", "bad.csv"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(contains(bad.err, "bad.csv:2:")) << bad.err;
}

/// A run that is killed: what it had written can be read, compared and converted.
TEST(ResultCommands, files_of_a_killed_run) {
  Folder f;
  f.write("stone.adm", falling_body());
  Launch launch;
  launch.arguments = {"run",   "stone.adm", "--end",          "1e4",    "--dtout",
                      "0.001", "--formats", "nc,res,csv,req", "--quiet"};
  launch.environment = {"TRAMMEL_FLUSH_SECONDS=0.01"};
  Process process(f, launch);
  const auto has_grown = [&](const char* name) {
    std::error_code error;
    const auto size = fs::file_size(f.path(name), error);
    return !error && size > 300000;
  };
  ASSERT_TRUE(
      wait_until([&] { return has_grown("stone.res") && has_grown("stone.csv") && has_grown("stone.nc"); }));
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  for (const char* name : {"stone.nc", "stone.res", "stone.csv"}) {
    const Outcome o = run(f, {"convert", name, "copy.nc"});
    EXPECT_EQ(o.code, 0) << name << o.err;
    std::vector<double> t = f.channel("copy.nc", "TIME"), z = f.channel("copy.nc", "PART/2.Z");
    ASSERT_GT(t.size(), 100u) << name;
    if (std::string(name) == "stone.res") {  // it begins with the state as the dataset gives it
      EXPECT_EQ(t[1], 0);
      t.erase(t.begin());
      z.erase(z.begin());
    }
    // Records at k·0.001 with z = −5 t², to rounding of some thousand steps: 1e-9 of the largest.
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(t[k], 0.001 * static_cast<double>(k), 1e-9 * t.back());
      EXPECT_NEAR(z[k], -5 * t[k] * t[k], 1e-9 * 5 * t.back() * t.back());
    }
  }
}

TEST(ResultCommands, convert_takes_a_part) {
  Folder f;
  ASSERT_EQ(run_body(f, {}).code, 0);
  const Outcome o = run(f, {"convert", "stone.nc", "part.nc", "--channels", "PART/2.Z", "--times",
                            "0.5:", "--every", "5", "--single"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "5 of 41 records, 1 of ")) << o.out;
  const std::vector<double> t = f.channel("part.nc", "TIME"), z = f.channel("part.nc", "PART/2.Z");
  ASSERT_EQ(t, (std::vector<double>{0.5, 0.625, 0.75, 0.875, 1.0}));
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(z[k], -5 * t[k] * t[k], 5 * std::ldexp(1.0, -24));
  EXPECT_EQ(run(f, {"convert", "stone.nc", "stone.xyz"}).code, 2);
  EXPECT_EQ(run(f, {"convert", "stone.nc", "stone.nc"}).code, 2);
  EXPECT_EQ(run(f, {"convert", "absent.nc", "a.csv"}).code, 7);
}

/// What OUTPUT and RESULTS ask for is written, and what they leave out is not.
TEST(ResultCommands, files_that_the_deck_asks_for) {
  Folder f;
  const Outcome o = run_body(f, {},
                             "OUTPUT/REQSAVE, GRSAVE, PRINT, FIXED\n"
                             "RESULTS/XRF, NOACCELERATIONS, NOREQUESTS, DECIMALPLACES=4\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(f.list(),
            "stone.adm stone.gra stone.msg stone.nc stone.out stone.req stone.res stone.status.json");
  EXPECT_FALSE(contains(f.read("stone.msg"), "without effect")) << f.read("stone.msg");
  const std::string results = f.read("stone.res");
  EXPECT_FALSE(contains(results, "ACCX"));
  EXPECT_FALSE(contains(results, "Request"));
  EXPECT_TRUE(contains(results, "name=\"VX\""));
  EXPECT_EQ(run(f, {"compare", "stone.nc", "stone.res", "--common", "--rtol", "5.1e-4"}).code, 0);
  EXPECT_EQ(run(f, {"compare", "stone.nc", "stone.res", "--common", "--rtol", "1e-7"}).code, 9);
  EXPECT_TRUE(contains(f.read("stone.out"), "        1.0000")) << f.read("stone.out").substr(0, 2000);
}

/// Factors and angles of OUTPUT reach the tables, and nothing else: x = t²/4, z = −5 t².
TEST(ResultCommands, tables_are_scaled_and_nothing_else) {
  Folder f;
  f.write(
      "stone.adm",
      falling_body("REQUEST/1, DISPLACEMENT, I=2\nREQUEST/2, VELOCITY, I=2\nREQUEST/3, ACCELERATION, I=2\n"
                   "REQUEST/4, FORCE, I=2\nREQUEST/5, DISPLACEMENT, I=2, CNAMES=\"\",X,Y,Z,\"\",\"\",T,P\n"
                   "OUTPUT/REQSAVE, PRINT, FIXED, YPR, DSCALE=1000, VSCALE=2, ASCALE=3, FSCALE=4,5\n"));
  const Outcome o = run(f, {"run", "stone.adm", "--end", "2", "--steps", "1"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "REQUEST/5: CNAMES leaves out some of psi, theta, phi")) << o.out;
  const std::string tables = f.read("stone.out");
  for (const std::string line : {
           "     2.0000    20024.9844     1000.0000        0.0000   -20000.0000        0.0000",  // sqrt(401)
           "     2.0000       40.0500        2.0000        0.0000      -40.0000        0.0000",  // 2
                                                                                                 // sqrt(401)
           "     2.0000       30.0375        1.5000        0.0000      -30.0000        0.0000",  // 3 |(½,
                                                                                                 // −10)|
           "     2.0000        4.0000        4.0000        0.0000        0.0000        0.0000",  // 4 · 1 N
       })
    EXPECT_TRUE(contains(tables, line)) << line << "\n" << tables;
  EXPECT_TRUE(contains(tables, "           YAW         PITCH          ROLL\n"));
  EXPECT_NEAR(f.channel("stone.nc", "REQUEST/1.Z").back(), -20, 1e-10);
  EXPECT_NEAR(f.channel("stone.nc", "REQUEST/2.VX").back(), 1, 1e-10);
  EXPECT_TRUE(contains(f.read("stone.req"), "-2.00000E+01")) << f.read("stone.req");
}

/// OUTPUT/YPR against the functions YAW, PITCH and ROLL, which are another piece of the program.
TEST(ResultCommands, angles_of_tables_are_those_of_the_functions) {
  Folder f;
  f.write("stone.adm",
          falling_body(
              "REQUEST/1, DISPLACEMENT, I=2, J=1\n"
              "REQUEST/2, F2=YAW(2,1)*RTOD\\F3=PITCH(2,1)*RTOD\\F4=ROLL(2,1)*RTOD\nOUTPUT/PRINT, YPR\n"));
  const Outcome o =
      run(f, {"run", "stone.adm", "--end", "1", "--steps", "1", "--set", "PART/2, REULER=40D,70D,-25D"});
  ASSERT_EQ(o.code, 0) << o.err;
  // The last row of each table: time, MAG X Y Z and three angles; time, F1 to F8.
  std::vector<std::vector<double>> rows;
  std::istringstream lines(f.read("stone.out"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    std::vector<double> row;
    for (double x; numbers >> x;) row.push_back(x);
    if (row.size() >= 8 && row[0] == 1) rows.push_back(row);
  }
  ASSERT_EQ(rows.size(), 2u) << f.read("stone.out");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NE(rows[0][5 + k], 0);
    EXPECT_EQ(rows[0][5 + k], rows[1][2 + k]) << k;  // the same six digits
  }
}

/// Every line of the log is an object, and they tell the run from its start to its end.
TEST(ResultCommands, log_as_json_lines) {
  Folder f;
  const Outcome o = run_body(f, {"--log-json", "run.jsonl"});
  ASSERT_EQ(o.code, 0) << o.err;
  std::istringstream lines(f.read("run.jsonl"));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_GT(events.size(), 43u);
  EXPECT_EQ(events.front()["event"], "start");
  EXPECT_EQ(events.back()["event"], "end");
  EXPECT_EQ(events.back()["exit_code"], 0);
  EXPECT_EQ(events.back()["files"][0]["path"], "stone.nc");
  EXPECT_EQ(events.back()["files"][0]["bytes"], fs::file_size(f.path("stone.nc")));
  std::vector<double> outputs;
  double wall = 0;
  for (const nlohmann::json& e : events) {
    EXPECT_GE(e["wall"], wall);
    wall = e["wall"];
    if (e["event"] == "output") outputs.push_back(e["t"]);
  }
  EXPECT_EQ(outputs, f.channel("stone.nc", "TIME"));
  // A run that fails tells the error with its severity.
  f.write("bad.adm", "title\nPART/1, GROUND\nPART/1, GROUND\nEND\n");
  const Outcome bad = run(f, {"run", "bad.adm", "--end", "1", "--log-json", "bad.jsonl"});
  EXPECT_EQ(bad.code, 3);
  std::istringstream bad_lines(f.read("bad.jsonl"));
  bool told = false;
  nlohmann::json last;
  for (std::string line; std::getline(bad_lines, line);) {
    last = nlohmann::json::parse(line);
    if (last["event"] == "message" && last["severity"] == "error") told = contains(last["text"], "bad.adm:3");
  }
  EXPECT_TRUE(told) << f.read("bad.jsonl");
  EXPECT_EQ(last["event"], "end");
  EXPECT_EQ(last["exit_code"], 3);
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--log-json", "no/such/folder/a"}).code, 7);
}

/// The native file alone is thinned out and shortened.
TEST(ResultCommands, small_native_file) {
  Folder f;
  ASSERT_EQ(run_body(f, {"--formats", "nc,csv", "--every", "7", "--single"}).code, 0);
  // Every seventh of 41 records, and the last.
  const std::vector<double> t = f.channel("stone.nc", "TIME"),
                            wanted = {0, 7 / 40., 14 / 40., 21 / 40., 28 / 40., 35 / 40., 1};
  ASSERT_EQ(t.size(), wanted.size());
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(t[k], wanted[k], 1e-12);
  EXPECT_EQ(run(f, {"compare", "stone.nc", "stone.csv", "--common"}).code, 0);
  EXPECT_EQ(run(f, {"run", "stone.adm", "--end", "1", "--every", "0"}).code, 2);
}

TEST(ResultCommands, check_tells_the_size_of_every_file) {
  Folder f;
  const std::string more = "OUTPUT/REQSAVE, GRSAVE, PRINT\nRESULTS/XRF\n";
  ASSERT_EQ(run_body(f, {}, more).code, 0);
  f.write("job.acf", "stone\nstone\nSIMULATE/DYNAMIC, END=1, STEPS=40\nSTOP\n");
  ASSERT_EQ(run(f, {"run", "job.acf", "--quiet"}).code, 0);
  const nlohmann::json report = nlohmann::json::parse(run(f, {"check", "job.acf", "--json"}).out);
  ASSERT_EQ(report["files"].size(), 5u);
  double all = 0;
  for (const nlohmann::json& file : report["files"]) {
    const double predicted = file["bytes"],
                 format_bytes =
                     static_cast<double>(fs::file_size(f.path("stone." + file["format"].get<std::string>())));
    all += predicted;
    // The head names the command line and the host, which check does not know: up to a few hundred bytes, in
    // the native file up to a block of 8192. Most numbers of this model are short, so .res stays below.
    if (file["format"] == "res") {
      EXPECT_LT(format_bytes, predicted);
      EXPECT_GT(format_bytes, predicted / 5);  // "0 " at the shortest, 20 characters at the longest, a head
    } else {
      EXPECT_NEAR(format_bytes, predicted, file["format"] == "nc" ? 8192.0 : 300.0) << file;
    }
  }
  EXPECT_EQ(report["output_bytes"], all);
}

/// Of three simulations: from initial conditions, from the end of the first, and after a change of the model.
TEST(ResultCommands, check_tells_the_size_of_a_thinned_file) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("job.acf",
          "stone\nstone\nSIMULATE/DYNAMIC, END=1, STEPS=40\nSIMULATE/DYNAMIC, END=2, STEPS=21\n"
          "DEACTIVATE/SFORCE, ID=1\nSIMULATE/DYNAMIC, END=3, STEPS=5\nSTOP\n");
  std::vector<double> written, predicted;
  for (const char* every : {"1", "7"}) {
    ASSERT_EQ(run(f, {"run", "job.acf", "--quiet", "--formats", "nc", "--every", every}).code, 0);
    written.push_back(static_cast<double>(fs::file_size(f.path("stone.nc"))));
    const Outcome o = run(f, {"check", "job.acf", "--json", "--formats", "nc", "--every", every});
    predicted.push_back(nlohmann::json::parse(o.out)["files"][0]["bytes"]);
  }
  const std::vector<double> t = f.channel("stone.nc", "TIME");
  EXPECT_EQ(t.size(), 7u + 4u + 2u);  // 0 7 14 21 28 35 40, 0 7 14 21, 0 5
  EXPECT_EQ(written[0] - written[1], predicted[0] - predicted[1]);
}

TEST(ResultCommands, help_has_examples) {
  Folder f;
  for (const char* command : {"run", "check", "info", "plot", "compare", "convert"}) {
    const Outcome o = run(f, {command, "--help"});
    EXPECT_EQ(o.code, 0);
    EXPECT_TRUE(contains(o.out, "Examples:\n  trammel " + std::string(command))) << command;
  }
}

}  // namespace
}  // namespace result_commands_test
