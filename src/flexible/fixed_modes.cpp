#include "flexible/fixed_modes.h"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "base/diagnostics.h"

namespace trammel {

namespace {

using Eigen::Index;

/// x ↦ (K − σM)⁻¹ x, as Spectra asks for it.
struct Inverse {
  using Scalar = double;
  Interior& inside;
  Index rows() const { return inside.size(); }
  Index cols() const { return inside.size(); }
  void set_shift(double) {}
  void perform_op(const double* x, double* y) const { inside.solve(x, y); }
};
/// x ↦ M x.
struct Mass {
  using Scalar = double;
  const Interior& inside;
  Index rows() const { return inside.size(); }
  Index cols() const { return inside.size(); }
  void perform_op(const double* x, double* y) const { inside.mass_times(x, y); }
};

}  // namespace

FixedModes fixed_modes(Interior& inside, double shift, int count) {
  FixedModes out;
  const int n = inside.size(), wanted = std::min(count, n - 1), room = std::min(n, 2 * wanted + 20);
  if (wanted < 1) return out;
  // A start vector without what the inverse takes out: massless unknowns and prescribed means.
  Eigen::VectorXd start(n), loaded(n);
  for (int k = 0; k < n; ++k) start[k] = std::sin(1.0 + 7.3 * (k % 1009) + 0.01 * k);
  inside.mass_times(start.data(), loaded.data());
  inside.solve(loaded.data(), start.data());
  if (!(start.squaredNorm() > 0)) return out;  // all mass is on the interface
  Inverse inverse{inside};
  Mass mass{inside};
  Spectra::SymGEigsShiftSolver<Inverse, Mass, Spectra::GEigsMode::ShiftInvert> solver(inverse, mass, wanted,
                                                                                      room, shift);
  Index found = 0;
  try {
    solver.init(start.data());
    found = solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12);
  } catch (const Failure&) {
    throw;
    // thrown by Spectra for vectors without mass, or that are not numbers
  } catch (const std::exception& error) {
    fail(ExitCode::solver, "modes of the held interface: {}", error.what());
  }
  if (solver.info() != Spectra::CompInfo::Successful)
    fail(ExitCode::solver, "{} of {} modes of the held interface were found: ask for fewer", found, wanted);
  const Eigen::MatrixXd shapes = solver.eigenvectors();
  for (Index k = found - 1; k >= 0; --k) {
    out.eigenvalue.push_back(solver.eigenvalues()[k]);
    out.shape.emplace_back(shapes.col(k).data(), shapes.col(k).data() + n);
  }
  if (out.eigenvalue.size() > 1 && out.eigenvalue.front() > out.eigenvalue.back()) {
    std::reverse(out.eigenvalue.begin(), out.eigenvalue.end());
    std::reverse(out.shape.begin(), out.shape.end());
  }
  return out;
}

}  // namespace trammel
