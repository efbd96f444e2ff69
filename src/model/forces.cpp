// Forces, scalar equations and splines.
#include "model/compiler.h"

#include "expression/spline_table.h"

namespace trammel {

namespace {

Vec3d three(const Statement& s, std::string_view name) {
  const Argument* a = s.find(name);
  return a ? Vec3d{a->numbers[0], a->numbers[1], a->numbers[2]} : Vec3d{};
}

}  // namespace

void Compiler::compile_law_forces() {
  for (const Statement& s : description_.statements) {
    const bool bushing = s.spec->keyword == "BUSHING";
    if (!bushing && s.spec->keyword != "SPRINGDAMPER") continue;
    LawForce f;
    f.name = name_of(s);
    f.I = marker_index(s, "I");
    f.J = marker_index(s, "J");
    if (bushing) {
      f.kind = LawKind::bushing;
      f.bushing = {three(s, "K"),  three(s, "C"),     three(s, "KT"),
                   three(s, "CT"), three(s, "FORCE"), three(s, "TORQUE")};
      f.angle = model_.angles;
      model_.angles += 3;
    } else if (s.has("ROTATION")) {
      f.springdamper = {true, s.real("KT", 0), s.real("CT", 0), s.real("ANGLE", 0), s.real("TORQUE", 0)};
      f.angle = model_.angles++;
    } else {
      f.springdamper = {false, s.real("K", 0), s.real("C", 0), s.real("LENGTH", 0), s.real("FORCE", 0)};
    }
    model_.law_forces.push_back(f);
  }
}

void Compiler::compile_expression_forces() {
  constexpr std::string_view components[6] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  for (const Statement& s : description_.statements) {
    const std::string_view keyword = s.spec->keyword;
    const bool single = keyword == "SFORCE";
    if (!single && keyword != "VFORCE" && keyword != "VTORQUE" && keyword != "GFORCE") continue;
    ExpressionForce f;
    f.name = name_of(s);
    f.I = marker_index(s, "I");
    if (single) {
      f.law = {s.has("ROTATION") ? AppliedKind::rotation : AppliedKind::translation, s.has("ACTIONONLY")};
      f.J = marker_index(s, "J");
      if (const Argument* a = s.find("FUNCTION"))
        f.components[0] = compile_tape(s, *a, ResultKind::scalar, true);
    } else {
      f.law = {AppliedKind::vector, false};
      f.RM = marker_index(s, "RM", 0);
      const auto floating = s.id_of("JFLOAT");
      const auto local = floating ? local_.find(*floating) : local_.end();
      const int body = local != local_.end() && local->second.owner ? local->second.owner->body : -1;
      f.J = body >= 0 ? model_.bodies[body].center_marker : 0;
      if (local != local_.end() && !local->second.floating)
        diagnostics_.warning(
            s.where, "{}: JFLOAT={} is a fixed marker; the reaction acts at the I marker all the same",
            s.label(), *floating);
      for (int k = 0; k < 6; ++k)
        if (const Argument* a = s.find(components[k]))
          f.components[k] = compile_tape(s, *a, ResultKind::scalar, true);
      for (int half = 0; half < 2; ++half)
        if (const Argument* a = s.find(half == 0 ? "FXYZ" : "TXYZ")) {
          const int tape = compile_tape(s, *a, ResultKind::vector, true);
          for (int k = 0; k < 3; ++k) {
            f.components[3 * half + k] = tape;
            f.result[3 * half + k] = k;
          }
        }
    }
    model_.expression_forces.push_back(f);
  }
}

/// Reserves an unknown per VARIABLE and DIFF, so that expressions may refer forward; the tapes follow.
void Compiler::compile_scalars() {
  std::vector<std::pair<int, const Statement*>> owners;
  for (const Statement& s : description_.statements) {
    const bool variable = s.spec->keyword == "VARIABLE";
    if (!variable && s.spec->keyword != "DIFF") continue;
    const int index = model_.scalar_count();
    (variable ? scalar_of_variable_ : scalar_of_diff_)[s.id] = index;
    Scalar x;
    x.name = name_of(s);
    x.kind = variable            ? ScalarKind::variable
             : s.has("IMPLICIT") ? ScalarKind::implicit
                                 : ScalarKind::differential;
    if (const Argument* ic = s.find("IC")) {
      x.initial = ic->numbers[0];
      if (ic->numbers.size() > 1) x.initial_rate = ic->numbers[1];
    }
    if (s.has("DYNAMIC_HOLD"))
      diagnostics_.unsupported(s.where, "{}: DYNAMIC_HOLD is not supported yet", s.label());
    model_.scalars.push_back(x);
    owners.emplace_back(index, &s);
  }
  pending_scalars_ = owners;
}

void Compiler::compile_scalar_tapes() {
  for (const auto& [index, s] : pending_scalars_)
    if (const Argument* a = s->find("FUNCTION")) {
      const int tape = compile_tape(*s, *a, ResultKind::scalar, true);
      model_.scalars[index].tape = tape;
    }
}

void Compiler::compile_splines() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "SPLINE") continue;
    const Argument* x = s.find("X");
    if (!x) continue;
    std::vector<double> y, z;
    int rows = 0;
    for (const Argument& a : s.arguments) {
      if (a.field->name != "Y") continue;
      ++rows;
      const bool surface = a.numbers.size() == x->numbers.size() + 1;
      if (surface) z.push_back(a.numbers[0]);
      y.insert(y.end(), a.numbers.begin() + (surface ? 1 : 0), a.numbers.end());
    }
    if (rows == 0) continue;
    try {
      spline_of_[s.id] = static_cast<int>(model_.splines.size());
      model_.splines.push_back(make_spline_table(s.id, x->numbers, z, y, s.has("LINEAR_EXTRAPOLATE")));
    } catch (const Failure& failure) {
      diagnostics_.error(s.where, "{}: {}", s.label(), failure.what());
    }
  }
}

}  // namespace trammel
