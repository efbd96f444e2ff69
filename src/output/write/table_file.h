// The .out file: the requests as tables, for people. docs/file_formats.md has the layout.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/channels.h"
#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {

/// What the OUTPUT statement chooses.
struct TableOptions {
  bool fixed = false;  ///< fixed point, four decimals, instead of exponents
  /// Smaller values are printed as 0: displacements, velocities, accelerations, forces; in the units of the
  /// table. Negative: 1e-7, with `fixed` 1e-3.
  double zero[4] = {-1, -1, -1, -1};
  /// Factors on the components of DISPLACEMENT, VELOCITY, ACCELERATION and FORCE requests: translational,
  /// then rotational ones; magnitudes with them.
  double scale[4][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
  /// Angles of displacement requests as yaw, pitch, roll (measures.h) instead of psi, theta, phi; only where
  /// a request has all three.
  bool yaw_pitch_roll = false;

  void archive(Archive& a) { a(fixed, zero, scale, yaw_pitch_roll); }
};

/// Warnings: what of these options cannot be done. Displacement requests that have some of psi, theta, phi,
/// but not all, have no yaw, pitch, roll.
std::vector<std::string> table_warnings(const Channels& channels, const TableOptions& options);

/// A page is a number of output times: for each request a heading and a line per time. Angles of displacement
/// requests in degrees, as in the .req file. Holds one page; what is not a full page yet stands at the end of
/// the file after every flush. Failures: io.
class TableFile {
 public:
  static constexpr std::size_t times_per_page = 50;

  /// With a position the file goes on there, without a head; archive() is to follow.
  void open(const std::string& path, const Channels& channels, const RunInfo& info, TableOptions options = {},
            const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, std::span<const double> values);
  void flush();
  FilePosition position();
  /// What a file that goes on needs besides its position: the page in work.
  void archive(Archive& a) { a(page_, times_, rows_); }
  void close();

  std::uint64_t size() const { return file_.size(); }

 private:
  struct Column {
    std::size_t place;  ///< in a record
    double factor, zero;
  };
  struct Table {
    std::string heading;  ///< lines above the columns
    std::vector<Column> columns;
    int angles = -1;  ///< place in a record of psi, which theta and phi follow, if shown as yaw, pitch, roll
  };
  Table make_table(const Entity& request, std::size_t offset, const UnitNames& units) const;
  std::string page_text() const;
  void append_number(std::string& text, double value) const;

  TableOptions options_;
  std::string title_;
  std::vector<Table> tables_;
  std::size_t width_ = 0;             ///< columns of all tables
  int page_ = 1;                      ///< number of the page in work
  std::vector<double> times_, rows_;  ///< of this page
  StreamFile file_;
};

}  // namespace trammel
