/* Trammel, a solver for constrained mechanical systems: its C interface (C11), libtrammel.so.
 * docs/api.md has a table of the functions and an example; trammel.hpp is the same in C++.
 *
 * Status:
 * Functions give TRAMMEL_OK or another code of enum trammel_status, the exit codes of the program; the text
 * belongs to trammel_failure(). What a function that fails was to fill is left as it was. Null where an
 * object or a place is needed, and arrays of another length than the model has, are TRAMMEL_USAGE. No C++
 * exception leaves a function.
 *
 * Units:
 * Those of the dataset (UNITS); angles in rad. trammel_channel_unit() names them.
 *
 * Frame:
 * Channels are in the axes of ground, as in result files. Coordinates are the solver's own: of a part the
 * centre of mass in the axes of ground, and three angles that turn in a frame of the part's own, which steps
 * may choose anew: angles of two moments are no motion, those of one moment are an orientation. A part's
 * place and angles for people are channels: PART/2.X, PART/2.PSI.
 *
 * Arrays:
 * Of double, by their number of items. Unknowns are the coordinates, the multipliers of constraints and the
 * scalar states, in this order; a residual has one item per unknown.
 *
 * Lifetime:
 * A model lives until trammel_free(). Texts of a model live until the next call with this model, those
 * without a model until the next call of this thread; trammel_version() and trammel_build() for ever.
 *
 * Threads:
 * A model is used by one thread at a time; several models by as many threads at once. trammel_run() and
 * trammel_batch() wait while another thread is in one: the library of the result files serves one at a time.
 *
 * Calls back:
 * A function given to the library may ask the model that calls it for values; what would move, change or
 * restore that model is TRAMMEL_USAGE there, and trammel_free() must not be called. It must not leave by an
 * exception or longjmp.
 */
#ifndef TRAMMEL_TRAMMEL_H
#define TRAMMEL_TRAMMEL_H

#include <stddef.h>

#if defined(__GNUC__)
#define TRAMMEL_API __attribute__((visibility("default")))
#else
#define TRAMMEL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface: grows with what is added; what is there stays. */
#define TRAMMEL_ABI 2

/* The exit codes of the program. */
enum trammel_status {
  TRAMMEL_OK = 0,
  TRAMMEL_DEFECT = 1,       /* a defect of the library */
  TRAMMEL_USAGE = 2,        /* wrong call */
  TRAMMEL_INPUT = 3,        /* a deck, change or saved state that cannot be understood */
  TRAMMEL_UNSUPPORTED = 4,  /* a statement, command or option that does not exist yet */
  TRAMMEL_SOLVER = 5,       /* no convergence, singular, inconsistent; the model is where it came to */
  TRAMMEL_IO = 7,           /* a file that cannot be read or written */
  TRAMMEL_BACKEND = 8,      /* no such device, or none that can be used */
  TRAMMEL_RESUBMIT = 75,    /* trammel_run(): stopped after a checkpoint */
  TRAMMEL_INTERRUPTED = 130 /* a function of the caller's asked to stop */
};

/* A model under analysis. */
typedef struct trammel_model trammel_model;

/* ---- the library */

/* "0.1.0". */
TRAMMEL_API const char* trammel_version(void);
/* Compiler and revision. */
TRAMMEL_API const char* trammel_build(void);
/* TRAMMEL_ABI of the library, at least that of the header. */
TRAMMEL_API int trammel_abi(void);
/* The text of the last failure of a call with this model; with null, of the last call of this thread that
 * failed without a model (loading, trammel_run(), a null model). "" where none has failed. */
TRAMMEL_API const char* trammel_failure(const trammel_model* model);

/* ---- models */

/* How a model is read and computed. Set it to zeros, then `size` to sizeof(trammel_options): zeros are
 * defaults. */
typedef struct trammel_options {
  size_t size;
  const char* const* changes; /* like --set: "PART/2.MASS=3.5", or "PART/2, MASS=3.5, CM=21" */
  size_t change_count;
  int strict;                /* like --strict */
  int permissive;            /* like --permissive */
  int share_reactions;       /* like --redundant=min-norm */
  int threads;               /* like -j; 0: one */
  const char* linear_solver; /* "klu", "multifrontal", "blocks"; null: "auto" */
} trammel_options;

/* Reads a command file (.acf) with its dataset, or a dataset (.adm; the extension may be left out), and plans
 * and compiles it as `trammel run` does before its first step. Nothing is written. `options` may be null. */
TRAMMEL_API int trammel_load(const char* file, const trammel_options* options, trammel_model** model);
/* The same with the text of a dataset, `length` bytes. `name` stands in messages; null: "text.adm". */
TRAMMEL_API int trammel_load_text(const char* name, const char* text, size_t length,
                                  const trammel_options* options, trammel_model** model);
/* Null is passed over. */
TRAMMEL_API void trammel_free(trammel_model* model);

/* Changes the model, in either form of trammel_options.changes. Before the first use of its state it is a
 * change of the dataset, which comes before the command file; later it is what a redefinition between two
 * simulations is: the motion goes on with the changed model, and a simulation that has been begun is over.
 * Where it fails the model is as it was. Channels stay those of the first use; those of what is gone are 0.
 */
TRAMMEL_API int trammel_change(trammel_model* model, const char* change);

/* Warnings so far, of the dataset, of initial conditions, of steps; each once. */
TRAMMEL_API int trammel_warning_count(trammel_model* model, size_t* count);
/* One of them, from 0; null where there is none. */
TRAMMEL_API const char* trammel_warning(trammel_model* model, size_t index);

/* ---- initial conditions: every function that needs a state finds them first */

/* Finds the initial conditions: positions, velocities, accelerations and reactions. Later calls do nothing.
 */
TRAMMEL_API int trammel_assemble(trammel_model* model);
/* Degrees of freedom at the initial conditions. */
TRAMMEL_API int trammel_degrees_of_freedom(trammel_model* model, int* freedoms);
/* Equations of constraints that are redundant and not imposed. */
TRAMMEL_API int trammel_redundant_count(trammel_model* model, size_t* count);
/* One of them, from 0, by its element and equation: "JOINT/2 (hinge) Zi.Xj"; null where there is none. */
TRAMMEL_API const char* trammel_redundant(trammel_model* model, size_t index);

/* ---- results */

/* Channels, in the order of the values of a record. The time is none of them. */
TRAMMEL_API int trammel_channel_count(trammel_model* model, size_t* count);
/* "PART/2.X" and "meter" ("" without unit), from 0; null where there is none. */
TRAMMEL_API const char* trammel_channel_name(trammel_model* model, size_t index);
TRAMMEL_API const char* trammel_channel_unit(trammel_model* model, size_t index);
/* The place of a channel, as `trammel plot` knows names: "PART/2.X", "boom.X", "VARIABLE/3". */
TRAMMEL_API int trammel_channel(trammel_model* model, const char* name, size_t* index);
/* Values of all channels at the present state. */
TRAMMEL_API int trammel_values(trammel_model* model, double* values, size_t count);

/* Hears every record of later simulations, at the times of outputs: the values of all channels, until it
 * returns. Other than 0: the simulation stops after the present step, of which further records may come. */
typedef int (*trammel_record_function)(void* user, double time, const double* values, size_t count);
/* Null: nobody hears them. */
TRAMMEL_API int trammel_on_record(trammel_model* model, trammel_record_function function, void* user);
/* Hears what `trammel run` would print, one text at a time, until it returns. */
typedef void (*trammel_text_function)(void* user, const char* text);
/* Null: nobody hears them. */
TRAMMEL_API int trammel_on_text(trammel_model* model, trammel_text_function function, void* user);

/* ---- simulations */

/* How the last simulation stands. */
enum trammel_simulation {
  TRAMMEL_NONE = 0,     /* none has been begun, or the model was changed since */
  TRAMMEL_STEPPING = 1, /* it has steps to come */
  TRAMMEL_COMPLETE = 2, /* at its end */
  TRAMMEL_RETURNED = 3, /* ended by a SENSOR with RETURN */
  TRAMMEL_HALTED = 4,   /* ended by a SENSOR with HALT */
  TRAMMEL_FAILED = 5    /* TRAMMEL_SOLVER */
};

/* Carries out the commands of the command file that are still to come, with the bits that `trammel run` has
 * on one processor. Files are written by SAVE alone. TRAMMEL_INTERRUPTED: stopped by the record function; the
 * next call goes on there. A dataset without commands has none. */
TRAMMEL_API int trammel_run_commands(trammel_model* model);
/* Begins a simulation (dynamics) from the present time to `end`, with records at the present time, every
 * `output_interval` and at the end; 0: at both ends only. Steps end at outputs, and are no longer. */
TRAMMEL_API int trammel_begin(trammel_model* model, double end, double output_interval);
/* One step of the simulation that has been begun. `how`: how it then stands; may be null. */
TRAMMEL_API int trammel_step(trammel_model* model, int* how);
/* All its steps that are left. TRAMMEL_INTERRUPTED: stopped; trammel_step() and trammel_finish() go on there.
 */
TRAMMEL_API int trammel_finish(trammel_model* model);
/* trammel_begin() and trammel_finish(). */
TRAMMEL_API int trammel_advance(trammel_model* model, double end, double output_interval);
/* How the last simulation stands: enum trammel_simulation. */
TRAMMEL_API int trammel_standing(trammel_model* model, int* how);
/* The present time; before the first use of the state that of the dataset, 0. */
TRAMMEL_API int trammel_time(trammel_model* model, double* time);

/* ---- state */

/* Numbers of items. */
typedef struct trammel_sizes {
  size_t coordinates; /* also of velocities and accelerations */
  size_t multipliers;
  size_t scalars;  /* also of their rates */
  size_t unknowns; /* coordinates + multipliers + scalars */
  size_t nonzeros; /* of the tangent */
} trammel_sizes;
TRAMMEL_API int trammel_get_sizes(trammel_model* model, trammel_sizes* sizes);
/* "PART/2 X", "JOINT/3 Zi.Xj", "DIFF/4" of an unknown and of its equation, from 0; null where there is none.
 */
TRAMMEL_API const char* trammel_unknown_name(trammel_model* model, size_t index);
TRAMMEL_API const char* trammel_equation_name(trammel_model* model, size_t index);

enum trammel_quantity {
  TRAMMEL_COORDINATES = 0,
  TRAMMEL_VELOCITIES = 1, /* time derivatives of the coordinates, and theirs: */
  TRAMMEL_ACCELERATIONS = 2,
  TRAMMEL_MULTIPLIERS = 3, /* of the constraints; their forces as channels: JOINT/1.FX */
  TRAMMEL_SCALARS = 4,     /* VARIABLE, DIFF, LSE, TFSISO, forces that expressions read */
  TRAMMEL_RATES = 5        /* of the scalars that are differential; else 0 */
};
/* Items of the present state; `count` is their number. */
TRAMMEL_API int trammel_get(trammel_model* model, int quantity, double* values, size_t count);
/* Sets coordinates and velocities (null: as they are), brings both onto the constraints, and solves for
 * accelerations and reactions. It is for states nearby: at a state that this does not reach, TRAMMEL_SOLVER,
 * and the model is as it was. A simulation that has been begun is over. Revolutions of an angle are counted
 * from the present ones, half a turn at most. */
TRAMMEL_API int trammel_set(trammel_model* model, const double* coordinates, const double* velocities,
                            size_t count);

/* A state for residual and tangent. Null: as in the present state. */
typedef struct trammel_point {
  double time;
  const double *coordinates, *velocities, *accelerations, *multipliers, *scalars, *rates;
} trammel_point;
/* How a change D of the unknowns enters a point, for the tangent: coordinates change by `coordinates` times
 * the D of coordinates, velocities and accelerations by theirs; differential scalars by `scalars` times their
 * D and their rates by `rates` times it; multipliers and other scalars by their D. */
typedef struct trammel_coefficients {
  double coordinates, velocities, accelerations, scalars, rates;
} trammel_coefficients;
/* Residual of the equations of motion in dynamics at a point (null: the present state), one item per unknown:
 * inertia, reactions less forces per coordinate, constraints per multiplier, equations of scalars.
 * Constraints of positions are divided by coefficients->coordinates, those of velocities by
 * coefficients->velocities. Redundant rows hold their multiplier: 0 = multiplier. */
TRAMMEL_API int trammel_residual(trammel_model* model, const trammel_point* point,
                                 const trammel_coefficients* coefficients, double* residual, size_t count);
/* The pattern of the tangent in compressed columns, from 0: column k has the items column_start[k] to
 * column_start[k + 1] - 1 of `row`, rows sorted. unknowns + 1 and nonzeros items. */
TRAMMEL_API int trammel_tangent_pattern(trammel_model* model, int* column_start, size_t starts, int* row,
                                        size_t count);
/* Derivative of the residual by the unknowns as `coefficients` say, in the order of the pattern. */
TRAMMEL_API int trammel_tangent(trammel_model* model, const trammel_point* point,
                                const trammel_coefficients* coefficients, double* values, size_t count);

/* ---- saving and restoring */

/* All that the future depends on (the model with its changes, the state, the integrator with its history, a
 * simulation that has been begun, the next command), as bytes: of this machine and this version of the
 * library. They belong to the model and live until the next call with it. */
TRAMMEL_API int trammel_save(trammel_model* model, const void** bytes, size_t* count);
/* Goes on from there, with the same bits, in a model that was loaded from the same deck. TRAMMEL_INPUT for
 * damaged bytes and those of another model or version; the model is then as it was. */
TRAMMEL_API int trammel_restore(trammel_model* model, const void* bytes, size_t count);

/* ---- whole jobs */

/* Who hears of a job. Set it to zeros, then `size`: functions that are null are passed over. All but `stop`
 * hear what the screen would show. */
typedef struct trammel_listener {
  size_t size;
  void* user;
  void (*say)(void* user, const char* text);
  void (*error)(void* user, const char* text);
  void (*begin_steps)(void* user, double begin, double end);
  void (*step)(void* user, double time, double step, long long steps);
  void (*end_steps)(void* user, double time, double step, long long steps);
  int (*stop)(void* user); /* asked at every step; other than 0: finish the step, keep the results, and end */
  /* Of a batch, by any of its threads, one at a time. `kept`: of the variants, done before; `under_way`: what
   * others that have begun are through with, in variants. A caller of version 1 has no place for these. */
  void (*begin_variants)(void* user, size_t variants, size_t kept);
  void (*variants)(void* user, size_t done, size_t failed, double under_way);
  void (*end_variants)(void* user);
} trammel_listener;
/* Runs a whole job as the command line does, with its files and messages. `words`: those of the command line
 * from the program's name on, {"trammel", "run", "model.acf", "--end", "2"}; the files name them. The status
 * is the exit code. Signals stop it where the program watches them; nothing is printed. `listener` may be
 * null. */
TRAMMEL_API int trammel_run(int count, const char* const* words, const trammel_listener* listener);
/* The same for many variants of one model, {"trammel", "batch", "model.acf", "--variants", "table.csv"}. Of
 * the single variants the listener hears no steps; `stop` is asked by any thread, one at a time. */
TRAMMEL_API int trammel_batch(int count, const char* const* words, const trammel_listener* listener);

#ifdef __cplusplus
}
#endif

#endif
