#include "model/explicit_order.h"

namespace trammel {

namespace {

/// Depth-first over what the expressions of scalars need.
class Search {
 public:
  explicit Search(const Model& model) : model_(model), mark_(model.scalars.size(), Mark::open) {}

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
    if (s.tape < 0 || (s.kind != ScalarKind::variable && s.kind != ScalarKind::differential)) return false;
    const Tape& tape = model_.tapes[s.tape];
    if (tape.max_level() >= accelerations) return false;
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
};

}  // namespace

std::vector<int> explicit_order(const Model& model) {
  Search search(model);
  for (int k = 0; k < model.scalar_count(); ++k) search.is_explicit(k);
  return search.order;
}

std::vector<char> Model::explicit_scalars() const {
  std::vector<char> known(scalars.size(), 0);
  for (const int k : explicit_order(*this)) known[k] = 1;
  return known;
}

}  // namespace trammel
