// Forces.
#include "model/compiler.h"

namespace trammel {

void Compiler::compile_connectors() {
  for (const Statement& s : statements_.all(keywords_of(ForceStatements())))
    ForceStatements::for_each([&]<class Force>(Force) {
      if (Force::spec.keyword != s.spec->keyword) return;
      Connector f;
      f.name = name_of(s);
      f.I = marker_index(s, "I");
      f.J = marker_index(s, "J");
      f.law = as_force_law(Force::read(s));
      const CountedAngles angles = std::visit([](const auto& l) { return counted_angles(l); }, f.law);
      if (angles.count > 0) f.angle = model_.angles;
      model_.angles += angles.count;
      model_.connectors.push_back(f);
    });
}

void Compiler::compile_expression_forces() {
  constexpr std::string_view components[6] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  for (const Statement& s : statements_.all(expression_force_keywords)) {
    const std::string_view keyword = s.spec->keyword;
    if (keyword == "MFORCE") {
      model_.expression_forces.push_back(modal_force(s));
      continue;
    }
    const bool single = keyword == "SFORCE";
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
      const LocalMarker* local = floating ? local_.find(*floating) : nullptr;
      const int body = local && local->owner ? local->owner->body : -1;
      f.J = body >= 0 ? model_.bodies[body].center_marker : 0;
      if (local && !local->floating)
        diagnostics_.warning(
            s.where, "{}: JFLOAT={} is a fixed marker; the reaction acts at the I marker all the same",
            s.label(), *floating);
      if (const Argument* user = s.find("FUNCTION")) {
        const std::vector<int> tapes = user_tapes(s, *user, true);
        for (std::size_t k = 0; k < 3 * tapes.size(); ++k) {
          const std::size_t to = keyword == "VTORQUE" ? 3 + k : k;
          f.components[to] = tapes[k / 3];
          f.result[to] = static_cast<int>(k % 3);
        }
      }
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

/// Values of the MATRIX and ARRAY that a statement names; zeros where it names none.
class Compiler::NamedValues {
 public:
  NamedValues(Compiler& compiler, const Statement& s) : c_(compiler), s_(s) {}
  std::vector<double> matrix(std::string_view argument, int rows, int columns, const std::string& why) const {
    const MatrixData* m = c_.matrix_of(s_, argument, rows, columns, why);
    return m ? m->values : std::vector<double>(static_cast<std::size_t>(rows) * columns);
  }
  std::vector<double> array(std::string_view argument, int size, const std::string& why) const {
    const ArrayData* a = c_.array_of(s_, argument, ArrayKind::numbers);
    if (a && a->size == size) return a->numbers;
    if (a)
      c_.diagnostics_.error(s_.find(argument)->where, "{}: {}=ARRAY/{} has {} numbers; it must have {}, {}",
                            s_.label(), argument, *s_.id_of(argument), a->size, size, why);
    return std::vector<double>(size);
  }

 private:
  Compiler& c_;
  const Statement& s_;
};

void Compiler::compile_multi_point_forces() {
  for (const Statement& s : statements_.all(keywords_of(MultiPointStatements())))
    MultiPointStatements::for_each([&]<class Force>(Force) {
      if (Force::spec.keyword != s.spec->keyword) return;
      MultiPointForce f;
      f.name = name_of(s);
      Force::pairs(s, [&](int I, int J) {
        f.I.push_back(marker_at(I));
        f.J.push_back(marker_at(J));
      });
      using Law = typename Force::Law;
      f.law = MultiPointLaws::index_of<Law>();
      f.angle = model_.angles;
      f.angles = Law::counted.count * f.pairs();
      model_.angles += f.angles;
      NamedValues values(*this, s);
      f.parameters = Force::read(s, f.pairs(), values);
      model_.multi_point_forces.push_back(std::move(f));
    });
}

}  // namespace trammel
