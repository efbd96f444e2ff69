// SIMULATE/INITIAL_CONDITIONS: records the initial conditions with which every analysis begins.
#include "analysis/analyses/list.h"
#include "analysis/session.h"

namespace trammel {

namespace {

class InitialAnalysis final : public Analysis {
 public:
  explicit InitialAnalysis(Session& session) : session_(session) {}
  void begin(const AnalysisPlan&) override {}
  AnalysisEnd go_on() override {
    session_.leave_rest();
    session_.require_accelerations();
    session_.record_initial();
    return AnalysisEnd::complete;
  }

 private:
  Session& session_;
};

std::unique_ptr<Analysis> make_initial(Session& session) {
  return std::make_unique<InitialAnalysis>(session);
}

}  // namespace

const AnalysisRow initial_analysis{"INITIAL_CONDITIONS", "Initial Conditions Simulation", Extent::point,
                                   make_initial};

}  // namespace trammel
