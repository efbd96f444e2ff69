#include "api/deck_options.h"

namespace trammel {

void add_job_options(CLI::App* command, JobOptions& job) {
  command->add_option("file", job.file, "command file (.acf) or dataset (.adm)")->required();
  one_each(command->add_option("--set", job.sets,
                               "change the model: PART/2.MASS=3.5 or 'PART/2, MASS=3.5'; repeatable"))
      ->type_name("STATEMENT");
  auto* strict = command->add_flag(
      "--strict", job.strict,
      "stop at warnings about deck and commands, and at what is replaced or has no effect (exit "
      "code 4)");
  command->add_flag("--permissive", job.permissive, "go on without what is unsupported, and list it")
      ->excludes(strict);
}

void add_file_options(CLI::App* command, std::vector<std::string>& formats, bool& single_precision,
                      int& every) {
  one_each(command->add_option("--formats", formats, "result files: nc,req,res,csv,gra,out,contacts or none"))
      ->delimiter(',')
      ->type_name("LIST");
  command->add_flag("--single", single_precision,
                    "values of the .nc file as float32 (7 digits, half the size)");
  command
      ->add_option("--every", every,
                   "every n-th record of a simulation into the .nc file, first and last always")
      ->type_name("N");
}

/// --end, --dtout, --steps, -o, -C.
void add_time_options(CLI::App* command, TimeOptions& times, std::string& prefix, std::string& directory) {
  command->add_option("--end", times.end, "end time (with a command file: of its last SIMULATE)")
      ->type_name("TIME");
  auto* dtout = command->add_option("--dtout", times.dtout, "output step")->type_name("TIME");
  command->add_option("--steps", times.steps, "number of output steps (default 100)")
      ->type_name("N")
      ->excludes(dtout);
  command->add_option("-o,--output", prefix, "prefix of the output files")->type_name("PREFIX");
  command->add_option("-C,--directory", directory, "folder for the output files (made if absent)")
      ->type_name("DIR");
}

void add_linear_solver(CLI::App* command, std::string& name, const std::string& on_device) {
  command
      ->add_option("--linear-solver", name,
                   linear_solver_names() + ", or auto: by what the order of elimination costs" + on_device)
      ->type_name("NAME");
}

void add_redundant(CLI::App* command, bool& share_reactions) {
  command
      ->add_option_function<std::string>(
          "--redundant", [&share_reactions](const std::string& way) { share_reactions = way == "min-norm"; },
          "reactions of redundant constraints: drop, 0 for the equations left out (default); min-norm, "
          "shared "
          "among all that can bear them, by least squares")
      ->check(CLI::IsMember({"drop", "min-norm"}));
}

CLI::App* add_run(CLI::App& app, RunOptions& run, bool& quiet) {
  auto* command = app.add_subcommand("run", "run a command file or a dataset");
  add_job_options(command, run.job);
  add_time_options(command, run.times, run.prefix, run.directory);
  add_file_options(command, run.formats, run.single_precision, run.every);
  command
      ->add_option("-j,--threads", run.compute.threads,
                   "threads for large models (above some hundred parts); the same results with any number")
      ->type_name("N");
  add_redundant(command, run.compute.share_reactions);
  add_linear_solver(command, run.compute.linear_solver,
                    "; with --backend cuda: device (its own, auto), or a library's: cusolver_rf, cudss");
  command
      ->add_option("--backend", run.backend,
                   "where steps are computed: auto, where the first ones take least time; cpu; cuda, a GPU; "
                   "host, the GPU's code on the processor, for tests (trammel devices lists them)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "host"}))
      ->capture_default_str();
  command->add_option("--device", run.device, "which device of the back end")->type_name("N");
  command
      ->add_option(
          "--accuracy", run.accuracy,
          "choose ERROR and HMAX so that results are right to this part of their scale, by two runs or "
          "more; PREFIX.error.nc holds the estimated error")
      ->type_name("PART");
  command
      ->add_option("--channels", run.accuracy_channels,
                   "channels that --accuracy is for (default: all): PART/2 'PART/*.X' boom.VX ...")
      ->type_name("CHANNEL ...");
  command->add_flag("--stats", run.stats, "tell at the end where the time went");
  command->add_option("--log-json", run.log_json, "account of the run as JSON, one event a line")
      ->type_name("FILE");
  command->add_flag("--quiet", quiet, "print nothing but errors");
  command
      ->add_option("--checkpoint", run.checkpoint_seconds,
                   "every so many seconds save all that --resume needs (PREFIX.checkpoint)")
      ->type_name("SECONDS");
  command->add_flag("--resume", run.resume,
                    "go on from the last checkpoint, with the same options; begin where there is none");
  command->add_flag("--dry-run", run.dry_run, "read, compile, find initial conditions; write nothing");
  return command;
}

CLI::App* add_batch(CLI::App& app, BatchOptions& batch, bool& quiet) {
  auto* command = app.add_subcommand("batch", "many variants of one model, from a table into a table");
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
  return command;
}

}  // namespace trammel
