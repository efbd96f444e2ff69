#!/usr/bin/env python3
"""Write the Markdown page of a file of trammel_bench.

  table.py results/cpu_DATE.json > results/README.md
"""
import json
import sys

HEAD = """# Cost of a step

Made by `table.py` from `%(file)s`; made anew with

    cmake --preset release && cmake --build --preset release --target trammel_bench
    build/release/bin/trammel_bench --repeats %(repeats)d --out bench/results/cpu_DATE.json
    bench/table.py bench/results/cpu_DATE.json > bench/results/README.md

and `compare.py OLD.json NEW.json` prints the ratios of two files.

| | |
|---|---|
| date | %(date)s |
| processor | %(cpu)s, %(processors)d virtual cores, one used |
| system | %(system)s |
| compiler, revision | %(build)s |
| flags | `%(flags)s` |
| load average of the machine (1, 5, 15 min), begin | %(begin)s |
| the same, end | %(end)s |

Chains of N links on ball joints (`models/chain`, 6N coordinates, 3N multipliers) and, `revolute_N`, on revolute joints (5N
multipliers), a pendulum (`models/pendulum`) and the slider-crank (`models/slider_crank`), HHT with fixed steps of 1 ms, corrector as at ERROR = 1e-5, 1 s of motion (10,000
links: 0.1 s), an output record gathered every 10 ms and not written. A step is one pass of the integrator
with all its iterations; time is that of the whole simulation after the initial conditions over its steps.
CPU time is less disturbed by what else runs on the machine than wall time.
"""


def g(x, form="%.3g"):
    return "–" if x is None else form % x


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" + "|---:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    data = json.load(open(sys.argv[1]))
    cases = data["cases"]
    print(HEAD % dict(data["machine"], file=sys.argv[1].rsplit("/", 1)[-1], repeats=cases[0]["repeats"], date=data["date"],
                      build=data["build"], flags=data["flags"],
                      begin=", ".join("%.2f" % x for x in data["load_average_begin"]),
                      end=", ".join("%.2f" % x for x in data["load_average_end"])))

    if data["load_average_begin"][0] > 0.25 * data["machine"]["processors"]:
        print("**The machine was busy: other programs took processor and cache. Read the times as upper bounds, the\n"
              "least ones as the nearest to a quiet machine; counters and accuracy do not depend on it.**\n")

    def time(c, kind):
        t = c[kind]
        return "%s (%s … %s)" % (g(t["median"]), g(t["min"]), g(t["max"]))

    print("## Time and memory\n\nMedian (least … largest) of %d runs.\n" % cases[0]["repeats"])
    table(["case", "unknowns", "CPU ms/step", "wall ms/step", "peak MB", "allocations/step", "read and analyze s", "initial conditions s"],
          [[c["name"], "%d" % c["unknowns"], time(c, "cpu_ms_per_step"), time(c, "wall_ms_per_step"), g(c["peak_memory_MB"], "%.0f"),
            g(c.get("allocations_per_step")), g(c["read_and_analyze_s"]), g(c["initial_conditions_s"])] for c in cases])
    for c in cases:
        if "yardstick_sparse_lu_ms" in c:
            print("Eigen's SparseLU (COLAMD) factors the matrix of %s in %s ms on this machine.\n"
                  % (c["name"], g(c["yardstick_sparse_lu_ms"])))
    print("## Counters\n")
    keys = ["steps", "evaluations", "solves", "jacobians", "factorizations", "refactorizations", "refinements", "guard_trips",
            "nonzeros_matrix", "nonzeros_factors"]
    table(["case"] + [k.replace("_", " ") for k in keys], [[c["name"]] + ["%d" % c[k] for k in keys] for c in cases])
    print("## Accuracy\n\nLargest over all outputs; energy error relative to the largest kinetic energy.\n")
    table(["case", "position constraint", "velocity constraint", "energy error J", "relative"],
          [[c["name"], g(c["constraint_error_position"], "%.1e"), g(c["constraint_error_velocity"], "%.1e"), g(c["energy_error_J"], "%.1e"),
            g(c["energy_error_relative_to_largest_kinetic"], "%.1e")] for c in cases])
    for c in cases:
        if "tip_errors_m" in c:
            print("Tip of %s against the N-fold pendulum integrated at 1e-13 (`models/chain/reference.py`): " % c["name"]
                  + ", ".join("%.1e m at %g s" % (e["error"], e["t"]) for e in c["tip_errors_m"]) + ".\n")


if __name__ == "__main__":
    main()
