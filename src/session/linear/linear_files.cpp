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

/// Where parts are: position and axes of their own frames (BCS), for pictures of modes.
void add_parts(NpzFile& file, const Model& model, const Linearization& linear) {
  Kinematics now(model);
  now.update(linear.at);
  std::vector<std::string> names;
  std::vector<double> position, axes;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyKinematics& k = now.body(static_cast<int>(b));
    const Vec3d at = k.x + k.A * model.bodies[b].bcs;
    names.push_back(model.bodies[b].name.label());
    position.insert(position.end(), {at.x, at.y, at.z});
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) axes.push_back(k.A(r, c));
  }
  const std::size_t n = names.size(), vectors[] = {n, 3}, matrices[] = {n, 3, 3};
  file.add("part", names);
  file.add("part_position", vectors, position);
  file.add("part_axes", matrices, axes);
}

void add_modes(NpzFile& file, const Model& model, const Linearization& linear, bool shapes) {
  std::vector<Complex> s, shape;
  std::vector<double> ratio;
  for (const Mode& mode : linear.modes.modes) {
    s.push_back(mode.s);
    ratio.push_back(mode.damping_ratio());
    if (!shapes) continue;
    for (const auto& part : mode_shape(model, linear.at, mode))
      shape.insert(shape.end(), part.begin(), part.end());
  }
  const std::size_t count = s.size(), each[] = {count}, of_parts[] = {count, model.bodies.size(), 6};
  file.add("eigenvalue", each, s);
  file.add("damping_ratio", each, ratio);
  if (!shapes) return;
  file.add("shape", of_parts, shape);
  add_parts(file, model, linear);
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
  add_modes(file, model, linear, contents.shapes);
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
