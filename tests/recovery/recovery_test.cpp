// Stresses over time from modal coordinates: hot spots, series and files of VTK against plain sums.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include "base/diagnostics.h"
#include "base/thread_pool.h"
#include "math/rotation.h"
#include "math/symmetric.h"
#include "output/write/native_file.h"
#include "recovery/fields_file.h"
#include "recovery/hot_spots.h"
#include "recovery/node_series.h"
#include "recovery/stress_picture.h"
#include "recovery/surface.h"
#include "recovery/vtu_series.h"

namespace trammel::recovery_test {
namespace {

constexpr int kNodes = 300, kModes = 5, kTimes = 150;

/// A body of tetrahedra in a row with random fields, and a result in which it moves.
class Recovery : public testing::Test {
 protected:
  Recovery()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("trammel_recovery_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
    std::mt19937 random(3);
    std::normal_distribution<float> number;
    fields.units = {"KILOGRAM", "MILLIMETER", "SECOND", "NEWTON"};
    for (int j = 0; j < kModes; ++j) {
      fields.mode_id.push_back(7 + j);
      fields.frequency.push_back(10.0 * j);
    }
    for (int p = 0; p < kNodes; ++p) {
      fields.node_id.push_back(100 + 2 * p);
      fields.position.push_back({double(p), double(p % 7), double(p % 3)});
    }
    for (auto [values, rows] : {std::pair{&fields.translation, 3}, {&fields.strain, 6}, {&fields.stress, 6}})
      for (int k = 0; k < rows * kNodes * kModes; ++k) values->push_back(number(random));
    fields.cell_start = {0};
    for (int e = 0; e + 3 < kNodes; e += 3) {
      fields.cell_type.push_back(10);
      for (int a = 0; a < 4; ++a) fields.cell_node.push_back(e + a);
      fields.cell_start.push_back(static_cast<int>(fields.cell_node.size()));
    }
    write_results({7, 8, 9, 10, 11});
  }
  ~Recovery() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static double coordinate(int mode, int record) { return std::sin(0.3 * record + mode) * (1 + 0.1 * mode); }
  /// PART/1, then FLEX_BODY/2 with its frame and these modes, which are no numbers at one record.
  void write_results(const std::vector<int>& modes, int broken = -1) {
    Channels channels;
    channels.units.length_per_meter = 1;
    Entity part, body;
    part.type = "PART", part.id = 1, part.components = {{"X", Quantity::length}};
    body.type = "FLEX_BODY", body.id = 2, body.comment = "boom.mtx";
    for (const char* name : {"X", "Y", "Z", "PSI", "THETA", "PHI"}) body.components.push_back({name});
    for (const int id : modes) body.components.push_back({fmt::format("Q{}", id)});
    channels.entities = {part, body};
    NativeWriter writer;
    writer.open(path("run.nc"), channels, {});
    for (int k = 0; k < kTimes; ++k) {
      std::vector<double> values = {5, 0.1 * k, 0.2, -0.3, 0.1, 0.01 * k, 0.5};
      for (const int id : modes) values.push_back(k == broken ? NAN : coordinate(id - 7, k));
      writer.record(0.01 * k, StepKind::dynamics, values);
    }
    writer.close();
  }
  /// A row of a field at a record.
  double value(const std::vector<float>& field, int row, int record) const {
    double sum = 0;
    for (int j = 0; j < kModes; ++j)
      sum += field[static_cast<std::size_t>(row) * kModes + j] * coordinate(j, record);
    return sum;
  }
  ModalMotion motion(const ResultReader& results, const RecordRange& range = {}) const {
    ModalMotion out(results, "", range);
    out.use(fields);
    return out;
  }

  ModalFields fields;
  std::filesystem::path folder_;
};

TEST(Tensors, principal_values_are_eigenvalues) {
  std::mt19937 random(5);
  std::normal_distribution<double> number;
  for (int k = 0; k < 2000; ++k) {
    double s[6], p[3];
    for (double& x : s) x = number(random);
    if (k % 4 == 1) s[3] = s[4] = s[5] = 0;
    if (k % 4 == 2) s[1] = s[2] = s[0], s[3] = s[4] = 0;  // two are equal
    if (k % 4 == 3) s[0] = s[1] = s[2], s[3] = s[4] = s[5] = 0;
    principal_values(s, p);
    const Vec3d exact = eigenvalues(matrix_of({{s[0], s[1], s[2], s[3], s[5], s[4]}}));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(p[i], exact[i], 1e-7 * (1 + std::abs(exact[i])));
    const double a = p[0] - p[1], b = p[1] - p[2], c = p[2] - p[0];
    EXPECT_NEAR(von_mises(s), std::sqrt(0.5 * (a * a + b * b + c * c)), 1e-7);
    EXPECT_NEAR(tensor_measure("tresca")->of(s), p[2] - p[0], 1e-12);
  }
  const double shear[6] = {0, 0, 0, 2, 0, 0}, push[6] = {-3, 0, 0, 0, 0, 0};
  EXPECT_NEAR(von_mises(shear), 2 * std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(tensor_measure("principal")->of(shear), 2, 1e-14);
  EXPECT_NEAR(tensor_measure("extreme")->of(push), -3, 1e-14);
  EXPECT_NEAR(tensor_measure("pressure")->of(push), 1, 1e-14);
}

/// By every measure, with threads and without: what a plain search over all nodes and times finds.
TEST_F(Recovery, hot_spots_are_the_worst_of_all_times) {
  const ResultReader results(path("run.nc"));
  ThreadPool pool(2);
  for (const TensorMeasure& measure : tensor_measures()) {
    std::vector<double> worst(kNodes);
    std::vector<int> order(kNodes);
    for (int p = 0; p < kNodes; ++p) {
      order[p] = p;
      double rank = -1e300;
      for (int k = 0; k < kTimes; ++k) {
        double s[6];
        for (int c = 0; c < 6; ++c) s[c] = value(fields.stress, 6 * p + c, k);
        const double found = measure.of(s);
        if (measure.rank(found) > rank) rank = measure.rank(found), worst[p] = found;
      }
    }
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return measure.rank(worst[a]) > measure.rank(worst[b]); });
    for (ThreadPool* team : {static_cast<ThreadPool*>(nullptr), &pool}) {
      ModalMotion m = motion(results);
      HotSpotOptions options;
      options.measure = &measure;
      options.top = 12;
      options.pool = team;
      const std::vector<HotSpot> spots = hot_spots(fields, m, options);
      ASSERT_EQ(spots.size(), 12u);
      for (int k = 0; k < 12; ++k) {
        // Sums are in single precision: 1e-5 of numbers of size 10.
        EXPECT_NEAR(spots[k].value, worst[order[k]], 1e-4) << measure.name;
        EXPECT_NEAR(measure.of(spots[k].stress), spots[k].value, 1e-4) << measure.name;
      }
      EXPECT_EQ(spots[0].node, order[0]) << measure.name;
      double then[6];  // times may differ where two are equally bad but for rounding
      for (int c = 0; c < 6; ++c)
        then[c] = value(fields.stress, 6 * order[0] + c, static_cast<int>(std::lround(100 * spots[0].time)));
      EXPECT_NEAR(measure.of(then), worst[order[0]], 1e-4) << measure.name;
    }
  }
}

TEST_F(Recovery, nodes_within_the_radius_are_counted_once) {
  const ResultReader results(path("run.nc"));
  ModalMotion m = motion(results);
  HotSpotOptions options;
  options.radius = 10;
  options.top = 1000;
  const std::vector<HotSpot> spots = hot_spots(fields, m, options);
  int counted = 0;
  for (std::size_t a = 0; a < spots.size(); ++a) {
    counted += 1 + spots[a].others;
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_GE(spots[b].value, spots[a].value);
      EXPECT_GT(norm(fields.position[spots[a].node] - fields.position[spots[b].node]), 10);
    }
  }
  EXPECT_EQ(counted, kNodes);
  EXPECT_LT(spots.size(), 60u);
}

TEST_F(Recovery, series_are_sums_over_modes) {
  const ResultReader results(path("run.nc"));
  ModalMotion m = motion(results, {0.2, 1.0, 3});
  EXPECT_EQ(write_node_series(path("series.nc"), fields, m, {4, 250}, results), m.records());
  const NativeReader read(path("series.nc"));
  ASSERT_EQ(read.records(), 27u);
  for (const int p : {4, 250}) {
    const std::string node = fmt::format("NODE/{}.", 100 + 2 * p);
    const std::vector<double> v = read.read(node + "V"), zx = read.read(node + "SZX"),
                              e = read.read(node + "EYZ"), mises = read.read(node + "MISES"),
                              s1 = read.read(node + "S1"), s3 = read.read(node + "S3");
    for (int k = 0; k < 27; ++k) {
      const int record = 20 + 3 * k;
      EXPECT_NEAR(read.time()[k], 0.01 * record, 1e-12);
      EXPECT_NEAR(v[k], value(fields.translation, 3 * p + 1, record), 1e-12);
      EXPECT_NEAR(zx[k], value(fields.stress, 6 * p + 5, record), 1e-12);
      EXPECT_NEAR(e[k], value(fields.strain, 6 * p + 4, record), 1e-12);
      double s[6];
      for (int c = 0; c < 6; ++c) s[c] = value(fields.stress, 6 * p + c, record);
      EXPECT_NEAR(mises[k], von_mises(s), 1e-12);
      EXPECT_GE(s1[k], s3[k]);
    }
  }
}

/// Reads an array of a .vtu by its offset, as a reader of VTK does.
template <class T>
std::vector<T> array_of(const std::string& text, const std::string& name) {
  const std::regex place("Name=\"" + name + "\"[^/]*offset=\"([0-9]+)\"");
  std::smatch found;
  if (!std::regex_search(text, found, place)) return {};
  const char* at = text.data() + text.find("_", text.find("<AppendedData")) + 1 + std::stoul(found[1]);
  std::uint64_t size;
  std::memcpy(&size, at, sizeof size);
  std::vector<T> out(size / sizeof(T));
  std::memcpy(out.data(), at + sizeof size, size);
  return out;
}

TEST_F(Recovery, files_of_vtk_have_places_and_stresses) {
  const ResultReader results(path("run.nc"));
  ModalMotion m = motion(results, {{}, {}, 50});
  VtuOptions options;
  options.length = 0.001;
  options.strain = true;
  write_vtu_series(path("view"), fields, m, options);
  std::ifstream list(path("view.pvd"));
  const std::string pvd{std::istreambuf_iterator<char>(list), {}};
  EXPECT_NE(pvd.find("<DataSet timestep=\"0.5\" file=\"view_00001.vtu\"/>"), std::string::npos) << pvd;
  EXPECT_TRUE(pvd.ends_with("</Collection>\n</VTKFile>\n"));
  std::ifstream file(path("view_00001.vtu"), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NEAR(static_cast<double>(text.size()), static_cast<double>(vtu_bytes(fields, options)), 2000);
  const auto at = array_of<float>(text, "points"), moved = array_of<float>(text, "displacement"),
             stress = array_of<float>(text, "stress"), mises = array_of<float>(text, "von_mises"),
             strain = array_of<float>(text, "strain");
  ASSERT_EQ(at.size(), 3u * kNodes);
  ASSERT_EQ(stress.size(), 6u * kNodes);
  ASSERT_EQ(strain.size(), 6u * kNodes);
  const Mat3d axes = rotation_313(Vec3d{0.1, 0.5, 0.5});
  for (const int p : {0, 17, kNodes - 1}) {
    const Vec3d origin{5, 0.2, -0.3}, place = origin + 0.001 * (axes * fields.position[p]);
    Vec3d u{};
    double s[6];
    for (int d = 0; d < 3; ++d) u[d] = 0.001 * value(fields.translation, 3 * p + d, 50);
    u = axes * u;
    for (int c = 0; c < 6; ++c) s[c] = value(fields.stress, 6 * p + c, 50);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(at[3 * p + d], place[d], 1e-6 * norm(place));
      EXPECT_NEAR(moved[3 * p + d], u[d], 1e-5 * norm(u));
    }
    EXPECT_NEAR(stress[6 * p + 4], s[4], 1e-5);
    EXPECT_NEAR(mises[p], von_mises(s), 1e-5 * von_mises(s));
    EXPECT_NEAR(strain[6 * p + 2], value(fields.strain, 6 * p + 2, 50), 1e-5);
  }
  EXPECT_EQ(array_of<std::int32_t>(text, "connectivity").size(), fields.cell_node.size());
  EXPECT_EQ(array_of<std::int32_t>(text, "offsets").back(), static_cast<int>(fields.cell_node.size()));
  EXPECT_EQ(array_of<std::uint8_t>(text, "types").front(), 10);
}

/// Two bricks have ten faces outside, a tetrahedron in a row with others three or four corners each.
TEST(Surface, has_the_faces_of_one_element_only) {
  ModalFields two;
  two.cell_type = {12, 12};
  two.cell_start = {0, 8, 16};
  two.cell_node = {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<SurfaceFace> faces = surface_of(two);
  EXPECT_EQ(faces.size(), 10u);
  for (const SurfaceFace& face : faces) {
    int inner = 0;
    for (const int p : face) inner += p >= 4 && p <= 7;
    EXPECT_LT(inner, 4);
  }
  two.cell_type = {26, 24};  // quadratic ones by their corners
  two.cell_start = {0, 15, 25};
  two.cell_node.assign(25, 99);
  for (int a = 0; a < 6; ++a) two.cell_node[a] = a;
  const int tetrahedron[] = {3, 4, 5, 20};  // on the wedge's upper triangle
  std::copy_n(tetrahedron, 4, two.cell_node.begin() + 15);
  EXPECT_EQ(surface_of(two).size(), 4u + 3u);
}

TEST_F(Recovery, a_picture_is_drawn) {
  const ResultReader results(path("run.nc"));
  ModalMotion m = motion(results, {{}, {}, 10});
  const std::vector<HotSpot> spots = hot_spots(fields, m, {});
  draw_stress(path("worst.svg"), fields, m, spots, {tensor_measure("mises"), "FLEX_BODY/2", "MPa"});
  std::ifstream in(path("worst.svg"));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("equivalent stress of von Mises, t = "), std::string::npos);
  EXPECT_NE(text.find("mises [MPa]"), std::string::npos);
  EXPECT_GT(text.size(), 20000u);  // the faces are there
}

TEST_F(Recovery, fields_read_back_to_the_same_bits) {
  write_fields(path("boom.fields.nc"), fields);
  const ModalFields read = read_fields(path("boom.fields.nc"));
  EXPECT_EQ(read.mode_id, fields.mode_id);
  EXPECT_EQ(read.frequency, fields.frequency);
  EXPECT_EQ(read.node_id, fields.node_id);
  EXPECT_EQ(read.translation, fields.translation);
  EXPECT_EQ(read.strain, fields.strain);
  EXPECT_EQ(read.stress, fields.stress);
  EXPECT_EQ(read.cell_type, fields.cell_type);
  EXPECT_EQ(read.cell_start, fields.cell_start);
  EXPECT_EQ(read.cell_node, fields.cell_node);
  EXPECT_EQ(read.units.length, "MILLIMETER");
  EXPECT_EQ(read.position[7].y, fields.position[7].y);
  EXPECT_TRUE(read_fields(path("boom.fields.nc"), {false, false, true}).strain.empty());
  EXPECT_EQ(fields_name("dir/boom.mtx"), "dir/boom.fields.nc");
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    return text.substr(text.rfind('/', text.find(':')) + 1);
  }
  return "accepted";
}

TEST_F(Recovery, what_does_not_fit_is_refused) {
  const auto use = [&] {
    const ResultReader results(path("run.nc"));
    motion(results);
  };
  write_results({7, 8, 12});
  EXPECT_EQ(refusal(use).substr(0, 43), "run.nc: FLEX_BODY/2 moves by mode 12, which");
  write_results({});
  EXPECT_EQ(refusal(use), "run.nc: FLEX_BODY/2 has no modal coordinates: it moved as a rigid body");
  // A coordinate that is no number is no stress of 0.
  write_results({7, 9}, 40);
  EXPECT_EQ(
      refusal([&] {
        const ResultReader broken(path("run.nc"));
        ModalMotion m = motion(broken);
        hot_spots(fields, m, {});
      }),
      "run.nc: at time 0.4 a modal coordinate of FLEX_BODY/2 is no number; leave that time out by --times");
  write_results({7, 9});
  const ResultReader results(path("run.nc"));
  EXPECT_EQ(motion(results).absent(), (std::vector<int>{8, 10, 11}));
  EXPECT_EQ(refusal([&] { ModalMotion(results, "FLEX_BODY/3", {}); }),
            "run.nc: has no flexible body FLEX_BODY/3; it has FLEX_BODY/2");
  EXPECT_EQ(refusal([&] { ModalMotion(results, "", {7.0, {}, 1}); }), "run.nc: has no record in these times");
  EXPECT_EQ(refusal([&] { read_fields(path("run.nc")); }),
            "run.nc: no file of fields, as 'trammel flex reduce --fields' writes it");
  fields.cell_node.back() = kNodes;
  write_fields(path("wrong.fields.nc"), fields);
  EXPECT_EQ(refusal([&] { read_fields(path("wrong.fields.nc")); }),
            "wrong.fields.nc: cells are of no known kind, or name nodes that are not there");
  fields.cell_node.back() = 0;
  const auto refusal_of = [&](ModalFields wrong) {
    write_fields(path("wrong.fields.nc"), wrong);
    return refusal([&] { read_fields(path("wrong.fields.nc")); });
  };
  EXPECT_EQ(refusal_of(fields), "accepted");
  ModalFields wrong = fields;
  wrong.cell_type[3] = 25;  // a brick of four nodes
  EXPECT_EQ(refusal_of(wrong),
            "wrong.fields.nc: cells are of no known kind, or name nodes that are not there");
  wrong = fields;
  wrong.stress[7] = NAN;
  EXPECT_EQ(refusal_of(wrong),
            "wrong.fields.nc: some of its displacements, strains or stresses are no numbers");
  write_fields(path("wrong.fields.nc"), fields);
  // Cut anywhere, a file is refused, not taken for zeros.
  const auto size = std::filesystem::file_size(path("wrong.fields.nc"));
  for (const double part : {0.0, 0.001, 0.05, 0.5, 0.99}) {
    std::filesystem::resize_file(path("wrong.fields.nc"), static_cast<std::uintmax_t>(part * double(size)));
    EXPECT_NE(refusal([&] { read_fields(path("wrong.fields.nc")); }), "accepted") << part;
    write_fields(path("wrong.fields.nc"), fields);
  }
}

}  // namespace
}  // namespace trammel::recovery_test
