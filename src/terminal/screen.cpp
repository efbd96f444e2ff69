#include "terminal/screen.h"

#include <exception>

#include "terminal/print.h"

namespace trammel {

Listener Screen::listener() {
  Listener listener;
  listener.say = [this](const std::string& text) { say(text); };
  listener.error = [this](const std::string& text) { error(text); };
  listener.begin_steps = [this](double begin, double end) { begin_steps(begin, end); };
  listener.step = [this](double t, double h, long long steps) {
    draw([&](Progress& p) { p.update(t, h, steps); });
  };
  listener.end_steps = [this](double t, double h, long long steps) {
    draw([&](Progress& p) { p.finish(t, h, steps); });
    progress_.reset();
  };
  listener.begin_variants = [this](std::size_t variants, std::size_t kept) {
    begin_variants(variants, kept);
  };
  listener.variants = [this](std::size_t done, std::size_t failed, double under_way) {
    batch_->update(done, failed, under_way);
  };
  listener.end_variants = [this] { batch_.reset(); };
  return listener;
}

template <class Draw>
void Screen::draw(Draw draw) {
  if (!progress_) return;
  try {
    draw(*progress_);
  } catch (const std::exception&) {
    quiet_ = true;
    try {
      progress_.reset();
    } catch (const std::exception&) {  // the same stream fails again
    }
  }
}

void Screen::say(const std::string& text) {
  if (quiet_) return;
  draw([](Progress& p) { p.clear(); });
  print_line(stdout, text);
}

void Screen::error(const std::string& text) {
  draw([](Progress& p) { p.clear(); });
  print_line(stderr, text);
}

void Screen::begin_steps(double begin, double end) {
  if (!quiet_) progress_.emplace(stdout, begin, end, progress_options_for(stdout));
}

void Screen::begin_variants(std::size_t variants, std::size_t kept) {
  ProgressOptions style = progress_options_for(stdout);
  if (quiet_) style.style = ProgressStyle::silent;
  batch_.emplace(stdout, variants, kept, std::move(style));
}

}  // namespace trammel
