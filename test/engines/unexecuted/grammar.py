"""
Judges statements by sqlfluff's grammar of a dialect: {dialect, lacks, statements} in, for each statement what is wrong with it or
null out, as JSON. A fault is a part that cannot be parsed, or one that the source lacks though the grammar has it.
"""

import json
import sys

from sqlfluff.core import FluffConfig, Linter


def fault_of(parsed, lacks):
    for violation in parsed.violations:
        return violation.desc()
    words = (segment for segment in parsed.tree.raw_segments if not segment.get_type().endswith("identifier"))
    found = {(segment.raw_upper, None) for segment in words}
    for segment in parsed.tree.recursive_crawl_all():
        found.add((None, segment.get_type()))
        found.update((child.raw_upper, segment.get_type()) for child in segment.segments)
    for lack in lacks:
        if (lack.get("word"), lack.get("kind")) in found:
            return lack["what"]
    return None


def main():
    asked = json.load(sys.stdin)
    # Jinja would read braces in texts. The parser in Rust makes the same trees in a tenth of the time.
    overrides = {"dialect": asked["dialect"], "templater": "raw", "use_rust_parser": True, "large_file_skip_byte_limit": 0}
    linter = Linter(config=FluffConfig(overrides=overrides))
    faults = [fault_of(linter.parse_string(statement), asked["lacks"]) for statement in asked["statements"]]
    json.dump(faults, sys.stdout)


main()
