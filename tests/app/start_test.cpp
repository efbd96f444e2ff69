// What the program loads before and while it runs: a library that a run does not need costs more than a small
// run does.
#include <sstream>

#include <gtest/gtest.h>

#include "support.h"

namespace trammel_test::start_test {
namespace {

void write_deck(const Folder& f) {
  f.write("body.adm", falling_body());
  f.write("body.acf", "body\nbody\nSIMULATE/DYNAMIC, END=1, STEPS=10\nSTOP\n");
}

Launch launch(std::vector<std::string> arguments, std::vector<std::string> environment) {
  Launch out;
  out.arguments = std::move(arguments);
  out.environment = std::move(environment);
  return out;
}

/// Names of all shared libraries that the program had by its end, as its loader tells them.
std::vector<std::string> loaded(const Folder& f, const std::vector<std::string>& arguments) {
  const Outcome outcome = run(f, launch(arguments, {"LD_DEBUG=files", "LD_DEBUG_OUTPUT=loader"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(f.path())) {
    if (!entry.path().filename().string().starts_with("loader.")) continue;
    std::istringstream lines(f.read(entry.path().filename().string()));
    const std::string mark = "calling init: ";
    for (std::string line; std::getline(lines, line);)
      if (const std::size_t at = line.find(mark); at != std::string::npos)
        names.push_back(fs::path(line.substr(at + mark.size())).filename().string());
    fs::remove(entry.path());
  }
  return names;
}

/// Those that come with netCDF on one system or another.
std::vector<std::string> of_netcdf(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names)
    for (const char* part : {"netcdf", "hdf5", "curl", "xml2", "gnutls", "ssl", "crypto"})
      if (name.find(part) != std::string::npos) found.push_back(name);
  return found;
}

const char* text_results = "--formats=csv,res,req,gra,out";

TEST(Start, OnlyReadingANativeFileLoadsTheNetcdfLibrary) {
  const Folder f;
  write_deck(f);
  const std::vector<std::string> text = loaded(f, {"run", "body.acf", text_results});
  ASSERT_FALSE(text.empty()) << "the loader says nothing";
  EXPECT_EQ(of_netcdf(text), std::vector<std::string>{});
  EXPECT_EQ(of_netcdf(loaded(f, {"check", "body.adm"})), std::vector<std::string>{});
  EXPECT_EQ(of_netcdf(loaded(f, {"compare", "body.csv", "body.csv"})), std::vector<std::string>{});
  EXPECT_EQ(of_netcdf(loaded(f, {"run", "body.acf"})), std::vector<std::string>{});
  EXPECT_NE(of_netcdf(loaded(f, {"compare", "body.nc", "body.csv"})), std::vector<std::string>{});
}

/// A library that is not there, one that is none, one that is another.
struct Broken {
  const char *file, *says;
};
const Broken broken[] = {
    {"missing.so", "missing.so: cannot open shared object file"},
    {"./text.so", "./text.so: "},
    {"libm.so.6", "libm.so.6 is no netCDF library that this program can use: it has no nc_"}};

TEST(Start, WithoutTheNetcdfLibraryARunWithModesSaysWhatToDo) {
  for (const Broken& b : broken) {
    const Folder f;
    write_deck(f);
    f.write("body.acf", "body\nbody\nSIMULATE/DYNAMIC, END=1, STEPS=10\nLINEAR/EIGENSOL\nSTOP\n");
    f.write("text.so", "no library");
    const Launch without =
        launch({"run", "body.acf", "--formats=csv,nc"}, {std::string("TRAMMEL_NETCDF=") + b.file});
    const Outcome outcome = run(f, without);
    EXPECT_EQ(outcome.code, 7) << b.file;
    for (const char* words : {b.says, "install it", "TRAMMEL_NETCDF", "--formats csv"})
      EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(f.channel("body.nc", "PART/2.X").size(), 11u) << b.file;
    EXPECT_EQ(f.json("body.status.json")["state"], "failed");
    EXPECT_NE(f.read("body.msg").find("TRAMMEL_NETCDF"), std::string::npos);
  }
}

TEST(Start, WithoutTheNetcdfLibraryResultsAreWrittenAndTextIsRead) {
  const Folder f;
  write_deck(f);
  const std::vector<std::string> environment = {"TRAMMEL_NETCDF=missing.so"};
  EXPECT_EQ(run(f, launch({"run", "body.acf", text_results}, environment)).code, 0);
  EXPECT_EQ(run(f, launch({"compare", "body.csv", "body.res"}, environment)).code, 0);
  ASSERT_EQ(run(f, launch({"run", "body.acf", "-o", "native"}, environment)).code, 0);
  const Outcome outcome = run(f, launch({"compare", "native.nc", "body.csv"}, environment));
  EXPECT_EQ(outcome.code, 7);
  EXPECT_NE(outcome.err.find("TRAMMEL_NETCDF"), std::string::npos) << outcome.err;
}

TEST(Start, ANetcdfLibraryCanBeNamed) {
  const Folder f;
  write_deck(f);
  EXPECT_EQ(run(f, {"run", "body.acf"}).code, 0);
  EXPECT_EQ(run(f, launch({"compare", "body.nc", "body.nc"}, {"TRAMMEL_NETCDF=" NETCDF_FILE})).code, 0);
  EXPECT_EQ(f.channel("body.nc", "PART/2.X").size(), 11u);  // the start and ten steps
}

}  // namespace
}  // namespace trammel_test::start_test
