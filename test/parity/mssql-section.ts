/** The part of docs/parity.md on SQL Server, on which nothing is run. */
import { hasGrammar, openGrammar } from "../engines/mssql/grammar.ts";
import { corpusQuestions, plannedQuestions, type Question } from "../engines/mssql/questions.ts";
import { hasReader } from "../engines/mssql/read-back.ts";
import { DIFFERENT, SUITES, textsOf, verdictOf } from "../engines/mssql/suites.ts";
import { openDuckDbFiles } from "../support/sources.ts";

const HEAD = [
  "## SQL Server",
  "",
  "Planned for and *not executed*. A grammar of T-SQL that shares nothing with the planner takes the statements, and sqlglot",
  "reads them as T-SQL and says them for DuckDB: the rows are those of the analyst queries, or of DuckDB's own plan. What is",
  "refused is listed in `test/parity/refused/mssql.ts`, and why rows differ in `test/engines/mssql/suites.ts`.",
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
  for (const suite of SUITES) {
    const opened = await openDuckDbFiles(suite.directory);
    const texts = textsOf(suite);
    let right = 0;
    let explained = 0;
    for (const question of suite.questions) {
      const text = texts.get(question.name);
      if (text === undefined) continue;
      const { outcome } = await verdictOf(question, text, suite, opened);
      if (outcome === "right") right++;
      else if (Object.hasOwn(DIFFERENT, question.name)) explained++;
    }
    await opened.close();
    lines.push(row(suite.name, suite.questions.length, ...taken(suite.questions), right, explained));
  }
  const corpus = corpusQuestions();
  return [...lines, row("corpus", corpus.length, ...taken(corpus), "", ""), ""];
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
