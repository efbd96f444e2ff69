#include "linear/scaling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "base/buckets.h"
#include "base/diagnostics.h"

namespace trammel {
namespace {

/// Nearest power of two, by its logarithm; 1 for zero and for what is not finite.
double power_of_two(double x) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63, infinity = 0x7ff0000000000000,
                          one = 0x3ff0000000000000, unit = 0x0010000000000000;
  constexpr std::uint64_t root_of_two = 0x3ff6a09e667f3bcd;  // of 1.41421356...
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if (bits == 0 || (bits & sign) || bits >= infinity) return 1;
  // Adding what is between root of two and 2 carries into the exponent where the fraction is as large.
  const std::uint64_t rounded = (bits + (one + unit - root_of_two)) & infinity;
  return std::clamp(std::bit_cast<double>(rounded), 0x1p-500, 0x1p500);
}

void round(Scaling& s) {
  for (double& f : s.row) f = power_of_two(f);
  for (double& f : s.column) f = power_of_two(f);
}

/// Calls f(i, j, |a_ij|) for every nonzero of the columns that `wanted` marks; null: of all.
template <class F>
void for_entries(const SparsePattern& a, const double* values, F f, const char* wanted = nullptr) {
  for (int j = 0; j < a.n; ++j) {
    if (wanted && !wanted[j]) continue;
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      const double size = std::fabs(values[k]);
      if (size > 0 && std::isfinite(size)) f(a.row[k], j, size);
    }
  }
}

/// Limits d to kLightest times the median of the same coordinate (of bodies with equally many);
/// coordinates without any entry (`largest` = 0) get that value.
void limit_light_bodies(std::vector<double>& d, const std::vector<double>& largest,
                        const MechanismGraph& graph) {
  constexpr double kLightest = 1e3;
  struct Alike {
    std::vector<double> list;
    double cap = 0;
  };
  std::map<int, std::vector<Alike>> kinds;  // by number of coordinates, then by slot
  const auto for_bodies = [&](auto f) {
    for (const GraphVertex& v : graph.vertices) {
      if (v.kind != VertexKind::body) continue;
      std::vector<Alike>& kind = kinds[v.count];
      for (int k = 0; k < v.count; ++k) {
        const auto slot = static_cast<std::size_t>(v.slot(k));
        if (slot >= kind.size()) kind.resize(slot + 1);
        f(kind[slot], v.first + k);
      }
    }
  };
  for_bodies([&](Alike& alike, int i) {
    if (largest[i] > 0) alike.list.push_back(d[i]);
  });
  for (auto& [count, kind] : kinds)
    for (auto& [list, cap] : kind) {
      if (list.empty()) list.push_back(1);
      std::nth_element(list.begin(), list.begin() + list.size() / 2, list.end());
      cap = kLightest * list[list.size() / 2];
    }
  for_bodies([&](const Alike& alike, int i) {
    if (largest[i] == 0 || d[i] > alike.cap) d[i] = alike.cap;
  });
}

/// Limits d to kLightest times the smallest d of the bodies that share a constraint with it. The pivots of a
/// much lighter body are then small and rejected in favour of its constraints, like those of massless bodies;
/// eliminated first, they would reduce the heavy body's entries to rounding.
void limit_beside_heavy_bodies(std::vector<double>& d, const MechanismGraph& graph) {
  constexpr double kLightest = 3e3;  // masses of 1 : 1e7
  const auto joined = in_buckets<int>(static_cast<int>(graph.vertices.size()), [&](auto put) {
    for (auto [a, b] : graph.edges) {
      if (graph.vertices[a].kind == VertexKind::body) std::swap(a, b);
      if (graph.vertices[a].kind == VertexKind::constraint && graph.vertices[b].kind == VertexKind::body)
        put(a, b);
    }
  });
  std::vector<double> cap;  // per coordinate: kLightest times the smallest
  for (std::size_t c = 0; c + 1 < joined.start.size(); ++c) {
    const std::span bodies(joined.item.begin() + joined.start[c], joined.item.begin() + joined.start[c + 1]);
    cap.clear();
    for (int v : bodies) {
      const GraphVertex& body = graph.vertices[v];
      for (int k = 0; k < body.count; ++k) {
        const auto slot = static_cast<std::size_t>(body.slot(k));
        if (cap.size() <= slot) cap.resize(slot + 1, INFINITY);
        cap[slot] = std::min(cap[slot], kLightest * d[body.first + k]);
      }
    }
    for (int v : bodies)
      for (int k = 0; k < graph.vertices[v].count; ++k) {
        double& factor = d[graph.vertices[v].first + k];
        factor = std::min(factor, cap[graph.vertices[v].slot(k)]);
      }
  }
}

/// What rounding is in entries between angles of a body, per unknown: moments of inertia about its axes that
/// are 0 are not quite so about the axes of its angles. Of other unknowns 0.
std::vector<double> rounding_of_moments(const SparsePattern& a, const double* values,
                                        const MechanismGraph& graph) {
  constexpr double rounding = 1e-13;
  std::vector<double> out(a.n, 0);
  for (const GraphVertex& v : graph.vertices) {
    if (v.kind != VertexKind::body || v.translations == GraphVertex::neither) continue;
    const int first = v.first + std::min(v.translations, v.count), end = v.first + v.count;
    double largest = 0;
    for (int j = first; j < end; ++j)
      for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k)
        if (a.row[k] >= first && a.row[k] < end && std::isfinite(values[k]))
          largest = std::max(largest, std::fabs(values[k]));
    std::fill(out.begin() + first, out.begin() + end, rounding * largest);
  }
  return out;
}

/// Symmetric factors of the body block.
std::vector<double> body_factors(const SparsePattern& a, const double* values, const std::vector<char>& body,
                                 const MechanismGraph& graph) {
  const std::vector<double> nothing = rounding_of_moments(a, values, graph);
  std::vector<double> d(a.n, 1), diagonal(a.n, 0), largest(a.n);
  const auto for_sizes = [&](auto f) {
    const auto counted = [&](int i, int j, double size) {
      if (size > std::min(nothing[i], nothing[j])) f(i, j, size);
    };
    for_entries(a, values, counted, body.data());
  };
  for_sizes([&](int i, int j, double size) {
    if (i == j) diagonal[i] = size;
  });
  for (int i = 0; i < a.n; ++i) {
    if (diagonal[i] > 0) d[i] = 1 / std::sqrt(diagonal[i]);
  }
  // For a positive definite block the largest entries are on the diagonal, and one sweep shows it; otherwise
  // (massless coordinates) three sweeps bring the largest entry of every row and column near one.
  constexpr double rounding = 1e-12;
  bool even = false;
  for (int sweep = 0; sweep < 3 && !even; ++sweep) {
    std::fill(largest.begin(), largest.end(), 0.0);
    for_sizes([&](int i, int j, double size) {
      if (!body[i]) return;
      const double scaled = d[i] * size * d[j];
      largest[i] = std::max(largest[i], scaled);
      largest[j] = std::max(largest[j], scaled);
    });
    even = true;
    for (int i = 0; i < a.n; ++i) {
      if (!body[i] || largest[i] == 0) continue;
      even = even && std::fabs(largest[i] - 1) < rounding;
      d[i] /= std::sqrt(largest[i]);
    }
  }
  limit_light_bodies(d, largest, graph);
  limit_beside_heavy_bodies(d, graph);
  return d;
}

/// Flags the scalars (not coordinates of bodies) whose own equation has a nonzero diagonal entry.
std::vector<char> balanced_scalars(const SparsePattern& a, const double* values,
                                   const MechanismGraph& graph) {
  std::vector<char> scalar(a.n, 0), out(a.n, 0);
  for (const GraphVertex& v : graph.vertices)
    if (v.kind == VertexKind::scalar) std::fill_n(scalar.begin() + v.first, v.count, 1);
  for_entries(
      a, values, [&](int i, int j, double) { out[i] = out[i] || i == j; }, scalar.data());
  return out;
}

/// Eliminating a scalar V by its own equation adds a_iV a_Vj / a_VV to the bodies' block, which may exceed
/// all its entries (a controller's gain in newtons per metre beside a mass in kilograms). The factors of V
/// keep r_V c_V |a_VV| = 1 and balance its row and column; bodies are scaled down until no entry shared with
/// scalars exceeds 1, so that the pivots of their multipliers are not taken for rounding. Where what V adds
/// is rounding itself (a reaction that is read and hardly depends on the pose), balancing would only blow up
/// the row of V, whose multipliers would then be scaled down to rounding.
void balance_scalars(const SparsePattern& a, const double* values, const std::vector<char>& body,
                     const std::vector<char>& scalar, Scaling& s) {
  constexpr int sweeps = 6;  // a chain of scalars is balanced by one scalar per sweep
  constexpr double rounding = 1e-12;
  if (std::none_of(scalar.begin(), scalar.end(), [](char is) { return is; })) return;
  for_entries(a, values, [&](int i, int j, double size) {
    if (i == j && scalar[i]) s.row[i] = 1 / size;
  });
  std::vector<double> in_row(a.n), in_column(a.n);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill(in_row.begin(), in_row.end(), 0.0);
    std::fill(in_column.begin(), in_column.end(), 0.0);
    for_entries(a, values, [&](int i, int j, double size) {
      if (i == j || !(scalar[i] || scalar[j]) || !(body[i] || scalar[i]) || !(body[j] || scalar[j])) return;
      const double scaled = s.row[i] * size * s.column[j];
      in_row[i] = std::max(in_row[i], scaled);
      in_column[j] = std::max(in_column[j], scaled);
    });
    for (int i = 0; i < a.n; ++i) {
      if (scalar[i] && in_row[i] * in_column[i] > rounding) {
        const double tilt = std::sqrt(in_row[i] / in_column[i]);
        s.row[i] /= tilt;
        s.column[i] *= tilt;
      }
      const double most = std::max(in_row[i], in_column[i]);
      if (body[i] && most > 1) s.row[i] = s.column[i] = s.row[i] / std::sqrt(most);
    }
  }
}

}  // namespace

void check_scaling(const Scaling& scaling, int n, bool analyzed) {
  const auto size = static_cast<std::size_t>(n);
  if (analyzed && scaling.row.size() == size && scaling.column.size() == size) return;
  fail(ExitCode::internal, "scaling: {} row and {} column factors for a system of {} unknowns",
       scaling.row.size(), scaling.column.size(), n);
}

Scaling characteristic_scaling(const std::vector<double>& row_magnitude,
                               const std::vector<double>& column_magnitude) {
  Scaling s{row_magnitude, column_magnitude};
  for (double& f : s.row) {
    if (!(f > 0) || !std::isfinite(f))
      fail(ExitCode::internal, "scaling: row magnitude {} is not positive", f);
    f = 1 / f;
  }
  for (double f : s.column) {
    if (!(f > 0) || !std::isfinite(f))
      fail(ExitCode::internal, "scaling: column magnitude {} is not positive", f);
  }
  round(s);
  return s;
}

Scaling kkt_scaling(const SparsePattern& a, const double* values, const MechanismGraph& graph) {
  std::vector<char> body(a.n, 0);
  for (const GraphVertex& v : graph.vertices) {
    if (v.kind == VertexKind::body) std::fill_n(body.begin() + v.first, v.count, 1);
  }
  Scaling s;
  s.row = s.column = body_factors(a, values, body, graph);
  const std::vector<char> scalar = balanced_scalars(a, values, graph);
  balance_scalars(a, values, body, scalar, s);
  // Of all others: the largest entry of each row, then of each column, becomes one.
  std::vector<char> other(a.n);
  for (int i = 0; i < a.n; ++i) other[i] = !body[i] && !scalar[i];
  std::vector<double> row(a.n), column(a.n);
  for (int sweep = 0; sweep < 2; ++sweep) {
    std::fill(row.begin(), row.end(), 0.0);
    for_entries(a, values, [&](int i, int j, double size) { row[i] = std::max(row[i], size * s.column[j]); });
    for (int i = 0; i < a.n; ++i) {
      if (other[i] && row[i] > 0) s.row[i] = 1 / row[i];
    }
    std::fill(column.begin(), column.end(), 0.0);
    for_entries(
        a, values, [&](int i, int j, double size) { column[j] = std::max(column[j], s.row[i] * size); },
        other.data());
    for (int j = 0; j < a.n; ++j) {
      if (other[j] && column[j] > 0) s.column[j] = 1 / column[j];
    }
  }
  round(s);
  return s;
}

Scaling plain_scaling(const SparsePattern& a, const double* values) {
  Scaling s{std::vector<double>(a.n, 1), std::vector<double>(a.n, 1)};
  std::vector<double> row(a.n), column(a.n);
  for (int sweep = 0; sweep < 10; ++sweep) {
    std::fill(row.begin(), row.end(), 0.0);
    std::fill(column.begin(), column.end(), 0.0);
    for_entries(a, values, [&](int i, int j, double size) {
      const double scaled = s.row[i] * size * s.column[j];
      row[i] = std::max(row[i], scaled);
      column[j] = std::max(column[j], scaled);
    });
    for (int i = 0; i < a.n; ++i) {
      if (row[i] > 0) s.row[i] /= std::sqrt(row[i]);
      if (column[i] > 0) s.column[i] /= std::sqrt(column[i]);
    }
  }
  round(s);
  return s;
}

}  // namespace trammel
