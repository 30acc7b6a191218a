import { expect, test } from "vitest";
import { BEST_EFFORT_SOURCES } from "../../src/config/row-rules.ts";
import { readWorkerSettings } from "../../src/config.ts";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";

const read = (ROW_RULES: string) => readWorkerSettings({ AUTH: "none", ROW_RULES });

test.each<[string, readonly string[]]>([
  ["", []],
  ["proven", []],
  ["besteffort", BEST_EFFORT_SOURCES],
  ["proven,snowflake:besteffort", ["snowflake"]],
  ["snowflake:besteffort, oracle:besteffort", ["snowflake", "oracle"]],
  ["besteffort,snowflake:proven", BEST_EFFORT_SOURCES.filter((source) => source !== "snowflake")],
])("%s accepts barriers on %s", (text, sources) => {
  expect(read(text)).toMatchObject({ ok: true, settings: { ROW_RULES: sources } });
});

test.each([
  "yes",
  "BESTEFFORT",
  "snowflake",
  "snowflake:",
  "snowflake:yes",
  "duckdb:besteffort",
  "postgres:besteffort",
  ":besteffort",
])("%s stops the start", (text) => {
  expect(read(text)).toMatchObject({ ok: false, problems: [expect.stringMatching(/^ROW_RULES/)] });
});

test("the sources are those whose dialects have an unproven form", () => {
  expect(DATA_SOURCES.filter((source) => targetOf(source).fence.bestEffort !== undefined).sort()).toEqual([
    ...BEST_EFFORT_SOURCES,
  ]);
});
