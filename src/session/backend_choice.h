// `--backend auto`: which models stay on the processor by rule, and which of the timed sides (processor,
// devices) computes the steps. Nothing here measures, or starts a device.
#pragma once

#include <string>
#include <vector>

namespace trammel {

/// Smaller models stay on the processor, and no device is started for them. A thousand steps of such a model
/// take one core a quarter of a second (generated models of 945 to 1002 unknowns: 0.2 to 0.27 ms a step, with
/// full linear systems 0.8 ms), and to start a device and to time steps there is assumed to take as long. Nor
/// is there much to gain: at that size a step has 13 to 19 launches and graphs and 2 to 3 answers that the
/// program waits for, and in the graphs some 200 kernels of which each waits for the one before: 0.2 ms at an
/// assumed 1 us each. No device has been measured yet.
inline constexpr int least_unknowns = 1000;

/// Why the model stays on the processor whatever devices there are; "" if it need not. `solver`:
/// --linear-solver; `element`: the first element that no device computes (DeviceAssembler::refusal), "":
/// none.
std::string reason_for_processor(int unknowns, const std::string& solver, const std::string& element);
/// "Back end cpu: <reason>."
std::string processor_sentence(const std::string& reason);

/// The times of the first steps on one side.
struct TimedSide {
  std::string where;                 ///< "cpu", "cuda:0 (NVIDIA H200)"
  std::vector<double> seconds = {};  ///< wall time of each step
  std::string refusal = {};          ///< why the side took no steps; it is not chosen then
};

struct BackendChoice {
  int side = 0;          ///< index of the chosen side; 0: the processor
  std::string sentence;  ///< what was chosen and why
};

/// Chooses the side with the least mean time of the steps that all sides have taken; of equal sides the
/// processor, then the first device. The first step, which loads kernels and touches memory for the first
/// time, counts only where some side has taken no other. `sides`: the processor first. The processor where no
/// side has taken a step.
BackendChoice choose_backend(const std::vector<TimedSide>& sides);

}  // namespace trammel
