/** One clock: what depends on the session's zone, on PostgreSQL and DuckDB, beside PostgreSQL's own session in that zone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EnginesWithoutTables, openEnginesWithoutTables } from "./engines-without-tables.ts";
import { isRefusedEverywhere } from "./session-zones.ts";
import { ZONED_QUESTIONS, zonedVerdict } from "./zoned-judge.ts";

let engines: EnginesWithoutTables;
beforeAll(async () => {
  engines = await openEnginesWithoutTables();
});
afterAll(() => engines.close());

describe.each(["postgres", "local_file"] as const)("%s", (source) => {
  test.each(ZONED_QUESTIONS)("$zone: $sql", async (question) => {
    const opened = source === "postgres" ? engines.postgres : engines.duckdb;
    const verdict = await zonedVerdict(question, { source, opened }, engines.postgres);
    if (!isRefusedEverywhere(question.sql)) expect(verdict).toEqual({ outcome: "right" });
    else
      expect(verdict).toMatchObject({
        outcome: "refused",
        detail: expect.stringMatching(/^(?:TIME_ZONE_UNSUPPORTED|UNSUPPORTED_ON_SOURCE)/),
      });
  });
});
