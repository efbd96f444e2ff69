#include "cli/flex_tables.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "flexible/invariants.h"
#include "flexible/modal_check.h"

namespace trammel {

namespace {

/// Rows of mode and frequency, at most `most`.
std::string frequencies(const ModalBody& body, int most) {
  std::string out;
  const std::vector<int> rigid = rigid_modes(body);
  for (int j = 0; j < std::min(body.modes, most); ++j)
    out += fmt::format("\n  {:>6}  {:>14.6g}{}", body.mode_id[j], body.frequency[j],
                       std::find(rigid.begin(), rigid.end(), j) == rigid.end() ? "" : "  rigid");
  if (body.modes > most)
    out += fmt::format("\n     ...  {:>14.6g}  the fastest of {}", body.frequency.back(), body.modes);
  return out;
}

/// The numbers as text; those below rounding of `beside`, the size of the quantity, as 0.
std::string listed(std::initializer_list<double> numbers, double beside) {
  std::string out;
  for (const double x : numbers)
    out += fmt::format("{}{:.6g}", out.empty() ? "" : ", ", std::abs(x) < 1e-12 * beside ? 0 : x);
  return out;
}

Mat3d inertia_about_centre(const Invariants& in) {
  const Mat3d c = skew((1 / in.mass) * in.first);
  return in.I7 - in.mass * (transpose(c) * c);
}

std::string mass_of(const ModalBody& body) {
  const Invariants& in = body.invariants;
  const Vec3d c = (1 / in.mass) * in.first;
  const Mat3d J = inertia_about_centre(in);
  const double size = J(0, 0) + J(1, 1) + J(2, 2), length = norm(c) + std::sqrt(size / in.mass);
  return fmt::format(
      "  mass                  {:.9g}\n  centre of mass        {}\n  inertia about it      {}\n"
      "  products xy, xz, yz   {}",
      in.mass, listed({c.x, c.y, c.z}, length), listed({J(0, 0), J(1, 1), J(2, 2)}, size),
      listed({-J(0, 1), -J(0, 2), -J(1, 2)}, size));
}

/// The largest relative difference between the moments of inertia of lumped masses and those of the elements.
double lumping_error(const ModalBody& body) {
  const Mat3d exact = inertia_about_centre(body.invariants),
              lumped = inertia_about_centre(lumped_invariants(body));
  double worst = 0;
  for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(lumped(k, k) / exact(k, k) - 1));
  return worst;
}

}  // namespace

std::string modal_table(const ModalBody& body) {
  std::vector<int> known;
  for (int k = 1; k <= 9; ++k)
    if (body.invariants.has[k]) known.push_back(k);
  const ModalUnits& u = body.units;
  std::string out = fmt::format(
      "{}\n  units                 {}\n{}\n  nodes                 {}{}{}\n  invariants            {}\n"
      "  damping, preload      {}, {}\n  load cases            {}\n  mode   frequency [cycles/{}]",
      body.source,
      u.mass.empty() ? "not told: those of the deck"
                     : fmt::format("{} {} {} {}", u.mass, u.length, u.time, u.force),
      mass_of(body), body.nodes(), body.rotation.empty() ? ", without rotations" : "",
      body.node_mass.empty() ? ", without masses" : "", fmt::join(known, " "),
      body.damping.empty() ? "none" : "yes", body.preload.empty() ? "none" : "yes", body.loads.size(),
      u.time.empty() ? "time" : u.time);
  return out + frequencies(body, body.modes);
}

std::string reduction_table(const FullModel& model, const Reduction& r) {
  std::string out = fmt::format(
      "{}\n  unknowns              {} of {} nodes, {} entries of stiffness\n"
      "  factors               {:.3g} entries, {:.3g} operations\n{}\n"
      "  shapes                {} static, {} normal{}, {} of inertia and attachment",
      model.source, model.unknowns(), model.nodes(), model.pattern.nonzeros(), r.factor_entries,
      r.factor_operations, mass_of(r.body), r.motions, r.normal.size(),
      r.normal.empty() ? "" : fmt::format(" up to {:.6g}", r.normal.back()), r.attached);
  if (r.dependent > 0) out += fmt::format("; {} depend on others or move no mass", r.dependent);
  if (r.unturned > 0)
    out += fmt::format(
        "\n  note: the rotation of {} nodes is not known and taken as 0: their neighbours lie on a line",
        r.unturned);
  if (!r.body.node_mass.empty())
    out += fmt::format(
        "\n  lumped masses         moments of inertia within {:.2g} % of those of the elements (a .mtx has "
        "these)",
        100 * lumping_error(r.body));
  return out + "\n    mode       frequency" + frequencies(r.body, 12);
}

}  // namespace trammel
