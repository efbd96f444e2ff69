#include "assemble/near_shapes.h"

#include <algorithm>

#include "base/archive.h"

namespace trammel {

NearShapes::NearShapes(std::vector<ShapeOfGroup> shapes) : shape_(std::move(shapes)) {
  int bounded = 0;
  for (const ShapeOfGroup& s : shape_) {
    if (!std::isfinite(s.reach)) continue;
    usual_ += s.reach;
    ++bounded;
  }
  if (bounded > 0) usual_ /= bounded;
  near_.start.assign(shape_.size() + 1, 0);
  coupled_ = near_;
  take_views();
}

void NearShapes::update(std::span<const Pose<double>> frames, const Search& search) {
  if (place_.size() == shape_.size()) {
    bool holds = true;
    for (std::size_t k = 0; k < shape_.size() && holds; ++k)
      holds = norm(frames[k].r - place_[k]) <= margin_[k];
    if (holds) return;
  }
  // A fifth of its size, and as far again as it has come since, if that is no more than its size.
  constexpr double share = 0.2;
  const bool first = place_.empty();
  margin_.resize(shape_.size());
  for (std::size_t k = 0; k < shape_.size(); ++k) {
    const double size = std::isfinite(shape_[k].reach) ? std::max(shape_[k].reach, usual_) : usual_;
    margin_[k] = share * size + (first ? 0 : std::min(size, norm(frames[k].r - place_[k])));
  }
  find(frames, search);
}

void NearShapes::cover(std::span<const Pose<double>> frames, std::span<const double> way,
                       const Search& search) {
  bool holds = true;
  for (std::size_t k = 0; k < shape_.size() && holds; ++k)
    holds = norm(frames[k].r - place_[k]) + way[k] <= margin_[k];
  if (holds) return;
  for (std::size_t k = 0; k < shape_.size(); ++k) margin_[k] = std::max(margin_[k], way[k]);
  find(frames, search);
}

void NearShapes::find(std::span<const Pose<double>> frames, const Search& search) {
  std::vector<BoundingBall> balls(shape_.size());
  place_.resize(shape_.size());
  for (std::size_t k = 0; k < shape_.size(); ++k) {
    place_[k] = frames[k].r;
    balls[k] = {place_[k], shape_[k].reach + margin_[k]};
  }
  const auto wanted = [&](int a, int b) { return may_touch(shape_[a], shape_[b]); };
  near_ = search ? search(balls, &looks_) : near_balls(balls, wanted, &looks_);
  ++searches_;
  take_views();
}

bool NearShapes::all_coupled() const {
  for (int k = 0; k < static_cast<int>(shape_.size()); ++k) {
    const auto near = near_.of(k), coupled = coupled_.of(k);
    if (!std::includes(coupled.begin(), coupled.end(), near.begin(), near.end())) return false;
  }
  return true;
}

void NearShapes::couple() {
  coupled_ = near_;
  take_views();
}

void NearShapes::take_views() {
  misses_ = !all_coupled();
  near_view_ = {near_.start.data(), near_.other.data(), near_.pair.data()};
  coupled_view_ = {coupled_.start.data(), coupled_.other.data(), coupled_.pair.data()};
}

void NearShapes::archive(Archive& a) {
  a(margin_, searches_, looks_);
  for (Neighbours* n : {&near_, &coupled_}) a(n->start, n->other, n->pair);
  place_.resize(shape_.size());
  for (Vec3d& r : place_) a.numbers(&r.x, 3);
  take_views();
}

}  // namespace trammel
