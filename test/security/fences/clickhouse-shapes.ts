/** The experiment's shapes as ClickHouse writes them, and its tables as they can be stored there. */
import { body, FENCES, type FenceForm, names, ofSource, POSITIONS, type Shapes } from "./shapes.ts";

type Columns = Readonly<Record<string, string>>;

const PLAIN: Columns = {
  ...{ id: "Int64", owner: "String", v: "String", d: "String", n: "Int32", j: "String", re: "String" },
  ...{ big: "Int64", f: "Float64", len: "Int32", enc: "String", pat: "String" },
};

const each = (map: (type: string, name: string) => string): Columns =>
  Object.fromEntries(Object.entries(PLAIN).map(([name, type]) => [name, map(type, name)]));

const table = (columns: Columns, engine: string): readonly string[] => [
  "DROP TABLE IF EXISTS secrets",
  `CREATE TABLE secrets (${Object.entries(columns).map(([name, type]) => `${name} ${type}`)}) ENGINE = ${engine}`,
  "INSERT INTO secrets SELECT * FROM rows",
];

/** `rows` holds what `setup` of the shapes makes, with the values that ClickHouse fails over; `secrets` is made of it. */
export function clickHouseSetup(rows: number): readonly string[] {
  const odd = (visible: string, hidden: string): string => `if(i % 2 = 0, ${visible}, ${hidden})`;
  const numbers = `(SELECT toInt64(number + 1) AS i FROM numbers(${rows}))`;
  const columns = `i AS id, ${odd("'a'", "'b'")} AS owner, ${odd("'7'", "'poison'")} AS v, ${odd("'2024-01-01'", "'poison'")} AS d,
    toInt32(${odd("5", "0")}) AS n, ${odd(`'{"a":1}'`, "'{poison'")} AS j, ${odd("'x'", "'(poison'")} AS re,
    toInt64(${odd("1", "9223372036854775807")}) AS big, toFloat64(${odd("4", "-4")}) AS f, toInt32(${odd("2", "1000000000")}) AS len,
    ${odd("'aaaa'", "'p!'")} AS enc, ${odd("'x%'", "'poison\\\\'")} AS pat`;
  const make = (name: string, query: string): string =>
    `CREATE TABLE ${name} ENGINE = MergeTree ORDER BY tuple() AS ${query}`;
  return [
    make("rows", `SELECT ${columns} FROM ${numbers}`),
    ...table(PLAIN, "MergeTree ORDER BY id"),
    make("visible", "SELECT * FROM rows WHERE owner = 'a'"),
    make("nothing", "SELECT * FROM rows WHERE owner = 'nobody'"),
    make(
      "grants",
      "SELECT * FROM VALUES('owner String, member String', ('a', 'me'), ('b', 'you')) UNION ALL SELECT concat('x', toString(number)), 'z' FROM numbers(100)",
    ),
    make("other", `SELECT i AS oid, i AS k, if(i % 3 = 0, 'u', 'w') AS w FROM ${numbers}`),
  ];
}

/** Ways to store the rows of `secrets`, by name. */
export const CLICKHOUSE_TABLES: Readonly<Record<string, readonly string[]>> = {
  defaults: table(PLAIN, "MergeTree ORDER BY id"),
  dictionaries: table(
    each((type, name) => (name === "id" ? type : `LowCardinality(Nullable(${type}))`)),
    "MergeTree ORDER BY id SETTINGS allow_nullable_key = 1",
  ),
  "sparse columns": table(PLAIN, "MergeTree ORDER BY id SETTINGS ratio_of_defaults_for_sparse_serialization = 0.01"),
  "keys, indexes and projections": [
    ...table(PLAIN, "MergeTree PARTITION BY n ORDER BY (v, owner, id) SETTINGS index_granularity = 8"),
    "ALTER TABLE secrets ADD INDEX by_d d TYPE minmax",
    "ALTER TABLE secrets ADD INDEX by_enc enc TYPE set(100)",
    "ALTER TABLE secrets ADD INDEX by_re re TYPE bloom_filter",
    "ALTER TABLE secrets ADD PROJECTION by_owner (SELECT * ORDER BY owner)",
    "ALTER TABLE secrets ADD PROJECTION of_owners (SELECT owner, v, n, count(), max(id) GROUP BY owner, v, n)",
    ...["INDEX by_d", "INDEX by_enc", "INDEX by_re", "PROJECTION by_owner", "PROJECTION of_owners"].map(
      (what) => `ALTER TABLE secrets MATERIALIZE ${what} SETTINGS mutations_sync = 2`,
    ),
  ],
  Memory: table(PLAIN, "Memory"),
  Merge: [
    "DROP TABLE IF EXISTS secrets",
    "CREATE TABLE secrets AS rows ENGINE = Merge(currentDatabase(), '^(visible|hidden)$')",
    "CREATE TABLE hidden ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM rows WHERE owner <> 'a'",
  ],
  "a view": ["DROP TABLE IF EXISTS secrets", "CREATE VIEW secrets AS SELECT * FROM rows"],
};

/** True or false on visible rows, an error on hidden ones. */
const PREDICATES: Readonly<Record<string, string>> = {
  "cast to integer": "toInt32(m.v) > 0",
  "cast to date": "toDate(m.d) > toDate('2000-01-01')",
  "cast to decimal": "CAST(m.big AS Decimal(5, 0)) > 0",
  "exact cast": "accurateCast(m.big, 'Int16') > 0",
  division: "intDiv(10, m.n) > 0",
  json: "toString(CAST(m.j AS JSON)) <> ''",
  "regular expression": "match('xyz', m.re)",
  decode: "base64Decode(m.enc) <> ''",
  "fixed text": "toFixedString(m.v, 3) <> ''",
  "repeated text": "repeat('x', m.len) <> ''",
  "LIKE escape": "'poison!' LIKE m.pat",
  "throwIf()": "throwIf(m.n = 0, 'hidden') = 0",
  "guard of a cast": "CASE WHEN match(m.v, '^[0-9]+$') THEN toInt32(m.v) ELSE throwIf(m.v <> '', 'poison') END > 0",
};

const POSITIONS_THERE: Shapes["positions"] = {
  ...POSITIONS,
  aggregate: (m, p) => `SELECT min(${p}) FROM ${m("m")}`,
  "chosen keys": (m, p) =>
    `SELECT m.id FROM (SELECT arrayJoin([1, 3, 4]) AS k) AS c JOIN ${m("m")} ON m.id = c.k WHERE ${p}`,
  PREWHERE: (m, p) =>
    `SELECT o.oid FROM other AS o PREWHERE o.k IN (SELECT m.id FROM ${m("m")} WHERE ${p}) WHERE o.w = 'u'`,
  "LIMIT BY": (m, p) => `SELECT m.id FROM ${m("m")} ORDER BY m.id LIMIT 1 BY (${p}), m.id`,
  "first of groups": (m, p) => `SELECT argMax(m.id, (${p})), m.owner FROM ${m("m")} GROUP BY m.owner`,
  "inner key of LEFT JOIN": (m, p) =>
    `SELECT o.oid, d.id FROM other AS o LEFT JOIN (SELECT m.id, (${p}) AS q FROM ${m("m")}) AS d ON d.id = o.k AND d.q`,
  "ARRAY JOIN": (m, p) => `SELECT m.id, e FROM ${m("m")} ARRAY JOIN [1, 2] AS e WHERE ${p}`,
  "index hint": (m, p) => `SELECT m.id FROM ${m("m")} WHERE ${p} AND m.v > '0' AND m.n > 1`,
};

const LONGEST = "LIMIT 9223372036854775807";
const ITS_ROW = "OVER (ROWS BETWEEN CURRENT ROW AND CURRENT ROW)";

const above = (calculated: string | undefined, inner: string, condition = ""): string =>
  `(SELECT ${names(undefined)}${calculated === undefined ? "" : `, (${ofSource(calculated).replaceAll("b.", "f.")}) AS q`} FROM (${inner}) AS f${condition})`;

const FENCES_THERE: Readonly<Record<string, FenceForm>> = {
  none: FENCES.none,
  "OFFSET 0": FENCES["OFFSET 0"],
  "LIMIT 2^63-1": FENCES["LIMIT 2^63-1"],
  "LIMIT, computed above": (rule, q) => above(q, `${body(rule, undefined)} ${LONGEST}`),
  "row_number > 0": (rule, q) => above(q, body(rule, undefined, ", row_number() OVER () AS rn"), " WHERE f.rn > 0"),
  "any() over its row": (rule, q) =>
    above(
      q,
      body(rule, undefined, "", (name) => `any(b.${name}) ${ITS_ROW}`),
    ),
  "common table": (rule, q) => `(WITH f AS (${body(rule, q)}) SELECT * FROM f)`,
  MATERIALIZED: FENCES.MATERIALIZED,
  "UNION ALL nothing": FENCES["UNION ALL nothing"],
  DISTINCT: FENCES.DISTINCT,
  "ORDER BY": FENCES["ORDER BY"],
  "volatile condition": (rule, q) => `(${body({ ...rule, where: `(${rule.where}) AND rand() >= 0` }, q)})`,
};

export const CLICKHOUSE_SHAPES: Shapes = { predicates: PREDICATES, positions: POSITIONS_THERE, fences: FENCES_THERE };
