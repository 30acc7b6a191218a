/** The part of docs/parity.md on Redshift, on which nothing is run. */
import { DIFFERENT, REDSHIFT, REDSHIFT_SUITES } from "../engines/redshift/own.ts";
import { corpusQuestions, plannedQuestions } from "../engines/unexecuted/questions.ts";
import { hasReader } from "../engines/unexecuted/read-back.ts";
import { countsOf } from "../engines/unexecuted/suites.ts";

const HEAD = [
  "## Redshift",
  "",
  "Planned for by its manual and *not executed*. sqlglot reads the statements as Redshift's and says them for DuckDB: the rows are those",
  "of the analyst queries, or of DuckDB's own plan. What is refused is listed in `test/parity/refused/redshift.ts`, and why rows",
  "differ in `test/engines/redshift/own.ts`.",
  "",
  "| queries | asked | planned | right when read back | different, explained |",
  "|---|---|---|---|---|",
];

/** Lines of Markdown; without the reader there is no such part. */
export async function redshiftSection(): Promise<readonly string[]> {
  if (!hasReader()) return [];
  const lines = [...HEAD];
  for (const suite of REDSHIFT_SUITES) {
    const { right, explained } = await countsOf(suite, DIFFERENT);
    lines.push(row(suite.name, suite.questions.length, plannedQuestions(suite.questions).length, right, explained));
  }
  const corpus = corpusQuestions(REDSHIFT);
  return [...lines, row("corpus", corpus.length, plannedQuestions(corpus).length, "", ""), ""];
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
