// The C interface: simulations, state, equations, saving.
#include <algorithm>

#include "api/guarded.h"
#include "trammel/trammel.h"

using namespace trammel;

namespace trammel {

namespace {

/// Does work that simulates. Returns TRAMMEL_INTERRUPTED, which is no failure, where the caller's function
/// has stopped it.
template <class Work>
int simulated(trammel_model* model, const Work& work) noexcept {
  bool done = true;
  const int status = guarded(model, [&](ApiModel& m) { done = work(m); });
  return status == TRAMMEL_OK && !done ? TRAMMEL_INTERRUPTED : status;
}

const std::vector<double>& quantity_of_state(const State& state, int quantity) {
  switch (quantity) {
    case TRAMMEL_COORDINATES:
      return state.q;
    case TRAMMEL_VELOCITIES:
      return state.v;
    case TRAMMEL_ACCELERATIONS:
      return state.a;
    case TRAMMEL_MULTIPLIERS:
      return state.lambda;
    case TRAMMEL_SCALARS:
      return state.s;
    case TRAMMEL_RATES:
      return state.sdot;
    default:
      fail(ExitCode::usage, "there is no quantity {}; enum trammel_quantity has them", quantity);
  }
}

Coefficients coefficients_of(const trammel_coefficients* given) {
  const trammel_coefficients& c = place(given, "the coefficients");
  if (c.coordinates == 0 || c.velocities == 0)
    fail(ExitCode::usage, "constraints are divided by the coefficients of coordinates and velocities: not 0");
  return {c.accelerations, c.velocities, c.coordinates, c.scalars, c.rates};
}

std::string unknown(ApiModel& m, std::size_t index, bool equation) {
  const Model& model = m.unassembled().model();
  if (index >= static_cast<std::size_t>(model.unknowns()))
    fail(ExitCode::usage, "there is no unknown {}: there are {}, counted from 0", index, model.unknowns());
  const int k = static_cast<int>(index);
  return equation ? model.equation_name(k) : model.unknown_name(k);
}

std::size_t unknowns(ApiModel& m) {
  return static_cast<std::size_t>(m.unassembled().model().unknowns());
}

std::size_t nonzeros(ApiModel& m) {
  return m.unassembled().assembler().pattern().row.size();
}

}  // namespace

}  // namespace trammel

int trammel_run_commands(trammel_model* model) {
  return simulated(model, [](ApiModel& m) { return m.run_commands(); });
}

int trammel_begin(trammel_model* model, double end, double output_interval) {
  return guarded(model, [&](ApiModel& m) { m.begin(end, output_interval); });
}

int trammel_step(trammel_model* model, int* how) {
  return guarded(model, [&](ApiModel& m) {
    const int stands = m.step();
    if (how) *how = stands;
  });
}

int trammel_finish(trammel_model* model) {
  return simulated(model, [](ApiModel& m) { return m.finish(); });
}

int trammel_advance(trammel_model* model, double end, double output_interval) {
  return simulated(model, [&](ApiModel& m) {
    m.begin(end, output_interval);
    return m.finish();
  });
}

int trammel_standing(trammel_model* model, int* how) {
  return guarded(model, [&](ApiModel& m) { place(how, "the place of the answer") = m.how(); });
}

int trammel_time(trammel_model* model, double* time) {
  return guarded(model, [&](ApiModel& m) { place(time, "the place of the time") = m.time(); });
}

// ---- state

int trammel_get_sizes(trammel_model* model, trammel_sizes* sizes) {
  return guarded(model, [&](ApiModel& m) {
    const Model& of = m.unassembled().model();
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    place(sizes, "the place of the sizes") = {size(of.coordinates), size(of.multipliers), of.scalars.size(),
                                              unknowns(m), nonzeros(m)};
  });
}

const char* trammel_unknown_name(trammel_model* model, size_t index) {
  return guarded_text(model, [&](ApiModel& m) { return unknown(m, index, false); });
}

const char* trammel_equation_name(trammel_model* model, size_t index) {
  return guarded_text(model, [&](ApiModel& m) { return unknown(m, index, true); });
}

int trammel_get(trammel_model* model, int quantity, double* values, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    const std::vector<double>& present = quantity_of_state(m.session().state(), quantity);
    const std::span<double> out = array(values, count, present.size(), "items of the state");
    std::copy(present.begin(), present.end(), out.begin());
  });
}

int trammel_set(trammel_model* model, const double* coordinates, const double* velocities, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    const auto size = static_cast<std::size_t>(m.unassembled().model().coordinates);
    if (count != size)
      fail(ExitCode::usage, "{} coordinates or velocities were given where there are {}", count, size);
    m.set({coordinates, coordinates ? size : 0}, {velocities, velocities ? size : 0});
  });
}

int trammel_residual(trammel_model* model, const trammel_point* point,
                     const trammel_coefficients* coefficients, double* residual, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    const std::span<double> out = array(residual, count, unknowns(m), "items of the residual");
    m.residual(point, coefficients_of(coefficients), out);
  });
}

int trammel_tangent_pattern(trammel_model* model, int* column_start, size_t starts, int* row, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    const SparsePattern& pattern = m.unassembled().assembler().pattern();
    const std::span<int> columns = array(column_start, starts, unknowns(m) + 1, "starts of columns");
    const std::span<int> rows = array(row, count, nonzeros(m), "rows of the tangent");
    std::copy(pattern.column_start.begin(), pattern.column_start.end(), columns.begin());
    std::copy(pattern.row.begin(), pattern.row.end(), rows.begin());
  });
}

int trammel_tangent(trammel_model* model, const trammel_point* point,
                    const trammel_coefficients* coefficients, double* values, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    const std::span<double> out = array(values, count, nonzeros(m), "values of the tangent");
    m.tangent(point, coefficients_of(coefficients), out);
  });
}

// ---- saving

int trammel_save(trammel_model* model, const void** bytes, size_t* count) {
  return guarded(model, [&](ApiModel& m) {
    const void*& begin = place(bytes, "the place of the bytes");
    size_t& size = place(count, "the place of the count");
    model->bytes = m.save();
    begin = model->bytes.data(), size = model->bytes.size();
  });
}

int trammel_restore(trammel_model* model, const void* bytes, size_t count) {
  return guarded(model, [&](ApiModel& m) {
    place(static_cast<const char*>(bytes), "the bytes");
    m.restore(std::string(static_cast<const char*>(bytes), count));
  });
}
