/** The parts of docs/evidence/parity.md on sources on which nothing is run. */
import { DORIS_GRAMMAR } from "../engines/doris/grammar.ts";
import { DORIS_ON_MYSQL, MYSQL_OTHERWISE, openDorisOnMySql } from "../engines/doris/on-mysql.ts";
import { DORIS_READ_BACK } from "../engines/doris/own.ts";
import { T_SQL } from "../engines/mssql/grammar.ts";
import { MSSQL_READ_BACK } from "../engines/mssql/own.ts";
import { ORACLE_GRAMMAR } from "../engines/oracle/grammar.ts";
import { ORACLE_READ_BACK } from "../engines/oracle/own.ts";
import { REDSHIFT_GRAMMAR } from "../engines/redshift/grammar.ts";
import { REDSHIFT_READ_BACK } from "../engines/redshift/own.ts";
import { DATABEND_OTHERWISE } from "../engines/snowflake/databend.ts";
import { EMULATED_OTHERWISE } from "../engines/snowflake/emulated.ts";
import { EMULATED_SUITES, openEmulation } from "../engines/snowflake/emulation.ts";
import { SNOWFLAKE_GRAMMAR } from "../engines/snowflake/grammar.ts";
import { SNOWFLAKE_READ_BACK } from "../engines/snowflake/own.ts";
import { corpusVerdicts } from "../engines/unexecuted/corpus.ts";
import type { ReadBack } from "../engines/unexecuted/describe.ts";
import type { EmulatedSuite } from "../engines/unexecuted/emulated.ts";
import type { Grammar } from "../engines/unexecuted/grammar.ts";
import { corpusQuestions, plannedQuestions, type Question } from "../engines/unexecuted/questions.ts";
import { hasReader } from "../engines/unexecuted/read-back.ts";
import { both, SQLPARSER_RS } from "../engines/unexecuted/sqlparser-rs.ts";
import { countsOf } from "../engines/unexecuted/suites.ts";
import { hasDatabend, openDatabend } from "../support/databend/databend.ts";
import { hasFakesnow } from "../support/fakesnow/fakesnow.ts";
import { hasMySql } from "../support/mysql-server.ts";

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

interface Emulation {
  /** Whose statements. */
  readonly title: string;
  /** A description of the engine, its different answers, and where these are listed. */
  readonly words: string;
  readonly isThere: () => boolean;
  readonly count: () => Promise<readonly EmulatedCounts[]>;
}

interface EmulatedCounts {
  readonly suite: string;
  readonly planned: number;
  readonly right: number;
  /** Number of statements that the emulation cannot parse. */
  readonly unread: number;
  readonly explained: number;
}

const EMULATIONS: readonly Emulation[] = [
  {
    title: "Snowflake",
    words: "fakesnow, which is DuckDB behind Snowflake's own connector (`test/engines/snowflake/emulated.ts`)",
    isThere: hasFakesnow,
    count: () => countsOn(openEmulation, EMULATED_SUITES, EMULATED_OTHERWISE),
  },
  {
    title: "Snowflake",
    words: "Databend, an engine of its own with much of Snowflake's language (`test/engines/snowflake/databend.ts`)",
    isThere: hasDatabend,
    count: () => countsOn(() => openEmulation(openDatabend), EMULATED_SUITES, DATABEND_OTHERWISE),
  },
  {
    title: "Doris",
    words: "MySQL, for what both can say (`test/engines/doris/on-mysql.ts`)",
    isThere: () => hasMySql("mysql"),
    count: () => countsOn(openDorisOnMySql, DORIS_ON_MYSQL, MYSQL_OTHERWISE),
  },
];

/** Lines of Markdown; without the readers there are none. */
export async function unexecutedSections(): Promise<readonly string[]> {
  const sections: string[] = [];
  for (const source of SOURCES) {
    if (source.grammar.isThere() && hasReader()) sections.push(...(await sectionOf(source)));
    for (const emulation of EMULATIONS) {
      if (emulation.title === source.title && emulation.isThere()) sections.push(...(await emulatedLines(emulation)));
    }
  }
  return sections;
}

/** Behind the section of its source. */
async function emulatedLines({ title, words, count }: Emulation): Promise<string[]> {
  const counts = await count();
  return [
    `Run by ${words},`,
    `which is *not* ${title}; what it answers otherwise is listed there, with the reason.`,
    "",
    "| queries | planned | right when emulated | cannot be read there | otherwise, explained |",
    "|---|---|---|---|---|",
    ...counts.map(({ suite, planned, right, unread, explained }) => row(suite, planned, right, unread, explained)),
    "",
  ];
}

async function countsOn<E extends { close(): Promise<unknown> }>(
  open: () => Promise<E>,
  suites: readonly EmulatedSuite<E>[],
  otherwise: Readonly<Record<string, string>>,
): Promise<readonly EmulatedCounts[]> {
  const engines = await open();
  const all: EmulatedCounts[] = [];
  try {
    for (const { name: suite, questions } of suites) {
      const counts = { planned: 0, right: 0, unread: 0, explained: 0 };
      for (const { name, verdict } of questions) {
        const judged = await verdict(engines);
        if (judged === undefined || judged.outcome === "refused") continue;
        counts.planned++;
        if (judged.outcome === "right") counts.right++;
        else if (Object.hasOwn(otherwise, name)) counts.explained++;
        else if (judged.outcome === "engine error") counts.unread++;
      }
      all.push({ suite, ...counts });
    }
  } finally {
    await engines.close();
  }
  return all;
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
    `DuckDB's own plan. What is refused is listed in \`test/parity/refused/matrix.ts\`, why rows differ or a grammar does not`,
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
