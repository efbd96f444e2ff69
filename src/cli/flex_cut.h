// Command flex cut: divides a finite-element model into pieces that become flexible bodies, joined in a deck.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct FlexCutCommand {
  std::string inp, out;  ///< `out`: prefix of the files written
  int parts = 0;         ///< number of pieces; or `at`, or `sets` says where to cut
  std::string axis;      ///< x, y, z; "": the longest
  std::vector<double> at;
  std::vector<std::string> sets;
  /// "ID=nodes and sets": further points of the interface.
  std::vector<std::string> rigid, averaged, surface;
  std::string faces = "surface";  ///< points at the cuts: surface, averaged or rigid
  std::string units;              ///< names of the units of mass, length, time, force
  int modes = 0;
  bool quiet = false;
};

int cut_model(const FlexCutCommand& command);

}  // namespace trammel
