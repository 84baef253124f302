# guardjit: tests/mutants/modes.py: changes to the mode stack and the compile window, and the case that notices each
# SPDX-License-Identifier: BSL-1.0
BREAKS = "conformance/modes/breaks.cpp"

MUTANTS = [
    Mutant("a break keeps what the callable left", "guardjit/modes/mode_slot.hpp",
           "    show(saved);\n    if (left", "    if (left", BREAKS, "MODE-067"),
    Mutant("no scopes around an opaque callable", "guardjit/compile/break_point.hpp",
           "  if (scope == 0) return next.run(next.context);", "  if (scope >= 0) return next.run(next.context);",
           BREAKS, "MODE-064"),
]
