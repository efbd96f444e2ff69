// Commands on result files: plot, compare, convert.
#include "api/deck_options.h"
#include "cli/command_line.h"

namespace trammel {

constexpr const char* plot_examples =
    "Reads .nc, .res, .req and .csv. One panel for each unit, all over the same x axis; --panel adds panels "
    "of your\n"
    "own. Names as `trammel info FILE` lists them: PART/2.X, boom.VX (name in ADAMS View), REQUEST/1.F2; "
    "REQ/1.F2 for\n"
    "short. Needs gnuplot, no display.\n\n"
    "Examples:\n"
    "  trammel plot model.nc PART/2.X PART/2.Y -o path.png\n"
    "  trammel plot model.nc PART/2.Y -x PART/2.X --equal -o orbit.svg --title 'Path of the coupler'\n"
    "  trammel plot model.nc 'PART/*.X' JOINT/1                          all that fits; all of an element\n"
    "  trammel plot new.nc boom.VX --overlay old.res --legend new old    two runs in one panel\n"
    "  trammel plot model.nc PART/2.X --overlay rig.csv --map PART/2.X=travel_front\n"
    "  trammel plot model.nc --panel PART/2.X,PART/3.X --panel JOINT/1.FX\n"
    "  trammel plot model.nc PART/2.ACCX --fft --times 0.5:4.5           amplitude over frequency\n"
    "  trammel plot model.nc PART/2.ACCX --fft --window flattop --log-y  amplitudes to 0.12 %\n"
    "  trammel plot --modes speed_10.npz speed_20.npz speed_30.npz       eigenvalues, and how they move\n\n"
    "--fft: amplitudes of the channel without its mean; a sine shows its amplitude. Between two lines of "
    "the\n"
    "spectrum it is lower: by up to 15 % with the Hann window, 0.12 % with flattop (wider lines), 36 % with "
    "none.\n";

constexpr const char* compare_examples =
    "Reads native files (.nc), .res in XRF form, .req and .csv, in any combination. Channels are paired by "
    "name\n"
    "(REQUESTs by the place of the component, so that CNAMES do not matter). A channel is within tolerance "
    "when\n"
    "|a - b| <= atol + rtol * scale at all times; NaN never is. The scale is the largest |a| of the channel "
    "and\n"
    "its companions (X, Y and Z of a part; FX, FY and FZ of a joint), at least 1e-6 of the largest |a| of "
    "that\n"
    "unit. Where the times differ,\n"
    "the file with more records is interpolated linearly at the times of the other, and a note says so.\n"
    "What only one file has is listed and counts as a difference, except with --common.\n\n"
    "Examples:\n"
    "  trammel compare new.nc reference.nc\n"
    "  trammel compare crane.nc crane.req --common               only the requests\n"
    "  trammel compare a.nc b.nc --channels 'PART/*.X' boom.VX --times 0.5:2 --rtol 1e-4\n"
    "  trammel compare crane.nc rig.csv --map PART/2.X=front_travel --common --atol 0.5\n\n"
    "Exit codes: 0 within tolerance; 9 not; 2 wrong command line, or nothing in common; 3 a file that cannot "
    "be\n"
    "understood; 7 a file that cannot be read.";

constexpr const char* convert_examples =
    "IN is a native file (.nc), .res in XRF form, .req or .csv; its content says which. The end of OUT's "
    "name says\n"
    "what is written: .nc .res .req .csv, or .gra (positions of parts) and .out (tables of requests).\n"
    "Of a file that was cut (a killed run, a full disk) the complete records are taken, with a note.\n\n"
    "Examples:\n"
    "  trammel convert crane.res crane.nc\n"
    "  trammel convert crane.nc crane.csv --channels PART/2 'REQUEST/*' --times 0.5:2\n"
    "  trammel convert crane.nc small.nc --every 10 --single    tenth part of the records, float32\n"
    "  trammel convert crane.nc crane.req                       the requests\n"
    "  trammel convert rig.csv rig.nc                           columns become channels COLUMN/n, by "
    "name\n\n";

void add_plot(CLI::App& app, CommandLine& line) {
  PlotCommand& plot = line.plot;
  PlotOptions& options = plot.options;
  auto* command = app.add_subcommand("plot", "draw result channels (PNG or SVG), or their spectra");
  command->footer(plot_examples);
  command->add_option("file", plot.file, "result file (.nc, .res, .req, .csv)")->required();
  command->add_option("channels", plot.channels,
                      "PART/2.X REQUEST/1.F2 boom.VX, PART/2 (all of it), 'PART/*.X' ...");
  command->add_option("-o,--output", options.output, "picture, .png or .svg")->capture_default_str();
  command->add_option("-x", options.x_channel, "channel of the x axis")->capture_default_str();
  one_each(command->add_option("--overlay", options.overlays, "a second result file, dashed; repeatable"))
      ->type_name("FILE");
  one_each(command->add_option("--map", plot.map, "a channel that the overlay calls differently; repeatable"))
      ->type_name("NAME=NAME_THERE");
  one_each(command->add_option("--panel", options.panels, "a panel with these channels; repeatable"))
      ->type_name("CHANNEL,CHANNEL...");
  command
      ->add_option("--legend", options.legends,
                   "a name for each curve, all of the file, then of the overlays; or one for each file")
      ->type_name("TEXT ...");
  command->add_option("--times", plot.times, "window of time, ends included: 0.5:2, 0.5: or :2")
      ->type_name("FROM:TO");
  command->add_flag("--modes", plot.modes,
                    "eigenvalues: of files of LINEAR (.npz) or of results (.nc, .res), in their order");
  command->add_flag("--fft", options.fft, "amplitude spectra");
  command->add_option("--window", plot.window, "of --fft: none, hann, flattop")->capture_default_str();
  command->add_flag("--log-y", options.log_y, "logarithmic y axis");
  command->add_flag("--errors", options.errors,
                    "bands of the error that run --accuracy estimated, FILE.error.nc");
  command->add_flag("--equal", options.equal, "one scale on both axes, for paths over -x");
  command->add_option("--title", options.title, "title (default: that of the model)");
  command->add_option("--width", options.width, "pixels")->capture_default_str();
  command->add_option("--height", options.height, "pixels (default: by the number of panels)");
}

void add_compare(CLI::App& app, CommandLine& line) {
  CompareCommand& compare = line.compare;
  auto* command = app.add_subcommand("compare", "two result files against each other, with a tolerance");
  command->footer(compare_examples);
  command->add_option("a", compare.a, "result file, the reference of --rtol")->required();
  command->add_option("b", compare.b, "result file")->required();
  command->add_option("--rtol", compare.options.rtol, "part of the scale (default 1e-6, with a .req 1e-5)");
  command->add_option("--atol", compare.options.atol, "added to it, in the channel's unit (default 0)");
  command->add_flag("--pointwise", compare.options.pointwise, "limit atol + rtol * |a| at each time");
  command->add_flag("--wrap", compare.options.wrap, "angles modulo a full turn");
  command->add_flag("--common", compare.options.common, "what only one file has is no difference");
  command->add_option("--channels", compare.options.channels, "only these: PART/2 'PART/*.X' boom.VX ...")
      ->type_name("CHANNEL ...");
  one_each(command->add_option("--map", compare.map, "pair channels of different names; repeatable"))
      ->type_name("NAME_A=NAME_B");
  command->add_option("--times", compare.times, "window of time, ends included: 0.5:2, 0.5: or :2")
      ->type_name("FROM:TO");
  command->add_option("--worst", compare.worst, "rows of the table (0: all channels)")->capture_default_str();
}

void add_convert(CLI::App& app, CommandLine& line) {
  ConvertCommand& convert = line.convert;
  auto* command = app.add_subcommand("convert", "a result file in another format, or a part of it");
  command->footer(std::string(convert_examples) + exit_codes);
  command->add_option("in", convert.in, "result file (.nc, .res, .req, .csv)")->required();
  command->add_option("out", convert.out, "new file (.nc, .res, .req, .csv, .gra, .out)")->required();
  command->add_option("--channels", convert.channels, "only these: PART/2 'PART/*.X' boom.VX ...")
      ->type_name("CHANNEL ...");
  command->add_option("--times", convert.times, "window of time, ends included: 0.5:2, 0.5: or :2")
      ->type_name("FROM:TO");
  command->add_option("--every", convert.every, "every n-th record, the first and the last always")
      ->type_name("N");
  command->add_flag("--single", convert.single_precision, "values of a .nc file as float32 (7 digits)");
  command->add_flag("--quiet", convert.quiet, "print nothing but errors");
}

}  // namespace trammel
