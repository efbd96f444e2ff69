// Readers and checks of meshes: what they take, and each defect with its message.
#include "geometry/mesh_read.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "geometry/mesh_check.h"
#include "geometry/mesh_mass.h"

namespace trammel::mesh_read_test {
namespace {

const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

/// The notes or the error of reading and checking, one a line.
std::string outcome(const std::string& text, MeshFormat format = MeshFormat::obj) {
  Diagnostics diagnostics;
  try {
    TriangleMesh mesh = parse_mesh(text, format, "a", diagnostics);
    check_mesh(mesh, "a", diagnostics);
    EXPECT_GT(mesh_mass(mesh).volume, 0);
  } catch (const Failure& failure) {
    return failure.what();
  }
  std::string all;
  for (const Diagnostic& d : diagnostics.list()) all += (all.empty() ? "" : "\n") + d.text;
  return all;
}

TriangleMesh parsed(const std::string& text, MeshFormat format) {
  Diagnostics diagnostics;
  return parse_mesh(text, format, "a", diagnostics);
}

std::string binary_stl(const std::vector<float>& coordinates) {
  std::string bytes = "solid, yet binary";
  bytes.resize(80, ' ');
  const auto count = static_cast<std::uint32_t>(coordinates.size() / 9);
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  for (std::size_t k = 0; k < coordinates.size(); k += 9) {
    bytes.append(12, '\0');
    bytes.append(reinterpret_cast<const char*>(&coordinates[k]), 36);
    bytes.append(2, '\0');
  }
  return bytes;
}

const std::vector<float> four_faces = {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                       1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1};

TEST(MeshRead, FormatsAgree) {
  std::string text = "solid\n";
  for (std::size_t k = 0; k < four_faces.size(); k += 9) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (std::size_t i = k; i < k + 9; i += 3)
      text += fmt::format("vertex {} {} {}\n", four_faces[i], four_faces[i + 1], four_faces[i + 2]);
    text += "endloop\nendfacet\n";
  }
  const TriangleMesh meshes[] = {
      parsed(binary_stl(four_faces), MeshFormat::stl), parsed(text + "endsolid\n", MeshFormat::stl),
      parsed(tetrahedron + "usemtl x\nf 1/1 3/1 2/1\nf 1//2 2//2 4//2\nf -3 -2 -1\nf 3/1/1 1/1/1 4/1/1\n",
             MeshFormat::obj),
      parsed("4 4 0.5\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 1 3 2\n3 1 2 4\n3 2 3 4\n3 3 1 4\n", MeshFormat::shl)};
  for (const TriangleMesh& mesh : meshes) {
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 4u);
    const MeshMass mass = mesh_mass(mesh);
    EXPECT_NEAR(mass.volume, 1. / 6, 1e-15);  // rounding
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mass.centroid[i], 0.25, 1e-15);
    // About the centroid: ∫ x² dV = 1/160, ∫ x y dV = −1/480 (corner: 1/60 and 1/120, less V/16).
    EXPECT_NEAR(mass.inertia(0, 0), 1. / 80, 1e-15);
    EXPECT_NEAR(mass.inertia(0, 1), 1. / 480, 1e-15);
  }
}

TEST(MeshRead, PolygonsWithCornersInward) {
  // An L of area 3, height 1; the bottom begins at a corner from which a fan would leave the L.
  std::string text;
  for (int z = 0; z < 2; ++z)
    for (const char* p : {"0 0", "2 0", "2 1", "1 1", "1 2", "0 2"}) text += fmt::format("v {} {}\n", p, z);
  text += "f 3 2 1 6 5 4\nf 8 9 10 11 12 7\n";
  for (int k = 0; k < 6; ++k)
    text += fmt::format("f {} {} {} {}\n", k + 1, (k + 1) % 6 + 1, (k + 1) % 6 + 7, k + 7);
  EXPECT_EQ(outcome(text), "");
  const TriangleMesh mesh = parsed(text, MeshFormat::obj);
  EXPECT_NEAR(mesh_mass(mesh).volume, 3, 1e-14);
  double area = 0;  // triangles of the top do not overlap
  for (const auto& t : mesh.triangles) {
    const Vec3d n =
        cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    area += norm(n) / 2;
  }
  EXPECT_NEAR(area, 3 + 3 + 8, 1e-14);
}

TEST(MeshRead, WhatIsWrongIsSaid) {
  const struct {
    MeshFormat format;
    std::string text, says;
  } cases[] = {
      {MeshFormat::obj, "v 0 0 0\nv 1 0 nan\n",
       "a:2: z of a vertex is nan; every coordinate must be a finite number"},
      {MeshFormat::obj, "v 0 -inf 0\n",
       "a:1: y of a vertex is -inf; every coordinate must be a finite number"},
      {MeshFormat::obj, "v 0 1e101 0\n", "a:1: y of a vertex = 1e101 is too large"},
      {MeshFormat::obj, "v 0 zero 0\n", "a:1: 'zero' is no number where y of a vertex is expected"},
      {MeshFormat::obj, tetrahedron + "f 1 2 5\n",
       "a:5: vertex 5 does not exist; 4 are defined above this line"},
      {MeshFormat::obj, tetrahedron + "f 1 2 -5\n",
       "a:5: vertex -5 does not exist; 4 are defined above this line"},
      {MeshFormat::obj, tetrahedron + "f 1 2 x\n",
       "a:5: 'x' is no vertex of a face; expected a number like 7, 7/2/1 or -1"},
      {MeshFormat::obj, tetrahedron + "f 1 2\n", "a:5: a face of 2 vertices; it must have 3 at least"},
      {MeshFormat::obj, "", "a: the file has no faces"},
      {MeshFormat::stl, "ply\n",
       "a:1: neither a text STL file (it begins with 'solid') nor a binary one (84 + 50 bytes a triangle; it "
       "has 4)"},
      {MeshFormat::stl, "solid\nvertex 0 0 0\n", "a:2: 'vertex' outside of 'outer loop' ... 'endloop'"},
      {MeshFormat::stl, "solid\nouter loop\nvertex 0 0 0\n",
       "a:3: the file ends before 'endloop'; is it cut off?"},
      {MeshFormat::stl, "solid\nouter loop\nouter loop\n",
       "a:3: 'outer loop' before the 'endloop' of the one before"},
      {MeshFormat::stl, "solid\nendloop\n", "a:2: 'endloop' without 'outer loop'"},
      {MeshFormat::stl, "solid\nouter loop\nendloop\n", "a:3: a face of 0 vertices; it must have 3 at least"},
      {MeshFormat::stl, "solid\nfoo\n",
       "a:2: 'foo' is no keyword of a text STL file; expected facet, outer loop, vertex, endloop, endfacet "
       "or endsolid"},
      {MeshFormat::shl, "4 1 1\n0 0 0\n",
       "a:1: 4 vertices and 1 faces do not fit into 12 bytes; is the file cut off?"},
      {MeshFormat::shl, "1 0 1\n0 0 \n",
       "a:2: the file ends where z of a vertex is expected; is it cut off?"},
      {MeshFormat::shl, "-1 1 1\n", "a:1: -1 vertices and 1 faces; counts cannot be negative"},
      {MeshFormat::shl, "1 1 0\n", "a:1: the scale is 0; it must be positive"},
      {MeshFormat::shl, "1 1 1\n0 0 0\n3 1 1 2\n", "a:3: vertex 2 does not exist; the file has 1, from 1 on"},
      {MeshFormat::shl, "1 1 1\n0 0 0\n2 1 1 1\n", "a:3: a face of 2 vertices; from 3 to 1000 are supported"},
      {MeshFormat::shl, "1 1 1\n0 0 0\n3 1 1 1\n4\n",
       "a:4: more follows after the last of 1 faces; check the counts of line 1"},
      {MeshFormat::shl, "1 1.5 1\n0 0 0\n",
       "a:1: '1.5' is no whole number where the number of faces is expected"},
  };
  for (const auto& c : cases) EXPECT_EQ(outcome(c.text, c.format), c.says) << c.text;
  std::vector<float> faces = four_faces;
  faces[12] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(outcome(binary_stl(faces), MeshFormat::stl),
            "a: byte 158: vertex 2 of triangle 2 is NaN; every coordinate must be a finite number");
  EXPECT_THROW(mesh_format("a.step"), Failure);
  EXPECT_EQ(mesh_format("b/A.STL"), MeshFormat::stl);
  Diagnostics none;
  EXPECT_THROW(read_mesh("/dev/zero.stl", none), Failure);
}

const std::string four = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const std::string four_more = "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n";

/// One part of a file by its name: its triangles and their vertices alone, in .obj and .stl.
TEST(MeshRead, PartsByName) {
  const auto part = [](const char* text, MeshFormat format, const char* name) {
    Diagnostics diagnostics;
    MeshElement element{name};
    const TriangleMesh mesh = parse_mesh(text, format, "a", diagnostics, &element);
    double sum = 0;
    for (const Vec3d& v : mesh.vertices) sum += v.z;
    return fmt::format("{} {} {} {}", element.found, mesh.triangles.size(), mesh.vertices.size(), sum);
  };
  // Groups of objects: a group ends at the next group or object, an object at the next object.
  const char* const obj =
      "v 0 0 1\nv 1 0 1\nv 0 1 1\nv 0 0 2\nv 1 0 2\nv 0 1 2\no Two words\ng low\nf 1 2 3\ng high\nf 4 5 6\n"
      "o other\nf 1 2 4\n";
  EXPECT_EQ(part(obj, MeshFormat::obj, "two WORDS"), "true 2 6 9");
  EXPECT_EQ(part(obj, MeshFormat::obj, "low"), "true 1 3 3");
  EXPECT_EQ(part(obj, MeshFormat::obj, "high"), "true 1 3 6");
  EXPECT_EQ(part(obj, MeshFormat::obj, "other"), "true 1 3 4");
  const char* const stl =
      "solid a\nouter loop\nvertex 0 0 1\nvertex 1 0 1\nvertex 0 1 1\nendloop\nendsolid a\n"
      "solid b\nouter loop\nvertex 0 0 2\nvertex 1 0 2\nvertex 0 1 2\nendloop\nendsolid b\n";
  EXPECT_EQ(part(stl, MeshFormat::stl, "A"), "true 1 3 3");
  EXPECT_EQ(part(stl, MeshFormat::stl, "b"), "true 1 3 6");
  try {
    part(stl, MeshFormat::stl, "c");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "a: no part is called 'c'; there are a, b");
  }
  // Of one part, or none with a name, all is taken.
  EXPECT_EQ(part("v 0 0 1\nv 1 0 1\nv 0 1 1\no x\nf 1 2 3\n", MeshFormat::obj, "c"), "false 1 3 3");
  EXPECT_EQ(part("3 1 1\n0 0 1\n1 0 1\n0 1 1\n3 1 2 3\n", MeshFormat::shl, "c"), "false 1 3 3");
}

TEST(MeshCheck, EachDefectIsNamed) {
  const struct {
    std::string text, says;
  } cases[] = {
      {tetrahedron + four, ""},
      {tetrahedron + four + "f 1 1 2\n", "1 face with a vertex twice removed"},
      {tetrahedron + four + "f 3 2 1\n", "1 face with the same vertices as another removed"},
      {tetrahedron + "f 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", "1 face turned to the sense of the neighbours"},
      {tetrahedron + "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n", "1 shell inside out, turned"},
      {tetrahedron + "f 1 3 2\nf 1 2 4\nf 2 3 4\n",
       "a: the surface is not closed: 3 edges of one face only, the first from (0, 0, 0) to (0, 1, 0); close "
       "it where it "
       "was made"},
      {tetrahedron + "v 2 0 0\nv 2 1 0\nv 2 0 1\nv 3 0 0\n" + four + "f 5 6 7\nf 5 7 8\nf 7 6 8\nf 6 5 8\n",
       "1 shell inside out, turned\nthe surface has 2 separate shells"},
      // A cavity stays inside out.
      {"v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nv 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\n" + four +
           "f 5 6 7\nf 5 8 6\nf 6 8 7\nf 7 8 5\n",
       "the surface has 2 separate shells"},
      // Two tetrahedra on one edge.
      {tetrahedron + "v -1 0 0\nv 0 -1 0\n" + four + "f 1 5 6\nf 1 4 5\nf 5 4 6\nf 6 4 1\n",
       "a: 1 edge of more than two faces, the first from (0, 0, 0) to (0, 0, 1); separate the solids that "
       "touch there"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n" + four,
       "a: the surface encloses no volume (its size is 1.4142135623730951); it bounds no solid"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 1.0000000001\nf 1 3 2\nf 1 2 4\nf 2 3 5\nf 3 1 4\n",
       "1 vertices that differ by less than 1e-9 of the size are taken as one with others"},
  };
  for (const auto& c : cases) EXPECT_EQ(outcome(c.text), c.says) << c.text;
}

// The projective plane of six vertices: closed, every edge of two faces, and only one side.
TEST(MeshCheck, OneSide) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nv 0 1 1\n";
  for (const char* f :
       {"1 2 3", "1 3 4", "1 4 5", "1 5 6", "1 6 2", "2 3 5", "3 4 6", "4 5 2", "5 6 3", "6 2 4"})
    text += fmt::format("f {}\n", f);
  EXPECT_NE(outcome(text).find("the surface has only one side"), std::string::npos) << outcome(text);
}

}  // namespace
}  // namespace trammel::mesh_read_test
