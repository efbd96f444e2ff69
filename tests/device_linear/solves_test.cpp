// The kernels of solves front by front against substitution in plain loops: the same chains, the same bits.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../support/each_device.h"
#include "../support/random.h"
#include "device_api/device.h"
#include "linear/device/row_solves.h"

namespace trammel::solves_test {
namespace {

using test::Random;

class DeviceSolves : public test::DeviceTest {};

/// A front whose pivots have the first places and whose border has those behind them, with children.
struct SolvedFront {
  int p, r;
  std::vector<DeviceFront> fronts;  ///< the front, then its children
  std::vector<double> factor, inverse, z, buffer;
  std::vector<int> permutation, row, target;
  std::vector<FrontChild> child;
  int rest = 0;  ///< doubles of what children leave, and where to

  SolvedFront(int pivots, int border, int children, Random& random)
      : p(pivots),
        r(border),
        fronts{{0, 0, 0, p, r, 0, 0, children, 0, 0}},
        factor(p * p + 2 * p * r),
        inverse(p),
        z(p + r),
        permutation(p),
        row(r),
        target(r, -1) {
    for (auto* part : {&factor, &inverse, &z})
      for (double& x : *part) x = random.uniform(-1, 1);
    for (double& x : factor) x *= 0.1;
    std::iota(permutation.begin(), permutation.end(), 0);
    for (int k = 0; k < p; ++k)
      std::swap(permutation[k], permutation[k + static_cast<int>(random.uniform(0, 1) * (p - k))]);
    std::iota(row.begin(), row.end(), p);
    for (int c = 0; c < children; ++c) add_child(c, random);
    buffer.resize(target.size());
    for (double& x : buffer) x = random.uniform(-1, 1);
  }
  double d(int i, int j) const { return factor[i + j * p]; }
  double l(int i, int j) const { return factor[p * p + i + j * r]; }
  double v(int i, int j) const { return factor[p * p + p * r + i + j * r]; }

  void forward() {
    std::vector<double> t(p + r, 0.0), x(p);
    std::copy_n(z.begin(), p, t.begin());
    for (std::size_t c = 1; c < fronts.size(); ++c)
      for (int i = fronts[c].rows; i < fronts[c].rows + fronts[c].border; ++i) t[target[i]] += buffer[i];
    for (int k = 0; k < p; ++k) x[k] = t[permutation[k]];
    for (int k = 0; k < p; ++k) {
      for (int i = k + 1; i < p; ++i) x[i] = std::fma(-d(i, k), x[k], x[i]);
      for (int i = 0; i < r; ++i) t[p + i] = std::fma(-l(i, k), x[k], t[p + i]);
    }
    std::ranges::copy(x, z.begin());
    std::copy_n(t.begin() + p, r, buffer.begin());
  }
  void backward() {
    for (int k = 0; k < p && r > 0; ++k) {
      double s[8] = {};
      for (int i = 0; i < r; ++i) s[i % 8] = std::fma(v(i, k), z[p + i], s[i % 8]);
      z[k] -= ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
    for (int k = p - 1; k >= 0; --k) {
      z[k] *= inverse[k];
      for (int i = 0; i < k; ++i) z[i] = std::fma(-d(i, k), z[k], z[i]);
    }
  }

 private:
  void add_child(int c, Random& random) {
    std::set<int> places;
    const int most = p + r, count = c % 5 == 4 ? 0 : 1 + static_cast<int>(random.uniform(0, 1) * (most - 1));
    while (static_cast<int>(places.size()) < count)
      places.insert(static_cast<int>(random.uniform(0, 1) * most));
    fronts.push_back({0, 0, 0, 0, count, static_cast<int>(target.size()), 0, 0, 0, 0});
    child.push_back({0, fronts.back().rows, count});
    rest += staged_rest(count);
    target.insert(target.end(), places.begin(), places.end());
  }
};

/// The arrays of a front on a device.
class SolvedThere {
 public:
  SolvedThere(Device& device, const SolvedFront& f)
      : device_(device),
        f_(f),
        fronts_(device, f.fronts),
        list_(device, std::vector<int>{0}),
        permutation_(device, f.permutation),
        child_(device, f.child),
        row_(device, f.row),
        target_(device, f.target),
        factor_(device, f.factor),
        inverse_(device, f.inverse),
        z_(device, f.z),
        buffer_(device, f.buffer) {
    a_.front = fronts_.data();
    a_.child = child_.data();
    a_.row = row_.data();
    a_.target = target_.data();
    a_.factor = factor_.data();
    a_.inverse = inverse_.data();
    a_.permutation = permutation_.data();
    a_.z = z_.data();
    a_.buffer = buffer_.data();
  }
  void by_one_warp() {
    const int rest = (f_.rest + 1) / 2 * 2;
    const std::size_t memory = row_solve_memory(f_.p, f_.r, rest);
    device_.launch(ForwardRowFronts{a_, list_.data(), rest}, 1, memory);
    download(forward_z, forward_buffer);
    device_.launch(BackwardRowFronts{a_, list_.data()}, 1, memory);
    download(backward_z, forward_buffer);
  }
  void by_one_block() {
    device_.launch(ForwardMiddleFronts{a_, list_.data()}, 1, solve_memory(f_.p, f_.r));
    download(forward_z, forward_buffer);
    device_.launch(BackwardMiddleFronts{a_, list_.data()}, 1, solve_memory(f_.p, f_.r));
    download(backward_z, forward_buffer);
  }
  void by_several() {
    std::vector<FrontPiece> lines, columns;
    for (int i = 0; i < f_.r; i += border_rows) lines.push_back({0, FrontPart::l, i, 0});
    for (int k = 0; f_.r > 0 && k < f_.p; k += dot_columns) columns.push_back({0, FrontPart::v, k, 0});
    DeviceArray<FrontPiece> lines_there(device_, lines), columns_there(device_, columns);
    const std::size_t memory = solve_memory(f_.p, f_.r);
    device_.launch(ForwardPivots{a_, list_.data()}, 1, memory);
    device_.launch(ForwardBorder{a_, lines_there.data()}, static_cast<int>(lines.size()),
                   ForwardBorder::memory);
    download(forward_z, forward_buffer);
    device_.launch(BackwardBorder{a_, columns_there.data()}, static_cast<int>(columns.size()), memory);
    device_.launch(BackwardPivots{a_, list_.data()}, 1, memory);
    download(backward_z, forward_buffer);
  }
  std::vector<double> forward_z, forward_buffer, backward_z;

 private:
  void download(std::vector<double>& z, std::vector<double>& buffer) {
    z.resize(f_.z.size());
    buffer.resize(f_.buffer.size());
    z_.download(z);
    buffer_.download(buffer);
  }

  Device& device_;
  const SolvedFront& f_;
  DeviceArray<DeviceFront> fronts_;
  DeviceArray<int> list_, permutation_;
  DeviceArray<FrontChild> child_;
  DeviceArray<int> row_, target_;
  DeviceArray<double> factor_, inverse_, z_, buffer_;
  FrontArrays a_{};
};

// One block of pivots and several, rows beyond them for all threads of a group and more; borders; no
// children, some without a border, and more than are looked up at once.
TEST_P(DeviceSolves, have_the_bits_of_plain_substitution) {
  Random random(37);
  for (const auto& [p, r, children] : {std::tuple{1, 0, 0},
                                       {1, 3, 1},
                                       {5, 2, 3},
                                       {20, 12, 5},
                                       {31, 1, 2},
                                       {32, 8, 16},
                                       {33, 40, 17},
                                       {64, 0, 2},
                                       {70, 23, 4},
                                       {97, 150, 40},
                                       {330, 140, 3}}) {
    const SolvedFront before(p, r, children, random);
    SolvedFront forward(before), backward(before);
    forward.forward();
    backward.z = forward.z;
    backward.backward();
    SolvedThere warp(device(), before), block(device(), before), blocks(device(), before);
    block.by_one_block();
    blocks.by_several();
    std::vector<const SolvedThere*> all{&block, &blocks};
    if (p + r <= pair_front && children <= most_children) {
      warp.by_one_warp();
      all.push_back(&warp);
    }
    for (const SolvedThere* found : all) {
      EXPECT_EQ(found->forward_z, forward.z) << p << " " << r;
      EXPECT_EQ(found->forward_buffer, forward.buffer) << p << " " << r;
      EXPECT_EQ(found->backward_z, backward.z) << p << " " << r;
    }
  }
}

TRAMMEL_EVERY_DEVICE(DeviceSolves);

}  // namespace
}  // namespace trammel::solves_test
