// A user subroutine of ADAMS (SFOSUB, VARSUB ...) as a function of the measures that it asks for.
//   SUBROUTINE SFOSUB (id, time, par, npar, dflag, iflag, value),  void Sfosub(const struct*, time, dflag,
//   iflag, value)
// It is called once with iflag = 3, where its calls of SYSFNC and SYSARY say what it depends on. These
// measures are then expressions, with derivatives of their own; the code is a function of them and of TIME.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expression/tape.h"
#include "expression/user_function.h"
#include "model/user_library.h"

namespace trammel {

/// Tables of the deck that utility subroutines read: ARRAYs of numbers, SPLINEs, by id.
struct UserData {
  std::map<int, std::vector<double>> arrays;
  std::map<int, SplineTable> splines;
  std::map<int, int> array_sizes;  ///< of all ARRAYs, of states and inputs as well
};

/// What a call of SYSFNC or SYSARY has asked for: `count` arguments of the code, from `first` on.
struct AskedMeasure {
  std::string name;  ///< upper case: "DX", "TDISP"
  std::vector<int> ids;
  int first = 0, count = 0;
};

/// Kinds of measures that SYSARY returns as arrays, with functions of expressions in their place; nullptr
/// where there is none of that name.
struct MeasureArray {
  std::string_view name;
  std::vector<std::string_view> functions;
};
const MeasureArray* find_measure_array(std::string_view name);

/// What code is told between time and its results: of iflag, of dflag as well, of the number of results
/// behind both, or of the order of the derivative in dflag's place.
enum class UserForm { plain, differences, counted, derivatives };

/// The GSE that code belongs to: ids of its ARRAYs, 0: none, and their sizes.
struct UserSystem {
  int x = 0, u = 0;
  int states = 0, inputs = 0, outputs = 0;
};

class UserSubroutine final : public UserFunction {
 public:
  /// `statement`: what the C interface is given, laid out as its header has it; it begins with id, number of
  /// constants and their address (constants()).
  UserSubroutine(UserCode code, int results, UserForm form, int id, std::vector<double> constants,
                 std::shared_ptr<const UserData> data);
  void set_statement(std::shared_ptr<const void> statement) { statement_ = std::move(statement); }
  void set_system(const UserSystem& system) { system_ = system; }
  const UserSystem& system() const { return system_; }
  const std::vector<double>& constants() const { return constants_; }
  const UserData& data() const { return *data_; }
  const std::map<int, int>& array_sizes() const { return data_->array_sizes; }

  /// Calls it with iflag = 3; "" or what it complained of.
  std::string declare();
  const std::vector<AskedMeasure>& asked() const { return asked_; }

 private:
  void call(const double* x, int what, double* results, std::string& complaint) const override;
  void run(double time, int what, int iflag, double* results) const;

  const UserCode code_;
  const UserForm form_;
  const int id_;
  const std::vector<double> constants_;
  const std::shared_ptr<const UserData> data_;
  std::shared_ptr<const void> statement_;
  std::vector<AskedMeasure> asked_;
  UserSystem system_;
};

/// The call that is under way in this thread, as utility subroutines find it.
struct UserCall {
  const UserSubroutine& code;
  double time = 0;
  const double* x = nullptr;  ///< arguments; null: the call with iflag = 3
  std::vector<AskedMeasure>* declared = nullptr;
  std::string complaint;
  std::size_t next = 0;  ///< of the measures: code asks in the same order again and again

  static UserCall* present();
  /// Values of a measure, `count` of them; false where it is none that was asked for with iflag = 3.
  bool measure(const std::string& name, const int* ids, int n, int count, double* values);
};

}  // namespace trammel
