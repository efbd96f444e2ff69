// Parts, point masses and markers.
#include <algorithm>

#include "math/rotation.h"
#include "math/symmetric.h"
#include "model/compiler.h"

namespace trammel {

namespace {

Vec3d vector_of(const Argument* a) {
  return a ? Vec3d{a->numbers[0], a->numbers[1], a->numbers[2]} : Vec3d{};
}

Vec3d unit(const Vec3d& v) {
  return (1 / norm(v)) * v;
}

/// Any unit vector normal to v: from the axis least aligned with it.
Vec3d some_normal(const Vec3d& v) {
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(v[i]) < std::abs(v[k])) k = i;
  Vec3d axis{};
  axis[k] = 1;
  return unit(cross(cross(v, axis), v));
}

/// Axes from a z point and an x point: ẑ = unit(z − o), ŷ = unit(ẑ × (x − o)), x̂ = ŷ × ẑ;
/// with x exact: x̂ = unit(x − o), ŷ = unit((z − o) × x̂), ẑ = x̂ × ŷ. Null pointers: point not given.
/// Returns false when the points do not give a direction.
bool axes_from_points(const Vec3d& origin, const Argument* z, const Argument* x, bool x_exact, Mat3d& axes) {
  const Vec3d dz = z ? vector_of(z) - origin : Vec3d{}, dx = x ? vector_of(x) - origin : Vec3d{};
  const Vec3d first = x_exact ? dx : dz, second = x_exact ? dz : dx;
  if (!(norm(first) > 0)) return false;
  const Vec3d a = unit(first);
  Vec3d b = second;
  if (!(x_exact ? z : x)) b = some_normal(a);
  const Vec3d n = x_exact ? cross(b, a) : cross(a, b);
  if (!(norm(n) > 1e-12 * norm(b))) return false;
  const Vec3d y = unit(n);
  axes = x_exact ? Mat3d::from_columns(a, y, cross(a, y)) : Mat3d::from_columns(cross(y, a), y, a);
  return true;
}

Mat3d euler(const Argument* a) {
  return a ? rotation_313(vector_of(a)) : Mat3d::identity();
}

}  // namespace

void Compiler::compile_bodies() {
  int first = 0;
  const StatementList all_bodies = statements_.all({"PART", "POINT_MASS", "FLEX_BODY"});
  model_.bodies.reserve(all_bodies.size());
  model_.initial.bodies.reserve(all_bodies.size());
  for (const Statement& s : all_bodies) {
    const bool point = s.spec->keyword == "POINT_MASS", flexible = s.spec->keyword == "FLEX_BODY";
    PartFrame frame;
    frame.origin = vector_of(s.find("QG"));
    frame.axes = euler(s.find("REULER"));
    if (s.has("ZG") && !axes_from_points(frame.origin, s.find("ZG"), s.find("XG"), false, frame.axes))
      diagnostics_.error(s.where,
                         "{}: QG, ZG and XG do not give a direction; move ZG off QG and XG off the z axis",
                         s.label());
    if (s.spec->keyword == "PART" && s.has("GROUND")) {
      frame.origin = Vec3d{};
      frame.axes = Mat3d::identity();
      parts_[s.id] = frame;
      continue;
    }
    frame.body = static_cast<int>(model_.bodies.size());
    (point ? point_masses_ : flexible ? flexible_frames_ : parts_)[s.id] = frame;
    Body body;
    body.name = name_of(s);
    static_cast<BodyBlock&>(body) = point                          ? point_mass
                                    : !flexible && s.has("PLANAR") ? planar_body
                                                                   : rigid_body;
    body.first = first;
    first += body.count();
    if (!flexible) body.mass = s.real("MASS", 0) / model_.ucf;
    model_.bodies.push_back(std::move(body));
    model_.initial.bodies.emplace_back();
  }
  model_.coordinates = first;
}

void Compiler::compile_markers() {
  const StatementList& markers = statements_.all("MARKER");
  model_.markers.reserve(1 + markers.size() + model_.bodies.size());
  model_.markers.push_back({});  // the ground frame
  PartFrame* owner = nullptr;
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword == "PART") owner = &parts_[s.id];
    if (s.spec->keyword == "POINT_MASS") owner = &point_masses_[s.id];
    if (s.spec->keyword != "MARKER") continue;
    LocalMarker& m = local_[s.id];
    if (const auto part = s.id_of("PART")) owner = &parts_[*part];
    if (const auto part = s.id_of("POINT_MASS")) owner = &point_masses_[*part];
    if (const auto part = s.id_of("FLEX_BODY")) owner = &flexible_frames_[*part];
    m.owner = owner;
    m.floating = s.has("FLOATING");
    if (!owner)
      diagnostics_.error(s.where, "{}: has no PART and no part stands before it; name its PART", s.label());
  }
  for (const Statement& s : markers)
    if (local_[s.id].owner) place_marker(s, 0);
  for (const auto* frames : {&parts_, &point_masses_, &flexible_frames_})
    for (const PartFrame& frame : *frames) size_ = std::max(size_, norm(frame.origin));
  for (const LocalMarker& marker : local_) size_ = std::max(size_, norm(marker.position));
}

void Compiler::place_marker(const Statement& s, int depth) {
  LocalMarker& m = local_[s.id];
  if (m.placed || m.floating) return;
  if (depth > 50) {
    diagnostics_.error(s.where, "{}: RM leads back to the marker itself or through more than 50 markers",
                       s.label());
    return;
  }
  m.placed = true;
  m.position = vector_of(s.find("QP"));
  m.axes = euler(s.find("REULER"));
  if (s.has("XP") && !s.has("ZP") && !s.has("USEXP"))
    diagnostics_.error(s.find("XP")->where,
                       "{}: ZP is missing, which XP needs beside it; with USEXP, XP may stand alone",
                       s.label());
  else if ((s.has("ZP") || s.has("XP")) &&
           !axes_from_points(m.position, s.find("ZP"), s.find("XP"), s.has("USEXP"), m.axes))
    diagnostics_.error(
        s.where,
        "{}: QP, ZP and XP do not give a direction; ZP must differ from QP and XP must lie off the z axis",
        s.label());
  if (const auto rm = s.id_of("RM"); rm && *rm != 0) {
    m.placed = false;
    const Statement* statement = statements_.find("MARKER", *rm);
    if (!statement) return;
    place_marker(*statement, depth + 1);
    const LocalMarker& base = local_[*rm];
    m.position = base.position + base.axes * m.position;
    m.axes = base.axes * m.axes;
    m.placed = true;
  }
  const auto body = s.id_of("FLEX_BODY");
  if (const auto flexible = flexible_.find(body.value_or(0)); flexible != flexible_.end())
    place_on_node(s, flexible->second);
}

void Compiler::finish_bodies() {
  for (const Statement& s : statements_.all({"PART", "POINT_MASS", "FLEX_BODY"})) {
    const bool point = s.spec->keyword == "POINT_MASS", flexible = s.spec->keyword == "FLEX_BODY";
    if (!point && !flexible && s.has("GROUND")) continue;
    const PartFrame& frame = (point ? point_masses_ : flexible ? flexible_frames_ : parts_)[s.id];
    Body& body = model_.bodies[frame.body];
    Vec3d center{};
    body.cm_axes = Mat3d::identity();
    if (const auto cm = flexible ? std::nullopt : s.id_of("CM")) {
      center = local_[*cm].position;
      body.cm_axes = local_[*cm].axes;
    } else if (!flexible && body.mass > 0) {
      diagnostics_.error(s.where, "{}: has a MASS but no CM marker; add CM=<marker>", s.label());
    }
    body.bcs = -center;
    InitialBody& initial = model_.initial.bodies[frame.body];
    initial.orientation = frame.axes;
    initial.position = frame.origin + frame.axes * center;
    if (!point && !flexible) read_inertia(s, body);
    read_initial(s, initial);
    if (body.planar()) lay_in_plane(s, body, initial);
  }
  // Markers, now that every centre of mass is known: position from it, in body axes.
  for (const Statement& s : statements_.all("MARKER")) {
    LocalMarker& local = local_[s.id];
    if (!local.owner || local.floating) continue;
    Marker m;
    m.id = s.id;
    m.body = local.owner->body;
    m.s = m.body < 0 ? local.position : local.position + model_.bodies[m.body].bcs;
    m.A = local.axes;
    if (local.flexible >= 0) add_node(local.flexible, m, local.node);
    local.index = static_cast<int>(model_.markers.size());
    model_.markers.push_back(m);
  }
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    model_.bodies[b].center_marker = static_cast<int>(model_.markers.size());
    Marker m;
    m.body = static_cast<int>(b);
    model_.markers.push_back(m);
  }
  for (const Statement& s : statements_.all({"PART", "FLEX_BODY"})) {
    const bool flexible = s.spec->keyword == "FLEX_BODY";
    if (!flexible && s.has("GROUND")) continue;
    const int b = (flexible ? flexible_frames_ : parts_)[s.id].body;
    InitialBody& initial = model_.initial.bodies[b];
    initial.velocity_marker = marker_index(s, "VM", 0);
    initial.angular_marker = s.id_of("WM") ? marker_index(s, "WM", -1) : -1;
    if (model_.bodies[b].planar()) check_planar_velocity(s, model_.bodies[b], initial);
  }
}

/// IP is about the origin of IM in its axes, products positive: J = [Ixx −Ixy −Ixz; …]; moved to the
/// centre of mass by J_cm = J_im − m (d·d 1 − d dᵀ), d from the centre of mass to IM.
void Compiler::read_inertia(const Statement& s, Body& body) {
  const Argument* ip = s.find("IP");
  if (!ip) return;
  std::array<double, 6> v{};
  std::copy(ip->numbers.begin(), ip->numbers.end(), v.begin());
  const Mat3d J{{v[0], -v[3], -v[4], -v[3], v[1], -v[5], -v[4], -v[5], v[2]}};
  Mat3d axes = body.cm_axes;
  Vec3d d{};
  if (const auto im = s.id_of("IM")) {
    axes = local_[*im].axes;
    d = local_[*im].position + body.bcs;
  }
  const double dd = dot(d, d);
  const Mat3d shift = body.mass * (Mat3d::diagonal(dd, dd, dd) - outer(d, d));
  body.inertia = (1 / model_.ucf) * (axes * J * transpose(axes)) - shift;
  // Numbers in decks have six digits and more, so that the least moment of a slender body may come out below
  // zero by as much (`digits`). Where the triangle inequality is broken by more than the rounding of this
  // computation (`exact`), a diagnostic says so.
  constexpr double digits = 1e-6, exact = 1e-9;
  // Of a planar body only the moment about its normal counts.
  const double normal_moment = body.inertia(2, 2);
  const Vec3d principal = model_.ucf * (body.planar() ? Vec3d{normal_moment, normal_moment, normal_moment}
                                                      : eigenvalues(body.inertia));
  const double scale = std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2]), principal.z});
  const auto values = [&] {
    return fmt::format("{:.6g}, {:.6g}, {:.6g}", principal.x, principal.y, principal.z);
  };
  if (principal.x < -digits * scale)
    diagnostics_.error(
        ip->where,
        "{}: the principal moments of inertia about the centre of mass are {}: none may be negative; IP is "
        "about the origin of IM (or CM), and its products are the integrals of xy, xz, yz",
        s.label(), values());
  else if (principal.z > principal.x + principal.y + exact * scale)
    diagnostics_.warning(ip->where,
                         "{}: the principal moments of inertia about the centre of mass are {}: no body has "
                         "them, for each is at most the sum of the other two",
                         s.label(), values());
}

void Compiler::read_initial(const Statement& s, InitialBody& body) {
  constexpr std::string_view coordinates[6] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
  constexpr std::string_view rates[6] = {"VX", "VY", "VZ", "WX", "WY", "WZ"};
  if (const Argument* exact = s.find("EXACT"))
    for (const std::string& word : exact->words)
      for (int k = 0; k < 6; ++k)
        if (word == coordinates[k]) body.exact[k] = true;
  for (int k = 0; k < 6; ++k) {
    if (!s.has(rates[k])) continue;
    body.velocity_given[k] = true;
    (k < 3 ? body.velocity : body.angular_velocity)[k % 3] = s.real(rates[k], 0);
  }
}

}  // namespace trammel
