// Overlaps in contact by their tracks, from the file that has one overlap as a record.
#pragma once

#include "output/read/result_table.h"

namespace trammel {

class NativeReader;

/// Whether these are records of overlaps (write/contacts_file.h).
bool has_incidents(const NativeReader& file);
/// Entities CONTACT/3/1: track 1 of CONTACT/3; NaN where there is no overlap.
ResultTable read_tracks(const NativeReader& file);

}  // namespace trammel
