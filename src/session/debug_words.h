// DEBUG: further reports about a run.
#pragma once

#include "dataset/description.h"

namespace trammel {

struct DebugWords {
  bool eprint = false;    ///< a table of the iterations of every step
  bool rhsdump = false;   ///< every residual and correction of an iteration
  bool jmdump = false;    ///< every nonzero of the matrix
  bool dof = false;       ///< how the degrees of freedom are counted
  bool topology = false;  ///< which elements join which parts
  bool verbose = false;   ///< every output step, and every time the messages that are otherwise told once
  bool reqdump = false;   ///< the values of every request
  /// Whether iterations are to be watched.
  bool watches() const { return eprint || rhsdump || jmdump; }
};

/// The words of all DEBUG statements. The last one counts where they contradict each other: NOEPRINT after
/// EPRINT.
DebugWords debug_words(const Description& description);

}  // namespace trammel
