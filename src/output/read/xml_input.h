// XML files of any size, possibly truncated, read from front to back by expat.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "output/read/text_input.h"

struct XML_ParserStruct;

namespace trammel {

/// The attributes of a tag.
class XmlAttributes {
 public:
  /// name, value, name, value ..., null.
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}
  /// Value of an attribute; "" if the tag has no such attribute.
  std::string operator[](std::string_view name) const;

 private:
  const char** pairs_;
};

/// The reader's handlers. Element names come without namespace prefix.
class XmlContent {
 public:
  virtual ~XmlContent() = default;
  virtual void open(std::string_view element, const XmlAttributes& attributes) = 0;
  virtual void close(std::string_view element) = 0;
  /// A piece of text. It may end inside a word, which continues in the next piece unless a tag comes first.
  virtual void text(std::string_view piece) = 0;
};

/// A file with one root element. Bytes that are not UTF-8 are read as Latin-1, whatever the file declares;
/// entity declarations are refused.
class XmlInput {
 public:
  explicit XmlInput(const std::string& path);
  ~XmlInput();

  /// Passes the elements to `content` up to the end of the root element; the rest is not read. False when the
  /// file ends before. Failure(input) with line and reason when the file is not XML.
  bool read(XmlContent& content);

  int line() const;  ///< line of the present tag or text, from 1
  std::uint64_t bytes_read() const { return bytes_read_; }
  const std::string& path() const { return path_; }
  /// "a.res:17"
  std::string place() const;

 private:
  struct Handlers;
  struct FreeParser {
    void operator()(XML_ParserStruct* parser) const;
  };

  std::string next_bytes();
  bool parse(std::string_view bytes, bool last);
  void check_length() const;

  std::string path_;
  FileHandle file_;
  std::unique_ptr<XML_ParserStruct, FreeParser> parser_;
  XmlContent* content_ = nullptr;
  std::exception_ptr failure_;  ///< exception of a handler; thrown after expat has returned
  std::string held_;            ///< beginning of a character whose other bytes have not been read yet
  std::uint64_t bytes_read_ = 0, bytes_parsed_ = 0;
  int depth_ = 0;
  bool closed_ = false;  ///< the root element has ended
};

}  // namespace trammel
