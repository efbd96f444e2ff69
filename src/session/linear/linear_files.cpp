#include "session/linear/linear_files.h"

#include <fmt/format.h>

#include "analysis/linear/mode_energies.h"
#include "output/replacement.h"
#include "output/write/npz_file.h"

namespace trammel {

namespace {

using Complex = std::complex<double>;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void add_matrix(NpzFile& file, const char* name, const Eigen::MatrixXd& m) {
  const RowMajor rows = m;
  const std::size_t shape[] = {static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())};
  file.add(name, shape, std::span(rows.data(), static_cast<std::size_t>(rows.size())));
}

std::vector<std::string> names_of(const Model& model, const std::vector<int>& scalars) {
  std::vector<std::string> out;
  for (const int k : scalars) out.push_back(model.scalars[k].name.label());
  return out;
}

std::vector<std::string> state_names(const Linearization& linear) {
  std::vector<std::string> out;
  for (const StateEquations::State& s : linear.equations.states) out.push_back(s.name);
  return out;
}

/// Adds position and axes of the parts' own frames (BCS), for pictures of modes.
void set_parts(const Model& model, const Linearization& linear, ModeSet& out) {
  Kinematics now(model);
  now.update(linear.at);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyKinematics& k = now.body(static_cast<int>(b));
    const Vec3d at = k.x + k.A * model.bodies[b].bcs;
    out.parts.push_back(model.bodies[b].name.label());
    out.position.insert(out.position.end(), {at.x, at.y, at.z});
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) out.axes.push_back(k.A(r, c));
  }
}

std::vector<Complex> complex_of(const std::vector<double>& pairs) {
  std::vector<Complex> out;
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) out.emplace_back(pairs[k], pairs[k + 1]);
  return out;
}

void add_modes(NpzFile& file, const ModeSet& set) {
  const std::size_t modes = set.modes(), n = set.parts.size(), each[] = {modes}, of_parts[] = {modes, n, 6},
                    vectors[] = {n, 3}, matrices[] = {n, 3, 3};
  file.add("eigenvalue", each, complex_of(set.eigenvalue));
  file.add("damping_ratio", each, set.damping_ratio);
  if (!set.has_shapes()) return;
  file.add("shape", of_parts, complex_of(set.shape));
  file.add("part", set.parts);
  file.add("part_position", vectors, set.position);
  file.add("part_axes", matrices, set.axes);
}

std::string text_of(const Eigen::MatrixXd& m) {
  std::string out;
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    for (Eigen::Index c = 0; c < m.cols(); ++c) out += fmt::format(" {:24.16E}", m(r, c));
    out += '\n';
  }
  return out;
}

}  // namespace

ModeSet mode_set(const Model& model, const Linearization& linear, bool shapes) {
  ModeSet out;
  out.time = linear.t;
  out.states = linear.modes.states;
  for (const Mode& mode : linear.modes.modes) {
    out.eigenvalue.insert(out.eigenvalue.end(), {mode.s.real(), mode.s.imag()});
    out.damping_ratio.push_back(mode.damping_ratio());
    if (!shapes) continue;
    for (const auto& part : mode_shape(model, linear.at, mode))
      for (const Complex& x : part) out.shape.insert(out.shape.end(), {x.real(), x.imag()});
  }
  if (shapes) set_parts(model, linear, out);
  return out;
}

std::string write_npz(const std::string& path, const Model& model, const Linearization& linear,
                      const LinearizationOptions& options, const LinearContents& contents) {
  NpzFile file;
  file.add("time", linear.t);
  if (contents.matrices) {
    add_matrix(file, "A", linear.equations.A);
    add_matrix(file, "B", linear.equations.B);
    add_matrix(file, "C", linear.C);
    add_matrix(file, "D", linear.D);
    file.add("state", state_names(linear));
    file.add("input", names_of(model, options.inputs));
    file.add("output", names_of(model, options.outputs));
  }
  add_modes(file, mode_set(model, linear, contents.shapes));
  file.write(path);
  return path;
}

std::string write_state_matrices(const std::string& path, const Model& model, const Linearization& linear,
                                 const LinearizationOptions& options, const LinearContents& contents) {
  if (path.ends_with(".npz")) return write_npz(path, model, linear, options, contents);
  const StateEquations& e = linear.equations;
  replace_file(path + "a", text_of(e.A));
  replace_file(path + "b", text_of(e.B));
  replace_file(path + "c", text_of(linear.C));
  replace_file(path + "d", text_of(linear.D));
  std::string list = fmt::format("{} {} {}\n", e.A.rows(), e.B.cols(), linear.C.rows());
  for (const std::string& name : state_names(linear)) list += name + "\n";
  for (const std::string& name : names_of(model, options.inputs)) list += "input " + name + "\n";
  for (const std::string& name : names_of(model, options.outputs)) list += "output " + name + "\n";
  replace_file(path + "st", list);
  return fmt::format("{0}a, {0}b, {0}c, {0}d, {0}st", path);
}

}  // namespace trammel
