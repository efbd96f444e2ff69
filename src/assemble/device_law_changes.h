// What the last evaluation on a device found of functions and contacts that change their law.
#pragma once

#include "assemble/device_assembly.h"
#include "assemble/device_shapes.h"
#include "assemble/law_changes.h"
#include "device_api/arena.h"

namespace trammel {

/// find_law_changes() of a device: a few launches and one answer; nothing where a model has none of them.
class DeviceLawChanges {
 public:
  /// `shapes`: of groups in contact, null: there are none. These and what is `there` must outlive the object.
  DeviceLawChanges(Device& device, const Model& model, const DeviceAssembly& there, DeviceShapes* shapes);

  /// At time t, with passages within `time` from there. Waits for the device.
  void find(double t, double time, LawChanges& found);
  std::size_t bytes() const { return arena_.bytes(); }

 private:
  template <class T>
  T* there(std::size_t at) {
    return reinterpret_cast<T*>(answer_ + at);
  }
  void answer(std::size_t from);

  const DeviceAssembly& there_;
  DeviceShapes* shapes_;
  DeviceArena arena_;
  int tapes_ = 0, contacts_ = 0;
  const SwitchedTape* tape_ = nullptr;
  const LawSwitch* item_ = nullptr;
  const PartPlace* part_ = nullptr;
  /// One after the other, there and here: what is found of switches, of CONTACTs, and of passages.
  unsigned char* answer_ = nullptr;
  std::vector<unsigned char> here_;
  std::size_t contacts_at_ = 0, passages_at_ = 0;
};

}  // namespace trammel
