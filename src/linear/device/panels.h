// Kernels that factor a panel of a large front and apply it to the lines beside it (docs/linear_algebra.md,
// "On a device"): a lane keeps a row of the panel, or the panel's part of a line, in registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.h"
#include "linear/device/fronts.h"
#include "linear/device/lanes.h"

namespace trammel {

inline constexpr int panel_rows = 512;  ///< most rows of a panel that lies in registers
inline constexpr int panel_window = 8;  ///< pivots between two windows (subtract_shifted())

/// e_m <- e_{m+1} - factor u_m for m from From to Window - 2: what a pivot leaves of the entries of a line,
/// of which the first stands in the pivot's column. `u` lies at a multiple of 16 bytes. Entries are always
/// those at the same indices, so that they stay in registers in a loop over pivots; a window is what is left
/// of them at the beginning of that loop, and entries that run out of it are those of the last column again.
template <int Window, int From = 0>
TRAMMEL_HD void subtract_shifted(double* e, double factor, const double* u) {
  const EntryPair* pair = reinterpret_cast<const EntryPair*>(u);
  TRAMMEL_UNROLLED(16)
  for (int m = From / 2 * 2; m + 1 < Window; m += 2) {
    const EntryPair two = pair[m / 2];
    if (m >= From) e[m] = std::fma(-factor, two.x, e[m + 1]);
    if (m + 2 < Window) e[m + 1] = std::fma(-factor, two.y, e[m + 2]);
  }
}

/// A panel where it lies.
struct Panel {
  double* a;  ///< by columns, lda doubles from column to column
  int lda, rows, width;
  int first;  ///< row and column of the front where it begins
  double tolerance;
  int* exchange;     ///< of its columns, rows counted from those of the front
  double* inverse;   ///< of its columns
  int* permutation;  ///< of its rows
};

/// A row of a panel.
struct PanelRow {
  double entry[panel_width];  ///< from the column of the present pivot on
  double factor;
  int place;   ///< row where it stands after the exchanges up to now
  int origin;  ///< row of the front that it was in the beginning
};

/// Memory of a group that factors a panel in registers.
struct PanelRoom {
  double* pivot;  ///< for each pivot panel_width doubles: u_kj, j > k; last u_kk
  PivotSearch search;
  unsigned* largest;  ///< two times most_parts: upper halves of the largest entries of a column
  double* factor;     ///< l_ik: those of column k from k * rows on, by lanes

  /// Doubles for panels of up to so many rows.
  TRAMMEL_HD static constexpr std::size_t doubles(std::size_t rows) {
    return panel_width * panel_width + PivotSearch::parts + (PivotSearch::parts + 2 * most_parts) / 2 +
           rows * panel_width;
  }
};

TRAMMEL_HD inline PanelRoom panel_room(double* shared) {
  double* largest = shared + panel_width * panel_width;
  int* row = reinterpret_cast<int*>(largest + PivotSearch::parts);
  unsigned* words = reinterpret_cast<unsigned*>(row + PivotSearch::parts);
  return {shared, {largest, row}, words, reinterpret_cast<double*>(words + 2 * most_parts)};
}

/// Shows all lanes the row that is, or may become, the pivot row of column k.
template <int Window>
TRAMMEL_HD void show_pivot_row(const PanelRoom& room, const PanelRow& row, int k) {
  double* to = room.pivot + k * panel_width;
  EntryPair* pair = reinterpret_cast<EntryPair*>(to);
  TRAMMEL_UNROLLED(16)
  for (int m = 0; m + 2 < Window; m += 2) pair[m / 2] = {row.entry[m + 1], row.entry[m + 2]};
  to[Window - 2] = row.entry[Window - 1];
  to[panel_width - 1] = row.entry[0];
}

/// Row of the pivot of column k as choose_pivot() finds it; it is shown, and the rows have changed places.
/// `bound` is not below the largest entry, nor is its product with the tolerance: it is mostly enough to keep
/// the diagonal.
template <int Window, class Group, class Rows>
TRAMMEL_HD int settle_pivot(const Group& group, const Panel& panel, const PanelRoom& room, Rows& rows, int k,
                            double diagonal, double bound) {
  if (diagonal >= panel.tolerance * bound) return k;
  PivotCandidate mine{0, panel.rows};
  rows.each(group, panel.rows, [&](int, PanelRow& row) {
    const double size = magnitude(row.entry[0]);
    if (row.place >= k && size > 0) mine = better(mine, {size, row.place});
  });
  const PivotCandidate largest = best_of_group(group, mine, room.search);
  if (diagonal >= panel.tolerance * largest.size || largest.row == panel.rows || largest.row == k) return k;
  rows.each(group, panel.rows, [&](int, PanelRow& row) {
    if (row.place == largest.row) {
      row.place = k;
      show_pivot_row<Window>(room, row, k);
    } else if (row.place == k) {
      row.place = largest.row;
    }
  });
  group.sync();
  return largest.row;
}

/// Eliminates with the pivots of the window that begins with `Window` columns left. The entries of the next
/// column come first, and their largest one is on its way while the others are computed.
template <int Window, class Group, class Rows>
TRAMMEL_HD void eliminate_window(const Group& group, const Panel& panel, const PanelRoom& room, Rows& rows) {
  constexpr int begin = panel_width - Window;
  const int end = smaller(begin + panel_window, panel.width);
  const double* pivot = room.pivot + begin * panel_width;
  double* factor = room.factor + begin * panel.rows;
  unsigned *bound = room.largest, *next_bound = bound + most_parts;
  TRAMMEL_ROLLED
  for (int k = begin; k < end; ++k, pivot += panel_width, factor += panel.rows) {
    const unsigned upper = largest_left(group, bound);
    const double diagonal = pivot[panel_width - 1];
    double next = pivot[0], reciprocal = computed_now(reciprocal_of_pivot(diagonal));
    const int row =
        settle_pivot<Window>(group, panel, room, rows, k, magnitude(diagonal), largest_with(upper));
    if (row != k) {
      next = pivot[0];
      reciprocal = reciprocal_of_pivot(pivot[panel_width - 1]);
    }
    if (group.rank() == 0) panel.exchange[k] = panel.first + row;
    unsigned largest = 0;
    rows.each(group, panel.rows, [&](int lane, PanelRow& mine) {
      if (mine.place <= k) return;
      mine.factor = mine.entry[0] * reciprocal;
      factor[lane] = mine.factor;
      mine.entry[0] = std::fma(-mine.factor, next, mine.entry[1]);
      const unsigned mine_upper = upper_half(mine.entry[0]);
      largest = mine_upper > largest ? mine_upper : largest;
    });
    leave_largest(group, largest, next_bound);
    unsigned* const other = bound;
    bound = next_bound;
    next_bound = other;
    rows.each(group, panel.rows, [&](int, PanelRow& mine) {
      if (mine.place <= k) return;
      subtract_shifted<Window, 1>(mine.entry, mine.factor, pivot);
      if (mine.place == k + 1 && k + 1 < panel.width) show_pivot_row<Window>(room, mine, k + 1);
    });
    group.sync();
  }
}

/// The rows of a panel from where they lie; columns that it does not have are zero.
template <class Group, class Rows>
TRAMMEL_HD void load_panel(const Group& group, const Panel& panel, const PanelRoom& room, Rows& rows) {
  unsigned largest = 0;
  rows.each(group, panel.rows, [&](int lane, PanelRow& mine) {
    mine.place = lane;
    mine.origin = panel.first == 0 ? lane : panel.permutation[lane];
    TRAMMEL_UNROLLED(32)
    for (int j = 0; j < panel_width; ++j)
      mine.entry[j] = j < panel.width ? panel.a[lane + static_cast<std::int64_t>(j) * panel.lda] : 0;
    const unsigned upper = upper_half(mine.entry[0]);
    largest = upper > largest ? upper : largest;
    if (lane == 0) show_pivot_row<panel_width>(room, mine, 0);
  });
  leave_largest(group, largest, room.largest);
  group.sync();
}

/// The rows of a panel to where they stand now: the factors of each, then what it showed as a pivot row.
template <class Group, class Rows>
TRAMMEL_HD void store_panel(const Group& group, const Panel& panel, const PanelRoom& room, Rows& rows) {
  rows.each(group, panel.rows, [&](int lane, PanelRow& mine) {
    const int place = mine.place;
    const int pivot_row = place * panel_width, diagonal = pivot_row + panel_width - 1;
    panel.permutation[place] = mine.origin;
    TRAMMEL_UNROLLED(8)
    for (int j = 0; j < panel.width; ++j) {
      const double* factor = room.factor + j * panel.rows + lane;
      const double* entry = room.pivot + (j == place ? diagonal : pivot_row + j - place - 1);
      panel.a[place + static_cast<std::int64_t>(j) * panel.lda] = *(j < place ? factor : entry);
    }
    if (place < panel.width) panel.inverse[place] = reciprocal_of_pivot(room.pivot[diagonal]);
  });
}

/// factor_panel() with the rows of the panel, at most `most`, in registers; the permutation of the front's
/// rows as well.
template <int most, class Group>
TRAMMEL_HD void factor_in_registers(const Group& group, const Panel& panel, const PanelRoom& room) {
  Lanes<Group, PanelRow, most> rows;
  load_panel(group, panel, room, rows);
  eliminate_window<32>(group, panel, room, rows);
  eliminate_window<24>(group, panel, room, rows);
  eliminate_window<16>(group, panel, room, rows);
  eliminate_window<8>(group, panel, room, rows);
  store_panel(group, panel, room, rows);
}

/// Factors the panel [first, first + panel_width) of large fronts: in registers, a thread to a row, else,
/// where there are more rows, in shared memory, or where it lies.
template <int Threads>
struct FactorPanels {
  static constexpr const char* name = Threads == 128   ? "factor_low_panels"
                                      : Threads == 256 ? "factor_middle_panels"
                                                       : "factor_panels";
  static constexpr int threads = Threads;
  FrontArrays a;
  const int* list;
  int first;
  int capacity;  ///< doubles of shared memory available
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    const FrontView f = view_of(a, front);
    const int rows = f.p - first;
    const Panel panel{f.d + first + static_cast<std::int64_t>(first) * f.p,
                      f.p,
                      rows,
                      smaller(panel_width, rows),
                      first,
                      a.tolerance,
                      f.exchange + first,
                      f.inverse + first,
                      a.permutation + front.first + first};
    double* shared = static_cast<double*>(group.shared());
    if (rows <= threads && static_cast<int>(PanelRoom::doubles(rows)) <= capacity)
      factor_in_registers<threads>(group, panel, panel_room(shared));
    else
      factor_in_memory(group, panel, f, shared);
  }

 private:
  template <class Group>
  TRAMMEL_HD void factor_in_memory(const Group& group, const Panel& panel, const FrontView& f,
                                   double* shared) const {
    constexpr int parts = PivotSearch::parts;
    const PivotSearch search{shared, reinterpret_cast<int*>(shared + parts)};
    double* copy = shared + parts + parts / 2;
    const int rows = panel.rows, width = panel.width;
    const bool fits = static_cast<std::int64_t>(rows) * width + parts + parts / 2 <= capacity;
    for (int t = group.rank(); fits && t < rows * width; t += group.size())
      copy[t] = panel.a[t % rows + static_cast<std::int64_t>(t / rows) * panel.lda];
    group.sync();
    factor_panel(group, fits ? copy : panel.a, fits ? rows : panel.lda, rows, width, a.tolerance, first,
                 panel.exchange, panel.inverse, search);
    for (int t = group.rank(); fits && t < rows * width; t += group.size())
      panel.a[t % rows + static_cast<std::int64_t>(t / rows) * panel.lda] = copy[t];
    note_exchanges(group, panel.permutation - first, f.exchange, first, first + width, f.p);
  }
};

// ---- the lines beside a panel

/// Doubles from line to line of a tile: odd, so that neighbours meet no bank of shared memory twice.
inline constexpr int line_stride = panel_width + 1;

/// The panel's part of a line; what it does not have is zero.
struct PanelLine {
  double entry[panel_width];
};

/// Lines beside a panel: columns of D, or rows of V or L.
struct PanelLines {
  FrontPart part;
  double* x;     ///< entry of the first line in the panel's first row or column
  int step;      ///< doubles from entry to entry of a line
  int next;      ///< doubles from line to line
  int count;     ///< lines
  int width;     ///< entries that the panel has in each
  bool changes;  ///< whether more happens than exchanges
};

/// Memory of a group that applies a panel to lines. Rows count from the first one of the panel.
struct LineRoom {
  double* pivot;   ///< for each pivot panel_width doubles: l_ik or u_ki, i > k; last 1 or 1 / u_kk
  double* tile;    ///< columns of D, line_stride doubles from one to the next
  int* exchange;   ///< row that was exchanged with row k of the panel
  int* source;     ///< row that comes to row k of the panel
  int* displaced;  ///< row of the panel that comes to row exchange_k behind it; -1 where another one does

  static constexpr std::size_t bytes =
      8 * (panel_width * panel_width + piece_lines * line_stride) + 4 * 3 * panel_width;
};

TRAMMEL_HD inline LineRoom line_room(void* shared) {
  double* pivot = static_cast<double*>(shared);
  double* tile = pivot + panel_width * panel_width;
  int* exchange = reinterpret_cast<int*>(tile + piece_lines * line_stride);
  return {pivot, tile, exchange, exchange + panel_width, exchange + 2 * panel_width};
}

TRAMMEL_HD inline PanelLines lines_of(const FrontView& f, const FrontPiece& piece, int first) {
  const int width = smaller(panel_width, f.p - first), count = piece.j - piece.i;
  if (piece.part == FrontPart::d) {
    double* x = f.d + first + static_cast<std::int64_t>(piece.i) * f.p;
    return {piece.part, x, 1, f.p, count, width, piece.i > first};
  }
  double* x = (piece.part == FrontPart::l ? f.l : f.v) + piece.i + static_cast<std::int64_t>(first) * f.r;
  return {piece.part, x, f.r, 1, count, width, true};
}

/// Starts to copy a panel's triangle, U with 1 / u_kk for rows of L, else L.
template <class Group>
TRAMMEL_HD void stage_triangle(const Group& group, const FrontView& f, int first, const PanelLines& lines,
                               const LineRoom& room) {
  const bool upper = lines.part == FrontPart::l;
  const double* d = f.d + first + static_cast<std::int64_t>(first) * f.p;
  TRAMMEL_UNROLLED(4)
  for (int t = group.rank(); t < panel_width * lines.width; t += group.size()) {
    const int i = t % panel_width, j = t / panel_width, k = upper ? i : j, m = upper ? j - i : i - j;
    if (m > 0 && i < lines.width)
      start_copy(group, room.pivot + k * panel_width + m - 1, d + i + static_cast<std::int64_t>(j) * f.p);
  }
  for (int k = group.rank(); k < lines.width; k += group.size()) {
    double* last = room.pivot + k * panel_width + panel_width - 1;
    if (upper)
      start_copy(group, last, f.inverse + first + k);
    else
      *last = 1;
  }
}

/// f(entry, place in the tile, k) for entries k of columns of D: neighbours take neighbouring ones.
template <class Group, class F>
TRAMMEL_HD void each_of_columns(const Group& group, const PanelLines& lines, const F& f) {
  TRAMMEL_UNROLLED(4)
  for (int t = group.rank(); t < panel_width * lines.count; t += group.size()) {
    const int k = t % panel_width, line = t / panel_width;
    if (k < lines.width) f(lines.x + static_cast<std::int64_t>(line) * lines.next, line * line_stride + k, k);
  }
}

/// Starts to read lines as they were before the exchanges, or, after note_moves(), as they are after them:
/// columns into the tile, rows into registers. What comes to rows behind the panel is written.
template <class Group, class Kept>
TRAMMEL_HD void read_lines(const Group& group, const PanelLines& lines, const LineRoom& room, bool moved,
                           Kept& kept) {
  if (lines.part == FrontPart::d) {
    each_of_columns(group, lines, [&](double* column, int at, int k) {
      start_copy(group, room.tile + at, column + (moved ? room.source[k] : k));
    });
    if (!moved) return;
    finish_copies(group);
    group.sync();
    each_of_columns(group, lines, [&](double* column, int, int k) {
      if (room.displaced[k] >= 0) column[room.exchange[k]] = column[room.displaced[k]];
    });
    return;
  }
  kept.each(group, lines.count, [&](int line, PanelLine& mine) {
    double* x = lines.x + line;
    const std::int64_t step = lines.step;
    TRAMMEL_UNROLLED(32)
    for (int k = 0; k < panel_width; ++k)
      mine.entry[k] = k < lines.width ? x[(moved ? room.source[k] : k) * step] : 0;
    TRAMMEL_ROLLED
    for (int k = 0; moved && k < lines.width; ++k)
      if (room.displaced[k] >= 0) x[room.exchange[k] * step] = x[room.displaced[k] * step];
  });
}

/// Row whose entries stand in `row` after the exchanges of a panel.
TRAMMEL_HD inline int source_of(const int* exchange, int row) {
  TRAMMEL_UNROLLED(8)
  for (int k = panel_width - 1; k >= 0; --k) row = row == k ? exchange[k] : row == exchange[k] ? k : row;
  return row;
}

/// Whether a panel has exchanged rows; then what they move is noted. All threads have seen the exchanges.
template <class Group>
TRAMMEL_HD bool note_moves(const Group& group, const LineRoom& room) {
  const int* const exchange = room.exchange;
  bool moved = false;
  TRAMMEL_UNROLLED(32)
  for (int k = 0; k < panel_width; ++k) moved |= exchange[k] != k;
  if (!moved) return false;
  for (int k = group.rank(); k < panel_width; k += group.size()) {
    bool last = exchange[k] >= panel_width;  // that comes to its row behind the panel
    for (int later = k + 1; later < panel_width; ++later) last &= exchange[later] != exchange[k];
    room.source[k] = source_of(exchange, k);
    room.displaced[k] = last ? source_of(exchange, exchange[k]) : -1;
  }
  group.sync();
  return true;
}

/// Entries of a line with the pivots of the window that begins with `Window` of them left, as they are final.
template <int Window>
TRAMMEL_HD void solve_window(PanelLine& line, const double* pivot, int width, double* to, std::int64_t step) {
  constexpr int begin = panel_width - Window;
  const int end = smaller(begin + panel_window, width);
  TRAMMEL_ROLLED
  for (int k = begin; k < end; ++k) {
    const double* row = pivot + k * panel_width;
    const double x = line.entry[0] * row[panel_width - 1];
    to[k * step] = x;
    subtract_shifted<Window>(line.entry, x, row);
  }
}

/// Applies the exchanges and triangular solves of a panel to lines beside it: to columns of D, exchanges and,
/// right of the panel, x <- L^-1 x; to rows of V, both; to rows of L, x <- x U^-1 (solve_line()).
struct SolveLines {
  static constexpr const char* name = "solve_lines";
  static constexpr int threads = piece_lines;
  FrontArrays a;
  const FrontPiece* piece;
  int first;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const FrontPiece mine = piece[item];
    const FrontView f = view_of(a, a.front[mine.front]);
    const PanelLines lines = lines_of(f, mine, first);
    const LineRoom room = line_room(group.shared());
    const bool columns = mine.part == FrontPart::d, exchanges = mine.part != FrontPart::l;
    Lanes<Group, PanelLine, piece_lines> kept;
    for (int k = group.rank(); exchanges && k < panel_width; k += group.size())
      room.exchange[k] = k < lines.width ? f.exchange[first + k] - first : k;
    if (lines.changes) {
      stage_triangle(group, f, first, lines, room);
      read_lines(group, lines, room, false, kept);
    }
    finish_copies(group);
    group.sync();
    const bool moved = exchanges && note_moves(group, room);
    if (moved) {
      read_lines(group, lines, room, true, kept);
      finish_copies(group);
      group.sync();
    }
    if (lines.changes) solve(group, lines, room, kept);
    if (!columns || !(lines.changes || moved)) return;
    group.sync();
    each_of_columns(group, lines, [&](double* column, int at, int k) { column[k] = room.tile[at]; });
  }

 private:
  template <class Group, class Kept>
  TRAMMEL_HD static void solve(const Group& group, const PanelLines& lines, const LineRoom& room,
                               Kept& kept) {
    kept.each(group, lines.count, [&](int line, PanelLine& mine) {
      const bool columns = lines.part == FrontPart::d;
      double* to = columns ? room.tile + line * line_stride : lines.x + line;
      if (columns) {
        TRAMMEL_UNROLLED(32)
        for (int k = 0; k < panel_width; ++k) mine.entry[k] = k < lines.width ? to[k] : 0;
      }
      solve_window<32>(mine, room.pivot, lines.width, to, lines.step);
      solve_window<24>(mine, room.pivot, lines.width, to, lines.step);
      solve_window<16>(mine, room.pivot, lines.width, to, lines.step);
      solve_window<8>(mine, room.pivot, lines.width, to, lines.step);
    });
  }
};

}  // namespace trammel
