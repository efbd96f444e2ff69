// `trammel run --accuracy`: a run whose results are known to be within an accuracy that the user names.
#pragma once

#include "session/run.h"

namespace trammel {

/// Chooses ERROR, HMAX and fixed steps of the deck so that two runs, one a refinement of the other (ERROR a
/// hundredth, HMAX half; fixed steps a quarter), agree within options.accuracy.part of each channel's scale
/// (study/agreement.h) in all that options.accuracy.channels select. The finer one leaves its files as any
/// run does, and beside them PREFIX.error.nc, the difference between the two at every output: an estimate of
/// the error of the coarser one, and more than that of the finer one. Where no settings bring that about, the
/// last results stay, and the exit code is 5. Failures as run_job().
int run_to_accuracy(const RunOptions& options, const Listener& listener);

}  // namespace trammel
