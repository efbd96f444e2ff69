// The function expressions that the equations of a deck are made of: trees with what is known of every node,
// and which statement leads to which.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "advice/range.h"
#include "dataset/description.h"
#include "expression/builtins.h"
#include "expression/parse.h"

namespace trammel {

/// What a node does to the value of its expression. no: nothing, as it is multiplied by 0, stands in a branch
/// of IF that is never taken, or is part of a constant; choice: it only chooses the branch of an IF.
enum class Live : char { no, choice, value };

/// One expression of a statement. Children of a node have smaller indices than the node.
class DeckExpression {
 public:
  DeckExpression(const Statement& s, const Argument& a);

  const Statement* owner;
  const Argument* argument;
  ExpressionTree tree;
  std::vector<int> parent;  ///< per node; −1 of the root
  std::vector<Range> range;
  std::vector<Live> live;

  const Node& operator[](int node) const { return tree[node]; }
  bool lives(int node) const { return live[node] != Live::no; }
  const Range& range_of_child(int node, int k) const { return range[tree[node].child[k]]; }
  /// "SFORCE/3 (spring) FUNCTION"
  std::string label() const { return owner->label() + " " + std::string(argument->field->name); }
  /// "MAX at column 12"; of a binary node "** at column 12".
  std::string place(int node) const;
  /// Whether two nodes are the same text but for blanks; false for very long expressions.
  bool same(int a, int b) const { return shallow() && same_below(a, b); }
  /// Short enough for recursion over its nodes: a sum is as deep as it is long.
  bool shallow() const { return tree.nodes.size() <= 5000; }

 private:
  bool same_below(int a, int b) const;
};

/// The row of the table of functions that a call is of; nullptr for other nodes.
const Builtin* builtin_of(const Node& node);
/// Whether a call reads the motion: markers, forces, states of differential equations.
bool reads_motion(const Node& node);

class DeckExpressions {
 public:
  /// time: what TIME runs over. The description must outlive the object.
  DeckExpressions(const Description& deck, const Range& time);

  /// Those of statements that the equations read, in the order of the deck.
  const std::vector<DeckExpression>& all() const { return all_; }
  /// Those that a statement has.
  std::vector<const DeckExpression*> of(const Statement& s) const;
  /// The first element of the equations, in the order of the deck, that leads to a statement (or is it);
  /// nullptr: none does.
  const Statement* root(const Statement& s) const;
  /// Statements that one leads to by VARVAL, DIF, ARYVAL, splines ..., itself first.
  /// at_once: not through integrals, whose values are smoother than what they read (DIFF, LSE, TFSISO).
  std::vector<const Statement*> reached_from(const Statement& s, bool at_once) const;
  /// The active statement of that keyword and id; nullptr: there is none.
  const Statement* statement(std::string_view keyword, double id) const;
  /// ", read by SFORCE/3", where an expression is not that of the element itself.
  std::string read_by(const DeckExpression& e) const;

 private:
  void parse(const Statement& s);
  void reach(const Statement& root);
  void list_references(const DeckExpression& e);
  void list_fields(const Statement& s);
  void find_ranges(DeckExpression& e, int depth);
  Range range_of_node(const DeckExpression& e, int node, int depth);
  Range range_of_call(const DeckExpression& e, int node, int depth);
  static void find_live(DeckExpression& e);

  Range time_;
  std::map<std::pair<std::string_view, int>, const Statement*> by_id_;
  std::map<const Statement*, const Statement*> system_of_array_;
  std::map<const Statement*, std::vector<const Statement*>> references_;
  std::map<const Statement*, std::vector<int>> of_;  ///< statement → indices in all_
  std::vector<DeckExpression> all_;
  std::map<const Statement*, const Statement*> root_;
};

}  // namespace trammel
