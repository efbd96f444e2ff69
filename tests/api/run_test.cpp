// Whole jobs by the words of a command line, against the program.
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "decks.h"

namespace trammel_test::run_test {
namespace {

std::vector<std::string> words_of(const Folder& f, std::vector<std::string> more) {
  std::vector<std::string> words{"trammel", "run", f.path("stone.adm").string(), "-C", f.path().string()};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(ApiRun, leaves_the_files_of_the_program) {
  Folder of_program, of_library;
  for (const Folder* f : {&of_program, &of_library})
    f->write("stone.adm", falling_body("REQUEST/1,F2=TIME\n"));
  const std::vector<std::string> more{"--end",     "2",          "--steps", "8",
                                      "--formats", "nc,req,csv", "--set",   "PART/2.MASS=4"};
  std::string said;
  double last = 0, end = 0;
  trammel::JobListener listener;
  listener.say = [&](std::string_view text) { said += text; };
  listener.begin_steps = [&](double, double to) { end = to; };
  listener.step = [&](double t, double, long long) { last = t; };
  EXPECT_EQ(trammel::run(words_of(of_library, more), listener), 0);
  std::vector<std::string> words = words_of(of_program, more);
  words.erase(words.begin());
  EXPECT_EQ(run(of_program, words).code, 0);
  EXPECT_EQ(of_library.list(), of_program.list());
  EXPECT_EQ(of_library.read("stone.csv"), of_program.read("stone.csv"));
  EXPECT_TRUE(
      same_bits(of_library.channel("stone.nc", "PART/2.X"), of_program.channel("stone.nc", "PART/2.X")));
  EXPECT_NEAR(of_library.channel("stone.nc", "PART/2.X").back(), 0.5 * 0.25 * 4, 1e-9);
  EXPECT_NE(said.find("steps"), std::string::npos) << said;
  EXPECT_EQ(end, 2);
  EXPECT_NEAR(last, 2, 1e-12);
}

TEST(ApiRun, gives_the_exit_codes_with_their_texts) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("wrong.adm", falling_body("JOINT/1,FIXED,I=2,J=77\n"));
  std::string error;
  trammel::JobListener listener;
  listener.error = [&](std::string_view text) { error = text; };
  const std::string wrong = f.path("wrong.adm").string(), none = f.path("none.adm").string();
  const auto code = [&](const std::vector<std::string>& words, const std::string& part) {
    error.clear();
    const int status = trammel::run(words, listener);
    EXPECT_EQ(error, trammel_failure(nullptr));
    EXPECT_NE(error.find(part), std::string::npos) << error;
    return status;
  };
  EXPECT_EQ(code({"trammel", "run", wrong, "--end", "1", "-C", f.path().string()}, "77"), TRAMMEL_INPUT);
  EXPECT_EQ(code({"trammel", "run", none, "--end", "1"}, "none.adm"), TRAMMEL_IO);
  EXPECT_EQ(code(words_of(f, {"--frog"}), "--frog"), TRAMMEL_USAGE);
  EXPECT_EQ(code(words_of(f, {"--end", "1", "--threads", "0"}), "-j"), TRAMMEL_USAGE);
  EXPECT_EQ(code({"trammel", "check", wrong}, "run"), TRAMMEL_USAGE);
  EXPECT_EQ(code({"trammel"}, "run"), TRAMMEL_USAGE);
  EXPECT_EQ(code({}, "words"), TRAMMEL_USAGE);
  EXPECT_EQ(trammel_run(2, nullptr, nullptr), TRAMMEL_USAGE);
  const char* words[] = {"trammel", nullptr};
  EXPECT_EQ(trammel_run(2, words, nullptr), TRAMMEL_USAGE);
  const trammel_listener of_no_size{};
  EXPECT_EQ(trammel_run(2, words, &of_no_size), TRAMMEL_USAGE);
}

TEST(ApiRun, a_listener_stops_it_with_results_kept) {
  Folder f;
  f.write("stone.adm", falling_body());
  int asked = 0;
  trammel::JobListener listener;
  listener.stop = [&] { return ++asked == 30; };
  EXPECT_EQ(trammel::run(words_of(f, {"--end", "5", "--steps", "100"}), listener), TRAMMEL_INTERRUPTED);
  const std::vector<double> times = f.channel("stone.nc", "time");
  EXPECT_GT(times.size(), 1u);
  EXPECT_LT(times.back(), 5);
  EXPECT_EQ(asked, 30);
}

/// A copy of the library that was moved with its back ends: where it stands, not where the program does.
TEST(ApiRun, back_ends_are_looked_for_beside_the_library) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("lib/trammel/libtrammel_cuda.so", "no library");
  Dl_info here{};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "trammel_run"), &here), 0);
  fs::copy_file(here.dli_fname, f.path("lib/libtrammel.so"));
  void* library = dlopen(f.path("lib/libtrammel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto job = reinterpret_cast<decltype(&trammel_run)>(dlsym(library, "trammel_run"));
  const auto failure = reinterpret_cast<decltype(&trammel_failure)>(dlsym(library, "trammel_failure"));
  unsetenv("TRAMMEL_PLUGINS");
  const std::vector<std::string> words = words_of(f, {"--end", "1", "--backend", "cuda"});
  std::vector<const char*> list;
  for (const std::string& word : words) list.push_back(word.c_str());
  EXPECT_EQ(job(static_cast<int>(list.size()), list.data(), nullptr), TRAMMEL_BACKEND);
  const std::string expected = f.path("lib/trammel/libtrammel_cuda.so").string() + " cannot be loaded";
  EXPECT_NE(std::string(failure(nullptr)).find(expected), std::string::npos) << failure(nullptr);
}

/// User code that calls SYSFNC finds it in the library. In a copy that was loaded beside it, for one caller
/// alone, it would find that of the first: it is refused there.
TEST(ApiRun, user_code_finds_its_utilities) {
  Folder f;
  const auto deck = [](const std::string& law) {
    return falling_body("MARKER/90,PART=1,QP=1,2,3\nMARKER/91,PART=2\nSFORCE/9,TRANSLATION,I=91,J=90," + law +
                        "\n");
  };
  f.write("stone.adm",
          deck("FUNCTION=USER(300,4,0.4)\\,ROUTINE=" TRAMMEL_USER_CODE "/user_subroutines::Spring"));
  f.write("right.adm", deck("FUNCTION=-300*(DM(91,90)-0.4)-4*VR(91,90)"));
  Dl_info here{};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "trammel_run"), &here), 0);
  fs::create_directories(f.path("lib"));
  fs::copy_file(here.dli_fname, f.path("lib/libtrammel.so"));
  void* copy = dlopen(f.path("lib/libtrammel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(copy, nullptr) << dlerror();
  const auto job = reinterpret_cast<decltype(&trammel_run)>(dlsym(copy, "trammel_run"));
  const auto failure = reinterpret_cast<decltype(&trammel_failure)>(dlsym(copy, "trammel_failure"));
  for (const char* name : {"stone", "right"}) {
    const std::string path = f.path(std::string(name) + ".adm").string(), folder = f.path().string();
    const char* words[] = {"trammel", "run", path.c_str(), "-C", folder.c_str(), "--end", "1"};
    EXPECT_EQ(trammel_run(7, words, nullptr), 0) << trammel_failure(nullptr);
    const bool calls = name == std::string("stone");
    EXPECT_EQ(job(7, words, nullptr), calls ? TRAMMEL_INPUT : 0);
    const std::string said = calls ? failure(nullptr) : "would be those of";
    EXPECT_NE(said.find("would be those of"), std::string::npos) << said;
  }
  EXPECT_NEAR(f.channel("stone.nc", "PART/2.X").back(), f.channel("right.nc", "PART/2.X").back(), 1e-8);
}

std::vector<std::string> batch_of(const Folder& f, const std::string& folder) {
  return {"trammel",
          "batch",
          f.path("stone.adm").string(),
          "--variants",
          f.path("t.csv").string(),
          "--end",
          "1",
          "--channels",
          "PART/2.X",
          "-C",
          f.path(folder).string()};
}

/// x = t² / (2 m) under 1 N.
TEST(ApiBatch, leaves_the_files_of_the_program) {
  Folder f;
  f.write("stone.adm", falling_body());
  f.write("t.csv", "PART/2.MASS\n1\n2\n5\n");
  std::vector<std::size_t> heard;
  trammel::JobListener listener;
  listener.variants = [&](std::size_t done, std::size_t failed) { heard.push_back(done + failed); };
  EXPECT_EQ(trammel::batch(batch_of(f, "library"), listener), 0);
  EXPECT_FALSE(heard.empty());
  EXPECT_EQ(heard.empty() ? 0 : heard.back(), 3u);
  std::vector<std::string> words = batch_of(f, "program");
  words.erase(words.begin());
  EXPECT_EQ(run(f, words).code, 0);
  EXPECT_EQ(f.list().find("stone.csv"), std::string::npos);
  const auto places = [&](const std::string& folder) {  // the column before the message
    std::istringstream lines(f.read(folder + "/stone_t.csv"));
    std::vector<std::string> out;
    for (std::string line; std::getline(lines, line);) {
      line.resize(line.rfind(','));
      out.push_back(line.substr(line.rfind(',') + 1));
    }
    return out;
  };
  const std::vector<std::string> x = places("library");
  ASSERT_EQ(x.size(), 4u);
  EXPECT_EQ(x, places("program"));
  const double mass[] = {1, 2, 5};
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(std::stod(x[k + 1]), 0.5 / mass[k], 1e-9);  // exact but for rounding
}

TEST(ApiBatch, stops_and_tells_failures) {
  Folder f;
  f.write("stone.adm", falling_body("INTEGRATOR/HHT,HMAX=1E-6\n"));
  f.write("t.csv", "PART/2.MASS\n1\n2\n");
  std::string error;
  int asked = 0;
  trammel::JobListener listener;
  listener.error = [&](std::string_view text) { error = text; };
  listener.stop = [&] { return ++asked > 20; };
  EXPECT_EQ(trammel::batch(batch_of(f, "stopped"), listener), TRAMMEL_INTERRUPTED);
  EXPECT_NE(f.read("stopped/stone_t.csv").find("interrupted"), std::string::npos);
  f.write("t.csv", "PART/77.MASS\n1\n");
  EXPECT_EQ(trammel::batch(batch_of(f, "wrong"), listener), TRAMMEL_INPUT);
  EXPECT_NE(error.find("77"), std::string::npos) << error;
  EXPECT_EQ(trammel::batch({"trammel", "run", "stone.adm"}, listener), TRAMMEL_USAGE);
}

/// A listener as the header of version 1 has it ends before what it hears of batches.
TEST(ApiRun, hears_as_callers_of_an_older_header_know_it) {
  Folder f;
  f.write("stone.adm", falling_body());
  struct Said {
    std::string text;
  } said;
  trammel_listener listener;
  std::memset(&listener, 0xFF, sizeof listener);  // what stands behind the caller's structure
  std::memset(&listener, 0, offsetof(trammel_listener, begin_variants));
  listener.size = offsetof(trammel_listener, begin_variants);
  listener.user = &said;
  listener.say = [](void* user, const char* text) { static_cast<Said*>(user)->text += text; };
  const std::vector<std::string> words = words_of(f, {"--end", "1"});
  std::vector<const char*> list;
  for (const std::string& word : words) list.push_back(word.c_str());
  EXPECT_EQ(trammel_run(static_cast<int>(list.size()), list.data(), &listener), TRAMMEL_OK);
  EXPECT_NE(said.text.find("steps"), std::string::npos) << said.text;
}

TEST(ApiRun, several_threads_wait_for_each_other) {
  Folder folders[3];
  std::vector<std::thread> threads;
  int codes[3] = {-1, -1, -1};
  for (int k = 0; k < 3; ++k) {
    folders[k].write("stone.adm", falling_body());
    threads.emplace_back([&, k] { codes[k] = trammel::run(words_of(folders[k], {"--end", "1"})); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(codes[k], 0);
    EXPECT_NEAR(folders[k].channel("stone.nc", "PART/2.X").back(), 0.25, 1e-9);
  }
}

}  // namespace
}  // namespace trammel_test::run_test
