// All kernels there are: what a back end compiles. A kernel that is not listed here does not exist for it.
#pragma once

#include <cstddef>
#include <string_view>

#include "assemble/device_kernels.h"
#include "device_api/vector_kernels.h"
#include "integrate/group_simulation.h"
#include "integrate/step_kernels.h"
#include "linear/device/fronts.h"
#include "linear/device/solves.h"
#include "linear/device/vectors.h"

/// X(Kernel) for every kernel, of namespace trammel.
#define TRAMMEL_KERNELS(X)              \
  X(FillValues)                         \
  X(Triad)                              \
  X(SumChunks)                          \
  X(LargestOfChunks)                    \
  X(SetPoint)                           \
  X(UpdateBodies)                       \
  X(UpdateVariations)                   \
  X(EvaluateTapes)                      \
  X(RowWrenches)                        \
  X(LawWrenches)                        \
  X(ExpressionWrenches)                 \
  X(GatherBodies)                       \
  X(BodyResiduals)                      \
  X(RowResiduals)                       \
  X(ScalarResiduals)                    \
  X(RowAngles)                          \
  X(LawAngles)                          \
  X(CounterAngles)                      \
  X(BodyTangents)                       \
  X(RowTangents)                        \
  X(LawTangents)                        \
  X(ExpressionTangents)                 \
  X(ScalarTangents)                     \
  X(GatherValues)                       \
  X(FactorSmallFronts)                  \
  X(FactorMiddleFronts)                 \
  X(AssembleColumns)                    \
  X(FactorPanels)                       \
  X(SolveLines)                         \
  X(SubtractTiles)                      \
  X(ForwardSmallFronts)                 \
  X(ForwardMiddleFronts)                \
  X(ForwardPivots)                      \
  X(ForwardBorder)                      \
  X(BackwardSmallFronts)                \
  X(BackwardMiddleFronts)               \
  X(BackwardBorder)                     \
  X(BackwardPivots)                     \
  X(ScaleMatrix)                        \
  X(PivotRatios)                        \
  X(ScaleVector)                        \
  X(GatherPlaces)                       \
  X(ScatterPlaces)                      \
  X(AddPlaces)                          \
  X(AddVector)                          \
  X(SystemResidual)                     \
  X(SystemErrors)                       \
  X(MotionJets)                         \
  X(RowRates)                           \
  X(MatchStep)                          \
  X(PredictCoordinates)                 \
  X(PredictMultipliers)                 \
  X(PredictScalars)                     \
  X(ApplyToCoordinates)                 \
  X(ApplyToScalars)                     \
  X(AddMultiple)                        \
  X(TakeMultiple)                       \
  X(Difference)                         \
  X(FillSigns)                          \
  X(ScalarHistory)                      \
  X(JoinTerms<BodySquares>)             \
  X(JoinTerms<LargestEntry>)            \
  X(JoinTerms<AccelerationCorrection>)  \
  X(JoinTerms<LargestRelative>)         \
  X(JoinTerms<ScalarMeasure>)           \
  X(JoinTerms<InertiaForce>)            \
  X(JoinTerms<UpdateWeights>)           \
  X(JoinTerms<ScalarError>)             \
  X(JoinTerms<PredictorMisses>)         \
  X(JoinTerms<RebaseBodies>)            \
  X(JoinTerms<ResultTerm<Total>>)       \
  X(JoinTerms<ResultTerm<FourTotals>>)  \
  X(JoinTerms<ResultTerm<FourLargest>>) \
  X(JoinTerms<ResultTerm<Largest>>)     \
  X(AdvanceSimulations)

namespace trammel {

/// TrammelDeviceApi::find_kernel in a back end's own table of entries with `name` and `size`.
template <class Entry, std::size_t n>
int find_kernel_in(const Entry (&entries)[n], std::string_view name, std::size_t size) {
  for (std::size_t k = 0; k < n; ++k)
    if (entries[k].name == name) return entries[k].size == size ? static_cast<int>(k) : -2;
  return -1;
}

}  // namespace trammel
