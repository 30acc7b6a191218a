/** The parts of docs/parity.md on sources on which nothing is run. */
import { DORIS_GRAMMAR } from "../engines/doris/grammar.ts";
import { DORIS_READ_BACK } from "../engines/doris/own.ts";
import { T_SQL } from "../engines/mssql/grammar.ts";
import { MSSQL_READ_BACK } from "../engines/mssql/own.ts";
import { ORACLE_GRAMMAR } from "../engines/oracle/grammar.ts";
import { ORACLE_READ_BACK } from "../engines/oracle/own.ts";
import { REDSHIFT_GRAMMAR } from "../engines/redshift/grammar.ts";
import { REDSHIFT_READ_BACK } from "../engines/redshift/own.ts";
import { EMULATED_OTHERWISE } from "../engines/snowflake/emulated.ts";
import { EMULATED_SUITES, openEmulation } from "../engines/snowflake/emulation.ts";
import { SNOWFLAKE_GRAMMAR } from "../engines/snowflake/grammar.ts";
import { SNOWFLAKE_READ_BACK } from "../engines/snowflake/own.ts";
import { corpusVerdicts } from "../engines/unexecuted/corpus.ts";
import type { ReadBack } from "../engines/unexecuted/describe.ts";
import type { Grammar } from "../engines/unexecuted/grammar.ts";
import { corpusQuestions, plannedQuestions, type Question } from "../engines/unexecuted/questions.ts";
import { hasReader } from "../engines/unexecuted/read-back.ts";
import { both, SQLPARSER_RS } from "../engines/unexecuted/sqlparser-rs.ts";
import { countsOf } from "../engines/unexecuted/suites.ts";
import { hasFakesnow } from "../support/fakesnow/fakesnow.ts";

interface UnexecutedSource {
  readonly title: string;
  /** Whose grammar judges the statements. */
  readonly judged: string;
  readonly grammar: Grammar;
  readonly readBack: ReadBack;
}

const SOURCES: readonly UnexecutedSource[] = [
  {
    title: "SQL Server",
    judged:
      "A grammar of T-SQL (`antlr4ts-sql`), with rules of the server's that it lacks, and sqlparser-rs, both of which have to, take",
    grammar: both(T_SQL, SQLPARSER_RS.mssql),
    readBack: MSSQL_READ_BACK,
  },
  {
    title: "Oracle",
    judged:
      "A parser of its SQL (`qivo-parseora`), sqlfluff's grammar of it and sqlparser-rs, all of which have to, take",
    grammar: both(ORACLE_GRAMMAR, SQLPARSER_RS.oracle),
    readBack: ORACLE_READ_BACK,
  },
  {
    title: "Redshift",
    judged:
      "sqlfluff's grammar of Redshift, less what that has from PostgreSQL's alone, and sqlparser-rs, both of which have to, take",
    grammar: both(REDSHIFT_GRAMMAR, SQLPARSER_RS.redshift),
    readBack: REDSHIFT_READ_BACK,
  },
  {
    title: "Doris",
    judged: "sqlfluff's grammar of Doris, less what that has from MySQL's alone, takes",
    grammar: DORIS_GRAMMAR,
    readBack: DORIS_READ_BACK,
  },
  {
    title: "Snowflake",
    judged:
      "sqlfluff's grammar of Snowflake, less what that takes and Snowflake has not got, and sqlparser-rs, both of which have to, take",
    grammar: both(SNOWFLAKE_GRAMMAR, SQLPARSER_RS.snowflake),
    readBack: SNOWFLAKE_READ_BACK,
  },
];

/** Lines of Markdown; without the readers there are none. */
export async function unexecutedSections(): Promise<readonly string[]> {
  const sections: string[] = [];
  for (const source of SOURCES) {
    if (source.grammar.isThere() && hasReader()) sections.push(...(await sectionOf(source)));
  }
  return hasFakesnow() ? [...sections, ...(await emulatedLines())] : sections;
}

/** Behind Snowflake's section. */
async function emulatedLines(): Promise<string[]> {
  const lines = [
    "fakesnow, which is DuckDB behind Snowflake's own connector, runs its statements as well: an emulation, and *not* Snowflake. What it",
    "answers otherwise, and why, is listed in `test/engines/snowflake/emulated.ts`.",
    "",
    "| queries | planned | right when emulated | otherwise, explained |",
    "|---|---|---|---|",
  ];
  const engines = await openEmulation();
  try {
    for (const { name, questions } of EMULATED_SUITES) {
      const counts = { right: 0, explained: 0 };
      for (const question of questions) {
        const verdict = await question.verdict(engines);
        if (verdict?.outcome === "right") counts.right++;
        else if (verdict !== undefined && Object.hasOwn(EMULATED_OTHERWISE, question.name)) counts.explained++;
      }
      lines.push(row(name, questions.length, counts.right, counts.explained));
    }
  } finally {
    await engines.close();
  }
  return [...lines, ""];
}

async function sectionOf({ title, judged, grammar, readBack }: UnexecutedSource): Promise<string[]> {
  const { own, suites, script, different } = readBack;
  const judge = grammar.open();
  const planned = (questions: readonly Question[]): readonly [planned: number, taken: number] => {
    const statements = plannedQuestions(questions).map(({ statement }) => statement);
    return [statements.length, judge(statements).filter((fault) => fault === undefined).length];
  };
  const lines = [
    `## ${title}`,
    "",
    `Planned for by its manual and *not executed*. ${judged}`,
    "the statements, and sqlglot reads them and says them for DuckDB: the rows are those of the analyst queries, or of",
    `DuckDB's own plan. What is refused is listed in \`test/parity/refused/${own.source}.ts\`, why rows differ or a grammar does not`,
    `take a statement in \`test/engines/${own.source}/\`.`,
    "",
    "| queries | asked | planned | taken by the grammars | right when read back | different, explained |",
    "|---|---|---|---|---|---|",
  ];
  for (const suite of suites) {
    const { right, explained } = await countsOf(suite, different);
    lines.push(row(suite.name, suite.questions.length, ...planned(suite.questions), right, explained));
  }
  const corpus = corpusQuestions(own);
  const outcomes = (await corpusVerdicts(own, script, { schemas: 1, share: 1 })).map(
    ({ verdict: { outcome }, name }) =>
      outcome === "right" || !Object.hasOwn(different, name) ? outcome : "explained",
  );
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  return [...lines, row("corpus", corpus.length, ...planned(corpus), count("right"), count("explained")), ""];
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
