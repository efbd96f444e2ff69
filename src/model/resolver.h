// What function expressions may ask of the model under construction.
#pragma once

#include "model/compiler.h"

namespace trammel {

class ModelResolver : public Resolver {
 public:
  explicit ModelResolver(Compiler& compiler) : c_(compiler) {}

  int marker(int id) override;
  int spline(int id) override;
  bool spline_is_surface(int index) override { return c_.model_.splines[index].z.size() > 1; }
  bool spline_is_history(int index) override { return c_.model_.splines[index].history; }
  int angle_counter(Measure measure, int i, int j) override;
  int delay_buffer(int id, const Tape& value, double longest, const Tape* lag) override;
  std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder& builder) override;

  /// Value of VARIABLE/id: its unknown or, in constraints, its expression. Throws Failure if there is none.
  TapeValue variable(int id, TapeBuilder& builder);
  /// Entry k (from 1) of ARRAY/id.
  TapeValue array_entry(int id, int k, TapeBuilder& builder);

 private:
  TapeValue scalar_read(int id, TapeBuilder& builder, const std::unordered_map<int, int>& table,
                        std::string_view statement, bool rate);
  TapeValue modal_coordinate(const SystemCall& call, TapeBuilder& builder);
  TapeValue sensor_value(int id, TapeBuilder& builder);
  TapeValue taken_in(const Statement& s, TapeBuilder& builder);
  TapeValue curve_coordinate(const SystemCall& call, TapeBuilder& builder);
  TapeValue group_entry(std::string_view statement, int id, int k, TapeBuilder& builder);
  TapeValue element_force(const SystemCall& call, TapeBuilder& builder, std::string_view statement);
  TapeValue multi_point_force(const SystemCall& call, TapeBuilder& builder, std::string_view statement);
  TapeValue friction_measure(int id, int number, TapeBuilder& builder);
  TapeValue net_force(const SystemCall& call, TapeBuilder& builder);
  const Compiler::EndsIndex& ends_index();
  using Wrench = std::array<Register, 6>;
  Wrench wrench_on(const Compiler::ForceEnds& end, bool on_j, TapeBuilder& builder);
  TapeValue component(const Wrench& w, int component, int rm, TapeBuilder& builder);

  Compiler& c_;
};

}  // namespace trammel
