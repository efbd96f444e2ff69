// JOINT and JPRIM types: which scalar rows each one is made of. One line per type.
//   rx ry rz: r_I = r_J     sx sy: r_I on the line of ẑ_J     sz: r_I in the plane normal to ẑ_J
//   zx zy: ẑ_I ∥ ẑ_J        zz: ẑ_I ⊥ ẑ_J                     xy: x̂_I ⊥ ŷ_J
#pragma once

#include <string_view>

#include "element/constraint_row.h"

namespace trammel {

struct NamedRow {
  ConstraintRow row;
  std::string_view name;  ///< as messages spell it: "Zi.Xj"
};

struct JointType {
  std::string_view statement;  ///< JOINT or JPRIM
  std::string_view name;
  int rows = 0;
  NamedRow row[6];
  unsigned freedoms = 0;  ///< of about_z, along_z: what a MOTION drives, COUPLER and GEAR join
  constexpr bool turns() const;
  constexpr bool slides() const;
};
/// Freedoms of a joint about and along z of J.
inline constexpr unsigned about_z = 1, along_z = 2;
constexpr bool JointType::turns() const {
  return freedoms & about_z;
}
constexpr bool JointType::slides() const {
  return freedoms & along_z;
}

namespace joint_rows {
inline constexpr NamedRow rx{{RowKind::separation_global, 0, 0}, "[Ri-Rj].X"};
inline constexpr NamedRow ry{{RowKind::separation_global, 0, 1}, "[Ri-Rj].Y"};
inline constexpr NamedRow rz{{RowKind::separation_global, 0, 2}, "[Ri-Rj].Z"};
inline constexpr NamedRow sx{{RowKind::separation, 0, 0}, "[Ri-Rj].Xj"};
inline constexpr NamedRow sy{{RowKind::separation, 0, 1}, "[Ri-Rj].Yj"};
inline constexpr NamedRow sz{{RowKind::separation, 0, 2}, "[Ri-Rj].Zj"};
inline constexpr NamedRow zx{{RowKind::dot, 2, 0}, "Zi.Xj"};
inline constexpr NamedRow zy{{RowKind::dot, 2, 1}, "Zi.Yj"};
inline constexpr NamedRow zz{{RowKind::dot, 2, 2}, "Zi.Zj"};
inline constexpr NamedRow xy{{RowKind::dot, 0, 1}, "Xi.Yj"};
inline constexpr NamedRow cv{{RowKind::constant_velocity}, "Xi.Yj-Yi.Xj"};
inline constexpr NamedRow screw{{RowKind::screw}, "[Ri-Rj].Zj-p*AZ"};
inline constexpr NamedRow rack{{RowKind::rack}, "[Ri-Rj].Zj+PD/2*spin"};
}  // namespace joint_rows

inline constexpr JointType joint_types[] = {
    {"JOINT",
     "REVOLUTE",
     5,
     {joint_rows::rx, joint_rows::ry, joint_rows::rz, joint_rows::zx, joint_rows::zy},
     about_z},
    {"JOINT",
     "TRANSLATIONAL",
     5,
     {joint_rows::sx, joint_rows::sy, joint_rows::zx, joint_rows::zy, joint_rows::xy},
     along_z},
    {"JOINT",
     "CYLINDRICAL",
     4,
     {joint_rows::sx, joint_rows::sy, joint_rows::zx, joint_rows::zy},
     about_z | along_z},
    {"JOINT", "SPHERICAL", 3, {joint_rows::rx, joint_rows::ry, joint_rows::rz}},
    {"JOINT", "UNIVERSAL", 4, {joint_rows::rx, joint_rows::ry, joint_rows::rz, joint_rows::zz}},
    {"JOINT", "HOOKE", 4, {joint_rows::rx, joint_rows::ry, joint_rows::rz, joint_rows::xy}},
    {"JOINT", "CONVEL", 4, {joint_rows::rx, joint_rows::ry, joint_rows::rz, joint_rows::cv}},
    {"JOINT", "PLANAR", 3, {joint_rows::sz, joint_rows::zx, joint_rows::zy}},
    {"JOINT",
     "FIXED",
     6,
     {joint_rows::rx, joint_rows::ry, joint_rows::rz, joint_rows::zx, joint_rows::zy, joint_rows::xy}},
    {"JOINT", "RACKPIN", 1, {joint_rows::rack}},
    {"JOINT", "SCREW", 1, {joint_rows::screw}},
    {"JPRIM", "ATPOINT", 3, {joint_rows::rx, joint_rows::ry, joint_rows::rz}},
    {"JPRIM", "INLINE", 2, {joint_rows::sx, joint_rows::sy}},
    {"JPRIM", "INPLANE", 1, {joint_rows::sz}},
    {"JPRIM", "ORIENTATION", 3, {joint_rows::zx, joint_rows::zy, joint_rows::xy}},
    {"JPRIM", "PARALLEL_AXES", 2, {joint_rows::zx, joint_rows::zy}},
    {"JPRIM", "PERPENDICULAR", 1, {joint_rows::zz}},
};

/// The type with that name; nullptr if unknown.
constexpr const JointType* find_joint_type(std::string_view statement, std::string_view name) {
  for (const JointType& type : joint_types)
    if (type.statement == statement && type.name == name) return &type;
  return nullptr;
}

}  // namespace trammel
