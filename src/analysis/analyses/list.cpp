#include "analysis/analyses/list.h"

namespace trammel {

std::span<const AnalysisRow* const> analyses() {
#define TRAMMEL_ADDRESS(row) &row,
  static constexpr const AnalysisRow* all[] = {TRAMMEL_ANALYSES(TRAMMEL_ADDRESS)};
#undef TRAMMEL_ADDRESS
  return all;
}

}  // namespace trammel
