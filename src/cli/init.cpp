#include "cli/init.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/stream_file.h"
#include "terminal/print.h"

namespace trammel {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view deck = R"(Four-bar linkage: a motor turns the crank, the rocker swings
!
!                            C
!        coupler 0.35 m  .-'  \
!                     .-'      \  rocker 0.25 m
!                B .-'          \
!   crank 0.1 m   /              \
!                A                D
!              (0,0)           (0.4,0)
!
! The first line is the title. A line that begins with "!" is a comment, one
! that begins with a comma goes on with the statement above it. Every element
! has a number of your choice. trammel reference PART explains a statement.
!
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
ACCGRAV/JGRAV=-9.81
!
! The ground, and two markers (points with axes) on it: the bearings A and D.
!
PART/1, GROUND
MARKER/11, PART=1
MARKER/14, PART=1, QP=0.4,0,0
!
! Each bar has its frame at one end and its x axis along the bar. QG is where
! the frame stands at the start, REULER how it is turned: the first angle turns
! about z, D means degrees. Positions need not be exact: the joints close first.
! IP: moments of inertia about the centre of mass, which is the marker CM.
!
! Crank, from A to B, at 60 degrees
PART/2, QG=0,0,0, REULER=60D,0,0, MASS=0.2, CM=20, IP=1E-5,1.7E-4,1.7E-4
MARKER/20, PART=2, QP=0.05,0,0
MARKER/21, PART=2
MARKER/22, PART=2, QP=0.1,0,0
!
! Coupler, from B to C
PART/3, QG=0.05,0.0866,0, REULER=27.27D,0,0, MASS=0.7, CM=30, IP=4E-5,7.1E-3,7.1E-3
MARKER/30, PART=3, QP=0.175,0,0
MARKER/32, PART=3
MARKER/33, PART=3, QP=0.35,0,0
!
! Rocker, from D to C
PART/4, QG=0.4,0,0, REULER=98.95D,0,0, MASS=0.5, CM=40, IP=3E-5,2.6E-3,2.6E-3
MARKER/40, PART=4, QP=0.125,0,0
MARKER/44, PART=4
MARKER/43, PART=4, QP=0.25,0,0
!
! Joints. Four hinges would hold a planar linkage three times too often; a ball
! at B and a sleeve at C leave just what is needed (trammel check counts).
!
JOINT/1, REVOLUTE, I=21, J=11
JOINT/2, SPHERICAL, I=32, J=22
JOINT/3, CYLINDRICAL, I=33, J=43
JOINT/4, REVOLUTE, I=44, J=14
!
! The motor: one turn per second, from 60 degrees.
!
MOTION/1, JOINT=1, ROTATION, FUNCTION=PI/3+2*PI*TIME
!
! Requests are what you want to know; every part and joint has channels as well.
! AZ counts the angle of a marker about z, MOTION(1,0,8,11) is the torque about z
! of that marker which the motion needs.
!
REQUEST/1, F2=AZ(44,14)*RTOD\, F3=WZ(44,14)\, COMMENT=rocker: angle and speed
REQUEST/2, F2=MOTION(1,0,8,11)\, COMMENT=motor: torque
END
)";

constexpr std::string_view command_template = R"(@
@
! Line 1 names the model, line 2 the results. The rest are commands:
! two turns of the crank, a record every 5 ms.
INTEGRATOR/GSTIFF, SI2, ERROR=1E-8
SIMULATE/DYNAMIC, END=2, STEPS=400
STOP
)";

void check_name(const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  bool possible = !last.empty() && last != "." && last != ".." && last.front() != '-';
  for (const char c : last)
    possible = possible && (std::isalnum(static_cast<unsigned char>(c)) ||
                            std::string_view("._+-").find(c) != std::string_view::npos);
  if (!possible)
    fail(ExitCode::usage, "init {}: a name has letters, digits and . _ + - and does not begin with -", name);
}

void write_new(const std::string& path, std::string_view text) {
  std::FILE* file = std::fopen(path.c_str(), "wx");
  if (!file && errno == EEXIST)
    fail(ExitCode::io, "{} exists already, and is left as it is; choose another name: trammel init NAME",
         path);
  if (!file) throw Failure(ExitCode::io, io_error_text("create", path, errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) throw Failure(ExitCode::io, io_error_text("write", path, errno));
}

}  // namespace

int init_command(const std::string& given) {
  return guarded_command([&] {
    const std::string extension = lower(fs::path(given).extension().string());
    const bool extended = extension == ".adm" || extension == ".acf";
    const std::string name = extended ? given.substr(0, given.size() - 4) : given;
    check_name(name);
    const std::string model = name + ".adm", control = name + ".acf";
    if (fs::exists(control))
      fail(ExitCode::io, "{} exists already, and is left as it is; choose another name: trammel init NAME",
           control);
    const std::string last = fs::path(name).filename().string();
    write_new(model, deck);
    std::string text;
    for (const char c : command_template) text += c == '@' ? last : std::string(1, c);
    write_new(control, text);
    print_line(stdout, fmt::format("{} (the model) and {} (what to do with it) are written. Go on with\n"
                                   "  trammel run {}\n"
                                   "  trammel plot {}.nc --panel REQUEST/1.F2 --panel REQUEST/2.F2 -o {}.png",
                                   model, control, control, last, last));
    return 0;
  });
}

}  // namespace trammel
