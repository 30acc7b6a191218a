"""
Judges statements by a parser of Oracle's SQL (PyPI `qivo-parseora`): a list of statements in, for each what is wrong with it or null
out, as JSON. It takes what it does not know with a warning, which is a fault here.
"""

import json
import sys

import parseora


def fault_of(statement):
    parsed = parseora.parse(statement, version="19c")
    if len(parsed) != 1 or parsed[0]["statement"] != "SelectStmt":
        return "not one query"
    faults = [*parsed[0]["errors"], *parsed[0]["warnings"]]
    return faults[0]["message"] if faults else None


json.dump([fault_of(statement) for statement in json.load(sys.stdin)], sys.stdout)
