// The interface between the program and a linear solver loaded at run time: plain C, one table of functions.
// The solver factors matrices of one pattern in the memory and queue of a back end's device
// (device_api/abi.h).
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Version of this file: changes with it. A solver of another version is refused.
#define TRAMMEL_SOLVER_ABI 1
/// Name of the only function that a solver exports: const TrammelSolverApi* trammel_solver_api(void).
#define TRAMMEL_SOLVER_ENTRY "trammel_solver_api"

/// A square matrix by rows, columns ascending within a row, indices from 0.
struct TrammelSolverMatrix {
  int n, nonzeros;
  const int *row_start, *column;             /* n + 1, nonzeros: in host memory */
  const int *row_start_there, *column_there; /* the same on the device */
  const double* value_there;                 /* nonzeros: on the device */
};

/// Factors computed by the processor, in host memory: (L U)(i, j) = B(row[i], column[j]). By rows, columns
/// ascending; the unit diagonal of L is stored. The pattern contains every entry that can arise.
struct TrammelSolverFactors {
  const int *l_start, *l_column;
  const double* l_value;
  const int *u_start, *u_column;
  const double* u_value;
  const int *row, *column;
  const double* matrix; /* values of the factored matrix, in host memory */
};

/// Functions that return int return 0 on success; error() is to be called only after another value.
struct TrammelSolverApi {
  int abi;
  const char* name;    /* "cusolver_rf", "cudss" */
  const char* backend; /* back end of its memory and queue: "cuda", "host" */
  int keeps_pivots;    /* 1: set_up() needs factors of the processor; 0: none */
  /* The library's message about the last error in the calling thread. */
  const char* (*error)(void);
  const char* (*version)(void);

  /* `device` and `queue`: from TrammelDeviceApi::queue. */
  int (*create)(int device, void* queue, void** solver);
  void (*destroy)(void* solver);
  /* Sets a pattern, or other pivots. The arrays on the device stay valid until the next call; their values
     change. `order`: n unknowns in elimination order, for rows and columns alike. `factors`: null unless
     keeps_pivots. */
  int (*set_up)(void* solver, const TrammelSolverMatrix* matrix, const int* order,
                const TrammelSolverFactors* factors);
  /* Factors the matrix with its present values. inverse_pivot (n, on the device): 1 / pivot of the unknown
     order[k], 0 for a zero pivot; unchanged by a library that does not report its pivots. usable: 0 when a
     pivot was zero or replaced: there are no factors then. */
  int (*refactor)(void* solver, double* inverse_pivot, int* usable);
  /* x = B^-1 b on the device; not the same array. */
  int (*solve)(void* solver, const double* b, double* x);
  /* Device memory of the solver in bytes, as far as known. */
  uint64_t (*bytes)(void* solver);
};

}  // extern "C"
