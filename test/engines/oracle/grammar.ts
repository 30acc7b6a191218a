/**
 * Two grammars of Oracle's that share nothing with the planner: a parser written for it alone (PyPI `qivo-parseora`), which reads
 * statements whole, and sqlfluff's, of which some clauses are put away first that it does not know where they may stand: OFFSET and
 * FETCH behind set operations and HAVING, APPLY, GROUP BY () and NULLS FIRST in windows, and what JSON functions say of errors and types
 * (https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html).
 */
import { fileURLToPath } from "node:url";
import { type Grammar, judgedBy, sqlFluff, type Unknown, withoutUnknown } from "../unexecuted/grammar.ts";
import { hasModule } from "../unexecuted/readers.ts";

const SCRIPT = fileURLToPath(new URL("parse.py", import.meta.url));
const FLUFF = sqlFluff("oracle", []);

const parsed = judgedBy(SCRIPT, (statements) => statements);

const UNKNOWN: readonly Unknown[] = [
  [/ OFFSET \d+ ROWS\b/g, ""],
  [/ FETCH (?:FIRST|NEXT) \d+ ROWS (?:ONLY|WITH TIES)/g, ""],
  [/ (?:CROSS|OUTER) APPLY /g, " CROSS JOIN "],
  [/ NULLS FIRST\b/g, ""],
  [/ GROUP BY \(\)/g, ""],
  [/ (?:ERROR|NULL) ON (?:ERROR|EMPTY|NULL)\b/g, ""],
  [/ RETURNING (?:CLOB|NUMBER|VARCHAR2\(\d+\))/g, ""],
  [/ FORMAT JSON\b/g, ""],
  [/ COLUMNS \(n FOR ORDINALITY, k VARCHAR2\(20\) PATH /g, ", f("],
  [/, v (?:NUMBER|VARCHAR2\(4000\)) PATH /g, ", "],
  [/ FROM JSON_TABLE\(/g, " FROM TABLE("],
];

/** @param most sqlfluff takes a tenth of a second for each statement: longer lists are judged by the parser alone. */
const sampled = (most: number): Grammar => ({
  isThere: () => FLUFF.isThere() && hasModule("parseora"),
  open: () => {
    const fluff = FLUFF.open();
    return (statements) => {
      const faults = parsed(statements);
      if (statements.length > most) return faults;
      const others = fluff(statements.map((sql) => withoutUnknown(sql, UNKNOWN)));
      return faults.map((fault, index) => fault ?? others[index]);
    };
  },
});

/** By both, all of them. */
export const ORACLE_GRAMMAR = sampled(Number.POSITIVE_INFINITY);

/** In the suites; `GRAMMAR=all` asks both of everything. */
export const ORACLE_SAMPLE = process.env["GRAMMAR"] === "all" ? ORACLE_GRAMMAR : sampled(20);
