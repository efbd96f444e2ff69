// The numbers of one argument.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace trammel {

/// A list of numbers. Up to three, as most arguments have (an id, a mass, a point), lie in the list itself,
/// more elsewhere: a deck of a million arguments is then read without a million small blocks.
class Numbers {
 public:
  using value_type = double;
  using const_iterator = const double*;

  Numbers() = default;
  Numbers(std::initializer_list<double> list) { assign(list.begin(), list.end()); }
  Numbers(const Numbers& other) { assign(other.begin(), other.end()); }
  Numbers(Numbers&& other) noexcept { take(other); }
  Numbers& operator=(const Numbers& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  Numbers& operator=(Numbers&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~Numbers() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double* data() { return room_ == few ? own_ : elsewhere_; }
  const double* data() const { return room_ == few ? own_ : elsewhere_; }
  double* begin() { return data(); }
  double* end() { return data() + size_; }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size_; }
  double& operator[](std::size_t k) { return data()[k]; }
  double operator[](std::size_t k) const { return data()[k]; }
  double front() const { return data()[0]; }
  double back() const { return data()[size_ - 1]; }

  void push_back(double value) {
    if (size_ == room_) make_room(2 * room_);
    data()[size_++] = value;
  }
  void assign(const double* first, const double* last) {
    const auto count = static_cast<std::uint32_t>(last - first);
    if (count > room_) make_room(count);
    std::copy(first, last, data());
    size_ = count;
  }
  operator std::vector<double>() const { return {begin(), end()}; }

  bool operator==(const Numbers& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }
  bool operator==(const std::vector<double>& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  static constexpr std::uint32_t few = 3;

  void make_room(std::uint32_t count) {
    auto* larger = new double[count];
    std::copy(begin(), end(), larger);
    release();
    elsewhere_ = larger;
    room_ = count;
  }
  /// The numbers of another list, which has none afterwards.
  void take(Numbers& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, few);
    if (room_ == few)
      std::copy(other.own_, other.own_ + few, own_);
    else
      elsewhere_ = other.elsewhere_;
  }
  void release() {
    if (room_ != few) delete[] elsewhere_;
    room_ = few;
  }

  std::uint32_t size_ = 0, room_ = few;
  union {
    double own_[few] = {};
    double* elsewhere_;  ///< where there is room for more than a few
  };
};

}  // namespace trammel
