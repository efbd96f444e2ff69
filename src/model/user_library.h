// Libraries of user code: where they are looked for, and functions in them.
#pragma once

#include <string>

namespace trammel {

/// A function of a library, by its C or by its Fortran interface.
struct UserCode {
  void* c = nullptr;  ///< one of the two
  void* fortran = nullptr;
  std::string name;  ///< "impact.so: Cnfsub"
};

/// Loads `routine`, "library::function" (or with one colon), as ROUTINE names it; without a function that of
/// the name of the subroutine: "CNFSUB". `folder`: of the deck. Returns what failed, or "".
std::string load_user_code(const std::string& folder, const std::string& routine,
                           const std::string& subroutine, UserCode& out);

}  // namespace trammel
