// Contact in a plane: CIRCLE, ARC, OUTLINE and CURVE of GRAPHICS.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "dataset/contact_shapes.h"
#include "geometry/planar_overlap.h"
#include "model/compiler.h"

namespace trammel {

namespace {

/// Of the size of a curve: what is closer to its plane lies in it.
constexpr double flatness = 1e-6;

Vec2d in_xy(const Vec3d& v) {
  return {v.x, v.y};
}
Vec3d in_space(const Vec2d& v) {
  return {v.x, v.y, 0};
}

/// The unit normal of the plane through points; zero if they lie in a line.
Vec3d normal_of(const std::vector<Vec3d>& points) {
  double size = 0, most = 0;
  Vec3d along, across;
  for (const Vec3d& p : points)
    if (const double d = norm(p - points[0]); d > size) size = d, along = (1 / d) * (p - points[0]);
  for (const Vec3d& p : points) {
    const Vec3d c = cross(along, p - points[0]);
    if (norm(c) > std::max(most, flatness * size)) most = norm(c), across = (1 / norm(c)) * c;
  }
  return across;
}

/// visit(place, direction) along a path, some 16 times on each piece and 2000 times in all.
template <class Visit>
void for_samples(const PlanarPath& path, Visit&& visit) {
  const int samples = std::max(2, std::min(16, 2000 / static_cast<int>(path.pieces.size() + 1)));
  for (const PlanarPiece& piece : path.pieces)
    for (int k = 0; k <= samples; ++k) visit(piece.at(double(k) / samples), piece.slope(double(k) / samples));
}

/// Whether p is to the left of an open path where that is nearest.
bool left_of_path(const PlanarPath& path, const Vec2d& p) {
  bool left = false;
  double least = HUGE_VAL;
  for_samples(path, [&](const Vec2d& place, const Vec2d& direction) {
    if (norm(p - place) >= least) return;
    least = norm(p - place);
    left = cross(direction, p - place) > 0;
  });
  return left;
}

}  // namespace

/// The path of a curve in the x-y plane of its frame, whose place on its body it enters. Empty after an
/// error.
PlanarPath Compiler::draw_curve(const Statement& contact, const Statement& g, PlacedShape& placed) {
  const auto wrong = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(g.where, "{}: {}", g.label(), fmt::format(format, std::forward<Args>(args)...));
    return PlanarPath{};
  };
  const std::string_view kind = g.chosen("shape");
  if (kind == "OUTLINE") return draw_outline(contact, g, placed);
  const std::string_view frame = kind == "CURVE" ? "CRM" : "CM";
  for (const std::string_view name : {frame, std::string_view(kind == "CURVE" ? "CID" : "RADIUS"),
                                      std::string_view(kind == "ARC" ? "RANGLE" : frame)})
    if (!g.has(name)) return wrong("{} is missing, and {} needs it", name, contact.label());
  const Marker& m = model_.markers[marker_index(g, frame)];
  placed.r = m.s, placed.A = m.A;
  PlanarPath path;
  if (kind != "CURVE") {
    const double turn = 2 * M_PI, given = kind == "ARC" ? g.real("RANGLE", 0) : turn;
    if (given == 0) return wrong("RANGLE is 0, and {} needs a line", contact.label());
    path.add_arc({0, 0}, g.real("RADIUS", 0), 0, std::clamp(given, -turn, turn));
    return path;
  }
  const auto at = curve_of_.find(*g.id_of("CID"));
  if (at == curve_of_.end()) return {};  // told at the CURVE
  const CurveTable& curve = model_.curves[at->second];
  double size = 0;
  for (const Vec3d& p : curve.point) size = std::max(size, norm(p - curve.point[0]));
  for (const Vec3d& p : curve.point)
    if (std::fabs(p.z) > flatness * size)
      return wrong("CURVE/{} has a point with z = {:.6g}, and {} needs a curve in the x-y plane of CRM",
                   curve.id, p.z, contact.label());
  for (int k = 0; k < curve.segments(); ++k) {
    const double h = curve.alpha[k + 1] - curve.alpha[k];
    const Vec2d a = in_xy(curve.point[k]), b = in_xy(curve.point[k + 1]);
    if (curve.straight)
      path.add_line(a, b);
    else
      path.add_cubic(a, b, h * in_xy(curve.slope[k]), h * in_xy(curve.slope[k + 1]));
  }
  return path;
}

/// Lines between the origins of markers, in a frame at the first, whose axes are those of this marker unless
/// the others lie in another plane.
PlanarPath Compiler::draw_outline(const Statement& contact, const Statement& g, PlacedShape& placed) {
  std::vector<Vec3d> points;
  const Argument& ids = *g.find("OUTLINE");
  const Marker& first = model_.markers[marker_at(static_cast<int>(ids.numbers[0]), 0)];
  double size = 0, off = 0;
  for (const double id : ids.numbers) {
    const Marker& m = model_.markers[marker_at(static_cast<int>(id), 0)];
    if (m.body != first.body) {
      diagnostics_.error(ids.where, "{}: MARKER/{} is not on the body of MARKER/{}, and {} needs all on one",
                         g.label(), m.id, first.id, contact.label());
      return {};
    }
    points.push_back(m.s);
    size = std::max(size, norm(m.s - first.s));
    off = std::max(off, std::fabs(dot(first.A.column(2), m.s - first.s)));
  }
  placed.r = first.s, placed.A = first.A;
  if (const Vec3d n = normal_of(points); off > flatness * size) {
    for (std::size_t k = 0; k < points.size(); ++k)
      if (std::fabs(dot(n, points[k] - first.s)) > flatness * size || norm(n) == 0) {
        diagnostics_.error(ids.where,
                           "{}: MARKER/{:.0f} is not in the plane of the others, and {} needs one plane",
                           g.label(), ids.numbers[k], contact.label());
        return {};
      }
    const Vec3d other = std::fabs(n.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}, x = cross(other, n);
    placed.A = Mat3d::from_columns((1 / norm(x)) * x, cross(n, (1 / norm(x)) * x), n);
  }
  PlanarPath path;
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    path.add_line(in_xy(transpose_times(placed.A, points[k] - placed.r)),
                  in_xy(transpose_times(placed.A, points[k + 1] - placed.r)));
  if (path.pieces.empty())
    diagnostics_.error(ids.where, "{}: its markers are in one place, and {} needs a line", g.label(),
                       contact.label());
  return path;
}

namespace {

bool names(const Statement& contact, std::string_view argument, int id) {
  const Argument* ids = contact.find(argument);
  return ids && std::find(ids->numbers.begin(), ids->numbers.end(), id) != ids->numbers.end();
}

Vec2d middle_of(const PlanarPath& path) {
  Vec2d sum;
  for (const PlanarPiece& piece : path.pieces)
    sum += (0.5 / double(path.pieces.size())) * (piece.a + piece.b);
  return sum;
}

}  // namespace

/// The shapes of one side that are in the plane, drawn; `body`: where their body starts.
std::vector<Compiler::DrawnShape> Compiler::draw_side(const Statement& s, std::string_view argument,
                                                      std::vector<PlacedShape>& shapes,
                                                      const Pose<double>& body) {
  std::vector<DrawnShape> drawn;
  const Argument* ids = s.find(argument);
  if (!ids || ids->numbers.size() != shapes.size()) return drawn;  // after an error
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    DrawnShape d{statements_.find("GRAPHICS", static_cast<int>(ids->numbers[k])), &shapes[k], {}, {}, {}};
    d.flipped = names(s, argument[0] == 'I' ? "IFLIP" : "JFLIP", d.graphics->id);
    if (d.shape->shape.kind == ShapeKind::planar) d.path = draw_curve(s, *d.graphics, *d.shape);
    d.start = frame_of(*d.shape, body);
    d.middle = d.start.r;
    if (const Vec2d m = middle_of(d.path); !d.path.pieces.empty()) d.middle += d.start.A * in_space(m);
    drawn.push_back(std::move(d));
  }
  return drawn;
}

/// The solid that an open path bounds, away from where most of the other shape starts.
PlanarCurve Compiler::wall_of(const Statement& contact, const DrawnShape& d, const DrawnShape& other) {
  PlanarPath path = d.path;
  int more_left = 0;
  const auto count = [&](const Vec3d& p) {
    more_left += left_of_path(path, in_xy(transpose_times(d.start.A, p - d.start.r))) ? 1 : -1;
  };
  if (other.path.pieces.empty()) count(other.start.r);
  for (const PlanarPiece& piece : other.path.pieces)
    for (const double t : {0.0, 0.5}) count(other.start.r + other.start.A * in_space(piece.at(t)));
  const bool left = (more_left > 0) == d.flipped;
  if (!left) path.reverse();
  double thickness = 0;
  PlanarCurve wall = make_planar_wall(path, thickness);
  const Statement& g = *d.graphics;
  if (wall.pieces.empty())
    diagnostics_.error(g.where, "{}: it crosses itself or is folded, and {} needs a side of it that is solid",
                       g.label(), contact.label());
  else
    diagnostics_.note(
        contact.where,
        "{}: {} is open: the face of a wall {:.4g} thick on the {} of its direction, {} the side "
        "where {} starts; {}FLIP={} {}",
        contact.label(), g.label(), thickness, left ? "left" : "right",
        d.flipped ? "which is" : "opposite to", other.graphics->label(),
        names(contact, "IGEOM", g.id) ? "I" : "J", g.id, d.flipped ? "says so" : "turns it");
  return wall;
}

void Compiler::add_curve(const Statement& s, const DrawnShape& d, const DrawnShape& other) {
  if (d.path.pieces.empty()) return;
  const bool closed = d.path.closed();
  PlanarCurve curve = closed ? make_planar_curve(d.path, d.flipped) : wall_of(s, d, other);
  if (curve.pieces.empty()) return;
  if (closed && crosses_itself(curve)) {
    diagnostics_.error(d.graphics->where, "{}: it crosses itself, and {} needs an inside",
                       d.graphics->label(), s.label());
    return;
  }
  if (d.graphics->chosen("shape") == "CIRCLE") curve.circle = d.graphics->real("RADIUS", 0);
  d.shape->reach = curve.area > 0 ? curve.reach : HUGE_VAL;
  d.shape->inner = curve.inner;
  d.shape->curve = static_cast<int>(model_.planar_curves.size());
  model_.planar_curves.push_back(std::make_shared<const PlanarCurve>(std::move(curve)));
}

/// Warns of shapes that do not start in the plane of the first curve.
void Compiler::check_common_plane(const Statement& s, const std::vector<DrawnShape>& shapes) {
  const auto base =
      std::find_if(shapes.begin(), shapes.end(), [](const DrawnShape& d) { return d.shape->curve >= 0; });
  if (base == shapes.end()) return;
  const Vec3d n = base->start.A.column(2);
  const double size = model_.planar_curves[base->shape->curve]->reach;
  for (const DrawnShape& d : shapes) {
    const bool plane = d.shape->shape.kind == ShapeKind::half_space;
    const double along = std::fabs(dot(n, d.start.A.column(2))),
                 off = std::fabs(dot(n, d.start.r - base->start.r));
    if (plane && along > 1 - flatness)
      diagnostics_.error(s.where, "{}: {} is parallel to the plane of {}; its z axis must lie in that plane",
                         s.label(), d.graphics->label(), base->graphics->label());
    else if (plane ? along > flatness : d.shape->curve >= 0 && along < 1 - flatness * flatness)
      diagnostics_.warning(
          s.where,
          "{}: {} of {} is not in the plane of {} at the start; contact is in one plane, and the "
          "joints must keep both in it",
          s.label(), plane ? "the z axis" : "the x-y plane", d.graphics->label(), base->graphics->label());
    else if (!plane && off > flatness * size)
      diagnostics_.warning(s.where,
                           "{}: {} starts {:.4g} beside the plane of {}; contact is in one plane, as seen "
                           "along its normal",
                           s.label(), d.graphics->label(), off, base->graphics->label());
  }
}

/// Of a closed curve in whose solid the middle of another shape starts; that of a hole is empty.
void Compiler::check_sides(const Statement& s, const DrawnShape& d, const DrawnShape& other) {
  const bool has_middle =
      !other.flipped && (other.path.closed() || other.shape->shape.kind == ShapeKind::ball);
  if (d.shape->curve < 0 || !d.path.closed() || !has_middle) return;
  if (!holds(*model_.planar_curves[d.shape->curve],
             in_xy(transpose_times(d.start.A, other.middle - d.start.r))))
    return;
  diagnostics_.warning(s.where, "{}: {} starts in the solid of {}, which is what is {} it; {}FLIP={} {}",
                       s.label(), other.graphics->label(), d.graphics->label(),
                       d.flipped ? "outside" : "inside", names(s, "IGEOM", d.graphics->id) ? "I" : "J",
                       d.graphics->id, d.flipped ? "says so" : "turns that");
}

/// Gives the planar shapes of both sides their curves.
void Compiler::add_curves(const Statement& s, ContactElement& c) {
  const auto without_end = [&](const DrawnShape& d) {
    return d.shape->shape.kind == ShapeKind::half_space ||
           (d.shape->curve >= 0 && model_.planar_curves[d.shape->curve]->area < 0);
  };
  std::vector<DrawnShape> of_I = draw_side(s, "IGEOM", c.of_I, given_pose(c.I)),
                          of_J = draw_side(s, "JGEOM", c.of_J, given_pose(c.J));
  if (of_I.empty() || of_J.empty()) return;
  for (const DrawnShape& d : of_I) add_curve(s, d, of_J[0]);
  for (const DrawnShape& d : of_J) add_curve(s, d, of_I[0]);
  for (const DrawnShape& i : of_I)
    for (const DrawnShape& j : of_J) {
      check_sides(s, i, j);
      check_sides(s, j, i);
      if (without_end(i) && without_end(j) && (i.shape->curve >= 0 || j.shape->curve >= 0))
        diagnostics_.error(s.where, "{}: {} and {} are both solid without end, and overlap wherever they are",
                           s.label(), i.graphics->label(), j.graphics->label());
    }
  of_I.insert(of_I.end(), of_J.begin(), of_J.end());
  check_common_plane(s, of_I);
}

}  // namespace trammel
