// Runs gnuplot with a script and a picture in memory.
#pragma once

#include <string>

namespace trammel {

/// Path of gnuplot from PATH, "" if there is none.
std::string find_gnuplot();

/// A text as a gnuplot literal in single quotes, in which gnuplot substitutes nothing.
std::string gnuplot_quoted(const std::string& text);

/// File descriptor, and name, of the memory into which gnuplot draws.
inline constexpr int picture_descriptor = 9;
inline constexpr const char* picture_name = "/proc/self/fd/9";

/// Runs a script that draws into picture_name, without the user's settings; returns the picture. `output`:
/// name for messages. Failure(io) with gnuplot's message when it failed or the picture is incomplete.
std::string run_gnuplot(const std::string& program, const std::string& script, const std::string& output);

}  // namespace trammel
