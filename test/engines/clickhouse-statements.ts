/**
 * ClickHouse constructs with special rules, at their edge cases; the suites of all engines (`test/parity`) cover the
 * common ones.
 */
const MOMENTS =
  "(VALUES (1, TIMESTAMP '2024-03-01 10:00:00.25', TIMESTAMP '2024-02-28 12:30:00'), (2, TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-03 01:02:03.000004'), (3, TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-01'), (4, NULL, TIMESTAMP '2024-01-01'), (5, TIMESTAMP '2024-03-01', TIMESTAMP '2024-01-31')) AS t(id, a, b)";
const CLOCKS =
  "(VALUES (1, TIME '10:00', TIME '09:30:15.5'), (2, TIME '00:00', TIME '23:59:59.999999'), (3, NULL, TIME '12:00'), (4, TIME '24:00', TIME '12:00')) AS t(id, a, b)";
const NUMBERS =
  "(VALUES (1, 7.5, 2.25), (2, -7.5, 2.25), (3, 1234567.891, -0.5), (4, NULL, 1), (5, 0, 3)) AS t(id, a, b)";
const REALS =
  "(VALUES (1, 1.1::real, 0.10::numeric(8,2), 16777217::bigint, 0.1::float8), (2, 0.5, 0.7, -3, NULL), (3, NULL, 0.10, 7, 2.5), (4, 0, NULL, NULL, 0.1)) AS t(id, r, d, n, f)";
const DOCUMENTS = ['{"a":1,"b":null,"a.b":{"c":1}}', '["a",1,"b"]', '"a"', "1", "null", "{}", '["\\u0061"]'];
const WORDS = "(VALUES (1, 'foobarbaz'), (2, 'x-12 y-345'), (3, ''), (4, NULL), (5, 'B12')) AS t(id, s)";

export const STATEMENTS: readonly string[] = [
  // Differences of times
  `SELECT id, a - b AS x FROM ${MOMENTS} ORDER BY id`,
  `SELECT id, extract(day FROM a - b) AS d, extract(hour FROM a - b) AS h, extract(minute FROM a - b) AS m, extract(second FROM a - b) AS s, extract(epoch FROM a - b) AS e FROM ${MOMENTS} ORDER BY id`,
  `SELECT id, a - b > INTERVAL '1 day' AS x, a - b = INTERVAL '0' AS y, a - b BETWEEN INTERVAL '-3 days' AND INTERVAL '1 month' AS z, a - b < INTERVAL '-1 day -01:02:03' AS w, a - b IN (INTERVAL '30 days', INTERVAL '0 seconds') AS v FROM ${MOMENTS} ORDER BY id`,
  `SELECT INTERVAL '1 mon' = INTERVAL '30 days' AS x, INTERVAL '1 day' > INTERVAL '24:00:01' AS y FROM ${MOMENTS}`,
  `SELECT id FROM ${MOMENTS} ORDER BY a - b DESC, id`,
  `SELECT max(a - b) AS x, min(b - a) AS y, count(DISTINCT a - b) AS n, max(a - b) > INTERVAL '1 day' AS z FROM ${MOMENTS}`,
  `SELECT d, count(*) AS n FROM (SELECT a - b AS d FROM ${MOMENTS}) AS u GROUP BY d ORDER BY d`,
  `SELECT id, lag(a - b) OVER (ORDER BY id) AS x, coalesce(a - b, b - b) AS y, CASE WHEN id > 2 THEN a - b END AS z FROM ${MOMENTS} ORDER BY id`,
  `SELECT id, extract(day FROM d) AS x, d < INTERVAL '10 days' AS y, d IS NULL AS z FROM (SELECT id, lag(a - b) OVER (ORDER BY id) AS d FROM ${MOMENTS}) AS u ORDER BY id`,
  "SELECT TIMESTAMPTZ '2024-03-31 03:00+02' - TIMESTAMPTZ '2024-03-30 00:00+00' AS x, DATE '2024-03-01' - TIMESTAMP '2024-02-01 12:00' AS y",
  // Times that are shifted, by columns too
  "SELECT i, ts + n * INTERVAL '1 month' AS a, ts::date + n AS b, ts - INTERVAL '2 months 3 days 4 hours' AS c, ts + n * INTERVAL '1 week' AS d, ts - n * INTERVAL '1.5 second' AS e, d + INTERVAL '1 quarter' AS f, ts + n * INTERVAL '1 year' AS g FROM (VALUES (1, TIMESTAMP '2024-01-31 10:20:30', 1, DATE '2024-11-30'), (2, NULL, 1, NULL), (3, '2024-01-31 23:59:59.9', NULL, '2024-01-01'), (4, '2024-03-31 10:00', -1, '1970-01-01'), (5, '1960-02-29 10:00', -3, '2030-12-31')) AS t(i, ts, n, d) ORDER BY i",
  "SELECT i, ts + n * INTERVAL '1 hour' AS a, ts - n * INTERVAL '1 minute' AS b, ts - n * INTERVAL '1 second' AS c FROM (VALUES (1, TIMESTAMP '2024-01-31 23:59:59.5', 1), (2, '2024-01-31 00:00:00.25', -90), (3, '1969-12-31 23:00', 7)) AS t(i, ts, n) ORDER BY i",
  // Times of a day
  `SELECT id, a < b AS x, a = TIME '10:00' AS y, b BETWEEN TIME '09:00' AND TIME '12:00' AS z, a IN (TIME '00:00', TIME '10:00') AS w, a IN ('10:00', '24:00') AS v FROM ${CLOCKS} ORDER BY id`,
  `SELECT id, a - b AS x, extract(hour FROM b) AS h, extract(minute FROM b) AS m, extract(second FROM b) AS s, extract(epoch FROM b) AS e FROM ${CLOCKS} ORDER BY id`,
  `SELECT id, b + INTERVAL '14 hours 1 day' AS x, b - INTERVAL '13:00' AS y, DATE '2024-02-29' + b AS z, b + id * INTERVAL '90 minutes' AS w FROM ${CLOCKS} ORDER BY id`,
  `SELECT min(a) AS x, max(b) AS y, count(DISTINCT a) AS n, greatest(TIME '01:00', max(a)) AS g FROM ${CLOCKS}`,
  `SELECT id, b::text AS x, to_char(b, 'HH24:MI:SS.US') AS y, coalesce(a, b) AS z, b || '!' AS w FROM ${CLOCKS} ORDER BY b DESC`,
  `SELECT id, a::time AS x, (a::time)::text AS y, b::time > '10:00' AS z FROM ${MOMENTS} ORDER BY id`,
  // Numbers
  `SELECT id, a % b AS x, mod(a, b) AS y, a % 2 AS z, 7 % b AS w, mod(a::numeric(12, 3), 0.7) AS v FROM ${NUMBERS} ORDER BY id`,
  ...[
    "9999.99",
    "FM999,999,990.00",
    "S99990.0",
    "00000000.000",
    "FM9,999,999",
    "999G990D00MI",
    "9.9PR",
    "$FM990.9",
  ].map(
    (format) =>
      `SELECT id, to_char(a, '${format}') AS x, to_char(id * 1000, '${format}') AS y FROM ${NUMBERS} ORDER BY id`,
  ),
  `SELECT to_char(sum(a) / 7, 'FM999990.000') AS x FROM ${NUMBERS}`,
  `SELECT id, lag(a, 1, -1) OVER (ORDER BY id) AS x, lead(a, 2, 0.125) OVER (ORDER BY id) AS y, lag(a, 0, 5) OVER (ORDER BY id) AS z, lead(b, 1, a) OVER (PARTITION BY id % 2 ORDER BY id) AS w FROM ${NUMBERS} ORDER BY id`,
  `SELECT id, lag(s, 1, 'none') OVER (ORDER BY id) AS x, lead(s, 2, s) OVER (ORDER BY id) AS y FROM ${WORDS} ORDER BY id`,
  `SELECT to_timestamp(a::numeric(12, 3)) AS x, to_timestamp(floor(a / 900) * 900) AS y FROM ${NUMBERS} ORDER BY id`,
  "SELECT to_timestamp('2024-02-01 03:04:05.000600', 'YYYY-MM-DD HH24:MI:SS.US') AS x",
  `SELECT count(DISTINCT (a, b)) AS x, count(DISTINCT (id % 2, a IS NULL)) AS y FROM ${NUMBERS}`,
  // A double below zero times zero is another zero by its bits
  "SELECT DISTINCT x * 0 = 0 AS a, x * 0 AS b FROM (VALUES (1::float8), (-1)) AS t(x)",
  "SELECT x * 0 AS a, count(*) AS n FROM (VALUES (1::float8), (-1), (NULL)) AS t(x) GROUP BY x * 0 ORDER BY 1",
  "SELECT count(DISTINCT x * 0) AS a, count(DISTINCT x::real * 0) AS b FROM (VALUES (1::float8), (-1)) AS t(x)",
  "SELECT x * 0 AS a FROM (VALUES (1::float8)) AS t(x) EXCEPT SELECT x * 0 FROM (VALUES (-1::float8)) AS t(x)",
  "SELECT x, sum(x) OVER (PARTITION BY x * 0) AS a FROM (VALUES (1::float8), (-1)) AS t(x) ORDER BY x",
  // Decimals that are looked for among others, and among whole numbers
  "SELECT id FROM (VALUES (1, 1.5::numeric(8, 2)), (2, 1), (3, 0.15), (4, NULL)) AS t(id, x) WHERE x IN (SELECT n FROM (VALUES (1), (2)) AS u(n)) ORDER BY id",
  "SELECT id, x IN (SELECT n FROM (VALUES (0.1::numeric(8, 1)), (1), (NULL)) AS u(n)) AS y FROM (VALUES (1, 1.5::numeric(8, 2)), (2, 1), (3, 0.15), (4, NULL)) AS t(id, x) ORDER BY id",
  "SELECT id FROM (VALUES (1, 1), (2, 0), (3, 2)) AS t(id, x) WHERE x NOT IN (SELECT n FROM (VALUES (0.5::numeric(8, 2)), (2)) AS u(n)) ORDER BY id",
  "SELECT id FROM (VALUES (1, 0.15::numeric(8, 2)), (2, 1)) AS t(id, x) WHERE (x, id) IN (SELECT n, k FROM (VALUES (0.1::numeric(8, 1), 1), (1, 2)) AS u(n, k)) ORDER BY id",
  "SELECT id, x IN (1, 0.5, 2) AS y, x = 1 OR x = 0.5 OR x = 7.25 OR x = 3 AS z FROM (VALUES (1, 1), (2, 0), (3, NULL)) AS t(id, x) ORDER BY id",
  "SELECT id, x <> 1 AND x <> 0.5 AND x <> 7.25 AND x <> 3 AS z FROM (VALUES (1, 1), (2, 0), (3, NULL)) AS t(id, x) ORDER BY id",
  // Texts of what EXTRACT gives
  `SELECT id, extract(year FROM b) || '-Q' || extract(quarter FROM b) AS x, extract(second FROM b)::text AS y, extract(epoch FROM b)::text AS z, concat(extract(month FROM a), '!') AS w FROM ${MOMENTS} ORDER BY id`,
  // Matches
  `SELECT id, (regexp_match(s, '[0-9]+'))[1] AS x, (regexp_match(s, '([a-z])-([0-9]+)'))[2] AS y, (regexp_match(s, 'b'))[2] AS z, substring(s FROM 'o(.)b') AS w, substring(s, 'b.') AS v, (regexp_match(s, 'b([0-9])', 'i'))[1] AS u FROM ${WORDS} ORDER BY id`,
  // Keys of documents
  ...DOCUMENTS.map((text) => {
    const document = `'${text}'::jsonb`;
    const questions = ["? 'a'", "? 'b'", "? 'a.b'", "? 'c'", "?| ARRAY['c', 'a']", "?& ARRAY['a', 'b']"];
    return `SELECT ${questions.map((question, index) => `${document} ${question} AS x${index}`).join(", ")}`;
  }),
  // Doubles beside exact numbers
  `SELECT id, coalesce(f, d) AS x, coalesce(r, d, f) AS y, coalesce(f, 0) AS z, greatest(f, d, n) AS w, least(n, f) AS v FROM ${REALS} ORDER BY id`,
  `SELECT id, CASE WHEN id > 2 THEN d ELSE f END AS x, CASE id WHEN 1 THEN n WHEN 2 THEN r ELSE f END AS y, coalesce(f, 0.5) = 0.5 AS z FROM ${REALS} ORDER BY id`,
  `SELECT id, lag(f, 1, d) OVER (ORDER BY id) AS x, lag(r, 1, d) OVER (ORDER BY id) AS y, greatest(r, d)::float8 AS z, coalesce(r, n) AS w FROM ${REALS} ORDER BY id`,
  // Rows that are there, of values that may be NULL, chosen by IN
  `SELECT t.id FROM ${WORDS} WHERE EXISTS (SELECT 1 FROM (VALUES (1, 'foobarbaz'), (4, NULL), (5, 'b12'), (3, '')) AS u(id, s) WHERE u.id = t.id AND u.s = t.s) ORDER BY 1`,
  `SELECT t.id, EXISTS (SELECT 1 FROM (VALUES ('', 1), (NULL, 2), ('B12', 9)) AS u(a, k) WHERE u.a = t.s AND u.k IN (SELECT v.k FROM (VALUES (1), (2), (NULL)) AS v(k))) AS x, NOT EXISTS (SELECT 1 FROM (VALUES ('B12'), (NULL)) AS u(a) WHERE u.a = t.s) AS y FROM ${WORDS} ORDER BY 1`,
  // Aliases that are called like common tables
  "WITH x AS (SELECT 1 AS id), y AS (SELECT 2 AS id) SELECT x.id, y.id AS other, z.id AS third FROM y AS x CROSS JOIN x AS y CROSS JOIN y AS z",
  "WITH x AS (SELECT 1 AS id) SELECT (SELECT max(x.id) FROM (VALUES (5)) AS x(id)) AS a, id FROM x",
  "WITH a AS (SELECT 1 AS id), b AS (SELECT a.id + 1 AS id FROM a) SELECT a.id FROM b AS a WHERE EXISTS (SELECT 1 FROM a AS b WHERE b.id < a.id)",
  // Sets behind WITH
  "WITH c(x) AS (VALUES (1), (2)) SELECT x FROM c UNION ALL SELECT 2 UNION ALL SELECT x FROM c EXCEPT SELECT 1 ORDER BY 1",
  "WITH c(x) AS (VALUES (1), (2)) SELECT x FROM c UNION SELECT 2 UNION ALL SELECT x FROM c ORDER BY 1",
  "WITH c(x) AS (VALUES (1), (2), (3)) SELECT x FROM c EXCEPT SELECT 2 EXCEPT SELECT 3",
  // Codes of characters, lengths and bits of columns
  "SELECT i, ascii(s) AS a, chr(ascii(s || 'x')) AS b, chr(ascii(coalesce(nullif(s, ''), '€'))) AS c FROM (VALUES (1, ''), (2, 'a'), (3, 'éa'), (4, '€'), (5, '🎁x'), (6, NULL), (7, U&'\\+00FFFF'), (8, U&'\\+010000'), (9, U&'\\007F'), (10, U&'\\0080'), (11, U&'\\07FF'), (12, U&'\\0800')) AS t(i, s) ORDER BY i",
  "SELECT n, chr(n) AS a, ascii(chr(n)) = n AS b FROM (VALUES (1), (127), (128), (2047), (2048), (55295), (57344), (65535), (65536), (1114111), (NULL)) AS t(n) ORDER BY n",
  "SELECT i, lpad(s, n, '=') AS a, rpad(s, n, 'ab') AS b, lpad(s, n, '') AS c, rpad('', n / 2, '*') AS d FROM (VALUES (1, 'é', 3), (2, 'abc', 2), (3, 'abc', 0), (4, 'abc', -2), (5, NULL, 2), (6, 'x', NULL)) AS t(i, s, n) ORDER BY i",
  "SELECT i, ~n AS g, ~m AS h, ~b AS j FROM (VALUES (1, 5::smallint, 7, 9::bigint), (2, -5, -7, -9), (3, 32767, 2147483647, 9223372036854775807), (4, NULL, NULL, NULL), (5, -32768, -2147483648, -9223372036854775807)) AS t(i, n, m, b) ORDER BY i",
  "SELECT s FROM (VALUES ('b'), ('B'), ('é'), (''), (NULL), ('a')) AS t(s) ORDER BY s COLLATE \"C\"",
  // Series between columns, and such as end before they begin, by less than a step
  "SELECT generate_series(5, 3, 7) AS g UNION ALL SELECT generate_series(3, 5, -7) UNION ALL SELECT generate_series(5, 3, -7)",
  "SELECT i, g FROM (VALUES (1, 5, 3), (2, 3, 5), (3, 4, 4), (4, -9223372036854775807, -9223372036854775806), (5, 2, NULL)) AS t(i, a, b), generate_series(a, b, 7) AS g ORDER BY i, g",
  "SELECT i, g FROM (VALUES (1, 5, 3), (2, 3, 5), (3, 4, 4), (4, 9223372036854775807, 9223372036854775806), (5, 2, NULL)) AS t(i, a, b), generate_series(a, b, -7) AS g ORDER BY i, g",
  ...["7 days", "-7 days", "36 hours", "1 month"].map(
    (step) =>
      `SELECT i, g FROM (VALUES (1, TIMESTAMP '2024-01-01 10:30:00', TIMESTAMP '2023-12-30 00:00:00'), (2, '2023-12-30', '2024-02-05'), (3, '2024-03-01', '2024-01-01'), (4, '2024-02-01', '2024-02-01'), (5, NULL, '2024-02-01')) AS t(i, a, b), generate_series(date_trunc('month', a), b, INTERVAL '${step}') AS g ORDER BY i, g`,
  ),
  "SELECT i, g FROM (VALUES (1, 2, 4), (2, 3, 3), (3, 5, 1), (4, NULL, 2), (5, 2, NULL)) AS t(i, a, b), generate_series(a, b) AS g ORDER BY i, g",
  "SELECT i, g, n FROM (VALUES (1, 2, 9), (2, NULL, 3), (3, 5, 1)) AS t(i, a, b), generate_series(a, b, 3) WITH ORDINALITY AS s(g, n) ORDER BY i, g",
  "SELECT i, g::date AS d, count(*) AS n FROM (VALUES (1, DATE '2024-02-27', DATE '2024-03-01'), (2, DATE '2024-01-01', NULL), (3, DATE '2024-01-02', DATE '2024-01-01'), (4, DATE '2023-12-31', DATE '2024-01-01')) AS t(i, a, b) CROSS JOIN LATERAL generate_series(a, b, INTERVAL '1 day') AS g GROUP BY 1, 2 ORDER BY 1, 2",
  "SELECT i, g FROM (VALUES (1, TIMESTAMP '2024-02-27 10:00', TIMESTAMP '2024-02-27 12:30'), (2, NULL, TIMESTAMP '2024-01-01')) AS t(i, a, b), generate_series(a, b, INTERVAL '1 hour') AS g ORDER BY 1, 2",
  "SELECT g FROM generate_series((SELECT min(a) FROM (VALUES (2), (5)) AS t(a)), (SELECT max(a) FROM (VALUES (2), (5)) AS u(a))) AS g ORDER BY g",
  "SELECT count(*) AS n FROM generate_series((SELECT min(a) FROM (VALUES (2)) AS t(a) WHERE FALSE), 5) AS g",
];
