// integrate and output are neighbours: neither may include the other.
#pragma once
#include "assemble/assembler.h"
#include "output/channels.h"
