// How far the results of two runs of one model are apart, by kinds of channels.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace trammel {

inline constexpr double no_time = std::numeric_limits<double>::infinity();

/// Kinds of channels, in the order in which they follow from each other.
inline constexpr int channel_kinds = 5;
inline constexpr const char* channel_kind_names[channel_kinds] = {"positions", "velocities", "accelerations",
                                                                  "forces", "others"};

/// The channel of a kind that is furthest apart, measured by its scale, at its worst time.
struct KindAgreement {
  std::string channel;  ///< "": the model has no channel of the kind
  double worst = 0;     ///< difference over scale; infinity where a value is no number
  double difference = 0, time = 0;
};

struct Agreement {
  std::array<KindAgreement, channel_kinds> of;
  double onset = no_time;  ///< the first time at which a channel is more than `tolerance` of its scale apart
  double share_after = 0;  ///< of the records from there on: those in which one is
  double worst() const;
  /// The kind with the largest difference.
  const KindAgreement& furthest() const;
  bool within(double tolerance) const { return worst() <= tolerance; }
};

/// Compares two native files of one model, at the times of the one with fewer records. The scale of a channel
/// is, over the time of the run, for
///   positions and single angles   the largest way from the first record, of the entity's vector;
///   orientations PSI, THETA, PHI  the same as an angle of rotation, and so is the difference, which small
///   sines
///                                 of THETA do not amplify;
///   all others                    the largest magnitude of the entity's vector,
/// and at least 1e-3 of the largest scale of the same quantity, or of what a lever of the model's length (its
/// largest coordinate) makes of the largest angular one, and the other way round: torques that are 0 but for
/// rounding are held against forces, velocities of a fixed point against the rotation about it. What stays
/// below rounding (1e-6 of the model's length over the time of the run for velocities, and alike) is no
/// difference. `channels`: patterns as for select_channels(); none: all. Failures: usage (patterns), input
/// and io (files).
Agreement agreement(const std::string& a, const std::string& b, const std::vector<std::string>& channels,
                    double tolerance);

/// Writes |a − b| of every channel at every time of b as a native file; of angles the smaller way round.
void write_differences(const std::string& a, const std::string& b, const std::string& out);

}  // namespace trammel
