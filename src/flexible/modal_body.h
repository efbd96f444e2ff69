// A flexible body as a floating frame sees it: what a finite-element model becomes by modes.
//
//   r_p = x + A (s_p + Φ_p q)      position of node p; x, A: of the frame, q: modal coordinates
//   ϑ_p = Φ*_p q                   its rotation in the frame
//
// Numbers are in the units of the file that they come from. Vectors are in the axes of the frame.
#pragma once

#include <string>
#include <vector>

#include "math/vec3.h"

namespace trammel {

/// Sums over the nodes p of mass m_p and rotary inertia J_p, by which the mass matrix depends on q. has[1] to
/// has[9] say which are known. Those per pair of modes j, k stand at [j * modes + k].
struct Invariants {
  bool has[10] = {};
  double mass = 0;         ///< 1: Σ m
  Vec3d first;             ///< 2: Σ m s
  std::vector<Vec3d> I3;   ///< per mode, Σ m φ_j
  std::vector<Vec3d> I4;   ///< per mode, Σ m s × φ_j + J φ*_j
  std::vector<Vec3d> I5;   ///< per pair, Σ m φ_j × φ_k
  std::vector<double> I6;  ///< per pair, Σ m φ_j·φ_k + φ*_j·J φ*_k: the modal mass
  Mat3d I7;                ///< Σ m s̃ᵀ s̃ + J: moment of inertia about the origin of the frame
  std::vector<Mat3d> I8;   ///< per mode, Σ m s̃ φ̃_j
  std::vector<Mat3d> I9;   ///< per pair, Σ m φ̃_j φ̃_k
};

/// Names of units as UNITS spells them, in capital letters: "KILOGRAM", "MILLIMETER"; "": not told.
struct ModalUnits {
  std::string mass, length, time, force;
};

struct ModalBody {
  std::string source;  ///< file, for messages
  ModalUnits units;
  int modes = 0;
  std::vector<int> mode_id;       ///< per mode: its number in the file, from 1
  std::vector<double> frequency;  ///< per mode: cycles per unit of time
  /// Whether the file tells the frequencies; if not, they are √(k/m)/2π of its numbers, as of consistent
  /// units.
  bool tells_frequencies = true;
  std::vector<double> stiffness;  ///< modes × modes, symmetric; force/length, the modes being lengths
  std::vector<double> damping;    ///< modes × modes; empty: none is told
  Invariants invariants;

  std::vector<int> node_id;
  std::vector<Vec3d> position;      ///< per node: s
  std::vector<Vec3d> translation;   ///< [node * modes + mode]: φ
  std::vector<Vec3d> rotation;      ///< [node * modes + mode]: φ*; empty: rotations are not told
  std::vector<double> node_mass;    ///< per node; empty: not told
  std::vector<Mat3d> node_inertia;  ///< per node, about the node: J; empty: none

  std::vector<double> preload;  ///< per mode: generalized force of the undeformed shape; empty: none
  std::vector<std::vector<double>> loads;  ///< modal load cases of MFORCE: per case its force on each mode

  int nodes() const { return static_cast<int>(node_id.size()); }
  /// Index of the node with an id; −1: there is none.
  int node(int id) const {
    for (int p = 0; p < nodes(); ++p)
      if (node_id[p] == id) return p;
    return -1;
  }
};

}  // namespace trammel
