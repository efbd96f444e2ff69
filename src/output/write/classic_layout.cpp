#include "output/write/classic_layout.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/diagnostics.h"
#include "output/read/text_input.h"

namespace trammel {
namespace {

constexpr std::uint32_t tag_dimension = 10, tag_variable = 11, tag_attribute = 12;

/// Bytes of an external type: byte, char, short, int, float, double.
constexpr std::uint64_t type_bytes[] = {0, 1, 1, 2, 4, 4, 8};

/// of a variable in a record: 2³¹ bytes hold no more
constexpr std::uint64_t most_values = std::uint64_t{1} << 31;

/// Sizes in the header are rounded up to words of 4 bytes.
std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + 3) / 4 * 4;
}

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& path) : path_(path), file_(open_for_reading(path)) {}

  std::optional<ClassicLayout> read() {
    unsigned char head[4] = {};
    const std::size_t got = std::fread(head, 1, 4, file_.get());
    if (got != 4 || head[0] != 'C' || head[1] != 'D' || head[2] != 'F' || head[3] > 2) return std::nullopt;
    wide_offsets_ = head[3] == 2;
    number();  // number of records
    read_dimensions();
    skip_attributes();
    return read_variables();
  }

 private:
  [[noreturn]] void broken() const {
    fail(ExitCode::input, "{}: the head of the netCDF file is damaged near byte {}", path_,
         std::ftell(file_.get()));
  }

  std::uint32_t number() {
    unsigned char b[4];
    if (std::fread(b, 1, 4, file_.get()) != 4)
      fail(ExitCode::input, "{}: the file ends (byte {}) inside its head: no results can be read from it",
           path_, std::ftell(file_.get()));
    return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
  }

  std::uint64_t offset() {
    const std::uint64_t high = wide_offsets_ ? number() : 0;
    return high << 32 | number();
  }

  void skip(std::uint64_t bytes) {
    if (bytes > std::numeric_limits<std::int32_t>::max() ||
        std::fseek(file_.get(), static_cast<long>(bytes), SEEK_CUR) != 0)
      broken();
  }

  void skip_name() { skip(padded(number())); }

  /// Length of a list; an absent list is two zeros.
  std::uint32_t list_of(std::uint32_t tag) {
    const std::uint32_t found = number(), count = number();
    if (found != tag && !(found == 0 && count == 0)) broken();
    return count;
  }

  void read_dimensions() {
    const std::uint32_t count = list_of(tag_dimension);
    for (std::uint32_t k = 0; k < count; ++k) {
      skip_name();
      lengths_.push_back(number());
    }
  }

  void skip_attributes() {
    const std::uint32_t count = list_of(tag_attribute);
    for (std::uint32_t k = 0; k < count; ++k) {
      skip_name();
      const std::uint32_t type = number();
      if (type < 1 || type > 6) broken();
      skip(padded(number() * type_bytes[type]));
    }
  }

  ClassicLayout read_variables() {
    ClassicLayout layout;
    layout.first_record = std::numeric_limits<std::uint64_t>::max();
    const std::uint32_t count = list_of(tag_variable);
    for (std::uint32_t k = 0; k < count; ++k) {
      skip_name();
      const std::uint32_t rank = number();
      bool record = false;
      std::uint64_t values = 1;  // per record
      for (std::uint32_t d = 0; d < rank; ++d) {
        const std::uint32_t dimension = number();
        // The record dimension must be the first of a variable; elsewhere a length of 0 is invalid.
        if (dimension >= lengths_.size() || (d > 0 && lengths_[dimension] == 0)) broken();
        record = record || lengths_[dimension] == 0;  // length 0: the record dimension
        if (lengths_[dimension] > 0) values *= lengths_[dimension];
        if (values > most_values) broken();
      }
      skip_attributes();
      const std::uint32_t type = number();
      if (type < 1 || type > 6) broken();
      number();  // stored bytes per record: ignored, as they follow from the dimensions and may be damaged
      const std::uint64_t begin = offset();
      if (!record) continue;
      layout.record_bytes += padded(values * type_bytes[type]);
      layout.first_record = std::min(layout.first_record, begin);
    }
    if (layout.record_bytes == 0) layout.first_record = 0;
    return layout;
  }

  std::string path_;
  FileHandle file_;
  bool wide_offsets_ = false;
  std::vector<std::uint32_t> lengths_;
};

}  // namespace

std::optional<ClassicLayout> read_classic_layout(const std::string& path) {
  return HeaderReader(path).read();
}

}  // namespace trammel
