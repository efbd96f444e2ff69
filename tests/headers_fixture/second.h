#pragma once

#include "first.h"

namespace fixture {
struct Second {
  First first;
};
}  // namespace fixture
