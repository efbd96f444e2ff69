// User code of contacts as the tests load it: CNFSUB by its C and by its Fortran interface.
#include <cmath>

struct contact {
  int id, shapes_i, shapes_j;
  int *igeom, *jgeom, *iflip, *jflip;
};
struct statement {
  struct contact contact;
  int npar;
  const double* par;
};

namespace {

double step(double x, double x0, double h0, double x1, double h1) {
  const double d = (x - x0) / (x1 - x0);
  return d <= 0 ? h0 : d >= 1 ? h1 : h0 + (h1 - h0) * d * d * (3 - 2 * d);
}

// IMPACT with stiffness, exponent, damping and depth of full damping.
double impact(const double* par, double gap, double gapdot) {
  const double force = par[0] * std::pow(-gap, par[1]) - step(-gap, 0, 0, par[3], par[2]) * gapdot;
  return force > 0 ? force : 0;
}

}  // namespace

extern "C" {

void Cnfsub(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
            const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
            double* result) {
  result[0] = impact(s->par, gap, gapdot);
  result[1] = result[2] = 0;
}

void cnfsub_(const int* id, const double* time, const double* par, const int* npar, const double* loci,
             const double* ni, const double* locj, const double* nj, const double* gap, const double* gapdot,
             const double* gapdotdot, const double* area, const int* dflag, const int* iflag,
             double* result) {
  result[0] = *npar == 4 ? impact(par, *gap, *gapdot) : -1;
  result[1] = result[2] = 0;
}

// A spring of the stiffness par[0] that grows by par[1] in a unit of time.
void Growing(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
             const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
             double* result) {
  result[0] = -(s->par[0] + s->par[1] * time) * gap;
}

// A spring whose stiffness is par[0] + par[1] x + par[2] y of the point of I, in the axes of its marker, and
// par[3] x of that of J.
void Places(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
            const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
            double* result) {
  result[0] = -(s->par[0] + s->par[1] * loci[0] + s->par[2] * loci[1] + s->par[3] * locj[0]) * gap;
}
// One number of where the points are: par[0] counts those of loci, then of locj.
void Place(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
           const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
           double* result) {
  const int k = static_cast<int>(s->par[0]);
  result[0] = k < 3 ? loci[k] : locj[k - 3];
}

// What is told of the statement, as digits of a number: its id, then each shape with 1 where it is a hole.
void Told(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
          const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
          double* result) {
  const struct contact* c = &s->contact;
  result[0] = c->id;
  for (int k = 0; k < c->shapes_i; ++k) result[0] = 100 * result[0] + 10 * c->igeom[k] + c->iflip[k];
  for (int k = 0; k < c->shapes_j; ++k) result[0] = 100 * result[0] + 10 * c->jgeom[k] + c->jflip[k];
}

// Codes that have no force: beyond a depth, with a second component, of what is not told.
void Shallow(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
             const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
             double* result) {
  result[0] = gap < -s->par[1] ? NAN : -s->par[0] * gap;
}
void Vectorial(const struct statement* s, double time, const double* loci, const double* ni,
               const double* locj, const double* nj, double gap, double gapdot, double gapdotdot, double area,
               int dflag, int iflag, double* result) {
  result[0] = -s->par[0] * gap;
  result[1] = 1;
}
void Area(const struct statement* s, double time, const double* loci, const double* ni, const double* locj,
          const double* nj, double gap, double gapdot, double gapdotdot, double area, int dflag, int iflag,
          double* result) {
  result[0] = s->par[0] * area;
}

}  // extern "C"
