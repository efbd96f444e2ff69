// What every fuzz target shares. Each target is one function, LLVMFuzzerTestOneInput(): it hands the bytes to
// one reader and lets nothing pass but the reader's own Failure. libFuzzer calls it (clang), or driver.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace trammel::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Stops the process with a message, so that the input is kept as a finding, unless `holds`.
void require(bool holds, const char* what);

/// A file in memory with these bytes, in a folder of its own; the same path at each call with the same name.
std::string file_with(const std::string& name, std::string_view bytes);

}  // namespace trammel::fuzz
