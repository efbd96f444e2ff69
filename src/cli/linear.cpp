#include "cli/linear.h"

#include <fmt/format.h>

#include "session/signals.h"
#include "terminal/print.h"
#include "terminal/screen.h"

namespace trammel {

std::string commands_of(const LinearCommand& c) {
  std::string out;
  if (c.at) out += fmt::format("SIMULATE/DYNAMICS, END={:.17g}, STEPS=100\n", *c.at);
  if (c.statics) out += "SIMULATE/STATICS\n";
  std::string seen;
  if (c.RM) seen += fmt::format(", RM={}", *c.RM);
  if (c.pstate) seen += fmt::format(", PSTATE={}", *c.pstate);
  out += "LINEAR/EIGENSOL" + seen;
  if (c.no_damping) out += ", NODAMPIN";
  if (c.modes) out += fmt::format(", MODES={}, NEAR={:.17g}", *c.modes, c.near);
  if (c.energies) out += ", COORDS, KINETIC, STRAIN, DISSIPATIVE";
  out += "\n";
  if (c.out.empty() && !c.pinput && !c.poutput) return out;
  out += "LINEAR/STATEMAT" + seen;
  if (c.pinput) out += fmt::format(", PINPUT={}", *c.pinput);
  if (c.poutput) out += fmt::format(", POUTPUT={}", *c.poutput);
  if (!c.out.empty()) out += fmt::format(", FILE={}", c.out);
  return out + "\n";
}

int linear_command(const LinearCommand& command) {
  return guarded_command([&] {
    const SignalGuard signals;
    RunOptions run = command.run;
    run.job.commands = commands_of(command);
    if (run.formats.empty()) run.formats = {"none"};
    Screen screen(false);
    return run_job(run, screen.listener());
  });
}

}  // namespace trammel
