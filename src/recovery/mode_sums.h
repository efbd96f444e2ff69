// Sums over the modes of a body.
#pragma once

#include <cstddef>
#include <vector>

#include "flexible/modal_fields.h"

namespace trammel {

/// Σ_j field[row * modes + j] q[j], with as many modes as q has.
double mode_sum(const std::vector<float>& field, std::size_t row, const std::vector<double>& q);

/// out[row * count + k] = Σ_j field[row * modes + j] q[j * count + k]: `rows` rows at `count` times.
void mode_sums(const float* field, int rows, int modes, const float* q, int count, float* out);

/// Of a node: tensor_components numbers of a strain or stress.
void tensor_sum(const std::vector<float>& field, int node, const std::vector<double>& q, double* out);

/// Diagonal of the box around the nodes.
double body_size(const ModalFields& fields);

}  // namespace trammel
