/** `functions.ts`: every function of the catalogue on every engine that says it has it. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functionNames } from "../../src/planner/functions/catalogue.ts";
import type { ActualCell } from "../support/comparator.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";
import { type Answer, ask, judgeAgainst } from "./judge.ts";
import { titled } from "./queries.ts";
import { FUNCTION_QUESTIONS } from "./questions.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

let postgres: OpenedSource;
let duckdb: OpenedSource;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([openPostgres(), openDuckDbFiles(EXAMPLES)]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
});

/** JSON is compared by what it says, not by its blanks. */
function plain(answer: Answer): Answer {
  const cell = (value: ActualCell): ActualCell => {
    if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
    return value.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_all, text?: string) => text ?? "");
  };
  return { ...answer, rows: answer.rows.map((row) => row.map(cell)) };
}

/** Without a counterpart on PostgreSQL there is nothing to compare with. */
const NOT_ON_POSTGRES: ReadonlySet<string> = new Set(["product", "skewness", "kurtosis"]);
/** Refused on DuckDB, whatever the arguments; the planner's tests say so. */
const NOT_ON_DUCKDB: ReadonlySet<string> = new Set(["clock_timestamp"]);

test.each(functionNames().filter((name) => !NOT_ON_POSTGRES.has(name) && !NOT_ON_DUCKDB.has(name)))(
  "%s is tried",
  (name) => {
    const isCalled = new RegExp(`\\b${name}\\b`, "i");
    expect(FUNCTION_QUESTIONS.some(({ sql }) => isCalled.test(sql))).toBe(true);
  },
);

test.each(titled(FUNCTION_QUESTIONS))("%s", async (_, { sql }) => {
  const reference = await ask(sql, manifest, "postgres", postgres);
  if ("outcome" in reference) expect.fail(reference.detail);
  const answer = await ask(sql, manifest, "local_file", duckdb);
  if ("outcome" in answer) expect.fail(answer.detail);
  expect(judgeAgainst(plain(reference), plain(answer))).toEqual({ outcome: "right" });
});
