#!/usr/bin/env python3
"""Print the ratios of two files of trammel bench or trammel_bench: old / new, above 1 is an improvement.

  compare.py OLD.json NEW.json
"""
import json
import sys

# label, path in a case, format of a value
ROWS = [
    ("wall ms/step", ("wall_ms_per_step", "median"), "%.5g"),
    ("  min", ("wall_ms_per_step", "min"), "%.5g"),
    ("cpu ms/step", ("cpu_ms_per_step", "median"), "%.5g"),
    ("  min", ("cpu_ms_per_step", "min"), "%.5g"),
    *((part + " ms", (part + "_ms", "median"), "%.5g")
      for part in ("analyze", "evaluate", "residual", "tangent", "factor", "solve")),
    ("steps", ("steps",), "%d"),
    ("evaluations", ("evaluations",), "%d"),
    ("solves", ("solves",), "%d"),
    ("Jacobians", ("jacobians",), "%d"),
    ("factorizations", ("factorizations",), "%d"),
    ("refactorizations", ("refactorizations",), "%d"),
    ("nonzeros matrix", ("nonzeros_matrix",), "%d"),
    ("nonzeros L+U", ("nonzeros_factors",), "%d"),
    ("allocations/step", ("allocations_per_step",), "%.3g"),
    ("peak memory MB", ("peak_memory_MB",), "%.1f"),
    ("energy error J", ("energy_error_J",), "%.2e"),
]


def value(case, path):
    for key in path:
        if key not in case:
            return None
        case = case[key]
    return case


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    old, new = (json.load(open(name)) for name in sys.argv[1:])
    for key in ("build", "flags"):
        print("%s\n  old %s\n  new %s" % (key, old.get(key), new.get(key)))
    if old["machine"] != new["machine"]:
        print("warning: different machines: %s / %s" % (old["machine"], new["machine"]))
    cases = {c["name"]: c for c in old["cases"]}
    for case in new["cases"]:
        before = cases.get(case["name"])
        if before is None:
            print("\n%s: only in %s" % (case["name"], sys.argv[2]))
            continue
        print("\n%-18s %12s %12s %8s" % (case["name"], "old", "new", "old/new"))
        for label, path, form in ROWS:
            a, b = value(before, path), value(case, path)
            if a is None or b is None:
                continue
            ratio = "%8.3f" % (a / b) if b else "       -"
            print("  %-16s %12s %12s %s" % (label, form % a, form % b, ratio))


if __name__ == "__main__":
    main()
