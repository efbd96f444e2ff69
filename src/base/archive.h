// Saving and restoring: a type lists its members once, and that list serves both directions.
//
//     void archive(Archive& a) { a(time, step, values, name); }
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace trammel {

/// Bytes, valid for one machine and one version of the program. They must be restored into objects made for
/// the same model: Failure(input) names the size or section name that differs.
class Archive {
 public:
  /// An archive that saves.
  Archive() = default;
  /// An archive that restores the bytes saved by another one.
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), restores_(true) {}

  bool restores() const { return restores_; }
  const std::string& bytes() const { return bytes_; }
  /// Whether all bytes have been restored.
  bool at_end() const { return at_ == bytes_.size(); }

  /// Begins a section: its name is saved, and compared when restored.
  void section(std::string_view name) {
    std::string found(name);
    (*this)(found);
    if (found != name) fail(ExitCode::input, "the saved state has {} where {} is expected", found, name);
  }

  template <class... T>
  void operator()(T&... members) {
    (one(members), ...);
  }
  /// n numbers of a plain array.
  template <class T>
  void numbers(T* values, std::size_t n) {
    static_assert(std::is_arithmetic_v<T>);
    raw(values, n * sizeof(T));
  }
  /// The members of a struct of integers alone, without pointers. A struct that may have padding, whose bytes
  /// are undefined, lists its members in archive().
  template <class T>
  void plain(T& value) {
    static_assert(is_plain<T>, "archive() is for this");
    raw(&value, sizeof value);
  }
  /// A vector whose size follows from the model: Failure(input) when the saved size differs.
  template <class T>
  void sized(std::vector<T>& values, std::string_view what) {
    const std::size_t size = values.size();
    one(values);
    if (values.size() != size)
      fail(ExitCode::input, "the saved state has {} {} where the model has {}", values.size(), what, size);
  }

 private:
  template <class T>
  static constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
  /// Whether equal values have equal bytes.
  template <class T>
  static constexpr bool is_plain = std::has_unique_object_representations_v<T> && !std::is_pointer_v<T>;

  void raw(void* value, std::size_t n) {
    if (n == 0) return;
    if (!restores_) {
      bytes_.append(static_cast<const char*>(value), n);
      return;
    }
    if (n > bytes_.size() - at_) fail(ExitCode::input, "the saved state ends too early");
    std::memcpy(value, bytes_.data() + at_, n);
    at_ += n;
  }
  template <class T>
  void one(T& value) {
    if constexpr (requires { value.archive(*this); })
      value.archive(*this);
    else {
      static_assert(is_number<T>, "archive() or plain() is for this");
      raw(&value, sizeof value);
    }
  }
  std::size_t size_of(std::size_t size) {
    raw(&size, sizeof size);
    if (restores_ && size > bytes_.size()) fail(ExitCode::input, "the saved state is damaged");
    return size;
  }
  void one(std::string& text) {
    text.resize(size_of(text.size()));
    raw(text.data(), text.size());
  }
  void one(std::vector<bool>&) = delete;
  template <class T>
  void one(std::vector<T>& values) {
    values.resize(size_of(values.size()));
    if constexpr (is_number<T>)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (T& v : values) one(v);
  }
  template <class T, std::size_t n>
  void one(std::array<T, n>& values) {
    for (T& v : values) one(v);
  }
  template <class T, std::size_t n>
  void one(T (&values)[n]) {
    for (T& v : values) one(v);
  }
  template <class A, class B>
  void one(std::pair<A, B>& both) {
    one(both.first);
    one(both.second);
  }
  template <class T>
  void one(std::optional<T>& value) {
    bool there = value.has_value();
    one(there);
    if (restores_ && there) value.emplace();
    if (restores_ && !there) value.reset();
    if (there) one(*value);
  }
  template <class T>
  void one(std::set<T>& values) {
    std::vector<T> list(values.begin(), values.end());
    one(list);
    values = std::set<T>(list.begin(), list.end());
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool restores_ = false;
};

}  // namespace trammel
