// output knows numbers and matrices, nothing of how they are assembled.
#pragma once
#include "linear/pattern.h"
#include "assemble/assembler.h"
