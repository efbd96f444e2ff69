// GRAPHICS of a profile, EXTRUSION and REVOLUTION, as solids.
#include <cmath>
#include <numbers>

#include "dataset/contact_shapes.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_shapes.h"
#include "model/compiler.h"

namespace trammel {

namespace {

/// The corners in the plane of the profile: x and y of RM (`second` = 1), or radius and z (`second` = 2).
/// Throws Failure(input) with what is wrong.
std::vector<ProfilePoint> corners_of(const std::vector<Vec3d>& points, int second) {
  std::vector<ProfilePoint> profile;
  double size = 0;
  for (const Vec3d& p : points) size = std::max(size, norm(p));
  for (std::size_t k = 0; k < points.size(); ++k) {
    constexpr double rounding = 1e-9;
    const double off = points[k][3 - second];
    if (std::fabs(off) > rounding * size)
      fail(ExitCode::input, "corner {} of its profile is off the x-{} plane of RM, by {:.6g}", k + 1,
           second == 1 ? 'y' : 'z', off);
    double x = points[k].x;
    if (second == 2 && std::fabs(x) <= rounding * size) x = 0;  // on the axis
    profile.push_back({x, points[k][second]});
  }
  return profile;
}

/// A profile that ends where it began is one without its last corner.
void open_end(std::vector<ProfilePoint>& profile) {
  if (profile.size() > 3 && profile.front() == profile.back()) profile.pop_back();
}

TriangleMesh turned(const Statement& s, const std::vector<ProfilePoint>& profile) {
  const double sides = s.real("SIDES", 32);
  if (!(sides >= 3 && sides <= 1000) || sides != std::floor(sides))
    fail(ExitCode::input, "SIDES={:.6g} must be a whole number from 3 to 1000", sides);
  double angle = s.real("ANGLE");
  // A full turn, whatever rounding its unit has left.
  if (std::fabs(angle - 2 * std::numbers::pi) < 1e-12) angle = 2 * std::numbers::pi;
  return revolve(profile, static_cast<int>(sides), angle);
}

TriangleMesh drawn_out(double length, const std::vector<ProfilePoint>& profile) {
  TriangleMesh mesh = extrude(profile, std::fabs(length));
  if (length < 0)
    for (Vec3d& v : mesh.vertices) v.z += length;
  return mesh;
}

}  // namespace

/// The mesh of a profile in the axes of RM; empty after an error.
TriangleMesh Compiler::mesh_of_profile(const Statement& contact, const Statement& graphics) {
  const bool prism = graphics.chosen("shape") == "EXTRUSION";
  try {
    std::vector<Vec3d> points;
    const int second = prism ? 1 : 2;
    if (const Argument* inside = graphics.find("PROFILE_POINTS")) {
      if (inside->numbers.size() % 2 != 0)
        fail(ExitCode::input, "PROFILE_POINTS takes two numbers for each corner; there are {}",
             inside->numbers.size());
      for (std::size_t k = 0; k < inside->numbers.size(); k += 2) {
        Vec3d p{inside->numbers[k], 0, 0};
        p[second] = inside->numbers[k + 1];
        points.push_back(p);
      }
    } else if (const Argument* ids = graphics.find("PROFILE")) {
      const Marker& reference = model_.markers[marker_index(graphics, "RM")];
      for (double id : ids->numbers) {
        const int found = marker_at(static_cast<int>(id), -1);
        if (found < 0) return {};  // told by the check of references
        const Marker& m = model_.markers[found];
        if (m.body != reference.body)
          fail(ExitCode::input, "marker {} of its profile is not on the body of RM", static_cast<int>(id));
        points.push_back(transpose_times(reference.A, m.s - reference.s));
      }
    } else {
      fail(ExitCode::input, "PROFILE or PROFILE_POINTS is missing; the corners of its profile");
    }
    if (prism && !(graphics.real("LENGTH", 0) != 0)) fail(ExitCode::input, "LENGTH is missing, or 0");
    std::vector<ProfilePoint> profile = corners_of(points, second);
    open_end(profile);
    if (const std::string fault = fault_of_profile(profile); !fault.empty())
      fail(ExitCode::input, "{}", fault);
    TriangleMesh mesh = prism ? drawn_out(graphics.real("LENGTH", 0), profile) : turned(graphics, profile);
    check_mesh(mesh, graphics.label(), diagnostics_);
    return mesh;
  } catch (const Failure& failure) {
    diagnostics_.error(graphics.where, "{}: {} (for {})", graphics.label(), failure.what(), contact.label());
    return {};
  }
}

}  // namespace trammel
