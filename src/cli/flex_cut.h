// Command flex cut: a finite-element model in pieces that become flexible bodies, joined in a deck.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct FlexCutCommand {
  std::string inp, out;  ///< out: prefix of files
  int parts = 0;         ///< or at, or sets
  std::string axis;      ///< x, y, z; "": the longest
  std::vector<double> at;
  std::vector<std::string> sets;
  std::vector<std::string> rigid, averaged, surface;  ///< ID=nodes and sets: other points of the interface
  std::string faces = "surface";                      ///< points at the cuts: surface, averaged or rigid
  std::string units;                                  ///< mass, length, time, force
  int modes = 0;
  bool quiet = false;
};

int cut_model(const FlexCutCommand& command);

}  // namespace trammel
