// Gnuplot as a program that is started, with its script from memory.
#pragma once

#include <string>

namespace trammel {

/// Path of gnuplot from PATH, "" if there is none.
std::string find_gnuplot();

/// A text as a gnuplot literal: single quotes, in which gnuplot substitutes nothing.
std::string gnuplot_quoted(const std::string& text);

/// Runs a script that draws into `output`, without the user's settings. Failure(io) with what gnuplot said
/// where it failed or drew nothing.
void run_gnuplot(const std::string& program, const std::string& script, const std::string& output);

}  // namespace trammel
