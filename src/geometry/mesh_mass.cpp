#include "geometry/mesh_mass.h"

namespace trammel {

MeshMass mesh_mass(const TriangleMesh& mesh) {
  MeshMass mass{};
  Vec3d o;
  for (const Vec3d& p : mesh.vertices) o += p;
  if (!mesh.vertices.empty()) o = (1.0 / static_cast<double>(mesh.vertices.size())) * o;
  Vec3d first;   // ∫ x dV
  Mat3d second;  // ∫ x xᵀ dV
  for (const auto& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t[0]] - o, b = mesh.vertices[t[1]] - o, c = mesh.vertices[t[2]] - o;
    const double v = dot(a, cross(b, c)) / 6;
    const Vec3d sum = a + b + c;
    mass.volume += v;
    first += (v / 4) * sum;
    second += (v / 20) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
  }
  const Vec3d s = mass.volume != 0 ? (1 / mass.volume) * first : Vec3d{};
  second += (-mass.volume) * outer(s, s);
  const double trace = second(0, 0) + second(1, 1) + second(2, 2);
  mass.inertia = Mat3d::diagonal(trace, trace, trace) - second;
  mass.centroid = o + s;
  return mass;
}

}  // namespace trammel
