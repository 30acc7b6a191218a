import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";
import { AGGREGATES_OF_THE_QUERY_AROUND, MISPLACED_AGGREGATES, PERCENTILES } from "./originals/aggregates.ts";
import { INTERVALS } from "./originals/intervals.ts";
import { JSON_VALUES, RAISING_JSON } from "./originals/json.ts";
import { IMPLICIT_NAMES } from "./originals/names.ts";
import { EQUAL_QUOTIENTS, EXACT_AND_REAL } from "./originals/quotients.ts";
import { DISTINCT_VALUES, LIMITS, RAISING_SERIES, SERIES, SUMS } from "./originals/rows.ts";
import { RAISING_NUMBERS, TEXTS_OF_VALUES } from "./originals/texts.ts";
import { GROWING_DECIMALS, MISSING_GROUPS, NO_RANGES, RANGES, SMALL_FUNCTIONS } from "./originals/values.ts";

const SUBJECTS = [
  SERIES,
  DISTINCT_VALUES,
  LIMITS,
  SUMS,
  EQUAL_QUOTIENTS,
  EXACT_AND_REAL,
  IMPLICIT_NAMES,
  JSON_VALUES,
  TEXTS_OF_VALUES,
  PERCENTILES,
  AGGREGATES_OF_THE_QUERY_AROUND,
  INTERVALS,
  GROWING_DECIMALS,
  SMALL_FUNCTIONS,
  MISSING_GROUPS,
  RANGES,
];

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

let database: TestDatabase;
const opened = new Map<DataSource, OpenedSource>();
const at = (source: DataSource): OpenedSource => opened.get(source)!;

beforeAll(async () => {
  database = await startPostgres();
  opened.set("postgres", await openPostgresDatabase(database));
  opened.set("local_file", await openDuckDbFiles(EXAMPLES));
});
afterAll(async () => {
  await Promise.all([...opened.values()].map((source) => source.close()));
  await database.stop();
});

const SOURCES = ["postgres", "local_file"] as const;

describe.each(SUBJECTS)("$name", ({ queries }) => {
  test.each(queries.map((query) => (typeof query === "string" ? { sql: query, refused: [] } : query)))(
    "$sql",
    async ({ sql, refused }) => {
      const original = await askAsWritten(sql, at("postgres"));
      const isRefused = refused.length === SOURCES.length;
      if (isRefused !== "outcome" in original) throw new Error(`as written: ${JSON.stringify(original)}`);
      for (const source of SOURCES) {
        const answer = await ask(sql, manifest, source, at(source));
        const verdict = "outcome" in answer || "outcome" in original ? answer : judgeAgainst(original, answer);
        if (refused.includes(source)) expect(verdict, source).toMatchObject({ outcome: "refused" });
        else expect(verdict, source).toEqual({ outcome: "right" });
      }
    },
  );
});

describe.each([...RAISING_SERIES, ...RAISING_JSON, ...RAISING_NUMBERS, ...MISPLACED_AGGREGATES, ...NO_RANGES])(
  "%s",
  (sql) => {
    test("raises as written", async () =>
      expect(await askAsWritten(sql, at("postgres"))).toMatchObject({ outcome: "engine error" }));

    test.each(SOURCES)("has no answer on %s", async (source) =>
      expect(await ask(sql, manifest, source, at(source))).toHaveProperty("outcome"),
    );
  },
);
