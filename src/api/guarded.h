// What stands between C and the library: failures become codes and texts.
#pragma once

#include <string>
#include <utility>

#include "api/api_model.h"

/// What a model of the C interface is.
struct trammel_model {
  trammel::ApiModel model;
  std::string failure = {};
  std::string text = {};   ///< the last one that was asked for
  std::string bytes = {};  ///< the last that were saved
};

namespace trammel {

/// The text of the last failure of this thread without a model.
std::string& failure_of_thread();
/// The exception that is being handled: its text to `text`; its code.
int told_to(std::string& text) noexcept;
[[noreturn]] void refuse_null(const char* what);

/// Does some work with a model. The status.
template <class Work>
int guarded(trammel_model* model, const Work& work) noexcept {
  try {
    if (!model) refuse_null("the model");
    work(model->model);
    return TRAMMEL_OK;
  } catch (...) {
    return told_to(model ? model->failure : failure_of_thread());
  }
}

/// The same for a text; null where that fails.
template <class Work>
const char* guarded_text(trammel_model* model, const Work& work) noexcept {
  const char* text = nullptr;
  guarded(model, [&](ApiModel& m) {
    model->text = work(m);
    text = model->text.c_str();
  });
  return text;
}

/// A place for an answer.
template <class T>
T& place(T* pointer, const char* what) {
  if (!pointer) refuse_null(what);
  return *pointer;
}

/// An item of a list, by an index of the caller's.
template <class List>
decltype(auto) item(const List& list, std::size_t index, const char* what) {
  if (index >= list.size())
    fail(ExitCode::usage, "there is no {} {}: there are {}, counted from 0", what, index, list.size());
  return list[index];
}

/// An array of the caller's that must have `size` items; null only where there are none.
template <class T>
std::span<T> array(T* values, std::size_t count, std::size_t size, const char* what) {
  if (count != size)
    fail(ExitCode::usage, "an array of {} {} was given where there are {}", count, what, size);
  if (!values && size > 0) refuse_null(what);
  return {values, size};
}

}  // namespace trammel
