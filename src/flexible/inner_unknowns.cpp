#include "flexible/inner_unknowns.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>

namespace trammel {

namespace {

constexpr int of_an_element = 9;  ///< three displacements for each of three directions

/// An element's own unknowns, those of nodes that meet them, and the parts of both matrices.
struct Group {
  std::vector<int> inner, outer;
  Eigen::MatrixXd K_ii, K_io, M_ii, M_io;
};

/// Group of each inner unknown; numbered as they are met.
std::vector<int> groups_of(int nodal, int all, const std::vector<MatrixEntry>& stiffness,
                           const std::vector<MatrixEntry>& mass, int& groups) {
  std::vector<int> parent(all - nodal);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  for (const std::vector<MatrixEntry>* list : {&stiffness, &mass})
    for (const MatrixEntry& e : *list)
      if (e.row >= nodal && e.column >= nodal) parent[root(e.row - nodal)] = root(e.column - nodal);
  std::vector<int> out(parent.size(), -1), number(parent.size(), -1);
  groups = 0;
  for (std::size_t k = 0; k < parent.size(); ++k) {
    int& n = number[root(static_cast<int>(k))];
    if (n < 0) n = groups++;
    out[k] = n;
  }
  return out;
}

/// Place in an ascending list.
int place(const std::vector<int>& list, int unknown) {
  return static_cast<int>(std::lower_bound(list.begin(), list.end(), unknown) - list.begin());
}

/// The parts of a matrix that belong to the groups.
void gather(int nodal, const std::vector<int>& group_of, const std::vector<MatrixEntry>& entries,
            Eigen::MatrixXd Group::*ii, Eigen::MatrixXd Group::*io, std::vector<Group>& groups) {
  for (Group& g : groups) {
    g.*ii = Eigen::MatrixXd::Zero(of_an_element, of_an_element);
    g.*io = Eigen::MatrixXd::Zero(of_an_element, static_cast<Eigen::Index>(g.outer.size()));
  }
  for (const MatrixEntry& e : entries) {
    const int low = std::min(e.row, e.column), high = std::max(e.row, e.column);
    if (high < nodal) continue;
    Group& g = groups[group_of[high - nodal]];
    const int at = place(g.inner, high);
    if (low < nodal) {
      (g.*io)(at, place(g.outer, low)) = e.value;
    } else {
      (g.*ii)(at, place(g.inner, low)) = (g.*ii)(place(g.inner, low), at) = e.value;
    }
  }
}

/// What is added to entries of the nodes, by row and column, row ≤ column.
class Additions {
 public:
  void add(const std::vector<int>& unknowns, const Eigen::MatrixXd& m) {
    for (std::size_t c = 0; c < unknowns.size(); ++c)
      for (std::size_t r = 0; r <= c; ++r)
        sum_[key(unknowns[r], unknowns[c])] += m(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
  }
  /// Leaves only entries of nodes in the list, with what is added to them. An entry that stands twice, with
  /// its mirror image, gets the sum both times; one that was not there is appended, in the order of the
  /// groups.
  void apply(int nodal, const std::vector<Group>& groups, std::vector<MatrixEntry>& entries) {
    std::erase_if(entries, [&](const MatrixEntry& e) { return std::max(e.row, e.column) >= nodal; });
    std::unordered_map<std::uint64_t, double> missing = sum_;
    for (MatrixEntry& e : entries) {
      const std::uint64_t at = key(std::min(e.row, e.column), std::max(e.row, e.column));
      if (const auto found = sum_.find(at); found != sum_.end()) {
        e.value += found->second;
        missing.erase(at);
      }
    }
    for (const Group& g : groups)
      for (const int c : g.outer)
        for (const int r : g.outer)
          if (const auto found = missing.find(key(r, c)); r <= c && found != missing.end()) {
            entries.push_back({r, c, found->second});
            missing.erase(found);
          }
  }

 private:
  static std::uint64_t key(int row, int column) {
    return (static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint64_t>(column);
  }
  std::unordered_map<std::uint64_t, double> sum_;
};

}  // namespace

int condense_inner_unknowns(int nodal, int all, std::vector<MatrixEntry>& stiffness,
                            std::vector<MatrixEntry>& mass) {
  int count = 0;
  const std::vector<int> group_of = groups_of(nodal, all, stiffness, mass, count);
  std::vector<Group> groups(count);
  for (int k = nodal; k < all; ++k) groups[group_of[k - nodal]].inner.push_back(k);
  for (const Group& g : groups)
    if (g.inner.size() != of_an_element) return g.inner.front();
  for (const std::vector<MatrixEntry>* list : {&stiffness, &mass})
    for (const MatrixEntry& e : *list) {
      const int low = std::min(e.row, e.column), high = std::max(e.row, e.column);
      if (high >= nodal && low < nodal) groups[group_of[high - nodal]].outer.push_back(low);
    }
  for (Group& g : groups) {
    std::sort(g.outer.begin(), g.outer.end());
    g.outer.erase(std::unique(g.outer.begin(), g.outer.end()), g.outer.end());
  }
  gather(nodal, group_of, stiffness, &Group::K_ii, &Group::K_io, groups);
  gather(nodal, group_of, mass, &Group::M_ii, &Group::M_io, groups);
  Additions to_stiffness, to_mass;
  for (const Group& g : groups) {
    const Eigen::LDLT<Eigen::MatrixXd> factors(g.K_ii);
    if (!factors.isPositive() || !(factors.vectorD().minCoeff() > 0)) return g.inner.front();
    const Eigen::MatrixXd T = -factors.solve(g.K_io), coupled = g.M_io.transpose() * T;
    to_stiffness.add(g.outer, g.K_io.transpose() * T);
    to_mass.add(g.outer, coupled + coupled.transpose() + T.transpose() * g.M_ii * T);
  }
  to_stiffness.apply(nodal, groups, stiffness);
  to_mass.apply(nodal, groups, mass);
  return -1;
}

}  // namespace trammel
