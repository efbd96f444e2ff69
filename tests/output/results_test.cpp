// The .res file, read back by a small XML reader of its own.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <sstream>

#include "output/write/results_xrf.h"
#include "support.h"

namespace trammel::test::results_test {
namespace {

using ResultsTest = OutputTest;

struct Element {
  std::string tag, text;  ///< text: character data directly inside
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;

  std::vector<const Element*> all(const std::string& name) const {
    std::vector<const Element*> out;
    for (const Element& child : children) {
      if (child.tag == name) out.push_back(&child);
      for (const Element* deeper : child.all(name)) out.push_back(deeper);
    }
    return out;
  }
};

std::string unescaped(const std::string& text) {
  const std::pair<const char*, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    bool found = false;
    for (const auto& [entity, character] : entities)
      if (text.compare(k, std::string(entity).size(), entity) == 0) {
        out += character;
        k += std::string(entity).size() - 1;
        found = true;
      }
    if (!found) {
      if (text[k] == '&' || text[k] == '<') throw std::runtime_error("bare markup in text");
      out += text[k];
    }
  }
  return out;
}

/// Elements, attributes and text; throws where tags do not match.
class XmlReader {
 public:
  explicit XmlReader(std::string text) : text_(std::move(text)) {}
  Element read() {
    if (text_.compare(0, 5, "<?xml") != 0) throw std::runtime_error("no declaration");
    at_ = text_.find("?>") + 2;
    skip_blanks();
    Element root = element();
    skip_blanks();
    if (at_ != text_.size()) throw std::runtime_error("text after the root");
    return root;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  void expect(char c) {
    if (at_ >= text_.size() || text_[at_] != c) throw std::runtime_error(std::string("expected ") + c);
    ++at_;
  }
  std::string name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    if (at_ == start) throw std::runtime_error("no name");
    return text_.substr(start, at_ - start);
  }
  Element element() {
    Element out;
    expect('<');
    out.tag = name();
    for (skip_blanks(); at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/'; skip_blanks()) {
      const std::string key = name();
      expect('=');
      expect('"');
      const std::size_t end = text_.find('"', at_);
      if (end == std::string::npos) throw std::runtime_error("open attribute");
      if (!out.attributes.emplace(key, unescaped(text_.substr(at_, end - at_))).second)
        throw std::runtime_error("attribute twice");
      at_ = end + 1;
    }
    if (at_ < text_.size() && text_[at_] == '/') {
      ++at_;
      expect('>');
      return out;
    }
    expect('>');
    while (true) {
      const std::size_t next = text_.find('<', at_);
      if (next == std::string::npos) throw std::runtime_error("open element " + out.tag);
      out.text += unescaped(text_.substr(at_, next - at_));
      at_ = next;
      if (text_.compare(at_, 2, "</") != 0) {
        out.children.push_back(element());
        continue;
      }
      at_ += 2;
      if (name() != out.tag) throw std::runtime_error("tags do not match in " + out.tag);
      expect('>');
      return out;
    }
  }

  std::string text_;
  std::size_t at_ = 0;
};

std::vector<double> numbers(const std::string& text) {
  std::istringstream stream(text);
  std::vector<double> out;
  for (std::string word; stream >> word;) out.push_back(std::stod(word));
  return out;
}

/// id of each "entity.component" of a StepMap.
std::map<std::string, int> ids(const Element& root) {
  std::map<std::string, int> out;
  for (const Element* entity : root.all("Entity"))
    for (const Element& component : entity->children)
      out[entity->attributes.at("name") + "." + component.attributes.at("name")] =
          std::stoi(component.attributes.at("id"));
  return out;
}

TEST_F(ResultsTest, ValuesReadBackExactly) {
  const Channels channels = sample_channels();
  const std::size_t width = static_cast<std::size_t>(channels.size());
  ResultsFile results;
  results.open(file("a.res"), channels, sample_info());
  constexpr std::size_t records = 30;
  for (std::size_t r = 0; r < records; ++r)
    results.record(sample_time(r), sample_kind(r), sample_values(r, width));
  results.close();

  const Element root = XmlReader(read_text(file("a.res"))).read();
  const std::map<std::string, int> id = ids(root);
  ASSERT_EQ(id.size(), width + 1);
  // The name of every channel in the file, in the order of the channels.
  std::vector<std::string> names;
  const char* short_names[] = {"boom_XFORM", "PART_30_XFORM", "pivot",     "rotation",
                               "VARIABLE_7", "REQUEST_1",     "REQUEST_12"};
  for (std::size_t e = 0; e < channels.entities.size(); ++e)
    for (const Component& component : channels.entities[e].components)
      names.push_back(std::string(short_names[e]) + "." + component.name);
  const std::vector<const Element*> steps = root.all("Step");
  ASSERT_EQ(steps.size(), records);
  for (std::size_t r = 0; r < records; ++r) {
    const std::vector<double> values = numbers(steps[r]->text);
    ASSERT_EQ(values.size(), width + 1);
    EXPECT_EQ(values[0], sample_time(r));
    for (std::size_t k = 0; k < width; ++k)  // up to 17 digits: the same double
      EXPECT_EQ(values[static_cast<std::size_t>(id.at(names[k]) - 1)], sample_value(r, k)) << names[k];
  }
}

TEST_F(ResultsTest, LayoutAsInRealFiles) {
  const Channels channels = sample_channels();
  const std::size_t width = static_cast<std::size_t>(channels.size());
  ResultsFile results;
  results.open(file("a.res"), channels, sample_info());
  for (std::size_t r = 0; r < 5; ++r) results.record(sample_time(r), sample_kind(r), sample_values(r, width));
  results.close();
  const Element root = XmlReader(read_text(file("a.res"))).read();
  const std::map<std::string, int> id = ids(root);

  // All displacements, then all velocities, then all accelerations of parts, then the other entities.
  EXPECT_EQ(id.at("time.TIME"), 1);
  EXPECT_EQ(id.at("boom_XFORM.X"), 2);
  EXPECT_EQ(id.at("PART_30_XFORM.X"), 8);
  EXPECT_EQ(id.at("boom_XFORM.VX"), 14);
  EXPECT_EQ(id.at("PART_30_XFORM.VX"), 20);
  EXPECT_EQ(id.at("boom_XFORM.ACCX"), 26);
  EXPECT_EQ(id.at("PART_30_XFORM.WDZ"), 37);
  EXPECT_EQ(id.at("pivot.FX"), 38);

  const std::vector<const Element*> entities = root.all("Entity");
  const auto entity = [&](const std::string& name) -> const Element& {
    for (const Element* one : entities)
      if (one->attributes.at("name") == name) return *one;
    throw std::runtime_error("no entity " + name);
  };
  EXPECT_EQ(entity("boom_XFORM").attributes.at("entity"), "boom");
  EXPECT_EQ(entity("boom_XFORM").attributes.at("entType"), "Part");
  EXPECT_EQ(entity("boom_XFORM").attributes.at("objectId"), "2");
  EXPECT_EQ(entity("rotation").attributes.at("entity"), "crane.drive.rotation");
  EXPECT_EQ(entity("rotation").attributes.at("entType"), "Motion");
  EXPECT_EQ(entity("VARIABLE_7").attributes.at("entType"), "ADAMS_Variable");
  EXPECT_EQ(entity("VARIABLE_7").children[0].attributes.count("unitsValue"), 0u);
  EXPECT_EQ(entity("boom_XFORM").children[12].attributes.at("unitsValue"), "meter/sec**2");
  EXPECT_EQ(entity("pivot").children[3].attributes.at("unitsValue"), "newton-meter");
  EXPECT_EQ(root.all("Units").at(0)->attributes.at("time"), "sec");
  EXPECT_EQ(root.all("ModelInfo").at(0)->attributes.at("title"), sample_info().title);  // escaped and back

  std::vector<std::string> blocks;
  for (const Element* data : root.all("Data")) blocks.push_back(data->attributes.at("name"));
  EXPECT_EQ(blocks, (std::vector<std::string>{"modelInput_001", "initialConditions_001", "dynamic_001"}));
  EXPECT_EQ(root.all("TerminationStatus").at(0)->attributes.at("runStatus"), "Successful");

  // Time alone; then at most six values a line, and a new line for each entity.
  std::istringstream text(root.all("Step").at(0)->text);
  std::vector<std::size_t> counts;
  for (std::string line; std::getline(text, line);)
    if (!line.empty()) counts.push_back(numbers(line).size());
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 6, 6, 6, 6, 6, 6, 6, 6, 1, 6, 2, 3}));
}

TEST_F(ResultsTest, WithoutAccelerations) {
  const Channels channels = sample_channels();
  const std::size_t width = static_cast<std::size_t>(channels.size());
  ResultsFile results;
  results.open(file("a.res"), channels, sample_info(), {.accelerations = false, .analysis_name = "short"});
  results.record(0, StepKind::statics, sample_values(0, width));
  results.close(false);
  const Element root = XmlReader(read_text(file("a.res"))).read();
  const std::map<std::string, int> id = ids(root);
  EXPECT_EQ(id.size(), width + 1 - 12);
  EXPECT_EQ(id.count("boom_XFORM.ACCX"), 0u);
  EXPECT_EQ(id.at("pivot.FX"), 26);
  const std::vector<double> values = numbers(root.all("Step").at(0)->text);
  ASSERT_EQ(values.size(), width + 1 - 12);
  EXPECT_EQ(values[25], sample_value(0, 36));  // the joint stands behind two parts of 18 channels
  EXPECT_EQ(root.all("TerminationStatus").at(0)->attributes.at("runStatus"), "Failed");
}

/// After every flush the file is complete XML, also when the process is killed; the next steps go on from
/// there.
TEST_F(ResultsTest, CompleteAfterEachFlush) {
  const Channels channels = sample_channels();
  const std::size_t width = static_cast<std::size_t>(channels.size());
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    ResultsFile results;
    results.open(file("a.res"), channels, sample_info());
    for (std::size_t r = 0; r < 20; ++r)
      results.record(sample_time(r), sample_kind(r), sample_values(r, width));
    results.flush();
    for (std::size_t r = 20; r < 25; ++r)
      results.record(sample_time(r), sample_kind(r), sample_values(r, width));
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const Element root = XmlReader(read_text(file("a.res"))).read();
  EXPECT_EQ(root.all("Step").size(), 20u);
  EXPECT_EQ(root.all("TerminationStatus").at(0)->attributes.at("runStatus"), "Failed");

  ResultsFile results;
  results.open(file("b.res"), channels, sample_info());
  EXPECT_NO_THROW(XmlReader(read_text(file("b.res"))).read());
  for (std::size_t r = 0; r < 6; ++r) {
    results.record(sample_time(r), sample_kind(r), sample_values(r, width));
    results.flush();
    EXPECT_EQ(XmlReader(read_text(file("b.res"))).read().all("Step").size(), r + 1);
  }
}

/// Decks of old are not UTF-8: the bytes are read as ISO 8859-1.
TEST_F(ResultsTest, OldEncodings) {
  Channels channels = sample_channels();
  channels.entities[0].view_name = "tr\xE4ger";       // ISO 8859-1
  channels.entities[1].view_name = "tr\xC3\xA4ger2";  // UTF-8
  ResultsFile results;
  results.open(file("a.res"), channels, sample_info());
  results.close();
  const std::map<std::string, int> id = ids(XmlReader(read_text(file("a.res"))).read());
  EXPECT_EQ(id.count("tr\xC3\xA4ger_XFORM.X"), 1u);
  EXPECT_EQ(id.count("tr\xC3\xA4ger2_XFORM.X"), 1u);
}

}  // namespace
}  // namespace trammel::test::results_test
