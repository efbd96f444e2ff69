// Fields of the modes of a flexible body in a netCDF file (docs/file_formats.md).
#pragma once

#include <string>

#include "flexible/modal_fields.h"

namespace trammel {

/// Failure(io) naming the file, which is then removed.
void write_fields(const std::string& path, const ModalFields& fields);

/// Which of the large arrays of a file are wanted.
struct FieldsWanted {
  bool translation = true, strain = true, stress = true;
};

/// Failure(io) for a file that cannot be read, Failure(input) for another kind of file and for one whose
/// contents contradict each other.
ModalFields read_fields(const std::string& path, const FieldsWanted& wanted = {});

/// The file of fields that belongs to a file of modes: boom.fields.nc of boom.mtx.
std::string fields_name(const std::string& modes);

}  // namespace trammel
