// A test stands on its module; what a header of tests/support brings along counts too.
#pragma once
#include "../support/brings_model.h"
#include "dataset/reader.h"
