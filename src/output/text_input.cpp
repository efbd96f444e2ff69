#include "output/text_input.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/stream_file.h"

namespace trammel {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
constexpr std::size_t longest_tag = std::size_t{1} << 20;
constexpr std::string_view blanks = " \t\r\n";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(blanks) == std::string_view::npos;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += '?';
  }
}

/// Appends what the reference &name; stands for; false where it is none.
bool append_reference(std::string& out, std::string_view name) {
  constexpr std::pair<std::string_view, char> known[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [text, c] : known)
    if (text == name) {
      out += c;
      return true;
    }
  if (name.size() < 2 || name[0] != '#') return false;
  const bool hexadecimal = name[1] == 'x';
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  unsigned code = 0;
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != digits.data() + digits.size()) return false;
  append_utf8(out, code);
  return true;
}

std::string without_markup(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    out += text.substr(0, at);
    if (at == std::string_view::npos) break;
    const std::size_t end = text.find(';', at);
    if (end == std::string_view::npos || !append_reference(out, text.substr(at + 1, end - at - 1))) {
      out += '&';
      text.remove_prefix(at + 1);
      continue;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

FileHandle open_for_reading(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    fail(ExitCode::io, "cannot read {}: it is a folder", path);
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail(ExitCode::io, "cannot read {}: it is a device or a pipe, no file", path);
  FileHandle file(std::fopen(path.c_str(), "rbe"));
  if (!file && errno == ENOENT) fail(ExitCode::io, "cannot read {}: no such file", path);
  if (!file) throw Failure(ExitCode::io, io_error_text("read", path, errno));
  return file;
}

// ---- lines

LineReader::LineReader(const std::string& path) : path_(path), file_(open_for_reading(path)) {}

LineReader::~LineReader() {
  std::free(buffer_);
}

bool LineReader::next(std::string_view& line) {
  errno = 0;
  const ssize_t length = ::getline(&buffer_, &capacity_, file_.get());
  if (length < 0) {
    if (std::ferror(file_.get())) throw Failure(ExitCode::io, io_error_text("read", path_, errno));
    return false;
  }
  ++line_;
  byte_ = end_;
  end_ += static_cast<std::uint64_t>(length);
  line = std::string_view(buffer_, static_cast<std::size_t>(length));
  complete_ = line.back() == '\n';
  if (complete_) line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

std::string LineReader::place() const {
  return fmt::format("{}:{}", path_, line_);
}

// ---- elements

XmlReader::XmlReader(const std::string& path) : path_(path), file_(open_for_reading(path)) {}

std::string XmlReader::place() const {
  return fmt::format("{}:{}", path_, line_);
}

void XmlReader::fail_here(const std::string& text) const {
  fail(ExitCode::input, "{} (byte {}): {}", place(), byte_, text);
}

/// More bytes behind the buffer, consumed ones dropped before; false at the end of the file.
bool XmlReader::refill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t before = buffer_.size(), room = std::max(chunk_bytes, before);  // doubles for long texts
  buffer_.resize(before + room);
  const std::size_t got = std::fread(buffer_.data() + before, 1, room, file_.get());
  buffer_.resize(before + got);
  if (got == 0 && std::ferror(file_.get())) throw Failure(ExitCode::io, io_error_text("read", path_, errno));
  return got > 0;
}

/// Place of `what` at or after `from`, counted from the first byte not consumed; npos: not in the file.
std::size_t XmlReader::find(std::string_view what, std::size_t from) {
  for (;;) {
    const std::size_t found = buffer_.find(what, at_ + from);
    if (found != std::string::npos) return found - at_;
    const std::size_t known = buffer_.size() - at_;
    from = std::max(from, known >= what.size() ? known - what.size() + 1 : 0);
    if (!refill()) return std::string::npos;
  }
}

/// The bytes stay where they are until the next refill.
void XmlReader::consume(std::size_t length) {
  const char* begin = buffer_.data() + at_;
  next_line_ += static_cast<int>(std::count(begin, begin + length, '\n'));
  next_byte_ += length;
  at_ += length;
}

bool XmlReader::skip_past(std::string_view end) {
  const std::size_t at = find(end, 0);
  if (at == std::string::npos) return false;
  consume(at + end.size());
  return true;
}

XmlReader::Event XmlReader::next() {
  if (close_due_) {
    close_due_ = false;
    --depth_;
    return Event::close;
  }
  for (;;) {
    line_ = next_line_;
    byte_ = next_byte_;
    const std::size_t at = find("<", 0);
    const std::size_t length = at == std::string::npos ? buffer_.size() - at_ : at;
    event_ = std::string_view(buffer_).substr(at_, length);
    if (length > 0) {
      consume(length);
      if (is_blank(event_)) continue;
      return at == std::string::npos && depth_ > 0 ? Event::cut : Event::text;
    }
    if (at == std::string::npos) return Event::end;
    while (buffer_.size() - at_ < 4 && refill()) {
    }
    const std::string_view head = std::string_view(buffer_).substr(at_, 4);
    if (head.starts_with("<!--")) {
      if (!skip_past("-->")) return Event::cut;
    } else if (head.starts_with("<?") || head.starts_with("<!")) {
      if (!skip_past(">")) return Event::cut;
    } else {
      return tag();
    }
  }
}

XmlReader::Event XmlReader::tag() {
  // The end of the tag, > inside quotes apart; each byte is looked at once.
  std::size_t end = 0;
  std::ptrdiff_t quotes = 0;
  for (std::size_t from = 1;;) {
    end = find(">", from);
    if (end == std::string::npos) {
      if (buffer_.size() - at_ > longest_tag) fail_here("a tag without end");
      return Event::cut;
    }
    const std::string_view piece = std::string_view(buffer_).substr(at_ + from, end - from);
    quotes += std::count(piece.begin(), piece.end(), '"');
    if (quotes % 2 == 0) break;
    if (end > longest_tag) fail_here("a quotation mark without its fellow");
    from = end + 1;
  }
  event_ = std::string_view(buffer_).substr(at_ + 1, end - 1);
  consume(end + 1);
  const bool closes = event_.starts_with('/');
  if (closes) event_.remove_prefix(1);
  const bool empty = event_.ends_with('/');
  if (empty) event_.remove_suffix(1);
  name_ = event_.substr(0, event_.find_first_of(blanks));
  name_.remove_prefix(std::min(name_.find(':') + 1, name_.size()));  // npos + 1 is 0
  if (name_.empty()) fail_here("a tag without name");
  if (closes) {
    if (--depth_ < 0) fail_here(fmt::format("</{}> closes nothing", name_));
    return Event::close;
  }
  ++depth_;
  close_due_ = empty;
  return Event::open;
}

std::string_view XmlReader::attribute_text(std::string_view key) const {
  std::string_view rest = event_;
  while (!rest.empty()) {
    const std::size_t equal = rest.find('=');
    if (equal == std::string_view::npos) break;
    std::string_view name = trim(rest.substr(0, equal));
    name.remove_prefix(std::min(name.find_last_of(blanks) + 1, name.size()));
    const std::size_t quote = rest.find_first_of("\"'", equal);
    if (quote == std::string_view::npos) break;
    const std::size_t end = rest.find(rest[quote], quote + 1);
    if (end == std::string_view::npos) break;
    if (name == key) return rest.substr(quote + 1, end - quote - 1);
    rest.remove_prefix(end + 1);
  }
  return {};
}

bool XmlReader::has_attribute(std::string_view key) const {
  return attribute_text(key).data() != nullptr;
}

std::string XmlReader::attribute(std::string_view key) const {
  return without_markup(attribute_text(key));
}

}  // namespace trammel
