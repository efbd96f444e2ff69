// The .gra file, read by columns as a Fortran program would.
#include <gtest/gtest.h>

#include <cmath>

#include "output/write/graphics_file.h"
#include "support.h"

namespace trammel::test::graphics_test {
namespace {

using GraphicsTest = OutputTest;

/// Columns of a line behind the blank in front: widths as in a FORMAT.
std::vector<double> fields(const std::string& line, const std::vector<std::size_t>& widths) {
  std::vector<double> out;
  std::size_t at = 1;
  for (const std::size_t width : widths) {
    EXPECT_LE(at + width, line.size()) << line;
    out.push_back(std::stod(line.substr(at, width)));
    at += width;
  }
  EXPECT_EQ(line.front(), ' ') << line;
  EXPECT_EQ(at, line.size()) << line;
  return out;
}

using Numbers = std::vector<double>;
const std::vector<std::size_t> i10(std::size_t n) {
  return std::vector<std::size_t>(n, 10);
}
const std::vector<std::size_t> e13(std::size_t n) {
  return std::vector<std::size_t>(n, 13);
}

/// Ground 1, parts 2 and 30, two markers on part 2 and one on ground, a joint, a box and an arrow on the
/// joint's J.
GraphicsScene sample_scene() {
  GraphicsScene scene;
  scene.parts = {1, 2, 30};
  scene.markers = {{8, 1, {0, 0, 0}, {M_PI_2, M_PI_2, 0}}, {101, 2, {1, 2, 3}, {0, 0, 0}}, {7, 2, {}, {}}};
  scene.joints = {{1, 101, 8}};
  GraphicsScene::Shape box, arrow;
  box.id = 5;
  box.box = {7, {800, 100, 200}};
  arrow.id = 3;
  arrow.is_arrow = true;
  arrow.arrow = {8, "JOINT/1", -1};
  scene.shapes = {arrow, box};
  return scene;
}

TEST_F(GraphicsTest, HeadInItsColumns) {
  GraphicsFile graphics;
  graphics.open(file("a.gra"), sample_channels(), sample_info(), sample_scene());
  graphics.close();
  const std::vector<std::string> lines = read_lines(file("a.gra"));
  ASSERT_EQ(lines.size(), 3u + 3 + 1 + 2 * 3 + 2 * 2);
  EXPECT_EQ(lines[0].substr(0, 9), " A.G8    ");
  EXPECT_EQ(lines[0].substr(9, 19), sample_info().local_time);
  EXPECT_EQ(lines[0].substr(28), "  M_KGS_N_RACA 1.000000000000000E+00");
  EXPECT_EQ(lines[1], sample_info().title + std::string(80 - sample_info().title.size(), ' '));
  EXPECT_EQ(fields(lines[2], std::vector<std::size_t>(9, 5)), (Numbers{3, 3, 2, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(fields(lines[3], i10(2)), (Numbers{1, 1}));
  EXPECT_EQ(fields(lines[4], i10(2)), (Numbers{2, 1}));
  EXPECT_EQ(fields(lines[5], i10(2)), (Numbers{30, 1}));
  EXPECT_EQ(fields(lines[6], i10(3)), (Numbers{1, 2, 1}));  // places of the markers, from 1
  EXPECT_EQ(fields(lines[7], {10, 10, 13, 13, 13, 8}), (Numbers{8, 1, 0, 0, 0, 0}));
  EXPECT_EQ(lines[8], "   1.57080E+00  1.57080E+00  0.00000E+00");
  EXPECT_EQ(fields(lines[9], {10, 10, 13, 13, 13, 8}), (Numbers{101, 2, 1, 2, 3, 0}));
  EXPECT_EQ(fields(lines[13], i10(3)), (Numbers{3, 5, 2}));
  EXPECT_EQ(fields(lines[14], i10(2)), (Numbers{1, 0}));
  EXPECT_EQ(fields(lines[15], i10(3)), (Numbers{5, 7, 7}));
  EXPECT_EQ(fields(lines[16], {5, 13, 13, 13, 13, 13, 13}), (Numbers{3, 0, 0, 0, 800, 100, 200}));
}

TEST_F(GraphicsTest, FramesOfPartsAndArrows) {
  const Channels channels = sample_channels();
  const auto width = static_cast<std::size_t>(channels.size());
  GraphicsFile graphics;
  graphics.open(file("a.gra"), channels, sample_info(), sample_scene());
  const StepKind kinds[] = {StepKind::model_input, StepKind::statics, StepKind::dynamics, StepKind::dynamics};
  for (std::size_t r = 0; r < 4; ++r) graphics.record(0.25 * r, kinds[r], sample_values(r, width));
  graphics.close();
  const std::vector<std::string> lines = read_lines(file("a.gra"));
  const std::size_t head = 17, rows = 2 + 1;
  ASSERT_EQ(lines.size(), head + 4 * (1 + rows));
  const char* marks[] = {"  -9.99999E+05", "  -5.55555E+05", "   5.00000E-01", "   7.50000E-01"};
  for (std::size_t r = 0; r < 4; ++r) {
    const std::size_t at = head + r * (1 + rows);
    EXPECT_EQ(lines[at], marks[r]);
    for (std::size_t row = 0; row < rows; ++row) {
      const Numbers values = fields(lines[at + 1 + row], e13(6));
      for (std::size_t c = 0; c < 6; ++c) {
        // Parts have 18 channels each, the joint comes next; the arrow stands on J, where the force is
        // opposite.
        const double exact = sample_value(r, 18 * row + c) * (row == 2 ? -1 : 1);
        EXPECT_NEAR(values[c], exact, 5.1e-6 * std::abs(exact));  // half a unit of the sixth digit
      }
    }
  }
}

/// From a result file that knows nothing of markers: ground and the parts.
TEST_F(GraphicsTest, WithoutAScene) {
  GraphicsFile graphics;
  graphics.open(file("a.gra"), sample_channels(), sample_info());
  graphics.close();
  const std::vector<std::string> lines = read_lines(file("a.gra"));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(fields(lines[2], std::vector<std::size_t>(9, 5)), (Numbers{3, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(fields(lines[3], i10(2))[0], 1);
  EXPECT_EQ(fields(lines[5], i10(2))[0], 30);
}

}  // namespace
}  // namespace trammel::test::graphics_test
