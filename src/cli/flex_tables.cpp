#include "cli/flex_tables.h"

#include <fmt/ranges.h>

#include "flexible/modal_check.h"

namespace trammel {

namespace {

/// Rows of mode, frequency; at most `most` of them.
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

std::string mass_of(const ModalBody& body) {
  const Invariants& in = body.invariants;
  const Vec3d c = in.mass > 0 ? (1 / in.mass) * in.first : Vec3d{};
  const Mat3d J = in.I7 - in.mass * (transpose(skew(c)) * skew(c));
  return fmt::format(
      "  mass                  {:.9g}\n  centre of mass        {:.6g}, {:.6g}, {:.6g}\n"
      "  inertia about it      {:.6g}, {:.6g}, {:.6g}; products xy, xz, yz {:.6g}, {:.6g}, {:.6g}",
      in.mass, c.x, c.y, c.z, J(0, 0), J(1, 1), J(2, 2), -J(0, 1), -J(0, 2), -J(1, 2));
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
  if (r.dependent > 0) out += fmt::format("; {} depend on others", r.dependent);
  if (r.unturned > 0)
    out += fmt::format(
        "\n  note: the rotation of {} nodes is not known and taken as 0: their neighbours lie on a line",
        r.unturned);
  return out + "\n    mode       frequency" + frequencies(r.body, 12);
}

}  // namespace trammel
