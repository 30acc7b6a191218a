/** Numbers of any two types that meet: compared, joined, looked for among each other, put into one column. */
import type { Random } from "../../support/random-query.ts";
import { type Maker, ordered, rows, unordered } from "./maker.ts";

const SMALL = ["0", "1", "-7", "NULL"];
const WHOLE = [...SMALL, "16777217", "16777216"];
const LONG = [...WHOLE, "9007199254740993", "9007199254740992", "9223372036854775807"];

const VALUES: Readonly<Record<string, readonly string[]>> = {
  smallint: SMALL,
  int: WHOLE,
  bigint: LONG,
  "numeric(20, 2)": [...WHOLE, "0.1", "0.5", "9007199254740993", "16777217.01"],
  "numeric(8, 1)": [...SMALL, "0.1", "0.5"],
  real: [...SMALL, "0.1", "0.5", "16777216", "9007199254740992"],
  float8: [...LONG, "0.1", "0.5", "-0.5"],
};

const numbers = (random: Random, alias: string): string => {
  const type = random.pick(Object.keys(VALUES));
  return rows(random, alias, { v: { type, values: VALUES[type]! } });
};

export const meetings: Maker = (random) => {
  const [a, b] = [numbers(random, "a"), numbers(random, "b")];
  const operator = random.pick(["=", "=", "<", ">=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"]);
  const known = random.pick(["", " WHERE v IS NOT NULL"]);
  const both = random.pick([
    `a.v ${operator} b.v`,
    "a.v BETWEEN b.v AND 16777217",
    "a.v IN (b.v, 1)",
    "CASE a.v WHEN b.v THEN 1 WHEN 0 THEN 2 END",
    "nullif(a.v, b.v)",
    "greatest(a.v, b.v)",
    "least(b.v, a.v)",
    "coalesce(a.v, b.v)",
    "CASE WHEN a.id > 2 THEN a.v ELSE b.v END",
    "a.v + b.v > 1",
  ]);
  const among = random.pick([
    `v IN (SELECT v FROM ${b}${known})`,
    `v NOT IN (SELECT v FROM ${b}${known})`,
    `v = ANY (SELECT v FROM ${b})`,
    `v <> ALL (SELECT v FROM ${b}${known})`,
    `v > ALL (SELECT v FROM ${b} WHERE id > 1)`,
    `v <= ANY (SELECT v FROM ${b})`,
    `(v, id) IN (SELECT v, id FROM ${b})`,
    `EXISTS (SELECT 1 FROM ${b} WHERE b.v = a.v)`,
    `NOT EXISTS (SELECT 1 FROM ${b} WHERE b.v = a.v AND b.id > 1)`,
    "v = ANY (ARRAY[1, 0.5, 9007199254740993])",
    "v IN (1, 16777217, 9007199254740993)",
    "v IN (0.1, 0.5)",
  ]);
  const set = random.pick(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"]);
  return random.pick([
    () => ordered(`SELECT a.id AS i, b.id AS j, ${both} AS x FROM ${a} CROSS JOIN ${b} ORDER BY 1, 2`),
    () => ordered(`SELECT id, ${among} AS x FROM ${a} ORDER BY id`),
    () => ordered(`SELECT id FROM ${a} WHERE ${among} ORDER BY id`),
    () =>
      unordered(`SELECT a.id AS i, b.id AS j FROM ${a} ${random.pick(["", "LEFT ", "FULL "])}JOIN ${b} ON a.v = b.v`),
    () => unordered(`SELECT v, a.id AS i FROM ${a} JOIN ${b} USING (v)`),
    () => unordered(`SELECT v FROM ${a} ${set} SELECT v FROM ${b}`),
    () => unordered(`SELECT v, count(*) AS n FROM (SELECT v FROM ${a} UNION ALL SELECT v FROM ${b}) AS u GROUP BY v`),
    () =>
      unordered(
        `SELECT count(DISTINCT v) AS n, max(v) AS m FROM (SELECT v FROM ${a} UNION ALL SELECT v FROM ${b}) AS u`,
      ),
  ])();
};
