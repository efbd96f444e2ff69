// Files of flexible bodies: what is written reads back, what is wrong is told.
#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "flexible/fem_file.h"
#include "flexible/modal_check.h"
#include "flexible/modal_file.h"

namespace trammel::files_test {
namespace {

using namespace test;

template <class T>
std::string bits(const std::vector<T>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T)};
}

/// All that both formats have.
void expect_same(const ModalBody& a, const ModalBody& b) {
  EXPECT_EQ(a.modes, b.modes);
  EXPECT_EQ(a.node_id, b.node_id);
  EXPECT_EQ(bits(a.position), bits(b.position));
  EXPECT_EQ(bits(a.translation), bits(b.translation));
  EXPECT_EQ(bits(a.rotation), bits(b.rotation));
  EXPECT_EQ(bits(a.stiffness), bits(b.stiffness));
  EXPECT_EQ(bits(a.damping), bits(b.damping));
  const Invariants &x = a.invariants, &y = b.invariants;
  EXPECT_EQ(x.mass, y.mass);
  EXPECT_EQ(bits(x.I3), bits(y.I3));
  EXPECT_EQ(bits(x.I4), bits(y.I4));
  EXPECT_EQ(bits(x.I5), bits(y.I5));
  EXPECT_EQ(bits(x.I6), bits(y.I6));
  EXPECT_EQ(bits(x.I8), bits(y.I8));
  EXPECT_EQ(bits(x.I9), bits(y.I9));
  for (int k = 0; k < 9; ++k) EXPECT_EQ(x.I7.m[k], y.I7.m[k]);
}

ModalBody beam_body() {
  ModalBody body = modes_of({.elements = 4}, {1, 5}, 3);
  body.damping = body.stiffness;
  body.invariants = lumped_invariants(body);
  return body;
}

TEST(ModalFiles, of_matrices_read_back_to_the_bits) {
  ModalBody body = beam_body();
  body.preload.assign(body.modes, 0.1);
  body.loads = {std::vector<double>(body.modes, 1.0 / 3), std::vector<double>(body.modes, 2.0 / 3)};
  const TemporaryFile file("a.mtx", write_mtx(body));
  const ModalBody read = read_mtx(file.path());
  expect_same(read, body);
  EXPECT_EQ(read.mode_id, body.mode_id);
  EXPECT_EQ(bits(read.frequency), bits(body.frequency));
  EXPECT_EQ(bits(read.preload), bits(body.preload));
  ASSERT_EQ(read.loads.size(), 2u);
  EXPECT_EQ(bits(read.loads[1]), bits(body.loads[1]));
  EXPECT_EQ(read.units.force, "NEWTON");
  EXPECT_EQ(read.units.length, "METER");
  for (int k = 1; k <= 9; ++k) EXPECT_TRUE(read.invariants.has[k]) << k;
}

TEST(ModalFiles, of_MBDyn_read_back_to_the_bits) {
  ModalBody body = beam_body();
  const TemporaryFile file("a.fem", write_fem(body));
  ModalBody read = read_fem(file.path());
  // Masses of nodes are told as three equal numbers, whose mean may differ in the last bit.
  for (std::size_t p = 0; p < body.node_mass.size(); ++p)
    EXPECT_NEAR(read.node_mass[p], body.node_mass[p], 1e-15 * body.node_mass[p]);
  read.node_mass = body.node_mass;
  const std::vector<double> mass = read.invariants.I6;
  read.invariants = lumped_invariants(read);
  read.invariants.I6 = mass;
  expect_same(read, body);
  for (std::size_t j = 6; j < body.frequency.size(); ++j)
    EXPECT_NEAR(read.frequency[j], body.frequency[j], 1e-12 * body.frequency[j]);
}

/// Fields of a Fortran format touch, exponents have three digits, and matrices may be sparse.
TEST(ModalFiles, have_fields_of_a_fixed_width) {
  const std::string text =
      "ADAMSMAT2   KILOGRAM  MILLIMETER  SECOND  NEWTON  TTFFFTTFF  [x.mnf]\n"
      "       8\n"
      "SELNOD            SELMOD            GENSTIFF          INVAR_1\n"
      "INVAR_2           INVAR_6           INVAR_7           T_MODE\n"
      "INVAR_1 FULL RORDER 1 1 1 (1E22.14)\n 2.00000000000000E+000\n"
      "INVAR_2 FULL RORDER 1 3 3 (3E22.14)\n"
      "-2.00000000000000E+000-4.00000000000000E-001 0.00000000000000E+000\n"
      "INVAR_6 SPARSE 2 2 2 (2I8,E22.14)\n       1       1 1.00000000000000E+000\n"
      "       2       2 1.00000000000000E+000\n"
      "INVAR_7 SPARSE RORDER 3 3 3 (2I8,E22.14)\n       1       1 9.00000000000000E+000\n"
      "       2       2 9.00000000000000E+000\n       3       3 9.00000000000000E+000\n"
      "SELNOD FULL RORDER 2 4 8 (1I8, 3E22.14)\n"
      "       7-2.42000000000000E-002-7.78000000000000E+001 1.00000000000000E+000\n"
      "      12 0.00000000000000E+000-7.78000000000000E+001 1.00000000000000E+000\n"
      "SELMOD FULL RORDER 2 2 4 (1I8, 1E22.14)\n       7 1.00000000000000E+001\n"
      "       9 2.00000000000000E+001\n"
      "GENSTIFF SPARSE 2 2 1 (2I8,E22.14)\n       2       2 5.00000000000000E+000\n"
      "T_MODE FULL CORDER 3 4 12 (3E22.14)\n"
      " 1.00000000000000E+000 2.00000000000000E+000 3.00000000000000E+000\n"
      " 4.00000000000000E+000 5.00000000000000E+000 6.00000000000000E+000\n"
      " 7.00000000000000E+000 8.00000000000000E+000 9.00000000000000E+000\n"
      " 1.00000000000000E+001 1.10000000000000E+001 1.20000000000000E+001\n";
  const TemporaryFile file("f.mtx", text);
  const ModalBody body = read_mtx(file.path());
  EXPECT_EQ(body.node_id, (std::vector<int>{7, 12}));
  EXPECT_EQ(body.position[0].x, -2.42e-2);
  EXPECT_EQ(body.position[0].y, -77.8);
  EXPECT_EQ(body.mode_id, (std::vector<int>{7, 9}));
  EXPECT_EQ(body.stiffness, (std::vector<double>{0, 0, 0, 5}));
  EXPECT_EQ(body.invariants.mass, 2);
  EXPECT_EQ(body.invariants.first.x, -2);
  EXPECT_EQ(body.translation[2].y, 8);  // of the second node the first mode
  EXPECT_FALSE(body.invariants.has[8]);
  EXPECT_TRUE(body.rotation.empty());
}

std::string refusal_of(const std::string& path) {
  Diagnostics diagnostics;
  try {
    check_modal_body(read_modal_body(path, diagnostics), diagnostics);
    diagnostics.stop_on_errors();
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    const std::size_t at = text.find(path);
    return at == std::string::npos ? text : text.substr(at + path.size());
  }
  return "accepted";
}

/// Invariants that may be missing, and what results lack without them.
TEST(ModalFiles, without_an_invariant_tell_what_is_wrong_with_results) {
  const std::pair<int, const char*> missing[] = {
      {3, "motions of the frame do not move its modes, nor gravity"},
      {4, "motions of the frame do not move its modes, nor gravity"},
      {5, "Coriolis forces between modes"},
      {8, "its moments of inertia stay those of the undeformed body"},
      {9, "centrifugal forces do not grow with its deformation"}};
  for (const auto& [k, lack] : missing) {
    ModalBody body = beam_body();
    body.invariants.has[k] = false;
    const TemporaryFile file("without.mtx", write_mtx(body));
    Diagnostics diagnostics;
    check_modal_body(read_modal_body(file.path(), diagnostics), diagnostics);
    std::string told;
    for (const Diagnostic& d : diagnostics.list()) told += d.text + "\n";
    EXPECT_NE(told.find(fmt::format("invariant {} is missing", k)), std::string::npos) << told;
    EXPECT_NE(told.find(lack), std::string::npos) << told;
  }
}

struct Wrong {
  std::string from, to, message;
};

/// A right file with one text in place of another.
void expect_refusals(const std::string& right, const std::string& end, const std::vector<Wrong>& list) {
  for (const Wrong& w : list) {
    std::string text = right;
    const std::size_t at = text.find(w.from);
    ASSERT_NE(at, std::string::npos) << w.from;
    text.replace(at, w.from.size(), w.to);
    const TemporaryFile file(end, text);
    EXPECT_EQ(refusal_of(file.path()), w.message);
  }
}

/// Two masses at two nodes and one mode.
const char* const small =
    "ADAMSMAT2   KILOGRAM  METER  SECOND  NEWTON  TTFFFTTFF\n8\nSELNOD SELMOD GENSTIFF INVAR1\nINVAR2 INVAR6 "
    "INVAR7 T_MODE\nSELNOD FULL RORDER 2 4 8\n1 0 0 0\n2 1 0 0\nSELMOD FULL RORDER 1 2 2\n7 5.0\nGENSTIFF "
    "FULL "
    "RORDER 1 1 1\n100\nINVAR1 FULL RORDER 1 1 1\n2\nINVAR2 FULL RORDER 1 3 3\n1 0 0\nINVAR6 FULL RORDER 1 1 "
    "1\n"
    "1.5\nINVAR7 FULL RORDER 3 3 9\n1 0 0\n0 2 0\n0 0 2\nT_MODE FULL CORDER 3 2 6\n0 1 0\n0 -1 0\n";

TEST(ModalFiles, of_matrices_that_are_wrong_say_where) {
  const TemporaryFile right("s.mtx", small);
  EXPECT_EQ(refusal_of(right.path()), "accepted");
  expect_refusals(
      small, "w.mtx",
      {{"ADAMSMAT2", "ADAMS", ":1: the first record must begin with ADAMSMAT"},
       {"SELMOD FULL RORDER 1 2 2\n7 5.0\n", "", ":22: the file ends where the name of a matrix is expected"},
       {"SELMOD", "SELMUD", ":24: SELMUD is listed, but does not follow"},
       {"8\nSELNOD", "eight\nSELNOD", ":2: the number of matrices must be a positive integer, found 'eight'"},
       {"2 1 0 0\n", "2 1 0\n", ":8: 'SELMOD' in SELNOD is no number"},
       {"2 1 0 0\n", "2 1 0 0 0\n", ":7: SELNOD has more than 8 values"},
       {"2 1 0 0\n", "2 one 0 0\n", ":7: 'one' in SELNOD is no number"},
       {"SELNOD FULL RORDER 2 4 8", "SELNOD FULL 2 4 8",
        ":5: SELNOD: RORDER or CORDER is expected, found '2'"},
       {"SELNOD FULL RORDER 2 4 8", "SELNOD DENSE RORDER 2 4 8",
        ":5: SELNOD: FULL or SPARSE is expected, found 'DENSE'"},
       {"SELNOD FULL RORDER 2 4 8", "SELNOD FULL RORDER 2 4 7", ":5: SELNOD of 2 x 4 cannot have 7 values"},
       {"1 0 0 0\n2 1", "1.5 0 0 0\n2 1", ":5: SELNOD has 1.5 for a number of row 1"},
       {"1 0 0 0\n2 1", "2 0 0 0\n2 1", ": node 2 stands twice; each may stand once"},
       {"GENSTIFF FULL RORDER 1 1 1\n100", "GENSTIFF FULL RORDER 1 2 2\n100 1",
        ":10: GENSTIFF is 1 x 2, 1 x 1 is expected"},
       {"T_MODE FULL CORDER 3 2 6\n0 1 0\n0 -1 0\n", "T_MODE FULL CORDER 3 1 3\n0 1 0\n",
        ":22: T_MODE is 3 x 1, 3 x 2 is expected"},
       {"INVAR1 FULL RORDER 1 1 1\n2\n", "INVAR1 FULL RORDER 1 1 1\n0\n", ": its mass is 0, not positive"},
       {"INVAR6 FULL RORDER 1 1 1\n1.5", "INVAR6 FULL RORDER 1 1 1\n-1.5",
        ": the modal mass of mode 7 is -1.5, not positive"},
       {"\n100\n", "\n-100\n", ": the stiffness of mode 7 is -100, negative: it would grow without end"},
       {"1 0 0\n0 2 0\n0 0 2", "1 0 0\n0 -2 0\n0 0 2",
        ": its moments of inertia about the centre of mass are -2.5, 1, 1.5: none may be negative"},
       {"\n100\n", "\n1E999\n", ":11: '1E999' in GENSTIFF is no number"},
       {"INVAR2 INVAR6 INVAR7 T_MODE", "INVAR2 INVAR6 INVAR7 R_MODE",
        ":24: R_MODE is listed, but does not follow"}});
}

/// Modes that are coupled, so that each is sound and they are not.
TEST(ModalFiles, whose_pencil_has_no_real_frequencies_are_refused) {
  const ModalBody right = modes_of({.elements = 4}, {1, 5}, 3);
  const auto n = static_cast<std::size_t>(right.modes);
  const auto refusal = [](const ModalBody& body) {
    const TemporaryFile file("pencil.mtx", write_mtx(body));
    return refusal_of(file.path());
  };
  ModalBody stiffness = right;
  const double k = std::sqrt(right.stiffness[7 * n + 7] * right.stiffness[9 * n + 9]);
  stiffness.stiffness[7 * n + 9] = stiffness.stiffness[9 * n + 7] = 0.99 * k;
  EXPECT_EQ(refusal(stiffness), "accepted");
  stiffness.stiffness[7 * n + 9] = stiffness.stiffness[9 * n + 7] = 1.01 * k;
  EXPECT_EQ(
      refusal(stiffness),
      ": its stiffness (GENSTIFF) has a negative eigenvalue: with mode 10 a combination of modes would grow "
      "without end");
  ModalBody mass = right;
  mass.invariants.I6[6 * n + 8] = mass.invariants.I6[8 * n + 6] = 1.01;  // modes have mass 1
  EXPECT_EQ(
      refusal(mass),
      ": its modal mass (INVAR6) is not positive definite: with mode 9 combinations of modes have negative "
      "mass");
}

TEST(ModalFiles, of_MBDyn_that_are_wrong_say_where) {
  const std::string right = write_fem(modes_of({.elements = 2}, {1}, 0));
  const TemporaryFile file("r.fem", right);
  EXPECT_EQ(refusal_of(file.path()), "accepted");
  expect_refusals(right, "w.fem",
                  {{"REV0 3 6", "REV0 three 6", ":4: a number not below 1 is expected, found 'three'"},
                   {"REV0 3 6", "REV0 3 5", ":42: record group 8 has 108 numbers, 90 are expected"},
                   {"REV0 3 6 0 0 0", "REV0 3 6 0 0 9", ":4: more modes are rejected than there are"},
                   {"RECORD GROUP 9", "RECORD GROUP 19", ":44: there are record groups 1 to 13"},
                   {"1 2 3\n", "1 2 x\n", ":7: a number not below 1 is expected, found 'x'"},
                   {"1 2 3\n", "1 2 2\n", ": node 2 stands twice; each may stand once"}});
}

TEST(ModalFiles, that_cannot_be_read_say_how_to_make_one) {
  const TemporaryFile mnf("rod.mnf", "binary");
  EXPECT_NE(refusal_of(mnf.path()).find("there is no .mtx or .fem of its name beside it. Make a .mtx"),
            std::string::npos);
  const TemporaryFile mtx("rod.mtx", small);
  EXPECT_EQ(refusal_of(mnf.path()), "accepted");
}

/// The six motions of a free body are found, and no mode that deforms it is taken for one.
TEST(ModalFiles, modes_that_move_the_body_are_found) {
  const ModalBody body = modes_of({.elements = 5}, {1, 6}, 4);
  EXPECT_EQ(rigid_modes(body), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  ModalBody elastic = body;
  elastic.frequency = {1, 50, 200, 1000, 5000, 2e4, 3e4};
  elastic.modes = 7;
  EXPECT_TRUE(rigid_modes(elastic).empty());
}

}  // namespace
}  // namespace trammel::files_test
