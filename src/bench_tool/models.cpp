#include "bench_tool/models.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "bench_tool/chain.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace trammel {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr const char* along_y = "REULER = 0, -90D, 0";  // z of a marker along y of its part
constexpr const char* along_x = "REULER = 90D, 90D, 0";

/// A deck in the making. Part p has markers 100p (its centre), 100p + 1 ...; part 1 is ground, which has
/// markers from first_on_ground on.
class DeckText {
 public:
  explicit DeckText(const std::string& title) {
    text_ = title +
            "\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
            "MARKER/100, PART=1\n";
  }
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  /// A body with its axes along the global ones and three equal moments of inertia.
  int body(const Vec3d& at, double mass, double inertia) {
    const int p = ++parts_;
    markers_.push_back(0);
    add("PART/{0}, QG={1:.15g},{2:.15g},{3:.15g}, MASS={4}, CM={0}00, IP={5:.15g},{5:.15g},{5:.15g}", p, at.x,
        at.y, at.z, mass, inertia);
    add("MARKER/{0}00, PART={0}", p);
    return p;
  }
  /// A further marker of the part, at most 99 but on ground; its number.
  int marker(int part, const Vec3d& place, const char* axes = "REULER = 0, 0, 0") {
    const int m = (part == 1 ? first_on_ground : 100 * part) + ++markers_[part];
    add("MARKER/{}, PART={}, QP={:.15g},{:.15g},{:.15g}, {}", m, part, place.x, place.y, place.z, axes);
    return m;
  }
  void joint(const char* kind, int I, int J) { add("JOINT/{}, {}, I={}, J={}", ++joints_, kind, I, J); }
  void bushing(int I, int J, double k, double kt) {
    add("BUSHING/{0}, I={1}, J={2}, K={3},{3},{3}, C={4},{4},{4}, KT={5},{5},{5}, CT={6},{6},{6}",
        ++bushings_, I, J, k, 0.01 * k, kt, 0.01 * kt);
  }
  void spring(int I, int J, double k, double length) {
    add("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K={}, C={}, LENGTH={:.15g}", ++springs_, I, J, k, 0.01 * k,
        length);
  }
  std::string finish() { return text_ + "ACCGRAV/, KGRAV=-9.80665\nEND\n"; }

 private:
  static constexpr int first_on_ground = 1'000'000'000;
  std::string text_;
  int parts_ = 1, joints_ = 0, bushings_ = 0, springs_ = 0;
  std::vector<int> markers_{0, 0};  ///< per part
};

std::string chain(int unknowns) {
  return bench::chain_deck(std::max(1, unknowns / 9));
}

/// A ring of links on ball joints, level, held at one of its corners.
std::string loop(int unknowns) {
  const int links = std::max(3, unknowns / 9);
  DeckText d(fmt::format("Ring of {} links on ball joints", links));
  const double length = 0.1, radius = length / (2 * std::sin(pi / links));
  const auto corner = [&](int k) {
    const double a = 2 * pi * k / links;
    return Vec3d{radius * std::cos(a), radius * std::sin(a), 0};
  };
  std::vector<int> begin, end;
  for (int k = 0; k < links; ++k) {
    const Vec3d a = corner(k), b = corner(k + 1), half = 0.5 * (b - a);
    const int p = d.body(0.5 * (a + b), 0.1, 8.5e-5);
    begin.push_back(d.marker(p, -half));
    end.push_back(d.marker(p, half));
  }
  for (int k = 0; k < links; ++k) d.joint("SPHERICAL", begin[k], end[(k + links - 1) % links]);
  d.joint("SPHERICAL", begin[0], d.marker(1, corner(0)));
  return d.finish();
}

/// Rows of crosses joined by ball joints at their arms' ends, which rise and fall alternately (pleats: a flat
/// net has redundant equations), held at one edge: that of models/net.
std::string net(int unknowns) {
  const int side = std::max(1, static_cast<int>(std::lround(std::sqrt(unknowns / 12.0))));
  DeckText d(fmt::format("Net of {0} x {0} crosses on ball joints", side));
  const double pitch = 0.1, slope = 0.4;
  struct Arms {
    int right, left, back, front;
  };
  std::vector<Arms> cross;
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) {
      const int p = d.body({c * pitch, -r * pitch, 0}, 0.02, 2e-5);
      const double rise = (r + c) % 2 == 0 ? slope : -slope, half = pitch / 2;
      const Vec3d u{half, 0, half * rise}, v{0, half, half * rise};
      cross.push_back({d.marker(p, u), d.marker(p, -u), d.marker(p, v), d.marker(p, -v)});
      if (r == 0) d.joint("SPHERICAL", cross.back().back, d.marker(1, Vec3d{c * pitch, 0, 0} + v));
    }
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) {
      const Arms& here = cross[r * side + c];
      if (c + 1 < side) d.joint("SPHERICAL", cross[r * side + c + 1].left, here.right);
      if (r + 1 < side) d.joint("SPHERICAL", cross[(r + 1) * side + c].back, here.front);
    }
  return d.finish();
}

/// Rods on revolute joints, three on the end of each.
std::string tree(int unknowns) {
  const int rods = std::max(1, unknowns / 11);
  DeckText d(fmt::format("Tree of {} rods on revolute joints", rods));
  struct Rod {
    int part;
    Vec3d end, half;
  };
  std::vector<Rod> rod;
  for (int k = 0; k < rods; ++k) {
    const int parent = k > 0 ? (k - 1) / 3 : -1;
    const double turn = 2.4 * k;  // no two siblings in one direction
    const Vec3d half{0.15 * std::cos(turn), 0.15 * std::sin(turn), -0.05};
    const Vec3d start = parent >= 0 ? rod[parent].end : Vec3d{};
    const int p = d.body(start + half, 0.5, 4e-3);
    const char* axis = k % 2 == 0 ? along_y : along_x;
    const int hinge = d.marker(p, -half, axis);
    d.joint("REVOLUTE", hinge,
            parent >= 0 ? d.marker(rod[parent].part, rod[parent].half, axis) : d.marker(1, {}, axis));
    rod.push_back({p, start + 2.0 * half, half});
  }
  return d.finish();
}

/// One side of a vehicle at y: a ring of shoes on ball joints around wheels on arms; each wheel rests on four
/// shoes by springs.
void add_track(DeckText& d, int hull, const Vec3d& centre, double y, int shoes) {
  const double pitch = 0.15, radius = pitch / (2 * std::sin(pi / shoes));
  const auto around = [&](double at, double r) {
    const double a = 2 * pi * at / shoes;
    return Vec3d{r * std::sin(a), y, -r * std::cos(a)};
  };
  std::vector<int> shoe, begin, end;
  for (int k = 0; k < shoes; ++k) {
    const Vec3d a = around(k, radius), b = around(k + 1, radius), half = 0.5 * (b - a);
    shoe.push_back(d.body(centre + 0.5 * (a + b), 6, 0.05));
    begin.push_back(d.marker(shoe.back(), -half));
    end.push_back(d.marker(shoe.back(), half));
  }
  for (int k = 0; k < shoes; ++k) d.joint("SPHERICAL", begin[k], end[(k + shoes - 1) % shoes]);
  constexpr int wheels = 9;
  for (int w = 0; w < wheels; ++w) {
    const int under = w * shoes / wheels;  // of its four shoes the second
    const Vec3d at = around(under + 1, radius - 0.2), pivot = around(under + 1, radius - 0.5);
    const Vec3d half = 0.5 * (at - pivot);
    const int arm = d.body(centre + pivot + half, 8, 0.1), wheel = d.body(centre + at, 20, 0.3);
    const int on_arm = d.marker(arm, -half, along_y), on_hull = d.marker(hull, pivot, along_y);
    d.joint("REVOLUTE", on_arm, on_hull);
    d.bushing(on_arm, on_hull, 0, 4000);
    d.joint("REVOLUTE", d.marker(wheel, {}, along_y), d.marker(arm, half, along_y));
    for (int k = under - 1; k < under + 3; ++k) {
      const Vec3d middle = 0.5 * (around(k, radius) + around(k + 1, radius));
      d.spring(100 * wheel, 100 * shoe[(k + shoes) % shoes], 1e6, norm(middle - at));
    }
  }
}

/// Vehicles, each a hull on a soft bushing with a track on either side.
std::string track(int unknowns) {
  const int per_side = unknowns < 1500 ? 20 : 80;  // shoes
  const int vehicles =
      std::max(1, static_cast<int>(std::lround(unknowns / (6 + 2.0 * (9 * per_side + 198)))));
  DeckText d(fmt::format("{} tracked vehicles, two loops of {} shoes each", vehicles, per_side));
  for (int v = 0; v < vehicles; ++v) {
    const Vec3d centre{0, 4.0 * v, 0};
    const int hull = d.body(centre, 2400, 1000);
    d.bushing(100 * hull, d.marker(1, centre), 1e6, 1e5);
    add_track(d, hull, centre, 1.1, per_side);
    add_track(d, hull, centre, -1.1, per_side);
  }
  return d.finish();
}

/// Entries of a matrix, ten a line.
std::string matrix(int id, int rows, int columns, const std::vector<double>& values) {
  std::string text = fmt::format("MATRIX/{}, FULL=RORDER, ROWS={}, COLUMNS={}, VALUES=", id, rows, columns);
  for (std::size_t k = 0; k < values.size(); ++k)
    text += fmt::format("{}{:.15g}", k == 0 ? "" : k % 10 == 0 ? "\n, " : ",", values[k]);
  return text;
}

/// Links on revolute joints, each with a linear system of 50 states in its joint, as full as the modal
/// coordinates of a flexible body: that of models/flexible_chain.
std::string flexible(int unknowns) {
  constexpr int states = 50;
  const int links = std::max(1, unknowns / (11 + states + 2));
  DeckText d(fmt::format("Chain of {} links with {} states in each joint", links, states));
  std::vector<double> a(states * states), b(states), c(states);  // A = −20 + skew: decays without input
  for (int i = 0; i < states; ++i) {
    a[i * states + i] = -20;
    b[i] = std::cos(i);
    c[i] = 1e-3 * std::sin(1.0 + i);
    for (int j = 0; j < i; ++j)
      a[j * states + i] = -(a[i * states + j] = 30 * std::sin(1.0 + i * states + j));
  }
  d.add("{}", matrix(1, states, states, a));
  d.add("{}", matrix(2, states, 1, b));
  d.add("{}", matrix(3, 1, states, c));
  d.add("{}", matrix(4, 1, 1, {-0.6}));
  int far = d.marker(1, {}, along_y);
  for (int k = 1; k <= links; ++k) {
    const int p = d.body({0.1 * k - 0.05, 0, 0}, 0.1, 8.5e-5), near = d.marker(p, {-0.05, 0, 0}, along_y);
    const int x = 3 * k, u = x + 1, y = x + 2;
    d.joint("REVOLUTE", near, far);
    d.add("VARIABLE/{}, FUNCTION=AZ({},{})", k, near, far);
    d.add("ARRAY/{}, X, SIZE={}\nARRAY/{}, U, SIZE=1, VARIABLES={}\nARRAY/{}, Y, SIZE=1", x, states, u, k, y);
    d.add("LSE/{}, X={}, A=1, B=2, U={}, C=3, Y={}, D=4", k, x, u, y);
    d.add("SFORCE/{}, ROTATION, I={}, J={}, FUNCTION=ARYVAL({},1)", k, near, far, y);
    far = d.marker(p, {0.05, 0, 0}, along_y);
  }
  return d.finish();
}

constexpr BenchTopology topologies[] = {
    {"chain", "links on ball joints, one behind the other", chain},
    {"loop", "a ring of links on ball joints", loop},
    {"net", "a square net of crosses on ball joints", net},
    {"tree", "rods on revolute joints, three on the end of each", tree},
    {"track", "tracked vehicles: rings of shoes around wheels on springs", track},
    {"flexible", "a chain with a full linear system in each joint", flexible},
};

}  // namespace

std::span<const BenchTopology> bench_topologies() {
  return topologies;
}

const BenchTopology& bench_topology(const std::string& name) {
  std::string known;
  for (const BenchTopology& t : topologies) {
    if (t.name == name) return t;
    known += (known.empty() ? "" : ", ") + std::string(t.name);
  }
  fail(ExitCode::usage, "there is no topology \"{}\"; there are {}", name, known);
}

Model bench_model(const BenchTopology& topology, int unknowns) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(topology.deck(unknowns), topology.name, diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

DynamicsSettings bench_settings() {
  DynamicsSettings s;
  s.integrator.error = 1e-5;
  s.integrator.alpha = -0.15;
  s.integrator.hinit = s.integrator.hmin = s.integrator.hmax = bench_step;
  s.hmax_given = s.hinit_given = true;
  return s;
}

/// docs/theory.md: a = 1/(1+α), b = γh, c = βh², γ = ½ − α, β = (1−α)²/4.
Coefficients bench_coefficients() {
  const double alpha = bench_settings().integrator.alpha, h = bench_step;
  const double gamma = 0.5 - alpha, beta = (1 - alpha) * (1 - alpha) / 4;
  return {1 / (1 + alpha), gamma * h, beta * h * h, gamma * h, 1 / (1 + alpha)};
}

}  // namespace trammel
