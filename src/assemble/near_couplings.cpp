// Which contacts have places in the matrix: of groups of many bodies the pairs of shapes that are near each
// other, of many CONTACTs those whose shapes are.
#include <algorithm>

#include "assemble/assembler.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"
#include "base/archive.h"

namespace trammel {

namespace {
Contacts& contacts_of(Pools& pools) {
  return pools;
}
ContactGroups& groups_of(Pools& pools) {
  return pools;
}
}  // namespace

bool Assembler::couples_what_is_near() const {
  return near_shapes() || !contacts_of(*pools_).coupled.empty();
}

bool Assembler::is_near(int contact, double part) const {
  const ContactElement& c = model_.contacts[contact];
  return Contacts::is_near(pools_->tables().of<Contacts>(), contact, kinematics_.marker(c.I),
                           kinematics_.marker(c.J), part);
}

bool Assembler::misses_what_is_near() const {
  if (near_shapes() && near_shapes()->coupled_misses_some()) return true;
  const std::vector<unsigned char>& coupled = contacts_of(*pools_).coupled;
  for (int n = 0; n < static_cast<int>(coupled.size()); ++n)
    if (!coupled[n] && is_near(n, Contacts::near_part)) return true;
  return false;
}

std::size_t Assembler::couple_what_is_near() {
  std::vector<unsigned char>& coupled = contacts_of(*pools_).coupled;
  for (int n = 0; n < static_cast<int>(coupled.size()); ++n) coupled[n] = is_near(n, Contacts::soon_part);
  if (near_shapes()) groups_of(*pools_).near->couple();
  take_couplings(nullptr);
  return static_cast<std::size_t>(std::count(coupled.begin(), coupled.end(), 1)) +
         (near_shapes() ? near_shapes()->pairs() : 0);
}

void Assembler::archive(Archive& a) {
  if (!couples_what_is_near()) return;
  std::vector<unsigned char>& coupled = contacts_of(*pools_).coupled;
  a.numbers(coupled.data(), coupled.size());
  if (near_shapes()) groups_of(*pools_).near->archive(a);
  if (a.restores()) take_couplings(nullptr);
}

}  // namespace trammel
