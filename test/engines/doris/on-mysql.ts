/**
 * Plans for Doris in syntax that MySQL shares, run on MySQL, which is *not* Doris, must return PostgreSQL's rows.
 * Statements that MySQL cannot parse are outside the common part. MySQL lacks NULLS FIRST and LAST: these are removed
 * if they affect neither the rows nor a computed value, and then the order of rows is not checked.
 */
import type { Connector } from "../../../src/connectors/connector.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask, judgeAgainst, judgeRows } from "../../parity/judge.ts";
import type { Question } from "../../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../../parity/questions.ts";
import { plainManifest } from "../../support/analyst.ts";
import { manifestOf } from "../../support/plan.ts";
import { type OpenedSource, openMySqlTpch, openPostgres } from "../../support/sources.ts";
import type { EmulatedQuestion, EmulatedSuite } from "../unexecuted/emulated.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
// The tables have no schema there.
const tpch = manifestOf(plainManifest("mysql"));

/** The session settings of a Doris plan that MySQL has. */
const SESSION = [
  { name: "time_zone", value: "+00:00" },
  { name: "sql_mode", value: "ONLY_FULL_GROUP_BY" },
];

/** How MySQL says that it has no such thing: syntax, a function, a length. */
export const BEYOND = /^(You have an error in your SQL syntax|FUNCTION \S+ does not exist|Too-big precision 76)/;

/** Statements that MySQL answers differently from Doris, with the reason. */
export const MYSQL_OTHERWISE: Readonly<Record<string, string>> = {
  "clocks of named zones around their changes/four-zones": "the server has no tables of time zones",
  Q17: "what stands behind GROUP_CONCAT's first value is a second one to MySQL, and the separator to Doris",
  "text comparison/operators": "utf8mb4_bin pads with blanks, Doris does not",
};

const NULLS = / NULLS (?:FIRST|LAST)\b/g;

/** MySQL's form of the SQL; unchanged if NULLS affects more than an order. */
const forMySql = (sql: string): string => (/ LIMIT | OVER |\bROW_NUMBER\b/.test(sql) ? sql : sql.replace(NULLS, ""));

export interface Engines {
  readonly mysql: OpenedSource;
  readonly postgres: OpenedSource;
}

export async function openDorisOnMySql(): Promise<Engines & { close(): Promise<unknown> }> {
  const [mysql, postgres] = await Promise.all([openMySqlTpch("mysql"), openPostgres()]);
  return { mysql, postgres, close: () => Promise.all([mysql.close(), postgres.close()]) };
}

function askMySql(sql: string, manifest: Manifest, { mysql }: Engines): ReturnType<typeof ask> {
  const query: Connector["query"] = (statement, options) =>
    mysql.connector.query({ ...statement, sql: forMySql(statement.sql), session: SESSION }, options);
  return ask(sql, manifest, "doris", { ...mysql, connector: { ...mysql.connector, query } });
}

const analyst = ANALYST_QUERIES.map(
  ({ id, sql, expected }): EmulatedQuestion<Engines> => ({
    name: id,
    verdict: async (engines) => {
      const answer = await askMySql(sql, tpch, engines);
      return "outcome" in answer ? answer : judgeRows(answer, expected, false);
    },
  }),
);

const besidePostgres = ({ name, sql }: Question): EmulatedQuestion<Engines> => ({
  name,
  verdict: async (engines) => {
    const answer = await askMySql(sql, withoutTables, engines);
    if ("outcome" in answer) return answer;
    const expected = await ask(sql, withoutTables, "postgres", engines.postgres);
    return "outcome" in expected ? undefined : judgeAgainst(expected, answer, { ordered: false, json: "value" });
  },
});

export const DORIS_ON_MYSQL: readonly EmulatedSuite<Engines>[] = [
  { name: "analyst queries", questions: analyst },
  { name: "constructs", questions: CONSTRUCT_QUESTIONS.map(besidePostgres) },
  { name: "functions", questions: FUNCTION_QUESTIONS.map(besidePostgres) },
];
