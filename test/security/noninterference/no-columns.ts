/**
 * Conditions and values that name no column and fail whenever they are computed. Engines compute them where they like: once for a
 * statement, or for the first row that arrives somewhere, which below a fence is a row that nobody may know of. Trino and Spark did
 * the latter (docs/decisions/0020-row-rules.md#decision).
 */
import type { RandomStatement } from "./statements.ts";

const NOTHING = "(SELECT count(*) FROM grants g WHERE g.user_name = 'nobody')";
const VALUES = [`10 / ${NOTHING}`, `CAST(concat('x', ${NOTHING}) AS INTEGER)`, "1 / 0"];

const PLACES: readonly ((value: string) => string)[] = [
  (value) => `SELECT o.id FROM orders o WHERE ${value} > 0`,
  (value) => `SELECT o.id FROM orders o WHERE o.id > 0 AND ${value} > 0`,
  (value) => `SELECT count(*) AS n FROM orders o WHERE ${value} > 0`,
  (value) => `SELECT i.id FROM items i JOIN orders o ON o.id = i.order_id WHERE ${value} > 0`,
  (value) => `SELECT i.id, o.id AS o FROM items i LEFT JOIN orders o ON o.id = i.order_id AND ${value} > 0`,
  (value) => `SELECT o.id FROM orders o LEFT JOIN items i ON o.id = i.order_id AND ${value} > 0`,
  (value) =>
    `SELECT g.granted_area FROM grants g WHERE EXISTS (SELECT 1 FROM orders o WHERE o.area = g.granted_area AND ${value} > 0)`,
  (value) =>
    `SELECT g.granted_area FROM grants g WHERE g.granted_area IN (SELECT o.area FROM orders o WHERE ${value} > 0)`,
  (value) => `SELECT o.area, count(*) AS n FROM orders o GROUP BY o.area HAVING ${value} > 0`,
  (value) => `SELECT o.id, ${value} AS x FROM orders o`,
  (value) => `SELECT max(${value}) AS x FROM orders o`,
  (value) => `SELECT o.id FROM orders o ORDER BY ${value}`,
  (value) => `SELECT CASE WHEN o.id > 0 THEN ${value} END AS x FROM orders o`,
  (value) => `SELECT g.user_name FROM grants g UNION ALL SELECT o.owner FROM orders o WHERE ${value} > 0`,
  (value) => `WITH c AS (SELECT o.id FROM orders o WHERE ${value} > 0) SELECT count(*) AS n FROM c`,
  (value) => `SELECT v.id FROM star_view v WHERE ${value} > 0`,
  (value) => `SELECT c.id FROM copies c WHERE ${value} > 0`,
];

export const WITHOUT_COLUMNS: readonly RandomStatement[] = VALUES.flatMap((value) =>
  PLACES.map((place) => ({ question: { sql: place(value) }, constructs: new Set<string>(), ordered: false })),
);
