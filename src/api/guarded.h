// The boundary between the C interface and the library: exceptions become codes and texts.
#pragma once

#include <string>
#include <utility>

#include "api/api_model.h"

/// A model of the C interface.
struct trammel_model {
  trammel::ApiModel model;
  std::string failure = {};
  std::string text = {};   ///< text of the last answer
  std::string bytes = {};  ///< bytes of the last trammel_save()
};

namespace trammel {

/// The text of the last failure in this thread of a call without a model.
std::string& failure_of_thread();
/// Writes the text of the exception that is being handled to `text`, and returns its status.
int told_to(std::string& text) noexcept;
[[noreturn]] void refuse_null(const char* what);

/// Does work(ApiModel&), and returns the status.
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

/// The same for work that returns a text; null where it fails.
template <class Work>
const char* guarded_text(trammel_model* model, const Work& work) noexcept {
  const char* text = nullptr;
  guarded(model, [&](ApiModel& m) {
    model->text = work(m);
    text = model->text.c_str();
  });
  return text;
}

/// The object at the caller's pointer, `what` in messages. Failure(usage) for null.
template <class T>
T& place(T* pointer, const char* what) {
  if (!pointer) refuse_null(what);
  return *pointer;
}

/// An item of a list by the caller's index. Failure(usage) where the index is too large.
template <class List>
decltype(auto) item(const List& list, std::size_t index, const char* what) {
  if (index >= list.size())
    fail(ExitCode::usage, "there is no {} {}: there are {}, counted from 0", what, index, list.size());
  return list[index];
}

/// The caller's array, which must have `size` items; null only where that is 0. Failure(usage) otherwise.
template <class T>
std::span<T> array(T* values, std::size_t count, std::size_t size, const char* what) {
  if (count != size)
    fail(ExitCode::usage, "an array of {} {} was given where there are {}", count, what, size);
  if (!values && size > 0) refuse_null(what);
  return {values, size};
}

}  // namespace trammel
