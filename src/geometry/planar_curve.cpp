#include "geometry/planar_curve.h"

#include <algorithm>

#include "geometry/planar_sums.h"

namespace trammel {

namespace {

double turn_between(const Vec2d& from, const Vec2d& to) {
  return std::atan2(cross(from, to), dot(from, to));
}

/// Length and direction of the chord, and the turn, of a piece whose form is set.
void add_piece(std::vector<PlanarPiece>& pieces, PlanarPiece piece) {
  piece.length = norm(piece.b - piece.a);
  if (!(piece.length > 0)) return;
  piece.along = (1 / piece.length) * (piece.b - piece.a);
  if (piece.kind == PlanarPiece::Kind::cubic)  // into the axes of the chord
    for (Vec2d& c : piece.c) c = {dot(piece.along, c), cross(piece.along, c)};
  if (piece.kind != PlanarPiece::Kind::line)
    piece.bend = turn_between(piece.slope(0.0), piece.slope(1.0)) / piece.length;
  pieces.push_back(piece);
}

/// A cubic from a, a + c₁ t + c₂ t² + c₃ t³.
struct Cubic {
  Vec2d a, c1, c2, c3;

  Vec2d at(double t) const { return a + t * (c1 + t * (c2 + t * c3)); }
  Vec2d slope(double t) const { return c1 + t * (2.0 * c2 + (3 * t) * c3); }
  Cubic part(double from, double to) const {
    const double h = to - from;
    return {at(from), h * slope(from), (h * h) * (c2 + (3 * from) * c3), (h * h * h) * c3};
  }
};

/// The part between two parameters, without inflection, in pieces of little turn.
void add_bent(std::vector<PlanarPiece>& pieces, const Cubic& cubic, double from, double to, const Vec2d& a,
              const Vec2d& b, int depth = 0) {
  const double middle = 0.5 * (from + to);
  const double turn = std::fabs(turn_between(cubic.slope(from), cubic.slope(middle))) +
                      std::fabs(turn_between(cubic.slope(middle), cubic.slope(to)));
  if (turn > PlanarPiece::turn_limit && depth < 12) {
    const Vec2d place = cubic.at(middle);
    add_bent(pieces, cubic, from, middle, a, place, depth + 1);
    add_bent(pieces, cubic, middle, to, place, b, depth + 1);
    return;
  }
  const Cubic part = cubic.part(from, to);
  PlanarPiece piece;
  piece.a = a, piece.b = b;
  piece.c[0] = part.c1, piece.c[1] = part.c2, piece.c[2] = part.c3;
  const double flat = 1e-14 * norm(part.c1);
  const bool bent = norm(part.c2) > flat || norm(part.c3) > flat;
  piece.kind = bent ? PlanarPiece::Kind::cubic : PlanarPiece::Kind::line;
  add_piece(pieces, piece);
}

PlanarPiece reversed(const PlanarPiece& piece) {
  PlanarPiece out = piece;
  out.a = piece.b, out.b = piece.a;
  out.along = -piece.along;
  out.bend = -piece.bend;
  out.angle = piece.angle + piece.sweep;
  out.sweep = -piece.sweep;
  // c(1 − t) − c(1), seen along the reversed chord.
  const Vec2d* c = piece.c;
  out.c[0] = c[0] + 2.0 * c[1] + 3.0 * c[2];
  out.c[1] = -(c[1] + 3.0 * c[2]);
  out.c[2] = c[2];
  return out;
}

Vec3d in_plane(const Vec2d& v) {
  return {v.x, v.y, 0};
}

/// A triangle that holds the piece: its ends, and where its tangents there meet.
void add_triangle(const PlanarPiece& piece, TriangleMesh& mesh) {
  const Vec2d p = piece.slope(0.0), q = piece.slope(1.0);
  const double across = cross(p, q);
  const bool bent = std::fabs(across) > 1e-12 * norm(p) * norm(q);
  const Vec2d apex = bent ? piece.a + (cross(piece.b - piece.a, q) / across) * p : 0.5 * (piece.a + piece.b);
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vec2d& v : {piece.a, apex, piece.b}) mesh.vertices.push_back(in_plane(v));
  mesh.triangles.push_back({first, first + 1, first + 2});
}

}  // namespace

void PlanarPath::add_line(const Vec2d& a, const Vec2d& b) {
  PlanarPiece piece;
  piece.a = a, piece.b = b;
  add_piece(pieces, piece);
}

void PlanarPath::add_arc(const Vec2d& middle, double radius, double angle, double sweep) {
  const int count = static_cast<int>(std::ceil(std::fabs(sweep) / PlanarPiece::turn_limit));
  const auto place = [&](double phi) { return middle + radius * Vec2d{std::cos(phi), std::sin(phi)}; };
  for (int k = 0; k < count; ++k) {
    PlanarPiece piece;
    piece.kind = PlanarPiece::Kind::arc;
    piece.middle = middle;
    piece.radius = radius;
    piece.angle = angle + sweep * k / count;
    piece.sweep = sweep / count;
    piece.a = k == 0 ? place(angle) : pieces.back().b;
    piece.b = place(angle + sweep * (k + 1) / count);
    add_piece(pieces, piece);
  }
}

void PlanarPath::add_cubic(const Vec2d& a, const Vec2d& b, const Vec2d& slope_a, const Vec2d& slope_b) {
  const Vec2d chord = b - a;
  const Cubic cubic{a, slope_a, 3.0 * chord - 2.0 * slope_a - slope_b, slope_a + slope_b - 2.0 * chord};
  // c' × c" = 2 (c₁ × c₂ + 3 c₁ × c₃ t + 3 c₂ × c₃ t²)
  const double p = cross(cubic.c1, cubic.c2), q = 3 * cross(cubic.c1, cubic.c3),
               r = 3 * cross(cubic.c2, cubic.c3), square = q * q - 4 * p * r;
  double ends[4] = {0};
  int count = 1;
  if (square >= 0) {
    const double s = -0.5 * (q + std::copysign(std::sqrt(square), q));
    double inflections[2] = {s / r, p / s};
    if (inflections[0] > inflections[1]) std::swap(inflections[0], inflections[1]);
    for (const double t : inflections)
      if (t > ends[count - 1] + 1e-6 && t < 1 - 1e-6) ends[count++] = t;
  }
  ends[count] = 1;
  for (int k = 0; k < count; ++k)
    add_bent(pieces, cubic, ends[k], ends[k + 1], k == 0 ? a : cubic.at(ends[k]),
             k + 1 == count ? b : cubic.at(ends[k + 1]));
}

void PlanarPath::reverse() {
  std::reverse(pieces.begin(), pieces.end());
  for (PlanarPiece& piece : pieces) piece = reversed(piece);
}

double PlanarPath::length() const {
  double sum = 0;
  for (const PlanarPiece& piece : pieces) sum += piece.length;
  return sum;
}

bool PlanarPath::closed() const {
  return !pieces.empty() && norm(pieces.back().b - pieces.front().a) <= 1e-9 * length();
}

PlanarCurve make_planar_curve(PlanarPath path, bool outside) {
  PlanarCurve curve;
  path.pieces.back().b = path.pieces.front().a;
  const auto sums_of = [](const PlanarPath& of) {
    PlanarSums<double> sums;
    for (const PlanarPiece& piece : of.pieces) add_part(piece, 0.0, 1.0, PlanarPose<double>{}, sums);
    return sums;
  };
  PlanarSums<double> sums = sums_of(path);
  if ((sums.area < 0) != outside) {
    path.reverse();
    sums = sums_of(path);
  }
  curve.pieces = std::move(path.pieces);
  curve.area = sums.area;
  curve.centroid = (1 / sums.area) * sums.moment;
  TriangleMesh mesh;
  double length = 0;
  for (const PlanarPiece& piece : curve.pieces) {
    add_triangle(piece, mesh);
    length += piece.length;
  }
  for (const Vec3d& v : mesh.vertices) curve.reach = std::max(curve.reach, norm(v));
  curve.tree = build_bvh(mesh);
  curve.inner = outside ? HUGE_VAL : curve.area / (1.1 * length);  // pieces are longer than their chords
  return curve;
}

PlanarView view(const PlanarCurve& curve) {
  return {static_cast<int>(curve.pieces.size()),
          curve.pieces.data(),
          curve.tree.view(),
          curve.area,
          curve.centroid,
          curve.reach,
          curve.circle};
}

}  // namespace trammel
