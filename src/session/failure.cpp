#include "session/failure.h"

#include <filesystem>
#include <new>

#include "output/stream_file.h"

namespace trammel {

Failure present_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::filesystem::filesystem_error& error) {
    return {ExitCode::io, io_error_text("use", error.path1().string(), error.code().value())};
  } catch (const std::bad_alloc&) {
    return {ExitCode::internal, "out of memory"};
  } catch (const std::exception& error) {
    return {ExitCode::internal, std::string("defect of the program: ") + error.what()};
  }
}

}  // namespace trammel
