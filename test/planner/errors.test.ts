/** Errors in queries: the reason, the exact text at the span, and the hint. */
import { describe, expect, test } from "vitest";
import { plainError, plainPlan } from "./binding/plain.ts";

type Row = readonly [sql: string, reason: string, at: string, hint: RegExp | undefined];

test.each([
  "SELECT (SELECT sum(r_regionkey + n.n_regionkey) FROM region) FROM nation n",
  "SELECT (SELECT count(*) FROM region WHERE r_regionkey = n.n_regionkey) FROM nation n",
  "SELECT (SELECT count(1) FROM region) FROM nation n",
])("a subquery may aggregate its own rows: %s", (sql) => expect(() => plainPlan(sql, "postgres")).not.toThrow());

const NAMES: readonly Row[] = [
  ["SELECT 1 FROM natoin", "MODEL_NOT_FOUND", "natoin", /"nation"/],
  ["SELECT 1 FROM other.nation", "MODEL_NOT_FOUND", "other.nation", undefined],
  ["SELECT 1 FROM pg_class", "MODEL_NOT_FOUND", "pg_class", /out of reach/],
  ["SELECT 1 FROM information_schema.tables", "MODEL_NOT_FOUND", "information_schema.tables", undefined],
  ['SELECT 1 FROM "Nation"', "MODEL_NOT_FOUND", '"Nation"', /"nation"/],
  ["SELECT n_nam FROM nation", "COLUMN_NOT_FOUND", "n_nam", /"n_name"/],
  ["SELECT n.n_nam FROM nation n", "COLUMN_NOT_FOUND", "n.n_nam", /"n_name"/],
  ["SELECT nation.n_name FROM nation n", "COLUMN_NOT_FOUND", "nation.n_name", /"n"/],
  ["SELECT x.n_name FROM nation", "COLUMN_NOT_FOUND", "x.n_name", /In FROM: "nation"/],
  ["SELECT n_name", "COLUMN_NOT_FOUND", "n_name", /column of "nation", which FROM does not name/],
  ["SELECT zzz", "COLUMN_NOT_FOUND", "zzz", /No table in FROM/],
  ['SELECT "N_NAME" FROM nation', "COLUMN_NOT_FOUND", '"N_NAME"', /compared exactly: write "n_name"/],
  ["SELECT k FROM nation WHERE k = 1", "COLUMN_NOT_FOUND", "k", undefined],
  ["SELECT n_name AS k FROM nation WHERE k = 'x'", "COLUMN_NOT_FOUND", "k", undefined],
  ["SELECT n_name FROM nation a, nation b", "AMBIGUOUS_COLUMN", "n_name", /a\.n_name/],
  ["SELECT 1 FROM nation, nation", "INVALID_QUERY", "nation", /alias/],
  ["SELECT n_name AS x, n_nationkey AS x FROM nation ORDER BY x", "AMBIGUOUS_COLUMN", "x", /distinct aliases/],
  ["SELECT x FROM (SELECT n_name AS x, n_nationkey AS x FROM nation) d", "AMBIGUOUS_COLUMN", "x", /distinct aliases/],
  ["SELECT q.* FROM nation n", "COLUMN_NOT_FOUND", "q.*", /"n"/],
  ["SELECT * EXCEPT (zzz) FROM nation", "COLUMN_NOT_FOUND", "zzz", undefined],
  ["SELECT * FROM nation JOIN region USING (n_name)", "COLUMN_NOT_FOUND", "n_name", undefined],
  ["SELECT 1 FROM nation n, (SELECT n.n_name) d", "COLUMN_NOT_FOUND", "n.n_name", undefined],
  [
    "SELECT n_name FROM nation n WHERE 1 IN (SELECT sum(n.n_nationkey) FROM region)",
    "INVALID_QUERY",
    "sum(n.n_nationkey)",
    /Aggregate a column of the subquery's own tables/,
  ],
  [
    "SELECT 1 FROM nation n WHERE (SELECT max(n.n_name || 'x') FROM region) > 'a'",
    "INVALID_QUERY",
    "max(n.n_name || 'x')",
    /move the aggregate out/,
  ],
  ["WITH t AS (SELECT 1 AS x), t AS (SELECT 2 AS x) SELECT 1", "INVALID_QUERY", "t", undefined],
  ["WITH t(a, b) AS (SELECT 1) SELECT 1 FROM t", "INVALID_QUERY", "b", undefined],
  ["SELECT 1 FROM (SELECT 1) AS d(a, b)", "INVALID_QUERY", "b", undefined],
];

const GROUPS: readonly Row[] = [
  ["SELECT n_name, count(*) FROM nation", "UNGROUPED_COLUMN", "n_name", /max\(n_name\)/],
  ["SELECT n_name FROM nation GROUP BY n_regionkey", "UNGROUPED_COLUMN", "n_name", /GROUP BY/],
  ["SELECT n_name || 'x' FROM nation GROUP BY n_name || 'y'", "UNGROUPED_COLUMN", "n_name", undefined],
  ["SELECT n_regionkey FROM nation GROUP BY n_regionkey HAVING n_name > 'a'", "UNGROUPED_COLUMN", "n_name", undefined],
  ["SELECT n_regionkey FROM nation GROUP BY n_regionkey ORDER BY n_name", "UNGROUPED_COLUMN", "n_name", undefined],
  ["SELECT count(*) FROM nation HAVING n_name > 'a'", "UNGROUPED_COLUMN", "n_name", undefined],
  [
    "SELECT n_regionkey, (SELECT r_name FROM region WHERE r_regionkey = n_nationkey) FROM nation GROUP BY n_regionkey",
    "UNGROUPED_COLUMN",
    "n_nationkey",
    undefined,
  ],
  [
    "SELECT sum(n_nationkey) OVER (ORDER BY n_name), count(*) FROM nation",
    "UNGROUPED_COLUMN",
    "n_nationkey",
    undefined,
  ],
  ["SELECT * FROM nation GROUP BY n_name", "UNGROUPED_COLUMN", "*", undefined],
  ["SELECT 1 FROM nation WHERE count(*) > 1", "INVALID_QUERY", "count(*)", /HAVING/],
  ["SELECT 1 FROM nation GROUP BY count(*)", "INVALID_QUERY", "count(*)", undefined],
  ["SELECT count(*) AS c FROM nation GROUP BY c", "INVALID_QUERY", "c", undefined],
  ["SELECT sum(count(*)) FROM nation", "INVALID_QUERY", "count(*)", /subquery/],
  [
    "SELECT 1 FROM nation n, (SELECT r_name FROM region WHERE r_regionkey = n.n_regionkey) r",
    "COLUMN_NOT_FOUND",
    "n.n_regionkey",
    /LATERAL/,
  ],
  [
    "SELECT 1 FROM nation JOIN (SELECT r_name FROM region WHERE r_regionkey = n_regionkey) r ON true",
    "COLUMN_NOT_FOUND",
    "n_regionkey",
    /LATERAL/,
  ],
  ["SELECT count(*) FROM nation GROUP BY 'x'", "INVALID_QUERY", "'x'", /Name a column/],
  ["SELECT count(*) FROM nation GROUP BY ROLLUP (n_name, NULL)", "INVALID_QUERY", "NULL", /Name a column/],
  ["SELECT count(*) FROM nation GROUP BY (n_name, 1.5)", "INVALID_QUERY", "1.5", /Name a column/],
  ["SELECT count(*) FROM nation GROUP BY -1", "INVALID_QUERY", "-1", /Name a column/],
  ["SELECT n_name FROM nation ORDER BY 'x' DESC", "INVALID_QUERY", "'x' DESC", /Name a column/],
  ["SELECT n_name FROM nation ORDER BY true", "INVALID_QUERY", "true", /Name a column/],
  ["SELECT DISTINCT ON ('x') n_name FROM nation", "INVALID_QUERY", "'x'", /Name a column/],
  ["SELECT 1 FROM nation WHERE row_number() OVER () = 1", "INVALID_QUERY", "row_number() OVER ()", /QUALIFY/],
  ["SELECT row_number() FROM nation", "INVALID_QUERY", "row_number()", undefined],
  ["SELECT n_name FROM nation GROUP BY 3", "INVALID_QUERY", "3", /1 column/],
  ["SELECT n_name FROM nation ORDER BY 0", "INVALID_QUERY", "0", /1 column/],
  ["SELECT DISTINCT n_name FROM nation ORDER BY n_nationkey", "INVALID_QUERY", "n_nationkey", /GROUP BY/],
  [
    "SELECT n_name FROM nation UNION SELECT r_name FROM region ORDER BY upper(n_name)",
    "INVALID_QUERY",
    "upper(n_name)",
    /subquery/,
  ],
];

const TYPES: readonly Row[] = [
  ["SELECT 1 FROM nation WHERE n_name = 1", "TYPE_MISMATCH", "n_name = 1", /CAST/],
  ["SELECT 1 FROM orders WHERE o_orderdate = 'tomorrow'", "TYPE_MISMATCH", "'tomorrow'", /YYYY-MM-DD/],
  ["SELECT 1 FROM orders WHERE o_orderdate > 5", "TYPE_MISMATCH", "o_orderdate > 5", /CAST/],
  ["SELECT 1 FROM nation WHERE n_nationkey = 'abc'", "TYPE_MISMATCH", "'abc'", /number/],
  ["SELECT 1 FROM nation WHERE n_nationkey = '1.5'", "TYPE_MISMATCH", "'1.5'", /whole number/],
  ["SELECT 1 FROM nation WHERE n_nationkey = '99999999999'", "TYPE_MISMATCH", "'99999999999'", /whole number/],
  ["SELECT n_name + 1 FROM nation", "TYPE_MISMATCH", "n_name + 1", /CAST/],
  ["SELECT o_created + 1 FROM orders", "TYPE_MISMATCH", "o_created + 1", /INTERVAL/],
  ["SELECT o_orderdate + o_orderdate FROM orders", "TYPE_MISMATCH", "o_orderdate + o_orderdate", undefined],
  ["SELECT localtimestamp(n_nationkey) FROM nation", "SYNTAX", "n_nationkey", undefined],
  [
    "SELECT pg_catalog.localtime(n_nationkey) FROM nation",
    "INVALID_QUERY",
    "pg_catalog.localtime(n_nationkey)",
    /\(3\)/,
  ],
  [
    "SELECT ascii(n_name) WITHIN GROUP (ORDER BY 1) FROM nation",
    "INVALID_QUERY",
    "ascii(n_name) WITHIN GROUP (ORDER BY 1)",
    undefined,
  ],
  ["SELECT CAST(1 AS null)", "TYPE_MISMATCH", "null", undefined],
  [
    "SELECT sum(n_nationkey) OVER w FROM nation WINDOW w AS (), W AS (ORDER BY n_name)",
    "INVALID_QUERY",
    "W",
    /name of its own/,
  ],
  ["SELECT median(o_orderdate) FROM orders", "TYPE_MISMATCH", "o_orderdate", /percentile_disc/],
  ["SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n_name) FROM nation", "TYPE_MISMATCH", "n_name", undefined],
  ["SELECT 1 FROM nation WHERE n_nationkey", "TYPE_MISMATCH", "n_nationkey", /<> 0/],
  ["SELECT 1 FROM nation WHERE n_name", "TYPE_MISMATCH", "n_name", /Compare/],
  ["SELECT NOT n_name FROM nation", "TYPE_MISMATCH", "n_name", undefined],
  ["SELECT -n_name FROM nation", "TYPE_MISMATCH", "-n_name", undefined],
  ["SELECT n_nationkey LIKE 'a' FROM nation", "TYPE_MISMATCH", "n_nationkey", /text/],
  ["SELECT n_nationkey || n_regionkey FROM nation", "TYPE_MISMATCH", "n_nationkey || n_regionkey", /text/],
  ["SELECT sum(n_name) FROM nation", "TYPE_MISMATCH", "n_name", /numeric/],
  ["SELECT sum(c_active) FROM customer", "TYPE_MISMATCH", "c_active", /FILTER/],
  ["SELECT upper(n_nationkey) FROM nation", "TYPE_MISMATCH", "n_nationkey", undefined],
  ["SELECT upper(n_name, 1) FROM nation", "INVALID_QUERY", "upper(n_name, 1)", undefined],
  ["SELECT 1 + coalesce() FROM nation", "INVALID_QUERY", "coalesce()", undefined],
  ["SELECT greatest(n_name, least()) FROM nation", "INVALID_QUERY", "least()", undefined],
  ["SELECT CASE WHEN TRUE THEN n_name ELSE n_nationkey END FROM nation", "TYPE_MISMATCH", "n_nationkey", /CAST/],
  ["SELECT coalesce(n_name, 1) FROM nation", "TYPE_MISMATCH", "1", /CAST/],
  [
    "SELECT n_name FROM nation UNION SELECT r_regionkey FROM region",
    "TYPE_MISMATCH",
    "SELECT r_regionkey FROM region",
    /CAST/,
  ],
  ["SELECT 1 UNION SELECT 1, 2", "INVALID_QUERY", "SELECT 1, 2", undefined],
  ["SELECT (SELECT 1, 2)", "INVALID_QUERY", "(SELECT 1, 2)", undefined],
  [
    "SELECT 1 FROM nation WHERE n_nationkey IN (SELECT 1, 2)",
    "INVALID_QUERY",
    "n_nationkey IN (SELECT 1, 2)",
    undefined,
  ],
  ["SELECT (1, 2) = (1, 2, 3)", "INVALID_QUERY", "(1, 2) = (1, 2, 3)", undefined],
  [
    "SELECT extract(fortnight FROM o_orderdate) FROM orders",
    "INVALID_QUERY",
    "extract(fortnight FROM o_orderdate)",
    /isodow/,
  ],
  ["SELECT date_trunc('fortnight', o_orderdate) FROM orders", "INVALID_QUERY", "'fortnight'", /month/],
  ["SELECT INTERVAL 'soon'", "TYPE_MISMATCH", "INTERVAL 'soon'", /3 days/],
  ["SELECT CAST('x' AS char)", "TYPE_MISMATCH", "char", /char\(1\)/],
  ["SELECT ARRAY['a'] || 'b'", "TYPE_MISMATCH", "'b'", /ARRAY/],
  ["SELECT ARRAY[1, 'x']", "TYPE_MISMATCH", "'x'", undefined],
  [
    "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x / 2.0 FROM t) SELECT x FROM t",
    "TYPE_MISMATCH",
    "SELECT 1",
    /CAST/,
  ],
];

const FUNCTIONS: readonly Row[] = [
  ["SELECT abs(n_nationkey) IGNORE NULLS FROM nation", "INVALID_QUERY", "abs(n_nationkey) IGNORE NULLS", /FILTER/],
  ["SELECT max(n_name) RESPECT NULLS FROM nation", "INVALID_QUERY", "max(n_name) RESPECT NULLS", /FILTER/],
  ["SELECT rank() OVER (w ORDER BY n_name) FROM nation", "INVALID_QUERY", "w", /WINDOW w AS/],
  ["SELECT rank() OVER win FROM nation WINDOW wind AS (ORDER BY n_name)", "INVALID_QUERY", "win", /"wind"/],
  ["SELECT rank() OVER w FROM nation WINDOW w AS (v), v AS (w)", "INVALID_QUERY", "v", /WINDOW w AS/],
  ["SELECT rank() OVER w FROM nation WINDOW w AS (w)", "INVALID_QUERY", "w", /WINDOW w AS/],
  ["SELECT sum(1) OVER (w PARTITION BY 1) FROM nation WINDOW w AS ()", "INVALID_QUERY", "w", /Leave out PARTITION BY/],
  [
    "SELECT sum(1) OVER (v ORDER BY n_name) FROM nation WINDOW w AS (ORDER BY n_nationkey), v AS (w)",
    "INVALID_QUERY",
    "v",
    /one of the two/,
  ],
  ["SELECT count(*) OVER (w) FROM nation WINDOW w AS (ROWS 1 PRECEDING)", "INVALID_QUERY", "w", /OVER w, without/],
  [
    "SELECT count(*) OVER (w ORDER BY n_name) FROM nation WINDOW w AS (ROWS 1 PRECEDING)",
    "INVALID_QUERY",
    "w",
    /the whole window/,
  ],
  [
    "SELECT count(*) OVER v FROM nation WINDOW w AS (ROWS 1 PRECEDING), v AS (w ROWS 2 PRECEDING)",
    "INVALID_QUERY",
    "w",
    /the whole window/,
  ],
  ["SELECT current_date(3)", "INVALID_QUERY", "current_date(3)", undefined],
  ["SELECT if(n_nationkey > 1, 2) FROM nation", "INVALID_QUERY", "if(n_nationkey > 1, 2)", /CASE WHEN/],
  ["SELECT dayofweek(o_orderdate) FROM orders", "FUNCTION_NOT_ALLOWED", "dayofweek(o_orderdate)", /isodow/],
  ["SELECT pg_read_file('/etc/passwd')", "FUNCTION_NOT_ALLOWED", "pg_read_file('/etc/passwd')", undefined],
  ["SELECT PG_CATALOG.PG_READ_FILE('x')", "FUNCTION_NOT_ALLOWED", "PG_CATALOG.PG_READ_FILE('x')", undefined],
  ["SELECT 1 FROM read_csv('x')", "FUNCTION_NOT_ALLOWED", "read_csv('x')", undefined],
  ["SELECT 1 FROM unknown_rows(1)", "FUNCTION_NOT_ALLOWED", "unknown_rows(1)", /unnest/],
  ["SELECT upper(DISTINCT n_name) FROM nation", "INVALID_QUERY", "upper(DISTINCT n_name)", undefined],
  [
    "SELECT upper(n_name) FILTER (WHERE TRUE) FROM nation",
    "INVALID_QUERY",
    "upper(n_name) FILTER (WHERE TRUE)",
    undefined,
  ],
  ["SELECT percentile_cont(0.5) FROM nation", "INVALID_QUERY", "percentile_cont(0.5)", /WITHIN GROUP/],
  ["SELECT max(*) FROM nation", "INVALID_QUERY", "max(*)", undefined],
  ['SELECT n_name COLLATE "C" FROM nation', "UNSUPPORTED_ON_SOURCE", 'n_name COLLATE "C"', /lower/],
];

describe.each([
  ["names", NAMES],
  ["grouping", GROUPS],
  ["types", TYPES],
  ["functions", FUNCTIONS],
] as const)("%s", (_topic, rows) => {
  test.each(rows)("%s", (sql, reason, at, hint) => {
    const error = plainError(sql);
    expect(error.reason, error.message).toBe(reason);
    expect(error.span && sql.slice(error.span.start, error.span.end)).toBe(at);
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  });
});

test("unknown functions are allowed, warned about or refused", () => {
  const sql = "SELECT my_fun(n_name) FROM nation";
  const warnings = (unknownFunctions: "allow" | "warn") =>
    plainPlan(sql, "postgres", { options: { unknownFunctions } }).warnings.map((warning) => warning.code);
  expect(warnings("allow")).toEqual([]);
  expect(warnings("warn")).toEqual(["UNKNOWN_FUNCTION"]);
  expect(() => plainPlan(sql, "postgres", { options: { unknownFunctions: "refuse" } })).toThrow("not known");
});

test.each<[sql: string, schemas: readonly string[] | undefined, isCalled: boolean]>([
  ["SELECT geo.area(n_name) FROM nation", undefined, false],
  ["SELECT geo.area(n_name) FROM nation", ["finance"], false],
  ["SELECT geo.area(n_name) FROM nation", ["finance", "Geo"], true],
  ["SELECT geo.pg_read_file(n_name) FROM nation", ["geo"], false],
])("%s with the schemas %s may be called: %s", (sql, functionSchemas, isCalled) => {
  const options = functionSchemas === undefined ? {} : { options: { functionSchemas } };
  if (isCalled) expect(plainPlan(sql, "postgres", options).sql).toContain("geo.area(");
  else
    expect(() => plainPlan(sql, "postgres", options)).toThrow(
      expect.objectContaining({ reason: "FUNCTION_NOT_ALLOWED" }),
    );
});

test.each([0, 1])("a text is quoted in whole letters, also where it is long (%i before)", (before) => {
  const { message } = plainError(`SELECT DATE '${"x".repeat(before)}${"😀".repeat(100)}'`);
  expect([message.includes("😀"), message.isWellFormed()]).toEqual([true, true]);
});
