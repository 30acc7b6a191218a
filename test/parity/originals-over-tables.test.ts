import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";
import { MANIFESTS, type OriginalsEngines, openOriginals } from "./originals-engines.ts";
import { OVER_TABLES, TOO_MANY_DIGITS } from "./originals-over-tables.ts";
import { REFUSED_BY_DUCKDB } from "./refused/duckdb.ts";
import { REFUSED_BY_POSTGRES } from "./refused/postgres.ts";

const REFUSED = { postgres: REFUSED_BY_POSTGRES, duckdb: REFUSED_BY_DUCKDB };

let engines: OriginalsEngines;

beforeAll(async () => {
  engines = await openOriginals();
});
afterAll(() => engines.close());

describe.each(OVER_TABLES)("$name", ({ queries }) => {
  test.each(queries)("%s", async (sql) => {
    const reference = await askAsWritten(sql, engines.postgres);
    if ("outcome" in reference) throw new Error(`as written: ${reference.detail}`);
    for (const source of ["postgres", "duckdb"] as const) {
      const answer = await ask(sql, MANIFESTS[source], source, engines[source]);
      const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer);
      const isRefused = REFUSED[source].originals.includes(sql);
      expect.soft(verdict, source).toMatchObject({ outcome: isRefused ? "refused" : "right" });
    }
  });
});

test.each(TOO_MANY_DIGITS)("raises on DuckDB: %s", async (sql) => {
  expect(await askAsWritten(sql, engines.postgres)).toHaveProperty("rows");
  expect(await ask(sql, MANIFESTS.duckdb, "duckdb", engines.duckdb)).toMatchObject({ outcome: "engine error" });
});
