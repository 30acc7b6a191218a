/** The parts of docs/parity.md on sources on which nothing is run. */
import { T_SQL } from "../engines/mssql/grammar.ts";
import { MSSQL, DIFFERENT as MSSQL_DIFFERENT, MSSQL_SUITES } from "../engines/mssql/own.ts";
import { REDSHIFT_GRAMMAR } from "../engines/redshift/grammar.ts";
import { REDSHIFT, DIFFERENT as REDSHIFT_DIFFERENT, REDSHIFT_SUITES } from "../engines/redshift/own.ts";
import type { Grammar } from "../engines/unexecuted/grammar.ts";
import { corpusQuestions, plannedQuestions, type Question, type Unexecuted } from "../engines/unexecuted/questions.ts";
import { hasReader } from "../engines/unexecuted/read-back.ts";
import { countsOf, type Suite } from "../engines/unexecuted/suites.ts";

interface UnexecutedSource {
  readonly title: string;
  /** Whose grammar judges the statements. */
  readonly judged: string;
  readonly own: Unexecuted;
  readonly grammar: Grammar;
  readonly suites: readonly Suite[];
  readonly different: Readonly<Record<string, string>>;
}

const SOURCES: readonly UnexecutedSource[] = [
  {
    title: "SQL Server",
    judged: "A grammar of T-SQL (`antlr4ts-sql`), with rules of the server's that it lacks,",
    own: MSSQL,
    grammar: T_SQL,
    suites: MSSQL_SUITES,
    different: MSSQL_DIFFERENT,
  },
  {
    title: "Redshift",
    judged: "sqlfluff's grammar of Redshift, less what that has from PostgreSQL's alone,",
    own: REDSHIFT,
    grammar: REDSHIFT_GRAMMAR,
    suites: REDSHIFT_SUITES,
    different: REDSHIFT_DIFFERENT,
  },
];

/** Lines of Markdown; without the readers there are none. */
export async function unexecutedSections(): Promise<readonly string[]> {
  const sections: string[] = [];
  for (const source of SOURCES) {
    if (source.grammar.isThere() && hasReader()) sections.push(...(await sectionOf(source)));
  }
  return sections;
}

async function sectionOf({ title, judged, own, grammar, suites, different }: UnexecutedSource): Promise<string[]> {
  const judge = grammar.open();
  const planned = (questions: readonly Question[]): readonly [planned: number, taken: number] => {
    const statements = plannedQuestions(questions).map(({ statement }) => statement);
    return [statements.length, judge(statements).filter((fault) => fault === undefined).length];
  };
  const lines = [
    `## ${title}`,
    "",
    `Planned for by its manual and *not executed*. ${judged}`,
    "takes the statements, and sqlglot reads them and says them for DuckDB: the rows are those of the analyst queries, or of",
    `DuckDB's own plan. What is refused is listed in \`test/parity/refused/${own.source}.ts\`, why rows differ or the grammar does not`,
    `take a statement in \`test/engines/${own.source}/\`.`,
    "",
    "| queries | asked | planned | taken by the grammar | right when read back | different, explained |",
    "|---|---|---|---|---|---|",
  ];
  for (const suite of suites) {
    const { right, explained } = await countsOf(suite, different);
    lines.push(row(suite.name, suite.questions.length, ...planned(suite.questions), right, explained));
  }
  const corpus = corpusQuestions(own);
  return [...lines, row("corpus", corpus.length, ...planned(corpus), "", ""), ""];
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
