// The .out file: the requests as printable tables. Layout: docs/file_formats.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/channels.h"
#include "output/mode_set.h"
#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {

/// Options of the OUTPUT statement.
struct TableOptions {
  bool fixed = false;  ///< fixed point, four decimals, instead of exponents
  /// Limits below which values are printed as 0: displacements, velocities, accelerations, forces, in the
  /// table's units. Negative: 1e-7, with `fixed` 1e-3.
  double zero[4] = {-1, -1, -1, -1};
  /// Factors for DISPLACEMENT, VELOCITY, ACCELERATION and FORCE requests: of translational components, then
  /// of rotational ones, magnitudes included.
  double scale[4][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
  /// Angles of displacement requests as yaw, pitch, roll (measures.h) instead of psi, theta, phi, in requests
  /// that have all three.
  bool yaw_pitch_roll = false;

  void archive(Archive& a) { a(fixed, zero, scale, yaw_pitch_roll); }
};

/// Warnings about options that cannot be applied: displacement requests with only some of psi, theta, phi
/// have no yaw, pitch, roll.
std::vector<std::string> table_warnings(const Channels& channels, const TableOptions& options);

/// A page has a number of output times: for each request a heading and a line per time. Angles of
/// displacement requests are in degrees, as in the .req file. Holds one page in memory; an incomplete page is
/// at the end of the file after every flush. Failures: io.
class TableFile {
 public:
  static constexpr std::size_t times_per_page = 50;

  /// With a position the file is continued there, without a header; call archive() next.
  void open(const std::string& path, const Channels& channels, const RunInfo& info, TableOptions options = {},
            const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, std::span<const double> values);
  /// A page of its own with the tables of a LINEAR, as in the message file.
  void modes(const ModeSet& set);
  void flush();
  FilePosition position();
  /// Saves or restores what a continued file needs besides its position: the present page.
  void archive(Archive& a) { a(page_, times_, rows_); }
  void close();

  std::uint64_t size() const { return file_.size(); }

 private:
  struct Column {
    std::size_t place;  ///< index in a record
    double factor, zero;
  };
  struct Table {
    std::string heading;  ///< lines above the columns
    std::vector<Column> columns;
    int angles = -1;  ///< index of psi (theta, phi follow) in a record, if shown as yaw, pitch, roll
  };
  Table make_table(const Entity& request, std::size_t offset, const UnitNames& units) const;
  std::string page_head() const;
  std::string page_text() const;
  void end_page();
  void append_number(std::string& text, double value) const;

  TableOptions options_;
  std::string title_;
  std::vector<Table> tables_;
  std::size_t width_ = 0;             ///< columns of all tables
  int page_ = 1;                      ///< number of the present page
  std::vector<double> times_, rows_;  ///< of the present page
  StreamFile file_;
};

}  // namespace trammel
