// Energy of a motion as its results tell it: from places, velocities and contacts of the output records, and
// from masses and laws as the dataset states them. Nothing of the solver's equations is used.
#pragma once

#include <algorithm>
#include <array>
#include <map>

#include "../support/simulate.h"

namespace trammel::test {

/// Rotations about z, x, z, each about the axes that the one before left.
inline Mat3d turned_313(const Vec3d& angles) {
  const auto about_z = [](double t) {
    return Mat3d{{std::cos(t), -std::sin(t), 0, std::sin(t), std::cos(t), 0, 0, 0, 1}};
  };
  const double c = std::cos(angles.y), s = std::sin(angles.y);
  return about_z(angles.x) * Mat3d{{1, 0, 0, 0, c, -s, 0, s, c}} * about_z(angles.z);
}

/// A frame that moves; its axes in columns.
struct MovingFrame {
  Vec3d r, v, w;
  Mat3d A = Mat3d::identity();
  Vec3d velocity_at(const Vec3d& p) const { return v + cross(w, p - r); }
};

class EnergyAccount {
 public:
  EnergyAccount(const std::string& deck, const Recording& run) : run_(run) {
    Diagnostics diagnostics;
    description_ = parse_dataset(deck, "energy.adm", diagnostics);
    diagnostics.stop_on_errors();
    if (const Statement* g = description_.find("ACCGRAV"))
      gravity_ = {g->real("IGRAV", 0), g->real("JGRAV", 0), g->real("KGRAV", 0)};
    for (const Statement* s : description_.all("MARKER")) {
      const int part = s->has("POINT_MASS") ? -s->integer("POINT_MASS", 0) : s->integer("PART", 0);
      markers_[s->id] = {part, vector_of(*s, "QP"), turned_313(vector_of(*s, "REULER"))};
    }
    for (const Statement* s : description_.all("PART"))
      if (!s->has("GROUND") && s->has("MASS")) bodies_.push_back(body_of(*s));
    int first = 0;
    for (const Entity& e : run.simulation->channels().entities) {
      first_of_[e.name()] = first;
      first += static_cast<int>(e.components.size());
    }
  }

  /// Of a part in a record, or of ground.
  MovingFrame part(std::size_t record, int id) const {
    const auto at = first_of_.find("PART/" + std::to_string(id));
    if (at == first_of_.end()) return {};
    // X Y Z PSI THETA PHI, VX VY VZ WX WY WZ
    const double* x = run_.values[record].data() + at->second;
    return {{x[0], x[1], x[2]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]}, turned_313({x[3], x[4], x[5]})};
  }
  MovingFrame marker(std::size_t record, int id) const {
    const auto& m = markers_.at(id);
    const MovingFrame on = part(record, m.part);
    const Vec3d r = on.r + on.A * m.place;
    return {r, on.velocity_at(r), on.w, on.A * m.axes};
  }

  double kinetic(std::size_t record) const {
    double sum = 0;
    for (const Body& b : bodies_) {
      const MovingFrame on = part(record, b.id);
      const Vec3d v = on.velocity_at(on.r + on.A * b.center), w = transpose_times(on.A, on.w);
      sum += (b.mass * dot(v, v) + dot(w, b.inertia * w)) / 2;
    }
    return sum;
  }
  double potential(std::size_t record) const {
    double sum = 0;
    for (const Body& b : bodies_) {
      const MovingFrame on = part(record, b.id);
      sum -= b.mass * dot(gravity_, on.r + on.A * b.center);
    }
    return sum + springs(record) + bushings(record) + beams(record) + contacts(record);
  }
  double total(std::size_t record) const { return kinetic(record) + potential(record); }

  /// Σ over the contacts of a record of the power of the force given (ContactIncident's member) on both
  /// bodies.
  double contact_power(std::size_t record, Vec3d ContactIncident::*force) const {
    double sum = 0;
    if (record >= run_.incidents.size()) return sum;
    for (const ContactIncident& c : run_.incidents[record]) {
      const MovingFrame I = part(record, part_of_shape(c.shape_I)),
                        J = part(record, part_of_shape(c.shape_J));
      sum += dot(c.*force, I.velocity_at(c.point) - J.velocity_at(c.point));
    }
    return sum;
  }
  /// Stored in overlaps: IMPACT k g^(e+1)/(e+1). POISSON has no potential; what lies between its two branches
  /// is the least that no motion can exceed: with a = (1 + ε²)/2 its force is below a k g on the way out and
  /// above it on the way in.
  double contacts(std::size_t record) const {
    double sum = 0;
    if (record >= run_.incidents.size()) return sum;
    for (const ContactIncident& c : run_.incidents[record]) {
      const Statement& s = *description_.find("CONTACT", c.contact);
      if (s.has("PENALTY")) {
        const double e = s.real("RESTITUTION_COEFFICIENT", NAN);
        sum += (1 + e * e) / 4 * s.real("PENALTY", NAN) * c.depth * c.depth;
      } else {
        const double e = s.real("EXPONENT", NAN);
        sum += s.real("STIFFNESS", NAN) * std::pow(c.depth, e + 1) / (e + 1);
      }
    }
    return sum;
  }

 private:
  struct Body {
    int id;
    double mass;
    Vec3d center;
    Mat3d inertia;  ///< about the centre, axes of the part
  };
  struct OnPart {
    int part;
    Vec3d place;
    Mat3d axes;
  };

  static Vec3d vector_of(const Statement& s, const char* name) {
    const Argument* a = s.find(name);
    Vec3d v;
    for (std::size_t k = 0; a && k < a->numbers.size() && k < 3; ++k) v[k] = a->numbers[k];
    return v;
  }
  Body body_of(const Statement& s) const {
    const OnPart center = s.has("CM") ? markers_.at(s.integer("CM", 0)) : OnPart{};
    const Mat3d axes = s.has("IM")   ? markers_.at(s.integer("IM", 0)).axes
                       : s.has("CM") ? center.axes
                                     : Mat3d::identity();
    const Argument* ip = s.find("IP");
    double p[6] = {};
    for (std::size_t k = 0; ip && k < ip->numbers.size() && k < 6; ++k) p[k] = ip->numbers[k];
    const Mat3d J{{p[0], p[3], p[4], p[3], p[1], p[5], p[4], p[5], p[2]}};
    return {s.id, s.real("MASS", 0), center.place, axes * J * transpose(axes)};
  }
  int part_of_shape(int graphics) const {
    const Statement& s = *description_.find("GRAPHICS", graphics);
    for (const char* name : {"CM", "RM", "CORNER"})
      if (s.has(name)) return markers_.at(s.integer(name, 0)).part;
    throw std::runtime_error("no marker of " + s.label());
  }
  /// K (d − LENGTH)²/2, KT (angle − ANGLE)²/2; nothing turns once round in the decks here.
  double springs(std::size_t record) const {
    double sum = 0;
    for (const Statement* s : description_.all("SPRINGDAMPER")) {
      const MovingFrame I = marker(record, s->integer("I", 0)), J = marker(record, s->integer("J", 0));
      if (s->has("TRANSLATION")) {
        sum += s->real("K", 0) * std::pow(norm(I.r - J.r) - s->real("LENGTH", 0), 2) / 2;
      } else {
        const Mat3d between = transpose(J.A) * I.A;
        sum += s->real("KT", 0) *
               std::pow(std::atan2(between(1, 0), between(0, 0)) - s->real("ANGLE", 0), 2) / 2;
      }
    }
    return sum;
  }
  /// K d²/2 and, with KT alike about all axes, KT θ²/2 of the angle between the markers: the angles of the
  /// law are parts of that one where I turns about one axis.
  double bushings(std::size_t record) const {
    double sum = 0;
    for (const Statement* s : description_.all("BUSHING")) {
      const MovingFrame I = marker(record, s->integer("I", 0)), J = marker(record, s->integer("J", 0));
      const Vec3d d = transpose_times(J.A, I.r - J.r), k = vector_of(*s, "K");
      const Mat3d turn = transpose(J.A) * I.A;
      const double cosine = (turn(0, 0) + turn(1, 1) + turn(2, 2) - 1) / 2;
      for (int c = 0; c < 3; ++c) sum += k[c] * d[c] * d[c] / 2;
      sum += vector_of(*s, "KT").x * std::pow(std::atan2(norm(axial(turn)), cosine), 2) / 2;
    }
    return sum;
  }

  /// Of a straight beam without shear, of small deformations: its end I displaced by u, v, w and turned by
  /// small a, b, c against J, which is clamped.
  double beams(std::size_t record) const {
    double sum = 0;
    for (const Statement* s : description_.all("BEAM")) {
      const MovingFrame I = marker(record, s->integer("I", 0)), J = marker(record, s->integer("J", 0));
      const double l = s->real("LENGTH", NAN), e = s->real("EMODULUS", NAN), eiy = e * s->real("IYY", NAN),
                   eiz = e * s->real("IZZ", NAN);
      const Vec3d d = transpose_times(J.A, I.r - J.r), turn = axial(transpose(J.A) * I.A);
      const auto bend = [l](double ei, double shift, double slope) {
        return ei / l * (6 * shift * shift / (l * l) - 6 * shift * slope / l + 2 * slope * slope);
      };
      sum += e * s->real("AREA", NAN) / l * std::pow(d.x - l, 2) / 2 + bend(eiz, d.y, turn.z) +
             bend(eiy, d.z, -turn.y) +
             s->real("GMODULUS", NAN) * s->real("IXX", NAN) / l * turn.x * turn.x / 2;
    }
    return sum;
  }

  const Recording& run_;
  Description description_;
  Vec3d gravity_;
  std::map<int, OnPart> markers_;
  std::vector<Body> bodies_;
  std::map<std::string, int> first_of_;
};

/// Over the largest kinetic energy: the most that the energy grows from an output to any later one, and what
/// is lost in the end.
struct Growth {
  double grown = 0, lost = 0;
};
inline Growth growth_of(const EnergyAccount& account, std::size_t records) {
  Growth out;
  double least = HUGE_VAL, kinetic = 0, end = 0;
  for (std::size_t n = 0; n < records; ++n) {
    end = account.total(n);
    least = std::min(least, end);
    kinetic = std::max(kinetic, account.kinetic(n));
    out.grown = std::max(out.grown, end - least);
  }
  out.grown /= kinetic;
  out.lost = (account.total(0) - end) / kinetic;
  return out;
}

/// How kinetic energy, weight and springs differ from what contacts have done up to an output, by the
/// trapezoidal rule: the largest over all outputs, over the largest kinetic energy.
inline double imbalance_of(const EnergyAccount& account, const Recording& run) {
  const auto mechanical = [&](std::size_t n) { return account.total(n) - account.contacts(n); };
  const auto power = [&](std::size_t n) {
    return account.contact_power(n, &ContactIncident::normal_force) +
           account.contact_power(n, &ContactIncident::friction);
  };
  double work = 0, off = 0, kinetic = account.kinetic(0);
  for (std::size_t n = 1; n < run.time.size(); ++n) {
    work += (power(n) + power(n - 1)) / 2 * (run.time[n] - run.time[n - 1]);
    off = std::max(off, std::fabs(mechanical(n) - mechanical(0) - work));
    kinetic = std::max(kinetic, account.kinetic(n));
  }
  return off / kinetic;
}

}  // namespace trammel::test
