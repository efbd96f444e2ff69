// Histories of DELAYs on a device.
#include "assemble/device_assembler.h"
#include "assemble/lane.h"

namespace trammel {

/// The arguments of DELAYs, which are evaluated at the end of a step.
void DeviceAssembler::copy_delays() {
  std::vector<int> tapes;
  std::vector<TapeRoom> rooms;
  for (const Delay& d : model_.delays) {
    tapes.push_back(d.tape);
    rooms.push_back(room_for(host_.lanes_[0]->tapes.items()[d.tape]));
  }
  delay_tape_ = arena_.copy(tapes);
  delay_room_ = arena_.copy(rooms);
  delay_told_ = arena_.copy(std::vector<unsigned char>(tapes.size()));
  delay_note_ = arena_.room<double>(tapes.size());
  histories_.resize(tapes.size());
}

/// A history that has grown by a point gets that; another one, or one that is larger than its room, is
/// copied.
void DeviceAssembler::upload_delays(const State& state) {
  if (histories_.empty()) return;
  std::vector<DelayView> views;
  for (std::size_t k = 0; k < histories_.size(); ++k) {
    History& there = histories_[k];
    const std::vector<double>&time = state.delays[k].times(), &value = state.delays[k].values();
    const std::size_t n = time.size(), room = there.time.size();
    const bool grown = there.n > 0 && n == there.n + std::size_t{1} && time[0] == there.first;
    if (n > room) there.time = {device(), 2 * n}, there.value = {device(), 2 * n};
    const std::size_t from = grown && n <= room ? n - 1 : 0;
    if (n > from) {
      device().upload(there.time.data() + from, time.data() + from, (n - from) * sizeof(double));
      device().upload(there.value.data() + from, value.data() + from, (n - from) * sizeof(double));
    }
    there.n = static_cast<int>(n);
    there.first = n > 0 ? time[0] : 0;
    views.push_back({there.time.data(), there.value.data(), there.n});
  }
  device().upload(delay_views_, views.data(), views.size() * sizeof(DelayView));
}

void DeviceAssembler::take_delays(const State& state) {
  for (History& there : histories_) there.n = 0;
  upload_delays(state);
}

void DeviceAssembler::keep_delays(State& state) {
  const int n = static_cast<int>(histories_.size());
  if (n == 0) return;
  set_point({state.t, point_.mode, point_.c});
  const AssemblyView& w = on_device_.view;
  device().launch(EvaluateTapes{w, delay_tape_, delay_room_, delay_told_, delay_note_}, n);
  std::vector<double> note(n), value(3 * model_.tapes.size());
  device().download(note.data(), delay_note_, note.size() * sizeof(double));
  device().download(value.data(), w.array.tape_value, value.size() * sizeof(double));
  for (int k = 0; k < n; ++k) {
    const Delay& d = model_.delays[k];
    if (note[k] >= tape_failed)
      fail(ExitCode::solver, "{}: the argument of DELAY has no value at t = {:.9g}",
           model_.tape_owner(d.tape), state.t);
    state.delays[k].accept(state.t, value[3 * d.tape], d.longest);
  }
  upload_delays(state);
}

}  // namespace trammel
