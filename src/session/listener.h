// Who hears of a run or batch while it goes on. The library itself prints nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace trammel {

/// Functions that are empty are passed over, so that Listener{} hears nothing.
struct Listener {
  std::function<void(const std::string& text)> say;    ///< what a person would like to read
  std::function<void(const std::string& text)> error;  ///< why it failed

  std::function<void(double begin, double end)> begin_steps;  ///< of a simulation, model time
  std::function<void(double t, double h, long long steps)> step;
  std::function<void(double t, double h, long long steps)> end_steps;

  /// `kept`: of the variants, done before.
  std::function<void(std::size_t variants, std::size_t kept)> begin_variants;
  /// `under_way`: what others that have begun are through with, in variants. By one thread at a time.
  std::function<void(std::size_t done, std::size_t failed, double under_way)> variants;
  std::function<void()> end_variants;
};

/// Calls one of them where it is there.
template <class F, class... Args>
void call(const F& function, Args&&... args) {
  if (function) function(std::forward<Args>(args)...);
}

}  // namespace trammel
