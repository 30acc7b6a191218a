/**
 * The shapes of the experiment behind docs/reference/access-rules.md: rules, predicates that raise on hidden rows, the places a
 * caller can put them, and candidates for a fence. Everything is SQL as the planner would print it.
 *
 * Every hidden row holds values that raise when a predicate touches them; no visible row does. So an error is a leak.
 */

export type EngineName = "duckdb" | "postgres";

const COLUMNS = ["id", "owner", "v", "d", "n", "j", "re", "big", "f", "len", "enc", "pat"] as const;

/** `secrets` (every second row hidden), the same without its hidden rows as controls, and two more tables to join. */
export function setup(rows: number): readonly string[] {
  const odd = (visible: string, hidden: string): string => `CASE WHEN i % 2 = 0 THEN ${visible} ELSE ${hidden} END`;
  return [
    `CREATE TABLE secrets (id int PRIMARY KEY, owner text, v text, d text, n int, j text, re text, big int,
      f double precision, len int, enc text, pat text)`,
    `INSERT INTO secrets SELECT i, ${odd("'a'", "'b'")}, ${odd("'7'", "'poison'")}, ${odd("'2024-01-01'", "'poison'")},
      ${odd("5", "0")}, ${odd(`'{"a":1}'`, "'{poison'")}, ${odd("'x'", "'(poison'")}, ${odd("1", "2147483647")},
      ${odd("4", "-4")}, ${odd("2", "-3")}, ${odd("'aaaa'", "'p!'")}, ${odd("'x%'", "'poison\\'")}
      FROM generate_series(1, ${rows}) g(i)`,
    "CREATE TABLE visible AS SELECT * FROM secrets WHERE owner = 'a'",
    "CREATE TABLE nothing AS SELECT * FROM secrets WHERE owner = 'nobody'",
    "CREATE TABLE grants (owner text, member text)",
    "INSERT INTO grants SELECT 'a', 'me' UNION ALL SELECT 'b', 'you' UNION ALL SELECT 'x' || i, 'z' FROM generate_series(1, 100) g(i)",
    "CREATE TABLE other (oid int PRIMARY KEY, k int, w text)",
    `INSERT INTO other SELECT i, i, CASE WHEN i % 3 = 0 THEN 'u' ELSE 'w' END FROM generate_series(1, ${rows}) g(i)`,
  ];
}

export interface Rule {
  readonly where: string;
  /** Joins that the rule's columns need. */
  readonly join?: string;
  /** The table with the rows that the rule lets through. */
  readonly control: "visible" | "nothing";
}

const MINE = "SELECT g.owner FROM grants AS g WHERE g.member = 'me'";

/** Row rules over the model's source `b`. */
export const RULES = {
  literal: { where: "b.owner = 'a'", control: "visible" },
  expression: { where: "lower(b.owner) LIKE 'a%' AND upper(lower(upper(b.owner))) = 'A'", control: "visible" },
  "IN (subquery)": { where: `b.owner IN (${MINE})`, control: "visible" },
  EXISTS: {
    where: "EXISTS (SELECT 1 FROM grants AS g WHERE g.owner = b.owner AND g.member = 'me')",
    control: "visible",
  },
  "scalar subquery": {
    where: "b.owner = (SELECT min(g.owner) FROM grants AS g WHERE g.member = 'me')",
    control: "visible",
  },
  "to-many column": {
    join: `LEFT JOIN (SELECT g.owner AS _k1, count(*) AS _a1 FROM grants AS g WHERE g.member = 'me' GROUP BY g.owner) AS _t1 ON _t1._k1 = b.owner`,
    where: "coalesce(_t1._a1, 0) > 0",
    control: "visible",
  },
  OR: { where: `b.owner = 'zz' OR b.owner IN (${MINE})`, control: "visible" },
  "always false": { where: "b.owner = 'nobody'", control: "nothing" },
} satisfies Record<string, Rule>;

/** Conditions over `m` that are true or false on visible rows and raise on hidden ones. */
export const PREDICATES: Record<EngineName, Record<string, string>> = {
  postgres: {
    "cast to integer": "CAST(m.v AS int) > 0",
    "cast to date": "CAST(m.d AS date) > DATE '2000-01-01'",
    division: "10 / m.n > 0",
    "cast to json": "CAST(m.j AS json) IS NOT NULL",
    "json access": "(CAST(m.j AS json) ->> 'a') = '1'",
    "regular expression": "'xyz' ~ m.re",
    overflow: "m.big + 1 > 0",
    "square root": "sqrt(m.f) >= 0",
    logarithm: "ln(m.f) >= 0",
    "substring length": "substring('abc', 1, m.len) <> ''",
    "character code": "chr(m.len) <> ''",
    decode: "decode(m.enc, 'base64') IS NOT NULL",
    "LIKE escape": "('poison!' LIKE m.pat) IS NOT NULL",
    "date format": "to_date(m.d, 'YYYY-MM-DD') IS NOT NULL",
    "two rows in a scalar": "(SELECT x FROM generate_series(1, CASE WHEN m.n = 0 THEN 2 ELSE 1 END) AS q(x)) = 1",
    "array size": "array_fill(1, ARRAY[coalesce(m.len, 1)]) IS NOT NULL",
  },
  duckdb: {
    "cast to integer": "CAST(m.v AS int) > 0",
    "cast to date": "CAST(m.d AS date) > DATE '2000-01-01'",
    "cast to json": "CAST(m.j AS json) IS NOT NULL",
    "json access": "json_extract_string(m.j, '$.a') = '1'",
    "regular expression": "regexp_matches('xyz', m.re)",
    overflow: "m.big + 1 > 0",
    "square root": "sqrt(m.f) >= 0",
    logarithm: "ln(m.f) >= 0",
    "character code": "chr(m.len) <> ''",
    decode: "from_base64(m.enc) IS NOT NULL",
    "LIKE escape": "('poison!' LIKE m.pat ESCAPE '\\') IS NOT NULL",
    "date format": "strptime(m.d, '%Y-%m-%d') IS NOT NULL",
    "error()": "CASE WHEN m.n = 0 THEN error('hidden') ELSE 1 END = 1",
    "text = number": "m.v = 7",
  },
};

/** A condition over `m` somewhere in a statement over a ruled model. */
export type Position = (m: Relation, predicate: string) => string;

/** A ruled model's derived table; `calculated` is one more column `q` of it. */
export type FenceForm = (rule: Rule, calculated: string | undefined) => string;

/** The forms that an engine is tried with, by name. */
export interface Shapes {
  readonly predicates: Readonly<Record<string, string>>;
  readonly positions: Readonly<Record<string, Position>>;
  readonly fences: Readonly<Record<string, FenceForm>>;
}

/** A ruled model as a FROM item: `item("m")`, or with a calculated column `q` in the derived table that holds the rule. */
export type Relation = (alias: string, calculated?: string) => string;

const KEYS = COLUMNS.map((name) => `m.${name}`).join(", ");

/** Where a caller can put a predicate `p` over a relation `m`. */
export const POSITIONS = {
  WHERE: (m, p) => `SELECT m.id FROM ${m("m")} WHERE ${p}`,
  "WHERE with a range": (m, p) => `SELECT m.id FROM ${m("m")} WHERE ${p} AND m.id BETWEEN 5 AND 40`,
  "WHERE with OR": (m, p) => `SELECT m.id FROM ${m("m")} WHERE ${p} OR m.id = 4`,
  "SELECT list": (m, p) => `SELECT m.id, (${p}) AS q FROM ${m("m")}`,
  "ORDER BY": (m, p) => `SELECT m.id FROM ${m("m")} ORDER BY (${p}), m.id`,
  "ORDER BY, LIMIT": (m, p) => `SELECT m.id, m.v FROM ${m("m")} ORDER BY (${p}), m.id LIMIT 3`,
  "GROUP BY": (m, p) => `SELECT (${p}) AS q, count(*) FROM ${m("m")} GROUP BY 1`,
  aggregate: (m, p) => `SELECT bool_and(${p}) FROM ${m("m")}`,
  FILTER: (m, p) => `SELECT count(*) FILTER (WHERE ${p}) FROM ${m("m")}`,
  HAVING: (m, p) => `SELECT m.id FROM ${m("m")} GROUP BY ${KEYS} HAVING ${p}`,
  CASE: (m, p) => `SELECT sum(CASE WHEN m.id > 0 THEN CASE WHEN ${p} THEN 1 ELSE 2 END ELSE 0 END) FROM ${m("m")}`,
  "CASE in WHERE": (m, p) => `SELECT m.id FROM ${m("m")} WHERE CASE WHEN m.id > 0 THEN ${p} ELSE false END`,
  ON: (m, p) => `SELECT m.id FROM other AS o JOIN ${m("m")} ON o.k = m.id AND ${p}`,
  "ON of LEFT JOIN": (m, p) => `SELECT m.id FROM other AS o LEFT JOIN ${m("m")} ON o.k = m.id AND ${p}`,
  "join key": (m, p) => `SELECT m.id FROM other AS o JOIN ${m("m")} ON (CASE WHEN ${p} THEN 2 ELSE 3 END) = o.k`,
  "WHERE over FULL JOIN": (m, p) => `SELECT m.id FROM other AS o FULL JOIN ${m("m")} ON o.k = m.id WHERE ${p}`,
  "WHERE over a join": (m, p) => `SELECT m.id FROM ${m("m")} JOIN other AS o ON o.k = m.id WHERE o.w = 'u' AND ${p}`,
  "nullable side": (m, p) =>
    `SELECT count(d.q) FROM other AS o LEFT JOIN (SELECT m.id, (${p}) AS q FROM ${m("m")}) AS d ON d.id = o.k`,
  "nullable side, WHERE": (m, p) =>
    `SELECT d.id FROM other AS o LEFT JOIN (SELECT m.id, (${p}) AS q FROM ${m("m")}) AS d ON d.id = o.k WHERE d.q`,
  "derived table": (m, p) => `SELECT d.id FROM (SELECT m.id, (${p}) AS q FROM ${m("m")}) AS d WHERE d.q AND d.id < 100`,
  "common table": (m, p) => `WITH c AS (SELECT * FROM ${m("x")}) SELECT m.id FROM c AS m WHERE ${p}`,
  "common table, twice": (m, p) =>
    `WITH c AS (SELECT * FROM ${m("x")}) SELECT (SELECT count(*) FROM c AS m WHERE ${p}), (SELECT count(*) FROM c AS m WHERE ${p} AND m.id = 2)`,
  "correlated subquery": (m, p) =>
    `SELECT o.oid, (SELECT count(*) FROM ${m("m")} WHERE m.id = o.k AND ${p}) FROM other AS o WHERE o.oid < 50`,
  EXISTS: (m, p) => `SELECT o.oid FROM other AS o WHERE EXISTS (SELECT 1 FROM ${m("m")} WHERE m.id = o.k AND ${p})`,
  "NOT EXISTS": (m, p) =>
    `SELECT o.oid FROM other AS o WHERE NOT EXISTS (SELECT 1 FROM ${m("m")} WHERE m.id = o.k AND ${p})`,
  "IN (subquery)": (m, p) => `SELECT o.oid FROM other AS o WHERE o.k IN (SELECT m.id FROM ${m("m")} WHERE ${p})`,
  LATERAL: (m, p) =>
    `SELECT l.id FROM other AS o CROSS JOIN LATERAL (SELECT m.id FROM ${m("m")} WHERE m.id = o.k AND ${p}) AS l`,
  "LATERAL over it": (m, p) => `SELECT m.id FROM ${m("m")} CROSS JOIN LATERAL (SELECT (${p}) AS q) AS l WHERE l.q`,
  window: (m, p) => `SELECT m.id, count(*) OVER (PARTITION BY (${p}) ORDER BY m.id) FROM ${m("m")}`,
  "WHERE over a window": (m, p) =>
    `SELECT m.id FROM (SELECT m.*, count(*) OVER (PARTITION BY ${KEYS}) AS c FROM ${m("m")}) AS m WHERE ${p}`,
  DISTINCT: (m, p) => `SELECT DISTINCT (${p}) FROM ${m("m")}`,
  "UNION ALL": (m, p) => `SELECT m.id FROM (SELECT * FROM ${m("x")} UNION ALL SELECT * FROM ${m("y")}) AS m WHERE ${p}`,
  "self join": (m, p) => `SELECT m.id FROM ${m("m")} JOIN ${m("m2")} ON m.id = m2.id WHERE ${p}`,
  "chosen keys": (m, p) => `SELECT m.id FROM (VALUES (1), (3), (4)) AS c(k) JOIN ${m("m")} ON m.id = c.k WHERE ${p}`,
  "calculated column": (m, p) => `SELECT m.id, m.q FROM ${m("m", p)} WHERE m.id < 50`,
  "WHERE on a calculated column": (m, p) => `SELECT m.id FROM ${m("m", p)} WHERE m.q`,
} satisfies Record<string, Position>;

/** A condition over the model as one over its source. */
export const ofSource = (condition: string): string => condition.replaceAll(/\bm\./g, "b.");

export function body(
  rule: Rule,
  calculated: string | undefined,
  more = "",
  columns: (name: string) => string = (name) => `b.${name}`,
): string {
  const items = COLUMNS.map((name) => `${columns(name)} AS ${name}`);
  if (calculated !== undefined) items.push(`(${ofSource(calculated)}) AS q`);
  return `SELECT ${items.join(", ")}${more} FROM secrets AS b ${rule.join ?? ""} WHERE (${rule.where})`;
}

export const names = (calculated: string | undefined): string =>
  [...COLUMNS, ...(calculated === undefined ? [] : ["q"])].join(", ");

/** How the derived table of a ruled model could end, so that nothing of the caller's is computed over hidden rows. */
export const FENCES = {
  none: (rule, q) => `(${body(rule, q)})`,
  "OFFSET 0": (rule, q) => `(${body(rule, q)} OFFSET 0)`,
  "LIMIT ALL": (rule, q) => `(${body(rule, q)} LIMIT ALL)`,
  "LIMIT 2^63-1": (rule, q) => `(${body(rule, q)} LIMIT 9223372036854775807)`,
  MATERIALIZED: (rule, q) => `(WITH f AS MATERIALIZED (${body(rule, q)}) SELECT * FROM f)`,
  // Expressions of the caller are computed above the common table, from copies of the rows that passed the rule.
  "MATERIALIZED, OFFSET 0": (rule, q) =>
    `(WITH b AS MATERIALIZED (${body(rule, undefined)}) SELECT b.*${q === undefined ? "" : `, (${ofSource(q)}) AS q`} FROM b OFFSET 0)`,
  "count(*) OVER (), OFFSET 0": (rule, q) =>
    `(SELECT ${names(q)} FROM (${body(rule, q, ", count(*) OVER () AS rn")}) AS f WHERE rn > 0 OFFSET 0)`,
  row_number: (rule, q) => `(SELECT ${names(q)} FROM (${body(rule, q, ", row_number() OVER () AS rn")}) AS f)`,
  "UNION ALL nothing": (rule, q) =>
    `(${body(rule, q)} UNION ALL SELECT * FROM (${body({ where: "true", control: "nothing" }, q)}) AS z WHERE false)`,
  DISTINCT: (rule, q) => `(SELECT DISTINCT * FROM (${body(rule, q)}) AS f)`,
  "ORDER BY": (rule, q) => `(${body(rule, q)} ORDER BY b.id)`,
  "volatile condition": (rule, q) => `(${body({ ...rule, where: `(${rule.where}) AND random() >= 0` }, q)})`,
  "volatile column": (rule, q) => `(SELECT ${names(q)} FROM (${body(rule, q, ", random() AS rn")}) AS f)`,
  "CASE around columns": (rule, q) =>
    `(${body(rule, q === undefined ? undefined : `CASE WHEN ${rule.where} THEN ${q} END`, "", (name) => `CASE WHEN ${rule.where} THEN b.${name} END`)})`,
} satisfies Record<string, FenceForm>;

export type RuleName = keyof typeof RULES;
