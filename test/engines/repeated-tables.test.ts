/**
 * Common tables that are read twice, and quotients of different sides that are compared, on every engine beside PostgreSQL. MySQL 9.7 itself
 * answers the first kind wrongly (`dialects/mysql/quirks/shared-tables.ts`).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { ENGINES, faultsOf } from "./engines-beside-postgres.ts";

const ROWS =
  "(VALUES (1, 5, 'x'), (1, 3, NULL), (3, 5, 'y'), (9, 3, 'x'), (8, 5, NULL), (NULL, NULL, 'y'), (2, NULL, NULL))";
const OTHERS = [
  "NOT EXISTS (SELECT 1 FROM c AS m WHERE m.d = 77)",
  "(SELECT max(m.k) FROM c AS m WHERE m.d = 5) > 0",
  "k IN (SELECT m.k FROM c AS m WHERE m.s = 'x' AND m.d = 3)",
];
const QUESTIONS = (other: string): readonly string[] => [
  `SELECT d, count(*) AS n FROM c WHERE ${other} GROUP BY d ORDER BY 1`,
  `SELECT d, s, count(*) AS n FROM c WHERE ${other} GROUP BY d, s ORDER BY 1, 2`,
  `SELECT s, min(k) AS n FROM c WHERE ${other} GROUP BY s ORDER BY 1`,
  `SELECT DISTINCT d FROM c WHERE ${other} ORDER BY 1`,
  `SELECT d FROM c WHERE ${other} ORDER BY d LIMIT 2`,
  `SELECT count(*) AS n FROM (SELECT d FROM c WHERE ${other} GROUP BY d) AS t`,
];
const SHARED = OTHERS.flatMap(QUESTIONS).map(
  (sql) => `WITH c(k, d, s) AS (SELECT * FROM ${ROWS} AS v(k, d, s)) ${sql}`,
);

const DECIMALS =
  "(VALUES (1, 0.05::numeric(10,2), 3::numeric(10,2), 3.0000::numeric(10,4)), (2, 0.70, 0.3, 0.3), (3, 1, 7, 7), (4, NULL, 3, 3), (5, 2, 3, NULL), (6, 2, 0.6, 0.7))";
const QUOTIENTS = [
  `SELECT i FROM ${DECIMALS} AS t(i, a, b, c) WHERE a / b = a / c ORDER BY i`,
  `SELECT i, a / b <> a / c AS x, a / b IS DISTINCT FROM a / c AS y, a / b IN (a / c, 1) AS z FROM ${DECIMALS} AS t(i, a, b, c) ORDER BY i`,
  `SELECT i FROM ${DECIMALS} AS t(i, a, b, c) WHERE a / 3 IN (SELECT u.a / u.c FROM ${DECIMALS} AS u(i, a, b, c)) ORDER BY i`,
  `SELECT t.i, u.i AS j FROM ${DECIMALS} AS t(i, a, b, c) JOIN (SELECT i, a / c AS q FROM ${DECIMALS} AS v(i, a, b, c)) AS u ON t.a / t.b = u.q ORDER BY 1, 2`,
  `SELECT i, a / b <= a / c AS x, a / c BETWEEN a / b AND 9 AS y FROM ${DECIMALS} AS t(i, a, b, c) ORDER BY i`,
  `SELECT a / 3 = avg(b) / avg(c) AS x FROM ${DECIMALS} AS t(i, a, b, c) WHERE b = c GROUP BY a ORDER BY a`,
];

let postgres: OpenedSource;
beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres?.close());

for (const engine of ENGINES) {
  describe.skipIf(!engine.isThere)(engine.isThere ? engine.name : engine.without, () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await engine.open();
    }, 120_000);
    afterAll(() => opened?.close());

    test("common tables that are read twice", async () => {
      expect(await faultsOf(SHARED, engine, opened, postgres)).toBe("");
    }, 120_000);

    test("quotients that are compared", async () => {
      expect(await faultsOf(QUOTIENTS, engine, opened, postgres)).toBe("");
    }, 120_000);
  });
}
