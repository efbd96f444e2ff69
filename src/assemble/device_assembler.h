// Residual and tangent on a device, with state, tables and matrix there.
#pragma once

#include <optional>
#include <string>

#include "assemble/assembler.h"
#include "assemble/device_assembly.h"
#include "assemble/device_law_changes.h"
#include "assemble/device_overlaps.h"
#include "assemble/device_shapes.h"
#include "device_api/arena.h"
#include "device_api/reduce.h"

namespace trammel {

/// Whether an evaluation on a device may be used, or is to be repeated with what has been done about it.
enum class Standing {
  stands,
  list_was_old,  ///< shapes in contact had left their margins; the list of those near is another now
  room_lacked    ///< searches for overlaps had no room to find all; they have it now
};

/// The assembler's counterpart on a device. What the functions launch is computed in order and only waited
/// for where something is copied: upload(), download(), hold_multipliers(), check(). With the same state it
/// gives the bits of Assembler where the device's elementary functions (sine, exponential, ...) are those of
/// the processor.
class DeviceAssembler {
 public:
  /// Why a model has to stay on the processor: names the first element that no device computes; "" for none.
  static std::string refusal(const Model& model);

  /// Copies the tables of `host`, which must outlive the object. Throws Failure(unsupported) where refusal()
  /// names something, Failure(backend) when the device is out of memory.
  DeviceAssembler(Device& device, Assembler& host, const Model& model);
  /// In an arena of others, which must be flushed before anything is launched, at a state.
  DeviceAssembler(DeviceArena& arena, Assembler& host, const Model& model, const State& state);

  Device& device() const { return arena_.device(); }
  const DeviceState& state() const { return on_device_.state; }
  /// Per body, on the device: where its coordinates are, and cos θ at the last evaluation.
  const BodyPlace* places() const { return on_device_.view.table.place; }
  const double* cos_theta() const { return on_device_.view.array.cos_theta; }
  /// All of it, for kernels that do more than one loop.
  const DeviceAssembly& on_device() const { return on_device_; }
  void upload(const State& state);
  void download(State& state) const;
  /// The multipliers that Assembler::held_multipliers() holds at zero there, from now on here, too.
  void hold_multipliers(const State& state, Phase phase);

  /// Time, MODE and the coefficients of what is launched next.
  void set_point(const EvaluationPoint& point);
  /// As Assembler::evaluate_equations(), residual() (one entry per unknown), tangent().
  void evaluate_equations();
  void residual(double* r);
  void tangent();
  /// evaluate_equations() with the accelerations of markers, for rates() of order 2.
  void evaluate_deep();
  /// Assembler::constraints() at velocity (order 1) or acceleration (2) level: one number per multiplier.
  void rates(int order, double* rows);
  /// The values of the last tangent, in the order of the pattern.
  const double* values() const { return on_device_.places.slots; }
  /// As Assembler::current_angles(), into the state's own. Waits for the device where there are contacts on
  /// curves.
  void keep_angles();

  /// The values of all DELAYs' arguments become part of the histories, the state's and those on the device.
  /// Waits for the device where there are any.
  void keep_delays(State& state);
  /// Takes the state's histories of DELAYs, which have got points anywhere.
  void take_delays(const State& state);

  /// Whether the last evaluation stands. If tapes have no value, evaluates on the processor, which throws the
  /// Failure that names function, element and time. Splines read outside their data are told there, too, once
  /// per tape. Waits for the device; does nothing for models without tapes, groups in contact and such
  /// searches.
  [[nodiscard]] Standing check() {
    find_failure();
    return tell_failure();
  }
  /// The two halves of check(): launches, which a graph can record, and the answer, which is waited for.
  void find_failure();
  [[nodiscard]] Standing tell_failure();
  /// Where find_failure() leaves the largest note, tape_fine where the evaluation stands; null: it always
  /// does.
  const Place* worst_note() const { return notes_ > 0 ? worst_note_ : nullptr; }
  /// Calls evaluate(), which evaluates the equations and asks tell_failure() or check(), until it stands. A
  /// state that is not finite has no list of shapes near each other, and no residual: once again is enough.
  template <class Evaluate>
  static void until_it_stands(const Evaluate& evaluate) {
    for (bool followed = false;;) {
      const Standing standing = evaluate();
      if (standing == Standing::stands || (standing == Standing::list_was_old && followed)) return;
      followed = followed || standing == Standing::list_was_old;
    }
  }
  /// Before an evaluation: the list of near shapes is the processor's, which may have found another.
  void take_lists() {
    if (shapes_) shapes_->take_lists();
  }

  /// find_law_changes() of the last evaluation here, at time t. Waits for the device where a model has any.
  void find_law_changes(double t, double time, LawChanges& found) { changes_->find(t, time, found); }

  /// Launches a look for CONTACTs that have no places in the matrix and must have them: `told` is largest
  /// where there are any, 1, else 0. Nothing is launched where all have places.
  void find_uncoupled(Place* told);

  /// Takes the structure that the processor's assembler has now, and which contacts have places in it. What
  /// was recorded with the former one is of no use.
  void take_structure();

  /// All arrays and tables on the device.
  std::size_t bytes() const {
    const std::size_t rooms = contact_rooms_ ? contact_rooms_->bytes() + group_rooms_->bytes() : 0;
    return arena_.bytes() + (of_structure_ ? of_structure_->bytes() : 0) +
           (changes_ ? changes_->bytes() : 0) + rooms;
  }

 private:
  void make(const State& state);
  void copy_tables(const AssemblyView& host);
  void copy_pools();
  void copy_shapes();
  void copy_tapes(const AssemblyView& host);
  void copy_delays();
  void upload_delays(const State& state);
  void make_state(const State& state);
  void make_arrays(const AssemblyView& host);
  void copy_structure(DeviceArena& arena);
  TapeRoom room_for(const TapeItem& tape);
  void add_dual_room(const TapeItem& tape, TapeRoom& room);
  TapeItem copy_tape(const TapeItem& tape, const Tape& from);

  void copy_markers();
  void copy_jets();
  JetScratch jet_scratch(const TapeItem& size);
  /// Launches a loop of DeviceAssembly.
  auto launch() const {
    return [this](const auto& kernel, int n) { device().launch(kernel, n); };
  }

  const Model& model_;
  Assembler& host_;
  std::optional<DeviceArena> own_, of_structure_;  ///< where the arena is not that of others
  DeviceArena& arena_;
  DeviceAssembly on_device_{};
  EvaluationPoint point_{};  ///< as set last
  unsigned char* masked_ = nullptr;
  std::vector<unsigned char> told_here_, held_here_;
  /// A DELAY's history there.
  struct History {
    DeviceArray<double> time, value;
    int n = 0;
    double first = 0;
  };
  std::vector<History> histories_;
  DelayView* delay_views_ = nullptr;
  const int* delay_tape_ = nullptr;
  const TapeRoom* delay_room_ = nullptr;
  const unsigned char* delay_told_ = nullptr;
  double* delay_note_ = nullptr;
  Place *note_scratch_ = nullptr, *contact_scratch_ = nullptr, *uncoupled_scratch_ = nullptr;
  std::optional<DeviceShapes> shapes_;       ///< of groups in contact
  std::optional<DeviceLawChanges> changes_;  ///< where the arena is not that of others
  std::optional<DeviceOverlapRooms> contact_rooms_, group_rooms_;
  int notes_ = 0;
  double* uncoupled_note_ = nullptr;  ///< of each CONTACT, where these have places as they are near
  const Place* worst_note_ = nullptr;
};

}  // namespace trammel
