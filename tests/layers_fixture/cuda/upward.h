// The CUDA back end stands on backend.
#pragma once
#include "app/run.h"
