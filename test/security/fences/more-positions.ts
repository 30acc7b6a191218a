/** Fifteen more places for a caller's condition, which with `POSITIONS` make the 51 that barriers are attacked at. */
import type { Position } from "./shapes.ts";

const counted = (p: string): string => `CASE WHEN ${p} THEN 1 ELSE 0 END`;

export const MORE_POSITIONS = {
  "key of an excluded row": (m, p) => `SELECT m.id FROM ${m("m")} WHERE m.id = 1 AND ${p}`,
  "keys of excluded rows": (m, p) => `SELECT m.id FROM ${m("m")} WHERE (m.id = 1 OR m.id = 3) AND ${p}`,
  "number of an excluded row": (m, p) => `SELECT m.id FROM ${m("m")} WHERE m.n = 0 AND ${p}`,
  "text of an excluded row": (m, p) => `SELECT m.id FROM ${m("m")} WHERE m.v = 'poison' AND ${p}`,
  "HAVING over a group": (m, p) => `SELECT m.owner FROM ${m("m")} GROUP BY m.owner HAVING min(${counted(p)}) = 1`,
  "RIGHT JOIN": (m, p) => `SELECT m.id FROM ${m("m")} RIGHT JOIN other AS o ON o.k = m.id AND ${p}`,
  "CROSS JOIN": (m, p) => `SELECT count(*) FROM ${m("m")} CROSS JOIN (SELECT 1 AS one) AS c WHERE ${p}`,
  "join of two derived tables": (m, p) =>
    `SELECT a.id FROM (SELECT m.id, ${counted(p)} AS q FROM ${m("m")}) AS a JOIN (SELECT m.id, ${counted(p)} AS q FROM ${m("m")}) AS z ON a.id = z.id AND a.q = z.q`,
  "UNION of conditions": (m, p) =>
    `SELECT ${counted(p)} AS q FROM ${m("m")} UNION SELECT ${counted(p)} AS q FROM ${m("m")} WHERE m.id < 100`,
  EXCEPT: (m, p) => `SELECT m.id FROM ${m("m")} WHERE ${p} EXCEPT SELECT o.oid FROM other AS o WHERE o.oid < 10`,
  "lag over a condition": (m, p) => `SELECT m.id, lag(${counted(p)}) OVER (ORDER BY m.id) AS q FROM ${m("m")}`,
  "rows in the order of a condition": (m, p) =>
    `SELECT m.id, row_number() OVER (ORDER BY ${counted(p)}, m.id) AS q FROM ${m("m")}`,
  "first rows of a derived table": (m, p) =>
    `SELECT d.id FROM (SELECT m.id, ${counted(p)} AS q FROM ${m("m")} ORDER BY m.id LIMIT 5) AS d WHERE d.q = 1`,
  "aggregate of a join": (m, p) =>
    `SELECT o.w, sum(${counted(p)}) AS q FROM other AS o JOIN ${m("m")} ON o.k = m.id GROUP BY o.w`,
  "three tables": (m, p) =>
    `SELECT m.id FROM other AS o JOIN ${m("m")} ON o.k = m.id JOIN grants AS g ON g.owner = m.owner WHERE g.member = 'me' AND ${p}`,
} satisfies Record<string, Position>;
