// The CUDA back end stands on backend.
#pragma once
#include "session/run.h"
