/**
 * Every hint that holds SQL, with a statement that gives it on some source, and that statement as the hint says to write it.
 *
 * `same` also promises equal rows in PostgreSQL. `near` does not: the hint offers another question, or the answer depends on the clock.
 */
export interface WrittenOut {
  readonly hint: string;
  readonly asked: string;
  readonly instead: readonly string[];
  readonly compared: boolean;
}

const same = (hint: string, asked: string, ...instead: readonly string[]): WrittenOut => ({
  hint,
  asked,
  instead,
  compared: true,
});
const near = (hint: string, asked: string, ...instead: readonly string[]): WrittenOut => ({
  ...same(hint, asked, ...instead),
  compared: false,
});

const value = (expression: string): string => `SELECT id, ${expression} AS x FROM orders`;
const filter = (condition: string): string => `SELECT id FROM orders WHERE ${condition}`;

/** More nodes than a rewrite may repeat. */
const LARGE = Array.from({ length: 70 }, () => "name").join(" || ");

export const WRITTEN_OUT: readonly WrittenOut[] = [
  same(
    "Write CROSS JOIN, and the condition into WHERE.",
    "SELECT o.id, u.x FROM orders AS o JOIN unnest(ARRAY[1, 2]) AS u(x) ON o.id = u.x ORDER BY 1",
    "SELECT o.id, u.x FROM orders AS o CROSS JOIN unnest(ARRAY[1, 2]) AS u(x) WHERE o.id = u.x ORDER BY 1",
  ),
  near(
    "Use YYYY, MM, DD, HH24, MI, SS, Mon, Dy, Q and their like.",
    value("to_char(day, 'TZ')"),
    value("to_char(at, 'YYYY-MM-DD HH24:MI:SS')"),
    value("to_char(day, 'Q')"),
    value("to_char(day, 'Mon')"),
    value("to_char(day, 'Dy')"),
  ),
  near(
    "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).",
    value("(price / 3)::text"),
    value("CAST(CAST(price / 3 AS numeric(12, 2)) AS text)"),
  ),
  near(
    "Round it first: CAST(round(x, 2) AS text).",
    value("(price / 3)::text"),
    value("CAST(round(price / 3, 2) AS text)"),
  ),
  near("Write it as YYYY-MM-DD HH:MM:SS.", filter("at < 'infinity'"), filter("at < '2024-02-01 10:30:00'")),
  near(
    "Compute it in a subquery, and write the format around its column.",
    value(`to_date(${LARGE}, 'DD.MM.YYYY')`),
    "SELECT to_date(s, 'DD.MM.YYYY') AS x FROM (SELECT CAST(id AS text) || '.02.2024' AS s FROM orders WHERE id BETWEEN 10 AND 28) AS t",
  ),
  near("Use now().", value("clock_timestamp()"), value("now()")),
  same(
    "Use EXISTS.",
    "SELECT x FROM (VALUES (1, 2), (2, 3)) AS t(x, y) WHERE (x, y) NOT IN (SELECT 1, 2)",
    "SELECT x FROM (VALUES (1, 2), (2, 3)) AS t(x, y) WHERE NOT EXISTS (SELECT 1 FROM (VALUES (1, 2)) AS u(a, b) WHERE u.a = t.x AND u.b = t.y)",
  ),
  same("Write varchar(3).", value("CAST(name AS char(3)) || '.'"), value("CAST(name AS varchar(3)) || '.'")),
  same(
    "Write it in FROM around the query: FROM (SELECT DISTINCT ON …) AS t, generate_series(…) AS g.",
    "SELECT DISTINCT ON (city) city, generate_series(1, 2) AS g FROM orders ORDER BY city, id",
    "SELECT t.city, g FROM (SELECT DISTINCT ON (city) city FROM orders ORDER BY city, id) AS t, generate_series(1, 2) AS g",
  ),
  near("Use LIKE.", value("regexp_replace(name, '[0-9]+', '#', 'g')"), filter("name LIKE '%0%'")),
  near("Use date_diff('day', a, b).", value("make_interval(0, 0, 0, 3)"), value("date_diff('day', day, at)")),
  near(
    "Write CAST(… AS date) of an ISO text.",
    value("to_date(name, 'FMDD.MM.YYYY')"),
    "SELECT CAST(to_char(day, 'YYYY-MM-DD') AS date) AS x FROM orders",
    "SELECT CAST('2024-01-31' AS date) AS x FROM orders",
  ),
  near(
    "Use ROWS or RANGE.",
    "SELECT count(*) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS n FROM orders",
    "SELECT count(*) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS n FROM orders",
  ),
  same(
    "Add ESCAPE '|', or use position(… IN …) > 0.",
    filter("city LIKE '%' || name || '%'"),
    filter("city LIKE '%' || name || '%' ESCAPE '|'"),
    filter("position(name IN city) > 0"),
  ),
  same("Use position(… IN …) > 0.", filter("city LIKE '%' || name || '%'"), filter("position(name IN city) > 0")),
  near("Use date_trunc('second', …).", value("CAST(at AS timestamp(0))"), value("date_trunc('second', at)")),
  near("Write CAST(… AS date).", value("extract(julian FROM at)"), value("extract(julian FROM CAST(at AS date))")),
  same(
    "Write it in FROM.",
    "SELECT unnest(ARRAY[3, 1, 2]) AS v ORDER BY v",
    "SELECT v FROM unnest(ARRAY[3, 1, 2]) AS t(v) ORDER BY v",
  ),
  near(
    "Begin it at date_trunc('month', …).",
    "SELECT x FROM generate_series(timestamp '2024-01-31', timestamp '2024-05-31', interval '1 month') AS t(x)",
    "SELECT x FROM generate_series(date_trunc('month', timestamp '2024-01-31'), timestamp '2024-05-31', interval '1 month') AS t(x)",
  ),
  same(
    "Compare with min or max of the query, or write EXISTS.",
    filter("weight > ALL (SELECT o.weight FROM orders o WHERE o.id < 3)"),
    filter("weight > (SELECT max(o.weight) FROM orders o WHERE o.id < 3)"),
    `SELECT p.id FROM orders p WHERE p.weight IS NOT NULL AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id < 3 AND NOT p.weight > o.weight)`,
  ),
  near("Use decode(x, 'hex').", value("CAST(name AS bytea)"), value("decode('00ff', 'hex')")),
  near(
    "Use decode(x, 'hex') or decode(x, 'base64').",
    value("CAST(name AS bytea)"),
    value("decode('00ff', 'hex')"),
    value("decode('AP8=', 'base64')"),
  ),
  near("Use IN (…) with the values.", filter("city = ANY (tags)"), filter("city IN ('a', 'b')")),
  near(
    "Use IN (…) with the values, or rows of a table.",
    value("regexp_match(name, '[0-9]+')"),
    filter("city IN ('a', 'b')"),
    filter("city IN (SELECT country FROM customers)"),
  ),
  near(
    "Use extract(year FROM age(a, b)), or date_diff('day', a, b).",
    filter("age(at, day) > INTERVAL '1 year'"),
    value("extract(year FROM age(at, day))"),
    value("date_diff('day', at, day)"),
  ),
  near(
    "Use regexp_substr(x, pattern) for the whole match.",
    value("regexp_match(name, '(a)(b*)?c')"),
    value("regexp_substr(name, '(a)(b*)?c')"),
  ),
  near(
    "Write the array out: unnest(ARRAY['a', 'b']).",
    "SELECT * FROM orders AS o, LATERAL unnest(o.tags) AS t(tag)",
    "SELECT id, t.tag FROM orders AS o CROSS JOIN unnest(ARRAY['a', 'b']) AS t(tag)",
  ),
  same(
    "Write ln(x + sqrt(x * x + 1)) and its like.",
    value("asinh(weight)"),
    value("ln(weight + sqrt(weight * weight + 1))"),
  ),
  near(
    "Write the contained one out: a @> ARRAY[1, 2].",
    filter("tags <@ ARRAY['new']"),
    filter("tags @> ARRAY['new', 'old']"),
  ),
  near(
    "Use first_value(x) OVER (… ORDER BY y DESC NULLS LAST).",
    "SELECT max_by(id, price) AS x FROM orders",
    "SELECT DISTINCT first_value(id) OVER (ORDER BY price DESC NULLS LAST) AS x FROM orders",
  ),
  near(
    "Use first_value(x) OVER (… ORDER BY y).",
    "SELECT min_by(id, price) AS x FROM orders",
    "SELECT DISTINCT first_value(id) OVER (ORDER BY price) AS x FROM orders",
  ),
  near(
    "Compute in UTC and convert what you show.",
    value("created AT TIME ZONE 'Europe/Berlin'"),
    value("created AT TIME ZONE 'UTC'"),
  ),
  near(
    "Use EXISTS, or min or max of the query.",
    filter("quantity > ALL (SELECT o.id FROM orders o)"),
    filter("quantity > (SELECT max(o.id) FROM orders o)"),
  ),
  same("Write (exp(x) - exp(-x)) / 2 and its like.", value("sinh(weight)"), value("(exp(weight) - exp(-weight)) / 2")),
  same(
    "Write ON TRUE, and the condition into WHERE.",
    "SELECT o.id, s.n FROM orders o JOIN LATERAL (SELECT DISTINCT count(*) AS n FROM customers c WHERE c.id = o.customer_id) s ON s.n > 0",
    "SELECT o.id, s.n FROM orders o JOIN LATERAL (SELECT DISTINCT count(*) AS n FROM customers c WHERE c.id = o.customer_id) s ON TRUE WHERE s.n > 0",
  ),
  near(
    "Use row_number() in a subquery.",
    "SELECT max_by(id, price) AS x FROM orders",
    "SELECT id AS x FROM (SELECT id, row_number() OVER (ORDER BY price DESC NULLS LAST) AS n FROM orders) AS t WHERE n = 1",
  ),
  near(
    "Use bool_and, bool_or or CASE.",
    value("greatest(name, city)"),
    value("CASE WHEN name > city THEN name ELSE city END"),
  ),
  near(
    "Use count(DISTINCT …).",
    "SELECT approx_count_distinct(city) AS x FROM orders",
    "SELECT count(DISTINCT city) AS x FROM orders",
  ),
  same("Write x ^ (1.0 / 3).", value("cbrt(quantity)"), value("quantity ^ (1.0 / 3)")),
  same(
    "Write EXISTS with a condition for each member.",
    "SELECT x FROM (VALUES (1, 2), (2, 3)) AS t(x, y) WHERE (x, y) NOT IN (SELECT 1, 2)",
    "SELECT x FROM (VALUES (1, 2), (2, 3)) AS t(x, y) WHERE NOT EXISTS (SELECT 1 FROM (VALUES (1, 2)) AS u(a, b) WHERE u.a = t.x AND u.b = t.y)",
  ),
  same("Write a - b * trunc(a / b).", value("price % quantity"), value("price - quantity * trunc(price / quantity)")),
  same("Write trunc(a / b).", value("div(price, 7)"), value("trunc(price / 7)")),
  near(
    "Write floor(x) or ceil(x) in it.",
    value("CAST(CAST(weight AS integer) * weight AS integer)"),
    value("CAST(floor(CAST(weight AS integer) * weight) AS integer)"),
    value("CAST(ceil(CAST(weight AS integer) * weight) AS integer)"),
  ),
  near(
    "Add seconds to TIMESTAMP '1970-01-01 00:00:00'.",
    value("to_timestamp(weight)"),
    value("TIMESTAMP '1970-01-01 00:00:00' + quantity * INTERVAL '1 second'"),
  ),
  same(
    "Write ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW, with an order in which no two rows are equal.",
    "SELECT id, sum(quantity) OVER (ORDER BY id) AS a FROM orders",
    "SELECT id, sum(quantity) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS a FROM orders",
  ),
  near("Use string_to_array(x, ',').", value("CAST(name AS integer[])"), value("string_to_array(name, ',')")),
  near("Use x = ANY (a) for each element.", filter("tags @> ARRAY['new']"), filter("'new' = ANY (tags)")),
  near(
    "Take one of them: (regexp_match(x, pattern))[1].",
    value("regexp_match(name, '[0-9]+')"),
    value("(regexp_match(name, '[0-9]+'))[1]"),
  ),
  same("Write a + b - (a & b) for a | b.", value("quantity | 1"), value("quantity + 1 - (quantity & 1)")),
  same("Write ln(x) / ln(b).", value("log(2, quantity)"), value("ln(quantity) / ln(2)")),
  same(
    "Write upper(left(x, 1)) || lower(substring(x FROM 2)) for one word.",
    "SELECT id, initcap(city) AS x FROM orders WHERE city NOT LIKE '% %'",
    "SELECT id, upper(left(city, 1)) || lower(substring(city FROM 2)) AS x FROM orders WHERE city NOT LIKE '% %'",
  ),
  near(
    "Write CAST(… AS timestamp) AT TIME ZONE 'UTC'.",
    value("CAST(name AS timestamptz)"),
    value("CAST(name AS timestamp) AT TIME ZONE 'UTC'"),
  ),
  near(
    "Write CAST(… AS numeric(18, 4)), or as many digits as there are.",
    value("price * price * price * price * price * price * price"),
    value("CAST(price * price * price AS numeric(18, 4)) * CAST(price * price * price * price AS numeric(18, 4))"),
  ),
  near("Use ~ with a regular expression.", filter("name SIMILAR TO 'a#\"b#\"c' ESCAPE '#'"), filter("name ~ 'abc'")),
  same("Cast it to numeric first.", value("round(weight, 2)"), value("round(weight::numeric, 2)")),
  near(
    "Use epoch or day of a difference of two timestamps.",
    value("extract(hour FROM at - day)"),
    value("extract(epoch FROM at - day::timestamp)"),
    value("extract(day FROM at - day::timestamp)"),
  ),
  near(
    "Use year, quarter, month, week, day, hour, minute or second.",
    value("date_trunc('microsecond', at)"),
    ...["year", "quarter", "month", "week", "day", "hour", "minute", "second"].map((unit) =>
      value(`date_trunc('${unit}', at)`),
    ),
  ),
  near(
    "Use string_agg.",
    value("array_to_string(tags, ',')"),
    "SELECT string_agg(name, ',' ORDER BY id) AS x FROM orders",
  ),
  near("Use LIKE.", filter("name SIMILAR TO 'a%'"), filter("name LIKE 'a%'")),
  near("Write the pattern as a literal.", filter("city LIKE '%' || name || '%'"), filter("city LIKE '%abc%'")),
  near("Compare texts: j ->> 'key'.", filter("doc::jsonb = '{}'::jsonb"), filter("doc ->> 'key' = 'a'")),
  near("Compare j ->> 'key'.", filter("doc::jsonb ? 'a'"), filter("doc ->> 'a' IS NOT NULL")),
  near("Ask for its text: j ->> 'key'.", value("json_extract_path(doc, 'a', 'b')"), value("doc ->> 'a'")),
  near(
    "Use jsonb_object_keys(x::jsonb).",
    "SELECT k FROM orders, json_object_keys(doc) AS k",
    "SELECT k FROM orders, jsonb_object_keys(doc::jsonb) AS k",
  ),
  near("Take its text: ->> or #>>.", value("doc -> 'a'"), value("doc ->> 'a'"), value("doc #>> '{a,b}'")),
  same(
    "Write CAST(… AS numeric(precision, scale)) in both SELECTs.",
    "WITH RECURSIVE g(n, v) AS (SELECT 1, 100.0 UNION ALL SELECT n + 1, v * 1.05 FROM g WHERE n < 3) SELECT n, v FROM g",
    `WITH RECURSIVE g(n, v) AS (SELECT 1, CAST(100.0 AS numeric(18, 4)) UNION ALL
       SELECT n + 1, CAST(v * 1.05 AS numeric(18, 4)) FROM g WHERE n < 3) SELECT n, v FROM g`,
  ),
  near(
    "Use date_diff('day', a, b), or extract(epoch FROM a - b).",
    value("age(DATE '2025-02-28', day)"),
    value("date_diff('day', day, at)"),
    value("extract(epoch FROM at - CAST(day AS timestamp))"),
  ),
  same("Use -> step by step.", value("doc #>> ARRAY['a', 'b']"), value("doc -> 'a' ->> 'b'")),
  near(
    "Write CAST(… AS numeric(18, 6)).",
    value("'1.23456789'::numeric"),
    value("CAST('1.23456789' AS numeric(18, 6))"),
  ),
  near(
    "Write CAST(… AS numeric(20, 6)).",
    "SELECT corr(price, weight) AS x FROM orders",
    "SELECT corr(price, CAST(weight AS numeric(20, 6))) AS x FROM orders",
  ),
  near(
    "Write its text: CAST(… AS text), or to_char(…).",
    value("json_build_object('a', at)"),
    value("json_build_object('a', CAST(at AS text))"),
    value("json_build_object('a', to_char(at, 'YYYY-MM-DD'))"),
  ),
  near(
    "Collect the rows of groups, without DISTINCT.",
    "SELECT json_agg(DISTINCT city) AS x FROM orders",
    "SELECT city, json_agg(name) AS x FROM orders GROUP BY city",
  ),
  same(
    "Use || where no value is NULL.",
    "SELECT concat_ws('-', city, CAST(id AS text)) AS x FROM orders WHERE city IS NOT NULL",
    "SELECT city || '-' || CAST(id AS text) AS x FROM orders WHERE city IS NOT NULL",
  ),
  near(
    "Oracle has no empty text: write IS NULL or IS NOT NULL.",
    filter("name = ''"),
    filter("name IS NULL"),
    filter("name IS NOT NULL"),
  ),
  near("Cast the text: j ->> 'key'.", value("(doc -> 'n')::integer"), value("(doc ->> 'n')::integer")),
  near(
    "Compare j ->> 'key', or use json_array_length.",
    value("json_typeof(doc)"),
    filter("doc ->> 'key' = 'a'"),
    value("json_array_length(doc)"),
  ),
  near(
    "Use a simple literal pattern without backslashes, or LIKE.",
    filter("name ~ '^\\w{4}'"),
    filter("name ~ '^[0-9]'"),
    filter("name LIKE '2024%'"),
  ),
  near(
    "Use LIKE, or a literal of characters, [classes] and counts, with * and + at its ends alone.",
    filter("name ~ '^2.4'"),
    filter("name LIKE '2_4%'"),
    filter("name ~ '^2[0-9]{2}[a-z]*$'"),
  ),
  near("Filter the values first, then write CAST.", value("TRY_CAST(name AS integer)"), value("CAST(name AS integer)")),
  near("Use to_json(x).", value("CAST(is_paid AS jsonb)"), value("to_json(is_paid)")),
  near(
    "Write one of them out, with values of letters and digits: a @> ARRAY['x'].",
    value("tags <@ ARRAY['new']"),
    value("tags @> ARRAY['new']"),
  ),
  near(
    "Use a subquery with DISTINCT.",
    "SELECT array_agg(DISTINCT name) AS x FROM orders",
    "SELECT array_agg(name) AS x FROM (SELECT DISTINCT name FROM orders) AS d",
  ),
  near(
    "Compare their members, or write EXISTS.",
    filter("(id, 'a') IN (SELECT c.id, c.name FROM customers c)"),
    "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.id = o.id AND c.name = 'a')",
    filter("id = 1 AND name = 'a'"),
  ),
];

/** Hints that hold SQL which cannot stand in a statement for every question that they answer, each with the reason. */
export const WITHOUT_STATEMENT: Readonly<Record<string, string>> = {
  "RAND is one number for a whole statement.": "names a function of SQL Server and offers none",
  "Write CAST(… AS numeric(18, 2)).": "the value is an interval, which no cast makes a number",
  "Oracle has no empty text: write nullif(…, '') where the text is computed.":
    "changes the rows that are compared, not the statement",
  "Oracle has none: write IS NULL, or a text of your own.": "the text is the caller's choice",
};
