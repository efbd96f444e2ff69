// The netCDF library, loaded when the first .nc file is read, or gets what stands before its records at its
// end: it brings some forty further libraries along, whose start takes longer than a small run.
#pragma once

#include <netcdf.h>

namespace trammel {

/// The functions that this program calls: all of them must be in a library, or it is refused.
#define TRAMMEL_NETCDF_FUNCTIONS(use)                                                                  \
  use(nc_open) use(nc_create) use(nc_close) use(nc_abort) use(nc_redef) use(nc_enddef) use(nc__enddef) \
      use(nc_set_fill) use(nc_strerror) use(nc_def_dim) use(nc_def_var) use(nc_put_att_text)           \
          use(nc_put_att_int) use(nc_put_att_double) use(nc_put_var_int) use(nc_put_var_float)         \
              use(nc_put_var_double) use(nc_inq_dimid) use(nc_inq_dimlen) use(nc_inq_unlimdim)         \
                  use(nc_inq_nvars) use(nc_inq_varid) use(nc_inq_var) use(nc_inq_varndims)             \
                      use(nc_inq_vardimid) use(nc_inq_att) use(nc_inq_attlen) use(nc_get_att_text)     \
                          use(nc_get_att_int) use(nc_get_att_double) use(nc_get_var_int)               \
                              use(nc_get_var_float) use(nc_get_var_double) use(nc_get_vara_int)        \
                                  use(nc_get_vara_double)

/// Its functions by their own names, of the types that its header declares.
struct NetcdfLibrary {
#define TRAMMEL_NETCDF_MEMBER(name) decltype(&::name) name = nullptr;
  TRAMMEL_NETCDF_FUNCTIONS(TRAMMEL_NETCDF_MEMBER)
#undef TRAMMEL_NETCDF_MEMBER
};

/// Loads the library at the first call: the file that the environment variable TRAMMEL_NETCDF names, else the
/// one with which the program was built, where the system has it or where it was found then. Failure(io),
/// with what can be done about it, when it is not there or is no netCDF library; the next call tries again.
const NetcdfLibrary& netcdf();

}  // namespace trammel
