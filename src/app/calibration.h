// What this machine takes for a launch, an operation, a byte: measured once, for predictions of a step's time
// (app/backend_choice.h).
#pragma once

#include <span>

#include "device/device.h"

namespace trammel {

/// One thread of the processor. Seconds per operation are those of the counts, whatever else the code does.
struct ProcessorConstants {
  double bandwidth = 0;                        ///< bytes per second, triad on long vectors
  double cache = 0;                            ///< bytes of the last cache, as the system tells
  double equation_flop = 0, tangent_flop = 0;  ///< seconds per operation that app/element_flops.h counts
  double klu_factor_value = 0, klu_solve_value = 0;  ///< seconds per value that the order expects in L + U
  double multifrontal_factor_value = 0, multifrontal_factor_flop = 0, multifrontal_solve_value = 0;
};

struct DeviceConstants {
  double launch = 0, graph_launch = 0;            ///< seconds per kernel, outside of graphs and inside
  double answer = 0;                              ///< a small copy to the program, awaited
  double bandwidth = 0;                           ///< bytes per second, triad
  double equation_launch = 0, equation_flop = 0;  ///< seconds per kernel of the equations, and per operation
  double tangent_launch = 0, tangent_flop = 0;
  double factor_level = 0, factor_flop = 0;  ///< seconds per level besides its launches, and per operation
  double solve_level = 0, solve_byte = 0;
};

/// A constant's name in the file, its unit for people, and its factor to that unit.
template <class Constants>
struct ConstantField {
  const char* key;
  double Constants::*value;
  const char* what;
  const char* unit;
  double factor;
};
std::span<const ConstantField<ProcessorConstants>> fields_of(const ProcessorConstants&);
std::span<const ConstantField<DeviceConstants>> fields_of(const DeviceConstants&);

/// Measures, on generated models of some thousand unknowns; the least of several samples of everything. About
/// a second each. Throws Failure(backend) when the device refuses.
ProcessorConstants measure_processor();
DeviceConstants measure_device(Device& device);

/// A part of a step that took `seconds` for `a` of one thing and `b` of another.
struct TwoCounts {
  double a, b, seconds;
};
struct TwoRates {
  double a = 0, b = 0;
};
/// Seconds per a and per b, neither below zero: least squares of the relative errors of a x + b y.
TwoRates rates_of(std::span<const TwoCounts> parts);

}  // namespace trammel
