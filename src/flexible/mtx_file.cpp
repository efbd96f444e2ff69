#include "flexible/mtx_file.h"

#include <algorithm>
#include <array>

#include "base/diagnostics.h"
#include "base/text.h"
#include "flexible/matrix_file.h"

namespace trammel {

namespace {

/// Reads the matrices of one file into a body.
class MtxReader {
 public:
  explicit MtxReader(const std::string& path) : path_(path), set_(read_matrices(path)) {}

  ModalBody body() {
    out_.source = path_;
    if (set_.header.size() >= 4 && upper(set_.header[0]) != "NONE")
      out_.units = {upper(set_.header[0]), upper(set_.header[1]), upper(set_.header[2]),
                    upper(set_.header[3])};
    modes();
    nodes();
    invariants();
    if (const NamedMatrix* m = find({"PRELOAD"}, out_.modes, 1)) out_.preload = m->values;
    if (const NamedMatrix* m = set_.find({"MODLOAD"})) {
      if (m->rows != out_.modes) wrong(*m, "has {} rows, one per mode are expected, {}", m->rows, out_.modes);
      for (int c = 0; c < m->columns; ++c) {
        out_.loads.emplace_back();
        for (int r = 0; r < m->rows; ++r) out_.loads.back().push_back((*m)(r, c));
      }
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  [[noreturn]] void wrong(const NamedMatrix& m, fmt::format_string<Args...> format, Args&&... args) const {
    fail(ExitCode::input, "{}:{}: {} {}", path_, m.line, m.name,
         fmt::format(format, std::forward<Args>(args)...));
  }
  const NamedMatrix* find(std::initializer_list<std::string_view> names, int rows, int columns) const {
    const NamedMatrix* m = set_.find(names);
    if (m && (m->rows != rows || m->columns != columns))
      wrong(*m, "is {} x {}, {} x {} is expected", m->rows, m->columns, rows, columns);
    return m;
  }
  const NamedMatrix& need(std::initializer_list<std::string_view> names, int rows, int columns) const {
    if (const NamedMatrix* m = find(names, rows, columns)) return *m;
    fail(ExitCode::input, "{}: there is no matrix {}", path_, *names.begin());
  }
  int whole(const NamedMatrix& m, int row) const {
    const double x = m(row, 0);
    if (!(x >= 1 && x < 2e9) || x != static_cast<int>(x))
      wrong(m, "has {} for a number of row {}", x, row + 1);
    return static_cast<int>(x);
  }
  static Vec3d column(const NamedMatrix& m, int j) { return {m(0, j), m(1, j), m(2, j)}; }
  static Mat3d block(const NamedMatrix& m, int row) {
    Mat3d out;
    for (int k = 0; k < 9; ++k) out.m[k] = m(row, k);
    return out;
  }
  static std::vector<double> by_rows(const NamedMatrix& m) {
    std::vector<double> out;
    for (int r = 0; r < m.rows; ++r)
      for (int c = 0; c < m.columns; ++c) out.push_back(m(r, c));
    return out;
  }

  void modes() {
    const NamedMatrix* selected = set_.find({"SELMOD"});
    if (!selected) fail(ExitCode::input, "{}: there is no matrix SELMOD", path_);
    if (selected->columns != 2)
      wrong(*selected, "has {} columns; number and frequency are expected", selected->columns);
    out_.modes = selected->rows;
    for (int j = 0; j < out_.modes; ++j) {
      out_.mode_id.push_back(whole(*selected, j));
      out_.frequency.push_back((*selected)(j, 1));
    }
    out_.stiffness = by_rows(need({"GENSTIFF"}, out_.modes, out_.modes));
    if (const NamedMatrix* m = find({"GENDAMP"}, out_.modes, out_.modes)) out_.damping = by_rows(*m);
  }

  void nodes() {
    const NamedMatrix* selected = set_.find({"SELNOD"});
    if (!selected) fail(ExitCode::input, "{}: there is no matrix SELNOD", path_);
    if (selected->columns != 4)
      wrong(*selected, "has {} columns; node, x, y, z are expected", selected->columns);
    for (int p = 0; p < selected->rows; ++p) {
      out_.node_id.push_back(whole(*selected, p));
      out_.position.push_back({(*selected)(p, 1), (*selected)(p, 2), (*selected)(p, 3)});
    }
    const int columns = out_.nodes() * out_.modes;
    const NamedMatrix& shapes = need({"T_MODE"}, 3, columns);
    const NamedMatrix* turns = find({"R_MODE"}, 3, columns);
    for (int k = 0; k < columns; ++k) {
      out_.translation.push_back(column(shapes, k));
      if (turns) out_.rotation.push_back(column(*turns, k));
    }
  }

  const NamedMatrix* invariant(int k, int rows, int columns) {
    const std::string name = fmt::format("INVAR{}", k), spelled = fmt::format("INVAR_{}", k);
    const NamedMatrix* m = find({name, spelled}, rows, columns);
    out_.invariants.has[k] = m != nullptr;
    return m;
  }
  void invariants() {
    Invariants& in = out_.invariants;
    const int n = out_.modes, pairs = n * n;
    const NamedMatrix* m;
    if ((m = invariant(1, 1, 1))) in.mass = (*m)(0, 0);
    if (const NamedMatrix* first = set_.find({"INVAR2", "INVAR_2"}); first && first->rows == 3) {
      invariant(2, 3, 1);
      in.first = column(*first, 0);
    } else if ((m = invariant(2, 1, 3))) {
      in.first = {(*m)(0, 0), (*m)(0, 1), (*m)(0, 2)};
    }
    const auto columns = [&](int k, int count, std::vector<Vec3d>& out) {
      if ((m = invariant(k, 3, count)))
        for (int j = 0; j < count; ++j) out.push_back(column(*m, j));
    };
    const auto blocks = [&](int k, int count, std::vector<Mat3d>& out) {
      if ((m = invariant(k, count, 9)))
        for (int j = 0; j < count; ++j) out.push_back(block(*m, j));
    };
    columns(3, n, in.I3);
    columns(4, n, in.I4);
    columns(5, pairs, in.I5);
    if ((m = invariant(6, n, n))) in.I6 = by_rows(*m);
    if ((m = invariant(7, 3, 3)))
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) in.I7(r, c) = (*m)(r, c);
    blocks(8, n, in.I8);
    blocks(9, pairs, in.I9);
    for (const int k : {1, 2, 6, 7})
      if (!in.has[k])
        fail(ExitCode::input, "{}: there is no matrix INVAR{}, without which no mode moves", path_, k);
  }

  std::string path_;
  MatrixSet set_;
  ModalBody out_;
};

/// Writes matrices by rows, with a format of E25.17.
class MtxWriter {
 public:
  template <class Value>
  void add(const std::string& name, int rows, int columns, Value value) {
    names_.push_back(name);
    text_ += fmt::format("{} FULL RORDER {} {} {} (3E25.17)\n", name, rows, columns, rows * columns);
    int in_line = 0;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        text_ += fmt::format("{:25.17E}", static_cast<double>(value(r, c)));
        if (++in_line % 3 == 0) text_ += '\n';
      }
    if (in_line % 3) text_ += '\n';
  }
  std::string text(const std::string& header) const {
    std::string out = header + fmt::format("\n{:8}\n", names_.size());
    for (std::size_t k = 0; k < names_.size(); ++k)
      out += fmt::format("{:<18}{}", names_[k], k % 4 == 3 || k + 1 == names_.size() ? "\n" : "");
    return out + text_;
  }

 private:
  std::vector<std::string> names_;
  std::string text_;
};

}  // namespace

ModalBody read_mtx(const std::string& path) {
  return MtxReader(path).body();
}

std::string write_mtx(const ModalBody& b) {
  const Invariants& in = b.invariants;
  const int n = b.modes, nodes = b.nodes();
  MtxWriter w;
  const auto square = [&](const std::vector<double>& v) {
    return [&v, n](int r, int c) { return v[static_cast<std::size_t>(r) * n + c]; };
  };
  const auto vectors = [](const std::vector<Vec3d>& v) { return [&v](int r, int c) { return v[c][r]; }; };
  const auto blocks = [](const std::vector<Mat3d>& v) { return [&v](int r, int c) { return v[r].m[c]; }; };
  w.add("SELNOD", nodes, 4, [&](int r, int c) { return c == 0 ? b.node_id[r] : b.position[r][c - 1]; });
  w.add("SELMOD", n, 2, [&](int r, int c) { return c == 0 ? b.mode_id[r] : b.frequency[r]; });
  w.add("GENSTIFF", n, n, square(b.stiffness));
  if (!b.damping.empty()) w.add("GENDAMP", n, n, square(b.damping));
  if (in.has[1]) w.add("INVAR1", 1, 1, [&](int, int) { return in.mass; });
  if (in.has[2]) w.add("INVAR2", 1, 3, [&](int, int c) { return in.first[c]; });
  if (in.has[3]) w.add("INVAR3", 3, n, vectors(in.I3));
  if (in.has[4]) w.add("INVAR4", 3, n, vectors(in.I4));
  if (in.has[5]) w.add("INVAR5", 3, n * n, vectors(in.I5));
  if (in.has[6]) w.add("INVAR6", n, n, square(in.I6));
  if (in.has[7]) w.add("INVAR7", 3, 3, [&](int r, int c) { return in.I7(r, c); });
  if (in.has[8]) w.add("INVAR8", n, 9, blocks(in.I8));
  if (in.has[9]) w.add("INVAR9", n * n, 9, blocks(in.I9));
  w.add("T_MODE", 3, n * nodes, vectors(b.translation));
  if (!b.rotation.empty()) w.add("R_MODE", 3, n * nodes, vectors(b.rotation));
  if (!b.preload.empty()) w.add("PRELOAD", n, 1, [&](int r, int) { return b.preload[r]; });
  if (!b.loads.empty())
    w.add("MODLOAD", n, static_cast<int>(b.loads.size()), [&](int r, int c) { return b.loads[c][r]; });
  std::string flags;
  for (int k = 1; k <= 9; ++k) flags += in.has[k] ? 'T' : 'F';
  std::string units;
  for (const std::string& name : {b.units.mass, b.units.length, b.units.time, b.units.force})
    units += (name.empty() ? "NONE" : name) + "  ";
  return w.text(fmt::format("ADAMSMAT2   {}{}  [trammel]", units, flags));
}

}  // namespace trammel
