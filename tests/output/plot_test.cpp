// Plots: the curve in the picture is the data, and names are only names.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "output/look/gnuplot.h"
#include "output/look/plot.h"
#include "output/write/native_file.h"
#include "support.h"

namespace trammel::test::plot_test {
namespace {

class PlotTest : public OutputTest {
 protected:
  void SetUp() override {
    if (find_gnuplot().empty()) GTEST_SKIP() << "gnuplot is not on the PATH";
  }
  /// The points [gap_from, gap_to) have no X.
  void write(const std::string& view_name = "boom", int gap_from = 0, int gap_to = 0) {
    Channels channels;
    channels.entities.push_back(
        {"PART",
         2,
         view_name,
         {{"X", Quantity::length}, {"Y", Quantity::length}, {"VX", Quantity::velocity}},
         0,
         0,
         0,
         ""});
    RunInfo info = sample_info();
    info.title = "crane_1 'a' `touch " + file("touched") + "`";
    NativeWriter writer;
    writer.open(file("a.nc"), channels, info);
    for (int k = 0; k <= count_; ++k)
      writer.record(
          time(k), StepKind::dynamics,
          std::vector<double>{k >= gap_from && k < gap_to ? std::nan("") : x(k), 1.0, -2.0 * time(k)});
    writer.close();
  }
  double time(int k) const { return 0.02 * k; }
  double x(int k) const { return std::sin(3.0 * time(k)); }
  static constexpr int count_ = 100;
};

/// Points of the longest line of this colour, as pixels: the legend's sample has two only.
std::vector<std::pair<double, double>> curve(const std::string& svg, const std::string& color) {
  const std::size_t start = svg.find(" d='", svg.find(color)) + 4;
  std::istringstream path(svg.substr(start, svg.find('\'', start) - start));
  std::vector<std::pair<double, double>> longest;
  for (std::string line; std::getline(path, line, 'M');) {  // M begins a line, L goes on with it
    for (char& c : line)
      if (c == 'L' || c == ',') c = ' ';
    std::istringstream stream(line);
    std::vector<std::pair<double, double>> points;
    for (double a, b; stream >> a >> b;) points.emplace_back(a, b);
    if (points.size() > longest.size()) longest = points;
  }
  return longest;
}

TEST_F(PlotTest, SvgCurveIsTheData) {
  write();
  plot_channels(file("a.nc"), {"boom.X"}, {.output = file("a.svg"), .title = "one"});
  const std::string svg = read_text(file("a.svg"));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("boom.X"), std::string::npos);
  EXPECT_NE(svg.find("(meter)"), std::string::npos);
  EXPECT_NE(svg.find("TIME (sec)"), std::string::npos);
  const auto points = curve(svg, "rgb(  0, 114, 178)");
  ASSERT_EQ(points.size(), static_cast<std::size_t>(count_ + 1));
  // Pixels are an affine image of the data; the map is found from two points each, the others checked.
  // x(26) = sin(1.56) and x(79) = sin(4.74) lie next to the extremes.
  const double scale_t = (points[count_].first - points[0].first) / (time(count_) - time(0));
  const double scale_x = (points[79].second - points[26].second) / (x(79) - x(26));
  EXPECT_LT(scale_x, 0.0);  // up is less in SVG
  EXPECT_GT(std::abs(scale_x), 50.0);
  for (int k = 0; k <= count_; ++k) {
    const auto& point = points[static_cast<std::size_t>(k)];
    // SVG terminals of gnuplot write 0.1 pixels (or whole ones in old versions).
    EXPECT_NEAR(point.first, points[0].first + scale_t * (time(k) - time(0)), 1.1);
    EXPECT_NEAR(point.second, points[26].second + scale_x * (x(k) - x(26)), 1.1);
  }
}

TEST_F(PlotTest, NoLineLeadsOverAGap) {
  write("boom", 40, 60);
  plot_channels(file("a.nc"), {"boom.X"}, {.output = file("a.svg"), .title = "one"});
  EXPECT_EQ(curve(read_text(file("a.svg")), "rgb(  0, 114, 178)").size(),
            static_cast<std::size_t>(count_ + 1 - 60));  // behind it; before it there is one less
}

TEST_F(PlotTest, PngHasTheSizeAskedFor) {
  write();
  plot_channels(file("a.nc"), {"boom.X", "PART/2.Y", "PART/2.VX"},
                {.output = file("a.png"), .width = 640, .height = 480});
  const std::string png = read_text(file("a.png"));
  ASSERT_GT(png.size(), 1000u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value * 256 + static_cast<unsigned char>(png[at + k]);
    return value;
  };
  EXPECT_EQ(number(16), 640u);  // IHDR
  EXPECT_EQ(number(20), 480u);
}

TEST_F(PlotTest, OnePanelPerUnit) {
  write();
  plot_channels(file("a.nc"), {"boom.X", "boom.VX", "boom.Y"},
                {.output = file("a.svg"), .x_channel = "boom.Y"});
  const std::string svg = read_text(file("a.svg"));
  for (const char* text : {"boom.X", "boom.Y", "boom.VX", "meter", "boom.VX (meter/sec)", "boom.Y (meter)"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

/// Two files in one panel: each with its own times, the curves told apart by file and by dash.
TEST_F(PlotTest, OverlayOfASecondFile) {
  write();
  std::ofstream csv(file("rig.csv"));
  csv << "time,travel [meter]\n";
  for (int k = 0; k <= 40; ++k) csv << 0.05 * k << "," << std::sin(3.0 * 0.05 * k) << "\n";
  csv.close();
  PlotOptions options{.output = file("a.svg")};
  options.overlays = {file("rig.csv")};
  options.map = {{"boom.X", "travel"}};
  const std::vector<std::string> notices = plot_channels(file("a.nc"), {"boom.X", "boom.VX"}, options);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("rig.csv: has no channel boom.VX"), std::string::npos) << notices[0];
  const std::string svg = read_text(file("a.svg"));
  for (const char* text : {"boom.X, a.nc", "travel, rig.csv", "boom.VX, a.nc"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  options.legends = {"computed", "speed", "measured"};
  plot_channels(file("a.nc"), {"boom.X", "boom.VX"}, options);
  const std::string named = read_text(file("a.svg"));
  for (const char* text : {"computed", "speed", "measured"})
    EXPECT_NE(named.find(text), std::string::npos) << text;
  EXPECT_EQ(named.find("rig.csv"), std::string::npos);
  options.legends.push_back("one too many");
  const auto code = [&] {
    return failure_of([&] { plot_channels(file("a.nc"), {"boom.X", "boom.VX"}, options); }).code();
  };
  EXPECT_EQ(code(), ExitCode::usage);
  options.legends.clear();
  options.map.clear();
  EXPECT_EQ(code(), ExitCode::usage);  // nothing of the overlay is drawn
  options.map = {{"boom.X", "travel"}, {"boom.VX", "absent"}};
  EXPECT_EQ(code(), ExitCode::usage);
  std::ofstream(file("rig.csv")) << "time,travel [mm]\n0,1\n1,2\n";
  options.map = {{"boom.X", "travel"}};
  EXPECT_EQ(code(), ExitCode::input);  // millimetres over metres
}

/// Of a table over a table the columns with the same header are drawn, wherever they stand.
TEST_F(PlotTest, OverlaysOfTablesGoByTheirHeaders) {
  std::ofstream(file("ab.csv")) << "time,A,B\n0,1,9\n1,3,7\n2,4,1\n";
  std::ofstream(file("ba.csv")) << "time,B,A\n0,9,1\n1,7,3\n2,1,4\n";
  std::ofstream(file("c.csv")) << "time,C\n0,1\n1,3\n2,4\n";
  PlotOptions options{.output = file("a.svg")};
  options.overlays = {file("ba.csv")};
  const auto first = [&] { return curve(read_text(file("a.svg")), "rgb(  0, 114, 178)"); };
  const auto second = [&] { return curve(read_text(file("a.svg")), "rgb(213,  94,   0)"); };
  for (const char* x : {"TIME", "B", "COLUMN/2.VALUE"})
    for (const char* y : {"A", "COLUMN/1.VALUE"}) {
      options.x_channel = x;
      EXPECT_TRUE(plot_channels(file("ab.csv"), {y}, options).empty());
      EXPECT_EQ(first().size(), 3u);
      EXPECT_EQ(first(), second()) << y << " over " << x;
      EXPECT_NE(read_text(file("a.svg")).find("A, ba.csv"), std::string::npos);
    }
  options.x_channel = "TIME";
  options.overlays = {file("ba.csv"), file("c.csv")};
  const auto failure = [&](const std::vector<std::string>& names) {
    return failure_of([&] { plot_channels(file("ab.csv"), names, options); });
  };
  for (const std::vector<std::string>& names : {std::vector<std::string>{"A"}, {"*"}}) {
    EXPECT_EQ(failure(names).code(), ExitCode::usage);
    EXPECT_NE(std::string(failure(names).what()).find("c.csv: has none of the channels"), std::string::npos);
  }
  options.map = {{"A", "C"}};
  options.overlays = {file("c.csv")};
  EXPECT_TRUE(plot_channels(file("ab.csv"), {"A"}, options).empty());
  EXPECT_EQ(first(), second());
  const std::vector<std::string> notices = plot_channels(file("ab.csv"), {"*"}, options);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("c.csv: has no channel B"), std::string::npos) << notices[0];
}

/// The window's ends are times of the file although these are rounded: 7 · 0.1 is above 0.7.
TEST_F(PlotTest, WindowHasItsEnds) {
  std::ofstream csv(file("t.csv"));
  csv << "time,A\n";
  for (int k = 0; k <= 10; ++k) csv << fmt::format("{},{}\n", 0.1 * k, k * k);
  csv.close();
  ASSERT_GT(0.1 * 7, 0.7);
  ASSERT_GT(0.1 * 3, 0.3);
  const auto points = [&](double from, double to) {
    plot_channels(file("t.csv"), {"A"}, {.output = file("a.svg"), .from = from, .to = to});
    return curve(read_text(file("a.svg")), "rgb(  0, 114, 178)").size();
  };
  EXPECT_EQ(points(0.3, 0.7), 5u);
  EXPECT_EQ(points(0.3, 0.6999), 4u);
  EXPECT_EQ(points(0.1 * 3 + 1e-12, 0.7), 5u);
  EXPECT_EQ(points(0.3001, 0.7), 4u);
}

TEST_F(PlotTest, LegendsNameEveryCurveOrEveryFile) {
  write();
  std::filesystem::copy_file(file("a.nc"), file("b.nc"));
  PlotOptions options{.output = file("a.svg")};
  options.overlays = {file("b.nc")};
  const std::vector<std::string> channels = {"boom.X", "boom.VX"};
  options.legends = {"new", "old"};
  plot_channels(file("a.nc"), channels, options);
  const std::string svg = read_text(file("a.svg"));
  for (const char* text : {"boom.X, new", "boom.VX, new", "boom.X, old", "boom.VX, old"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  for (const std::size_t count : {1u, 3u, 5u}) {
    options.legends.assign(count, "name");
    const Failure failure = failure_of([&] { plot_channels(file("a.nc"), channels, options); });
    EXPECT_EQ(failure.code(), ExitCode::usage);
    EXPECT_NE(std::string(failure.what()).find("for 4 curves of 2 files"), std::string::npos)
        << failure.what();
  }
}

TEST_F(PlotTest, EntitiesAndPatternsStandForTheirChannels) {
  write();
  const auto drawn = [&](const std::vector<std::string>& channels, const PlotOptions& options) {
    plot_channels(file("a.nc"), channels, options);
    std::string found;
    for (const char* name : {"boom.X", "boom.Y", "boom.VX"})
      if (read_text(file("a.svg")).find(std::string(">") + name + "<") != std::string::npos)
        found += std::string(name) + " ";
    return found;
  };
  const PlotOptions options{.output = file("a.svg"), .title = "one"};
  EXPECT_EQ(drawn({"PART/2"}, options), "boom.X boom.Y boom.VX ");
  EXPECT_EQ(drawn({"PART/*.X", "boom.V?"}, options), "boom.X boom.VX ");
  EXPECT_EQ(drawn({}, {.output = file("a.svg"), .title = "one", .panels = {"part/2.?"}}), "boom.X boom.Y ");
  const auto code = [&](const std::string& name) {
    return failure_of([&] { plot_channels(file("a.nc"), {name}, options); }).code();
  };
  EXPECT_EQ(code("PART/*.Q"), ExitCode::usage);
  EXPECT_EQ(code("PART/3"), ExitCode::usage);
}

/// A circle is as wide as high.
TEST_F(PlotTest, EqualAxes) {
  std::ofstream csv(file("circle.csv"));
  csv << "time,PART/2.X [meter],PART/2.Y [meter],PART/2.VX [meter/sec]\n";
  for (int k = 0; k <= 100; ++k)
    csv << k << "," << std::cos(0.0628318530717959 * k) << "," << std::sin(0.0628318530717959 * k) << ",1\n";
  csv.close();
  PlotOptions options{.output = file("a.svg"), .x_channel = "PART/2.X", .equal = true};
  const auto extent = [&] {
    plot_channels(file("circle.csv"), {"PART/2.Y"}, options);
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (const auto& [x, y] : curve(read_text(file("a.svg")), "rgb(  0, 114, 178)")) {
      low[0] = std::min(low[0], x), high[0] = std::max(high[0], x);
      low[1] = std::min(low[1], y), high[1] = std::max(high[1], y);
    }
    return std::pair(high[0] - low[0], high[1] - low[1]);
  };
  const auto [width, height] = extent();
  EXPECT_NEAR(width, height, 2.2);  // coordinates are whole pixels in old versions of gnuplot
  EXPECT_GT(width, 100);
  options.equal = false;
  EXPECT_GT(std::abs(extent().first - extent().second), 50);  // the panel is wider than high
  options.equal = true;
  const auto code = [&](const std::string& y) {
    return failure_of([&] { plot_channels(file("circle.csv"), {y}, options); }).code();
  };
  EXPECT_EQ(code("PART/2.VX"), ExitCode::usage);
  options.x_channel = "TIME";
  EXPECT_EQ(code("PART/2.Y"), ExitCode::usage);
}

/// A request is called by its name, and by its comment where it has none.
TEST_F(PlotTest, RequestsAreCalledByNameOrComment) {
  Channels channels;
  for (const std::string name : {"", "rocker"})
    channels.entities.push_back(
        {"REQUEST", name.empty() ? 1 : 2, name, {{"F2"}}, 5, 0, 0, "angle of the rocker"});
  NativeWriter writer;
  writer.open(file("r.nc"), channels, sample_info());
  for (int k = 0; k < 5; ++k) writer.record(k, StepKind::dynamics, std::vector<double>{1.0 * k, 2.0 * k});
  writer.close();
  plot_channels(file("r.nc"), {"REQUEST/1.F2", "rocker.F2"}, {.output = file("a.svg"), .title = "one"});
  const std::string svg = read_text(file("a.svg"));
  EXPECT_NE(svg.find(">REQUEST/1.F2: angle of the rocker<"), std::string::npos);
  EXPECT_NE(svg.find(">rocker.F2<"), std::string::npos);
}

TEST_F(PlotTest, PanelsOfOnesOwn) {
  write();
  PlotOptions options{.output = file("a.svg")};
  options.panels = {"boom.X, boom.VX", "boom.Y"};
  plot_channels(file("a.nc"), {}, options);
  const std::string svg = read_text(file("a.svg"));
  // Units that differ stand in the legend, one unit on the axis.
  for (const char* text : {"boom.X (meter)", "boom.VX (meter/sec)", ">boom.Y (meter)<", ">value<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(failure_of([&] {
              plot_channels(file("a.nc"), {}, {.output = file("a.svg"), .panels = {"boom.Q"}});
            }).code(),
            ExitCode::usage);
}

/// The spectrum of sin 3t in the picture: its highest point stands at 3/2π Hz, to half a line of the
/// spectrum.
TEST_F(PlotTest, SpectrumNamesItsWindow) {
  write();
  PlotOptions options{.output = file("a.svg"), .fft = true};
  EXPECT_TRUE(plot_channels(file("a.nc"), {"boom.X"}, options).empty());
  const std::string svg = read_text(file("a.svg"));
  EXPECT_NE(svg.find("frequency (Hz)"), std::string::npos);
  EXPECT_NE(svg.find("amplitude: boom.X (meter), Hann window"), std::string::npos);
  const auto points = curve(svg, "rgb(  0, 114, 178)");
  ASSERT_EQ(points.size(), 51u);  // lines 0 to 50 of 101 samples
  const auto top = std::min_element(points.begin(), points.end(),
                                    [](const auto& a, const auto& b) { return a.second < b.second; });
  const double resolution = 1 / (101 * 0.02), frequency = 3.0 / (2 * 3.14159265358979);
  EXPECT_NEAR(static_cast<double>(top - points.begin()) * resolution, frequency, 0.5 * resolution);
  options.window = Window::flat_top;
  options.log_y = true;
  plot_channels(file("a.nc"), {"boom.X"}, options);
  EXPECT_NE(read_text(file("a.svg")).find("flat top window"), std::string::npos);
  options.x_channel = "boom.Y";
  EXPECT_EQ(failure_of([&] { plot_channels(file("a.nc"), {"boom.X"}, options); }).code(), ExitCode::usage);
  options.x_channel = "TIME";
  options.to = 0.1;  // six samples
  EXPECT_EQ(failure_of([&] { plot_channels(file("a.nc"), {"boom.X"}, options); }).code(), ExitCode::usage);
}

/// Names and titles from a dataset are text: no command of gnuplot or of a shell.
TEST_F(PlotTest, NamesAreNotCommands) {
  const std::string target = file("touched");
  write("x'; system('touch " + target + "'); `touch " + target + "` \"@a\" {/Bold b}");
  PlotOptions options;
  options.output = file("it's | 'a'.svg");
  plot_channels(file("a.nc"), {"PART/2.X"}, options);
  options.title = "'\nsystem 'touch " + target + "'\n!touch " + target;
  plot_channels(file("a.nc"), {"PART/2.X"}, options);
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_TRUE(std::filesystem::exists(options.output));
  EXPECT_EQ(gnuplot_quoted("it's\n"), "'it''s '");
}

TEST_F(PlotTest, Failures) {
  write();
  const auto code = [&](const std::vector<std::string>& channels, const PlotOptions& options) {
    return failure_of([&] { plot_channels(file("a.nc"), channels, options); }).code();
  };
  EXPECT_EQ(code({"boom.X"}, {.output = file("a.pdf")}), ExitCode::usage);
  EXPECT_EQ(code({}, {.output = file("a.png")}), ExitCode::usage);
  EXPECT_EQ(code({"bom.X"}, {.output = file("a.png")}), ExitCode::usage);
  EXPECT_EQ(code({"boom.X"}, {.output = file("a.png"), .width = 1}), ExitCode::usage);
  EXPECT_EQ(code({"boom.X"}, {.output = file("no/such/folder/a.png")}), ExitCode::io);
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const Failure failure =
      failure_of([&] { plot_channels(file("a.nc"), {"boom.X"}, {.output = file("b.png")}); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(failure.code(), ExitCode::io);
  EXPECT_NE(std::string(failure.what()).find("gnuplot"), std::string::npos);
}

}  // namespace
}  // namespace trammel::test::plot_test
