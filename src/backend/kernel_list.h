// All kernels there are: what a back end compiles. A kernel that is not listed here does not exist for it.
#pragma once

#include "assemble/device_kernels.h"
#include "device/vector_kernels.h"
#include "linear/device_fronts.h"
#include "linear/device_solves.h"
#include "linear/device_vectors.h"

/// X(Kernel) for every kernel, of namespace trammel.
#define TRAMMEL_KERNELS(X) \
  X(FillValues)            \
  X(Triad)                 \
  X(SumChunks)             \
  X(LargestOfChunks)       \
  X(SetPoint)              \
  X(UpdateBodies)          \
  X(UpdateVariations)      \
  X(EvaluateTapes)         \
  X(RowWrenches)           \
  X(LawWrenches)           \
  X(ExpressionWrenches)    \
  X(GatherBodies)          \
  X(BodyResiduals)         \
  X(RowResiduals)          \
  X(ScalarResiduals)       \
  X(RowAngles)             \
  X(LawAngles)             \
  X(CounterAngles)         \
  X(BodyTangents)          \
  X(RowTangents)           \
  X(LawTangents)           \
  X(ExpressionTangents)    \
  X(ScalarTangents)        \
  X(GatherValues)          \
  X(FactorSmallFronts)     \
  X(FactorMiddleFronts)    \
  X(AssembleColumns)       \
  X(FactorPanels)          \
  X(SolveLines)            \
  X(SubtractTiles)         \
  X(ForwardSmallFronts)    \
  X(ForwardMiddleFronts)   \
  X(ForwardPivots)         \
  X(ForwardBorder)         \
  X(BackwardSmallFronts)   \
  X(BackwardMiddleFronts)  \
  X(BackwardBorder)        \
  X(BackwardPivots)        \
  X(ScaleMatrix)           \
  X(PivotRatios)           \
  X(ScaleVector)           \
  X(GatherPlaces)          \
  X(ScatterPlaces)         \
  X(AddPlaces)             \
  X(SystemResidual)        \
  X(SystemErrors)
