// The commands flex, with its subcommands, and stress.
#include <CLI/CLI.hpp>

#include "api/deck_options.h"
#include "cli/command_line.h"
#include "recovery/tensor_measures.h"

namespace trammel {

namespace {

constexpr const char* reduce_examples =
    "CalculiX writes the matrices of a model without supports where its last step is\n"
    "  *STEP\n  *FREQUENCY, SOLVER=MATRIXSTORAGE\n  1\n  *END STEP\n"
    "after 'ccx model': model.sti, model.mas and model.dof beside model.inp, whose *NODE and *NSET are read, "
    "too.\n"
    "The interface is where joints and forces will be: nodes that keep their unknowns, or points that stand "
    "for\n"
    "sets of nodes, to which they give rotations. A rigid set moves with its point as one body; of an "
    "averaged one\n"
    "the point has the mean motion of the nodes, of a surface that of the faces they cover; loads on it are "
    "shared.\nStatic shapes of the interface, modes of the held\n"
    "interface (Craig and Bampton) and shapes by inertia become orthogonal modes, without the rigid ones.\n"
    "A .fem has all nodes with lumped masses, from which its invariants follow; a .mtx those of the "
    "interface "
    "and\n"
    "--nodes, and the exact invariants.\n\n"
    "Examples:\n"
    "  trammel flex reduce boom.inp --rigid 1001=PIN1 --rigid 1002=PIN2 --modes 40 -o boom.mtx\n"
    "  trammel flex reduce frame.inp --averaged 901=BUSH1 --averaged 902=BUSH2 --to-frequency 200 -o "
    "frame.fem\n"
    "  trammel flex reduce rod.inp --interface 12 77 130 --nodes TOP --units TONNE,MILLIMETER,SECOND,NEWTON\n"
    "  trammel flex reduce blade.inp --rigid 1001=ROOT --load-case gust.txt --load-case ice.txt\n"
    "  trammel flex reduce block.inp --stiffness STIF1.mtx --mass MASS1.mtx --interface ENDS\n\n";

void add_reduce(CLI::App& flex, FlexReduceCommand& c) {
  auto* command = flex.add_subcommand("reduce", "modes of a finite-element model, after Craig and Bampton");
  command->footer(std::string(reduce_examples) + exit_codes);
  command->add_option("model", c.inp, "nodes and sets of the model (.inp)")->required();
  command->add_option("-o,--output", c.out, "modes, .mtx or .fem (default: the model's name with .mtx)")
      ->type_name("FILE");
  command->add_option("--interface", c.interface, "nodes that keep their unknowns: numbers and names of sets")
      ->type_name("NODE ...");
  one_each(command->add_option("--rigid", c.rigid, "a point that moves with nodes as one body; repeatable"))
      ->type_name("ID=NODE,...");
  one_each(command->add_option("--averaged", c.averaged, "a point with the mean motion of nodes; repeatable"))
      ->type_name("ID=NODE,...");
  one_each(command->add_option("--surface", c.surface,
                               "a point with the mean motion of the faces that nodes cover; repeatable"))
      ->type_name("ID=NODE,...");
  auto* modes = command->add_option("--modes", c.modes, "modes of the held interface")
                    ->capture_default_str()
                    ->type_name("N");
  modes->check(CLI::NonNegativeNumber);
  command
      ->add_option("--to-frequency", c.to_frequency, "all of them up to a frequency, instead [cycles/time]")
      ->type_name("F")
      ->check(CLI::PositiveNumber)
      ->excludes(modes);
  command
      ->add_option("--inertia", c.inertia,
                   "shapes by the inertia of the N slowest static shapes: free frequencies come out closer")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--attachment", c.attachment,
                   "nodes whose displacements by forces at them are shapes, too")
      ->type_name("NODE ...");
  one_each(command->add_option("--load-case", c.load_cases,
                               "file of a load for MFORCE, lines of node or set, direction 1 to 6, value, as "
                               "*CLOAD has them; repeatable, the cases in that order"))
      ->type_name("FILE");
  command->add_option("--nodes", c.nodes, "other nodes that a .mtx has")->type_name("NODE ...");
  command->add_flag("--all-nodes", c.all_nodes, "all nodes into a .mtx");
  command->add_flag("--fields", c.fields,
                    "also NAME.fields.nc: displacements and stresses of the modes at all nodes, for "
                    "'trammel stress'");
  command
      ->add_option("--units", c.units,
                   "of the model, consistent: mass, length, time, force (default: those of the deck)")
      ->type_name("M,L,T,F");
  command->add_option("--stiffness", c.stiffness, "matrix by nodes (*MATRIX GENERATE), not of CalculiX")
      ->type_name("FILE");
  command->add_option("--mass", c.mass, "the same of the mass")->type_name("FILE");
  command->add_option("-j,--threads", c.threads, "threads (default: all processors)")->type_name("N");
  command->add_flag("--quiet", c.quiet, "print nothing but errors");
}

constexpr const char* cut_examples =
    "A body that deforms by large rotations is cut in pieces whose frames follow. An element is in the piece "
    "that its "
    "middle\nis in. Writes PREFIX_1.inp, PREFIX_2.inp ... (nodes, elements, sets, materials, the step for "
    "CalculiX; "
    "the nodes at a\ncut are the set CUT_1_2 of both pieces), PREFIX.sh, which runs ccx and 'trammel flex "
    "reduce' for "
    "each, and PREFIX.adm, a\ndeck with the bodies and FIXED joints between them, to which motions and loads "
    "are "
    "added.\n\n"
    "Examples:\n"
    "  trammel flex cut blade.inp --parts 8 --surface 9001=ROOT --surface 9002=TIP -o pieces\n"
    "  sh pieces.sh && trammel check pieces.adm\n"
    "  trammel flex cut frame.inp --axis z --at 0.5 1.25 --averaged 9001=FEET --units "
    "TONNE,MILLIMETER,SECOND,NEWTON\n"
    "  trammel flex cut boom.inp --sets MAST JIB --faces rigid --modes 20\n\n";

void add_cut(CLI::App& flex, FlexCutCommand& c) {
  auto* command =
      flex.add_subcommand("cut", "a finite-element model in pieces, each a flexible body, joined in a deck");
  command->footer(std::string(cut_examples) + exit_codes);
  command->add_option("model", c.inp, "a mesh of solids (.inp)")->required();
  command->add_option("-o,--output", c.out, "prefix of the files (default: the model's name)")
      ->type_name("PREFIX");
  auto* parts = command->add_option("--parts", c.parts, "slabs of equal thickness")
                    ->type_name("N")
                    ->check(CLI::PositiveNumber);
  auto* at = command->add_option("--at", c.at, "slabs with cuts at these coordinates")
                 ->type_name("X ...")
                 ->excludes(parts);
  auto* sets = command->add_option("--sets", c.sets, "a piece per set of elements (*ELSET)")
                   ->type_name("ELSET ...")
                   ->excludes(parts)
                   ->excludes(at);
  command
      ->add_option("--axis", c.axis,
                   "across which slabs lie: x, y or z (default: along which the mesh is longest)")
      ->type_name("AXIS")
      ->check(CLI::IsMember({"x", "y", "z"}))
      ->excludes(sets);
  command->add_option("--faces", c.faces, "points at the cuts: surface, averaged or rigid")
      ->capture_default_str()
      ->type_name("KIND")
      ->check(CLI::IsMember({"surface", "averaged", "rigid"}));
  one_each(
      command->add_option("--rigid", c.rigid, "another point, that moves with nodes as one body; repeatable"))
      ->type_name("ID=NODE,...");
  one_each(command->add_option("--averaged", c.averaged,
                               "another point, with the mean motion of nodes; repeatable"))
      ->type_name("ID=NODE,...");
  one_each(
      command->add_option("--surface", c.surface, "another point, with the mean motion of faces; repeatable"))
      ->type_name("ID=NODE,...");
  command->add_option("--modes", c.modes, "modes of each piece beside its static shapes")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--units", c.units, "of the model, consistent: mass, length, time, force (default: SI)")
      ->type_name("M,L,T,F");
  command->add_flag("--quiet", c.quiet, "print nothing but errors");
}

}  // namespace

void add_flex(CLI::App& app, FlexCommand& c) {
  auto* flex = app.add_subcommand("flex", "flexible bodies: modes from finite elements, and their files");
  flex->require_subcommand(1);
  flex->footer("trammel flex COMMAND --help explains a command, with examples.");
  add_reduce(*flex, c.reduce);
  add_cut(*flex, c.cut);
  auto* info = flex->add_subcommand("info", "mass, nodes, invariants and frequencies in a file of modes");
  info->add_option("file", c.file, ".mtx or .fem")->required();
  info->footer("Example:\n  trammel flex info boom.mtx");
  auto* check = flex->add_subcommand("check", "whether the modes of a file can be those of a body");
  check->add_option("file", c.file, ".mtx or .fem")->required();
  check->footer(
      "Example:\n  trammel flex check boom.mtx\n\nExit codes: 0 they can, with warnings if any; 3 they "
      "cannot.");
  auto* convert = flex->add_subcommand("convert", "a file of modes in the other format");
  convert->add_option("in", c.in, ".mtx or .fem")->required();
  convert->add_option("out", c.out, ".mtx or .fem; a .fem needs the masses of nodes, which no .mtx has")
      ->required();
  auto* modes =
      convert->add_option("--modes", c.modes, "numbers of the modes that it has, 7 or 7-40 (default: all)")
          ->type_name("N ...");
  convert->add_option("--modes-off", c.modes_off, "numbers of modes that are left out")
      ->type_name("N ...")
      ->excludes(modes);
  convert->footer(
      "Examples:\n  trammel flex convert boom.fem boom.mtx\n  trammel flex convert boom.mtx short.mtx "
      "--modes "
      "1-20 25");
}

constexpr const char* stress_examples =
    "The modes' stresses are in NAME.fields.nc beside the file of modes: 'trammel flex reduce ... --fields' "
    "writes it.\n"
    "Prints where and when the body is stressed most; nodes within the radius of a worse one are counted "
    "with "
    "it.\n"
    "--series writes nodes over time as a result file, for plot, convert and fatigue; --vtu files for "
    "ParaView.\n\n"
    "Examples:\n"
    "  trammel stress crane.nc --top 10\n"
    "  trammel stress crane.nc --by principal --times 0.5:2 --radius 20 -o spots.csv\n"
    "  trammel stress crane.nc --series worst.nc; trammel plot worst.nc 'NODE/*.MISES'\n"
    "  trammel stress crane.nc --nodes 12 77 --series gauges.nc; trammel convert gauges.nc gauges.csv\n"
    "  trammel stress crane.nc --picture worst.png\n"
    "  trammel stress crane.nc --body 3 --vtu view/boom --every 5\n\n";

void add_stress(CLI::App& app, StressCommand& c) {
  auto* command =
      app.add_subcommand("stress", "stresses of a flexible body: hot spots, nodes over time, VTK");
  command->footer(std::string(stress_examples) + exit_codes);
  command->add_option("results", c.results, "result file with the modal coordinates (.nc, .res, .csv)")
      ->required();
  command->add_option("--body", c.body, "the flexible body, where there are several: its id or name");
  command->add_option("--fields", c.fields, "its fields (default: beside its file of modes)")
      ->type_name("FILE");
  command->add_option("--by", c.by, tensor_measure_names())->capture_default_str()->type_name("MEASURE");
  command->add_option("--top", c.top, "number of spots")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--radius", c.radius,
                   "of a spot, in lengths of the body (default: a fiftieth of its size)")
      ->type_name("R")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--times", c.times, "only these: FROM:TO, either may be left out")->type_name("A:B");
  command->add_option("--every", c.every, "every N-th record")->type_name("N")->check(CLI::PositiveNumber);
  command->add_option("-o,--output", c.spots, "the spots as a table (.csv)")->type_name("FILE");
  command->add_option("--series", c.series, "nodes over time: displacement, stress, strain (.nc)")
      ->type_name("FILE");
  command->add_option("--nodes", c.nodes, "of --series (default: the spots)")
      ->type_name("NODE ...")
      ->needs("--series");
  command->add_option("--vtu", c.vtu, "PREFIX.pvd and a .vtu per record, for ParaView")->type_name("PREFIX");
  command->add_option("--picture", c.picture, "the body at the time of the worst spot (.png, .svg)")
      ->type_name("FILE");
  command->add_option("--view", c.view, "of --picture: degrees of tilt and of turn (65,30)")
      ->type_name("TILT,TURN")
      ->needs("--picture");
  command->add_flag("--body-axes", c.body_axes, "the files of --vtu do not move with the body")
      ->needs("--vtu");
  command->add_flag("--strain", c.strain, "strains in the files of --vtu, too")->needs("--vtu");
  command->add_option("-j,--threads", c.threads, "threads (default: all processors)")->type_name("N");
  command->add_flag("--quiet", c.quiet, "print the spots and nothing else");
}

}  // namespace trammel
