// Functions for the check of long functions, which is run on them with 4 lines as the most.
#pragma once

namespace trammel {

template <class T>
int plain(T value) {
  const char* text = "}}} no code {";  // nor here }
  const char brace = '}';
  return value + text[0] + brace;
}

inline int short_enough(int a) {
  return a;
}

struct Counter {
  explicit Counter(int n) : first{n}, rest(n) {
    if (n > 1) {
      ++first;
    }
    --rest;
  }
  int first, rest;
};

struct Action {
  int operator()(int n) const {
    const int twice = 2 * n;
    const int thrice = 3 * n;
    return twice + thrice;
  }
};

constexpr int table[] = {
    1, 2, 3, 4, 5,
};
inline int with_default(Counter c = {}, int add = 1) {
  const auto inner = [&] { return add; };

  return c.first + inner();
}

}  // namespace trammel
