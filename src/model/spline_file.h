// Files of SPLINE/..., FILE=: time histories.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct TimeHistory {
  std::vector<double> x, y;  ///< of one length, at least 4; x strictly increasing
};

/// One channel, counted from 1 (0: the only one), of a file whose name is relative to the folder of the
/// dataset.
///   RPC III   (MTS Systems; begins with the keyword FORMAT) x = k DELTA_T from 0 on, in the file's unit;
///             y are the numbers FLOATING_POINT, or SHORT_INTEGER times SCALE.CHAN_n; IEEE, little or big
///             end first
///   table     lines of numbers between blanks, commas or tabs, x first, then the channels; empty lines
///             and what follows ! or # are left out
/// Throws Failure(input) with file and byte or line for mistakes, (unsupported) for nSoft DAC, other contents
/// of RPC files than time histories and other formats of numbers, (io) if it cannot be read.
TimeHistory read_spline_file(std::string_view file, const std::string& dataset, int channel);

}  // namespace trammel
