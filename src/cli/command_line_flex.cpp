// Command flex and the commands below it.
#include <CLI/CLI.hpp>

#include "api/deck_options.h"
#include "cli/command_line.h"

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
    "the point has the mean motion, and loads on it are shared. Static shapes of the interface, modes of the "
    "held\n"
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

}  // namespace

void add_flex(CLI::App& app, FlexCommand& c) {
  auto* flex = app.add_subcommand("flex", "flexible bodies: modes from finite elements, and their files");
  flex->require_subcommand(1);
  flex->footer("trammel flex COMMAND --help explains a command, with examples.");
  add_reduce(*flex, c.reduce);
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

}  // namespace trammel
