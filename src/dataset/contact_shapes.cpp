#include "dataset/contact_shapes.h"

#include "base/text.h"
#include "geometry/touch.h"

namespace trammel {

namespace {

std::string_view shape_name(ShapeKind kind) {
  constexpr std::string_view names[] = {"ball", "ellipsoid", "box", "cylinder or frustum", "torus", "plane"};
  return names[static_cast<int>(kind)];
}

/// Of EXTERNAL: why its file is no shape here.
std::string file_reason(const Statement& graphics) {
  const std::string file = upper(graphics.text("FILE"));
  const bool parasolid = file.ends_with(".XMT_TXT") || file.ends_with(".X_T") || file.ends_with(".X_B") ||
                         file.ends_with(".XMT_BIN");
  return parasolid ? "EXTERNAL, a Parasolid file, which only Parasolid reads"
                   : "EXTERNAL, the shape of a file";
}

}  // namespace

std::optional<ShapeKind> shape_kind(const Statement& graphics) {
  const std::string_view shape = graphics.chosen("shape");
  if (shape == "ELLIPSOID") {
    const double x = graphics.real("XSCALE", 0);
    const bool round = x == graphics.real("YSCALE", 0) && x == graphics.real("ZSCALE", 0);
    return round ? ShapeKind::ball : ShapeKind::ellipsoid;
  }
  if (shape == "POINT") return ShapeKind::ball;
  if (shape == "BOX") return ShapeKind::box;
  if (shape == "CYLINDER" || shape == "FRUSTUM") return ShapeKind::frustum;
  if (shape == "TORUS") return ShapeKind::torus;
  if (shape == "PLANE") return ShapeKind::half_space;
  return std::nullopt;
}

std::string unsupported_shapes(const Description& description, const Statement& contact) {
  if (contact.spec->keyword != "CONTACT") return {};
  constexpr std::string_view mend =
      "between ELLIPSOID, POINT, BOX, CYLINDER, FRUSTUM, TORUS and PLANE there is contact with balls "
      "(ELLIPSOID "
      "with equal scales, POINT), and of BOX and ELLIPSOID with PLANE";
  const auto shapes = [&](std::string_view argument) {
    std::vector<const Statement*> list;
    const Argument* ids = contact.find(argument);
    for (double id : ids ? ids->numbers : std::vector<double>())
      if (const Statement* g = description.find("GRAPHICS", static_cast<int>(id))) list.push_back(g);
    return list;
  };
  const std::vector<const Statement*> of_I = shapes("IGEOM"), of_J = shapes("JGEOM");
  for (const auto& list : {of_I, of_J})
    for (const Statement* g : list)
      if (!shape_kind(*g))
        return fmt::format(
            "{} is {}; {}", g->label(),
            g->has("EXTERNAL") ? file_reason(*g) : "no solid: " + std::string(g->chosen("shape")), mend);
  for (const Statement* a : of_I)
    for (const Statement* b : of_J)
      if (pair_kind(*shape_kind(*a), *shape_kind(*b)) == PairKind::none)
        return fmt::format("contact of {}, a {}, with {}, a {}, is not supported; {}", a->label(),
                           shape_name(*shape_kind(*a)), b->label(), shape_name(*shape_kind(*b)), mend);
  return {};
}

}  // namespace trammel
