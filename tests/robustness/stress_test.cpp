// Runs that are killed, cut off by a size limit, or started twice, at random moments: every file that is left
// reads back, every record in it is the one of an undisturbed run of the same deck, and no more is lost than
// one flush. A small number of each here; the test `stress` asks for 200, 50 and 20 (docs/robustness.md).
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <sstream>

#include <fmt/format.h>

#include "../app/support.h"
#include "base/diagnostics.h"
#include "output/read/result_reader.h"

using namespace trammel_test;
using trammel::ResultReader;
using trammel::StepKind;

namespace stress_test {
namespace {

using Clock = std::chrono::steady_clock;

/// How many runs of a kind are made: what an environment variable says.
int runs_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::stoi(text) : otherwise;
}
const int kills = runs_of("TRAMMEL_STRESS_KILLS", 12);
const int limits = runs_of("TRAMMEL_STRESS_LIMITS", 8);
const int pairs = runs_of("TRAMMEL_STRESS_PAIRS", 3);

const std::vector<std::string> read_back = {"run.nc", "run.res", "run.req", "run.csv"};
/// Formats of lines that are compared, and the lines in front that tell the time of day.
const std::vector<std::pair<std::string, std::size_t>> line_files = {{"run.gra", 1}, {"run.out", 2}};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  if (!text.empty() && text.back() != '\n') out.pop_back();  // cut
  return out;
}

/// A pendulum with a spring, all formats; 3000 records.
struct Reference {
  Folder folder;
  double seconds = 0;                       ///< of the undisturbed run
  std::map<std::string, std::size_t> size;  ///< bytes
  std::map<std::string, std::unique_ptr<ResultReader>> results;
  std::map<std::string, std::vector<std::string>> lines;

  Reference() {
    write_deck(folder);
    const Clock::time_point start = Clock::now();
    const Outcome o = run(folder, arguments());
    seconds = seconds_since(start);
    if (o.code != 0) throw std::runtime_error("the reference run failed: " + o.err);
    for (const std::string& name : read_back)
      results[name] = std::make_unique<ResultReader>(folder.path(name));
    for (const auto& [name, head] : line_files) lines[name] = lines_of(folder.read(name));
    for (const auto& entry : fs::directory_iterator(folder.path()))
      size[entry.path().filename().string()] = fs::file_size(entry.path());
  }

  static void write_deck(const Folder& f) {
    f.write(
        "model.adm",
        "pendulum on a spring\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
        "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=2, IP=0.1,0.2,0.3, QG=1,0,0\nMARKER/2, PART=2\n"
        "MARKER/3, PART=2, QP=-1,0,0\nJOINT/1, SPHERICAL, I=3, J=1\nPART/3, MASS=1, CM=4, IP=1,1,1, "
        "QG=2,0,0\n"
        "MARKER/4, PART=3\nSPRINGDAMPER/1, TRANSLATIONAL, I=4, J=2, K=100, C=0.1, LENGTH=0.9\n"
        "VARIABLE/1, FUNCTION=DM(4,2)\nREQUEST/1, DISPLACEMENT, I=4, J=1\nACCGRAV/KGRAV=-9.81\n"
        "OUTPUT/REQSAVE, GRSAVE, PRINT\nRESULTS/XRF\nEND\n");
    f.write("run.acf",
            "model\nrun\nINTEGRATOR/HHT, ERROR=1E-5, HMAX=2E-3\nSIMULATE/DYNAMIC, END=6, STEPS=3000\n");
  }
  static std::vector<std::string> arguments() {
    return {"run", "run.acf", "--formats", "nc,res,req,csv,gra,out", "--backend", "cpu"};
  }
  static const Reference& get() {
    static const Reference reference;
    return reference;
  }
};

std::size_t input_records(const ResultReader& file) {
  return static_cast<std::size_t>(
      std::count(file.kinds().begin(), file.kinds().end(), StepKind::model_input));
}

/// Records of a file that are results; every one of them is the reference's, bit for bit. `whole`: nothing
/// may be cut, as a reader sees it.
std::size_t true_records(const Folder& f, const std::string& name, bool whole) {
  const ResultReader file(f.path(name).string());
  const ResultReader& all = *Reference::get().results.at(name);
  for (const std::string& notice : file.notices()) {  // of .res: that its run failed
    EXPECT_TRUE(!whole || notice.find("has not ended as asked (status Failed)") != std::string::npos)
        << notice;
  }
  EXPECT_LE(file.records(), all.records());
  EXPECT_EQ(file.width(), all.width());
  std::vector<double> a(all.width()), b(all.width());
  for (std::size_t r = 0; r < std::min(file.records(), all.records()); ++r) {
    file.record(r, a);
    all.record(r, b);
    const bool same = file.times()[r] == all.times()[r] && file.kinds()[r] == all.kinds()[r] &&
                      std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
    EXPECT_TRUE(same) << name << ", record " << r;
    if (!same) break;
  }
  return file.records() - std::min(file.records(), input_records(file));
}

/// The same for lines; the number of those that are the reference's.
std::size_t true_lines(const Folder& f, const std::string& name, std::size_t head) {
  const std::vector<std::string> lines = lines_of(f.read(name)), &all = Reference::get().lines.at(name);
  EXPECT_LE(lines.size(), all.size()) << name;
  for (std::size_t k = head; k < std::min(lines.size(), all.size()); ++k)
    if (lines[k] != all[k]) {
      ADD_FAILURE() << name << ":" << k + 1 << ": " << lines[k] << " instead of " << all[k];
      break;
    }
  return lines.size();
}

std::mt19937& random_numbers() {
  static std::mt19937 generator(20261122);
  return generator;
}

double uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random_numbers());
}

/// Wall times of the records that a run had computed, from its log.
std::vector<double> recorded(const Folder& f) {
  std::vector<double> walls;
  if (!f.has("log.jsonl")) return walls;
  for (const std::string& line : lines_of(f.read("log.jsonl"))) {
    const nlohmann::json event = nlohmann::json::parse(line);
    if (event["event"] == "output") walls.push_back(event["wall"]);
  }
  return walls;
}

TEST(Stress, killed_at_any_moment) {
  const Reference& reference = Reference::get();
  double worst_excess = -1e9, worst_loss = 0;
  std::size_t most_lost = 0, before_first = 0, finished = 0, checked = 0;
  for (int k = 0; k < kills; ++k) {
    SCOPED_TRACE(fmt::format("kill {}", k));
    Folder f;
    Reference::write_deck(f);
    const double flush = std::vector<double>{0, 0.02, 0.1, 0.3}[static_cast<std::size_t>(k) % 4];
    std::vector<std::string> arguments = Reference::arguments();
    arguments.insert(arguments.end(), {"--log-json", "log.jsonl"});
    Process process(f, Launch{arguments, {fmt::format("TRAMMEL_FLUSH_SECONDS={}", flush)}, 0, false, {}});
    usleep(static_cast<useconds_t>(1e6 * uniform(0, 1.2 * reference.seconds)));
    process.send(SIGKILL);
    const Outcome o = process.wait();
    if (o.code == 0) ++finished;
    const std::vector<double> walls = recorded(f);
    if (f.has("run.status.json")) {
      const nlohmann::json status = f.json("run.status.json");
      EXPECT_EQ(status["state"], o.code == 0                     ? "finished"
                                 : status["state"] == "finished" ? "finished"
                                                                 : "running");
    }
    if (walls.empty()) {
      ++before_first;
      continue;
    }
    for (const auto& [name, head] : line_files) true_lines(f, name, head);
    for (const std::string& name : read_back) {
      const std::size_t there = true_records(f, name, name == "run.nc");
      ++checked;
      if (there >= walls.size()) continue;  // the log comes after the files
      const double loss = walls.back() - walls[there];
      worst_loss = std::max(worst_loss, loss);
      worst_excess = std::max(worst_excess, loss - flush);
      most_lost = std::max(most_lost, walls.size() - there);
      // The clock of the flush and that of the log are read at different moments, a flush of all files apart.
      EXPECT_LE(loss, flush + 0.5) << name << ": " << walls.size() - there << " records";
    }
  }
  std::cout << fmt::format(
      "{} kills: {} before the first record, {} after the end; {} files read back; at most {:.3f} s of "
      "records lost "
      "({} records), {:.3f} s more than TRAMMEL_FLUSH_SECONDS\n",
      kills, before_first, finished, checked, worst_loss, most_lost, std::max(0.0, worst_excess));
  EXPECT_LT(before_first + finished, kills);
}

TEST(Stress, writes_that_fail_at_any_size) {
  const Reference& reference = Reference::get();
  std::size_t largest = 0, checked = 0, failed = 0, worst = 0;
  for (const auto& [name, bytes] : reference.size) largest = std::max(largest, bytes);
  for (int k = 0; k < limits; ++k) {
    const auto limit =
        static_cast<std::size_t>(std::exp(uniform(std::log(3000.0), std::log(1.1 * double(largest)))));
    SCOPED_TRACE(fmt::format("limit {}", limit));
    Folder f;
    Reference::write_deck(f);
    const std::string flush = k % 2 ? "TRAMMEL_FLUSH_SECONDS=0" : "TRAMMEL_FLUSH_SECONDS=0.05";
    const Outcome o = run(f, Launch{Reference::arguments(), {flush}, limit, false, {}});
    EXPECT_EQ(o.signal, 0);
    EXPECT_EQ(o.code, limit < largest ? 7 : 0) << o.err;
    failed += o.code == 7;
    const nlohmann::json status = f.json("run.status.json");
    EXPECT_EQ(status["state"], o.code == 0 ? "finished" : "failed");
    EXPECT_EQ(status["exit_code"], o.code);
    EXPECT_EQ(status["message"].get<std::string>().find("cannot write ") == 0, o.code == 7);
    EXPECT_FALSE(f.has("run.lock"));
    for (const std::string& name : read_back) {
      if (!f.has(name)) continue;  // its head did not fit, or the run ended before
      const std::size_t there = true_records(f, name, true);
      ++checked;
      if (o.err.find(name + ":") == std::string::npos) continue;
      // The file at the limit is filled but for the record that did not fit (.nc: in blocks of 4096 bytes).
      const std::size_t record = reference.size.at(name) / reference.results.at(name)->records();
      const std::size_t unused = limit - std::min<std::size_t>(limit, fs::file_size(f.path(name)));
      worst = std::max(worst, unused);
      EXPECT_LE(unused, 2 * record + 4096 + 200) << name << " with " << there << " records";
    }
    for (const auto& [name, head] : line_files)
      if (f.has(name)) {
        true_lines(f, name, head);
        EXPECT_TRUE(f.read(name).empty() || f.read(name).back() == '\n') << name;
      }
    if (f.has("run.res")) {
      const std::string text = f.read("run.res");
      EXPECT_NE(text.rfind(o.code == 0 ? "\"Successful\"" : "\"Failed\""), std::string::npos);
    }
  }
  std::cout << fmt::format(
      "{} limits: {} runs ended by them; {} files read back; at most {} bytes below the limit unused\n",
      limits, failed, checked, worst);
}

/// Started within 20 ms of each other, one is refused; where the machine held the second up until the first
/// had ended, both have run, one after the other.
TEST(Stress, two_at_a_time) {
  const Reference& reference = Reference::get();
  int refused = 0;
  for (int k = 0; k < pairs; ++k) {
    SCOPED_TRACE(fmt::format("pair {}", k));
    Folder f;
    Reference::write_deck(f);
    Process first(f, Launch{Reference::arguments(), {}, 0, false, {}});
    usleep(static_cast<useconds_t>(1e6 * uniform(0, 0.02)));
    Process second(f, Launch{Reference::arguments(), {}, 0, false, {}});
    const Outcome a = first.wait(), b = second.wait();
    const bool one_refused = a.code != 0 || b.code != 0;
    EXPECT_EQ(std::min(a.code, b.code), 0) << a.err << b.err;
    EXPECT_EQ(std::max(a.code, b.code), one_refused ? 7 : 0);
    EXPECT_EQ((a.err + b.err).find("run.* is being written by") != std::string::npos, one_refused);
    EXPECT_EQ(f.has("run.nc.1"), !one_refused);
    refused += one_refused;
    for (const std::string& name : read_back)
      EXPECT_EQ(true_records(f, name, true),
                reference.results.at(name)->records() - input_records(*reference.results.at(name)));
    for (const auto& [name, head] : line_files)
      EXPECT_EQ(true_lines(f, name, head), reference.lines.at(name).size());
    EXPECT_EQ(f.json("run.status.json")["state"], "finished");
    EXPECT_FALSE(f.has("run.lock"));
  }
  std::cout << fmt::format("{} pairs: {} refused, the others one after the other\n", pairs, refused);
  EXPECT_GT(refused, 0);  // on a machine that does much else few of them meet
}

}  // namespace
}  // namespace stress_test
