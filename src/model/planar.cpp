// Planar parts: their planes, and which rows of a constraint say something in one.
#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "model/compiler.h"

namespace trammel {

namespace {

// resolution of decks with six digits, relative to the deck's size or to a radian
constexpr double deck_digits = 1e-6;

/// Axes without the rounding that 90D and the like leave where a 0 is meant, so that forces along one axis
/// have no entries elsewhere.
Mat3d without_rounding(Mat3d axes) {
  for (double& x : axes.m)
    if (std::abs(x) < 4e-16) x = 0;
  return axes;
}

}  // namespace

/// Reads the plane, and puts the part exactly into it, as far as its digits let it be there.
void Compiler::lay_in_plane(const Statement& s, Body& body, InitialBody& initial) {
  if (const auto id = s.id_of("PLANE")) {
    const LocalMarker* at = local_.find(*id);
    if (!at || !at->owner) return;  // reported elsewhere
    const LocalMarker& marker = *at;
    if (marker.floating || marker.owner->body >= 0) {
      diagnostics_.error(s.find("PLANE")->where,
                         "{}: PLANE={} is no fixed marker of the ground part; name one", s.label(), *id);
      return;
    }
    body.plane = without_rounding(marker.axes);
    body.height = dot(body.plane.column(2), marker.position);
  }
  const Vec3d n = body.plane.column(2);
  const double off = dot(n, initial.position) - body.height;
  if (std::abs(off) > deck_digits * size_)
    diagnostics_.error(
        s.where,
        "{}: is PLANAR, and its centre of mass is {:.6g} off its plane; move QG or CM into it, "
        "or name a plane at that height by PLANE=<marker of ground>",
        s.label(), off);
  if (norm(initial.orientation.column(2) - n) > deck_digits)
    diagnostics_.error(
        s.where,
        "{}: is PLANAR, and the z axis of its frame is not the normal of its plane; turn the "
        "frame by REULER (and back its markers), or name its plane by PLANE=<marker of ground>",
        s.label());
  initial.position -= off * n;
  const Vec3d x = transpose_times(body.plane, initial.orientation.column(0));
  initial.orientation = body.plane * rotation_z(std::atan2(x.y, x.x));
  if (const Argument* exact = s.find("EXACT"))
    for (const std::string& word : exact->words)
      if (word == "Z" || word == "THETA" || word == "PHI")
        diagnostics_.error(exact->where,
                           "{}: EXACT has {}, which a PLANAR part keeps in any case; leave it X, Y and PSI",
                           s.label(), word);
}

void Compiler::check_planar_velocity(const Statement& s, const Body& body, const InitialBody& initial) {
  const Vec3d n = body.plane.column(2);
  const Mat3d turning =
      initial.angular_marker >= 0 ? given_axes(initial.angular_marker) : initial.orientation * body.cm_axes;
  const Vec3d v = given_axes(initial.velocity_marker) * initial.velocity;
  const Vec3d w = turning * initial.angular_velocity;
  constexpr double nothing = 1e-12;  // what rounding in a preprocessor leaves of a velocity that is 0
  if (std::abs(dot(n, v)) > deck_digits * norm(v) + nothing)
    diagnostics_.error(
        s.where,
        "{}: is PLANAR, and its initial velocity has {:.6g} along the normal of its plane; give "
        "VX, VY, VZ in the plane",
        s.label(), dot(n, v));
  if (const double off = norm(w - dot(n, w) * n); off > deck_digits * norm(w) + nothing)
    diagnostics_.error(s.where,
                       "{}: is PLANAR, and its initial angular velocity has {:.6g} off the normal of its "
                       "plane; give WX, WY, WZ along the normal",
                       s.label(), off);
}

/// The body of I (of J where I is on ground) if I moves in J in a plane: both are on bodies of parallel
/// planes or one is on ground; else nullptr.
const Body* Compiler::plane_of(int I, int J) const {
  const Body* moved = nullptr;
  for (const int marker : {J, I}) {
    const int b = model_.markers[marker].body;
    if (b < 0) continue;
    const Body& body = model_.bodies[b];
    if (!body.planar()) return nullptr;
    if (moved && norm(cross(body.plane.column(2), moved->plane.column(2))) > deck_digits) return nullptr;
    moved = &body;
  }
  return moved;
}

namespace {

/// The rows of a constraint as functions of a motion of one of its markers in a plane: along x and y in units
/// of a length, and about the normal.
class PlanarRows {
 public:
  PlanarRows(const ConstraintElement& element, const Mat3d& plane, double length, bool moves_I,
             const Pose<double>& I, const Pose<double>& J, const CurveContact& contact)
      : e_(element), plane_(plane), length_(length), moves_I_(moves_I), pose_{I, J}, contact_(contact) {}

  /// φ in units of the length, or of a radian.
  double value(int k) const {
    const double phi = e_.curves >= 0 ? curve_row_value(e_.row[k], contact_, pose_[0], pose_[1])
                                      : row_value(e_.row[k], pose_[0], pose_[1]);
    return row_is_rotational(e_.row[k]) ? phi : phi / length_;
  }

  /// ∂φ/∂(motion), φ as value() has it.
  Vec3d gradient(int k) const {
    const Vec3d g = whole_gradient(k).in_plane;
    return row_is_rotational(e_.row[k]) ? g : (1 / length_) * g;
  }

  /// γ of theory.md (8d): the gradient in the plane, divided by the size of the gradient by all motions of
  /// the marker in space. Its length is 1 where the plane takes nothing of the reaction.
  Vec3d share(int k) const {
    const Gradient g = whole_gradient(k);
    return g.size > 0 ? (1 / g.size) * g.in_plane : Vec3d{};
  }

  /// Moves the marker to where the rows hold, as nearly as the plane lets them: Gauss-Newton, least motions.
  void assemble() {
    // added to squares of gradients; limit of a motion in radians or lengths
    constexpr double little = 1e-5, most = 0.5;
    for (int iteration = 0; iteration < 50; ++iteration) {
      Mat3d squares = Mat3d::diagonal(little, little, little);
      Vec3d fall{};
      for (int k = 0; k < e_.rows; ++k) {
        const Vec3d g = gradient(k);
        squares += outer(g, g);
        fall -= value(k) * g;
      }
      Vec3d d = inverse(squares) * fall;
      if (norm(d) > most) d = (most / norm(d)) * d;
      Pose<double>& moved = pose_[moves_I_ ? 0 : 1];
      moved.r += length_ * (d.x * plane_.column(0) + d.y * plane_.column(1));
      moved.A = rotation_vector(d.z * plane_.column(2)) * moved.A;
      if (norm(d) < 1e-14) break;
    }
  }

  /// Rows that do not follow from each other in the plane; of equal ones those that stand first.
  std::vector<int> independent() const {
    constexpr double stronger = 1.01, least = 1e-5;
    std::vector<Vec3d> left;
    for (int k = 0; k < e_.rows; ++k) left.push_back(share(k));
    std::vector<int> kept;
    while (true) {
      int best = 0;
      for (int k = 1; k < e_.rows; ++k)
        if (norm(left[k]) > stronger * norm(left[best])) best = k;
      const double size = norm(left[best]);
      if (size < least) break;
      kept.push_back(best);
      const Vec3d direction = (1 / size) * left[best];
      for (Vec3d& g : left) g -= dot(g, direction) * direction;
      left[best] = Vec3d{};
    }
    std::sort(kept.begin(), kept.end());
    return kept;
  }

 private:
  struct Gradient {
    Vec3d in_plane;
    double size;  ///< of the gradient by all motions in space
  };
  Gradient whole_gradient(int k) const {
    const RowGradient<double> g = e_.curves >= 0 ? curve_row_gradient(e_.row[k], contact_, pose_[0], pose_[1])
                                                 : row_gradient(e_.row[k], pose_[0], pose_[1]);
    const Vec3d f = length_ * (moves_I_ ? g.fi : g.fj), &t = moves_I_ ? g.ti : g.tj;
    return {{dot(plane_.column(0), f), dot(plane_.column(1), f), dot(plane_.column(2), t)},
            std::sqrt(dot(f, f) + dot(t, t))};
  }

  const ConstraintElement& e_;
  Mat3d plane_;
  double length_;
  bool moves_I_;
  Pose<double> pose_[2];
  CurveContact contact_;
};

/// Leaves of an element the rows `kept` alone.
void keep_rows(ConstraintElement& e, const std::vector<int>& kept) {
  int to = 0;
  for (const int k : kept) {
    e.row[to] = e.row[k];
    e.row_name[to] = e.row_name[k];
    e.phases[to] = e.phases[k];
    e.target[to] = e.target[k];
    e.target_rate[to] = e.target_rate[k];
    ++to;
  }
  e.rows = to;
}

}  // namespace

/// Whether the curves of a contact lie in the plane of its parts; else an error.
bool Compiler::curves_in_plane(const ConstraintElement& e, const Vec3d& normal) {
  const CurveUse& use = model_.curve_uses[e.curves];
  const Pose<double> I = given_pose(e.I), J = given_pose(e.J);
  const double allowed = deck_digits * size_;
  bool inside = true;
  for (const auto& [curve, pose] : {std::pair{use.curve_J, J}, std::pair{use.curve_I, I}}) {
    if (curve < 0) continue;
    const double height = dot(normal, use.curve_I < 0 ? I.r : J.r);
    for (const Vec3d& p : model_.curves[curve].point)
      inside = inside && std::abs(dot(normal, pose.r + pose.A * p) - height) <= allowed;
    if (!inside) {
      diagnostics_.error(e.name.where,
                         "{}: CURVE/{} does not lie in the plane of the PLANAR parts, at the height of the "
                         "contact; turn the marker that carries it, or give its points in that plane",
                         e.name.label(), model_.curves[curve].id);
      return false;
    }
  }
  return true;
}

/// Of a constraint between planar parts of one plane, or such a part and ground, leaves those rows that the
/// plane does not satisfy by itself. The rows are the same wherever the parts are, for the motions that a
/// joint leaves carry it into itself. Rows that the plane contradicts are errors.
void Compiler::keep_planar_rows(ConstraintElement& e) {
  const Body* moved = e.name.active ? plane_of(e.I, e.J) : nullptr;
  if (!moved) return;
  const Vec3d n = moved->plane.column(2);
  if (e.curves >= 0 && !curves_in_plane(e, n)) return;
  CurveContact contact;
  if (e.curves >= 0) {
    const CurveUse& use = model_.curve_uses[e.curves];
    contact.J = model_.curves[use.curve_J];
    contact.last_J = use.start_J;
    if (use.curve_I >= 0) contact.I = model_.curves[use.curve_I];
    contact.last_I = use.start_I;
  }
  const double length = size_ > 0 ? size_ : 1.0;
  PlanarRows rows(e, moved->plane, length, model_.markers[e.I].body >= 0, given_pose(e.I), given_pose(e.J),
                  contact);
  bool has_value = !e.motion && !e.initial_only && e.curves < 0;
  for (int k = 0; k < e.rows; ++k)
    has_value = has_value && e.row[k].kind != RowKind::screw && e.row[k].kind != RowKind::rack;
  if (has_value) {
    rows.assemble();
    int worst = 0;
    for (int k = 1; k < e.rows; ++k)
      if (std::abs(rows.value(k)) > std::abs(rows.value(worst))) worst = k;
    if (std::abs(rows.value(worst)) > deck_digits) {
      const bool turning = row_is_rotational(e.row[worst]);
      diagnostics_.error(
          e.name.where,
          "{}: its equation {} cannot hold in the plane of {}, where it is off by {:.3g}; {} its "
          "markers I={} and J={}",
          e.name.label(), e.row_name[worst], moved->name.label(), rows.value(worst) * (turning ? 1 : length),
          turning ? "turn the axes of" : "bring to one height above the plane", model_.markers[e.I].id,
          model_.markers[e.J].id);
      return;
    }
  }
  const std::vector<int> kept = rows.independent();
  if (kept.empty() && (e.motion || e.initial_only)) {
    diagnostics_.error(
        e.name.where,
        "{}: gives the motion {}, which there is none of in the plane of {}; give one in the plane "
        "or about its normal",
        e.name.label(), e.row_name[0], moved->name.label());
    return;
  }
  for (const int k : kept)
    if (norm(rows.share(k)) < 1 - 1e-9) e.normal = n;
  keep_rows(e, kept);
}

}  // namespace trammel
