// XML files, read front to back by expat: result files of gigabytes, whole or cut.
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
  /// Value of an attribute; "" where the tag has none of that name.
  std::string operator[](std::string_view name) const;

 private:
  const char** pairs_;
};

/// What a reader does with the elements of a file. Names of elements come without their name space prefix.
class XmlContent {
 public:
  virtual ~XmlContent() = default;
  virtual void open(std::string_view element, const XmlAttributes& attributes) = 0;
  virtual void close(std::string_view element) = 0;
  /// A piece of text. It may end inside a word: the next piece goes on, unless an element opens or closes
  /// before.
  virtual void text(std::string_view piece) = 0;
};

/// A file with one root element. Bytes that are no UTF-8 are taken as Latin-1, whatever the file declares;
/// entities that a file declares itself are refused.
class XmlInput {
 public:
  explicit XmlInput(const std::string& path);
  ~XmlInput();

  /// Hands the elements to `content` up to the end of the root element; what stands behind it is not read.
  /// False when the file ends before. Failure(input) with line and reason where the file is no XML.
  bool read(XmlContent& content);

  int line() const;  ///< of the tag or text at hand, from 1
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
  std::exception_ptr failure_;  ///< of the content; thrown when expat has returned
  std::string held_;            ///< beginning of a character whose other bytes are not read yet
  std::uint64_t bytes_read_ = 0, bytes_parsed_ = 0;
  int depth_ = 0;
  bool closed_ = false;  ///< the root element
};

}  // namespace trammel
