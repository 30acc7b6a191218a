/** The part of docs/parity.md on SQL Server, on which nothing is run. */
import { hasGrammar, openGrammar } from "../engines/mssql/grammar.ts";
import { DIFFERENT, MSSQL, MSSQL_SUITES } from "../engines/mssql/own.ts";
import { corpusQuestions, plannedQuestions, type Question } from "../engines/unexecuted/questions.ts";
import { hasReader } from "../engines/unexecuted/read-back.ts";
import { countsOf } from "../engines/unexecuted/suites.ts";

const HEAD = [
  "## SQL Server",
  "",
  "Planned for and *not executed*. A grammar of T-SQL that shares nothing with the planner takes the statements, and sqlglot",
  "reads them as T-SQL and says them for DuckDB: the rows are those of the analyst queries, or of DuckDB's own plan. What is",
  "refused is listed in `test/parity/refused/mssql.ts`, and why rows differ in `test/engines/mssql/own.ts`.",
  "",
];

/** Lines of Markdown; without the readers there is no such part. */
export async function mssqlSection(): Promise<readonly string[]> {
  if (!hasGrammar() || !hasReader()) return [];
  const judge = openGrammar();
  const taken = (questions: readonly Question[]): readonly [planned: number, taken: number] => {
    const planned = plannedQuestions(questions);
    return [planned.length, planned.filter(({ statement }) => judge(statement) === undefined).length];
  };
  const lines = [
    ...HEAD,
    "| queries | asked | planned | taken by the grammar | right when read back | different, explained |",
  ];
  lines.push("|---|---|---|---|---|---|");
  for (const suite of MSSQL_SUITES) {
    const { right, explained } = await countsOf(suite, DIFFERENT);
    lines.push(row(suite.name, suite.questions.length, ...taken(suite.questions), right, explained));
  }
  const corpus = corpusQuestions(MSSQL);
  return [...lines, row("corpus", corpus.length, ...taken(corpus), "", ""), ""];
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
