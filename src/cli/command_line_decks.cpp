// Commands on decks: run, converge, linear, batch, check, info, doctor.
#include "advice/rules.h"
#include "api/deck_options.h"
#include "cli/command_line.h"

namespace trammel {

constexpr const char* run_examples =
    "Writes <prefix>.msg (account of the run), .nc (all channels; draw them with trammel plot), "
    ".status.json,\n"
    "and what the deck asks for: .req with OUTPUT/REQSAVE, .gra with GRSAVE, .out with PRINT, .res with "
    "RESULTS/XRF.\n"
    "They go to the present folder, or where -o and -C say.\n\n"
    "Examples:\n"
    "  trammel run model.acf\n"
    "  trammel run model.adm --end 2 --dtout 0.01 -C results\n"
    "  trammel run model.acf --set PART/2.MASS=3.5 --set ACCGRAV.JGRAV=-1.62 -o moon\n"
    "  trammel run model.acf --accuracy 1e-4      right to 1e-4 of each channel's scale, with error bars\n"
    "  trammel run model.acf --formats nc,csv --every 10 --single    small .nc, all steps in .csv\n"
    "  trammel run model.acf --log-json run.jsonl                    events for a monitor\n"
    "  trammel run model.acf --checkpoint 600 --resume               the same line again after a kill\n"
    "  trammel run model.acf --dry-run            read, assemble, write nothing\n"
    "  trammel run old_deck.acf --permissive      leave out what is not supported yet, and list it\n\n";

constexpr const char* converge_examples =
    "Runs the deck again and again: with ERROR a tenth each time (or half the step, where steps are fixed),\n"
    "until the channels stop changing; where outputs or HMAX limit the steps, without them; with smaller "
    "HMAX\n"
    "for accelerations that will not settle; and at the end with another integrator. Prints how much "
    "results\n"
    "change from run to run, says which settings are enough, and whether the motion is chaotic.\n"
    "The scale of a channel is the largest magnitude of its vector (of positions: the way from the first\n"
    "record), at least 1e-3 of the largest in the model; orientations count by their angle of rotation.\n"
    "Results of these runs are not kept; the figure is PREFIX.converge.svg.\n\n"
    "Examples:\n"
    "  trammel converge model.acf\n"
    "  trammel converge model.acf --tolerance 1e-5 --channels 'PART/*.X' JOINT/3\n"
    "  trammel converge model.adm --end 2 --steps 200 --figure study.png\n"
    "  trammel converge model.acf --json | python3 -m json.tool\n\n";

constexpr const char* batch_examples =
    "The table is a CSV file. Its first line names what varies, each an argument of a statement; a line per\n"
    "variant follows. A column \"name\" names the variants, else they are 1, 2, 3 ... An empty cell leaves\n"
    "what the deck says; a cell with commas stands in quotation marks:\n"
    "  name,PART/2.MASS,PART/2.VX,SFORCE/1.FUNCTION\n"
    "  light,0.5,,20*SIN(5*TIME)\n"
    "  heavy,2.5,0.1,\"STEP(TIME,0,0,1,20)\"\n"
    "Every variant runs as `trammel run` would with these --set options. Writes <prefix>.csv: a line per\n"
    "variant with its status, counts and the chosen channels, in the deck's units. Without -o the prefix\n"
    "is the deck's and the table's name, model_table.\n\n"
    "Examples:\n"
    "  trammel batch model.acf --variants table.csv --channels PART/2.X max:PART/2.VX min:JOINT/1.FZ\n"
    "  trammel batch model.acf --variants table.csv -j 4 -C results --full     .nc and .msg of each variant\n"
    "  trammel batch model.adm --variants table.csv --end 2 --set ACCGRAV.KGRAV=-1.62 -o moon\n"
    "  trammel batch model.acf --variants table.csv --resume                   after a kill or SIGTERM\n"
    "  trammel batch model.acf --generate lhs:100 --vary PART/2.MASS=1:5 --vary K=10:50 \\\n"
    "      --drive 'SPRINGDAMPER/1.K={K}' --drive 'SPRINGDAMPER/2.K={2*K}' --variants lhs.csv\n\n"
    "Exit codes: 0 all done; 5 some variants failed (the table says which and why); 2 wrong command line;\n"
    "3 mistake in the deck or table; 4 something not supported yet; 7 file or disk; 128+n stopped by\n"
    "signal n, as run (the table is complete: what was done, and what was interrupted).";

constexpr const char* check_examples =
    "Reads everything, resolves every reference, plans every command and assembles the mechanism; writes no\n"
    "files. The exit code is that with which `trammel run` would end before its first step. A sound deck is\n"
    "held against rules of thumb for models that run fast and safely; what they find is advice.\n\n"
    "Examples:\n"
    "  trammel check model.acf\n"
    "  trammel check model.adm --json | python3 -m json.tool\n"
    "  trammel check model.acf --formats nc,res --every 10    how large the files would be\n"
    "  trammel check old_deck.acf --permissive    a list of all that would be left out\n"
    "  trammel check --rules                      the rules of thumb\n\n";

constexpr const char* info_examples =
    "Reads leniently: what is not supported is counted and marked.\n\n"
    "Examples:\n"
    "  trammel info model.adm\n"
    "  trammel info model.adm --mass --density 7800\n"
    "  trammel info model.nc      records and channels of a result file (.nc, .res, .req, .csv)\n\n";

void add_converge(CLI::App& app, CommandLine& line) {
  ConvergeCommand& converge = line.converge;
  ConvergeOptions& options = converge.options;
  auto* command = app.add_subcommand(
      "converge", "tighten the integrator until results stop changing; recommended settings");
  command->footer(std::string(converge_examples) + exit_codes);
  add_job_options(command, options.run.job);
  add_time_options(command, options.run.times, options.run.prefix, options.run.directory);
  command->add_option("--tolerance", options.tolerance, "change that is small enough, a part of scale")
      ->capture_default_str()
      ->type_name("PART");
  command
      ->add_option("--channels", options.channels, "only these: PART/2 'PART/*.X' boom.VX ... (default: all)")
      ->type_name("CHANNEL ...");
  command->add_option("--runs", options.most_runs, "at most so many runs")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--seconds", options.seconds, "no run begins after so much time")
      ->capture_default_str()
      ->type_name("S");
  command->add_option("--figure", converge.figure, "picture, .svg or .png")->type_name("FILE");
  command->add_flag("--json", converge.json, "as JSON on standard output");
  command->add_option("-j,--threads", options.run.compute.threads, "threads of each run")->type_name("N");
  add_linear_solver(command, options.run.compute.linear_solver);
}

constexpr const char* doctor_examples =
    "Runs the deck as `trammel run` would, on the processor, for at most --seconds of wall time; writes no "
    "files.\n"
    "It watches every iteration and step, and says which coordinate, output or option the size of the steps\n"
    "follows from, what moves so fast, where steps are refused or converge slowly, and what to change. That "
    "a\n"
    "coordinate limits the steps is no fault: it is a finding where its motion is far faster than the "
    "others' or\n"
    "than the outputs can show, where half of the steps crowd into a tenth of the time, and the like.\n\n"
    "Examples:\n"
    "  trammel doctor model.acf\n"
    "  trammel doctor model.adm --end 2 --seconds 10\n"
    "  trammel doctor model.acf --set INTEGRATOR/HHT    does another integrator help?\n"
    "  trammel doctor model.acf --json | python3 -m json.tool\n\n";

void add_doctor(CLI::App& app, CommandLine& line) {
  DoctorCommand& command = line.doctor;
  auto* doctor =
      app.add_subcommand("doctor", "runs a deck for a while and says what makes it slow or ends it");
  DoctorOptions& o = command.options;
  add_job_options(doctor, o.job);
  doctor->add_option("--end", o.times.end, "end time (with a command file: of its last SIMULATE)")
      ->type_name("TIME");
  auto* dtout = doctor->add_option("--dtout", o.times.dtout, "output step")->type_name("TIME");
  doctor->add_option("--steps", o.times.steps, "number of output steps (default 100)")
      ->type_name("N")
      ->excludes(dtout);
  doctor->add_option("--seconds", o.seconds, "of wall time, at most")->capture_default_str()->type_name("S");
  doctor->add_flag("--json", command.json, "as JSON on standard output");
  doctor->footer(std::string(doctor_examples) + exit_codes);
}

constexpr const char* linear_examples =
    "Linearises the model at its initial conditions, or where --at and --statics (or the commands of a "
    "command "
    "file)\nlead, and prints eigenvalues: frequency and damping ratio of each mode. The message file has "
    "tables,\n"
    "PREFIX_linear_1.npz the shapes; with --out the file has A, B, C, D of inputs PINPUT and outputs "
    "POUTPUT, too.\n\n"
    "Examples:\n"
    "  trammel linear model.adm --statics                             modes about the equilibrium\n"
    "  trammel linear model.acf --at 2.0 --out model.npz              matrices and modes in motion\n"
    "  trammel linear crane.adm --statics --pinput 1 --poutput 1 --out crane.npz\n"
    "  trammel linear large.adm --statics --modes 30 --near 25        the 30 modes nearest 25 cycles\n"
    "  python3 -c \"import numpy; print(numpy.load('model.npz')['A'])\"\n\n";

void add_linear(CLI::App& app, CommandLine& line) {
  LinearCommand& c = line.linear;
  auto* linear = app.add_subcommand("linear", "linearises a model: eigenvalues, modes, state matrices");
  add_job_options(linear, c.run.job);
  linear->add_option("--at", c.at, "simulates up to this time first")->type_name("TIME");
  linear->add_flag("--statics", c.statics, "finds an equilibrium first");
  linear->add_option("--out", c.out, "file of A, B, C, D and modes (.npz), or beginning of text files' names")
      ->type_name("FILE");
  linear->add_option("--pinput", c.pinput, "inputs: VARIABLEs of this PINPUT")->type_name("ID");
  linear->add_option("--poutput", c.poutput, "outputs: VARIABLEs of this POUTPUT")->type_name("ID");
  linear->add_option("--pstate", c.pstate, "states: VARIABLEs of this PSTATE")->type_name("ID");
  linear->add_option("--rm", c.RM, "marker from which displacements are seen")->type_name("ID");
  auto* modes = linear->add_option("--modes", c.modes, "so many modes, nearest to --near")->type_name("N");
  linear->add_option("--near", c.near, "frequency in cycles per time (default 0)")
      ->type_name("F")
      ->needs(modes);
  linear->add_flag("--energies", c.energies, "tables of displacements and energies in the message file");
  linear->add_flag("--no-damping", c.no_damping, "without what depends on velocities");
  linear->add_option("-o,--output", c.run.prefix, "prefix of the files")->type_name("PREFIX");
  linear->add_option("-C,--directory", c.run.directory, "folder of the files")->type_name("FOLDER");
  linear->footer(std::string(linear_examples) + exit_codes);
}

void add_check(CLI::App& app, CommandLine& line) {
  auto* check =
      app.add_subcommand("check", "what is wrong with a deck; degrees of freedom, redundant equations");
  check->footer(std::string(check_examples) + exit_codes);
  add_job_options(check, line.check.job);
  add_file_options(check, line.check.formats, line.check.single_precision, line.check.every);
  check->add_flag("--json", line.check.json, "as JSON on standard output");
  check->set_version_flag("--rules", rules_text, "the rules of thumb that decks are held against, and exit");
}

void add_info(CLI::App& app, CommandLine& line) {
  auto* info = app.add_subcommand("info", "title, units, statements and result channels");
  info->footer(std::string(info_examples) + exit_codes);
  add_job_options(info, line.info.job);
  auto* mass = info->add_flag("--mass", line.info.mass,
                              "volumes and inertias of GRAPHICS beside those of their parts");
  info->add_option("--density", line.info.density, "of these solids, in the units of the deck")
      ->type_name("RHO")
      ->check(CLI::PositiveNumber)
      ->needs(mass);
}

void add_run(CLI::App& app, CommandLine& line) {
  add_run(app, line.run, line.quiet)->footer(std::string(run_examples) + exit_codes);
}

void add_batch(CLI::App& app, CommandLine& line) {
  add_batch(app, line.batch, line.quiet)->footer(batch_examples);
}

}  // namespace trammel
