// compile(): arrays, matrices and their files, linear systems, couplings; and what it says about mistakes.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include <unistd.h>

#include "../support/deck.h"
#include "expression/evaluate.h"
#include "flexible/matrix_file.h"

namespace trammel::systems_test {
namespace {

using namespace test;

const std::string bodies =
    "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 3, 0, 0\nMARKER/13, PART = 1, QP = 1, 0, "
    "0\n, ZP = "
    "1, 1, 0\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\nPART/3, MASS = 1, CM = 31, IP = "
    "1, 1, 1, "
    "QG = 3, 0, 0\nMARKER/31, PART = 3\nJOINT/1, REVOLUTE, I = 21, J = 11\nJOINT/2, CYLINDRICAL, I = 31, J = "
    "12\n"
    "JOINT/3, SPHERICAL, I = 21, J = 11\n";

std::string complaint(const std::string& deck, ExitCode code = ExitCode::input) {
  return message_of(bodies + deck, code);
}

/// A line of the body, counted from 1, as a place in the deck.
std::string at(int line) {
  return fmt::format("deck.adm:{}: ", line + 13);
}

TEST(Systems, unknowns_of_an_lse_are_its_states_and_then_its_outputs) {
  const Model model = compile_text(bodies +
                                   "VARIABLE/1, FUNCTION = TIME\nLSE/7, X = 1, A = 1, B = 2, U = 3, C = 3, Y "
                                   "= 2, IC = 4, STATIC_HOLD\nARRAY/1, X, "
                                   "SIZE = 2\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\nARRAY/4, IC, "
                                   "NUMBERS = 5, 6\nMATRIX/1, FULL, "
                                   "CORDER, ROWS = 2, COLUMNS = 2, VALUES = 1, 2, 3, 4\nMATRIX/2, SPARSE, "
                                   "ROWS = 2, I = 1, J = 1, VALUES = "
                                   "7\nMATRIX/3, FULL, ROWS = 1, COLUMNS = 2, VALUES = 8, 9\n");
  ASSERT_EQ(model.scalar_count(), 4);
  const int first = model.first_scalar();
  EXPECT_EQ(model.unknown_name(first + 1), "LSE/7 X1");
  EXPECT_EQ(model.unknown_name(first + 2), "LSE/7 X2");
  EXPECT_EQ(model.equation_name(first + 3), "LSE/7 Y1");
  EXPECT_EQ(model.scalars[1].kind, ScalarKind::differential);
  EXPECT_EQ(model.scalars[3].kind, ScalarKind::variable);
  EXPECT_EQ(model.initial.scalars[2].value, 6);
  EXPECT_TRUE(model.scalars[1].static_hold);
  // Row 1 of A x + B u reads both states and the input, row 2 has no input.
  EXPECT_EQ(model.tapes[model.scalars[1].tape].states.size(), 3u);
  EXPECT_EQ(model.tapes[model.scalars[2].tape].states.size(), 2u);
  EXPECT_EQ(model.tape_owner(model.scalars[2].tape), "LSE/7 X2");
}

/// Σ factor DIF(id) + Σ factor VARVAL(id) as a deck writes it; zeros are left out.
std::string written_out(const std::vector<double>& on_states, const std::vector<double>& on_inputs) {
  std::string text;
  const auto add = [&](const std::vector<double>& factors, std::string_view function) {
    for (std::size_t k = 0; k < factors.size(); ++k)
      if (factors[k] != 0) text += fmt::format("\n, {:+.17g}*{}({})", factors[k], function, k + 1);
  };
  add(on_states, "DIF");
  add(on_inputs, "VARVAL");
  return text;
}

/// A scalar's expression and its derivative by every scalar of the model.
struct RowAt {
  double value = 0;
  std::map<int, double> by_state;
};

RowAt row_at(const Model& model, int scalar, const std::vector<double>& all_states) {
  const Tape& tape = model.tapes[model.scalars[scalar].tape];
  std::vector<double> states, on_states(tape.states.size()), registers(tape.code.size()),
      adjoints(tape.code.size());
  for (const int s : tape.states) states.push_back(all_states[s]);
  TapeInputs<double> in;
  in.states = states.data();
  TapeGradient<double> g;
  g.states = on_states.data();
  EXPECT_TRUE(evaluate(view(tape), in, registers.data()).ok());
  gradient(view(tape), in, registers.data(), adjoints.data(), 0, g);
  RowAt row;
  row.value = registers[tape.results[0]];
  for (std::size_t k = 0; k < tape.states.size(); ++k) row.by_state[tape.states[k]] += on_states[k];
  return row;
}

// The same unknowns in the same order: VARIABLEs 1 and 2, n states, n outputs.
TEST(Systems, an_lse_is_the_same_equations_as_its_rows_written_out) {
  constexpr int n = 7, m = 2;
  Random random(4);
  const auto number = [&] {  // a third are zeros
    return random.uniform(0, 3) < 1 ? 0.0 : random.uniform(-1.5, 1.5);
  };
  std::string lse = "VARIABLE/1, FUNCTION = TIME\nVARIABLE/2, FUNCTION = 2\n", rows = lse;
  std::string matrix[4];
  for (int r = 0; r < 2 * n; ++r) {
    const bool output = r >= n;
    std::vector<double> x(n), u(m);
    for (double& v : x) v = number();
    for (double& v : u) v = number();
    x[(r + 1) % n] = 1;  // no row is empty
    for (const double v : x) matrix[output ? 2 : 0] += fmt::format("\n, {:.17g}", v);
    for (const double v : u) matrix[output ? 3 : 1] += fmt::format("\n, {:.17g}", v);
    rows += output ? fmt::format("VARIABLE/{}, FUNCTION ={}\n", r + 10, written_out(x, u))
                   : fmt::format("DIFF/{}, FUNCTION ={}\n", r + 1, written_out(x, u));
  }
  lse += "LSE/1, X = 1, Y = 2, U = 3, A = 1, B = 2, C = 3, D = 4\nARRAY/3, U, VARIABLES = 1, 2\n";
  lse += fmt::format("ARRAY/1, X, SIZE = {}\nARRAY/2, Y, SIZE = {}\n", n, n);
  for (int k = 0; k < 4; ++k)
    lse += fmt::format("MATRIX/{}, FULL, RORDER, ROWS = {}, COLUMNS = {}, VALUES = {}\n", k + 1, n,
                       k % 2 == 0 ? n : m, matrix[k].substr(3));
  const Model a = compile_text(bodies + lse), b = compile_text(bodies + rows);
  ASSERT_EQ(a.scalar_count(), m + 2 * n);
  ASSERT_EQ(b.scalar_count(), m + 2 * n);
  std::vector<double> states(m + 2 * n);
  for (double& s : states) s = random.uniform(-1.5, 1.5);
  for (int k = m; k < m + 2 * n; ++k) {
    const RowAt one = row_at(a, k, states), other = row_at(b, k, states);
    // Nine products of at most 2.25 added in two orders: sums up to 20, each rounded by 1.1e-16 of itself.
    EXPECT_NEAR(one.value, other.value, 9 * 20 * 1.1e-16) << a.unknown_name(a.first_scalar() + k);
    EXPECT_EQ(one.by_state, other.by_state) << "the same entries of the matrix, " << k;
    EXPECT_EQ(a.tapes[a.scalars[k].tape].code.size(), 1u);
  }
}

TEST(Systems, a_dense_lse_takes_one_instruction_a_row_and_twelve_bytes_an_entry) {
  constexpr int n = 120;
  std::string values;
  for (int k = 0; k < n * n; ++k) values += fmt::format("{}{}", k == 0 ? "" : "\n, ", 1 + k);
  const Model model = compile_text(
      bodies + fmt::format("ARRAY/1, X, SIZE = {}\nLSE/1, X = 1, A = 1\nMATRIX/1, FULL, RORDER, ROWS = {}, "
                           "COLUMNS = {}, VALUES = {}\n",
                           n, n, n, values));
  ASSERT_EQ(model.scalar_count(), n);
  for (const Scalar& x : model.scalars) {
    const Tape& tape = model.tapes[x.tape];
    EXPECT_EQ(tape.code.size(), 1u);
    EXPECT_EQ(tape.coefficients.capacity() * sizeof(double) + tape.states.capacity() * sizeof(int), 12u * n);
    EXPECT_TRUE(tape.constants.empty() && tape.arguments.empty() && tape.leaves.empty());
  }
}

// In a constraint an input is the expression of its VARIABLE: Y = 8 X1 + 9 X2 + 7 (2 + TIME), X read twice.
TEST(Systems, an_output_in_a_constraint_takes_in_its_inputs) {
  const Model model = compile_text(
      bodies +
      "VARIABLE/1, FUNCTION = 2+TIME\nARRAY/1, X, SIZE = 2\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\n"
      "LSE/1, X = 1, A = 1, U = 3, C = 2, Y = 2, D = 3\nMATRIX/1, FULL, RORDER, ROWS = 2, COLUMNS = 2, "
      "VALUES = 1, 2, 3, 4\nMATRIX/2, FULL, RORDER, ROWS = 1, COLUMNS = 2, VALUES = 8, 9\nMATRIX/3, FULL, "
      "RORDER, "
      "ROWS = 1, COLUMNS = 1, VALUES = 7\nGCON/1, FUNCTION = DX(21, 11) - ARYVAL(1, 1)*ARYVAL(2, 1)\n");
  ASSERT_EQ(model.general_constraints.size(), 1u);
  const Tape& tape = model.tapes[model.general_constraints[0].tape];
  EXPECT_EQ(tape.coefficients, (std::vector<double>{8, 9}));
  const double x1 = 0.3, x2 = -1.1, time = 0.4, dx = 0.25;
  std::vector<MarkerKinematics<double>> markers(tape.markers.size());
  for (std::size_t k = 0; k < tape.markers.size(); ++k) {
    markers[k].A = Mat3d::identity();
    if (model.markers[tape.markers[k].marker].id == 21) markers[k].r.x = dx;
  }
  std::vector<double> states, registers(tape.code.size());
  for (const int s : tape.states) states.push_back(s == 1 ? x1 : x2);
  TapeInputs<double> in;
  in.markers = markers.data();
  in.states = states.data();
  in.time = time;
  ASSERT_TRUE(evaluate(view(tape), in, registers.data()).ok());
  const double y = 8 * x1 + 9 * x2 + 7 * (2 + time);
  EXPECT_NEAR(registers[tape.results[0]], dx - x1 * y, 1e-14);  // rounding of numbers of size 10
}

TEST(Systems, sizes_must_fit) {
  const std::string arrays =
      "ARRAY/1, X, SIZE = 2\nARRAY/2, Y, SIZE = 1\nARRAY/3, U, VARIABLES = 1\nARRAY/4, NUMBERS = 1, 2, "
      "3\nMATRIX/1, "
      "FULL, RORDER, ROWS = 2, COLUMNS = 2, VALUES = 1, 2, 3, 4\nMATRIX/2, FULL, ROWS = 1, COLUMNS = 3, "
      "VALUES = 1, 2, "
      "3\nVARIABLE/1, FUNCTION = TIME\n";
  const struct {
    const char *element, *message;
  } cases[] = {
      {"LSE/1, X = 1, A = 2", "LSE/1: A=MATRIX/2 is 1 x 3; it must be 2 x 2, as X has 2"},
      {"LSE/1, X = 1, A = 1, U = 3, B = 2", "LSE/1: B=MATRIX/2 is 1 x 3; it must be 2 x 1, as X has 2, U 1"},
      {"LSE/1, X = 1, A = 1, Y = 2, C = 2", "LSE/1: C=MATRIX/2 is 1 x 3; it must be 1 x 2, as X has 2, Y 1"},
      {"LSE/1, X = 1, A = 1, Y = 2, U = 3, D = 2",
       "LSE/1: D=MATRIX/2 is 1 x 3; it must be 1 x 1, as X has 2, U 1, Y 1"},
      {"LSE/1, X = 1, A = 1, IC = 4", "LSE/1: IC=ARRAY/4 has 3 numbers; it must have 2, as X has"},
      {"LSE/1, X = 4, A = 1", "LSE/1: X=ARRAY/4 is of another kind; it must be ARRAY/4, X, SIZE=..."},
      {"LSE/1, X = 1, A = 1, U = 1, B = 2",
       "LSE/1: U=ARRAY/1 is of another kind; it must be ARRAY/1, U, VARIABLES=..."},
      {"LSE/1, X = 1, A = 1\nLSE/2, X = 1, A = 1",
       "LSE/2: X=ARRAY/1 belongs to LSE/1 already; each element needs its own"},
      {"TFSISO/1, X = 1, U = 3, Y = 2, NUM = 1, DENOM = 1, 2, 3, 4",
       "TFSISO/1: X=ARRAY/1 has 2 entries; it must have 3, the degree of DENOMINATOR"},
      {"NFORCE/1, IMARKERS = 21, J = 11, KMATRIX = 1",
       "NFORCE/1: KMATRIX=MATRIX/1 is 2 x 2; it must be 6 x 6, six for each of its 1 IMARKERS"},
      {"NFORCE/1, IMARKERS = 21, J = 11, KMATRIX = 3, FORCE = 4\nMATRIX/3, SPARSE, ROWS=6, "
       "COLUMNS=6,I=1,J=1,VALUES=1",
       "NFORCE/1: FORCE=ARRAY/4 has 3 numbers; it must have 6, six for each of its 1 IMARKERS"},
      {"VARIABLE/2, FUNCTION = ARYVAL(9,1)", "ARRAY/9 does not exist"},
      {"VARIABLE/2, FUNCTION = ARYVAL(4,4)", "ARRAY/4 has entries 1 to 3, not 4"},
      {"VARIABLE/2, FUNCTION = ARYVAL(1,1)", "ARRAY/1 belongs to no LSE, STRUCTURE, TFSISO or GSE"},
      {"PINPUT/1, VARIABLES = 1\nVARIABLE/2, FUNCTION = PINVAL(1,2)", "PINPUT/1 has entries 1 to 1, not 2"},
      {"VARIABLE/2, FUNCTION = POUVAL(1,2)", "POUTPUT/1 does not exist"},
      {"VARIABLE/2, FUNCTION = BEAM(1,0,1,0)", "BEAM/1 does not exist"},
      {"NFORCE/1, IMARKERS = 21, J = 11, KMATRIX = 3\nVARIABLE/2, FUNCTION = NFORCE(1,31,1,0)\nMATRIX/3, "
       "SPARSE, "
       "ROWS=6, COLUMNS=6,I=1,J=1,VALUES=1",
       "marker 31 is none of NFORCE/1"},
  };
  for (const auto& c : cases) {
    const std::string text = complaint(arrays + c.element + "\n");
    EXPECT_NE(text.find(c.message), std::string::npos) << text;
    EXPECT_EQ(text.find("deck.adm:"), 0u) << text;
  }
  EXPECT_EQ(complaint(arrays + "LSE/1, X = 1, A = 2\n"), at(8) + cases[0].message);
}

TEST(Couplings, are_one_equation_with_an_offset) {
  const Model model = compile_text(bodies + "COUPLER/4, JOINTS = 1, 2, SCALES = 3, TYPE = R:T\n");
  ASSERT_EQ(model.general_constraints.size(), 1u);
  const GeneralConstraint& g = model.general_constraints[0];
  EXPECT_EQ(model.equation_name(model.coordinates + g.row), "COUPLER/4");
  EXPECT_EQ(model.unknown_name(model.coordinates + g.row), "COUPLER/4 LAM");
  EXPECT_EQ(g.phases, static_cast<unsigned>(phase_all & ~phase_position));
  EXPECT_EQ(model.markers[g.reporting_marker].id, 21);
  EXPECT_EQ(model.offsets, 1);
}

TEST(Couplings, name_what_does_not_fit) {
  const struct {
    const char *element, *message;
  } cases[] = {
      {"COUPLER/4, JOINTS = 1, 3, SCALES = 3",
       "COUPLER/4: JOINT/3 is SPHERICAL; it must be REVOLUTE, TRANSLATIONAL or CYLINDRICAL"},
      {"COUPLER/4, JOINTS = 1, 2, SCALES = 3",
       "COUPLER/4: JOINT/2 is CYLINDRICAL; say by TYPE which of its displacements"},
      {"COUPLER/4, JOINTS = 1, 2, SCALES = 3, TYPE = T:T", "COUPLER/4: JOINT/1 has no translational freedom"},
      {"GEAR/4, JOINTS = 1, 2, CV = 21",
       "GEAR/4: marker 11, J of JOINT/1, and CV=21 are on different bodies; both must be on the carrier"},
      {"GEAR/4, JOINTS = 1, 2, CV = 12",
       "GEAR/4: JOINT/1 does not move its gear along z of CV=12; put CV where the teeth "
       "mesh, z along their common velocity"},
      {"GEAR/4, JOINTS = 1, 3, CV = 13",
       "GEAR/4: JOINT/3 is SPHERICAL; it must be REVOLUTE, TRANSLATIONAL or CYLINDRICAL"},
  };
  for (const auto& c : cases) {
    const std::string text = complaint(std::string(c.element) + "\n");
    EXPECT_NE(text.find(at(1) + c.message), std::string::npos) << text;
  }
}

TEST(Variables, in_constraints_must_not_depend_on_themselves) {
  const std::string text = complaint(
      "VARIABLE/1, FUNCTION = 1+VARVAL(2)\nVARIABLE/2, FUNCTION = VARVAL(1)*DX(21,11)\nGCON/1, FUNCTION = "
      "VARVAL(1)\n");
  EXPECT_NE(text.find(at(3) + "GCON/1: FUNCTION: "), std::string::npos) << text;
  EXPECT_NE(text.find("VARIABLE/1 depends on itself; a constraint cannot read it"), std::string::npos)
      << text;
  std::string chain = "VARIABLE/1, FUNCTION = DX(21,11)\n";
  for (int k = 2; k <= 40; ++k)
    chain += fmt::format("VARIABLE/{}, FUNCTION = VARVAL({})*VARVAL({})\n", k, k - 1, k - 1);
  const std::string long_chain = complaint(chain + "GCON/1, FUNCTION = VARVAL(40)\n", ExitCode::unsupported);
  EXPECT_NE(
      long_chain.find("GCON/1: FUNCTION: the VARIABLEs that it reads unfold to more than 10000 expressions"),
      std::string::npos)
      << long_chain;
  // Read by forces it is an implicit equation, and no mistake.
  EXPECT_EQ(
      complaint(
          "VARIABLE/1, FUNCTION = 1+VARVAL(1)*DX(21,11)\nSFORCE/1, TRANSLATION, I = 21, J = 11, FUNCTION = "
          "VARVAL(1)\n"),
      "accepted");
}

// ---- files of matrices

class MatrixFile : public ::testing::Test {
 protected:
  MatrixFile()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("trammel_matrix_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~MatrixFile() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) { std::ofstream(folder_ / "m.mtx") << text; }
  NamedMatrix read(std::string_view name) {
    return read_matrix_file("m.mtx", (folder_ / "deck.adm").string(), name);
  }
  std::string refusal(std::string_view name, ExitCode code) {
    try {
      read(name);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), code) << failure.what();
      const std::string text = failure.what();
      const std::size_t at = text.find("m.mtx:");
      return at == std::string::npos ? text : text.substr(at);
    }
    return "accepted";
  }
  std::filesystem::path folder_;
};

TEST_F(MatrixFile, holds_several_matrices_in_fixed_or_free_fields) {
  write(
      "ADAMSMAT  made by hand\n2\nMASS STIFF\nMASS FULL RORDER 2 3 6 (2E10.2)\n  1.00E+00 -2.00E+00\n  "
      "3.00E+00  "
      "4.00E+00\n  5.00E+00-6.00E+00\nSTIFF FULL CORDER 2 2 4\n1 2\n3.5D0 4\n");
  const NamedMatrix mass = read("mass"), stiff = read("STIFF");
  EXPECT_EQ(mass.rows, 2);
  EXPECT_EQ(mass.columns, 3);
  EXPECT_FALSE(mass.by_column);
  EXPECT_EQ(mass.values, (std::vector<double>{1, -2, 3, 4, 5, -6}));
  EXPECT_TRUE(stiff.by_column);
  EXPECT_EQ(stiff.values, (std::vector<double>{1, 2, 3.5, 4}));
}

TEST_F(MatrixFile, holds_the_entries_of_a_sparse_matrix) {
  write("ADAMSMAT\n1 A\nA SPARSE 2 3 2\n1 3 4.5\n2 1 -1\n");
  const NamedMatrix a = read("A");
  EXPECT_EQ(a.rows, 2);
  EXPECT_EQ(a.columns, 3);
  EXPECT_EQ(a.values, (std::vector<double>{0, 0, 4.5, -1, 0, 0}));
}

/// Fortran leaves the E out of exponents of three digits.
TEST_F(MatrixFile, exponents_of_three_digits) {
  write("ADAMSMAT\n1 A\nA FULL RORDER 1 3 3 (3E11.4)\n 0.1250-101-0.2500+102 1.0000E+00\n");
  EXPECT_EQ(read("A").values, (std::vector<double>{0.125e-101, -0.25e102, 1}));
}

TEST_F(MatrixFile, is_used_by_its_matrix) {
  write("ADAMSMAT\n1 A\nA FULL CORDER 2 2 4\n1 2 3 4\n");
  std::ofstream(folder_ / "deck.adm")
      << "title\n"
      << bodies << "MATRIX/1, FILE = m.mtx\nARRAY/1, X, SIZE = 2\nLSE/1, X = 1, A = 1\nEND\n";
  Diagnostics diagnostics;
  const Description deck = read_dataset((folder_ / "deck.adm").string(), diagnostics);
  const Model model = compile(deck, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  // Row 1 of A is 1, 3.
  EXPECT_EQ(model.tapes[model.scalars[0].tape].coefficients, (std::vector<double>{1, 3}));
}

TEST_F(MatrixFile, refusals) {
  EXPECT_NE(refusal("A", ExitCode::io).find("m.mtx cannot be read"), std::string::npos);
  write("");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:0: the file is empty");
  write("adamsmat\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:1: the first record must begin with ADAMSMAT");
  write("MATRIXx\n");
  EXPECT_EQ(refusal("A", ExitCode::unsupported), "the format MATRIXx is not supported; ADAMSMAT is");
  write("ADAMSMAT\n2 A B\nA FULL RORDER 1 1 1\n1\nB FULL RORDER 1 1 1\n2\n");
  EXPECT_EQ(refusal("C", ExitCode::input), "m.mtx: there is no matrix C; the file holds A, B");
  EXPECT_EQ(refusal("", ExitCode::input), "m.mtx: NAME is missing; the file holds A, B");
  write("ADAMSMAT\n2 A B\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:2: the file ends where the name of a matrix is expected");
  write("ADAMSMAT\n1 A\nA FULL RORDER 2 2 3\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:3: A of 2 x 2 cannot have 3 values");
  write("ADAMSMAT\n1 A\nA FULL RORDER 2 2 4\n1 2\nx 4\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:5: 'x' in A is no number");
  write("ADAMSMAT\n1 A\nA FULL RORDER 2 2 4\n1 2\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:4: A ends after 2 of 4 values");
  write("ADAMSMAT\n1 A\nA FULL RORDER 1 1 1\n1 2\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:4: A has more than 1 values");
  write("ADAMSMAT\n1 A\nA FULL RORDER 1 1 1\n1-\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:4: '1-' in A is no number");
  write("ADAMSMAT\n1 A\nA SPARSE 2 3 2\n1 3 4.5\n1 3 -1\n");
  EXPECT_EQ(refusal("A", ExitCode::input), "m.mtx:5: A: entry (1, 3) is given twice");
}

}  // namespace
}  // namespace trammel::systems_test
