// Kernels of fronts and of solves with them, for scripts/kernel_report.
#include "../launch.h"
#include "linear/device/fronts.h"
#include "linear/device/middle_fronts.h"
#include "linear/device/panels.h"
#include "linear/device/products.h"
#include "linear/device/row_fronts.h"
#include "linear/device/row_solves.h"
#include "linear/device/solves.h"

namespace trammel {

template const void* device_function<FactorSmallFronts>();
template const void* device_function<FactorPairFronts>();
template const void* device_function<FactorMiddleFronts>();
template const void* device_function<AssembleColumns>();
template const void* device_function<FactorPanels<128>>();
template const void* device_function<FactorPanels<256>>();
template const void* device_function<FactorPanels<panel_rows>>();
template const void* device_function<SolveLines>();
template const void* device_function<SubtractTiles>();
template const void* device_function<ForwardRowFronts>();
template const void* device_function<ForwardMiddleFronts>();
template const void* device_function<ForwardPivots>();
template const void* device_function<ForwardBorder>();
template const void* device_function<BackwardRowFronts>();
template const void* device_function<BackwardMiddleFronts>();
template const void* device_function<BackwardPivots>();
template const void* device_function<BackwardBorder>();

}  // namespace trammel
