// The list of all kernels, which the back ends compile. A kernel that is not listed cannot be launched.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "assemble/contact_kernels.h"
#include "assemble/device_kernels.h"
#include "assemble/modal_kernels.h"
#include "assemble/near_kernels.h"
#include "device_api/reduction_kernels.h"
#include "device_api/vector_kernels.h"
#include "integrate/group_simulation.h"
#include "integrate/judge_defect.h"
#include "integrate/judge_iteration.h"
#include "integrate/methods/bdf.h"
#include "integrate/methods/newmark.h"
#include "integrate/step_terms.h"
#include "linear/device/fronts.h"
#include "linear/device/middle_fronts.h"
#include "linear/device/panels.h"
#include "linear/device/products.h"
#include "linear/device/row_fronts.h"
#include "linear/device/row_solves.h"
#include "linear/device/solves.h"
#include "linear/device/vectors.h"

namespace trammel {

template <class... K>
struct KernelTypes {
  /// A back end's table entry for each kernel: make.operator()<Kernel>().
  template <class Make>
  static constexpr auto entries(Make make) {
    return std::array{make.template operator()<K>()...};
  }
};

template <class... A, class... B>
KernelTypes<A..., B...> operator+(KernelTypes<A...>, KernelTypes<B...>);
template <bool there, template <class> class Kernel, class P>
using KernelIf = std::conditional_t<there, KernelTypes<Kernel<P>>, KernelTypes<>>;

/// The kernels of a kind of elements P.
template <class P>
using KernelsOf = decltype(KernelIf<P::has_wrench, PoolWrenches, P>() +
                           KernelIf<P::has_residual && !P::by_modes, PoolResiduals, P>() +
                           KernelIf<P::has_rows, PoolRates, P>() + KernelIf<P::has_angles, PoolAngles, P>() +
                           KernelIf<!P::by_modes, PoolTangents, P>());
template <class... P>
using PoolKernels = decltype((KernelTypes<>() + ... + KernelsOf<P>()));

/// Kernels of elements, of which a device's compiler takes longer than of all others: they can be compiled in
/// a file of their own.
using ElementKernels = ForPools<PoolKernels>;
using OtherKernels = KernelTypes<
    FillValues, Triad, CopyArrays, SumTiles, LargestOfParts, SetPoint, UpdateBodies, UpdateVariations,
    EvaluateTapes, ReadSwitches, GatherBodies, KeepContacts, NoteUncoupled, FindOverlaps, PlaceShapes,
    ShapeWrenches, WaysOfShapes, PassagesOfShapes, NoteRooms, KeysOfCells, MergeRuns, CountNear, FillNear,
    SumChunksOfCounts, SpreadSums, StartLists, MarkEarlier, UnpackLists, CounterAngles, GatherValues,
    FactorSmallFronts, FactorPairFronts, FactorMiddleFronts, AssembleColumns, FactorPanels<128>,
    FactorPanels<256>, FactorPanels<panel_rows>, SolveLines, SubtractTiles, ForwardRowFronts,
    ForwardMiddleFronts, ForwardPivots, ForwardBorder, BackwardRowFronts, BackwardMiddleFronts,
    BackwardBorder, BackwardPivots, ScaleMatrix, PivotRatios, ScaleVector, GatherPlaces, ScatterPlaces,
    AddPlaces, AddVector, SystemResidual, SystemErrors, UpdateNodes, UpdateModeShapes, UpdateNodeSpins,
    UpdateModeVariations, ModalResiduals, FrameResiduals, SumNodeGradients, FillNodeRows, ModalTangents,
    FrameTangents, ModalEntries, ScalarJets, TapeJets, MatchStep, PredictCoordinates, PredictMultipliers,
    PredictScalars, ApplyToCoordinates, ApplyToScalars, AddMultiple, TakeMultiple, Difference, FillSigns,
    ScalarHistory, CorrectRates,

    Tabled<ApplyToCoordinates>, Tabled<ApplyToScalars>, Tabled<AddMultiple>, Tabled<TakeMultiple>,
    Tabled<Difference>, Tabled<CopyArrays>, Tabled<JoinFamily<StepTerms>>, Tabled<FinishReductions>,
    Tabled<FillValues>, Tabled<NordsieckCorrection>, JudgeIteration<HhtMethod>, JudgeDefect<HhtMethod>,
    JudgeIteration<BdfMethod>, JudgeIteration<NewmarkMethod>,

    JoinFamily<StepTerms>, FinishReductions, JoinTerms<UpdateWeights>, JoinTerms<RebaseBodies<NothingStored>>,
    JoinTerms<RebaseBodies<StoredByHht>>, JoinTerms<RebaseBodies<NordsieckAngles>>, RescaleNordsieck,
    AdvanceNordsieck, PredictByNordsieck, PredictScalarsByNordsieck, NordsieckCorrection, AdvanceSimulations,
    AdvancePlainSimulations>;
using Kernels = decltype(ElementKernels() + OtherKernels());

/// Implements TrammelDeviceApi::find_kernel on a back end's table of entries with `name` and `size`.
template <class Entries>
int find_kernel_in(const Entries& entries, std::string_view name, std::size_t size) {
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].name == name) return entries[k].size == size ? static_cast<int>(k) : -2;
  return -1;
}

}  // namespace trammel
