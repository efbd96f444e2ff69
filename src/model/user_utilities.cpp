// Utility subroutines as user code links them: by their C names (c_sysfnc), and by Fortran's (sysfnc_), whose
// arguments are addresses, with the length of each text behind all others.
#include "model/user_utilities.h"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/diagnostics.h"
#include "base/text.h"
#include "expression/functions.h"
#include "expression/spline_table.h"
#include "model/user_subroutine.h"

#define TRAMMEL_FOR_USER_CODE extern "C" __attribute__((visibility("default")))

namespace trammel {

namespace {

using UserJet = Dual<Dual<double, 1>, 1>;

UserJet varying(double x) {
  UserJet out(x);
  out.v.d[0] = 1;
  out.d[0].v = 1;
  return out;
}

/// A function of x and its first two derivatives; `order` 0 to 2.
template <class Function>
void give(double x, int order, double* value, int* failed, const Function& f) {
  EvalError error = EvalError::none;
  const UserJet y = f(varying(x), error);
  *failed = order < 0 || order > 2 || error != EvalError::none;
  if (*failed) return;
  *value = order == 0 ? y.v.v : order == 1 ? y.v.d[0] : y.d[0].d[0];
}

/// A force of x and ẋ: itself, or its two first derivatives.
template <class Function>
void give(double x, double rate, int order, double* values, int* failed, const Function& f) {
  using Both = Dual<double, 2>;
  Both of_x(x), of_rate(rate);
  of_x.d[0] = of_rate.d[1] = 1;
  EvalError error = EvalError::none;
  const Both y = f(of_x, of_rate, error);
  *failed = order < 0 || order > 1 || error != EvalError::none;
  if (*failed) return;
  values[0] = order == 0 ? y.v : y.d[0];
  if (order == 1) values[1] = y.d[1];
}

/// A spline of the deck: its value, or a derivative by x of a curve.
void give_spline(SplineKind kind, double x, double z, int id, int order, double* values, int* failed) {
  const UserCall* call = UserCall::present();
  *failed = 1;
  if (!call || order < 0 || order > 2) return;
  const auto at = call->code.data().splines.find(id);
  if (at == call->code.data().splines.end() || (order > 0 && at->second.z.size() > 1)) return;
  bool outside = false;
  values[0] = functions::spline_value(view(at->second), kind, x, z, order, outside);
  for (int k = 1; k < (order == 0 ? 1 : order + 1); ++k) values[k] = 0;  // by z
  *failed = 0;
}

/// Values that SYSFNC (one) or SYSARY asks for.
void give_measure(std::string name, const int* ids, int n, bool array, double* values, int* count,
                  int* failed) {
  name = upper(std::string(trim(name)));
  UserCall* call = UserCall::present();
  *failed = 1;
  *count = 0;
  if (!call)
    fail(ExitCode::solver, "user code asks for {}({}), which code of contacts cannot", name,
         fmt::join(ids, ids + n, ", "));
  int size = 1;
  if (array && name == "ARRAY") {
    const auto at = n == 1 ? call->code.array_sizes().find(ids[0]) : call->code.array_sizes().end();
    size = at == call->code.array_sizes().end() ? 0 : at->second;
  } else if (array) {
    const MeasureArray* known = find_measure_array(name);
    size = known ? static_cast<int>(known->functions.size()) : 0;
  }
  if (size == 0) {
    call->complaint = fmt::format("SYSARY has no {}({})", name, fmt::join(ids, ids + n, ", "));
    return;
  }
  if (!call->measure(name, ids, n, size, values)) return;
  *count = size;
  *failed = 0;
}

/// The GSE whose code is called; its own one without ARRAYs elsewhere.
UserSystem present_system() {
  const UserCall* call = UserCall::present();
  return call ? call->code.system() : UserSystem{};
}

/// Values of an ARRAY of the GSE, of which the code expects n.
void give_array(const char* name, int array, int size, double* values, int n) {
  UserCall* call = UserCall::present();
  if (!call) fail(ExitCode::solver, "user code asks for {}, which code of contacts cannot", name);
  if (n == 0) return;
  if (n != size)
    call->complaint = fmt::format("{} asks for {} values of {}", name, n, size);
  else
    call->measure("ARRAY", &array, 1, n, values);
}

void take_message(int wrong, std::string text, int id, std::string ending) {
  text = std::string(trim(text));
  UserCall* call = UserCall::present();
  if (!wrong) return;
  if (call && upper(std::string(trim(ending))) == "STOP")
    call->complaint = fmt::format("{} ({})", text, id);
  else
    std::fprintf(stderr, "user code: %s (%d)\n", text.c_str(), id);
}

std::string fortran_text(const char* text, std::size_t length) {
  return std::string(text, strnlen(text, length));
}

}  // namespace

}  // namespace trammel

using namespace trammel;

TRAMMEL_FOR_USER_CODE void c_sysfnc(const char* name, const int* ids, int n, double* value, int* failed) {
  int count = 0;
  give_measure(name, ids, n, false, value, &count, failed);
}
TRAMMEL_FOR_USER_CODE void c_sysary(const char* name, const int* ids, int n, double* values, int* count,
                                    int* failed) {
  give_measure(name, ids, n, true, values, count, failed);
}
TRAMMEL_FOR_USER_CODE void c_syspar(const char*, const int*, int, const double*, int, int* failed) {
  *failed = 0;  // derivatives are differences all the same
}
TRAMMEL_FOR_USER_CODE void c_gtaray(int id, double* values, int* count, int* failed) {
  const UserCall* call = UserCall::present();
  *failed = 1;
  if (!call) return;
  const auto at = call->code.data().arrays.find(id);
  if (at == call->code.data().arrays.end()) return;
  std::copy(at->second.begin(), at->second.end(), values);
  *count = static_cast<int>(at->second.size());
  *failed = 0;
}
TRAMMEL_FOR_USER_CODE void c_timget(double* time) {
  const UserCall* call = UserCall::present();
  *time = call ? call->time : 0;
}
TRAMMEL_FOR_USER_CODE void c_errmes(int wrong, const char* text, int id, const char* ending) {
  take_message(wrong, text, id, ending);
}
TRAMMEL_FOR_USER_CODE void c_usrmes(int wanted, const char* text, int id, const char*) {
  take_message(wanted, text, id, "");
}
TRAMMEL_FOR_USER_CODE void c_akispl(double x, double z, int id, int order, double* values, int* failed) {
  give_spline(SplineKind::akima, x, z, id, order, values, failed);
}
TRAMMEL_FOR_USER_CODE void c_cubspl(double x, double z, int id, int order, double* values, int* failed) {
  give_spline(SplineKind::cubic, x, z, id, order, values, failed);
}
TRAMMEL_FOR_USER_CODE void c_step(double x, double x0, double h0, double x1, double h1, int order,
                                  double* value, int* failed) {
  give(x, order, value, failed, [&](const UserJet& at, EvalError& error) {
    return functions::step(at, UserJet(x0), UserJet(h0), UserJet(x1), UserJet(h1), error);
  });
}
TRAMMEL_FOR_USER_CODE void c_step5(double x, double x0, double h0, double x1, double h1, int order,
                                   double* value, int* failed) {
  give(x, order, value, failed, [&](const UserJet& at, EvalError& error) {
    return functions::step5(at, UserJet(x0), UserJet(h0), UserJet(x1), UserJet(h1), error);
  });
}
TRAMMEL_FOR_USER_CODE void c_havsin(double x, double x0, double h0, double x1, double h1, int order,
                                    double* value, int* failed) {
  give(x, order, value, failed, [&](const UserJet& at, EvalError& error) {
    return functions::havsin(at, UserJet(x0), UserJet(h0), UserJet(x1), UserJet(h1), error);
  });
}
TRAMMEL_FOR_USER_CODE void c_impact(double x, double rate, double x1, double k, double e, double cmax,
                                    double d, int order, double* values, int* failed) {
  give(x, rate, order, values, failed, [&](const auto& at, const auto& moving, EvalError& error) {
    using T = std::decay_t<decltype(at)>;
    return functions::impact(at, moving, T(x1), T(k), T(e), T(cmax), T(d), error);
  });
}
TRAMMEL_FOR_USER_CODE void c_bistop(double x, double rate, double x1, double x2, double k, double e,
                                    double cmax, double d, int order, double* values, int* failed) {
  give(x, rate, order, values, failed, [&](const auto& at, const auto& moving, EvalError& error) {
    using T = std::decay_t<decltype(at)>;
    return functions::bistop(at, moving, T(x1), T(x2), T(k), T(e), T(cmax), T(d), error);
  });
}
TRAMMEL_FOR_USER_CODE int c_gse_ns() {
  return present_system().states;
}
TRAMMEL_FOR_USER_CODE int c_gse_nd() {
  return 0;
}
TRAMMEL_FOR_USER_CODE int c_gse_ni() {
  return present_system().inputs;
}
TRAMMEL_FOR_USER_CODE int c_gse_no() {
  return present_system().outputs;
}
TRAMMEL_FOR_USER_CODE void c_gse_x(double* values, int n) {
  give_array("GSE_X", present_system().x, present_system().states, values, n);
}
TRAMMEL_FOR_USER_CODE void c_gse_u(double* values, int n) {
  give_array("GSE_U", present_system().u, present_system().inputs, values, n);
}
// Partial derivatives that code tells: they are differences all the same.
TRAMMEL_FOR_USER_CODE void c_gsepar_x(const double*, int) {}
TRAMMEL_FOR_USER_CODE void c_gsepar_u(const double*, int) {}
TRAMMEL_FOR_USER_CODE void c_gsemap_x(int, int) {}
TRAMMEL_FOR_USER_CODE void c_gsemap_u(int, int) {}

TRAMMEL_FOR_USER_CODE void gse_ns_(int* n) {
  *n = c_gse_ns();
}
TRAMMEL_FOR_USER_CODE void gse_nd_(int* n) {
  *n = c_gse_nd();
}
TRAMMEL_FOR_USER_CODE void gse_ni_(int* n) {
  *n = c_gse_ni();
}
TRAMMEL_FOR_USER_CODE void gse_no_(int* n) {
  *n = c_gse_no();
}
TRAMMEL_FOR_USER_CODE void gse_x_(double* values, const int* n) {
  c_gse_x(values, *n);
}
TRAMMEL_FOR_USER_CODE void gse_u_(double* values, const int* n) {
  c_gse_u(values, *n);
}
TRAMMEL_FOR_USER_CODE void sysfnc_(const char* name, const int* ids, const int* n, double* value, int* failed,
                                   std::size_t length) {
  int count = 0;
  give_measure(fortran_text(name, length), ids, *n, false, value, &count, failed);
}
TRAMMEL_FOR_USER_CODE void sysary_(const char* name, const int* ids, const int* n, double* values, int* count,
                                   int* failed, std::size_t length) {
  give_measure(fortran_text(name, length), ids, *n, true, values, count, failed);
}
TRAMMEL_FOR_USER_CODE void gtaray_(const int* id, double* values, int* count, int* failed) {
  c_gtaray(*id, values, count, failed);
}
TRAMMEL_FOR_USER_CODE void timget_(double* time) {
  c_timget(time);
}
TRAMMEL_FOR_USER_CODE void errmes_(const int* wrong, const char* text, const int* id, const char* ending,
                                   std::size_t length, std::size_t length_of_ending) {
  take_message(*wrong, fortran_text(text, length), *id, fortran_text(ending, length_of_ending));
}
TRAMMEL_FOR_USER_CODE void usrmes_(const int* wanted, const char* text, const int* id, const char*,
                                   std::size_t length, std::size_t) {
  take_message(*wanted, fortran_text(text, length), *id, "");
}
TRAMMEL_FOR_USER_CODE void akispl_(const double* x, const double* z, const int* id, const int* order,
                                   double* values, int* failed) {
  c_akispl(*x, *z, *id, *order, values, failed);
}
TRAMMEL_FOR_USER_CODE void cubspl_(const double* x, const double* z, const int* id, const int* order,
                                   double* values, int* failed) {
  c_cubspl(*x, *z, *id, *order, values, failed);
}
TRAMMEL_FOR_USER_CODE void step_(const double* x, const double* x0, const double* h0, const double* x1,
                                 const double* h1, const int* order, double* value, int* failed) {
  c_step(*x, *x0, *h0, *x1, *h1, *order, value, failed);
}
TRAMMEL_FOR_USER_CODE void impact_(const double* x, const double* rate, const double* x1, const double* k,
                                   const double* e, const double* cmax, const double* d, const int* order,
                                   double* values, int* failed) {
  c_impact(*x, *rate, *x1, *k, *e, *cmax, *d, *order, values, failed);
}

namespace trammel {

/// A program has them in its own table; a library that was loaded for one caller alone shows its own to all.
std::string make_user_utilities_visible() {
  // A name that is shown may be that of another copy even here.
  Dl_info here, there;
  if (!dladdr(reinterpret_cast<const void*>(&make_user_utilities_visible), &here)) return {};
  dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  const void* found = dlsym(RTLD_DEFAULT, "c_sysfnc");
  const bool known = found && dladdr(found, &there);
  if (known && there.dli_fbase == here.dli_fbase) return {};
  return fmt::format("the utility subroutines that it calls would be those of {}, not of {}",
                     known ? there.dli_fname : "nothing", here.dli_fname);
}

}  // namespace trammel
