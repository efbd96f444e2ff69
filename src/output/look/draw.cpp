#include "output/look/draw.h"

#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/look/gnuplot.h"
#include "output/replacement.h"

namespace trammel {

namespace {

std::string extension_of_picture(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

}  // namespace

void check_picture_name(const std::string& path) {
  const std::string extension = extension_of_picture(path);
  if (extension != ".png" && extension != ".svg")
    fail(ExitCode::usage, "{}: the name of a plot ends in .png or .svg", path);
}

void draw(Picture picture, const std::string& path) {
  check_picture_name(path);
  picture.svg = extension_of_picture(path) == ".svg";
  draw_script(gnuplot_script(picture), path);
}

void draw_script(const std::string& script, const std::string& path) {
  const std::string program = find_gnuplot();
  if (program.empty())
    fail(ExitCode::io, "{}: plots need gnuplot, which is not on the PATH; install it (Debian: gnuplot-nox)",
         path);
  replace_file(path, run_gnuplot(program, script, path));
}

}  // namespace trammel
