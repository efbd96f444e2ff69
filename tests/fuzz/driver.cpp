// Stands in for libFuzzer where clang is not at hand: runs every file of the folders and files given, then
// mutations of them. An input that crashes, or takes longer than its time, is kept as crash-<n>.
//
//   fuzz_dataset [--mutate COUNT] [--seed N] [--seconds PER_INPUT] FOLDER_OR_FILE ...
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "entry.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_input = 1 << 16;  ///< of a mutation, bytes

/// The input at hand, where a signal handler finds it.
const char* current = nullptr;
std::size_t current_size = 0;
char finding[] = "crash-0000000000";

extern "C" void keep_input(int signal) {
  const int file = open(finding, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  const char* text = signal == SIGALRM ? "fuzz: an input takes too long; kept as "
                                       : "fuzz: an input ends the process; kept as ";
  if (file >= 0 && write(file, current, current_size) >= 0 && write(STDERR_FILENO, text, strlen(text)) > 0 &&
      write(STDERR_FILENO, finding, strlen(finding)) > 0 && write(STDERR_FILENO, "\n", 1) > 0)
    close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal == SIGALRM ? SIGKILL : signal);
}

class Driver {
 public:
  Driver(unsigned seed, unsigned seconds) : random_(seed), seconds_(seconds) {}

  void add(const fs::path& path) {
    if (!fs::exists(path)) {
      std::fprintf(stderr, "fuzz: %s does not exist\n", path.c_str());
      std::exit(2);
    }
    std::vector<fs::path> files;
    if (fs::is_directory(path)) {
      for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
      std::sort(files.begin(), files.end());  // the order of the disk is not the same everywhere
    } else {
      files.push_back(path);
    }
    for (const fs::path& file : files) {
      std::ifstream in(file, std::ios::binary);
      corpus_.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }

  void run_corpus() {
    for (const std::string& input : corpus_) run(input);
  }
  void run_mutations(int count) {
    for (int k = 0; k < count && !corpus_.empty(); ++k) run(mutated());
  }
  long inputs() const { return inputs_; }

 private:
  void run(const std::string& input) {
    std::snprintf(finding + 6, 11, "%ld", inputs_++);
    // An exact copy on the heap: address sanitizers see a read behind its end.
    const std::vector<char> bytes(input.begin(), input.end());
    current = bytes.data();
    current_size = bytes.size();
    alarm(seconds_);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current), current_size);
    alarm(0);
  }

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  std::string mutated() {
    std::string text = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(5); changes > 0; --changes) change(text);
    if (text.size() > longest_input) text.resize(longest_input);
    return text;
  }

  /// One change: bytes removed, turned, copied, taken from another input, cut, or repeated.
  void change(std::string& text) {
    const std::size_t at = below(text.size());
    const std::string& other = corpus_[below(corpus_.size())];
    switch (below(7)) {
      case 0:
        text.erase(at, 1 + below(16));
        break;
      case 1:
        if (!text.empty()) text[at] = static_cast<char>(random_());
        break;
      case 2:
        if (!text.empty()) text[at] = static_cast<char>(text[at] ^ 1 << below(8));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(80)));
        break;
      case 4:
        text.insert(at, other.substr(below(other.size()), below(80)));
        break;
      case 5:
        text.resize(at);
        break;
      default:
        text.insert(at, std::string(below(60), text.empty() ? '(' : text[at]));
    }
  }

  std::mt19937 random_;
  unsigned seconds_;
  std::vector<std::string> corpus_;
  long inputs_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  unsigned seed = 1, seconds = 20;
  std::vector<fs::path> paths;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const bool has_value = k + 1 < argc;
    if (word == "--mutate" && has_value)
      count = std::atoi(argv[++k]);
    else if (word == "--seed" && has_value)
      seed = static_cast<unsigned>(std::atoi(argv[++k]));
    else if (word == "--seconds" && has_value)
      seconds = static_cast<unsigned>(std::atoi(argv[++k]));
    else
      paths.emplace_back(word);
  }
  for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL})
    std::signal(signal, keep_input);
  Driver driver(seed, seconds);
  for (const fs::path& path : paths) driver.add(path);
  driver.run_corpus();
  driver.run_mutations(count);
  std::printf("fuzz: %ld inputs\n", driver.inputs());
  if (driver.inputs() == 0) std::fprintf(stderr, "fuzz: no inputs\n");
  return driver.inputs() > 0 ? 0 : 2;
}
