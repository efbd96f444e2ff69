// What the program and a linear solver that was loaded at run time say to each other: plain C, one table of
// functions. The solver factors matrices of one pattern in the memory of a device of a back end
// (device_api/abi.h) and in its queue.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

/// Changes whenever this file does. A solver of another number is refused.
#define TRAMMEL_SOLVER_ABI 1
/// Name of the one function that a solver exports: const TrammelSolverApi* trammel_solver_api(void).
#define TRAMMEL_SOLVER_ENTRY "trammel_solver_api"

/// A square matrix by rows, columns ascending within a row, indices from 0.
struct TrammelSolverMatrix {
  int n, nonzeros;
  const int *row_start, *column;             /* n + 1, nonzeros: the program's memory */
  const int *row_start_there, *column_there; /* the same: the device's */
  const double* value_there;                 /* nonzeros: the device's */
};

/// Factors that the processor found, in the program's memory: (L U)(i, j) = B(row[i], column[j]). By rows,
/// columns ascending; the unit diagonal of L is stored. Their pattern holds every entry that can arise.
struct TrammelSolverFactors {
  const int *l_start, *l_column;
  const double* l_value;
  const int *u_start, *u_column;
  const double* u_value;
  const int *row, *column;
  const double* matrix; /* values of the matrix that was factored */
};

/// Every function that returns int gives 0 when all went well; then error() is not to be asked.
struct TrammelSolverApi {
  int abi;
  const char* name;    /* "cusolver_rf", "cudss" */
  const char* backend; /* whose memory and queues it works with: "cuda", "host" */
  int keeps_pivots;    /* 1: set_up() needs factors of the processor; 0: none */
  /* What went wrong last in the calling thread, in the library's own words. */
  const char* (*error)(void);
  const char* (*version)(void);

  /* `device` and `queue` are those of TrammelDeviceApi::queue. */
  int (*create)(int device, void* queue, void** solver);
  void (*destroy)(void* solver);
  /* Another pattern, or other pivots. The arrays on the device stay where they are until the next call, and
     their values change. `order`: n unknowns in the order of elimination, for rows and columns alike.
     `factors`: null unless keeps_pivots.
   */
  int (*set_up)(void* solver, const TrammelSolverMatrix* matrix, const int* order,
                const TrammelSolverFactors* factors);
  /* Factors the matrix with its present values. inverse_pivot (n, on the device): 1 / pivot of the unknown
     order[k], 0 where there is none; a library that does not tell its pivots leaves it alone. usable: 0 when
     a pivot was zero or replaced; then there is nothing to solve with. */
  int (*refactor)(void* solver, double* inverse_pivot, int* usable);
  /* x = B^-1 b on the device; not the same array. */
  int (*solve)(void* solver, const double* b, double* x);
  /* Bytes of the device's memory that it has taken, as far as it knows. */
  uint64_t (*bytes)(void* solver);
};

}  // extern "C"
