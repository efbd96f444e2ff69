// Modes of LINEAR in result files: read back by netCDF itself, by an XML parser, and by our readers.
#include <gtest/gtest.h>
#include <netcdf.h>

#include <filesystem>
#include <fstream>

#include "output/mode_set.h"
#include "output/output_set.h"
#include "output/read/native_modes.h"
#include "output/read/result_reader.h"
#include "output/write/classic_layout.h"
#include "output/write/native_modes.h"
#include "support.h"

namespace trammel::test::modes_test {
namespace {

/// Numbers that no other place of the set has.
ModeSet sample_modes(int number, std::size_t modes, bool shapes) {
  ModeSet out;
  out.number = number;
  out.time = 0.1 * number;
  out.states = static_cast<int>(2 * modes);
  out.text = "\n E I G E N V A L U E S  at time = 1\n";
  double next = 1.0 / 3 + number;
  const auto fill = [&next](std::vector<double>& to, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) to.push_back(next *= -1.25);
  };
  fill(out.eigenvalue, 2 * modes);
  fill(out.damping_ratio, modes);
  if (!shapes) return out;
  out.parts = {"PART/2", "PART/7"};
  fill(out.position, 6);
  fill(out.axes, 18);
  fill(out.shape, modes * 2 * ModeSet::per_part);
  return out;
}

void expect_equal(const ModeSet& found, const ModeSet& expected) {
  EXPECT_EQ(found.number, expected.number);
  EXPECT_EQ(found.time, expected.time);
  EXPECT_EQ(found.states, expected.states);
  EXPECT_EQ(found.eigenvalue, expected.eigenvalue);
  EXPECT_EQ(found.damping_ratio, expected.damping_ratio);
  EXPECT_EQ(found.parts, expected.parts);
  EXPECT_EQ(found.position, expected.position);
  EXPECT_EQ(found.axes, expected.axes);
  EXPECT_EQ(found.shape, expected.shape);
}

class ModesInFiles : public OutputTest {
 protected:
  /// A run of five records with these modes after the second one.
  void write(const std::vector<ModeSet>& sets, const std::vector<Format>& formats) {
    OutputSet set;
    const Channels channels = sample_channels();
    set.open(channels, sample_info(), file("run"), formats);
    for (std::size_t r = 0; r < 5; ++r) {
      set.record(sample_time(r), StepKind::dynamics,
                 sample_values(r, static_cast<std::size_t>(channels.size())));
      if (r == 1)
        for (const ModeSet& modes : sets) set.modes(modes);
    }
    set.close();
  }
};

TEST_F(ModesInFiles, native_file_holds_them_beside_its_records) {
  write({}, {Format::native});
  const std::string plain = read_text(file("run.nc"));
  write({sample_modes(1, 3, true), sample_modes(2, 2, false), sample_modes(4, 0, true)}, {Format::native});
  const ResultReader reader(file("run.nc"));
  const std::vector<ModeSet> modes = reader.modes();
  ASSERT_EQ(modes.size(), 3u);
  expect_equal(modes[0], sample_modes(1, 3, true));
  expect_equal(modes[1], sample_modes(2, 2, false));
  expect_equal(modes[2], sample_modes(4, 0, true));
  // The records are the bytes that they are without modes.
  const auto bytes_of_records = [](const std::string& path, const std::string& text) {
    return text.substr(read_classic_layout(path).value().first_record);
  };
  const std::string with = bytes_of_records(file("run.nc"), read_text(file("run.nc")));
  write({}, {Format::native});
  EXPECT_EQ(with, bytes_of_records(file("run.nc"), plain));
  EXPECT_TRUE(ResultReader(file("run.nc")).modes().empty());
  EXPECT_FALSE(std::filesystem::exists(file("run.nc.modes")));
}

/// By the netCDF library alone, by the names of docs/file_formats.md.
TEST_F(ModesInFiles, native_file_has_the_documented_names) {
  const ModeSet set = sample_modes(3, 2, true);
  write({set}, {Format::native});
  int handle = -1, id = -1;
  ASSERT_EQ(nc_open(file("run.nc").c_str(), NC_NOWRITE, &handle), NC_NOERR);
  const auto expect = [&](const char* name, const std::vector<double>& values,
                          const std::vector<std::size_t>& shape) {
    ASSERT_EQ(nc_inq_varid(handle, name, &id), NC_NOERR) << name;
    int rank = 0, dimensions[8];
    nc_inq_varndims(handle, id, &rank);
    ASSERT_EQ(static_cast<std::size_t>(rank), shape.size()) << name;
    nc_inq_vardimid(handle, id, dimensions);
    for (int d = 0; d < rank; ++d) {
      std::size_t length = 0;
      nc_inq_dimlen(handle, dimensions[d], &length);
      EXPECT_EQ(length, shape[static_cast<std::size_t>(d)]) << name;
    }
    std::vector<double> found(values.size());
    nc_get_var_double(handle, id, found.data());
    EXPECT_EQ(found, values) << name;
  };
  expect("LINEAR_3", {2}, {});
  double time = 0;
  EXPECT_EQ(nc_get_att_double(handle, id, "time", &time), NC_NOERR);
  EXPECT_EQ(time, set.time);
  expect("LINEAR_3_eigenvalue", set.eigenvalue, {2, 2});
  expect("LINEAR_3_damping_ratio", set.damping_ratio, {2});
  expect("LINEAR_3_shape", set.shape, {2, 2, 6, 2});
  expect("LINEAR_3_part_position", set.position, {2, 3});
  expect("LINEAR_3_part_axes", set.axes, {2, 3, 3});
  nc_close(handle);
}

TEST_F(ModesInFiles, results_file_is_xml_with_an_element_of_its_own) {
  const ModeSet first = sample_modes(1, 3, true), second = sample_modes(2, 1, false);
  write({first, second}, {Format::results});
  const std::vector<ModeSet> modes = ResultReader(file("run.res")).modes();
  ASSERT_EQ(modes.size(), 2u);
  expect_equal(modes[0], first);
  expect_equal(modes[1], second);
  EXPECT_EQ(ResultReader(file("run.res")).records(), 5u);
  const std::string python = program_on_path("python3");
  if (python.empty()) GTEST_SKIP() << "no python3, whose XML parser is the independent reader";
  const std::string script = file("read.py");
  std::ofstream(script)
      << "import sys, xml.etree.ElementTree as E\n"
         "r = E.parse(sys.argv[1]).getroot()\n"
         "m, x = '{urn:trammel:modes:1}', '{http://www.mscsoftware.com/:xrf10}'\n"
         "sets = r.findall(x + 'Analysis/' + m + 'EigenSolution')\n"
         "s = sets[0]\n"
         "modes = s.findall(m + 'Mode')\n"
         "print(len(sets), s.get('id'), s.get('states'), [p.get('name') for p in s.findall(m + 'Part')],\n"
         "      repr(float(modes[2].get('imaginary'))), repr(float(modes[2].text.split()[-1])),\n"
         "      len(r.findall('.//' + x + 'Step')))\n";
  EXPECT_EQ(output_of(python + " " + script + " " + file("run.res")),
            fmt::format("2 1 6 ['PART/2', 'PART/7'] {} {} 5\n", first.eigenvalue[5], first.shape.back()));
}

TEST_F(ModesInFiles, tables_have_a_page) {
  write({sample_modes(1, 3, true)}, {Format::table});
  const std::string text = read_text(file("run.out"));
  const std::size_t table = text.find("E I G E N V A L U E S");
  ASSERT_NE(table, std::string::npos);
  // Between the records before LINEAR, those of page 1, and those after it.
  EXPECT_LT(text.find("page 1"), text.find("page 2"));
  EXPECT_LT(text.find("page 2"), table);
  EXPECT_LT(table, text.find("page 3"));
}

TEST_F(ModesInFiles, cut_files_say_so) {
  write({sample_modes(1, 40, true)}, {Format::native, Format::results});
  const std::string path = file("run.nc"), whole = read_text(path);
  const std::uint64_t first = read_classic_layout(path).value().first_record;
  std::filesystem::resize_file(path, first);  // without records, whole modes
  EXPECT_EQ(read_native_modes(path).size(), 1u);
  std::filesystem::resize_file(path, first - 1);
  const Failure failure = failure_of([&] { read_native_modes(path); });
  EXPECT_EQ(failure.code(), ExitCode::input);
  EXPECT_EQ(failure.what(),
            fmt::format("{0}: the file ends early (byte {1}), inside the modes of LINEAR, which end "
                        "at byte {2}",
                        path, first - 1, first));
  const std::string res = file("run.res"), text = read_text(res);
  std::filesystem::resize_file(res, text.find("<Mode id=\"7\""));
  const ResultReader cut(res);
  EXPECT_TRUE(cut.modes().empty());
  ASSERT_FALSE(cut.notices().empty());
  EXPECT_NE(cut.notices()[0].find("the file ends"), std::string::npos) << cut.notices()[0];
}

/// A disk without room for the copy leaves the file with its records.
TEST_F(ModesInFiles, file_stays_where_modes_cannot_be_written) {
  write({}, {Format::native});
  const std::string before = read_text(file("run.nc"));
  std::filesystem::create_directory(file("run.nc.modes"));
  std::filesystem::create_directory(file("run.nc.modes") + "/in");
  const std::vector<ModeSet> sets{sample_modes(1, 2, true)};
  const Failure failure = failure_of([&] { add_modes_to_native(file("run.nc"), sets); });
  EXPECT_EQ(failure.code(), ExitCode::io);
  EXPECT_NE(std::string(failure.what()).find("cannot write modes to " + file("run.nc")), std::string::npos);
  EXPECT_EQ(read_text(file("run.nc")), before);
}

}  // namespace
}  // namespace trammel::test::modes_test
