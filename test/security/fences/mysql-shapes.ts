/** The experiment's shapes where MySQL and MariaDB write something otherwise, and what fails there over a value. */
import { body, FENCES, type FenceForm, names, ofSource, POSITIONS, type Shapes } from "./shapes.ts";

/** `secrets` as `setup` of the shapes makes it, with the values that MySQL or MariaDB fail over. */
export function mysqlSetup(rows: number): readonly string[] {
  const odd = (visible: string, hidden: string): string => `CASE WHEN i % 2 = 0 THEN ${visible} ELSE ${hidden} END`;
  const numbers = `WITH RECURSIVE g (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM g WHERE i < ${rows})`;
  return [
    `CREATE TABLE secrets (id int PRIMARY KEY, owner varchar(20), v varchar(40), d varchar(40), n int, j varchar(40),
      re varchar(40), big bigint, f double, len int, enc varchar(40), pat varchar(40))`,
    `INSERT INTO secrets ${numbers} SELECT i, ${odd("'a'", "'b'")}, ${odd("'7'", "'poison'")}, ${odd("'POINT(1 1)'", "'poison'")},
      ${odd("5", "0")}, ${odd(`'{"a": 1}'`, "'{poison'")}, ${odd("'x'", "'(poison'")}, ${odd("1", "9223372036854775807")},
      ${odd("4", "0")}, ${odd("2", "1000")}, ${odd("'$.a'", "'$poison'")}, ${odd("'x%'", "'poison'")} FROM g`,
    "CREATE TABLE visible AS SELECT * FROM secrets WHERE owner = 'a'",
    "CREATE TABLE nothing AS SELECT * FROM secrets WHERE owner = 'nobody'",
    "CREATE TABLE grants (owner varchar(20), member varchar(20))",
    `INSERT INTO grants WITH RECURSIVE g (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM g WHERE i < 100)
      SELECT 'a', 'me' UNION ALL SELECT 'b', 'you' UNION ALL SELECT concat('x', i), 'z' FROM g`,
    "CREATE TABLE other (oid int PRIMARY KEY, k int, w varchar(20))",
    `INSERT INTO other ${numbers} SELECT i, i, CASE WHEN i % 3 = 0 THEN 'u' ELSE 'w' END FROM g`,
  ];
}

/** True or false on visible rows, an error on hidden ones; on one of the two at least. */
const PREDICATES: Readonly<Record<string, string>> = {
  overflow: "m.big + 1 > 0",
  "unsigned overflow": "CAST(m.len AS UNSIGNED) * 18446744073709552 > 0",
  exponential: "exp(m.len) > 0",
  power: "pow(10, m.len) > 0",
  cotangent: "cot(m.f) IS NOT NULL",
  "guard of a cast":
    "CASE WHEN m.v REGEXP '^[0-9]+$' THEN CAST(m.v AS SIGNED) WHEN exp(1000 + octet_length(m.v)) IS NOT NULL THEN NULL END > 0",
  "regular expression": "'xyz' REGEXP m.re",
  "regular expression, replaced": "regexp_replace('xyz', m.re, '') <> 'a'",
  "json text": "json_extract(m.j, '$.a') IS NOT NULL",
  "json path": `json_extract('{"a": 1}', m.enc) = 1`,
  geometry: "st_astext(st_geomfromtext(m.d)) <> ''",
  "two rows in a scalar": "(SELECT s.oid FROM other AS s WHERE s.oid <= CASE WHEN m.n = 0 THEN 2 ELSE 1 END) = 1",
};

const POSITIONS_THERE: Shapes["positions"] = {
  ...POSITIONS,
  aggregate: (m, p) => `SELECT min(${p}) FROM ${m("m")}`,
  FILTER: (m, p) => `SELECT count(CASE WHEN ${p} THEN 1 END) FROM ${m("m")}`,
  "WHERE over FULL JOIN": (
    m,
    p,
  ) => `SELECT m.id FROM ${m("m")} LEFT JOIN other AS o ON o.k = m.id AND o.w = 'u' WHERE ${p}
    UNION ALL SELECT m.id FROM other AS o LEFT JOIN ${m("m")} ON o.k = m.id WHERE m.id IS NULL OR ${p}`,
  "chosen keys": (m, p) =>
    `SELECT m.id FROM (SELECT 1 AS k UNION ALL SELECT 3 UNION ALL SELECT 4) AS c JOIN ${m("m")} ON m.id = c.k WHERE ${p}`,
  "key, hidden": (m, p) => `SELECT m.id FROM ${m("m")} WHERE m.id = 1 AND ${p}`,
  "key of a subquery": (m, p) =>
    `SELECT o.oid FROM other AS o WHERE o.oid = (SELECT m.id FROM ${m("m")} WHERE m.id = 1 AND ${p})`,
  "value of a subquery": (m, p) =>
    `SELECT o.oid FROM other AS o WHERE o.oid = (SELECT ${p} FROM ${m("m")} WHERE m.id = 1)`,
  "greatest group": (m, p) => `SELECT max(m.id) AS x FROM ${m("m")} WHERE ${p} HAVING x > 0`,
};

const ALL_ROWS = "LIMIT 18446744073709551615";

const FENCES_THERE: Readonly<Record<string, FenceForm>> = {
  none: FENCES.none,
  "OFFSET 0": (rule, q) => `(${body(rule, q)} ${ALL_ROWS} OFFSET 0)`,
  LIMIT: (rule, q) => `(${body(rule, q)} ${ALL_ROWS})`,
  "common table": (rule, q) => `(WITH f AS (${body(rule, q)}) SELECT * FROM f)`,
  "common table, OFFSET 0": (rule, q) =>
    `(WITH b AS (${body(rule, undefined)}) SELECT b.*${q === undefined ? "" : `, (${ofSource(q)}) AS q`} FROM b ${ALL_ROWS} OFFSET 0)`,
  row_number: FENCES.row_number,
  "UNION ALL nothing": FENCES["UNION ALL nothing"],
  DISTINCT: FENCES.DISTINCT,
  "ORDER BY": FENCES["ORDER BY"],
  "volatile condition": (rule, q) => `(${body({ ...rule, where: `(${rule.where}) AND rand() >= 0` }, q)})`,
  "volatile column": (rule, q) => `(SELECT ${names(q)} FROM (${body(rule, q, ", rand() AS rn")}) AS f)`,
};

export const MYSQL_SHAPES: Shapes = { predicates: PREDICATES, positions: POSITIONS_THERE, fences: FENCES_THERE };
