/**
 * One clock: what depends on the session's zone, on every engine that can be run, beside PostgreSQL's own session in that zone. The
 * tables of zones of MySQL and MariaDB are filled by `test/support/mysql-zones.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, type Verdict } from "../parity/judge.ts";
import { isRefusedEverywhere } from "../parity/session-zones.ts";
import { ZONED_QUESTIONS, type ZonedQuestion, zonedVerdict } from "../parity/zoned-judge.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { ENGINES } from "./engines-beside-postgres.ts";

/** Statements that an engine's plans refuse in UTC as well, by a part of their text. */
const ALSO_REFUSED: Readonly<Record<string, readonly string[]>> = {
  mysql: ["ARRAY[t,"],
  mariadb: ["ARRAY[t,"],
  ClickHouse: ["ARRAY[t,", "generate_series("],
};

/** Ages whose days no engine but DuckDB has. */
const AGE_IN_DAYS = "extract(day FROM age(";

const isRefused = (engine: string, sql: string): boolean =>
  isRefusedEverywhere(sql) ||
  sql.includes(AGE_IN_DAYS) ||
  (ALSO_REFUSED[engine] ?? []).some((part) => sql.includes(part));

/** Questions that did not end as listed, with what came of them. */
async function faults(engine: string, verdictOf: (question: ZonedQuestion) => Promise<Verdict>): Promise<string[]> {
  const found: string[] = [];
  for (const question of ZONED_QUESTIONS) {
    const verdict = await verdictOf(question);
    const wanted = isRefused(engine, question.sql) ? "refused" : "right";
    if (verdict.outcome === wanted) continue;
    const detail = "detail" in verdict ? verdict.detail : "";
    found.push(`${verdict.outcome} ${detail}\n  ${question.zone}: ${question.sql}`);
  }
  return found;
}

describe.each(ENGINES.filter(({ name }) => name !== "DuckDB"))("$name", ({ name, source, isThere, without, open }) => {
  if (!isThere) return test.skip(without, () => {});
  let postgres: OpenedSource;
  let opened: OpenedSource;
  beforeAll(async () => {
    [postgres, opened] = await Promise.all([openPostgres(), open()]);
  });
  afterAll(() => Promise.all([postgres.close(), opened.close()]));

  test("answers as PostgreSQL, or refuses", { timeout: 1_200_000 }, async () => {
    expect(await faults(name, (question) => zonedVerdict(question, { source, opened }, postgres))).toEqual([]);
  });

  if (source !== "mysql") return;
  test.each([
    ["a zone that the server's tables lack", "Asia/Singapore", "2024-07-01 12:00:00+00"],
    ["an instant before its tables", "Europe/Berlin", "1969-12-31 12:00:00+00"],
    ["an instant after its tables", "Europe/Berlin", "2040-07-01 12:00:00+00"],
  ])("raises for %s", async (_, zone, at) => {
    const sql = `SELECT t AT TIME ZONE '${zone}' AS a FROM (VALUES (TIMESTAMPTZ '${at}')) AS v(t)`;
    const answer = await ask(sql, manifestOf({ catalog: "c", schema: "s", models: [] }), source, opened);
    expect(answer).toMatchObject({ outcome: "engine error", detail: expect.stringContaining("cannot be read") });
  });
});
