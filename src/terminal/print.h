// Printing on standard output and standard error, and the exit codes of failed commands.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Prints one text to standard output or standard error, with an end of line. A stream that cannot be
/// written to (closed pipe, full disk) loses the text, not the run.
void print_line(std::FILE* stream, std::string_view text);

/// The error number of the first text that was lost for standard output; 0: none was lost.
int lost_output();

/// Notices of files to standard output, each as "note: ...".
void print_notices(const std::vector<std::string>& notices);

/// Prints the exception that is being handled to standard error, and returns its exit code.
int exit_code_of_failure();

/// Runs a command and returns its exit code; a failure is printed to standard error, and its code returned.
template <class Action>
int guarded_command(Action action) {
  try {
    return action();
  } catch (...) {
    return exit_code_of_failure();
  }
}

}  // namespace trammel
