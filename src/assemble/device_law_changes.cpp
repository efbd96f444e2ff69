#include "assemble/device_law_changes.h"

#include <cstring>

namespace trammel {

DeviceLawChanges::DeviceLawChanges(Device& device, const Model& model, const DeviceAssembly& there,
                                   DeviceShapes* shapes)
    : there_(there), shapes_(shapes), arena_(device), contacts_(there.pools.of<Contacts>().count) {
  const LawSwitches switches(model);
  contacts_at_ = switches.item.size() * sizeof(SwitchValues);
  passages_at_ = contacts_at_ + static_cast<std::size_t>(contacts_) * sizeof(ContactOverlaps);
  here_.resize(passages_at_ + (shapes ? 2 * sizeof(Place) : 0));
  if (here_.empty()) return;
  tapes_ = static_cast<int>(switches.tape.size());
  tape_ = arena_.copy(switches.tape);
  item_ = arena_.copy(switches.item);
  part_ = arena_.copy(switches.part);
  answer_ = arena_.room<unsigned char>(here_.size());
  arena_.flush();
}

void DeviceLawChanges::find(double t, double time, LawChanges& found) {
  if (here_.empty()) return;
  Device& device = arena_.device();
  device.launch(ReadSwitches{there_.view, t, tape_, there_.tape_room, item_, part_, there<SwitchValues>(0)},
                tapes_);
  device.launch(
      FindOverlaps{there_.view, there_.pools.of<Contacts>(), time, there<ContactOverlaps>(contacts_at_)},
      contacts_);
  if (shapes_) shapes_->find_passages(there_.view, time, there<Place>(passages_at_));
  answer(0);
  if (tapes_ > 0) std::memcpy(found.switches.data(), here_.data(), contacts_at_);
  if (contacts_ > 0)
    std::memcpy(found.contacts.data(), here_.data() + contacts_at_, passages_at_ - contacts_at_);
  if (!shapes_) return;
  Place passages[2];
  std::memcpy(passages, here_.data() + passages_at_, sizeof passages);
  if (passages[0].value >= shape_left) {
    shapes_->cover();
    shapes_->find_passages(there_.view, time, there<Place>(passages_at_));
    answer(passages_at_);
    std::memcpy(passages, here_.data() + passages_at_, sizeof passages);
  }
  found.passage = 1 / passages[1].value;
}

/// Waits for what was launched, and brings it from there on.
void DeviceLawChanges::answer(std::size_t from) {
  arena_.device().download(here_.data() + from, answer_ + from, here_.size() - from);
}

}  // namespace trammel
