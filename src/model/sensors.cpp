// SENSOR: its expressions become tapes, and what SENVAL reads becomes a scalar.
#include "model/compiler.h"

namespace trammel {

/// A state Ẋ = 0 for every sensor that evaluates something, so that it is part of the state, carried over
/// steps and restarts, and known to expressions that refer forward.
void Compiler::reserve_sensor_values() {
  for (const Statement& s : statements_.all("SENSOR")) {
    if (!s.has("EVALUATE")) continue;
    Scalar x;
    x.name = name_of(s);
    x.kind = ScalarKind::differential;
    x.static_hold = x.set_by_sensor = true;
    x.tape = compile_text(s, "0", "EVALUATE", s.where, ResultKind::scalar, true);
    scalar_of_sensor_[s.id] = model_.scalar_count();
    add_scalar(x);
  }
}

void Compiler::compile_sensors() {
  requests_ = true;  // as requests do, sensors read forces without making them unknowns
  for (const Statement& s : statements_.all("SENSOR")) {
    if (!is_active(s)) continue;
    const Argument* function = s.find("FUNCTION");
    if (!function) continue;  // an error of the checks already
    Sensor sensor;
    sensor.name = name_of(s);
    sensor.tape = compile_tape(s, *function, ResultKind::scalar, false);
    sensor.compare = s.has("GE")   ? Sensor::Compare::greater
                     : s.has("LE") ? Sensor::Compare::less
                                   : Sensor::Compare::equal;
    sensor.value = s.real("VALUE", 0);
    sensor.error = s.real("ERROR");
    sensor.bisection = s.has("BISECTION");
    sensor.halt = s.has("HALT");
    sensor.ends_command = s.has("RETURN");
    sensor.print = s.has("PRINT");
    sensor.codgen = s.has("CODGEN");
    sensor.restart = s.has("RESTART");
    sensor.output_step = s.real("DT", 0);
    sensor.step_size = s.real("STEPSIZE", 0);
    if (const Argument* e = s.find("EVALUATE")) {
      sensor.evaluate = compile_tape(s, *e, ResultKind::scalar, false);
      sensor.scalar = scalar_of_sensor_.at(s.id);
    }
    model_.sensors.push_back(std::move(sensor));
  }
  requests_ = false;
}

}  // namespace trammel
