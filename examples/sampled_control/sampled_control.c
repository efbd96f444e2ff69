/* A carriage of 2 kg on a rail under sampled control: every 0.05 s the controller reads place and velocity
 * and sets a force, which it holds until the next sample. Between samples the motion is a parabola, so that
 * the recursion x' = x + T v + T^2 F / (2 m),   v' = v + T F / m gives every sample exactly. Exit code 1
 * where one is off by more than 1e-8. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <trammel/trammel.h>

static const char* const deck =
    "carriage\nPART/1,GROUND\nMARKER/10,PART=1,REULER=90D,90D,0\n"
    "PART/2,MASS=2,CM=20,IP=1,1,1\nMARKER/20,PART=2,REULER=90D,90D,0\n"
    "JOINT/1,TRANSLATIONAL,I=20,J=10\nSFORCE/1,TRANSLATION,I=20,J=10,ACTIONONLY,FUNCTION=0\nEND\n";

static int failed(trammel_model* model) {
  fprintf(stderr, "%s\n", trammel_failure(model));
  trammel_free(model);
  return 2;
}

int main(void) {
  const double m = 2, T = 0.05, target = 0.3;
  double x = 0, v = 0, worst = 0, values[100];
  size_t at_x, at_v, count;
  trammel_model* model = NULL;
  if (trammel_load_text("carriage.adm", deck, strlen(deck), NULL, &model) != TRAMMEL_OK) return failed(NULL);
  if (trammel_channel(model, "PART/2.X", &at_x) || trammel_channel(model, "PART/2.VX", &at_v) ||
      trammel_channel_count(model, &count))
    return failed(model);
  if (count > sizeof values / sizeof values[0]) return 3;

  for (int sample = 0; sample < 40; ++sample) {
    char change[80];
    double force;
    int how = TRAMMEL_STEPPING;
    if (trammel_values(model, values, count)) return failed(model);
    worst = fmax(worst, fmax(fabs(values[at_x] - x), fabs(values[at_v] - v)));

    force = 40 * (target - values[at_x]) - 15 * values[at_v];
    snprintf(change, sizeof change, "SFORCE/1.FUNCTION=%.17g", force);
    if (trammel_change(model, change) || trammel_begin(model, (sample + 1) * T, 0)) return failed(model);
    while (how == TRAMMEL_STEPPING)
      if (trammel_step(model, &how)) return failed(model);

    force = 40 * (target - x) - 15 * v;
    x += T * v + T * T * force / (2 * m);
    v += T * force / m;
  }
  printf("Trammel %s: after 2 s the carriage is at %.6f m of %.1f m; largest error of a sample %.1e\n",
         trammel_version(), x, target, worst);
  trammel_free(model);
  return worst > 1e-8 || fabs(x - target) > 0.01;
}
