#include "recovery/mode_sums.h"

#include <Eigen/Dense>
#include <numeric>

namespace trammel {

double mode_sum(const std::vector<float>& field, std::size_t row, const std::vector<double>& q) {
  return std::inner_product(q.begin(), q.end(), field.data() + row * q.size(), 0.0);
}

void mode_sums(const float* field, int rows, int modes, const float* q, int count, float* out) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Rows>(out, rows, count).noalias() =
      Eigen::Map<const Rows>(field, rows, modes) * Eigen::Map<const Rows>(q, modes, count);
}

void tensor_sum(const std::vector<float>& field, int node, const std::vector<double>& q, double* out) {
  for (int c = 0; c < tensor_components; ++c)
    out[c] = mode_sum(field, static_cast<std::size_t>(node) * tensor_components + c, q);
}

double body_size(const ModalFields& fields) {
  Vec3d low = fields.position.front(), high = low;
  for (const Vec3d& s : fields.position)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], s[i]);
      high[i] = std::max(high[i], s[i]);
    }
  return norm(high - low);
}

}  // namespace trammel
