// A function expression: parser, compiler, and one evaluation on markers and states that do not move.
#include <cmath>
#include <deque>
#include <vector>

#include "entry.h"
#include "expression/compile.h"
#include "expression/evaluate.h"
#include "expression/spline_table.h"

using namespace trammel;

namespace {

/// Markers 1 to 5, states 1 to 4, a curve and a surface; nothing else exists.
class FewElements : public Resolver {
 public:
  FewElements() {
    splines.push_back(make_spline_table(1, {0, 1, 2, 4}, {}, {0, 1, 4, 16}, false));
    splines.push_back(make_spline_table(2, {0, 1, 2, 4}, {0, 1}, {0, 1, 4, 16, 0, 2, 8, 32}, true));
  }
  int marker(int id) override {
    if (id > 5) fail(ExitCode::input, "marker {} does not exist", id);
    return id;
  }
  int spline(int id) override {
    if (id < 1 || id > 2) fail(ExitCode::input, "SPLINE/{} does not exist", id);
    return id - 1;
  }
  bool spline_is_surface(int index) override { return index == 1; }
  int angle_counter(Measure, int, int) override { return counters++; }
  int delay_buffer(int, const Tape&, double, const Tape*) override {
    buffers.emplace_back();
    return static_cast<int>(buffers.size()) - 1;
  }
  std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder& builder) override {
    const int id = call.count() == 1 ? call.integer(0) : 0;
    if (call.name != "VARVAL" && call.name != "DIF") return std::nullopt;
    if (id < 1 || id > 4) fail(ExitCode::input, "{}/{} does not exist", call.name, id);
    return TapeValue::scalar(builder.state(id - 1));
  }

  std::vector<SplineTable> splines;
  std::deque<DelayBuffer> buffers;
  int counters = 0;
};

void evaluate_once(const Tape& tape, const FewElements& model) {
  std::vector<MarkerKinematics<double>> markers(tape.markers.size());
  for (std::size_t k = 0; k < markers.size(); ++k) {
    markers[k].r = {1.0 * tape.markers[k].marker, 0.5, -0.25};
    markers[k].A = Mat3d::identity();
  }
  std::vector<double> states(tape.states.size(), 0.75), rates(tape.rates.size(), 0.25),
      angles(tape.angles.size()), registers(tape.code.size()), adjoints(tape.code.size());
  std::vector<SplineView> splines;
  for (const SplineTable& s : model.splines) splines.push_back(view(s));
  std::vector<DelayView> delays;
  for (const DelayBuffer& b : model.buffers) delays.push_back(b.view(true));
  TapeInputs<double> in;
  in.time = 1.5;
  in.markers = markers.data();
  in.states = states.data();
  in.rates = rates.data();
  in.angles = angles.data();
  in.tables = {splines.data(), delays.data()};
  const TapeStatus status = evaluate(view(tape), in, registers.data());
  if (!status.ok()) {
    fuzz::require(!describe(tape, status).empty(), "an evaluation error without text");
    return;
  }
  std::vector<double> on_markers(18 * markers.size()), on_states(states.size()), on_rates(rates.size());
  TapeGradient<double> out;
  out.markers = on_markers.data();
  out.states = on_states.data();
  out.rates = on_rates.data();
  gradient(view(tape), in, registers.data(), adjoints.data(), 0, out);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FewElements model;
  try {
    const Tape tape = compile_expression(fuzz::text_of(data, size), model);
    evaluate_once(tape, model);
  } catch (const Failure& failure) {
    fuzz::require(failure.what()[0] != '\0', "an empty message");
    fuzz::require(failure.code() == ExitCode::input || failure.code() == ExitCode::unsupported,
                  failure.what());
  }
  return 0;
}
