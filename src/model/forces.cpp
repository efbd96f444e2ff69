// Forces.
#include "model/compiler.h"

namespace trammel {

void Compiler::compile_flexible_connectors() {
  for (const Statement& s : description_.statements)
    ForceStatements::for_each([&]<class Force>(Force) {
      if (Force::spec.keyword != s.spec->keyword) return;
      FlexibleConnector f;
      f.name = name_of(s);
      f.I = marker_index(s, "I");
      f.J = marker_index(s, "J");
      f.law = Force::read(s);
      const CountedAngles angles = std::visit([](const auto& l) { return counted_angles(l); }, f.law);
      if (angles.count > 0) f.angle = model_.angles;
      model_.angles += angles.count;
      model_.flexible_connectors.push_back(f);
    });
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

void Compiler::compile_nodal_forces() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "NFORCE") continue;
    const Argument* markers = s.find("IMARKERS");
    if (!markers) continue;
    NodalForce f;
    f.name = name_of(s);
    f.J = marker_index(s, "J");
    for (double id : markers->numbers) f.I.push_back(marker_.at(static_cast<int>(id)));
    f.angle = model_.angles;
    model_.angles += 3 * f.count();
    const int n = 6 * f.count();
    const std::string why = fmt::format("six for each of its {} IMARKERS", f.count());
    const MatrixData *k = matrix_of(s, "KMATRIX", n, n, why), *c = matrix_of(s, "CMATRIX", n, n, why);
    if (k) f.k = k->values;
    f.k.resize(static_cast<std::size_t>(n) * n);
    if (c) f.c = c->values;
    f.c.resize(f.k.size());
    if (s.has("CRATIO"))
      for (std::size_t e = 0; e < f.k.size(); ++e) f.c[e] = s.real("CRATIO", 0) * f.k[e];
    for (auto [argument, list] : {std::pair{"FORCE", &f.force}, std::pair{"LENGTH", &f.length}}) {
      list->assign(n, 0.0);
      const ArrayData* a = array_of(s, argument, ArrayKind::numbers);
      if (!a) continue;
      if (a->size == n)
        *list = a->numbers;
      else
        diagnostics_.error(s.find(argument)->where, "{}: {}=ARRAY/{} has {} numbers; it must have {}, {}",
                           s.label(), argument, *s.id_of(argument), a->size, n, why);
    }
    model_.nodal_forces.push_back(std::move(f));
  }
}

}  // namespace trammel
