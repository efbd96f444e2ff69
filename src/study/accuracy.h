// `trammel run --accuracy`: a run whose results are known to be within an accuracy that the user names.
#pragma once

#include "session/run.h"

namespace trammel {

/// Chooses ERROR, HMAX and fixed steps of the deck so that two runs, one a refinement of the other (ERROR a
/// hundredth or less, HMAX half; fixed steps a quarter), agree within options.accuracy, a part of each
/// channel's scale (study/agreement.h), in all channels that options.accuracy_channels select. The finer run
/// leaves its files as any run does, and beside them PREFIX.error.nc, the difference of the two at every
/// output: an estimate of the error of the coarser run, and more than the error of the finer one. Where no
/// settings lead to agreement, the last results stay, and the exit code is 5. Throws Failure as run_job()
/// does.
int run_to_accuracy(const RunOptions& options, const Listener& listener);

}  // namespace trammel
