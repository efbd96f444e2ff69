#include "study/converge.h"

#include "output/look/draw.h"

namespace trammel {

namespace {

Panel panel_of_differences(const ConvergeReport& report, double tolerance) {
  Panel panel;
  panel.label = "largest difference over scale";
  Curve limit;
  limit.legend = "tolerance";
  limit.dash = 1;
  for (int kind = 0; kind < channel_kinds; ++kind) {
    Curve curve;
    curve.legend = channel_kind_names[kind];
    curve.color = kind;
    for (std::size_t k = 1; k < report.rows.size(); ++k) {
      const ConvergeRow &coarse = report.rows[k - 1], &fine = report.rows[k];
      if (!fine.change || fine.cross_check || fine.change->of[kind].channel.empty()) continue;
      if (coarse.error == fine.error && !report.deck.fixed) continue;  // refined by a smaller HMAX
      curve.x.push_back(report.deck.fixed ? coarse.hmax : coarse.error);
      curve.y.push_back(fine.change->of[kind].worst);
    }
    if (curve.x.empty()) continue;
    limit.x = curve.x;
    panel.curves.push_back(std::move(curve));
  }
  limit.color = channel_kinds + 1;
  limit.y.assign(limit.x.size(), tolerance);
  if (!limit.x.empty()) panel.curves.push_back(std::move(limit));
  return panel;
}

}  // namespace

bool draw_convergence(const ConvergeReport& report, double tolerance, const std::string& output) {
  Picture picture;
  picture.title = "How results change from a run to the next, tighter one";
  picture.x_label = report.deck.fixed ? "step of the run" : "ERROR of the run";
  picture.panels.push_back(panel_of_differences(report, tolerance));
  if (picture.panels.front().curves.empty()) return false;
  picture.log_x = picture.log_y = true;
  draw(std::move(picture), output);
  return true;
}

}  // namespace trammel
