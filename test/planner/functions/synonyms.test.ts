/** Spellings of other dialects: what each means in the input language, on PostgreSQL and on DuckDB. */
import { expect, test } from "vitest";
import { type PlainTarget, plainSql } from "../binding/plain.ts";

const printed = (expression: string, target: PlainTarget): string =>
  plainSql(
    `SELECT ${expression} AS x FROM nation, (SELECT DATE '2024-05-06' AS d, TIMESTAMP '2024-05-06' AS ts) AS v`,
    target,
  ).replace(/^SELECT (.*) AS x FROM.*$/s, "$1");

/** A capital of DuckDB's own is not that of PostgreSQL. */
const UPPER_ON_DUCKDB =
  "CASE WHEN contains(nation.n_name, 'ß') THEN array_to_string(list_transform(string_split(nation.n_name, 'ß'), (lambda _s: upper(_s))), 'ß') ELSE upper(nation.n_name) END";

test.each([
  [
    "ifnull(n_name, 'x')",
    "coalesce(nation.n_name, 'x')",
    "coalesce(nation.n_name, 'x')",
    "coalesce(nation.n_name, 'x')",
  ],
  ["nvl(n_name, 'x')", "coalesce(nation.n_name, 'x')", "coalesce(nation.n_name, 'x')", "coalesce(nation.n_name, 'x')"],
  [
    "isnull(n_name, 'x')",
    "coalesce(nation.n_name, 'x')",
    "coalesce(nation.n_name, 'x')",
    "coalesce(nation.n_name, 'x')",
  ],
  [
    "nvl2(n_name, 1, 2)",
    "CASE WHEN nation.n_name IS NOT NULL THEN 1 ELSE 2 END",
    "CASE WHEN nation.n_name IS NOT NULL THEN 1 ELSE 2 END",
    "CASE WHEN nation.n_name IS NOT NULL THEN 1 ELSE 2 END",
  ],
  [
    "if(TRUE, 1, 2)",
    "CASE WHEN TRUE THEN 1 ELSE 2 END",
    "CASE WHEN TRUE THEN 1 ELSE 2 END",
    "CASE WHEN TRUE THEN 1 ELSE 2 END",
  ],
  [
    "iff(TRUE, 1, 2)",
    "CASE WHEN TRUE THEN 1 ELSE 2 END",
    "CASE WHEN TRUE THEN 1 ELSE 2 END",
    "CASE WHEN TRUE THEN 1 ELSE 2 END",
  ],
  ["substr(n_name, 2)", "substring(nation.n_name, 2)", "substring(nation.n_name, 2)", "substring(nation.n_name, 2)"],
  [
    "mid(n_name, 2, 3)",
    "substring(nation.n_name, 2, 3)",
    "substring(nation.n_name, 2, 3)",
    "substring(nation.n_name, 2, 3)",
  ],
  ["len(n_name)", "length(nation.n_name)", "length(nation.n_name)", "length(nation.n_name)"],
  ["char_length(n_name)", "length(nation.n_name)", "length(nation.n_name)", "length(nation.n_name)"],
  ["ucase(n_name)", "upper(nation.n_name)", "upper(nation.n_name)", UPPER_ON_DUCKDB],
  ["lcase(n_name)", "lower(nation.n_name)", "lower(nation.n_name)", "lower(nation.n_name)"],
  ["ceiling(1.5)", "ceil(1.5)", "ceil(1.5)", "ceil(1.5)"],
  ["pow(2, 3)", "power(2, 3)", "power(2, 3)", "power(2, 3)"],
  ["truncate(1.55, 1)", "trunc(1.55, 1)", "trunc(1.55, 1)", "trunc(1.55, 1)"],
  [
    "startswith(n_name, 'a')",
    "starts_with(nation.n_name, 'a')",
    "starts_with(nation.n_name, 'a')",
    "starts_with(nation.n_name, 'a')",
  ],
  [
    "instr(n_name, 'a')",
    "position('a' IN nation.n_name)",
    "position('a' IN nation.n_name)",
    "position('a' IN nation.n_name)",
  ],
  [
    "charindex('a', n_name)",
    "position('a' IN nation.n_name)",
    "position('a' IN nation.n_name)",
    "position('a' IN nation.n_name)",
  ],
  [
    "locate('a', n_name)",
    "position('a' IN nation.n_name)",
    "position('a' IN nation.n_name)",
    "position('a' IN nation.n_name)",
  ],
  [
    "regexp_contains(n_name, 'a')",
    "regexp_like(nation.n_name, 'a')",
    "nation.n_name ~ 'a'",
    "regexp_matches(nation.n_name, 'a', 's')",
  ],
  [
    "regexp_extract(n_name, 'a+')",
    "regexp_substr(nation.n_name, 'a+')",
    "(regexp_match(nation.n_name, '(a+)'))[1]",
    "CASE WHEN regexp_matches(nation.n_name, 'a+', 's') THEN regexp_extract(nation.n_name, 'a+', 0, 's') END",
  ],
  ["year(d)", "EXTRACT(YEAR FROM v.d)", "CAST(EXTRACT(YEAR FROM v.d) AS BIGINT)", "EXTRACT(YEAR FROM v.d)"],
  ["quarter(d)", "EXTRACT(QUARTER FROM v.d)", "CAST(EXTRACT(QUARTER FROM v.d) AS BIGINT)", "EXTRACT(QUARTER FROM v.d)"],
  ["dayofmonth(d)", "EXTRACT(DAY FROM v.d)", "CAST(EXTRACT(DAY FROM v.d) AS BIGINT)", "EXTRACT(DAY FROM v.d)"],
  ["dayofyear(d)", "EXTRACT(DOY FROM v.d)", "CAST(EXTRACT(DOY FROM v.d) AS BIGINT)", "EXTRACT(DOY FROM v.d)"],
  ["weekofyear(d)", "EXTRACT(WEEK FROM v.d)", "CAST(EXTRACT(WEEK FROM v.d) AS BIGINT)", "EXTRACT(WEEK FROM v.d)"],
  [
    "date_part('dow', d)",
    "CAST(EXTRACT(DOW FROM v.d) AS DOUBLE PRECISION)",
    "CAST(EXTRACT(DOW FROM v.d) AS DOUBLE PRECISION)",
    "CAST(EXTRACT(DOW FROM v.d) AS DOUBLE PRECISION)",
  ],
  [
    "datepart(month, d)",
    "CAST(EXTRACT(MONTH FROM v.d) AS DOUBLE PRECISION)",
    "CAST(EXTRACT(MONTH FROM v.d) AS DOUBLE PRECISION)",
    "CAST(EXTRACT(MONTH FROM v.d) AS DOUBLE PRECISION)",
  ],
  [
    "datetrunc(month, d)",
    "date_trunc('month', v.d)",
    "date_trunc('month', CAST(v.d AS TIMESTAMP))",
    "CAST(date_trunc('month', v.d) AS TIMESTAMP)",
  ],
  [
    "trunc(d, 'MM')",
    "date_trunc('month', v.d)",
    "date_trunc('month', CAST(v.d AS TIMESTAMP))",
    "CAST(date_trunc('month', v.d) AS TIMESTAMP)",
  ],
  ["dateadd(day, 3, d)", "v.d + INTERVAL 3 DAY", "v.d + INTERVAL '3 days'", "v.d + INTERVAL '3 days'"],
  ["timestampadd(month, 1, d)", "v.d + INTERVAL 1 MONTH", "v.d + INTERVAL '1 months'", "v.d + INTERVAL '1 months'"],
  ["add_months(d, 2)", "v.d + INTERVAL 2 MONTH", "v.d + INTERVAL '2 months'", "v.d + INTERVAL '2 months'"],
  ["date_add(d, INTERVAL 1 DAY)", "v.d + INTERVAL 1 DAY", "v.d + INTERVAL '1 days'", "v.d + INTERVAL '1 days'"],
  ["date_sub(d, INTERVAL 1 MONTH)", "v.d - INTERVAL 1 MONTH", "v.d - INTERVAL '1 months'", "v.d - INTERVAL '1 months'"],
  [
    "datediff(d, DATE '2024-01-01')",
    "CAST(v.d AS DATE) - CAST(DATE '2024-01-01' AS DATE)",
    "CAST(v.d AS DATE) - CAST(DATE '2024-01-01' AS DATE)",
    "CAST(v.d AS DATE) - CAST(DATE '2024-01-01' AS DATE)",
  ],
  [
    "datediff(month, d, DATE '2024-01-01')",
    "date_diff('month', v.d, DATE '2024-01-01')",
    "CAST(EXTRACT(YEAR FROM DATE '2024-01-01') AS BIGINT) * 12 + CAST(EXTRACT(MONTH FROM DATE '2024-01-01') AS BIGINT) - (CAST(EXTRACT(YEAR FROM v.d) AS BIGINT) * 12 + CAST(EXTRACT(MONTH FROM v.d) AS BIGINT))",
    "date_diff('month', v.d, DATE '2024-01-01')",
  ],
  ["to_date('2024-01-01')", "DATE '2024-01-01'", "DATE '2024-01-01'", "DATE '2024-01-01'"],
  ["date(ts)", "CAST(v.ts AS DATE)", "CAST(v.ts AS DATE)", "CAST(v.ts AS DATE)"],
  ["timestamp(d)", "CAST(v.d AS TIMESTAMP)", "CAST(v.d AS TIMESTAMP)", "CAST(v.d AS TIMESTAMP)"],
  [
    "safe_divide(1, 2)",
    "CAST(1 AS DOUBLE PRECISION) / nullif(2, 0)",
    "CAST(1 AS DOUBLE PRECISION) / nullif(2, 0)",
    "CAST(1 AS DOUBLE PRECISION) / nullif(2, 0)",
  ],
  [
    "div0(1, 2)",
    "CASE WHEN 2 = 0 THEN 0 ELSE 1 / 2 END",
    "CASE WHEN 2 = 0 THEN 0 ELSE 1 / 2 END",
    "CASE WHEN 2 = 0 THEN 0 ELSE 1 // 2 END",
  ],
  ["zeroifnull(1)", "coalesce(1, 0)", "coalesce(1, 0)", "coalesce(1, 0)"],
  ["nullifzero(1)", "nullif(1, 0)", "nullif(1, 0)", "nullif(1, 0)"],
  [
    "count_if(n_name = 'a')",
    "count(*) FILTER (WHERE nation.n_name = 'a')",
    "count(*) FILTER (WHERE nation.n_name = 'a')",
    "count(*) FILTER (WHERE nation.n_name = 'a')",
  ],
  [
    "countif(n_name = 'a')",
    "count(*) FILTER (WHERE nation.n_name = 'a')",
    "count(*) FILTER (WHERE nation.n_name = 'a')",
    "count(*) FILTER (WHERE nation.n_name = 'a')",
  ],
  [
    "listagg(n_name)",
    "string_agg(nation.n_name, ',')",
    "string_agg(nation.n_name, ',')",
    "string_agg(nation.n_name, ',')",
  ],
  [
    "listagg(n_name, ';') WITHIN GROUP (ORDER BY n_name)",
    "string_agg(nation.n_name, ';' ORDER BY nation.n_name)",
    "string_agg(nation.n_name, ';' ORDER BY nation.n_name)",
    "string_agg(nation.n_name, ';' ORDER BY nation.n_name)",
  ],
  [
    "group_concat(n_name, ';')",
    "string_agg(nation.n_name, ';')",
    "string_agg(nation.n_name, ';')",
    "string_agg(nation.n_name, ';')",
  ],
  [
    "median(n_nationkey)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY nation.n_nationkey)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY nation.n_nationkey)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY CAST(nation.n_nationkey AS DOUBLE PRECISION))",
  ],
  [
    "percentile_cont(n_nationkey, 0.9)",
    "percentile_cont(0.9) WITHIN GROUP (ORDER BY nation.n_nationkey)",
    "percentile_cont(0.9) WITHIN GROUP (ORDER BY nation.n_nationkey)",
    "percentile_cont(0.9) WITHIN GROUP (ORDER BY CAST(nation.n_nationkey AS DOUBLE PRECISION))",
  ],
  [
    "quantile_disc(n_nationkey, 0.5)",
    "percentile_disc(0.5) WITHIN GROUP (ORDER BY nation.n_nationkey)",
    "percentile_disc(0.5) WITHIN GROUP (ORDER BY nation.n_nationkey)",
    "(list(nation.n_nationkey ORDER BY nation.n_nationkey) FILTER (WHERE nation.n_nationkey IS NOT NULL))[greatest(CAST(ceil(CAST(0.5 AS DOUBLE PRECISION) * count(nation.n_nationkey) FILTER (WHERE nation.n_nationkey IS NOT NULL)) AS BIGINT), 1)]",
  ],
  [
    "mode(n_name)",
    "mode() WITHIN GROUP (ORDER BY nation.n_name)",
    "mode() WITHIN GROUP (ORDER BY nation.n_name)",
    "mode() WITHIN GROUP (ORDER BY nation.n_name)",
  ],
  [
    "stddev(n_nationkey)",
    "stddev_samp(nation.n_nationkey)",
    "stddev_samp(nation.n_nationkey)",
    "stddev_samp(nation.n_nationkey)",
  ],
  [
    "variance(n_nationkey)",
    "var_samp(nation.n_nationkey)",
    "var_samp(nation.n_nationkey)",
    "var_samp(nation.n_nationkey)",
  ],
  [
    "std(n_nationkey)",
    "stddev_pop(nation.n_nationkey)",
    "stddev_pop(nation.n_nationkey)",
    "stddev_pop(nation.n_nationkey)",
  ],
  ["every(TRUE)", "bool_and(TRUE)", "bool_and(TRUE)", "bool_and(TRUE)"],
  ["logical_or(TRUE)", "bool_or(TRUE)", "bool_or(TRUE)", "bool_or(TRUE)"],
  ["mean(n_nationkey)", "avg(nation.n_nationkey)", "avg(nation.n_nationkey)", "avg(nation.n_nationkey)"],
  [
    "approx_distinct(n_name)",
    "approx_count_distinct(nation.n_name)",
    "count(DISTINCT nation.n_name)",
    "approx_count_distinct(nation.n_name)",
  ],
  ["uuid()", "gen_random_uuid()", "gen_random_uuid()", "gen_random_uuid()"],
  ["list_contains(ARRAY[1], 1)", "array_contains(ARRAY[1], 1)", "1 = ANY (ARRAY[1])", "1 = ANY (ARRAY[1])"],
  ["array_size(ARRAY[1])", "cardinality(ARRAY[1])", "cardinality(ARRAY[1])", "len(ARRAY[1])"],
  ["array_length(ARRAY[1])", "cardinality(ARRAY[1])", "cardinality(ARRAY[1])", "len(ARRAY[1])"],
  ["rand()", "random()", "random()", "random()"],
  ["getdate()", "now()", "now()", "now()"],
  ["curdate()", "current_date", "current_date", "CAST(CAST(now() AS TIMESTAMP) AS DATE)"],
  [
    "decode(n_name, 'a', 1, 2)",
    "CASE WHEN nation.n_name IS NOT DISTINCT FROM 'a' THEN 1 ELSE 2 END",
    "CASE WHEN nation.n_name IS NOT DISTINCT FROM 'a' THEN 1 ELSE 2 END",
    "CASE WHEN nation.n_name IS NOT DISTINCT FROM 'a' THEN 1 ELSE 2 END",
  ],
  [
    "jsonb_typeof('1'::json)",
    "json_typeof(CAST('1' AS JSON))",
    "jsonb_typeof(CAST(CAST('1' AS JSON) AS JSONB))",
    "CASE json_type(CAST('1' AS JSON)) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN 'UBIGINT' THEN 'number' WHEN 'BIGINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' WHEN 'HUGEINT' THEN 'number' END",
  ],
])("%s", (expression, input, postgres, duckdb) => {
  expect(printed(expression, "input")).toBe(input);
  expect(printed(expression, "postgres")).toBe(postgres);
  expect(printed(expression, "duckdb")).toBe(duckdb);
});

test.each([
  "dayofweek(d)",
  "weekday(d)",
  "format('{}', n_name)",
  "regexp_matches(n_name, 'A')",
  "timestampdiff(day, d, d)",
  "regexp_extract(s, 'a(b)')",
  "regexp_extract(s, s)",
])("%s has no single meaning", (expression) => {
  expect(() => printed(expression, "duckdb")).toThrow(/some sources|every source|not part/);
});

test.each([
  ["regexp_substr(n_name, '(?i)A(b)')", "(regexp_match(nation.n_name, '(?i)(A(b))'))[1]"],
  ["regexp_substr(n_name, 'a')", "(regexp_match(nation.n_name, '(a)'))[1]"],
])("%s on PostgreSQL", (expression, expected) => {
  expect(printed(expression, "postgres")).toBe(expected);
});

test("a back reference would count the group around it", () => {
  expect(() => printed("regexp_substr(n_name, '(a)\\\\1')", "postgres")).toThrow("back reference");
});
