#include "assemble/slip_leaps.h"

#include <algorithm>
#include <span>

#include "assemble/assembler.h"
#include "base/archive.h"

namespace trammel {

namespace {

/// The slip at which friction has fallen by 3 % of what it falls by from V to `slide`.
double farthest_beyond(double V, double slide) {
  constexpr double part = 0.1;  // STEP(0.1) = 0.028
  return V + part * (slide - V);
}

}  // namespace

SlipLeaps::SlipLeaps(const Model& model, Assembler& assembler) : assembler_(assembler) {
  looked_at_.assign(model.contacts.size(), HUGE_VAL);
  for (std::size_t k = 0; k < model.contacts.size(); ++k) {
    const ContactLaw& law = model.contacts[k].law;
    if (!law.friction || !(law.mu_dynamic < law.mu_static)) continue;
    Surface s;
    s.contact = static_cast<int>(k);
    s.stick_speed = looked_at_[k] = law.stick_speed;
    s.farthest = farthest_beyond(law.stick_speed, law.slide_speed);
    surface_.push_back(s);
  }
  if (!surface_.empty()) of_contacts_.resize(model.contacts.size());
  for (const ExpressionForce& f : model.expression_forces) {
    if (f.falls_beyond == 0 || !f.name.active) continue;
    Surface s;
    s.tape = f.values[1].tape;
    s.stick_speed = f.falls_beyond;
    s.farthest = farthest_beyond(f.falls_beyond, f.falls_until);
    surface_.push_back(s);
  }
}

bool SlipLeaps::Surface::leaps() const {
  if (before.count == 0 || !(now.least > farthest)) return false;
  return before.largest < stick_speed ||
         (before.count == 1 && now.count == 1 && dot(before.slip, now.slip) < 0);
}

void SlipLeaps::read(bool all) {
  if (!of_contacts_.empty()) assembler_.slips(of_contacts_, all ? std::span<const double>() : looked_at_);
  for (Surface& s : surface_) {
    if (s.contact >= 0) {
      s.now = of_contacts_[s.contact];
      continue;
    }
    double shown[3] = {};  // coefficient, slip, regime
    assembler_.tapes().values(s.tape, assembler_.reads(), shown);
    s.now = {};
    s.now.add({shown[1], 0, 0});
  }
}

void SlipLeaps::begin() {
  read(true);
  longest_ = h_ = 0;
  accept();
}

bool SlipLeaps::leapt(double h) {
  constexpr int most_refused = 12;
  constexpr double shortest = 1e-5;  // of the longest of the last steps
  read(false);
  h_ = h;
  if (refused_ >= most_refused || h < shortest * longest_) return false;
  const bool leapt = std::ranges::any_of(surface_, &Surface::leaps);
  refused_ += leapt;
  return leapt;
}

void SlipLeaps::archive(Archive& a) {
  a(refused_, h_, longest_);
  for (Surface& s : surface_) a(s.before);
}

void SlipLeaps::accept() {
  constexpr double memory = 0.9;
  longest_ = std::max(h_, memory * longest_);
  refused_ = 0;
  for (Surface& s : surface_) s.before = s.now;
}

}  // namespace trammel
