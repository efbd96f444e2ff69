#include "output/write/contacts_file.h"

#include <array>

namespace trammel {

Channels ContactsFile::channels(const UnitNames& units) {
  using Q = Quantity;
  Channels out;
  out.units = units;
  Entity& overlap = out.entities.emplace_back();
  overlap.type = incident_type;
  overlap.id = 1;
  const auto add = [&](Q quantity, std::initializer_list<const char*> names) {
    for (const char* name : names) overlap.components.push_back({name, quantity, 0});
  };
  add(Q::none, {"RECORD", "CONTACT", "TRACK", "SHAPE_I", "SHAPE_J"});
  add(Q::length, {"X", "Y", "Z"});
  add(Q::force, {"FNX", "FNY", "FNZ", "FTX", "FTY", "FTZ"});
  add(Q::velocity, {"VX", "VY", "VZ"});
  add(Q::length, {"DEPTH"});
  return out;
}

void ContactsFile::open(const std::string& path, const Channels& of_run, const RunInfo& info,
                        NativeOptions options, const FilePosition* position) {
  options.every = 1;
  options.single_precision = false;  // ids are numbers of up to nine digits
  record_ = 0;
  tracks_ = {};
  file_.open(path, channels(of_run.units), info, options, position);
}

void ContactsFile::record(double time, StepKind kind, std::span<const ContactIncident> incidents) {
  if (kind == StepKind::model_input) return;
  ++record_;
  std::array<double, 18> row{};
  row[0] = record_;
  const std::span<const int> tracks = tracks_.follow(incidents);
  for (std::size_t k = 0; k < incidents.size(); ++k) {
    const ContactIncident& i = incidents[k];
    double* out = row.data() + 1;
    for (const int number : {i.contact, tracks[k], i.shape_I, i.shape_J}) *out++ = number;
    for (const Vec3d* v : {&i.point, &i.normal_force, &i.friction, &i.slip})
      for (int d = 0; d < 3; ++d) *out++ = (*v)[d];
    *out = i.depth;
    file_.record(time, kind, row);
  }
  if (incidents.empty()) file_.record(time, kind, row);
}

void ContactsFile::archive(Archive& a) {
  file_.archive(a);
  tracks_.archive(a);
  a(record_);
}

}  // namespace trammel
