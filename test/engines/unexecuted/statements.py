"""Reads {dialect, texts} as JSON, and writes for each text what sqlfluff's grammar cannot parse in it, or null."""
import json
import sys

from sqlfluff.core import FluffConfig, Linter

asked = json.load(sys.stdin)
linter = Linter(config=FluffConfig(overrides={"dialect": asked["dialect"]}))
faults = []
for text in asked["texts"]:
    parsed = linter.parse_string(text)
    problems = [violation.desc() for violation in parsed.violations]
    faults.append("; ".join(problems)[:300] if problems else None)
json.dump(faults, sys.stdout)
