// Floating-point operations of elements, counted by hand from their formulas (docs/theory.md, 1-18).
//
// Rule: + − × count 1, / and √ 4, sin, cos and atan2 20, signs nothing. Hence dot product 5, cross product 9,
// matrix × vector 15, matrix × matrix 45, outer product 9, ũM 27.
// Counted is what somebody would compute who writes the closed form by hand: zeros that the formula has (unit
// vectors, columns that vanish, torques of a joint that has none) are left out, symmetric results are formed
// once, what is shared within the residual or within the tangent is formed once, and derivatives of force
// laws are closed forms. The program does more in places: dual numbers carry zeros, general functions treat
// special cases. That is part of the ratio. Not operations: reading, writing, indices, branches.
//
// Elements stand in a ring with two neighbours per body; so per element there are two sides (×2), and the
// block of a body's matrix is the sum of its own and those of two elements.
#pragma once

#include <iterator>
#include <span>

namespace trammel::bench {

struct FlopTerm {
  const char* what;
  int each;
  int times = 1;
};

inline int flops(std::span<const FlopTerm> terms) {
  int sum = 0;
  for (const FlopTerm& t : terms) sum += t.each * t.times;
  return sum;
}

namespace counts {

// ---- rigid part: kinematics, inertia forces, their tangent; no marker, nothing acts but gravity
inline constexpr FlopTerm part_residual[] = {
    {"sin, cos of ψ θ φ", 20, 6},
    {"axes: h1 = cψ gx + sψ gy, p, n, h2", 9, 4},
    {"cφ h1 + sφ n, cφ n − sφ h1", 9, 2},
    {"A = [.. .. h2] R", 45},
    {"ḣ1 = ψ̇ p; ḣ2 = ψ̇ sθ h1 − θ̇ n", 13},
    {"ω = H ε̇", 15},
    {"α = H ε̈ + θ̇ ḣ1 + φ̇ ḣ2", 27},
    {"r_x = m (ẍ − g) − F", 9},
    {"J α = A (J_b (Aᵀ α)), the same of ω", 45, 2},
    {"n = J α + ω × J ω − T", 15},
    {"r_ε = Hᵀ n", 15},
};
inline constexpr FlopTerm part_tangent[] = {
    {"h1 × h2", 9},
    {"∂ω/∂ε: h0 × ω, φ̇ (h1 × h2)", 12},
    {"∂α/∂ε: h0 × α; φ̈ h12 + φ̇ (ψ̇ h0 + θ̇ h1) × h12", 36},
    {"P = c H", 9},
    {"V = b H + c ∂ω/∂ε, two columns of the latter", 21},
    {"Q = a H + b (Ḣ + ∂ω/∂ε) + c ∂α/∂ε, two columns of each derivative", 42},
    {"a m", 1},
    {"J = A J_b Aᵀ, six entries of the result", 75},
    {"J α, J ω", 15, 2},
    {"∂n/∂θ = J α̃ − (Jα)~ + ω̃ (J ω̃ − (Jω)~)", 102},
    {"∂n/∂ω = ω̃ J − (Jω)~", 33},
    {"n", 15},
    {"∂n/∂θ P + ∂n/∂ω V + J Q", 153},
    {"Hᵀ of it", 45},
    {"h0 × h1, h0 × h2", 9, 2},
    {"∂Hᵀ/∂ε n: c (h_i × h_k)·n added to three entries", 7, 3},
};

// ---- spherical joint: r_I = r_J
inline constexpr FlopTerm spherical_residual[] = {
    {"marker: A s, x + A s", 18, 2},
    {"body: ΣF, Σ s × F", 15, 2},
    {"φ = (r_I − r_J)/c, three rows", 2, 3},
};
inline constexpr FlopTerm spherical_tangent[] = {
    {"Φq: Hᵀ (s × e_j), two entries of s × e_j, three rows", 9, 6},
    {"body: Σ (s Fᵀ − (s·F) 1)", 26, 2},
};

// ---- revolute joint: a spherical one and ẑ_I·x̂_J = ẑ_I·ŷ_J = 0
inline constexpr FlopTerm revolute_residual[] = {
    {"marker: A s, x + A s, A A_m", 63, 2}, {"t = u × w, −λ t added to T, two rows", 15, 2},
    {"body: ΣF, Σ (T + s × F)", 18, 2},     {"φ = (r_I − r_J)/c, three rows", 2, 3},
    {"φ = (u·w)/c, two rows", 6, 2},
};
inline constexpr FlopTerm revolute_tangent[] = {
    {"Φq: Hᵀ (s × e_j), three rows", 9, 6},
    {"Φq: Hᵀ t, two rows", 15, 4},
    {"body: Σ (s Fᵀ − (s·F) 1)", 26, 2},
    {"B = −Σ λ (u wᵀ − (u·w) 1), two rows", 49},
    {"B P_I, Bᵀ P_J", 45, 2},
    {"Hᵀ of these, both bodies", 45, 4},
    {"added to the block of the body", 9, 2},
};

// ---- BUSHING, D = r_I − r_J, u = v_I − v_J − ω_J × D
inline constexpr FlopTerm bushing_residual[] = {
    {"marker: A s, x + A s, A A_m, ẋ + ω × s", 75, 2},
    {"D", 3},
    {"A_Jᵀ D", 15},
    {"A_Jᵀ u", 30},
    {"A_Jᵀ (ω_I − ω_J)", 18},
    {"AX AY AZ: five products of axes, three atan2", 85},
    {"turns: angle + 2π round((last − angle)/2π)", 5, 3},
    {"FORCE − K d − C v, the same of rotation", 12, 2},
    {"F_I = A_J f, T_I = A_J t", 15, 2},
    {"T_J = −T_I − D × F_I", 12},
    {"body: ΣF, Σ (T + s × F)", 18, 2},
};
inline constexpr FlopTerm bushing_tangent[] = {
    {"D, u, products of axes", 43},
    {"A_J diag(K, C, CT) A_Jᵀ, symmetric", 39, 3},
    {"gradients of AX AY AZ: u1 × (c w1 − s w2)/(s² + c²)", 28, 3},
    {"A_J diag(KT) times these", 54},
    {"∂F_I/∂r = −K + C ω̃_J", 36},
    {"∂F_I/∂θ_J = −K D̃ − C ũ − F̃_I", 69},
    {"∂F_I/∂ω_J = −C D̃", 27},
    {"∂T_I/∂θ_J, with CT ω̃ and T̃_I", 42},
    {"∂T_J/∂(r, v, θ_J, ω_J) = −∂T_I − D × ∂F_I (+ F̃_I)", 33 + 27 + 36 + 36},
    {"columns Δ of a body: rows of F_I and T_J (project, velocity level)", 78, 12},
    {"columns Δ of a body: rows of T_I, that turn only", 33, 6},
    {"rows Hᵀ (T + s × F), 12 columns of both bodies", 27, 24},
    {"body: Σ (s Fᵀ − (s·F) 1)", 26, 2},
    {"added to the block of the body", 48},
};

// ---- SPRINGDAMPER, TRANSLATION, u = D/l
inline constexpr FlopTerm springdamper_residual[] = {
    {"marker: A s, x + A s, ẋ + ω × s", 30, 2},
    {"D, l, u = D/l", 19},
    {"f = FORCE − K (l − LENGTH) − C (v_I − v_J)·u", 13},
    {"F_I = f u", 3},
    {"body: ΣF, Σ s × F", 15, 2},
};
inline constexpr FlopTerm springdamper_tangent[] = {
    {"D, l, u = D/l", 19},
    {"f", 13},
    {"g = −K u − C (v − (v·u) u)/l", 21},
    {"h = −C u, f/l (1 − u uᵀ)", 16},
    {"columns Δ of a body: g·δr + h·δv (project, velocity level, no torque)", 72, 2},
    {"columns Δ of a body: three rows of f/l (1 − u uᵀ)", 27, 6},
    {"u times the row g, h, added", 36, 2},
    {"Hᵀ s̃", 27, 2},
    {"that times 12 columns", 15, 24},
    {"body: Σ (s Fᵀ − (s·F) 1)", 26, 2},
    {"added to the block of the body", 48},
};

// ---- SFORCE, TRANSLATION, FUNCTION = −K*(DM(I,J) − L)
inline constexpr FlopTerm sforce_residual[] = {
    {"marker: A s, x + A s", 18, 2}, {"D, DM", 12}, {"−K*(DM − L)", 2}, {"u = D/DM, F_I = f u", 10},
    {"body: ΣF, Σ s × F", 15, 2},
};
inline constexpr FlopTerm sforce_tangent[] = {
    {"D, DM, u = D/DM", 19},
    {"∂F_I/∂r = (−K − f/l) u uᵀ + f/l 1", 17},
    {"columns Δ of a body: three rows (project, position level, no torque)", 27, 6},
    {"Hᵀ s̃", 27, 2},
    {"that times 12 columns", 15, 24},
    {"body: Σ (s Fᵀ − (s·F) 1)", 26, 2},
    {"added to the block of the body", 48},
};

}  // namespace counts

struct ElementCount {
  const char* element;
  std::span<const FlopTerm> residual, tangent;
};
inline const ElementCount element_counts[] = {
    {"rigid part", counts::part_residual, counts::part_tangent},
    {"JOINT SPHERICAL", counts::spherical_residual, counts::spherical_tangent},
    {"JOINT REVOLUTE", counts::revolute_residual, counts::revolute_tangent},
    {"BUSHING", counts::bushing_residual, counts::bushing_tangent},
    {"SPRINGDAMPER", counts::springdamper_residual, counts::springdamper_tangent},
    {"SFORCE", counts::sforce_residual, counts::sforce_tangent},
};

/// 3×3 matrix product: 27 multiplications, 18 additions.
inline constexpr int matrix_product_flops = 45;

}  // namespace trammel::bench
