// Assembly and elimination of a front by a block, in shared memory: for each 32 pivots the panel, then the
// lines beside it, each in the registers of a thread (panels.h), then products.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linear/device/panels.h"

namespace trammel {

inline constexpr int middle_threads = 256;

/// The shared memory of a front that a block takes.
struct MiddleFront {
  FrontView view;
  int* permutation;  ///< p: row of the front that became row k
  PanelRoom panel;
  double* lower;  ///< for each pivot of a panel panel_width doubles: l_ik, i > k; last 1
};

/// Doubles in front of the room of a panel; even.
TRAMMEL_HD constexpr std::int64_t doubles_of_middle(std::int64_t p, std::int64_t r) {
  return ((p + r) * (p + r) + p + p + 1) / 2 * 2;
}
/// Bytes of shared memory for a front that a block takes.
constexpr std::size_t middle_memory(int p, int r) {
  return 8 * (static_cast<std::size_t>(doubles_of_middle(p, r)) + panel_width * panel_width +
              PanelRoom::doubles(static_cast<std::size_t>(p)));
}
TRAMMEL_HD inline MiddleFront middle_front(const DeviceFront& front, double* shared) {
  const int p = front.pivots, r = front.border, size = (p + r) * (p + r);
  double *d = shared, *l = d + p * p, *v = l + p * r, *c = v + p * r, *inverse = d + size;
  int* exchange = reinterpret_cast<int*>(inverse + p);
  double* lower = shared + doubles_of_middle(p, r);
  return {{p, r, d, l, v, c, inverse, exchange},
          exchange + p,
          panel_room(lower + panel_width * panel_width),
          lower};
}

/// The panel's triangles where lines find them: L is copied, U is where its pivot rows were shown.
template <class Group>
TRAMMEL_HD void show_triangles(const Group& group, const MiddleFront& f, int first, int width) {
  const double* d = f.view.d + first + first * f.view.p;
  TRAMMEL_ROLLED
  for (int t = group.rank(); t < panel_width * width; t += group.size()) {
    const int i = t % panel_width, k = t / panel_width;
    if (i > k && i < width) f.lower[k * panel_width + i - k - 1] = d[i + k * f.view.p];
  }
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < width; k += group.size()) {
    f.lower[k * panel_width + panel_width - 1] = 1;
    f.panel.pivot[k * panel_width + panel_width - 1] = f.view.inverse[first + k];
  }
}

/// Applies a panel to one line (solve_line()).
TRAMMEL_HD inline void solve_middle_line(const MiddleFront& f, int first, int width, int line,
                                         PanelLine& mine) {
  const FrontView& view = f.view;
  const int p = view.p, r = view.r, columns = p - width;
  const bool column = line < columns, of_l = line >= columns + r;
  const int j = line < first ? line : line + width;
  double* x = column ? view.d + j * p : of_l ? view.l + line - columns - r : view.v + line - columns;
  const int step = column ? 1 : r;
  TRAMMEL_ROLLED
  for (int k = first; !of_l && k < first + width; ++k)
    if (view.exchange[k] != k) exchange_values(x[k * step], x[view.exchange[k] * step]);
  if (column && j < first) return;
  x += first * step;
  TRAMMEL_UNROLLED(32)
  for (int k = 0; k < panel_width; ++k) mine.entry[k] = k < width ? x[k * step] : 0;
  const double* pivot = of_l ? f.panel.pivot : f.lower;
  solve_window<32>(mine, pivot, width, x, step);
  solve_window<24>(mine, pivot, width, x, step);
  solve_window<16>(mine, pivot, width, x, step);
  solve_window<8>(mine, pivot, width, x, step);
}

/// eliminate_front() with panels and lines in registers.
template <class Group>
TRAMMEL_HD void eliminate_middle(const Group& group, const MiddleFront& f, double tolerance) {
  const FrontView& view = f.view;
  const int p = view.p;
  TRAMMEL_ROLLED
  for (int first = 0; first < p; first += panel_width) {
    const int width = smaller(panel_width, p - first), end = first + width, lines = lines_of(view, width);
    factor_in_registers<middle_threads>(group,
                                        {view.d + first + first * p, p, p - first, width, first, tolerance,
                                         view.exchange + first, view.inverse + first, f.permutation + first},
                                        f.panel);
    group.sync();
    show_triangles(group, f, first, width);
    group.sync();
    Lanes<Group, PanelLine, middle_threads> kept;
    TRAMMEL_ROLLED
    for (int begin = 0; begin < lines; begin += middle_threads)
      kept.each(group, smaller(middle_threads, lines - begin),
                [&](int lane, PanelLine& mine) { solve_middle_line(f, first, width, begin + lane, mine); });
    group.sync();
    if (end == p) break;
    subtract_product<4>(group, update_of(view, FrontPart::d, first, end));
    subtract_product<4>(group, update_of(view, FrontPart::l, first, end));
    subtract_product<4>(group, update_of(view, FrontPart::v, first, end));
    group.sync();
  }
  subtract_product<4>(group, update_of(view, FrontPart::c, 0, p));
  group.sync();
}

/// Assembles and eliminates fronts in shared memory, then stores their factors and contribution blocks.
/// Held to 128 registers it factored wrongly on a device (docs/linear_algebra.md): no bound.
struct FactorMiddleFronts {
  static constexpr const char* name = "factor_middle_fronts";
  static constexpr int threads = middle_threads;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    const MiddleFront f = middle_front(front, static_cast<double*>(group.shared()));
    const int p = front.pivots, r = front.border, factors = p * p + 2 * p * r;
    assemble_front(group, f.view, a, front);
    eliminate_middle(group, f, a.tolerance);
    double *to_factor = a.factor + front.factor, *to_block = a.block + front.block;
    for (int i = group.rank(); i < factors; i += group.size()) to_factor[i] = f.view.d[i];
    for (int i = group.rank(); i < r * r; i += group.size()) to_block[i] = f.view.c[i];
    for (int k = group.rank(); k < p; k += group.size()) {
      a.inverse[front.first + k] = f.view.inverse[k];
      a.permutation[front.first + k] = f.permutation[k];
    }
  }
};

}  // namespace trammel
