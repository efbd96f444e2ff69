#include "support.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "output/write/native_file.h"

namespace trammel_test {

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "trammel_app_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  fs::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << text;
}

std::string Folder::read(const std::string& name) const {
  std::ifstream in(path_ / name, std::ios::binary);
  if (!in) throw std::runtime_error("no file " + name + " among " + list());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<double> Folder::channel(const std::string& file, const std::string& name) const {
  return trammel::NativeReader((path_ / file).string()).read(name);
}

std::string Folder::list() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    names.push_back(fs::relative(entry.path(), path_).string());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

namespace {

constexpr int longest_wait = 60'000;  // ms without a word; a run of these tests takes less than a second

[[noreturn]] void become_program(const Folder& folder, const Launch& launch) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no orphans when the test itself is killed
  if (launch.file_size_limit > 0) {
    const rlimit limit{launch.file_size_limit, launch.file_size_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (launch.memory_limit > 0) {
    const rlimit limit{launch.memory_limit, launch.memory_limit};
    setrlimit(RLIMIT_AS, &limit);
  }
  for (const std::string& entry : launch.environment) putenv(const_cast<char*>(entry.c_str()));
  if (chdir(folder.path().c_str()) != 0) _exit(126);
  std::vector<std::string> arguments = {TRAMMEL_PROGRAM};
  arguments.insert(arguments.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<char*> pointers;
  for (std::string& a : arguments) pointers.push_back(a.data());
  pointers.push_back(nullptr);
  execv(TRAMMEL_PROGRAM, pointers.data());
  _exit(127);
}

}  // namespace

Process::Process(const Folder& folder, const Launch& launch) {
  int out[2] = {-1, -1}, err[2];
  if (pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  if (launch.terminal) {
    winsize size{24, 100, 0, 0};
    child_ = forkpty(&out[0], nullptr, nullptr, &size);
  } else {
    if (pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    child_ = fork();
  }
  if (child_ < 0) throw std::runtime_error("no process");
  if (child_ == 0) {
    if (!launch.terminal) {
      const int target =
          launch.standard_output.empty() ? out[1] : open(launch.standard_output.c_str(), O_WRONLY);
      dup2(target, STDOUT_FILENO);
    }
    dup2(err[1], STDERR_FILENO);
    become_program(folder, launch);
  }
  if (out[1] >= 0) close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Process::~Process() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

void Process::send(int signal) const {
  kill(child_, signal);
}

Outcome Process::wait() {
  Outcome outcome;
  pollfd ends[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  int open_ends = 2;
  while (open_ends > 0) {
    const int ready = poll(ends, 2, longest_wait);
    if (ready < 0 && errno != EINTR) break;
    if (ready == 0) kill(child_, SIGKILL);  // it hangs: its exit code will say so
    for (int k = 0; k < 2; ++k) {
      if (ends[k].fd < 0 || ends[k].revents == 0) continue;
      char buffer[4096];
      const ssize_t length = ::read(ends[k].fd, buffer, sizeof buffer);
      if (length > 0) {
        texts[k]->append(buffer, static_cast<std::size_t>(length));
      } else {  // end of the pipe; a pseudo-terminal says EIO
        ends[k].fd = -1;
        --open_ends;
      }
    }
  }
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

Outcome run(const Folder& folder, const std::vector<std::string>& arguments) {
  return run(folder, Launch{arguments, {}, 0, false, {}});
}

Outcome run(const Folder& folder, const Launch& launch) {
  return Process(folder, launch).wait();
}

bool wait_step(int k) {
  if (k > 0) usleep(5000);
  return k < 4000;
}

fs::path model(const std::string& name) {
  return fs::path(TRAMMEL_SOURCE_DIR) / "models" / name;
}

std::vector<fs::path> samples(const std::string& extension) {
  std::vector<fs::path> found;
  const char* folder = std::getenv("TRAMMEL_SAMPLES");
  if (folder == nullptr) return found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string falling_body(const std::string& more) {
  return R"(body under gravity and a constant force
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
!                 adams_view_name='ground'
PART/1, GROUND
MARKER/1, PART=1
!                 adams_view_name='stone'
PART/2, MASS=2, CM=2, IP=1,1,1
MARKER/2, PART=2
SFORCE/1, TRANSLATIONAL, I=2, J=3, ACTIONONLY, FUNCTION=1
MARKER/3, PART=1, REULER=90D,90D,0
ACCGRAV/KGRAV=-10
)" + more +
         "END\n";
}

std::string four_bar() {
  return R"(parallelogram with redundant equations
PART/1, GROUND
MARKER/11, PART=1
MARKER/12, PART=1, QP=3,0,0
PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,1,0
MARKER/20, PART=2
MARKER/21, PART=2, QP=0,-1,0
MARKER/22, PART=2, QP=0,1,0
PART/3, MASS=1, CM=30, IP=1,1,1, QG=1.5,2,0
MARKER/30, PART=3
MARKER/31, PART=3, QP=-1.5,0,0
MARKER/32, PART=3, QP=1.5,0,0
PART/4, MASS=1, CM=40, IP=1,1,1, QG=3,1,0
MARKER/40, PART=4
MARKER/41, PART=4, QP=0,1,0
MARKER/42, PART=4, QP=0,-1,0
JOINT/1, REVOLUTE, I=21, J=11
JOINT/2, REVOLUTE, I=31, J=22
JOINT/3, REVOLUTE, I=41, J=32
!                 adams_view_name='last_pin'
JOINT/4, REVOLUTE, I=42, J=12
ACCGRAV/JGRAV=-10
END
)";
}

}  // namespace trammel_test
