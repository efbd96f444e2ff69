// A graph on a device that decides by itself what it does next (integrate/hindsight.h): what the program does
// of it.
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "device_api/executor.h"
#include "integrate/equations.h"
#include "integrate/hindsight.h"

namespace trammel {

/// Of whatever data.
class AnyDecidedGraph {
 public:
  virtual ~AnyDecidedGraph() = default;
};

/// `Data` goes to the device before a run and comes back after it. On the device behind it lie the questions
/// that its launches answer, and the arguments of those launches that a table has.
template <class Data>
class DecidedGraph : public AnyDecidedGraph {
  static_assert(std::is_trivially_copyable_v<Data>);

 public:
  DecidedGraph(RecordableEquations& equations, Executor& run)
      : equations_(equations), run_(run), device_(run.device()) {}

 protected:
  /// fill() launches what the table is to have (Executor::tabulate()); record() all that the graph has, where
  /// none was recorded that fits.
  template <class Fill, class Record>
  Data run(const Data& before, const Fill& fill, const Record& record) {
    run_.tabulate(table_, fill);
    if (!graph_ || !table_.fits() || equations_.version() != version_) {
      graph_ = nullptr;
      here_.resize(table_at() + table_.size());
      if (there_.size() < here_.size()) there_ = DeviceArray<unsigned char>(device_, here_.size());
      version_ = equations_.version();
      graph_ = device_.graph(record);
    }
    std::memcpy(here_.data(), &before, sizeof before);
    std::memcpy(here_.data() + questions_at(), table_.questions().data(),
                table_.questions().size() * sizeof(Question));
    std::memcpy(here_.data() + table_at(), table_.data(), table_.size());
    device_.upload(there_.data(), here_.data(), here_.size());
    device_.run(graph_);
    Data after;
    device_.download(&after, there_.data(), sizeof after);
    return after;
  }

  // ---- for record()

  Device& device() { return device_; }
  RecordableEquations& equations() { return equations_; }
  Data* data() { return reinterpret_cast<Data*>(there_.data()); }
  void launch_part(int k) { table_.launch_part(k, device_, there_.data() + table_at()); }
  HindsightView view() const {
    return {equations_.places(),
            equations_.cos_theta(),
            equations_.body_rows(),
            equations_.differential(),
            reinterpret_cast<const Question*>(there_.data() + questions_at()),
            static_cast<int>(table_.questions().size())};
  }
  /// Without places of results, which recording finds.
  GraphFindings findings() const {
    return {nullptr, nullptr, nullptr, nullptr, 1 / equations_.guard().pivot, equations_.guard().target};
  }
  /// For fill(): what follows is another part.
  void end_part() { run_.end_part(); }

 private:
  static constexpr std::size_t aligned(std::size_t size) {
    return (size + LaunchTable::alignment - 1) / LaunchTable::alignment * LaunchTable::alignment;
  }
  static constexpr std::size_t questions_at() { return aligned(sizeof(Data)); }
  std::size_t table_at() const {
    return aligned(questions_at() + table_.questions().size() * sizeof(Question));
  }

  RecordableEquations& equations_;
  Executor& run_;
  Device& device_;
  LaunchTable table_;
  DeviceArray<unsigned char> there_;
  std::vector<unsigned char> here_;
  std::shared_ptr<void> graph_;
  long version_ = 0;  ///< of the equations, that the graph was recorded with
};

}  // namespace trammel
