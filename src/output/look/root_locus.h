// Where eigenvalues of linear models lie, and how they move from one to the next.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct RootLocusOptions {
  std::string output = "plot.png";  ///< .png or .svg
  std::string title = {};
  int width = 1000, height = 0;  ///< pixels
};

/// Draws the eigenvalues of LINEARs in the complex plane [cycles/time], upper half: the first, the last, and
/// what lies between. Files are .npz, or results (.nc, .res), of which each LINEAR/EIGENSOL counts. Throws
/// Failure: io for files that cannot be read and without gnuplot, input for other contents, usage for a
/// picture of another kind.
void plot_roots(const std::vector<std::string>& files, const RootLocusOptions& options);

}  // namespace trammel
