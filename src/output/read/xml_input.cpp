#include "output/read/xml_input.h"

#include <expat.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "base/diagnostics.h"
#include "output/number_text.h"
#include "output/stream_file.h"

namespace trammel {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
constexpr std::uint64_t longest_tag = std::uint64_t{1}
                                      << 20;  // expat rescans an unfinished tag with every chunk
constexpr int deepest = 1000;

bool begins_character(char c) {
  return static_cast<unsigned char>(c) >= 0xC0;
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// Start of a last character that may be incomplete; the end of the text if there is none.
std::size_t unfinished_character(std::string_view text) {
  for (std::size_t k = 1; k <= std::min<std::size_t>(3, text.size()); ++k) {
    const char c = text[text.size() - k];
    if (begins_character(c)) return text.size() - k;
    if (is_ascii(c)) break;
  }
  return text.size();
}

/// Errors of a text that is valid as far as it goes.
bool is_cut(XML_Error error) {
  return error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN ||
         error == XML_ERROR_PARTIAL_CHAR || error == XML_ERROR_UNCLOSED_CDATA_SECTION;
}

}  // namespace

std::string XmlAttributes::operator[](std::string_view name) const {
  for (const char** pair = pairs_; *pair; pair += 2)
    if (pair[0] == name) return pair[1];
  return "";
}

/// expat's callbacks. No exception may pass through expat: it is stored, and expat stopped.
struct XmlInput::Handlers {
  template <class Action>
  static void guarded(void* data, Action action) {
    auto& input = *static_cast<XmlInput*>(data);
    if (input.closed_ || input.failure_) return;
    try {
      action(input);
    } catch (...) {
      input.failure_ = std::current_exception();
    }
    if (input.closed_ || input.failure_) XML_StopParser(input.parser_.get(), XML_FALSE);
  }

  static std::string_view without_prefix(std::string_view name) {
    return name.substr(name.find(':') + 1);  // npos + 1 is 0
  }

  static void open(void* data, const char* name, const char** attributes) {
    guarded(data, [&](XmlInput& input) {
      if (++input.depth_ > deepest)
        fail(ExitCode::input, "{}: elements nested more than {} deep", input.place(), deepest);
      input.content_->open(without_prefix(name), XmlAttributes(attributes));
    });
  }

  static void close(void* data, const char* name) {
    guarded(data, [&](XmlInput& input) {
      input.content_->close(without_prefix(name));
      input.closed_ = --input.depth_ == 0;
    });
  }

  static void text(void* data, const char* text, int length) {
    guarded(data, [&](XmlInput& input) {
      input.content_->text(std::string_view(text, static_cast<std::size_t>(length)));
    });
  }

  static void declaration(void* data, const char* name, int, const char*, int, const char*, const char*,
                          const char*, const char*) {
    guarded(data, [&](XmlInput& input) {
      fail(ExitCode::input, "{}: the entity {} is declared; result files have none", input.place(), name);
    });
  }
};

void XmlInput::FreeParser::operator()(XML_ParserStruct* parser) const {
  XML_ParserFree(parser);
}

XmlInput::XmlInput(const std::string& path)
    : path_(path), file_(open_for_reading(path)), parser_(XML_ParserCreate("UTF-8")) {
  if (!parser_) throw std::bad_alloc();
}

XmlInput::~XmlInput() = default;

int XmlInput::line() const {
  return static_cast<int>(XML_GetCurrentLineNumber(parser_.get()));
}

std::string XmlInput::place() const {
  return fmt::format("{}:{}", path_, line());
}

/// The next bytes of the file as UTF-8, without partial characters; "" at the end.
std::string XmlInput::next_bytes() {
  std::string bytes = std::move(held_);
  held_.clear();
  const std::size_t before = bytes.size();
  bytes.resize(before + chunk_bytes);
  const std::size_t got = std::fread(bytes.data() + before, 1, chunk_bytes, file_.get());
  if (got == 0 && std::ferror(file_.get())) throw Failure(ExitCode::io, io_error_text("read", path_, errno));
  bytes.resize(before + got);
  bytes_read_ += got;
  if (std::all_of(bytes.begin(), bytes.end(), is_ascii)) return bytes;
  if (got > 0) {
    held_ = bytes.substr(unfinished_character(bytes));
    bytes.resize(bytes.size() - held_.size());
  }
  return as_utf8(bytes);
}

/// False when the root element has ended, or `bytes` is the last chunk and it has not.
bool XmlInput::parse(std::string_view bytes, bool last) {
  bytes_parsed_ += bytes.size();
  const XML_Status status =
      XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), last ? XML_TRUE : XML_FALSE);
  if (failure_) std::rethrow_exception(failure_);
  if (closed_) return false;
  if (status == XML_STATUS_OK) return true;
  const XML_Error error = XML_GetErrorCode(parser_.get());
  if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
  if (last && is_cut(error)) return false;
  fail(ExitCode::input, "{}: this is no XML: {}", place(), XML_ErrorString(error));
}

void XmlInput::check_length() const {
  const auto parsed = XML_GetCurrentByteIndex(parser_.get());
  if (parsed >= 0 && bytes_parsed_ - static_cast<std::uint64_t>(parsed) > longest_tag + chunk_bytes)
    fail(ExitCode::input, "{}: a tag without end, or of more than {} bytes", place(), longest_tag);
}

bool XmlInput::read(XmlContent& content) {
  content_ = &content;
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(parser_.get(), Handlers::open, Handlers::close);
  XML_SetCharacterDataHandler(parser_.get(), Handlers::text);
  XML_SetEntityDeclHandler(parser_.get(), Handlers::declaration);
  for (;;) {
    const std::uint64_t before = bytes_read_;
    const std::string bytes = next_bytes();
    const bool last = bytes_read_ == before;
    if (!parse(bytes, last)) return closed_;
    check_length();
  }
}

}  // namespace trammel
