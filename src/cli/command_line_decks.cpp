// Commands on decks: run, batch, check, info.
#include "api/deck_options.h"
#include "cli/command_line.h"

namespace trammel {

namespace {

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
    "  trammel run model.acf --formats nc,csv --every 10 --single    small .nc, all steps in .csv\n"
    "  trammel run model.acf --log-json run.jsonl                    events for a monitor\n"
    "  trammel run model.acf --checkpoint 600 --resume               the same line again after a kill\n"
    "  trammel run model.acf --dry-run            read, assemble, write nothing\n"
    "  trammel run old_deck.acf --permissive      leave out what is not supported yet, and list it\n\n";

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
    "files. The exit code is that with which `trammel run` would end before its first step.\n\n"
    "Examples:\n"
    "  trammel check model.acf\n"
    "  trammel check model.adm --json | python3 -m json.tool\n"
    "  trammel check model.acf --formats nc,res --every 10    how large the files would be\n"
    "  trammel check old_deck.acf --permissive    a list of all that would be left out\n\n";

constexpr const char* info_examples =
    "Reads leniently: what is not supported is counted and marked.\n\n"
    "Examples:\n"
    "  trammel info model.adm\n"
    "  trammel info model.nc      records and channels of a result file (.nc, .res, .req, .csv)\n\n";

void add_batch(CLI::App& app, BatchOptions& batch, bool& quiet) {
  auto* command = app.add_subcommand("batch", "many variants of one model, from a table into a table");
  command->footer(batch_examples);
  add_job_options(command, batch.job);
  command->add_option("--variants", batch.variants, "CSV table of the variants")
      ->required()
      ->type_name("FILE");
  command->add_option("--generate", batch.generate.method, "makes that table: grid, random:N or lhs:N")
      ->type_name("METHOD");
  one_each(command->add_option("--vary", batch.generate.vary,
                               "of --generate: L=0.2:0.3, L=0.2:0.3:5 (grid), PART/2.MASS=1,2,5; repeatable"))
      ->type_name("NAME=RANGE");
  one_each(command->add_option("--drive", batch.generate.drive,
                               "what a variable changes: 'MARKER/33.QP={L/2},0,0'; repeatable"))
      ->type_name("ARGUMENT=TEXT");
  command->add_option("--seed", batch.generate.seed, "of random and lhs")
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option(
          "--channels", batch.channels,
          "columns of results: PART/2.X (at the end), min: max: absmax: rms: tmin: tmax: tabsmax:PART/2.X")
      ->type_name("CHANNEL ...");
  command->add_flag("--resume", batch.resume, "go on with the table of results of a batch that was stopped");
  add_time_options(command, batch.times, batch.prefix, batch.directory);
  command->add_flag("--full", batch.full, "<prefix>_<name>.nc and .msg of every variant");
  command->add_flag("--single", batch.single_precision, "with --full: values as float32");
  command->add_option("--every", batch.every, "with --full: every n-th record, first and last always")
      ->type_name("N");
  command
      ->add_option("-j,--threads", batch.threads,
                   "variants at the same time (default: one per processor); the same results with any number")
      ->type_name("N");
  add_redundant(command, batch.share_reactions);
  add_linear_solver(command, batch.linear_solver);
  command
      ->add_option(
          "--backend", batch.backend,
          "where steps are computed: cpu, cuda (a GPU, each group of threads a variant), host (for tests)")
      ->capture_default_str();
  command->add_option("--device", batch.device, "which device of the back end")->type_name("N");
  command->add_flag("--quiet", quiet, "print nothing but errors");
}

void add_check_and_info(CLI::App& app, CommandLine& line) {
  auto* check =
      app.add_subcommand("check", "what is wrong with a deck; degrees of freedom, redundant equations");
  check->footer(std::string(check_examples) + exit_codes);
  add_job_options(check, line.check.job);
  add_file_options(check, line.check.formats, line.check.single_precision, line.check.every);
  check->add_flag("--json", line.check.json, "as JSON on standard output");

  auto* info = app.add_subcommand("info", "title, units, statements and result channels");
  info->footer(std::string(info_examples) + exit_codes);
  add_job_options(info, line.info);
}

}  // namespace

void add_deck_commands(CLI::App& app, CommandLine& line) {
  add_run(app, line.run, line.quiet)->footer(std::string(run_examples) + exit_codes);
  add_check_and_info(app, line);
  add_batch(app, line.batch, line.quiet);
}

}  // namespace trammel
