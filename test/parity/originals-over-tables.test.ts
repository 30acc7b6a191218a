import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";
import { MANIFESTS, type OriginalsEngines, openOriginals } from "./originals-engines.ts";
import { OVER_TABLES, TOO_MANY_DIGITS } from "./originals-over-tables.ts";
import { questionsOf, titled } from "./queries.ts";
import { isRefusedOn } from "./refused/refused-on.ts";

let engines: OriginalsEngines;

beforeAll(async () => {
  engines = await openOriginals();
});
afterAll(() => engines.close());

describe.each(OVER_TABLES)("$name", ({ name: subject, queries }) => {
  test.each(titled(questionsOf(subject, queries)))("%s", async (name, { sql }) => {
    const reference = await askAsWritten(sql, engines.postgres);
    if ("outcome" in reference) throw new Error(`as written: ${reference.detail}`);
    for (const source of ["postgres", "duckdb"] as const) {
      const answer = await ask(sql, MANIFESTS[source], source, engines[source]);
      const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer);
      expect.soft(verdict, source).toMatchObject({ outcome: isRefusedOn(source, name) ? "refused" : "right" });
    }
  });
});

test.each(TOO_MANY_DIGITS)("raises on DuckDB: %s", async (sql) => {
  expect(await askAsWritten(sql, engines.postgres)).toHaveProperty("rows");
  expect(await ask(sql, MANIFESTS.duckdb, "duckdb", engines.duckdb)).toMatchObject({ outcome: "engine error" });
});
