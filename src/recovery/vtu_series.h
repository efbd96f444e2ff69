// A flexible body over time as files of VTK, which ParaView and others show: a .vtu per record and a .pvd
// that names them with their times.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "recovery/modal_motion.h"

namespace trammel {

struct VtuOptions {
  double length = 1;                          ///< of the results, in one of the fields
  bool body_axes = false;                     ///< the frame rests: only what deforms is shown
  bool strain = false;                        ///< strains, too
  std::function<void(double part)> progress;  ///< may be empty
};

/// Bytes of one .vtu, but for some hundred of its head.
std::uint64_t vtu_bytes(const ModalFields& fields, const VtuOptions& options);

/// Writes PREFIX_00000.vtu ... and PREFIX.pvd. Points are where the undeformed body is at that time, with the
/// point data displacement (same axes, so that "Warp By Vector" deforms it), stress and von_mises (axes of
/// the body), in single precision. The .pvd is whole whenever the process dies. Failure(io).
void write_vtu_series(const std::string& prefix, const ModalFields& fields, ModalMotion& motion,
                      const VtuOptions& options);

}  // namespace trammel
