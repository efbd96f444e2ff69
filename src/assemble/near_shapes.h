// Which shapes of groups in contact are near each other, as bodies move. Forces are looked for among those
// near now; those coupled have places in the matrix.
//
// The list is found with a margin around every shape and holds until a shape has left its own. Forces do not
// depend on it: shapes that touch are always in it.
#pragma once

#include <functional>
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

/// Whether contact of two shapes is looked for.
TRAMMEL_HD inline bool may_touch(const ShapeOfGroup& p, const ShapeOfGroup& q) {
  return p.group == q.group && p.body != q.body && ((p.of_I && q.of_J) || (p.of_J && q.of_I));
}

/// Of every shape others, as pointers: see Neighbours.
struct NeighbourView {
  const int *start = nullptr, *other = nullptr, *pair = nullptr;
};

class NearShapes {
 public:
  explicit NearShapes(std::vector<ShapeOfGroup> shapes);
  NearShapes(const NearShapes&) = delete;
  NearShapes& operator=(const NearShapes&) = delete;

  /// Which of those that may touch are near, as near_balls() finds them, which counts in `looks`.
  using Search = std::function<Neighbours(std::span<const BoundingBall> balls, long* looks)>;

  /// Takes the present frames, of every shape one: finds the list anew where a shape has left its margin, by
  /// near_balls() or by another search.
  void update(std::span<const Pose<double>> frames, const Search& search = {});
  /// Makes the list hold as long as no shape goes farther than this from its present frame, by the same.
  void cover(std::span<const Pose<double>> frames, std::span<const double> way, const Search& search = {});

  /// Views of the lists as they are at any time.
  NeighbourView& near() { return near_view_; }
  NeighbourView& coupled() { return coupled_view_; }
  const Neighbours& near_list() const { return near_; }
  const Neighbours& coupled_list() const { return coupled_; }
  std::span<const ShapeOfGroup> shapes() const { return shape_; }
  /// Where shapes were when the list was found, and how far each may be from there; empty before.
  std::span<const Vec3d> places() const { return place_; }
  std::span<const double> margins() const { return margin_; }
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
  void find(std::span<const Pose<double>> frames, const Search& search);
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
