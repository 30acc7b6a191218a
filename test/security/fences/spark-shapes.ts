/** The experiment's shapes as Spark writes them, and its tables as they can be stored there. */
import { body, FENCES, type FenceForm, names, ofSource, POSITIONS, type Shapes } from "./shapes.ts";

/** `rows` holds what `setup` of the shapes makes, with the values that Spark fails over; `secrets` is made of it. */
export function sparkSetup(rows: number): readonly string[] {
  const odd = (visible: string, hidden: string): string => `CASE WHEN i % 2 = 0 THEN ${visible} ELSE ${hidden} END`;
  const numbers = `(SELECT id + 1 AS i FROM range(${rows}))`;
  const columns = `i AS id, ${odd("'a'", "'b'")} AS owner, ${odd("'7'", "'poison'")} AS v, ${odd("'2024-01-01'", "'poison'")} AS d,
    ${odd("5", "0")} AS n, ${odd(`'{"a":1}'`, "'{poison'")} AS j, ${odd("'x'", "'(poison'")} AS re, ${odd("1", "2147483647")} AS big,
    ${odd("4D", "-4D")} AS f, ${odd("2", "0")} AS len, ${odd("'aaaa'", "'p!'")} AS enc, ${odd("'x%'", "'poison\\\\'")} AS pat`;
  const make = (name: string, query: string): string => `CREATE TABLE ${name} USING parquet AS ${query}`;
  return [
    make("rows", `SELECT ${columns} FROM ${numbers}`),
    ...(SPARK_TABLES["defaults"] ?? []),
    make("visible", "SELECT * FROM rows WHERE owner = 'a'"),
    make("nothing", "SELECT * FROM rows WHERE owner = 'nobody'"),
    make(
      "grants",
      "SELECT * FROM VALUES ('a', 'me'), ('b', 'you') AS g (owner, member) UNION ALL SELECT concat('x', id), 'z' FROM range(100)",
    ),
    make("other", `SELECT i AS oid, i AS k, CASE WHEN i % 3 = 0 THEN 'u' ELSE 'w' END AS w FROM ${numbers}`),
  ];
}

const GONE = ["DROP VIEW IF EXISTS secrets", "DROP TABLE IF EXISTS secrets"];

/** Ways to store the rows of `secrets`, by name. */
export const SPARK_TABLES: Readonly<Record<string, readonly string[]>> = {
  defaults: ["DROP TABLE IF EXISTS secrets", "CREATE TABLE secrets USING parquet AS SELECT * FROM rows"],
  partitions: [
    ...GONE.slice(1),
    "CREATE TABLE secrets USING parquet PARTITIONED BY (v, n) AS SELECT id, owner, d, j, re, big, f, len, enc, pat, v, n FROM rows",
    "ANALYZE TABLE secrets COMPUTE STATISTICS FOR ALL COLUMNS",
  ],
  "lines of JSON": [...GONE.slice(1), "CREATE TABLE secrets USING json AS SELECT * FROM rows"],
  "in memory": [...GONE.slice(1), "CREATE TABLE secrets USING parquet AS SELECT * FROM rows", "CACHE TABLE secrets"],
};

/** True or false on visible rows, an error on hidden ones. */
const PREDICATES: Readonly<Record<string, string>> = {
  "cast to integer": "CAST(m.v AS int) > 0",
  "cast to date": "CAST(m.d AS date) > DATE '2000-01-01'",
  "cast to decimal": "CAST(m.big AS decimal(5, 0)) > 0",
  division: "10 / m.n > 0",
  overflow: "m.big + 1 > 0",
  "regular expression": "'xyz' RLIKE m.re",
  decode: "to_number(m.v, '9') > 0",
  "LIKE escape": "('poison!' LIKE m.pat) IS NOT NULL",
  "date format": "to_date(m.d, 'yyyy-MM-dd') IS NOT NULL",
  element: "element_at(array(1, 2), m.len) = 2",
  "raise_error()": "CASE WHEN m.n = 0 THEN raise_error('hidden') ELSE 1 END = 1",
  "assert_true()": "assert_true(m.n <> 0, 'hidden') IS NULL",
  "guard of a cast":
    "CASE WHEN m.v RLIKE '^[0-9]+$' THEN CAST(m.v AS int) WHEN m.v IS NOT NULL THEN raise_error('poison') END > 0",
};

/** The one in which Spark takes nothing that is never the same twice: models with rules are refused there. */
const { LATERAL: _LATERAL, ...SAID } = POSITIONS;

const POSITIONS_THERE: Shapes["positions"] = {
  ...SAID,
  aggregate: (m, p) => `SELECT min(${p}) FROM ${m("m")}`,
  "semi join": (m, p) => `SELECT o.oid FROM other AS o LEFT SEMI JOIN ${m("m")} ON o.k = m.id AND ${p}`,
  "anti join": (m, p) => `SELECT o.oid FROM other AS o LEFT ANTI JOIN ${m("m")} ON o.k = m.id AND ${p}`,
  "key of both sides": (m, p) =>
    `SELECT m.id FROM other AS o JOIN ${m("m")} ON o.k = m.id WHERE o.k IN (SELECT m.id FROM ${m("m")} WHERE ${p})`,
  EXPLODE: (m, p) => `SELECT m.id, e FROM ${m("m")} LATERAL VIEW explode(array(1, 2)) AS e WHERE ${p}`,
  "twice in CASE": (m, p) =>
    `SELECT CASE WHEN m.id > 2 THEN ${p} WHEN m.id < 1 THEN NOT (${p}) END AS q FROM ${m("m")}`,
  "condition of no column": (m) => `SELECT m.id FROM ${m("m")} WHERE 10 / (SELECT count(*) FROM ${m("x")}) > -1`,
};

const above = (calculated: string | undefined, inner: string, condition: string): string =>
  `(SELECT ${names(undefined)}${calculated === undefined ? "" : `, (${ofSource(calculated).replaceAll("b.", "f.")}) AS q`} FROM (${inner}) AS f WHERE ${condition})`;

const FENCES_THERE: Readonly<Record<string, FenceForm>> = {
  none: FENCES.none,
  "OFFSET 0": FENCES["OFFSET 0"],
  "LIMIT 2^31-1": (rule, q) => `(${body(rule, q)} LIMIT 2147483647)`,
  "row_number > 0": (rule, q) =>
    above(q, body(rule, undefined, ", row_number() OVER (ORDER BY NULL) AS rn"), "f.rn > 0"),
  "count(*) OVER () > 0": (rule, q) => above(q, body(rule, undefined, ", count(*) OVER () AS rn"), "f.rn > 0"),
  "monotonically_increasing_id() >= 0": (rule, q) =>
    above(q, body(rule, undefined, ", monotonically_increasing_id() AS rn"), "f.rn >= 0"),
  "monotonically_increasing_id()": (rule, q) =>
    `(SELECT ${names(q)} FROM (${body(rule, q, ", monotonically_increasing_id() AS rn")}) AS f)`,
  "any_value() over its row": (rule, q) =>
    above(
      q,
      body(
        rule,
        undefined,
        "",
        (name) => `any_value(b.${name}) OVER (ORDER BY NULL ROWS BETWEEN CURRENT ROW AND CURRENT ROW)`,
      ),
      "true",
    ),
  "common table": (rule, q) => `(WITH f AS (${body(rule, q)}) SELECT * FROM f)`,
  "UNION ALL nothing": FENCES["UNION ALL nothing"],
  DISTINCT: FENCES.DISTINCT,
  "ORDER BY": FENCES["ORDER BY"],
  "volatile condition": (rule, q) => `(${body({ ...rule, where: `(${rule.where}) AND rand() >= 0` }, q)})`,
  "volatile column": (rule, q) => `(SELECT ${names(q)} FROM (${body(rule, q, ", rand() AS rn")}) AS f)`,
};

export const SPARK_SHAPES: Shapes = { predicates: PREDICATES, positions: POSITIONS_THERE, fences: FENCES_THERE };
