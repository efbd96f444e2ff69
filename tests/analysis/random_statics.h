// Random models with a known potential.
#pragma once

#include <fmt/format.h>

#include <numbers>
#include <random>
#include <string>

#include "../support/potential.h"

namespace trammel::test {

class RandomStatics {
 public:
  explicit RandomStatics(unsigned seed) : random_(seed) {}

  /// Kinds of models: nets of springs between bodies, bodies on a floor (IMPACT), bodies on cables that go
  /// slack, chains of toggles (two springs each that snap through).
  static constexpr int kinds = 4;
  static RandomStatics of_kind(int kind, unsigned seed) {
    RandomStatics out(seed);
    kind == 0 ? out.net() : kind == 1 ? out.floor() : kind == 2 ? out.cables() : out.toggles();
    return out;
  }

  std::string deck(const std::string& settings = "") const {
    return "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
           "PART/1,GROUND\n" +
           lines_ + settings + "END\n";
  }
  int bodies() const { return bodies_; }
  const Potential& potential() const { return potential_; }

 private:
  double in(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  int whole(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
  double decades(double a, double b) { return std::pow(10.0, in(a, b)); }
  Vec3d within(double r) { return {in(-r, r), in(-r, r), in(-r, r)}; }

  void add_body(const Vec3d& at) {
    const double mass = in(0.1, 10);
    const int id = 2 + bodies_;
    lines_ += fmt::format(
        "PART/{0},QG={1:.17g},{2:.17g},{3:.17g},MASS={4:.17g},CM={0},IP=.1,.1,.1\nMARKER/{0},PART={0}\n", id,
        at.x, at.y, at.z, mass);
    potential_.weight(bodies_++, mass, {});
  }
  int marker(int body, const Vec3d& p) {
    lines_ +=
        fmt::format("MARKER/{},PART={},QP={:.17g},{:.17g},{:.17g}\n", ++markers_, body + 2, p.x, p.y, p.z);
    return markers_;
  }
  void spring(int i, const Vec3d& p, int j, const Vec3d& q, double k, double l) {
    const int I = marker(i, p), J = marker(j, q);
    lines_ += fmt::format("SPRINGDAMPER/{},TRANSLATION,I={},J={},K={:.17g},LENGTH={:.17g}\n", ++elements_, I,
                          J, k, l);
    potential_.spring(i, p, j, q, k, l);
  }

  void net() {
    const int n = whole(2, 8);
    for (int b = 0; b < n; ++b) add_body(within(1));
    for (int b = 0; b < n; ++b) {
      for (int k = 0; k < 3; ++k)
        spring(-1, {in(-2, 2), in(-2, 2), in(0, 3)}, b, within(0.2), decades(1.5, 4), in(0.2, 1));
      if (b > 0) spring(whole(0, b - 1), within(0.2), b, within(0.2), decades(1.5, 4), in(0.2, 1));
    }
  }
  void floor() {
    const int n = whole(1, 5), ground = marker(-1, {});
    for (int b = 0; b < n; ++b) {
      const Vec3d at{in(-1, 1), in(-1, 1), in(0.2, 3)};
      add_body(at);
      const double r = in(0.05, 0.2), k = decades(4, 7), e = in(1.1, 2.2);
      lines_ += fmt::format(
          "SFORCE/{0},TRANSLATION,ACTIONONLY,I={1},J={2},FUNCTION=IMPACT(DZ({1},{2}),VZ({1},{2}),{3:.17g},"
          "{4:.17g},{5:.17g},10,1E-4)\n",
          ++elements_, b + 2, ground, r, k, e);
      potential_.floor(b, r, k, e);
      for (int j = 0; j < 3; ++j)
        spring(-1, {at.x + 2 * std::cos(2.1 * j), at.y + 2 * std::sin(2.1 * j), in(0, 0.5)}, b, within(0.1),
               in(2, 20), in(0.5, 2));
    }
  }
  void cables() {
    const int n = whole(1, 4);
    for (int b = 0; b < n; ++b) {
      add_body({in(-0.3, 0.3) + 2 * b, in(-0.3, 0.3), in(-1, 0)});
      const int count = whole(3, 5);
      for (int j = 0; j < count; ++j) {
        const double c = std::cos(2.1 * j), s = std::sin(2.1 * j), k = decades(3, 6), l = in(1.5, 3);
        const Vec3d p{0.2 * c, 0.2 * s, 0.1}, q{2 * b + c, s, 1};
        const int I = marker(b, p), J = marker(-1, q);
        lines_ += fmt::format(
            "SFORCE/{0},TRANSLATION,I={1},J={2},FUNCTION=-MAX(0,{3:.17g}*(DM({1},{2})-{4:.17g}))\n",
            ++elements_, I, J, k, l);
        potential_.spring(b, p, -1, q, k, l, true);
      }
    }
  }
  /// Each body hangs between two compressed springs and a soft vertical one, and a spring to the last.
  void toggles() {
    const int n = whole(1, 6);
    for (int b = 0; b < n; ++b) {
      const double high = in(0.05, 0.3), k = decades(2, 4);
      add_body({3.0 * b, 0, in(-0.5, 0.5)});
      for (const double side : {-1.0, 1.0})
        for (const double deep : {-0.5, 0.5})
          spring(-1, {3.0 * b + side, deep, 0}, b, {0.1 * side, 0.1 * deep, 0}, k,
                 std::sqrt(0.81 + 0.2) + high);
      spring(-1, {3.0 * b, 0, 2}, b, {0, 0, 0.1}, in(1, 30), in(0.5, 2));
      if (b > 0) spring(b - 1, {0.1, 0, 0}, b, {-0.1, 0, 0}, in(1, 50), 2.8);
    }
  }

  std::mt19937 random_;
  std::string lines_;
  Potential potential_;
  int bodies_ = 0, markers_ = 100, elements_ = 0;
};

}  // namespace trammel::test
