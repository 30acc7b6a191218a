import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";
import { MISPLACED_AGGREGATES } from "./originals/aggregates.ts";
import { RAISING_JSON } from "./originals/json.ts";
import { RAISING_SERIES } from "./originals/rows.ts";
import { SUBJECTS } from "./originals/subjects.ts";
import { RAISING_NUMBERS } from "./originals/texts.ts";
import { NO_RANGES } from "./originals/values.ts";
import { questionsOf, titled } from "./queries.ts";
import { isRefusedOn } from "./refused/refused-on.ts";

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
const isRefused = (source: (typeof SOURCES)[number], name: string): boolean =>
  isRefusedOn(source === "postgres" ? "postgres" : "duckdb", name);

describe.each(SUBJECTS)("$name", ({ name: subject, queries }) => {
  test.each(titled(questionsOf(subject, queries)))("%s", async (name, { sql }) => {
    const original = await askAsWritten(sql, at("postgres"));
    const hasNoAnswer = SOURCES.every((source) => isRefused(source, name));
    if (hasNoAnswer !== "outcome" in original) throw new Error(`as written: ${JSON.stringify(original)}`);
    for (const source of SOURCES) {
      const answer = await ask(sql, manifest, source, at(source));
      const verdict = "outcome" in answer || "outcome" in original ? answer : judgeAgainst(original, answer);
      if (isRefused(source, name)) expect(verdict, source).toMatchObject({ outcome: "refused" });
      else expect(verdict, source).toEqual({ outcome: "right" });
    }
  });
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
