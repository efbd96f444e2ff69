// Functions of the caller that receive the messages and the progress of a run or batch. The library itself
// prints nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace trammel {

/// Empty functions are not called, so Listener{} hears nothing.
struct Listener {
  std::function<void(const std::string& text)> say;    ///< messages for a person
  std::function<void(const std::string& text)> error;  ///< the reason of a failure

  std::function<void(double begin, double end)> begin_steps;  ///< of a simulation in model time
  std::function<void(double t, double h, long long steps)> step;
  std::function<void(double t, double h, long long steps)> end_steps;

  /// `kept`: number of variants that an earlier batch has finished.
  std::function<void(std::size_t variants, std::size_t kept)> begin_variants;
  /// `under_way`: finished part of the variants under way, in variants. Called by one thread at a time.
  std::function<void(std::size_t done, std::size_t failed, double under_way)> variants;
  std::function<void()> end_variants;
};

/// Calls the function unless it is empty.
template <class F, class... Args>
void call(const F& function, Args&&... args) {
  if (function) function(std::forward<Args>(args)...);
}

}  // namespace trammel
