#include "expression/measures.h"

namespace trammel {

namespace {
constexpr MeasureInfo table[] = {
    {Measure::time, "TIME", {0, 0, 0, 0}, 1},
    {Measure::mode, "MODE", {0, 0, 0, 0}, 1},
    {Measure::state, "state", {0, 0, 0, 0}, 1},
    {Measure::rate, "rate", {0, 0, 0, 0}, 1},
    {Measure::dx, "DX", {1, 1, 1, 0}, 1},
    {Measure::dy, "DY", {1, 1, 1, 0}, 1},
    {Measure::dz, "DZ", {1, 1, 1, 0}, 1},
    {Measure::dm, "DM", {1, 1, 0, 0}, 1},
    {Measure::ax, "AX", {1, 1, 0, 0}, 1},
    {Measure::ay, "AY", {1, 1, 0, 0}, 1},
    {Measure::az, "AZ", {1, 1, 0, 0}, 1},
    {Measure::psi, "PSI", {1, 1, 0, 0}, 1},
    {Measure::theta, "THETA", {1, 1, 0, 0}, 1},
    {Measure::phi, "PHI", {1, 1, 0, 0}, 1},
    {Measure::yaw, "YAW", {1, 1, 0, 0}, 1},
    {Measure::pitch, "PITCH", {1, 1, 0, 0}, 1},
    {Measure::roll, "ROLL", {1, 1, 0, 0}, 1},
    {Measure::incang, "INCANG", {1, 1, 1, 0}, 1},
    {Measure::vx, "VX", {2, 2, 1, 2}, 1},
    {Measure::vy, "VY", {2, 2, 1, 2}, 1},
    {Measure::vz, "VZ", {2, 2, 1, 2}, 1},
    {Measure::vm, "VM", {2, 2, 0, 2}, 1},
    {Measure::vr, "VR", {2, 2, 0, 2}, 1},
    {Measure::wx, "WX", {2, 2, 1, 0}, 1},
    {Measure::wy, "WY", {2, 2, 1, 0}, 1},
    {Measure::wz, "WZ", {2, 2, 1, 0}, 1},
    {Measure::wm, "WM", {2, 2, 0, 0}, 1},
    {Measure::accx, "ACCX", {3, 3, 1, 3}, 1},
    {Measure::accy, "ACCY", {3, 3, 1, 3}, 1},
    {Measure::accz, "ACCZ", {3, 3, 1, 3}, 1},
    {Measure::accm, "ACCM", {3, 3, 0, 3}, 1},
    {Measure::wdtx, "WDTX", {3, 3, 1, 2}, 1},
    {Measure::wdty, "WDTY", {3, 3, 1, 2}, 1},
    {Measure::wdtz, "WDTZ", {3, 3, 1, 2}, 1},
    {Measure::wdtm, "WDTM", {3, 3, 0, 2}, 1},
    {Measure::uvx, "UVX", {1, 1, 0, 0}, 3},
    {Measure::uvy, "UVY", {1, 1, 0, 0}, 3},
    {Measure::uvz, "UVZ", {1, 1, 0, 0}, 3},
    {Measure::euler_parameter, "ORIENT", {1, 1, 0, 0}, 4},
};
constexpr int rows = sizeof table / sizeof table[0];

constexpr bool in_order() {
  for (int k = 0; k < rows; ++k)
    if (static_cast<int>(table[k].measure) != k) return false;
  return rows == static_cast<int>(Measure::euler_parameter) + 1;
}
static_assert(in_order(), "the table must follow the order of Measure");
}  // namespace

const MeasureInfo& measure_info(Measure measure) {
  return table[static_cast<int>(measure)];
}
int measure_count() {
  return rows;
}

double continuous_angle(Measure measure, const MarkerKinematics<double>& i, const MarkerKinematics<double>& j,
                        double last) {
  return functions::axis_angle_value(measure, i, j, last);
}

}  // namespace trammel
