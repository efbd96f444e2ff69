#include "output/io_error.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace trammel {
namespace {

struct Advice {
  int error;
  const char* text;
};

constexpr Advice advice_table[] = {
    {ENOSPC, "free space there or choose another folder for the results"},
    {EDQUOT, "the disk quota is used up: free space or choose another folder for the results"},
    {EACCES, "check the permissions of the file and its folder, or choose another folder"},
    {EROFS, "choose a folder that can be written to"},
    {ENOENT, "create the folder first"},
    {ENOTDIR, "part of the path is a file, not a folder"},
    {EISDIR, "a folder has this name"},
    {EFBIG, "the file size limit is reached (see ulimit -f)"},
};

}  // namespace

std::string io_error_text(const char* action, const std::string& path, int error) {
  std::string text = fmt::format("cannot {} {}: {}", action, path, std::strerror(error));
  for (const Advice& advice : advice_table)
    if (advice.error == error) text += fmt::format("; {}", advice.text);
  return text;
}

}  // namespace trammel
