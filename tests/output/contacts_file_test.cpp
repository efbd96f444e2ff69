// Overlaps in contact: followed from record to record, written, and read back as tracks.
#include <gtest/gtest.h>

#include <cmath>

#include "output/read/result_reader.h"
#include "output/write/contacts_file.h"
#include "support.h"

namespace trammel::test::contacts_file_test {
namespace {

ContactIncident overlap(int contact, int I, int J, double x) {
  ContactIncident out;
  out.contact = contact;
  out.shape_I = I;
  out.shape_J = J;
  out.point = {x, 2 * x, 3 * x};
  out.normal_force = {10 * x, 0, 1};
  out.friction = {0, x, 0};
  out.slip = {0, -x, 0};
  out.depth = 0.01 * x;
  return out;
}

std::vector<int> numbers(std::span<const int> tracks) {
  return {tracks.begin(), tracks.end()};
}

/// Two overlaps of shapes 2 and 1 pass each other's places; one ends; another pair begins; one comes back.
const std::vector<std::vector<ContactIncident>> story = {
    {overlap(7, 2, 1, 0), overlap(7, 2, 1, 10)},
    {overlap(7, 2, 1, 8), overlap(7, 2, 1, 1)},  // in the other order
    {overlap(7, 2, 1, 7), overlap(7, 3, 1, 1), overlap(9, 2, 1, 1)},
    {},
    {overlap(7, 3, 1, 1), overlap(7, 2, 1, 7)},
};
const std::vector<std::vector<int>> of_story = {{1, 2}, {2, 1}, {2, 1, 1}, {}, {1, 2}};

TEST(IncidentTracks, follow_the_nearest_point_of_the_same_pair) {
  IncidentTracks tracks;
  for (std::size_t k = 0; k < story.size(); ++k)
    EXPECT_EQ(numbers(tracks.follow(story[k])), of_story[k]) << "record " << k;
}

TEST(IncidentTracks, go_on_from_where_they_were_saved) {
  for (std::size_t cut = 0; cut < story.size(); ++cut) {
    IncidentTracks before, after;
    for (std::size_t k = 0; k < cut; ++k) before.follow(story[k]);
    Archive saved;
    before.archive(saved);
    Archive restored(saved.bytes());
    after.archive(restored);
    EXPECT_TRUE(restored.at_end());
    for (std::size_t k = cut; k < story.size(); ++k)
      EXPECT_EQ(numbers(after.follow(story[k])), of_story[k]) << "cut " << cut << ", record " << k;
  }
}

class ContactsFileTest : public OutputTest {};

TEST_F(ContactsFileTest, is_read_back_as_tracks_with_gaps) {
  const std::string path = file("a.contacts.nc");
  ContactsFile out;
  out.open(path, sample_channels(), sample_info());
  for (std::size_t k = 0; k < story.size(); ++k)
    out.record(0.5 * static_cast<double>(k), StepKind::dynamics, story[k]);
  out.close();
  const ResultReader in(path);
  EXPECT_EQ(in.records(), story.size());
  EXPECT_EQ(in.times(), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  EXPECT_TRUE(in.has_gaps());
  const auto column = [&](const char* name) { return in.column(in.find(name)); };
  const std::vector<double> x = column("CONTACT/7/2.X"), depth = column("CONTACT/7/1.DEPTH"),
                            other = column("CONTACT/9/1.FNX"), shape = column("CONTACT/7/1.SHAPE_I");
  EXPECT_EQ(x[0], 10);
  EXPECT_EQ(x[1], 8);
  EXPECT_EQ(x[2], 7);
  EXPECT_TRUE(std::isnan(x[3]));
  EXPECT_EQ(x[4], 7);
  EXPECT_EQ(depth[1], 0.01);
  EXPECT_EQ(other[2], 10);
  EXPECT_TRUE(std::isnan(other[0]));
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[2], 3);
  EXPECT_EQ(in.list().size(), 3 * 15u);
}

TEST_F(ContactsFileTest, without_any_overlap_has_its_times) {
  const std::string path = file("none.contacts.nc");
  ContactsFile out;
  out.open(path, sample_channels(), sample_info());
  for (int k = 0; k < 3; ++k) out.record(k, StepKind::dynamics, {});
  out.close();
  const ResultReader in(path);
  EXPECT_EQ(in.records(), 3u);
  EXPECT_TRUE(in.list().empty());
}

}  // namespace
}  // namespace trammel::test::contacts_file_test
