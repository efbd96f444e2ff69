// The hanging chain, for programs of bench/ and tests.
#pragma once

#include "app/bench_chain.h"
