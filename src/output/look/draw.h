// A picture into a file, by gnuplot.
#pragma once

#include <string>

#include "output/look/plot_script.h"

namespace trammel {

/// Failure(usage) for a name that does not end in .png or .svg.
void check_picture_name(const std::string& path);

/// Draws what the ending of `path` says. Failure(usage) for another ending; Failure(io) where there is no
/// gnuplot or it fails, naming the file, which is then unchanged.
void draw(Picture picture, const std::string& path);

/// Runs a script of gnuplot that draws into picture_name. Failure(io) likewise.
void draw_script(const std::string& script, const std::string& path);

}  // namespace trammel
