// output knows numbers and matrices, nothing of how they are assembled.
#pragma once
#include "assemble/assembler.h"
#include "linear/pattern.h"
