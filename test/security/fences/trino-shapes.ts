/** The experiment's shapes as Trino writes them. */
import { body, FENCES, type FenceForm, names, ofSource, POSITIONS, type Shapes } from "./shapes.ts";

/** `secrets` as `setup` of the shapes makes it, with the values that Trino fails over. */
export function trinoSetup(rows: number): readonly string[] {
  const odd = (visible: string, hidden: string): string => `CASE WHEN i % 2 = 0 THEN ${visible} ELSE ${hidden} END`;
  const columns = `${odd("'a'", "'b'")} AS owner, ${odd("'7'", "'poison'")} AS v, ${odd("'2024-01-01'", "'poison'")} AS d,
    ${odd("5", "0")} AS n, ${odd(`'{"a":1}'`, "'{poison'")} AS j, ${odd("'x'", "'(poison'")} AS re, ${odd("1", "2147483647")} AS big,
    ${odd("4e0", "-4e0")} AS f, ${odd("2", "-3")} AS len, ${odd("'aaaa'", "'p!'")} AS enc, ${odd("'x%'", "'poison\\'")} AS pat`;
  return [
    `CREATE TABLE secrets AS SELECT i AS id, ${columns} FROM UNNEST(sequence(1, ${rows})) AS g(i)`,
    "CREATE TABLE visible AS SELECT * FROM secrets WHERE owner = 'a'",
    "CREATE TABLE nothing AS SELECT * FROM secrets WHERE owner = 'nobody'",
    "CREATE TABLE grants AS SELECT CAST(owner AS varchar) AS owner, member FROM (VALUES ('a', 'me'), ('b', 'you')) AS g(owner, member)",
    "INSERT INTO grants SELECT 'x' || CAST(i AS varchar), 'z' FROM UNNEST(sequence(1, 100)) AS g(i)",
    `CREATE TABLE other AS SELECT i AS oid, i AS k, ${"CASE WHEN i % 3 = 0 THEN 'u' ELSE 'w' END"} AS w FROM UNNEST(sequence(1, ${rows})) AS g(i)`,
  ];
}

/** The same rows otherwise stored: columns that are dictionaries, and rows whose number the planner knows. */
export const TRINO_SECRETS: Readonly<Record<"dictionaries" | "VALUES", readonly string[]>> = {
  dictionaries: [
    "ALTER TABLE secrets RENAME TO plain",
    `CREATE TABLE kinds AS SELECT DISTINCT owner, v, d, n, j, re, big, f, len, enc, pat FROM plain`,
    `CREATE TABLE secrets AS SELECT p.id, k.* FROM (SELECT id, owner FROM plain) AS p JOIN kinds AS k ON k.owner = p.owner`,
  ],
  VALUES: [
    "DROP TABLE secrets",
    `CREATE VIEW secrets AS SELECT * FROM (VALUES ${[1, 2, 3, 4]
      .map((i) =>
        i % 2 === 0
          ? `(BIGINT '${i}', 'a', '7', '2024-01-01', 5, '{"a":1}', 'x', 1, 4e0, 2, 'aaaa', 'x%')`
          : `(BIGINT '${i}', 'b', 'poison', 'poison', 0, '{poison', '(poison', 2147483647, -4e0, -3, 'p!', 'poison\\')`,
      )
      .join(", ")}) AS t(id, owner, v, d, n, j, re, big, f, len, enc, pat)`,
    "DROP TABLE visible",
    "CREATE TABLE visible AS SELECT * FROM secrets WHERE owner = 'a'",
  ],
};

/** True or false on visible rows, an error on hidden ones. */
const PREDICATES: Readonly<Record<string, string>> = {
  "cast to integer": "CAST(m.v AS integer) > 0",
  "cast to date": "CAST(m.d AS date) > DATE '2000-01-01'",
  "cast to decimal": "CAST(m.big AS decimal(5, 0)) > 0",
  division: "10 / m.n > 0",
  overflow: "m.big + 1 > 0",
  json: "json_parse(m.j) IS NOT NULL",
  "regular expression": "regexp_like('xyz', m.re)",
  "character code": "chr(m.len) <> ''",
  decode: "from_base64(m.enc) IS NOT NULL",
  "LIKE escape": "('poison!' LIKE m.pat ESCAPE '\\') IS NOT NULL",
  "date format": "date_parse(m.d, '%Y-%m-%d') IS NOT NULL",
  element: "ARRAY[1, 2][m.len] = 2",
  "fail()": "CASE WHEN m.n = 0 THEN fail('hidden') ELSE 1 END = 1",
  "guard of a cast":
    "CASE WHEN regexp_like(m.v, '^[0-9]+$') THEN CAST(m.v AS integer) WHEN m.v IS NOT NULL THEN fail('poison') END > 0",
  "two rows in a scalar": "(SELECT s.oid FROM other AS s WHERE s.oid <= CASE WHEN m.n = 0 THEN 2 ELSE 1 END) = 1",
};

const LONGEST = "LIMIT 9223372036854775807";

const numbered = (rule: Parameters<FenceForm>[0], calculated: string | undefined, limit = ""): string =>
  `(SELECT ${names(undefined)}${calculated === undefined ? "" : `, (${ofSource(calculated).replaceAll("b.", "f.")}) AS q`} FROM (${body(rule, undefined, ", row_number() OVER () AS rn")}${limit}) AS f WHERE f.rn > 0)`;

const FENCES_THERE: Readonly<Record<string, FenceForm>> = {
  none: FENCES.none,
  "OFFSET 0": FENCES["OFFSET 0"],
  LIMIT: (rule, q) => `(${body(rule, q)} ${LONGEST})`,
  "LIMIT, computed above": (rule, q) =>
    `(SELECT ${names(undefined)}${q === undefined ? "" : `, (${ofSource(q).replaceAll("b.", "f.")}) AS q`} FROM (${body(rule, undefined)} ${LONGEST}) AS f)`,
  "common table": (rule, q) => `(WITH f AS (${body(rule, q)}) SELECT * FROM f)`,
  row_number: FENCES.row_number,
  "row_number > 0": (rule, q) => numbered(rule, q),
  "row_number > 0, LIMIT": (rule, q) => numbered(rule, q, ` ${LONGEST}`),
  "row_number > 0, computed below": (rule, q) =>
    `(SELECT ${names(q)} FROM (${body(rule, q, ", row_number() OVER () AS rn")}) AS f WHERE f.rn > 0)`,
  "UNION ALL nothing": FENCES["UNION ALL nothing"],
  DISTINCT: FENCES.DISTINCT,
  "ORDER BY": FENCES["ORDER BY"],
  "volatile condition": FENCES["volatile condition"],
  "volatile column": FENCES["volatile column"],
};

export const TRINO_SHAPES: Shapes = { predicates: PREDICATES, positions: POSITIONS, fences: FENCES_THERE };
