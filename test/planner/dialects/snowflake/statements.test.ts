/** Constructs of the input language as Snowflake says them, by the manual; what it cannot say is refused. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({
  id: "INT",
  s: "VARCHAR",
  n: "NUMBER(12,2)",
  m: "NUMBER(20,10)",
  u: "NUMBER",
  f: "FLOAT",
  b: "BOOLEAN",
  d: "DATE",
  ts: "TIMESTAMP_NTZ",
  tz: "TIMESTAMP_TZ",
  j: "VARIANT",
});

const said = (sql: string): string =>
  planned(sql, manifest, { source: "snowflake" })
    .sql.replaceAll('"T" AS "t"', "t")
    .replaceAll('"t".', "")
    .replaceAll(/"(\w+)"/g, "$1");

/** SQL for one value over a row. */
const value = (expression: string): string =>
  said(`SELECT ${expression} AS x FROM t`).replace(/^SELECT (.*) AS x FROM t$/s, "$1");

function refusal(sql: string): string {
  try {
    return `sent: ${said(sql)}`;
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace("not supported on Snowflake: ", "");
    throw error;
  }
}

describe("names", () => {
  const model = (tableReference: object, column: object): string =>
    planned(
      "SELECT x FROM m",
      manifestOf({
        catalog: "c",
        schema: "s",
        models: [{ name: "m", tableReference, columns: [{ name: "x", type: "INT", ...column }] }],
      }),
      { source: "snowflake" },
    ).sql;
  test.each<[tableReference: object, column: object, sql: string]>([
    [{ table: "orders" }, {}, 'SELECT "m"."X" AS "x" FROM "ORDERS" AS "m"'],
    [{ schema: "sales", table: "Orders" }, {}, 'SELECT "m"."X" AS "x" FROM "SALES"."Orders" AS "m"'],
    // Reserved: a table can have that name between quotes alone.
    [{ table: "order" }, {}, 'SELECT "m"."X" AS "x" FROM "order" AS "m"'],
    [{ table: "größe" }, {}, 'SELECT "m"."X" AS "x" FROM "größe" AS "m"'],
    [{ table: "T" }, { expression: "o_id" }, 'SELECT "m"."O_ID" AS "x" FROM "T" AS "m"'],
    [{ table: "T" }, { expression: "OrderId" }, 'SELECT "m"."ORDERID" AS "x" FROM "T" AS "m"'],
    [{ table: "T" }, { expression: '"o_id"' }, 'SELECT "m"."o_id" AS "x" FROM "T" AS "m"'],
  ])("%j with %j", (tableReference, column, sql) => {
    expect(model(tableReference, column)).toBe(sql);
  });
});

describe("decimals", () => {
  test.each([
    ["id / 2", "CAST(trunc(CAST(ID AS NUMBER(38, 19)) / 2) AS BIGINT)"],
    ["n / id", "CAST(N AS NUMBER(38, 18)) / ID"],
    ["id / n", "CAST(ID AS NUMBER(38, 18)) / N"],
    ["n / m", "CAST(CAST(N AS DOUBLE) / CAST(M AS DOUBLE) AS NUMBER(38, 18))"],
    ["f / n", "F / CAST(N AS DOUBLE)"],
    ["n * n", "N * N"],
    // With twelve digits and more, some would be lost.
    ["n * m", "N * M"],
    ["m * m * 1", { refused: "a product with 20 digits behind the point" }],
    ["n * n * n * n * n * n * n", "CAST(N * N * N * N * N * N AS NUMBER(38, 14)) * N"],
    ["u * n", "CAST(U AS NUMBER(38, 18)) * N"],
    ["round(n, 1)", "CAST(round(N, 1) AS NUMBER(38, 1))"],
    ["avg(n)", "avg(CAST(N AS NUMBER(38, 18)))"],
    ["avg(id)", "avg(CAST(ID AS NUMBER(38, 18)))"],
    ["1e3", "1000"],
    [
      "CAST(f AS numeric(10, 2))",
      "CAST(CAST(ROUND(CAST(F AS DECIMAL(38, 18)), COALESCE(CAST(LEAST(14 - FLOOR(LOG(10, ABS(NULLIF(F, 0)))), 18) AS INTEGER), 0)) AS NUMBER(38, 18)) AS NUMBER(10, 2))",
    ],
    ["f % 2", { refused: "% of doubles" }],
  ])("%s", (expression, expected) => {
    if (typeof expected === "string") expect(value(expression)).toBe(expected);
    else expect(refusal(`SELECT ${expression} AS x FROM t`)).toBe(expected.refused);
  });
});

describe("what a session may decide otherwise is written", () => {
  test.each([
    [
      "date_trunc('week', d)",
      "DATEADD(day, 1 - DATE_PART(dayofweekiso, CAST(D AS TIMESTAMP_NTZ)), DATE_TRUNC('day', CAST(D AS TIMESTAMP_NTZ)))",
    ],
    ["extract(week FROM ts)", "DATE_PART(weekiso, TS)"],
    ["extract(dow FROM ts)", "mod(DATE_PART(dayofweekiso, TS), 7)"],
    ["DATE '2024-01-31'", "TO_DATE('2024-01-31', 'YYYY-MM-DD')"],
    ["TIMESTAMP '2024-01-31 10:00:00.5'", "TO_TIMESTAMP_NTZ('2024-01-31 10:00:00.5', 'YYYY-MM-DD HH24:MI:SS.FF')"],
    ["CAST(d AS text)", "to_char(D, 'YYYY-MM-DD')"],
    ["CAST(tz AS timestamp)", "CAST(CONVERT_TIMEZONE('UTC', TZ) AS TIMESTAMP_NTZ)"],
    ["tz = ts", "TZ = CAST(TS AS TIMESTAMP_TZ)"],
    [
      "first_value(n) OVER (ORDER BY id)",
      "first_value(N) OVER (ORDER BY ID NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
    ],
    ["row_number() OVER ()", "row_number() OVER (ORDER BY NULL)"],
  ])("%s", (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });

  test("settings of the statement", () => {
    const { session } = planned("SELECT id FROM t", manifest, { source: "snowflake" });
    expect(session).toEqual([
      { name: "TIMEZONE", value: "UTC" },
      { name: "ROWS_PER_RESULTSET", value: "0" },
      { name: "BINARY_OUTPUT_FORMAT", value: "HEX" },
    ]);
  });
});

describe("texts", () => {
  test.each([
    ["concat_ws('-', s, id)", "coalesce(array_to_string(array_construct_compact(S, CAST(ID AS VARCHAR)), '-'), '')"],
    ["greatest(id, 2)", "greatest_ignore_nulls(ID, 2)"],
    ["s LIKE 'a\\_%'", "S LIKE 'a|_%' ESCAPE '|'"],
    ["s LIKE s || '%'", "S LIKE S || '%' ESCAPE '\\\\'"],
    ["s ~ 'a+'", "regexp_instr(S, 'a+', 1, 1, 0, 's') > 0"],
    ["s ~ '(?:ab)+'", "regexp_instr(S, '(ab)+', 1, 1, 0, 's') > 0"],
    ["substring(s FROM 'a+')", "regexp_substr(S, 'a+', 1, 1, 's')"],
    ["(regexp_match(s, '(a+)-(b+)', 'i'))[2]", "regexp_substr(S, '(a+)-(b+)', 1, 1, 'ise', 2)"],
    ["(regexp_match(s, '(a)?b'))[1]", "nullif(regexp_substr(S, '(a)?b', 1, 1, 'se', 1), '')"],
    ["regexp_replace(s, 'a+', 'b')", "regexp_replace(S, 'a+', 'b', 1, 1, 's')"],
    ["regexp_replace(s, 'a+', 'b', 'g')", "regexp_replace(S, 'a+', 'b', 1, 0, 's')"],
    [
      "string_agg(s, ',' ORDER BY id)",
      "CASE WHEN count(S) > 0 THEN listagg(S, ',') WITHIN GROUP (ORDER BY ID NULLS LAST) END",
    ],
    ["encode(s, 'base64')", "regexp_replace(BASE64_ENCODE(TO_BINARY(S, 'UTF-8')), '(.{76})', '\\\\1\n')"],
  ])("%s", (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });
});

describe("json", () => {
  test.each([
    ["j -> 'a'", "get(J, 'a')"],
    ["j -> 0", "CASE WHEN is_array(J) THEN get(J, 0) END"],
    ["j #> '{a,b}'", "get(get(J, 'a'), 'b')"],
  ])("%s", (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });
});

describe("subqueries of the rows around them", () => {
  test.each([
    [
      "SELECT id, (SELECT max(x.n) FROM t AS x WHERE x.id = t.id) AS m FROM t",
      "SELECT ID AS id, (SELECT max(x.N) AS max FROM T AS x WHERE x.ID = ID) AS m FROM t",
    ],
    [
      "SELECT (SELECT x.s FROM t AS x WHERE x.id = t.id) AS m FROM t",
      "SELECT (SELECT CASE WHEN count(*) <= 1 THEN any_value(x.S) ELSE CAST(CAST(CAST('A subquery has more than one row: ' || CAST(count(*) AS VARCHAR) AS NUMBER(1, 0)) AS VARCHAR) AS VARCHAR) END AS s FROM T AS x WHERE x.ID = ID) AS m FROM t",
    ],
    [
      "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.id = t.id AND x.n <> t.n)",
      "SELECT ID AS id FROM t WHERE EXISTS (SELECT 1 AS column1 FROM T AS x WHERE x.ID = ID AND x.N <> N)",
    ],
  ])("%s", (sql, expected) => {
    expect(said(sql)).toBe(expected);
  });
});

/** A full join keeps subqueries in their place that become joins elsewhere. */
test.each([
  [
    "SELECT (SELECT x.s FROM t AS x WHERE x.id = t.id ORDER BY x.n LIMIT 1) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
    "LIMIT or OFFSET in a subquery that names columns of the query around it",
  ],
  [
    "SELECT (SELECT max(x.n) FROM t AS x WHERE x.id < t.id) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
    "a condition but the comparison of two columns in a subquery that names columns of the query around it",
  ],
  [
    "SELECT (SELECT max(x.n) + t.n FROM t AS x WHERE x.id = t.id) AS m FROM t FULL JOIN t AS f ON f.id = t.id",
    "a value computed with these in a subquery that names columns of the query around it",
  ],
  [
    "SELECT EXISTS (SELECT 1 FROM t AS x WHERE x.id = t.id) AS e FROM t FULL JOIN t AS f ON f.id = t.id",
    "EXISTS or IN of the rows around it as a value",
  ],
  [
    "SELECT t.id FROM t LEFT JOIN LATERAL (SELECT t.id AS y UNION SELECT t.id + 1) AS l ON true",
    "LATERAL in an outer join",
  ],
  ["SELECT s ~ '\\w+' AS x FROM t", "the regular expression"],
  ["SELECT regexp_replace(s, '(a)(?:b)', '\\1') AS x FROM t", "the regular expression"],
  ["SELECT (regexp_match(s, 'a(b*)'))[1] AS x FROM t", "a group that may be empty"],
  ["SELECT regexp_match(s, 'a(b)') AS x FROM t", "all groups of a match"],
  ["SELECT regexp_substr(s, 'a+?') AS x FROM t", "the regular expression"],
  ["SELECT initcap(s) AS x FROM t", "initcap"],
  ["SELECT array_agg(id / 2.0) AS x FROM t", "arrays"],
  [
    "SELECT sum(n) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS x FROM t",
    "a RANGE frame with a distance",
  ],
  ["SELECT id FROM t INTERSECT ALL SELECT id FROM t", "INTERSECT ALL"],
  ["SELECT lag(n) OVER () AS x FROM t", "lag of rows in no order"],
])("%s is refused", (sql, what) => {
  expect(refusal(sql)).toBe(what);
});

test.each(["system$wait(1)", "get_ddl('table', 't')", "get_presigned_url('@s', 'f')", "result_scan('x')", "seq4()"])(
  "%s is never sent",
  (call) => {
    expect(() => said(`SELECT ${call} AS x FROM t`)).toThrow(PlannerError);
  },
);
