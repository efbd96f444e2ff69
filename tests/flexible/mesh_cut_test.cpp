// A mesh cut in pieces: what each has, faces in common, the input files, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "flexible/mesh_cut.h"

namespace trammel::mesh_cut_test {
namespace {

/// nx × ny × 1 bricks of eight nodes and edge 1 along x, y, z. Node (i, j, k) is 100 i + 10 j + k + 1,
/// element (i, j) 10 i + j + 1. All elements are in ALL, the nodes at x = 0 in ROOT.
InputMesh bricks(int nx, int ny = 1) {
  InputMesh mesh;
  const auto id = [](int i, int j, int k) { return 100 * i + 10 * j + k + 1; };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= 1; ++k) {
        mesh.node[id(i, j, k)] = {double(i), double(j), double(k)};
        if (i == 0) mesh.set["ROOT"].push_back(id(i, j, k));
      }
  InputElements group{"C3D8I", solid_kind("C3D8I"), {}, {}};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      group.id.push_back(10 * i + j + 1);
      mesh.element_set["ALL"].push_back(group.id.back());
      for (const auto& [a, b, c] :
           {std::array{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}})
        group.node.push_back(id(i + a, j + b, c));
    }
  mesh.elements.push_back(group);
  mesh.material["STEEL"] = {Elasticity{2e11, 0.3}, 7800};
  mesh.sections.push_back({"ALL", "STEEL"});
  return mesh;
}

TEST(MeshCut, slabs_share_the_nodes_of_their_cuts) {
  const InputMesh mesh = bricks(6);
  const MeshCut cut = cut_mesh(mesh, "m.inp", {.parts = 3});
  ASSERT_EQ(cut.piece.size(), 3u);
  ASSERT_EQ(cut.face.size(), 2u);
  EXPECT_EQ(cut.face[0].name, "CUT_1_2");
  EXPECT_EQ(cut.face[0].nodes, (std::vector<int>{201, 202, 211, 212}));
  EXPECT_EQ(cut.face[1].nodes, (std::vector<int>{401, 402, 411, 412}));
  std::vector<int> elements;
  for (const InputMesh& piece : cut.piece) {
    ASSERT_EQ(piece.elements.size(), 1u);
    EXPECT_EQ(piece.elements[0].id.size(), 2u);
    EXPECT_EQ(piece.node.size(), 12u);
    EXPECT_EQ(piece.element_set.at("ALL"), piece.elements[0].id);
    for (const auto& [id, at] : piece.node) EXPECT_EQ(norm(at - mesh.node.at(id)), 0);
    elements.insert(elements.end(), piece.elements[0].id.begin(), piece.elements[0].id.end());
  }
  EXPECT_EQ(elements, mesh.elements[0].id);
  EXPECT_EQ(cut.piece[0].set.at("ROOT"), mesh.set.at("ROOT"));
  EXPECT_FALSE(cut.piece[1].set.contains("ROOT"));
  EXPECT_EQ(cut.piece[1].set.at("CUT_1_2"), cut.face[0].nodes);
  EXPECT_EQ(cut.piece[1].set.at("CUT_2_3"), cut.face[1].nodes);
}

TEST(MeshCut, at_coordinates_along_any_axis_and_by_sets) {
  InputMesh mesh = bricks(2, 5);
  // middles of the elements at y = 0.5, 1.5 ...; y is the longest, too
  for (int axis : {1, -1}) {
    const MeshCut cut = cut_mesh(mesh, "m.inp", {.axis = axis, .at = {3.2, 1.0}});
    ASSERT_EQ(cut.piece.size(), 3u);
    EXPECT_EQ(cut.piece[0].elements[0].id, (std::vector<int>{1, 11}));
    EXPECT_EQ(cut.piece[1].elements[0].id, (std::vector<int>{2, 3, 12, 13}));
    EXPECT_EQ(cut.piece[2].elements[0].id, (std::vector<int>{4, 5, 14, 15}));
  }
  mesh.element_set["LEFT"] = {1, 2, 3, 4, 5};
  mesh.element_set["RIGHT"] = {11, 12, 13, 14, 15};
  const MeshCut cut = cut_mesh(mesh, "m.inp", {.sets = {"right", "LEFT"}});
  EXPECT_EQ(cut.piece[0].elements[0].id, mesh.element_set["RIGHT"]);
  ASSERT_EQ(cut.face.size(), 1u);
  EXPECT_EQ(cut.face[0].nodes.size(), 12u);
  EXPECT_EQ(cut_mesh(mesh, "m.inp", {.parts = 1}).face.size(), 0u);
}

TEST(MeshCut, input_files_are_read_as_they_were) {
  const MeshCut cut = cut_mesh(bricks(4), "m.inp", {.parts = 2});
  const std::string path = (std::filesystem::temp_directory_path() / "trammel_mesh_cut.inp").string();
  std::ofstream(path) << inp_text(cut.piece[1], "Piece 2 of 2");
  const InputMesh back = read_inp(path);
  std::filesystem::remove(path);
  EXPECT_EQ(back.node.size(), cut.piece[1].node.size());
  // Twelve digits.
  for (const auto& [id, at] : back.node) EXPECT_LE(norm(at - cut.piece[1].node.at(id)), 1e-12 * norm(at));
  ASSERT_EQ(back.elements.size(), 1u);
  EXPECT_EQ(back.elements[0].type, "C3D8I");
  EXPECT_EQ(back.elements[0].id, cut.piece[1].elements[0].id);
  EXPECT_EQ(back.elements[0].node, cut.piece[1].elements[0].node);
  EXPECT_EQ(back.set, cut.piece[1].set);
  EXPECT_EQ(back.element_set, cut.piece[1].element_set);
  EXPECT_EQ(back.material.at("STEEL").elastic->E, 2e11);
  EXPECT_EQ(back.material.at("STEEL").density, 7800);
  ASSERT_EQ(back.sections.size(), 1u);
}

/// CalculiX takes the first 20 characters of a number for all of it.
TEST(MeshCut, no_number_is_longer_than_calculix_reads) {
  InputMesh mesh = bricks(1);
  for (auto& [id, at] : mesh.node)
    at = {at.x - 1.23456789012345678e-123, -at.y / 3, at.z * 1.3877787807814457e-17};
  const std::string text = inp_text(cut_mesh(mesh, "m.inp", {.parts = 1}).piece[0], "one");
  std::size_t longest = 0, first = 0;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == ',' || text[k] == '\n' || text[k] == ' ')
      first = k + 1;
    else
      longest = std::max(longest, k + 1 - first);
  EXPECT_LE(longest, 20u);
  EXPECT_NE(text.find("1.38777878078e-17"), std::string::npos);
  EXPECT_NE(text.find("-0.333333333333"), std::string::npos);
}

std::string message(const InputMesh& mesh, const MeshCutOptions& options, ExitCode code) {
  try {
    cut_mesh(mesh, "m.inp", options);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code) << failure.what();
    return failure.what();
  }
  return "accepted";
}

TEST(MeshCut, says_what_is_wrong_and_how_to_mend_it) {
  const InputMesh good = bricks(4, 2);
  EXPECT_EQ(message(good, {.parts = 5}, ExitCode::usage),
            "m.inp: piece 3 of 5 has no element (from 0 to 4 along x); cut it in fewer, or elsewhere: an "
            "element is in "
            "the piece that its middle is in");
  EXPECT_EQ(message(good, {.sets = {"NONE"}}, ExitCode::usage),
            "m.inp: there is no *ELSET NONE; there are ALL");
  InputMesh sets = good;
  sets.element_set = {{"ALL", sets.element_set["ALL"]}, {"A", {1, 2, 11}}, {"B", {2, 12}}, {"C", {12}}};
  EXPECT_EQ(message(sets, {.sets = {"A", "B"}}, ExitCode::usage),
            "m.inp: element 2 is in A and in B; a piece must have its elements to itself");
  EXPECT_EQ(message(sets, {.sets = {"A", "C"}}, ExitCode::usage),
            "m.inp: element 21 is in none of the sets; add that in which it is");
  sets = bricks(2, 2);
  sets.element_set["A"] = {1}, sets.element_set["B"] = {2}, sets.element_set["C"] = {11, 12};
  EXPECT_EQ(message(sets, {.sets = {"A", "B", "C"}}, ExitCode::usage),
            "m.inp: node 111 is in pieces 1, 2 and 3; cuts must not meet: cut elsewhere");
  InputMesh wrong = good;
  wrong.material["STEEL"].density = 0;
  EXPECT_EQ(message(wrong, {.parts = 2}, ExitCode::input),
            "m.inp: *MATERIAL STEEL must have *ELASTIC (isotropic) and *DENSITY");
  wrong = good;
  wrong.sections.clear();
  EXPECT_EQ(message(wrong, {.parts = 2}, ExitCode::input),
            "m.inp: element 1 is in no *SOLID SECTION, so that it has no material");
  wrong = good;
  wrong.node.erase(1);
  EXPECT_EQ(message(wrong, {.parts = 2}, ExitCode::input),
            "m.inp: element 1 has node 1, which *NODE does not give");
  wrong = good;
  wrong.elements.push_back({"B31", nullptr, {}, {}});
  EXPECT_TRUE(message(wrong, {.parts = 2}, ExitCode::unsupported)
                  .starts_with("m.inp: elements of type B31 are no solids"));
  wrong.elements.clear();
  EXPECT_TRUE(message(wrong, {.parts = 2}, ExitCode::input).starts_with("m.inp: has no solid elements"));
}

/// Two bricks that touch along an edge.
TEST(MeshCut, refuses_a_cut_that_cannot_hold) {
  InputMesh mesh = bricks(2, 2);
  InputElements& group = mesh.elements[0];
  group.id = {1, 12};
  group.node.erase(group.node.begin() + 8, group.node.begin() + 24);
  EXPECT_EQ(message(mesh, {.axis = 0, .parts = 2}, ExitCode::usage),
            "m.inp: pieces 1 and 2 have 2 nodes in common, and it takes three to hold one to the other; cut "
            "elsewhere");
}

}  // namespace
}  // namespace trammel::mesh_cut_test
