#pragma once

namespace trammel {

/// How a function of places bends: as products, sines and roots do; or as magnitudes, powers, exponentials
/// and what levels off do, of which the force of a stop may be made.
enum class Bend : unsigned char { none, slight, as_stop };

}  // namespace trammel
