#include "model/explicit_order.h"

#include <algorithm>

namespace trammel {

namespace {

/// Whether the value of a scalar, or its rate, is that of an expression.
bool has_function(const Scalar& s) {
  return s.tape >= 0 && (s.kind == ScalarKind::variable || s.kind == ScalarKind::differential);
}

/// Depth-first over what the expressions of scalars need beside what is known.
class Search {
 public:
  explicit Search(const Model& model) : model_(model), mark_(model.scalars.size(), Mark::open) {}
  /// After all but some scalars has been solved for.
  Search(const Model& model, const std::vector<int>& unknown) : Search(model) {
    motion_is_known_ = true;
    mark_.assign(mark_.size(), Mark::yes);
    for (const int k : unknown) mark_[k] = Mark::open;
  }

  bool is_explicit(int scalar) {
    // A scalar under way depends on itself.
    if (mark_[scalar] != Mark::open) return mark_[scalar] == Mark::yes;
    mark_[scalar] = Mark::under_way;
    const bool good = follows(model_.scalars[scalar]);
    mark_[scalar] = good ? Mark::yes : Mark::no;
    if (good) order.push_back(scalar);
    return good;
  }

  std::vector<int> order;

 private:
  enum class Mark : unsigned char { open, under_way, yes, no };

  bool follows(const Scalar& s) {
    constexpr int accelerations = 3;
    if (!has_function(s)) return false;
    const Tape& tape = model_.tapes[s.tape];
    if (tape.max_level() >= accelerations && !motion_is_known_) return false;
    for (int read : tape.states) {
      if (read >= model_.scalar_count()) return false;
      // The value of a differential state is known.
      if (!model_.scalars[read].differential() && !is_explicit(read)) return false;
    }
    for (int read : tape.rates)
      if (!is_explicit(read)) return false;
    return true;
  }

  const Model& model_;
  std::vector<Mark> mark_;
  bool motion_is_known_ = false;
};

/// Per scalar: whether equations need it that are not those of VARIABLEs and DIFFs, directly or through
/// these.
std::vector<char> needed_by_others(const Model& model) {
  std::vector<char> needed(model.scalars.size(), 0), own(model.tapes.size(), 0);
  std::vector<int> open;
  const auto need = [&](int k) {
    if (k >= model.scalar_count() || needed[k]) return;
    needed[k] = 1;
    open.push_back(k);
  };
  const auto need_reads = [&](const Tape& tape) {
    for (const int k : tape.states) need(k);
    for (const int k : tape.rates) need(k);
  };
  for (int k = 0; k < model.scalar_count(); ++k) {
    if (has_function(model.scalars[k])) own[model.scalars[k].tape] = 1;
    if (model.scalars[k].kind == ScalarKind::motion_rate) need(k + 1);
  }
  for (std::size_t t = 0; t < model.tapes.size(); ++t)
    if (model.tape_in_equations[t] && !own[t]) need_reads(model.tapes[t]);
  for (const ConstraintElement& e : model.constraint_elements)
    if (e.scalar >= 0) need(e.scalar);
  while (!open.empty()) {
    const Scalar& s = model.scalars[open.back()];
    open.pop_back();
    if (s.tape >= 0) need_reads(model.tapes[s.tape]);
  }
  return needed;
}

/// Per scalar: whether its function reads accelerations or reactions, directly or through others. One that
/// depends on itself alone does not: its equation has q and q̇ as all that is given.
std::vector<char> readers_of_solutions(const Model& model) {
  constexpr int accelerations = 3;
  std::vector<char> out(model.scalars.size(), 0);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = !has_function(model.scalars[k]) && !model.scalars[k].differential();
  const auto reads = [&](const Tape& tape) {
    if (tape.max_level() >= accelerations) return true;
    // The value of a differential state is known.
    const auto value = [&](int k) {
      return k >= model.scalar_count() || (out[k] && !model.scalars[k].differential());
    };
    const auto rate = [&](int k) { return out[k] || !has_function(model.scalars[k]); };
    return std::ranges::any_of(tape.states, value) || std::ranges::any_of(tape.rates, rate);
  };
  // There and back: long chains of scalars are in one order or the other.
  bool changed = true, back = false;
  for (; changed; back = !back) {
    changed = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t k = back ? out.size() - 1 - i : i;
      if (!out[k] && has_function(model.scalars[k]) && reads(model.tapes[model.scalars[k].tape]))
        out[k] = changed = true;
    }
  }
  return out;
}

}  // namespace

std::vector<int> explicit_order(const Model& model) {
  Search search(model);
  for (int k = 0; k < model.scalar_count(); ++k) search.is_explicit(k);
  return search.order;
}

int first_state_of_solutions(const Model& model) {
  const std::vector<char> reads = readers_of_solutions(model);
  bool variables_do = false;  // which LSE, GSE and transfer functions read
  for (int k = 0; k < model.scalar_count(); ++k)
    variables_do = variables_do || (model.scalars[k].kind == ScalarKind::variable && reads[k]);
  for (int k = 0; k < model.scalar_count(); ++k) {
    const Scalar& s = model.scalars[k];
    if (s.differential() && (has_function(s) ? reads[k] != 0 : variables_do)) return k;
  }
  return -1;
}

Followers followers(const Model& model) {
  Followers out;
  const std::vector<char> known = model.explicit_scalars(), needed = needed_by_others(model);
  for (int k = 0; k < model.scalar_count(); ++k)
    if (has_function(model.scalars[k]) && !known[k] && !needed[k]) out.all.push_back(k);
  Search search(model, out.all);
  for (const int k : out.all) search.is_explicit(k);
  out.in_order = search.order;
  return out;
}

std::vector<char> Model::explicit_scalars() const {
  std::vector<char> known(scalars.size(), 0);
  for (const int k : explicit_order(*this)) known[k] = 1;
  return known;
}

}  // namespace trammel
