#include "element/curve_row.h"

#include <algorithm>
#include <vector>

namespace trammel {

ContactPlace nearest_contact(const CurveContact& contact, const Pose<double>& I, const Pose<double>& J) {
  using namespace curve_rows;
  static constexpr int most = 400;  // samples of a curve: 160000 pairs, once
  const auto count = [](const CurveView& curve) { return std::min<int>(most, 16 * curve.segments()); };
  const Pose<double> r = relative(I, J);
  const int m = count(contact.I), n = count(contact.J);
  std::vector<Vec3d> q(n + 1);
  for (int k = 0; k <= n; ++k) q[k] = curve_point(contact.J, -1 + 2.0 * k / n).c;
  CurveContact start = contact;
  double least = -1;
  for (int i = 0; i <= m; ++i) {
    const Vec3d p = r.r + r.A * curve_point(contact.I, -1 + 2.0 * i / m).c;
    for (int k = 0; k <= n; ++k) {
      const Vec3d d = p - q[k];
      if (least >= 0 && plane_dot(d, d) >= least) continue;
      least = plane_dot(d, d);
      start.last_I = -1 + 2.0 * i / m;
      start.last_J = -1 + 2.0 * k / n;
    }
  }
  const ContactPlace at = touching(start, r);
  return at.found ? at : ContactPlace{start.last_I, start.last_J, false};
}

}  // namespace trammel
