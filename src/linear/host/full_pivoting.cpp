#include "linear/host/full_pivoting.h"

#include <utility>

#include "base/diagnostics.h"
#include "linear/host/klu_solver.h"

namespace trammel {
namespace {

class FullPivoting final : public LinearSolver {
 public:
  explicit FullPivoting(std::unique_ptr<LinearSolver> inner) : inner_(std::move(inner)) {}

  void analyze(const SparsePattern& pattern, const std::vector<int>& order) override {
    general_.reset();
    analyzed_.reset();
    inner_->analyze(pattern, order);
    analyzed_ = std::make_shared<Analyzed>(pattern, order);
  }
  std::unique_ptr<LinearSolver> with_same_analysis() const override {
    std::unique_ptr<LinearSolver> inner = inner_->with_same_analysis();
    if (!inner) return nullptr;
    auto same = std::make_unique<FullPivoting>(std::move(inner));
    same->analyzed_ = analyzed_;
    return same;
  }
  FactorStatus factor(const double* values, double tolerance) override {
    if (!analyzed_) fail(ExitCode::internal, "linear solver: factor() before analyze()");
    general_.reset();
    if (tolerance < 1) return inner_->factor(values, tolerance);
    general_ = make_klu_solver();
    general_->analyze(analyzed_->pattern, analyzed_->order);
    return general_->factor(values, tolerance);
  }
  FactorStatus refactor(const double* values) override { return now().refactor(values); }
  using LinearSolver::solve;
  void solve(const double* b, double* x) const override { now().solve(b, x); }
  void solve_many(double* b, int columns, int stride) const override { now().solve_many(b, columns, stride); }
  Pivot smallest_pivot(const double* column_magnitude) const override {
    return now().smallest_pivot(column_magnitude);
  }
  FactorInfo info() const override { return now().info(); }
  void set_pool(std::shared_ptr<ThreadPool> pool) override { inner_->set_pool(std::move(pool)); }

 private:
  LinearSolver& now() const { return general_ ? *general_ : *inner_; }

  struct Analyzed {
    SparsePattern pattern;
    std::vector<int> order;
  };

  std::unique_ptr<LinearSolver> inner_;
  std::unique_ptr<LinearSolver> general_;  ///< KLU, while its factors are the present ones
  std::shared_ptr<const Analyzed> analyzed_;
};

}  // namespace

std::unique_ptr<LinearSolver> with_full_pivoting(std::unique_ptr<LinearSolver> inner) {
  return std::make_unique<FullPivoting>(std::move(inner));
}

}  // namespace trammel
