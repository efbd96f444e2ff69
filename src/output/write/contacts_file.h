// The file of overlaps in contact: native, with one overlap as a record (docs/file_formats.md). Its length
// follows what there is: a contact that is open takes no room.
#pragma once

#include "output/incident_tracks.h"
#include "output/write/native_file.h"

namespace trammel {

class ContactsFile {
 public:
  /// Entity of an overlap; a record of the run without any leaves one whose CONTACT is 0.
  static Channels channels(const UnitNames& units);

  void open(const std::string& path, const Channels& of_run, const RunInfo& info, NativeOptions options = {},
            const FilePosition* position = nullptr);
  void record(double time, StepKind kind, std::span<const ContactIncident> incidents);
  void flush() { file_.flush(); }
  FilePosition position() { return file_.position(); }
  void archive(Archive& a);
  void close() { file_.close(); }

 private:
  NativeWriter file_;
  IncidentTracks tracks_;
  int record_ = 0;  ///< of the run, from 1
};

/// Name of its entities.
inline constexpr const char* incident_type = "INCIDENT";
/// Its components that say which overlap a record tells of; the others say what there is to know of it.
enum class IncidentKey : int { record, contact, track, count };

}  // namespace trammel
