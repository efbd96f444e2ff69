// Contacts on a device: where shapes of groups are, the wrenches of their pairs, whether searches for
// overlaps had room, and how near all are to touch or to pass each other.
#pragma once

#include "assemble/device_kernels.h"

namespace trammel {

/// Where shapes were when the list of those near was found, how far each may be from there, and what is told
/// of each.
struct ShapeMargins {
  const Vec3d* place;
  const double* margin;
  double* note;
  int count;
};

/// note[k]: shape_left where the list may lack a neighbour of shape k.
struct PlaceShapes {
  static constexpr const char* name = "place_shapes";
  AssemblyView w;
  ContactGroups::Table table;
  ShapeMargins shapes;
  TRAMMEL_HD void operator()(int k) const {
    ContactGroups::place_shape(w, table, k);
    const bool stays = norm(table.frame[k].r - shapes.place[k]) <= shapes.margin[k];
    shapes.note[k] = stays ? tape_fine : shape_left;
  }
};

struct ShapeWrenches {
  static constexpr const char* name = "shape_wrenches";
  static constexpr bool is_large = true;
  AssemblyView w;
  ContactGroups::Table table;
  TRAMMEL_HD void operator()(int k) const { ContactGroups::wrenches_of_shape(w, table, k); }
};

/// found[n]: what overlaps in CONTACT n, with passages within a time.
struct FindOverlaps {
  static constexpr const char* name = "find_overlaps";
  static constexpr bool is_large = true;
  AssemblyView w;
  Contacts::Table table;
  double time;
  ContactOverlaps* found;
  TRAMMEL_HD void operator()(int n) const {
    found[n] = table.in_force(n) ? Contacts::overlaps(w, table, n, time) : ContactOverlaps{};
  }
};

/// way[k]: how far shape k may go in a time; note[k]: shape_left where the list may lack a neighbour on it.
struct WaysOfShapes {
  static constexpr const char* name = "ways_of_shapes";
  AssemblyView w;
  ContactGroups::Table table;
  ShapeMargins shapes;
  double time;
  double* way;
  TRAMMEL_HD void operator()(int k) const {
    way[k] = ContactGroups::way_in(w, table, k, time);
    const bool stays = norm(table.frame[k].r - shapes.place[k]) + way[k] <= shapes.margin[k];
    shapes.note[k] = stays ? tape_fine : shape_left;
  }
};

/// rate[k]: how soon shape k would pass one of those before it in the table, ContactGroups::passage_rate().
struct PassagesOfShapes {
  static constexpr const char* name = "passages_of_shapes";
  static constexpr bool is_large = true;
  AssemblyView w;
  ContactGroups::Table table;
  double time;
  double* rate;
  TRAMMEL_HD void operator()(int k) const { rate[k] = ContactGroups::passage_rate(w, table, k, time); }
};

/// Work spaces of elements, and what is told of each.
struct OverlapRooms {
  OverlapWork* work;
  double* note;
  int count;
};

/// note[k]: room_lacks where a search in work space k could not find all.
struct NoteRooms {
  static constexpr const char* name = "note_rooms";
  OverlapRooms rooms;
  TRAMMEL_HD void operator()(int k) const { rooms.note[k] = rooms.work[k].lacks ? room_lacks : tape_fine; }
};

}  // namespace trammel
