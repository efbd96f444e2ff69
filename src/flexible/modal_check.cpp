#include "flexible/modal_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "math/cholesky.h"
#include "math/symmetric.h"

namespace trammel {

namespace {

class ModalCheck {
 public:
  ModalCheck(const ModalBody& body, Diagnostics& diagnostics)
      : b_(body), in_(body.invariants), n_(static_cast<std::size_t>(body.modes)), diagnostics_(diagnostics) {}

  void run() {
    twice(b_.node_id, "node", "each may stand once");
    twice(b_.mode_id, "mode", "each may stand once");
    if (!finite()) return error("has a value that is no finite number");
    if (!(in_.mass > 0)) return error("its mass is {:.6g}, not positive", in_.mass);
    symmetric(b_.stiffness, "stiffness");
    symmetric(in_.I6, "modal mass");
    masses();
    inertia();
    missing();
  }

 private:
  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error({b_.source, 0}, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.warning({b_.source, 0}, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.note({b_.source, 0}, format, std::forward<Args>(args)...);
  }

  void twice(const std::vector<int>& ids, const char* what, const char* mend) {
    std::set<int> seen;
    for (const int id : ids)
      if (!seen.insert(id).second) return error("{} {} stands twice; {}", what, id, mend);
  }
  bool finite() const {
    double sum = in_.mass;
    const auto add = [&](const auto& list) {
      for (const auto& v : list)
        if constexpr (requires { v.x; })
          sum += v.x + v.y + v.z;
        else if constexpr (requires { v.m; })
          for (const double x : v.m) sum += x;
        else
          sum += v;
    };
    add(b_.stiffness), add(b_.damping), add(b_.frequency), add(b_.position), add(b_.translation);
    add(b_.rotation), add(b_.preload), add(b_.node_mass), add(b_.node_inertia);
    add(in_.I3), add(in_.I4), add(in_.I5), add(in_.I6), add(in_.I8), add(in_.I9);
    add(std::vector<Vec3d>{in_.first}), add(std::vector<Mat3d>{in_.I7});
    for (const auto& load : b_.loads) add(load);
    return std::isfinite(sum);
  }
  void symmetric(const std::vector<double>& m, const char* what) {
    constexpr double digits = 1e-6;  // of numbers in files
    double largest = 0, worst = 0;
    std::size_t at = 0;
    for (std::size_t k = 0; k < m.size(); ++k) {
      largest = std::max(largest, std::abs(m[k]));
      const double off = std::abs(m[k] - m[(k % n_) * n_ + k / n_]);
      if (off > worst) worst = off, at = k;
    }
    if (worst > digits * largest)
      warning(
          "its {} is not symmetric, between modes {} and {} by {:.3g} of {:.3g}; its symmetric part is used",
          what, b_.mode_id[at / n_], b_.mode_id[at % n_], worst, largest);
  }
  void masses() {
    const std::size_t before = diagnostics_.list().size();
    double largest = 0;
    for (std::size_t k = 0; k < n_; ++k) largest = std::max(largest, std::abs(b_.stiffness[k * n_ + k]));
    for (std::size_t j = 0; j < n_; ++j) {
      const double mass = in_.I6[j * n_ + j], stiffness = b_.stiffness[j * n_ + j];
      if (!(mass > 0)) error("the modal mass of mode {} is {:.6g}, not positive", b_.mode_id[j], mass);
      if (stiffness < -1e-9 * largest)
        error("the stiffness of mode {} is {:.6g}, negative: it would grow without end", b_.mode_id[j],
              stiffness);
    }
    if (diagnostics_.list().size() == before) pencil();
  }
  /// Whether all ω² of K x = ω² M x are real and not negative: M, and K + σM with σ of the size of rounding,
  /// must be positive definite.
  void pencil() {
    constexpr double digits = 1e-8;  // of the largest ω²
    if (const int j = first_indefinite(in_.I6); j >= 0)
      return error(
          "its modal mass (INVAR6) is not positive definite: with mode {} combinations of modes have "
          "negative "
          "mass",
          b_.mode_id[j]);
    double largest = 0;
    for (std::size_t k = 0; k < n_; ++k)
      largest = std::max(largest, b_.stiffness[k * n_ + k] / in_.I6[k * n_ + k]);
    std::vector<double> shifted = b_.stiffness;
    for (std::size_t k = 0; k < shifted.size(); ++k) shifted[k] += digits * largest * in_.I6[k];
    if (const int j = first_indefinite(std::move(shifted)); largest > 0 && j >= 0)
      error(
          "its stiffness (GENSTIFF) has a negative eigenvalue: with mode {} a combination of modes would "
          "grow "
          "without end",
          b_.mode_id[j]);
  }
  /// The first mode with which the symmetric part of a matrix is not positive definite; −1: none.
  int first_indefinite(std::vector<double> m) const { return factor_cholesky(m, static_cast<int>(n_)); }
  void inertia() {
    const double mass = in_.mass;
    const Vec3d c = (1 / mass) * in_.first;
    const double cc = dot(c, c);
    const Vec3d J = eigenvalues(in_.I7 - mass * (Mat3d::diagonal(cc, cc, cc) - outer(c, c)));
    const double size = eigenvalues(in_.I7).z;
    constexpr double digits = 1e-6;
    if (J.x < -digits * size)
      error(
          "its moments of inertia about the centre of mass are {:.6g}, {:.6g}, {:.6g}: none may be negative",
          J.x, J.y, J.z);
    else if (J.z > J.x + J.y + digits * size)
      warning(
          "its moments of inertia about the centre of mass are {:.6g}, {:.6g}, {:.6g}: each is at most the "
          "sum "
          "of the other two",
          J.x, J.y, J.z);
  }
  void missing() {
    if (n_ == 0) return;
    if (!in_.has[3] || !in_.has[4])
      warning("invariant {} is missing: motions of the frame do not move its modes, nor gravity",
              !in_.has[3] ? 3 : 4);
    if (!in_.has[8])
      warning("invariant 8 is missing: its moments of inertia stay those of the undeformed body");
    if (!in_.has[5])
      note(
          "invariant 5 is missing: modes that move together neither turn the body nor feel its spin "
          "(Coriolis forces between modes)");
    if (!in_.has[9])
      note(
          "invariant 9 is missing: where it spins, centrifugal forces do not grow with its deformation, nor "
          "its moments of inertia with the square of it");
  }

  const ModalBody& b_;
  const Invariants& in_;
  const std::size_t n_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_modal_body(const ModalBody& body, Diagnostics& diagnostics) {
  ModalCheck(body, diagnostics).run();
}

std::vector<int> rigid_modes(const ModalBody& body) {
  std::vector<int> order(body.modes);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return body.frequency[a] < body.frequency[b]; });
  std::size_t rigid = 0;
  for (std::size_t k = 1; k < std::min<std::size_t>(order.size(), 7); ++k)
    if (body.frequency[order[k - 1]] < 1e-3 * body.frequency[order[k]]) rigid = k;
  order.resize(rigid);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace trammel
