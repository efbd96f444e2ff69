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

using PlainC = void(const void* statement, double time, int iflag, double* results);
using ToldC = void(const void* statement, double time, int what, int iflag, double* results);
using CountedC = void(const void* statement, double time, int what, int iflag, int count, double* results);
using PlainFortran = void(const int* id, const double* time, const double* constants, const int* n,
                          const int* iflag, double* results);
using ToldFortran = void(const int* id, const double* time, const double* constants, const int* n,
                         const int* what, const int* iflag, double* results);
using CountedFortran = void(const int* id, const double* time, const double* constants, const int* n,
                            const int* what, const int* iflag, const int* count, double* results);

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

UserSubroutine::UserSubroutine(UserCode code, int results, UserForm form, int id,
                               std::vector<double> constants, std::shared_ptr<const UserData> data)
    : UserFunction(code.name, results, form == UserForm::derivatives),
      code_(std::move(code)),
      form_(form),
      id_(id),
      constants_(std::move(constants)),
      data_(std::move(data)) {}

void UserSubroutine::run(double time, int what, int iflag, double* results) const {
  const int n = static_cast<int>(constants_.size()), count = this->results();
  const double* constants = constants_.data();
  if (code_.c && form_ == UserForm::plain)
    reinterpret_cast<PlainC*>(code_.c)(statement_.get(), time, iflag, results);
  else if (code_.c && form_ == UserForm::counted)
    reinterpret_cast<CountedC*>(code_.c)(statement_.get(), time, what, iflag, count, results);
  else if (code_.c)
    reinterpret_cast<ToldC*>(code_.c)(statement_.get(), time, what, iflag, results);
  else if (form_ == UserForm::plain)
    reinterpret_cast<PlainFortran*>(code_.fortran)(&id_, &time, constants, &n, &iflag, results);
  else if (form_ == UserForm::counted)
    reinterpret_cast<CountedFortran*>(code_.fortran)(&id_, &time, constants, &n, &what, &iflag, &count,
                                                     results);
  else
    reinterpret_cast<ToldFortran*>(code_.fortran)(&id_, &time, constants, &n, &what, &iflag, results);
}

std::string UserSubroutine::declare() {
  constexpr int dependencies = 3;
  std::vector<double> nothing(results(), 0.0);
  std::vector<AskedMeasure> asked;
  UserCall now{*this, 0, nullptr, &asked, {}};
  const UnderWay under(now);
  run(0, 0, dependencies, nothing.data());
  // A measure that is asked for twice is one.
  for (const AskedMeasure& m : asked) {
    const auto same = [&](const AskedMeasure& k) { return k.name == m.name && k.ids == m.ids; };
    if (std::any_of(asked_.begin(), asked_.end(), same)) continue;
    const int first = asked_.empty() ? 0 : asked_.back().first + asked_.back().count;
    asked_.push_back({m.name, m.ids, first, m.count});
  }
  if (form_ == UserForm::derivatives && !asked_.empty() && now.complaint.empty())
    return fmt::format("it asks for {}, where it may depend on time alone",
                       asked_text(asked_.front().name, asked_.front().ids));
  return now.complaint;
}

void UserSubroutine::call(const double* x, int what, double* results, std::string& complaint) const {
  const double time = x[arguments() - 1];
  UserCall now{*this, time, x, nullptr, {}};
  {
    const UnderWay under(now);
    run(time, what, 0, results);
  }
  if (!now.complaint.empty()) std::fill_n(results, this->results(), NAN);
  complaint = now.complaint;
}

}  // namespace trammel
