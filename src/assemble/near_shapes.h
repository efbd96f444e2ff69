// Which shapes of groups in contact are near each other, as bodies move. Forces are looked for among those
// near now; those coupled have places in the matrix.
//
// The list is found with a margin around every shape and holds until a shape has left its own. Forces do not
// depend on it: shapes that touch are always in it.
#pragma once

#include <span>
#include <vector>

#include "geometry/near_balls.h"
#include "math/pose.h"

namespace trammel {

class Archive;

/// A shape of a group.
struct ShapeOfGroup {
  double reach;  ///< radius of the ball about the origin of its frame that holds it
  int group, body;
  bool of_I, of_J;
};

/// Of every shape others, as pointers: see Neighbours.
struct NeighbourView {
  const int *start = nullptr, *other = nullptr, *pair = nullptr;
};

class NearShapes {
 public:
  explicit NearShapes(std::vector<ShapeOfGroup> shapes);
  NearShapes(const NearShapes&) = delete;
  NearShapes& operator=(const NearShapes&) = delete;

  /// Takes the present frames, of every shape one: finds the list anew where a shape has left its margin.
  void update(std::span<const Pose<double>> frames);
  /// Makes the list hold as long as no shape goes farther than this from its present frame.
  void cover(std::span<const Pose<double>> frames, std::span<const double> way);

  const NeighbourView* near() const { return &near_view_; }
  const NeighbourView* coupled() const { return &coupled_view_; }
  /// Whether some that are near are not coupled.
  bool coupled_misses_some() const { return misses_; }
  /// All that are near are coupled from now on, and no others.
  void couple();

  /// How often the list was found; how many shapes were held against another in that, in all; pairs in it.
  long searches() const { return searches_; }
  long looks() const { return looks_; }
  std::size_t pairs() const { return near_.size() / 2; }

  void archive(Archive& a);

 private:
  void find(std::span<const Pose<double>> frames);
  void take_views();
  bool all_coupled() const;

  std::vector<ShapeOfGroup> shape_;
  double usual_ = 0;            ///< mean reach of those that have an end
  std::vector<Vec3d> place_;    ///< of the frames where the list was found
  std::vector<double> margin_;  ///< how far each may be from there
  Neighbours near_, coupled_;
  NeighbourView near_view_, coupled_view_;
  bool misses_ = false;
  long searches_ = 0, looks_ = 0;
};

}  // namespace trammel
