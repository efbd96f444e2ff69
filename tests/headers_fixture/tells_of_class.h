// A class that is told of need not be known.
#pragma once

namespace fixture {
struct First;
int size_of(const First& first);
}  // namespace fixture
