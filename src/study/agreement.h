// The differences of the results of two runs of one model, by kinds of channels.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace trammel {

inline constexpr double no_time = std::numeric_limits<double>::infinity();

/// Kinds of channels; each follows from those before it.
inline constexpr int channel_kinds = 5;
inline constexpr const char* channel_kind_names[channel_kinds] = {"positions", "velocities", "accelerations",
                                                                  "forces", "others"};

/// The channel of a kind with the largest difference relative to its scale, at the time of this difference.
struct KindAgreement {
  std::string channel;  ///< "": the model has no channel of the kind
  double worst = 0;     ///< difference over scale; infinity where a value is not a number
  double difference = 0, time = 0;
};

struct Agreement {
  std::array<KindAgreement, channel_kinds> of;
  /// First time at which the difference of a channel is above `tolerance` of its scale.
  double onset = no_time;
  double share_after = 0;  ///< share of the records from `onset` on in which a difference is above it
  double worst() const;
  /// The kind with the largest difference.
  const KindAgreement& furthest() const;
  bool within(double tolerance) const { return worst() <= tolerance; }
};

/// Compares two native files of one model, at the times of the one with fewer records. The scale of a channel
/// is, over the time of the run, for
///   positions and single angles   the largest way from the first record, of the entity's vector;
///   orientations PSI, THETA, PHI  the same as an angle of rotation;
///   all others                    the largest magnitude of the entity's vector,
/// (the difference of orientations is an angle of rotation, too, which small sines of THETA do not amplify)
/// and at least 1e-3 of the largest scale of the same quantity, or of the size that the corresponding angular
/// (or linear) quantity has by a lever of the model's length (its largest coordinate): torques that are 0 but
/// for rounding are compared with forces, velocities of a fixed point with the rotation about it; and at
/// least the size of rounding (1e-6 of the model's length over the time of the run for velocities, and
/// alike). `channels`: patterns as for select_channels(); none: all. Throws Failure: usage (patterns), input
/// and io (files).
Agreement agreement(const std::string& a, const std::string& b, const std::vector<std::string>& channels,
                    double tolerance);

/// Writes |a − b| of every channel, at the times of the file with fewer records, as a native file; of angles
/// the smaller way round.
void write_differences(const std::string& a, const std::string& b, const std::string& out);

}  // namespace trammel
