#include "model/user_subroutine.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace trammel {

namespace {

thread_local UserCall* under_way = nullptr;

/// Makes a call the present one of its thread.
struct UnderWay {
  explicit UnderWay(UserCall& call) { under_way = &call; }
  ~UnderWay() { under_way = nullptr; }
};

using LongC = void(const void* statement, double time, int for_differences, int what, double* results);
using ShortC = void(const void* statement, double time, int what, double* results);
using LongFortran = void(const int* id, const double* time, const double* constants, const int* count,
                         const int* for_differences, const int* what, double* results);
using ShortFortran = void(const int* id, const double* time, const double* constants, const int* count,
                          const int* what, double* results);

std::string asked_text(const std::string& name, const std::vector<int>& ids) {
  return fmt::format("{}({})", name, fmt::join(ids, ", "));
}

}  // namespace

UserCall* UserCall::present() {
  return under_way;
}

bool UserCall::measure(const std::string& name, const int* ids, int n, int count, double* values) {
  const std::vector<int> list(ids, ids + n);
  if (!x) {
    const int first = declared->empty() ? 0 : declared->back().first + declared->back().count;
    declared->push_back({name, list, first, count});
    std::fill_n(values, count, 0.0);
    return true;
  }
  const std::vector<AskedMeasure>& known = code.asked();
  for (std::size_t k = 0; k < known.size(); ++k) {
    const AskedMeasure& m = known[(next + k) % known.size()];
    if (m.name != name || m.ids != list) continue;
    std::copy_n(x + m.first, count, values);
    next = (next + k + 1) % known.size();
    return true;
  }
  complaint = fmt::format("it asks for {}, for which it did not ask in its call with iflag = 3",
                          asked_text(name, list));
  return false;
}

UserSubroutine::UserSubroutine(UserCode code, int results, bool told_of_differences, int id,
                               std::vector<double> constants, std::shared_ptr<const UserData> data)
    : UserFunction(code.name, results),
      code_(std::move(code)),
      told_of_differences_(told_of_differences),
      id_(id),
      constants_(std::move(constants)),
      data_(std::move(data)) {}

void UserSubroutine::run(double time, bool for_differences, int what, double* results) const {
  const int differences = for_differences, count = static_cast<int>(constants_.size());
  if (code_.c && told_of_differences_)
    reinterpret_cast<LongC*>(code_.c)(statement_.get(), time, differences, what, results);
  else if (code_.c)
    reinterpret_cast<ShortC*>(code_.c)(statement_.get(), time, what, results);
  else if (told_of_differences_)
    reinterpret_cast<LongFortran*>(code_.fortran)(&id_, &time, constants_.data(), &count, &differences, &what,
                                                  results);
  else
    reinterpret_cast<ShortFortran*>(code_.fortran)(&id_, &time, constants_.data(), &count, &what, results);
}

std::string UserSubroutine::declare() {
  constexpr int dependencies = 3;
  std::vector<double> nothing(results(), 0.0);
  std::vector<AskedMeasure> asked;
  UserCall now{*this, 0, nullptr, &asked, {}};
  const UnderWay under(now);
  run(0, false, dependencies, nothing.data());
  // A measure that is asked for twice is one.
  for (const AskedMeasure& m : asked) {
    const auto same = [&](const AskedMeasure& k) { return k.name == m.name && k.ids == m.ids; };
    if (std::any_of(asked_.begin(), asked_.end(), same)) continue;
    const int first = asked_.empty() ? 0 : asked_.back().first + asked_.back().count;
    asked_.push_back({m.name, m.ids, first, m.count});
  }
  return now.complaint;
}

void UserSubroutine::call(const double* x, bool for_differences, double* results,
                          std::string& complaint) const {
  const double time = x[arguments() - 1];
  UserCall now{*this, time, x, nullptr, {}};
  {
    const UnderWay under(now);
    run(time, for_differences, 0, results);
  }
  if (!now.complaint.empty()) std::fill_n(results, this->results(), NAN);
  complaint = now.complaint;
}

}  // namespace trammel
