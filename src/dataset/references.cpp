// Checks across statements: duplicates, ids that do not exist, ground, owners of markers.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "dataset/check.h"
#include "dataset/contact_shapes.h"
#include "dataset/names.h"
#include "dataset/parse.h"
#include "dataset/scanner.h"
#include "dataset/statement_index.h"

namespace trammel {

namespace {

using IdTable = StatementIndex::IdTable;

struct Owner {
  std::string_view keyword;
  int id = 0;
  bool operator==(const Owner&) const = default;
};

/// The body of a marker; no keyword when it has none.
Owner owner_of(const Statement& marker) {
  for (std::string_view keyword : {"PART", "POINT_MASS", "FLEX_BODY", "FE_PART"})
    if (const auto id = marker.id_of(keyword)) return {keyword, *id};
  return {};
}

std::string label(const Owner& owner) {
  return fmt::format("{}/{}", owner.keyword, owner.id);
}

/// Up to six ids around `id` in a sorted list: "201, 202, 204", with dots where more follow.
std::string ids_near(const std::vector<int>& ids, int id) {
  constexpr std::size_t most = 6;
  const auto at = static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  std::size_t begin = at > most / 2 ? at - most / 2 : 0;
  const std::size_t end = std::min(ids.size(), begin + most);
  begin = end > most ? end - most : 0;
  std::string out = begin > 0 ? "..." : "";
  for (std::size_t k = begin; k < end; ++k) out += fmt::format("{}{}", out.empty() ? "" : ", ", ids[k]);
  return end < ids.size() ? out + ", ..." : out;
}

/// The ids of the markers of a body, ascending.
std::vector<int> markers_of(const IdTable& markers, const Owner& owner) {
  std::vector<int> ids;
  for (const auto& [id, marker] : markers)
    if (owner_of(*marker) == owner) ids.push_back(id);
  return ids;
}

/// What exists instead: "(PART/2 has 201, 202, 204)" for markers, "(there are 1, 2, 3)" for others.
/// For markers the body is that of the marker with the nearest id.
std::string alternatives(const IdTable& table, std::string_view keyword, int id) {
  if (table.empty()) return fmt::format("there is no {} at all", keyword);
  if (keyword == "MARKER") {
    auto nearest = StatementIndex::not_before(table, id);
    if (nearest == table.end() ||
        (nearest != table.begin() && id - std::prev(nearest)->first <= nearest->first - id))
      nearest = std::prev(nearest);
    const Owner owner = owner_of(*nearest->second);
    if (!owner.keyword.empty())
      return fmt::format("{} has {}", label(owner), ids_near(markers_of(table, owner), id));
  }
  std::vector<int> ids;
  for (const auto& entry : table) ids.push_back(entry.first);
  return fmt::format("there {} {}", ids.size() == 1 ? "is only" : "are", ids_near(ids, id));
}

std::string noun(std::string_view keyword) {
  if (keyword == "MARKER") return "marker";
  return std::string(keyword);
}

/// Whether a force gives a torque that the deck asks for by itself, beside that of a force at a distance.
bool gives_torque(const Statement& s) {
  const std::string_view keyword = s.spec->keyword;
  if (keyword == "SFORCE" || keyword == "SPRINGDAMPER") return s.has("ROTATION");
  if (keyword == "VTORQUE") return true;
  if (keyword != "GFORCE" && keyword != "BUSHING") return false;
  for (std::string_view name : {"TX", "TY", "TZ", "TXYZ", "KT", "CT", "TORQUE"}) {
    const Argument* a = s.find(name);
    if (a == nullptr) continue;
    if (a->field->kind == FieldKind::expression
            ? parse_number(trim(a->text)) != 0.0
            : std::any_of(a->numbers.begin(), a->numbers.end(), [](double value) { return value != 0; }))
      return true;
  }
  return false;
}

class ReferenceCheck {
 public:
  ReferenceCheck(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics), index_(description) {}

  bool too_many() const { return diagnostics_.full(); }
  void duplicates();
  void references(const Statement& statement);
  void ground();
  void part(const Statement& statement);
  void marker(const Statement& statement);
  void actions(const Statement& statement);
  void torques(const Statement& statement);
  void marker_lists(const Statement& statement);
  void contact_shapes(const Statement& statement);
  void frames_in_circles();
  void floating_owners();

 private:
  const Statement* marker_of(const Statement& statement, std::string_view name) const {
    const auto id = statement.id_of(name);
    return id ? index_.find("MARKER", *id) : nullptr;
  }

  void arguments_of_shape(const Statement& graphics, const Statement& contact);

  const Description& description_;
  Diagnostics& diagnostics_;
  StatementIndex index_;
  std::set<int> shapes_;  ///< ids of the GRAPHICS whose arguments have been looked at
  bool any_frame_ = false, any_floating_ = false;  ///< whether a marker has an RM, a force a JFLOAT
};

void ReferenceCheck::duplicates() {
  if (index_.unique()) return;
  for (const Statement& statement : description_.statements) {
    const Statement* first = index_.find(statement.spec->keyword, statement.id);
    if (first == &statement || statement.spec->repeats || too_many()) continue;
    diagnostics_.error(statement.where, "{}: given twice; first at {}{}", statement.label(),
                       to_string(first->where),
                       statement.spec->has_id ? "; ids are unique per statement" : "");
  }
}

void ReferenceCheck::references(const Statement& statement) {
  for (const Argument& argument : statement.arguments) {
    const std::string_view target = argument.field->refers;
    if (target.empty()) continue;
    any_floating_ = any_floating_ || argument.field->name == "JFLOAT";
    for (double number : argument.numbers) {
      const int id = static_cast<int>(number);
      if (id <= 0 || index_.find(target, id) != nullptr || description_.find_absent(target, id)) continue;
      if (too_many()) return;
      diagnostics_.error(argument.where, "{}: {} {} does not exist ({})", statement.label(), noun(target), id,
                         alternatives(index_.table(target), target, id));
    }
  }
}

void ReferenceCheck::ground() {
  const Statement* first = nullptr;
  for (const Statement& statement : description_.statements) {
    if (statement.spec->keyword != "PART" || !statement.has("GROUND")) continue;
    if (first != nullptr)
      diagnostics_.error(statement.find("GROUND")->where, "{}: GROUND is given twice; first by {} at {}",
                         statement.label(), first->label(), to_string(first->where));
    if (first == nullptr) first = &statement;
  }
  const bool unknown = std::any_of(description_.absent.begin(), description_.absent.end(),
                                   [](const Absence& a) { return a.keyword.empty() || a.keyword == "PART"; });
  if (first == nullptr && !unknown)
    diagnostics_.error({description_.file, 0}, "no PART has GROUND; add PART/1, GROUND");
}

void ReferenceCheck::part(const Statement& statement) {
  const std::string_view keyword = statement.spec->keyword;
  if (keyword != "PART" && keyword != "POINT_MASS") return;
  for (std::string_view name : {"CM", "IM"}) {
    const Statement* marker = marker_of(statement, name);
    if (marker == nullptr) continue;
    const Owner owner = owner_of(*marker);
    if (owner.keyword.empty()) continue;
    const auto& where = statement.find(name)->where;
    if (owner != Owner{keyword, statement.id}) {
      const std::vector<int> own = markers_of(index_.table("MARKER"), {keyword, statement.id});
      diagnostics_.error(where, "{}: {}={} is a marker of {}; it must be one of its own ({})",
                         statement.label(), name, marker->id, label(owner),
                         own.empty() ? "it has none" : "it has " + ids_near(own, marker->id));
    } else if (marker->has("FLOATING")) {
      diagnostics_.error(where, "{}: {}={} is FLOATING; it must be fixed on the body", statement.label(),
                         name, marker->id);
    }
  }
}

void ReferenceCheck::marker(const Statement& statement) {
  if (statement.spec->keyword != "MARKER") return;
  const Statement* frame = marker_of(statement, "RM");
  if (frame == nullptr) return;
  any_frame_ = true;
  const auto& where = statement.find("RM")->where;
  if (frame == &statement) {
    diagnostics_.error(where, "{}: RM is the marker itself", statement.label());
  } else if (owner_of(*frame) != owner_of(statement)) {
    diagnostics_.error(where, "{}: RM={} is a marker of {}; it must be on the same body", statement.label(),
                       frame->id, label(owner_of(*frame)));
  } else if (frame->has("FLOATING")) {
    diagnostics_.error(where, "{}: RM={} is FLOATING; it must be fixed on the body", statement.label(),
                       frame->id);
  }
}

/// Markers whose frames (RM) lead back to themselves. Each marker is walked over once.
void ReferenceCheck::frames_in_circles() {
  if (!any_frame_) return;
  enum class Mark { fresh, on_this_walk, done };
  std::unordered_map<const Statement*, Mark> marks;
  for (const auto& [id, start] : index_.table("MARKER")) {
    if (!start->has("RM")) continue;
    std::vector<const Statement*> walk;
    const Statement* at = start;
    for (; at != nullptr && marks[at] == Mark::fresh; at = marker_of(*at, "RM")) {
      marks[at] = Mark::on_this_walk;
      walk.push_back(at);
    }
    if (at != nullptr && marks[at] == Mark::on_this_walk && walk.back() != at)
      diagnostics_.error(at->find("RM")->where, "{}: RM leads back to the marker itself, through {}",
                         at->label(), walk.back()->label());
    for (const Statement* marker : walk) marks[marker] = Mark::done;
  }
}

/// Joints, motions and forces with a reaction act between two bodies, on markers that are fixed there.
void ReferenceCheck::actions(const Statement& statement) {
  if (!statement.spec->between_bodies) return;
  for (std::string_view name : {"I", "J", "RM"}) {
    const Statement* marker = marker_of(statement, name);
    if (marker != nullptr && marker->has("FLOATING"))
      diagnostics_.error(statement.find(name)->where, "{}: {}={} is FLOATING; it must be a fixed marker",
                         statement.label(), name, marker->id);
  }
  const std::string_view other = statement.has("JFLOAT") ? "JFLOAT" : "J";
  const Statement* i = marker_of(statement, "I");
  const Statement* j = marker_of(statement, other);
  if (i == nullptr || j == nullptr || owner_of(*i).keyword.empty() || owner_of(*j).keyword.empty()) return;
  // Without reaction J only gives directions, and may stand on the body itself.
  if (owner_of(*i) == owner_of(*j) && !statement.has("ACTIONONLY"))
    diagnostics_.error(statement.find(other)->where,
                       "{}: I={} and {}={} are both on {}; they must be on "
                       "different bodies",
                       statement.label(), i->id, other, j->id, label(owner_of(*i)));
}

/// A point mass does not turn.
void ReferenceCheck::torques(const Statement& statement) {
  if (!gives_torque(statement)) return;
  for (std::string_view name : {"I", "J", "JFLOAT"}) {
    if (name != "I" && statement.has("ACTIONONLY")) return;
    const Statement* marker = marker_of(statement, name);
    if (marker == nullptr) continue;
    if (const Owner owner = owner_of(*marker); owner.keyword == "POINT_MASS")
      diagnostics_.warning(
          statement.find(name)->where,
          "{}: its torque has no effect on {}={}: {} is a point and does not turn; give a PART "
          "with inertia",
          statement.label(), name, marker->id, label(owner));
  }
}

/// A list names fixed markers, each once; of a statement between bodies none is on the body of J.
void ReferenceCheck::marker_lists(const Statement& statement) {
  const Statement* j = statement.spec->between_bodies ? marker_of(statement, "J") : nullptr;
  for (const Argument& list : statement.arguments) {
    if (list.field->kind != FieldKind::ids || list.field->refers != "MARKER") continue;
    std::set<double> known;
    for (double id : list.numbers) {
      const Statement* i = index_.find("MARKER", static_cast<int>(id));
      if (i == nullptr) continue;
      if (i->has("FLOATING"))
        diagnostics_.error(list.where, "{}: {}={} is FLOATING; it must be a fixed marker", statement.label(),
                           list.field->name, i->id);
      const bool line = list.field->name == "OUTLINE";  // which may come back to a marker
      if (!line && !known.insert(id).second)
        diagnostics_.error(list.where, "{}: marker {} is named twice", statement.label(), i->id);
      if (j != nullptr && !owner_of(*i).keyword.empty() && owner_of(*i) == owner_of(*j))
        diagnostics_.error(list.where,
                           "{}: marker {} and J={} are both on {}; they must be on different bodies",
                           statement.label(), i->id, j->id, label(owner_of(*i)));
    }
  }
}

/// A picture may have any argument, but not a shape that a CONTACT takes: what is misspelt would be missing
/// there, and what belongs to another shape does nothing. Where the shape itself is unknown, that is told
/// elsewhere.
void ReferenceCheck::arguments_of_shape(const Statement& graphics, const Statement& contact) {
  if (graphics.chosen("shape").empty()) return;
  for (const Argument& argument : graphics.arguments) {
    if (argument.field != &raw_field()) {
      if (!shape_depends_on(graphics, argument.field->name))
        diagnostics_.warning(argument.where, "{}: {} has no effect in shape {}, which {} takes",
                             graphics.label(), argument.field->name, graphics.chosen("shape"),
                             contact.label());
      continue;
    }
    Scanner scan{argument.text};
    const std::string_view word = scan.word();
    const Lookup found = find_field(graphics.spec->fields, word);
    if (found.candidates.empty())
      diagnostics_.error(argument.where, "{}: unknown argument {} of a shape that {} takes{}",
                         graphics.label(), in_quotes(word), contact.label(),
                         arguments_instead(*graphics.spec, word));
    else
      diagnostics_.error(argument.where, "{}: argument {} of a shape that {} takes is ambiguous: {}",
                         graphics.label(), in_quotes(word), contact.label(), join_names(found.candidates));
  }
}

/// A CONTACT names each shape of one side once: twice it would push twice.
void ReferenceCheck::contact_shapes(const Statement& statement) {
  if (statement.spec->keyword != "CONTACT") return;
  for (std::string_view side : {"IGEOM", "JGEOM"}) {
    const Argument* list = statement.find(side);
    if (list == nullptr) continue;
    std::set<double> known;
    for (double id : list->numbers) {
      const Statement* graphics = index_.find("GRAPHICS", static_cast<int>(id));
      if (graphics == nullptr) continue;
      if (too_many()) return;
      if (!known.insert(id).second)
        diagnostics_.error(list->where, "{}: {} is named twice in {}; name each shape once",
                           statement.label(), graphics->label(), side);
      if (shapes_.insert(graphics->id).second) arguments_of_shape(*graphics, statement);
    }
  }
}

/// A floating marker belongs to one force: the force places it.
void ReferenceCheck::floating_owners() {
  if (!any_floating_) return;
  std::unordered_map<int, const Statement*> first;
  for (const Statement& statement : description_.statements) {
    const Statement* marker = marker_of(statement, "JFLOAT");
    if (marker == nullptr || too_many()) continue;
    const auto& where = statement.find("JFLOAT")->where;
    if (!marker->has("FLOATING"))
      diagnostics_.error(where, "{}: JFLOAT={} is not FLOATING; write MARKER/{}, PART=..., FLOATING",
                         statement.label(), marker->id, marker->id);
    const auto [known, fresh] = first.emplace(marker->id, &statement);
    if (!fresh)
      diagnostics_.error(where, "{}: JFLOAT={} belongs to {} already; each force needs its own",
                         statement.label(), marker->id, known->second->label());
  }
}

}  // namespace

void check_description(const Description& description, Diagnostics& diagnostics) {
  ReferenceCheck check(description, diagnostics);
  check.duplicates();
  for (const Statement& statement : description.statements) {
    if (check.too_many()) return;
    if (&description.statements.back() - &statement > statements_ahead)
      ask_for_arguments(*(&statement + statements_ahead));
    check.references(statement);
    check.part(statement);
    check.marker(statement);
    check.actions(statement);
    check.torques(statement);
    check.marker_lists(statement);
    check.contact_shapes(statement);
  }
  check.frames_in_circles();
  check.floating_owners();
  check.ground();
}

}  // namespace trammel
