// User subroutines that tests load: laws that expressions have as well, by the C and the Fortran interface.
#include <cmath>
#include <cstring>

extern "C" {

void c_sysfnc(const char*, const int*, int, double*, int*);
void c_sysary(const char*, const int*, int, double*, int*, int*);
void c_errmes(int, const char*, int, const char*);
void c_impact(double, double, double, double, double, double, double, int, double*, int*);
void c_akispl(double, double, int, int, double*, int*);
void c_gtaray(int, double*, int*, int*);
void sysfnc_(const char*, const int*, const int*, double*, int*, std::size_t);
void sysary_(const char*, const int*, const int*, double*, int*, int*, std::size_t);
void timget_(double*);
void gtaray_(const int*, double*, int*, int*);
void akispl_(const double*, const double*, const int*, const int*, double*, int*);
void cubspl_(const double*, const double*, const int*, const int*, double*, int*);
void step_(const double*, const double*, const double*, const double*, const double*, const int*, double*,
           int*);
void impact_(const double*, const double*, const double*, const double*, const double*, const double*,
             const double*, const int*, double*, int*);
void errmes_(const int*, const char*, const int*, const char*, std::size_t, std::size_t);

int c_gse_ns();
int c_gse_ni();
int c_gse_no();
void c_gse_x(double*, int);
void c_gse_u(double*, int);
void c_gsepar_x(const double*, int);
void gse_ns_(int*);
void gse_x_(double*, const int*);
void gse_u_(double*, const int*);

struct Gforce {
  int id, count;
  const double* par;
  int I, RM, floating_J;
};
struct Between {  // SFORCE
  int id, count;
  const double* par;
  int I, J;
};
struct Head {
  int id, count;
  const double* par;
};

/// Spring of docs/user_subroutines.md by Fortran's interface: CALL SYSFNC('DM', (/ PAR(4), PAR(5) /), 2,
/// LENGTH, ERRFLG).
void spring_(const int*, const double*, const double* par, const int*, const int*, const int*,
             double* value) {
  const int pair[] = {static_cast<int>(par[3]), static_cast<int>(par[4])}, two = 2;
  int failed = 0;
  double length = 0, rate = 0;
  sysfnc_("DM      ", pair, &two, &length, &failed, 8);
  sysfnc_("VR", pair, &two, &rate, &failed, 2);
  *value = -par[0] * (length - par[2]) - par[1] * rate;
}
/// IMPACT of DZ(par4, par5).
void Stop(const Head* s, double, int, int, double* value) {
  const int pair[] = {static_cast<int>(s->par[4]), static_cast<int>(s->par[5])};
  int failed = 0;
  double z = 0, rate = 0;
  c_sysfnc("DZ", pair, 2, &z, &failed);
  c_sysfnc("VZ", pair, 2, &rate, &failed);
  c_impact(z, rate, s->par[0], s->par[1], s->par[2], s->par[3], 1e-3, 0, value, &failed);
}
/// A bushing by six components, from arrays.
void Bush(const Gforce* g, double, int, int, double* value) {
  const int frames[] = {g->I, g->RM, g->RM};
  int failed = 0, count = 0;
  double place[6], velocity[6];
  c_sysary("TDISP", frames, 3, place, &count, &failed);
  c_sysary("VEL", frames, 3, velocity, &count, &failed);
  for (int k = 0; k < 3; ++k) {
    value[k] = -g->par[0] * place[k] - g->par[1] * velocity[k];
    value[3 + k] = -g->par[2] * velocity[3 + k];
  }
}
/// (par1 + TIME) times the speed of rotation about x; a torque.
void Vtosub(const Gforce* v, double time, int, int, double* value) {
  const int frames[] = {v->I};
  int failed = 0, count = 0;
  double w[3];
  c_sysary("RVEL", frames, 1, w, &count, &failed);
  value[0] = -(v->par[0] + time) * w[0];
  value[1] = value[2] = 0;
}
/// Two states of an oscillator: DIFF/par1 and DIFF/par2.
void Difsub(const Head* d, double, int, int, double* value) {
  const int one = static_cast<int>(d->par[0]);
  int failed = 0;
  double x = 0;
  c_sysfnc("DIF", &one, 1, &x, &failed);
  *value = d->par[1] * x;
}
/// SPLINE/par1 at VARVAL(par2), plus the second number of ARRAY/par3.
void Varsub(const Head* v, double, int, int, double* value) {
  const int at = static_cast<int>(v->par[1]);
  int failed = 0, count = 0;
  double x = 0, y[3] = {}, numbers[8] = {};
  c_sysfnc("VARVAL", &at, 1, &x, &failed);
  c_akispl(x, 0, static_cast<int>(v->par[0]), 0, y, &failed);
  c_gtaray(static_cast<int>(v->par[2]), numbers, &count, &failed);
  *value = y[0] + numbers[1];
}
/// A utility by Fortran's name, PAR(1) which: of VARVAL(PAR(2)), SPLINE/PAR(3), ARRAY/PAR(3) or
/// MARKER/PAR(3).
void tools_(const int* id, const double*, const double* par, const int*, const int*, const int*,
            double* value) {
  const int at = static_cast<int>(par[1]), which = static_cast<int>(par[2]), one = 1, none = 0;
  const double x0 = 0.05, x1 = 0.2, h0 = 1, h1 = 3, rate = -0.5, k = 1e4, e = 1.5, c = 20, d = 1e-2, z = 0;
  int failed = 0, count = 0;
  double x = 0, several[8] = {};
  sysfnc_("VARVAL", &at, &one, &x, &failed, 6);
  switch (static_cast<int>(par[0])) {
    case 1:
      timget_(value);
      break;
    case 2:
      akispl_(&x, &z, &which, &one, several, &failed);
      *value = several[0];
      break;
    case 3:
      cubspl_(&x, &z, &which, &none, several, &failed);
      *value = several[0];
      break;
    case 4:
      gtaray_(&which, several, &count, &failed);
      *value = count + several[2];
      break;
    case 5:
      sysary_("TDISP ", &which, &one, several, &count, &failed, 6);
      *value = several[2];
      break;
    case 6:
      step_(&x, &x0, &h0, &x1, &h1, &none, value, &failed);
      break;
    case 7:
      impact_(&x, &rate, &x1, &k, &e, &c, &d, &none, value, &failed);
      break;
  }
  errmes_(&failed, "TOOLS", id, "STOP", 5, 4);
}
/// Components 2 to 4: DX, DY, DZ.
void Reqsub(const Head* r, double time, int, double* value) {
  const int marker = static_cast<int>(r->par[0]);
  int failed = 0, count = 0;
  value[0] = time;
  c_sysary("TDISP", &marker, 1, value + 1, &count, &failed);
  for (int k = 4; k < 8; ++k) value[k] = k;
}
void Sensub(const Head* s, double, int, double* value) {
  const int marker = static_cast<int>(s->par[0]);
  int failed = 0;
  c_sysfnc("DX", &marker, 1, value, &failed);
}
/// Asks with iflag = 0 for what it has not asked for with 3.
void Forgets(const Between* s, double, int, int what, double* value) {
  const int pair[] = {s->I, s->J};
  int failed = 0;
  *value = 0;
  if (what == 0) c_sysfnc("DM", pair, 2, value, &failed);
}
/// Asks for a marker that is not there; stops at par1 s; has no number.
void Wrong(const Between* s, double time, int, int, double* value) {
  const int pair[] = {static_cast<int>(s->par[0]), s->J};
  int failed = 0;
  double x = 0;
  c_sysfnc(s->count > 2 ? "DXX" : "DX", pair, 2, &x, &failed);
  *value = s->par[1] < 0 && time > 0.05 ? NAN : 0;
  c_errmes(s->par[1] > 0 && time > s->par[1], "time is up", s->id, "STOP");
}
/// ẋ = A x + B u of an oscillator, ẋ_0 = x_1, ẋ_1 = −par0 x_0 − par1 x_1 + u_0 par2; by the utilities of GSE.
void Gse_deriv(const Head* g, double, int, int, int n, double* rate) {
  double x[2] = {}, u[1] = {};
  c_gse_x(x, c_gse_ns());
  c_gse_u(u, c_gse_ni());
  const double partial[] = {0, 1};
  c_gsepar_x(partial, 2);
  rate[0] = x[1];
  rate[1] = n == 2 ? -g->par[0] * x[0] - g->par[1] * x[1] + g->par[2] * u[0] : 1e9;
}
/// y = (3 x_0, x_1 + u_0), from arrays by their ids.
void Gse_output(const Head* g, double, int, int, int n, double* y) {
  const int states = static_cast<int>(g->par[3]), inputs = static_cast<int>(g->par[4]);
  int failed = 0, count = 0;
  double x[2] = {}, u[1] = {};
  c_sysary("ARRAY", &states, 1, x, &count, &failed);
  c_sysary("ARRAY", &inputs, 1, u, &count, &failed);
  y[0] = n == c_gse_no() ? 3 * x[0] : 1e9;
  y[1] = x[1] + u[0];
}
/// The rates by Fortran's interface.
void rates_(const int*, const double*, const double* par, const int*, const int*, const int*, const int* n,
            double* rate) {
  int states = 0;
  const int one = 1;
  double x[2] = {}, u[1] = {};
  gse_ns_(&states);
  gse_x_(x, &states);
  gse_u_(u, &one);
  rate[0] = x[1];
  rate[1] = *n == 2 ? -par[0] * x[0] - par[1] * x[1] + par[2] * u[0] : 1e9;
}

struct Motion {
  int id, count;
  const double* par;
  int joint;
  const char* type;
  int I, J;
  char which[2];
  const char* level;
};
/// par0 sin(par1 t), or a derivative of it; of other statements than a displacement along z far away.
void Motsub(const Motion* m, double time, int order, int, double* value) {
  const double a = m->par[0], w = m->par[1], phase = w * time;
  *value = order == 0   ? a * std::sin(phase)
           : order == 1 ? a * w * std::cos(phase)
                        : -a * w * w * std::sin(phase);
  if (std::strcmp(m->level, "DISPLACEMENT") != 0 || std::strcmp(m->type, "TRANSLATION") != 0 || m->joint != 7)
    *value = 1e9;
}
/// par0 t²/2 by Fortran's interface.
void motion_(const int*, const double* time, const double* par, const int*, const int* order, const int*,
             double* value) {
  *value = *order == 0 ? par[0] * *time * *time / 2 : *order == 1 ? par[0] * *time : par[0];
}
/// A motion may depend on time alone.
void Moved(const Motion*, double, int, int, double* value) {
  const int marker = 20;
  int failed = 0;
  c_sysfnc("DZ", &marker, 1, value, &failed);
}
}
