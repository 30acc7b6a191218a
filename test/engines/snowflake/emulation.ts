/**
 * Plans for Snowflake, run on fakesnow: an emulation on DuckDB, and *not* Snowflake. Analyst queries are compared with
 * their committed rows, the others with DuckDB's own plan, which other suites compare with PostgreSQL's.
 */
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask, judgeAgainst, judgeRows } from "../../parity/judge.ts";
import type { Question } from "../../parity/queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../../parity/questions.ts";
import { isRefusedOn } from "../../parity/refused/refused-on.ts";
import { REFUSED_BY_SNOWFLAKE } from "../../parity/refused/snowflake.ts";
import { plainManifest } from "../../support/analyst.ts";
import { openFakesnow } from "../../support/fakesnow/fakesnow.ts";
import { manifestOf } from "../../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { TPCH_TABLES } from "../../support/tpch.ts";
import type { EmulatedQuestion, EmulatedSuite } from "../unexecuted/emulated.ts";
import { EXAMPLES } from "../unexecuted/questions.ts";

export interface Engines {
  readonly emulator: OpenedSource;
  readonly files: OpenedSource;
}

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const tpch = manifestOf(plainManifest("snowflake"));

const analyst = ANALYST_QUERIES.map(
  ({ id, sql, ordered, expected }): EmulatedQuestion<Engines> => ({
    name: id,
    verdict: async ({ emulator }) => {
      const answer = await ask(sql, tpch, "snowflake", emulator);
      return "outcome" in answer ? answer : judgeRows(answer, expected, ordered);
    },
  }),
);

const besideDuckDb = ({ name, sql }: Question): EmulatedQuestion<Engines> => ({
  name,
  verdict: async ({ emulator, files }) => {
    const expected = await ask(sql, withoutTables, "local_file", files);
    if ("outcome" in expected) return undefined;
    const answer = await ask(sql, withoutTables, "snowflake", emulator);
    return "outcome" in answer ? answer : judgeAgainst(expected, answer, { ordered: false, json: "value" });
  },
});

const planned = (name: string, questions: readonly EmulatedQuestion<Engines>[]): EmulatedSuite<Engines> => ({
  name,
  questions: questions.filter(
    (each) => !isRefusedOn("snowflake", each.name) && !REFUSED_BY_SNOWFLAKE.analyst.includes(each.name),
  ),
});

/** Suites of the statements that are not rejected. */
export const EMULATED_SUITES: readonly EmulatedSuite<Engines>[] = [
  planned("analyst queries", analyst),
  planned("constructs", CONSTRUCT_QUESTIONS.map(besideDuckDb)),
  planned("functions", FUNCTION_QUESTIONS.map(besideDuckDb)),
];

/** `open`: of tables, by their names, what emulates Snowflake. */
export async function openEmulation(
  open: (tables: Readonly<Record<string, string>>) => OpenedSource = openFakesnow,
): Promise<Engines & { close(): Promise<unknown> }> {
  const files = await openDuckDbFiles(EXAMPLES);
  const emulator = open(Object.fromEntries(TPCH_TABLES.map((name) => [name, `${EXAMPLES}/tpch/${name}.parquet`])));
  return { files, emulator, close: () => Promise.all([files.close(), emulator.close()]) };
}
