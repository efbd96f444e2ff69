#include "integrate/device_batch.h"

#include <algorithm>

#include "assemble/device_assembler.h"
#include "base/clock.h"
#include "device_api/block_groups.h"
#include "integrate/equations.h"
#include "linear/ordering.h"

namespace trammel {

namespace {

RecordSizes sizes_of(const Model& model) {
  return {static_cast<int>(model.bodies.size()), model.coordinates, model.multipliers, model.scalar_count(),
          model.angles};
}

int record_size_of(const RecordSizes& sizes) {
  int size = 1;
  for_record(sizes, DeviceState{}, [&](const double*, int count) { size += count; });
  return size;
}

/// Memory for output records of all variants in one launch, bytes.
constexpr std::size_t record_bytes = std::size_t{256} << 20;

/// Device::take_thread_memory() for the kernel of plain models, or the one for all.
void take_thread_memory(Device& device, bool plain, std::size_t besides) {
  if (plain)
    device.take_thread_memory(AdvancePlainSimulations{}, besides);
  else
    device.take_thread_memory(AdvanceSimulations{}, besides);
}

}  // namespace

struct DeviceBatch::Shared {
  RecordSizes sizes;
  int record_size;
  SparsePattern pattern;
  MechanismGraph graph;
  DevicePlan plan;
  GroupTables tables;
  Buckets<int> body_rows;
  std::size_t memory = 0;  ///< of a group, shared: fronts, or reductions
};

class DeviceBatch::Lease {
 public:
  explicit Lease(DeviceBatch& batch) : batch_(batch) {
    const std::lock_guard lock(batch.mutex_);
    if (batch.free_.empty()) {
      batch.further_.push_back(std::make_unique<DeviceArena>(DeviceArena::Like{batch.arena_}));
      batch.free_.reserve(batch.further_.size());
      arena_ = batch.further_.back().get();
    } else {
      arena_ = batch.free_.back();
      batch.free_.pop_back();
    }
    arena_->repeat();
  }
  ~Lease() {
    const std::lock_guard lock(batch_.mutex_);
    batch_.free_.push_back(arena_);
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  DeviceArena& arena() const { return *arena_; }

 private:
  DeviceBatch& batch_;
  DeviceArena* arena_;
};

DeviceBatch::DeviceBatch(Device& device) : device_(device), arena_(device, true) {}
DeviceBatch::~DeviceBatch() = default;

std::string DeviceBatch::refusal(const Model& model, const IntegratorOptions& options) {
  if (const std::string element = DeviceAssembler::refusal(model); !element.empty())
    return element + " is not computed on a device";
  for (const ConstraintElement& e : model.constraint_elements)
    if (e.curves >= 0) return e.name.label() + " has a contact that the processor watches";
  if (model.has_contacts())
    return (model.contacts.empty() ? model.contact_groups[0].name : model.contacts[0].name).label() +
           " is computed for one model at a time on a device";
  if (!model.flexible_bodies.empty())
    return model.flexible_bodies[0].name.label() + " is computed for one model at a time on a device";
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    if (!model.tapes[k].delays.empty())
      return model.tape_owner(static_cast<int>(k)) +
             " (DELAY) looks back into a history that the processor keeps";
  if (!model.sensors.empty()) return model.sensors[0].name.label() + " is watched on the processor";
  if (options.method != "HHT") return options.method + " is computed on the processor";
  if (options.form != HhtForm::second_order) return "Eq. 10 as printed is solved on the processor";
  constexpr int most = GroupLoops<SerialGroup>::most_terms;
  const int terms = std::max(model.unknowns(), static_cast<int>(model.tapes.size()));
  if (terms > most)
    return fmt::format(
        "{} unknowns are too many for a group of threads, which takes {}: run variants of a "
        "large model one by one",
        terms, most);
  return model.unknowns() == 0 ? "the model has no unknowns" : "";
}

/// Makes the shared tables. Throws Failure(unsupported), now and later, when a group cannot hold the model.
void DeviceBatch::make_shared(const Model& model, Assembler& host) {
  auto shared = std::make_unique<Shared>();
  shared->sizes = sizes_of(model);
  shared->record_size = record_size_of(shared->sizes);
  shared->pattern = host.pattern();
  shared->graph = host.graph();
  const std::size_t memory = static_cast<std::size_t>(device_.info().shared_memory / most_groups_per_block);
  const EliminationOrder order = order_unknowns(shared->graph, false, OrderingGoal::device_levels);
  const FrontTree fronts = make_fronts(shared->pattern, order.unknowns, device_front_cost(shared->pattern.n));
  try {
    shared->plan = make_device_plan(fronts, memory, true);
    shared->tables = make_group_tables(shared->pattern, shared->plan);
    shared->body_rows = rows_of_bodies(model, shared->pattern);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver && failure.code() != ExitCode::unsupported) throw;
    refused_ = failure.what();
    throw Failure(ExitCode::unsupported, refused_);
  }
  shared->memory = std::max(group_memory(shared->plan), GroupLoops<SerialGroup>::memory);
  plain_ = is_plain(model);
  take_memory(plain_);
  shared_ = std::move(shared);
}

void DeviceBatch::prepare(Device& device, bool plain) {
  try {
    take_thread_memory(device, plain, 0);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::backend) throw;
  }
}

/// Before there is any variant: what is free afterwards is for them. Throws Failure(unsupported), now and
/// later, on a device that has too little for the kernel alone. `plain`: the kernel of plain models.
void DeviceBatch::take_memory(bool plain) {
  constexpr std::size_t reserve = record_bytes + record_bytes / 4;  // and for the simulations
  try {
    take_thread_memory(device_, plain, reserve_.size() > 0 ? 0 : reserve);
    if (reserve_.size() == 0) reserve_ = DeviceArray<unsigned char>(device_, reserve);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::backend) throw;
    refused_ = failure.what();
    throw Failure(ExitCode::unsupported, refused_);
  }
}

void DeviceBatch::check_like_first(const Model& model, const Assembler& host) const {
  const SparsePattern &a = host.pattern(), &b = shared_->pattern;
  if (a.column_start != b.column_start || a.row != b.row)
    fail(ExitCode::unsupported, "its elements are connected otherwise than those of the first variant");
  if (sizes_of(model) != shared_->sizes)
    fail(ExitCode::unsupported, "its functions count other revolutions than those of the first variant");
}

Scaling DeviceBatch::scaling_of(Assembler& host, const State& state, const IntegratorOptions& options) {
  host.evaluate_equations(state, in_dynamics);
  std::vector<double> values(host.pattern().nonzeros());
  host.tangent(state, HhtMethod::of(options, true).coefficients(options.hinit, false), values);
  return kkt_scaling(host.pattern(), values.data(), host.graph());
}

int DeviceBatch::add(const Model& model, Assembler& host, const State& state,
                     const IntegratorOptions& options, const Schedule& schedule, const Scaling& scaling,
                     const FirstCourses* courses) {
  if (const std::string why = refusal(model, options); !why.empty()) fail(ExitCode::unsupported, "{}", why);
  {
    const std::lock_guard lock(mutex_);
    if (!refused_.empty()) fail(ExitCode::unsupported, "{}", refused_);
    if (!shared_) {
      make_shared(model, host);
      return keep(make(arena_, model, host, state, options, schedule, scaling, courses));
    }
    if (plain_ && !is_plain(model)) {
      take_memory(false);
      plain_ = false;
    }
  }
  check_like_first(model, host);
  const Lease lease(*this);
  const GroupSimulation v = make(lease.arena(), model, host, state, options, schedule, scaling, courses);
  const std::lock_guard lock(mutex_);
  return keep(v);
}

int DeviceBatch::keep(const GroupSimulation& v) {
  variants_.push_back(v);
  slot_.push_back(-1);
  return static_cast<int>(variants_.size()) - 1;
}

GroupSimulation DeviceBatch::make(DeviceArena& arena, const Model& model, Assembler& host, const State& state,
                                  const IntegratorOptions& options, const Schedule& schedule,
                                  const Scaling& scaling, const FirstCourses* courses) const {
  GroupSimulation v{};
  v.steps = {begin_steps(model, options), HhtMethod::of(options, model.multipliers > 0)};
  v.assembly = DeviceAssembler(arena, host, model, state).on_device();
  v.system = make_group_system(arena, shared_->pattern, shared_->plan, shared_->tables, scaling, {});
  v.body_rows = {arena.copy(shared_->body_rows.start), arena.copy(shared_->body_rows.item)};
  v.differential = arena.copy(differential_scalars(model));
  make_steps(arena, v, state);
  if (courses) v.courses = make_group_courses(arena, *courses);
  v.schedule = schedule;
  v.status = GroupStatus::begins;
  v.spline_tape = -1;
  return v;
}

/// Allocates the arrays of an integration (zero) and points motion.now at the variant's state.
void DeviceBatch::make_steps(DeviceArena& arena, GroupSimulation& v, const State& state) const {
  int size = 0;
  make_arrays(v.steps, [&](int n) {
    size += n;
    return static_cast<double*>(nullptr);
  });
  double* next = arena.filled(std::vector<double>(size));
  make_arrays(v.steps, [&](int n) {
    double* mine = next;
    next += n;
    return mine;
  });
  const DeviceState& s = v.assembly.state;
  v.steps.motion.now = {s.q, s.v, s.a, s.lambda, s.s, s.sdot, s.basis};
  v.steps.motion.t = state.t;
}

void DeviceBatch::make_record_room(int variants) {
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(shared_->record_size);
  int wanted = 1;
  for (const GroupSimulation& v : variants_) wanted = std::max(wanted, v.schedule.steps - v.schedule.k + 1);
  const std::size_t fits = record_bytes / (bytes * static_cast<std::size_t>(variants));
  room_ = static_cast<int>(std::clamp<std::size_t>(fits, 1, wanted));
  const std::size_t size = static_cast<std::size_t>(variants) * room_ * shared_->record_size;
  if (size <= record_.size()) return;
  record_ = {};
  record_ = DeviceArray<double>(device_, size);
  record_here_.resize(size);
}

/// Groups of a launch: as many as a device can hold, if its threads were all that they need.
std::size_t DeviceBatch::groups_at_once(std::size_t items) const {
  const TrammelDeviceInfo& info = device_.info();
  const std::size_t most = static_cast<std::size_t>(info.multiprocessors) * info.threads / 32;
  return most > 0 ? std::min(items, most) : items;
}

bool DeviceBatch::advance(int steps, double seconds) {
  std::vector<int> list;
  std::fill(slot_.begin(), slot_.end(), -1);
  for (int k = 0; k < size(); ++k) {
    if (!variants_[k].to_go_on()) continue;
    slot_[k] = static_cast<int>(list.size());
    variants_[k].records = 0;
    list.push_back(k);
  }
  if (list.empty()) return false;
  const int items = static_cast<int>(list.size());
  if (there_.size() != variants_.size()) {
    reserve_ = {};
    arena_.flush();
    for (const auto& arena : further_) arena->flush();
    there_ = DeviceArray<GroupSimulation>(device_, variants_.size());
    list_ = DeviceArray<int>(device_, variants_.size());
    tickets_ = DeviceArray<LaunchTickets>(device_, 1);
  }
  make_record_room(items);
  there_.upload(variants_);
  list_.upload(list);
  const Stopwatch launched;
  device_.clear(tickets_.data(), sizeof(LaunchTickets));
  const auto launch = [&]<class Elements>(AdvanceSimulationsOf<Elements>) {
    device_.launch(
        AdvanceSimulationsOf<Elements>{there_.data(), list_.data(), record_.data(), items, room_,
                                       shared_->sizes, shared_->record_size, steps, tickets_.data(), seconds},
        static_cast<int>(groups_at_once(list.size())), shared_->memory);
  };
  if (plain_)
    launch(AdvancePlainSimulations{});
  else
    launch(AdvanceSimulations{});
  there_.download(variants_);
  seconds_each_ += launched.seconds() / items;
  int most_records = 0;
  for (int k : list) most_records = std::max(most_records, variants_[k].records);
  items_ = items;
  record_.download(
      {record_here_.data(), static_cast<std::size_t>(most_records) * items * shared_->record_size});
  return true;
}

void DeviceBatch::read_record(int k, int r, State& state) const {
  const std::size_t at = static_cast<std::size_t>(r) * items_ + slot_[k];
  const double* from = record_here_.data() + at * shared_->record_size;
  state.t = *from++;
  const DeviceState to{state.q.data(),      state.v.data(),     state.a.data(),
                       state.lambda.data(), state.s.data(),     state.sdot.data(),
                       state.basis.data(),  state.angle.data(), nullptr};
  for_record(shared_->sizes, to, [&](double* array, int count) {
    std::copy_n(from, count, array);
    from += count;
  });
}

std::size_t DeviceBatch::bytes() const {
  std::size_t bytes = arena_.used();
  for (const auto& arena : further_) bytes += arena->used();
  return bytes + record_.size() * sizeof(double) + there_.size() * sizeof(GroupSimulation);
}

}  // namespace trammel
