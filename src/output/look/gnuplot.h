// Gnuplot as a program that is started, with its script from memory.
#pragma once

#include <string>

namespace trammel {

/// Path of gnuplot from PATH, "" if there is none.
std::string find_gnuplot();

/// A text as a gnuplot literal: single quotes, in which gnuplot substitutes nothing.
std::string gnuplot_quoted(const std::string& text);

/// Under this name gnuplot finds the memory into which it draws.
inline constexpr int picture_descriptor = 9;
inline constexpr const char* picture_name = "/proc/self/fd/9";

/// Runs a script that draws into picture_name, without the user's settings, and gives the picture. `output`:
/// the name for messages. Failure(io) with what gnuplot said where it failed or the picture is not whole.
std::string run_gnuplot(const std::string& program, const std::string& script, const std::string& output);

}  // namespace trammel
