/** As `originals.ts`, over small tables with keys that the manifest declares. */
import type { Manifest } from "../../src/planner/index.ts";
import { manifestOf } from "../support/plan.ts";
import type { Original, Subject } from "./originals.ts";

const refusedOnDuckDb = (sql: string): Original => ({ sql, refused: ["duckdb"] });

/** Rows for the edges: NULL in every column that may have one, keys without partner, texts that are no numbers. */
export const TABLES = `
CREATE TABLE customer(id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, boss INTEGER, credit INTEGER, joined DATE);
INSERT INTO customer VALUES (1, 'Ann', 'Oslo', NULL, 10, '2023-01-15'), (2, 'Bob', 'Rome', 1, 20, '2023-06-30'),
  (3, 'Cid', NULL, 1, 0, NULL), (4, 'Dee', 'Oslo', 2, NULL, '2024-02-29');
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER, day DATE, ts TIMESTAMP, tz TIMESTAMPTZ, total DECIMAL(10,2),
  name VARCHAR, ok BOOLEAN, digits VARCHAR, f DOUBLE PRECISION, j JSON, tm TIME);
INSERT INTO orders VALUES
  (1, 1, '2024-01-15', '2024-01-15 10:30:00', '2024-01-15 10:30:00+00', 10.50, 'alpha', true, '12.345', 1.5,
    '{"a":1,"b":"x"}', '10:30:00'),
  (2, 1, '2024-01-31', '2024-01-31 23:59:59.5', '2024-01-31 23:59:59.5+00', 20.25, 'beta', false, '7', 2.5,
    '{"a":null,"c":[1,2]}', '23:59:59'),
  (3, 2, '2024-02-29', '2024-02-29 00:00:00', '2024-02-29 00:00:00+00', 30.00, NULL, true, ' 42.10 ', NULL, '[1,2,3]',
    '00:00:00'),
  (4, NULL, NULL, NULL, NULL, 40.75, 'delta', NULL, NULL, -3.5, NULL, NULL),
  (5, 9, '2023-12-31', '2023-12-31 12:00:00', '2023-12-31 12:00:00+00', NULL, 'eps_1%', false, '1e3', 0, '"txt"',
    '12:00:00');
CREATE TABLE item(order_id INTEGER, line INTEGER, product VARCHAR, quantity INTEGER, price DECIMAL(10,2),
  PRIMARY KEY (order_id, line));
INSERT INTO item VALUES (1, 1, 'pen', 5, 1.10), (1, 2, 'cup', 6, 2.20), (2, 1, 'pen', 7, 1.10), (3, 1, 'hat', NULL, 9.99),
  (5, 1, NULL, 2, NULL);
CREATE TABLE tag(order_id INTEGER, name VARCHAR);
INSERT INTO tag VALUES (1, 'new'), (1, 'old'), (2, 'new'), (NULL, 'lost');
CREATE TABLE arr(id INTEGER PRIMARY KEY, ns INTEGER[], ss VARCHAR[]);
INSERT INTO arr VALUES (1, ARRAY[1,2,3], ARRAY['a','b']), (2, ARRAY[2,NULL], ARRAY['b',NULL]), (3, NULL, NULL),
  (4, ARRAY[5], ARRAY['a%']);
`;

const COLUMNS: Readonly<Record<string, string>> = {
  customer: "id:integer name:varchar city:varchar boss:integer credit:integer joined:date",
  orders:
    "id:integer customer:integer day:date ts:timestamp tz:timestamptz total:decimal(10,2) name:varchar ok:boolean digits:varchar f:double j:json tm:time",
  item: "order_id:integer line:integer product:varchar quantity:integer price:decimal(10,2)",
  tag: "order_id:integer name:varchar",
  arr: "id:integer ns:integer[] ss:varchar[]",
};

const KEYS: Readonly<Record<string, readonly string[]>> = {
  customer: ["id"],
  orders: ["id"],
  item: ["order_id", "line"],
  arr: ["id"],
};

export function manifestOfTables(place: { readonly catalog?: string; readonly schema: string }): Manifest {
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: Object.entries(COLUMNS).map(([name, columns]) => ({
      name,
      tableReference: { ...place, table: name },
      ...(KEYS[name] && { primaryKey: KEYS[name] }),
      columns: columns.split(" ").map((column) => {
        const [own, type] = column.split(":");
        return { name: own, type };
      }),
    })),
  });
}

export const OVER_TABLES: readonly Subject[] = [
  {
    name: "columns that a grouped primary key determines",
    queries: [
      "SELECT customer.name, count(*) FROM customer GROUP BY customer.id ORDER BY 1",
      "SELECT c.*, count(o.id) FROM customer c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.id ORDER BY c.name DESC",
      "SELECT c.name, sum(o.total) FROM orders o LEFT JOIN customer c ON o.customer = c.id GROUP BY c.id HAVING c.city IS NULL OR max(o.total) > 10 ORDER BY c.name, c.joined",
      "SELECT id, name, upper(city) || '!' AS x, rank() OVER (ORDER BY credit DESC NULLS LAST, name) FROM customer GROUP BY id ORDER BY id",
      "SELECT id, city, name, count(*) FROM customer GROUP BY GROUPING SETS ((id), (id, city)) ORDER BY 1, 2",
      "SELECT id, city, name, count(*) FROM customer GROUP BY id, ROLLUP (city) ORDER BY 1, 2",
      "SELECT id, name, upper(name) u, count(*) FROM customer GROUP BY GROUPING SETS ((id), (id, upper(name))) ORDER BY 1, 3",
      "SELECT id, name, count(*) FROM customer GROUP BY GROUPING SETS ((id)) ORDER BY 1",
      "SELECT id, name, count(*) FROM customer GROUP BY GROUPING SETS ((id), (id)) ORDER BY 1",
      "SELECT id, name, count(*) FROM customer GROUP BY GROUPING SETS ((id), GROUPING SETS ((id, city), (id))) ORDER BY 1",
      "SELECT id, name, count(*) FROM customer GROUP BY CUBE (city), id ORDER BY 1,2,3",
      "SELECT quantity, product FROM item GROUP BY order_id, line ORDER BY order_id, line",
      "SELECT a.name, b.name, count(*) FROM customer a JOIN customer b ON b.boss = a.id GROUP BY a.id, b.id ORDER BY 1, 2",
      "SELECT i.product, o.name, o.day FROM orders o JOIN item i ON i.order_id = o.id GROUP BY o.id, i.order_id, i.line ORDER BY o.id, i.line",
      "SELECT id, j FROM orders GROUP BY id ORDER BY id",
      "SELECT id, j->>'a' AS a, count(*) FROM orders GROUP BY id ORDER BY id",
      "SELECT o.id, o.j, (SELECT count(*) FROM item i WHERE i.order_id = o.id AND o.total > 10) AS n FROM orders o GROUP BY o.id ORDER BY o.id",
      "SELECT c.id, c.name, (SELECT max(o.total) FROM orders o WHERE o.customer = c.id AND o.name <> c.name) m FROM customer c GROUP BY c.id ORDER BY 1",
      "SELECT name, sum(count(*)) OVER w FROM customer GROUP BY id WINDOW w AS (ORDER BY joined, id) ORDER BY id",
      "SELECT DISTINCT ON (city) name, count(*) FROM customer GROUP BY id ORDER BY city, joined, name",
      "SELECT DISTINCT city FROM customer GROUP BY id ORDER BY city",
      "SELECT customer.name FROM customer JOIN orders USING (id) GROUP BY id ORDER BY id",
      "SELECT orders.day FROM customer RIGHT JOIN orders USING (id) GROUP BY id ORDER BY id",
      "SELECT orders.day FROM customer FULL JOIN orders USING (id) GROUP BY orders.id ORDER BY orders.id",
      "SELECT customer.id AS k, name FROM customer GROUP BY k ORDER BY k",
      "SELECT id, name FROM customer GROUP BY 1 ORDER BY 1",
      "SELECT * FROM customer GROUP BY id ORDER BY id",
      "SELECT c.*, o.* FROM customer c JOIN orders o ON o.customer = c.id GROUP BY c.id, o.id ORDER BY o.id",
      "SELECT id, name, count(*) FILTER (WHERE credit > 5) FROM customer GROUP BY id HAVING name > 'A' AND count(*) = 1 ORDER BY lower(name) DESC",
      "SELECT c.name FROM customer c, orders o WHERE o.customer = c.id GROUP BY c.id, o.customer ORDER BY max(o.total), c.credit",
      "SELECT id, sum(credit) OVER (PARTITION BY city ORDER BY id) FROM customer GROUP BY id ORDER BY id",
      "SELECT avg(n) FROM (SELECT c.name, count(*) n FROM customer c JOIN orders o ON o.customer = c.id GROUP BY c.id) q",
      "SELECT CASE WHEN city = 'Oslo' THEN 'o' ELSE name END AS z, count(*) FROM customer GROUP BY id ORDER BY 1",
      "SELECT id, name FROM customer GROUP BY GROUPING SETS ((id, name), (id)) ORDER BY 1, 2",
      "SELECT id, name, grouping(name) FROM customer GROUP BY GROUPING SETS ((id, name), (id)) ORDER BY 1, 2",
    ],
  },
  {
    name: "dates and times in texts, year first",
    queries: [
      "SELECT id FROM orders WHERE day = '20240131' ORDER BY id",
      "SELECT id FROM orders WHERE day >= '2024/01/31' ORDER BY id",
      "SELECT id FROM orders WHERE day = DATE '20240131' ORDER BY id",
      "SELECT id FROM orders WHERE ts >= '2024-01-31T00:00:00Z' ORDER BY id",
      "SELECT id FROM orders WHERE ts >= '2024-01-31T00:00:00+00:00' ORDER BY id",
      "SELECT id FROM orders WHERE ts >= '2024-01-31T00:00:00.000Z' ORDER BY id",
      "SELECT id FROM orders WHERE ts >= '20240131T000000' ORDER BY id",
      "SELECT id FROM orders WHERE ts >= '20240131 000000' ORDER BY id",
      "SELECT id FROM orders WHERE tz >= '20240131T000000Z' ORDER BY id",
      "SELECT id FROM orders WHERE day BETWEEN '20240101' AND '2024/2/1' ORDER BY id",
      "SELECT id FROM orders WHERE day IN ('20240131', '2024/02/29') ORDER BY id",
      "SELECT '20240131'::date, '2024/1/5'::date, '2024-01-31T10:00'::timestamp, '2024-01-31T10:00Z'::timestamp, '2024-01-31 10:00 UTC'::timestamp",
      "SELECT '2024-01-31T10:00:00Z'::date, '2024-01-31 10:00:00+00'::date, DATE '2024-01-31 10:00', '20240131 1000'::timestamp",
      "SELECT TIMESTAMP '2024-01-31T10:00:00Z', TIMESTAMPTZ '20240131T100000+02', TIMESTAMPTZ '2024/01/31 10:00+02:30'",
      "SELECT extract(year FROM '20240131'::date), date_trunc('month', TIMESTAMP '2024/01/31')",
      "SELECT date_trunc('month', '2024-01-31'::timestamp), age('2024-03-01'::timestamp, '20240131')",
      "SELECT '2024-1-1'::date, '2024-01-01 '::date, ' 2024-01-01'::date",
      "SELECT '10:30'::time, '103000'::time, '1030'::time, '10:30:00.5'::time, '10:30 PM'::time, '10:30:00Z'::time, '04:05:06 PM'::time",
      "SELECT '2024-01-31 10:30 PM'::timestamp, '2024-01-31 10:30:00 PM'::timestamp, '2024-01-31 24:00:00'::timestamp, '2024-01-31 23:59:60'::timestamp",
      "SELECT '24:00:00'::time",
      "SELECT id FROM orders WHERE tm > '103000' ORDER BY id",
      "SELECT id FROM orders WHERE tm = '10:30' ORDER BY id",
      "SELECT id FROM orders WHERE ts > '2024-01-15 10:30:00.0' ORDER BY id",
      "SELECT day = '2024-01-15T00:00:00Z' FROM orders ORDER BY id",
      "SELECT id FROM orders WHERE day > '2024-01-15T12:00:00' ORDER BY id",
      "SELECT id FROM orders WHERE day = '2024-01-15 12:00:00' ORDER BY id",
      "SELECT coalesce(day, '20200101') FROM orders ORDER BY id",
      "SELECT CASE WHEN ok THEN day ELSE '2024/12/24' END FROM orders ORDER BY id",
      "SELECT day - '20240101', day - DATE '2024/01/01' FROM orders ORDER BY id",
      "SELECT ts - '2024-01-01' FROM orders WHERE id < 4 ORDER BY id",
      "SELECT id FROM orders WHERE day::text = '2024-01-15' ORDER BY id",
      "SELECT id FROM orders WHERE day::text LIKE '2024-01%' ORDER BY id",
      "SELECT day FROM orders WHERE id = 1 UNION SELECT '20240131' ORDER BY 1",
      "SELECT greatest(day, '2024/01/20') FROM orders ORDER BY id",
      "SELECT generate_series('20240101'::date, '2024/01/03'::date, interval '1 day')",
      "SELECT date '2024-01-01' + 5, date '20240101' - 1, 1 + date '2024-01-01'",
      "SELECT '2024-01-31 10:00:00 America/New_York'::timestamptz, '2024-01-31 10:00:00 EST'::timestamptz",
      "SELECT '2024-01-31 10:00:00+05:30'::timestamptz, '2024-01-31 10:00:00 +0530'::timestamptz, '2024-01-31T10:00:00.123456-08'::timestamptz",
      "SELECT '  2024-01-31   10:00:00  '::timestamp",
      "SELECT '2024-01-31 1:2:3'::timestamp",
      "SELECT '99991231'::date, '0001-01-01'::date",
      "SELECT '2024-01-31T10:30:00.1234567Z'::timestamp",
    ],
  },
  {
    name: "texts in set operations, common tables in LIMIT",
    queries: [
      "SELECT day FROM orders WHERE id = 1 UNION SELECT '20240131' ORDER BY 1",
      "SELECT '20240131' UNION SELECT day FROM orders WHERE id = 1 ORDER BY 1",
      "SELECT id, 'x' AS k FROM customer UNION ALL SELECT '7', NULL UNION ALL SELECT 8, 'y' ORDER BY 1",
      "SELECT '1' UNION SELECT '2' ORDER BY 1",
      "SELECT id FROM customer UNION SELECT '2' UNION SELECT '9' ORDER BY 1",
      "SELECT d FROM (SELECT day AS d FROM orders UNION ALL SELECT '2024-12-31') q WHERE d > '20240130' ORDER BY d",
      "SELECT total FROM orders WHERE id = 1 UNION ALL SELECT '1.5' ORDER BY 1",
      "WITH a AS (SELECT 2 AS n) SELECT id FROM customer ORDER BY id LIMIT (SELECT n FROM a)",
      "WITH a AS (SELECT 2 AS n) SELECT id FROM customer ORDER BY id OFFSET (SELECT n FROM a)",
      "WITH a AS (SELECT 2 AS n) SELECT id FROM (SELECT id FROM customer ORDER BY id LIMIT (SELECT n FROM a)) q",
      "WITH a AS (SELECT 2 AS n), b AS (SELECT id FROM customer ORDER BY id LIMIT (SELECT max(n) FROM a)) SELECT * FROM b",
      "SELECT id FROM customer ORDER BY id LIMIT (SELECT count(*) / 2 FROM customer)",
    ],
  },
  {
    name: "texts as numbers of any digits",
    queries: [
      "SELECT digits::numeric FROM orders ORDER BY id",
      "SELECT round(digits::numeric, 2) FROM orders ORDER BY id",
      "SELECT sum(digits::numeric), avg(digits::numeric), min(digits::numeric), max(digits::numeric) FROM orders",
      "SELECT id FROM orders WHERE digits::numeric > 10 ORDER BY id",
      "SELECT id FROM orders WHERE digits::numeric = 42.1 ORDER BY id",
      "SELECT digits::numeric + 1, digits::numeric * 2, digits::numeric - 0.345 FROM orders ORDER BY id",
      "SELECT digits::numeric * digits::numeric FROM orders ORDER BY id",
      "SELECT digits::numeric / 3 FROM orders ORDER BY id",
      "SELECT (digits::numeric)::int FROM orders ORDER BY id",
      refusedOnDuckDb("SELECT (digits::numeric)::text FROM orders ORDER BY id"),
      "SELECT coalesce(digits::numeric, 0) FROM orders ORDER BY id",
      "SELECT CASE WHEN ok THEN digits::numeric ELSE 0 END FROM orders ORDER BY id",
      "SELECT cast(digits AS decimal) FROM orders ORDER BY id",
      "SELECT ('1' || '.5')::numeric",
      "SELECT (j->>'a')::numeric FROM orders WHERE id < 3 ORDER BY id",
      "SELECT sum((j->>'a')::numeric) FROM orders WHERE id < 3",
      "SELECT replace('1,234.50', ',', '')::numeric",
      "SELECT nullif('', '')::numeric",
      "SELECT '12345678901234567890.12345'::numeric",
      "SELECT x::numeric FROM (VALUES ('12345678901234567890.1234567890')) t(x)",
      "SELECT digits::numeric AS n FROM orders WHERE digits IS NOT NULL ORDER BY n",
      "SELECT digits::numeric AS n, count(*) FROM orders GROUP BY 1 ORDER BY 1",
      "SELECT sum(digits::numeric) OVER (ORDER BY id) FROM orders ORDER BY id",
      "SELECT sum(digits::numeric * total) FROM orders",
      "SELECT o.id FROM orders o JOIN orders p ON o.digits::numeric > p.digits::numeric ORDER BY o.id, p.id",
      "SELECT x::numeric::numeric(10,2) FROM (VALUES ('1.005'), ('2.675')) t(x)",
      "SELECT round(f::numeric, 1) FROM orders ORDER BY id",
      "SELECT ok::int::numeric FROM orders ORDER BY id",
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY digits::numeric) FROM orders",
      "SELECT floor(digits::numeric), ceil(digits::numeric), trunc(digits::numeric, 1), abs(digits::numeric), mod(digits::numeric, 5) FROM orders ORDER BY id",
      "SELECT digits::numeric::float8 FROM orders ORDER BY id",
      "SELECT digits::numeric IN (7, 42.10) FROM orders ORDER BY id",
      "SELECT digits::numeric BETWEEN 7 AND 13 FROM orders ORDER BY id",
      "SELECT greatest(digits::numeric, 10) FROM orders ORDER BY id",
      "SELECT stddev(digits::numeric) FROM orders",
      "SELECT digits::numeric % 5 FROM orders ORDER BY id",
      "SELECT -(digits::numeric) FROM orders ORDER BY id",
      "SELECT split_part('3.25|4', '|', 1)::numeric, trim('  8.125 ')::numeric",
      "SELECT count(DISTINCT digits::numeric) FROM orders",
      "SELECT sign(digits::numeric), power(digits::numeric, 2), sqrt(digits::numeric) FROM orders ORDER BY id",
      "SELECT x::numeric FROM (VALUES ('-7.5'), ('+3'), ('.5'), ('5.'), ('1.5E2'), ('0.12345678900000')) t(x)",
      "SELECT concat(total, '-', f, '-', ok, '-', day, '-', ts, '-', id) FROM orders ORDER BY id",
      "SELECT concat_ws('|', total, f, day, ts, id, NULL, tm) FROM orders ORDER BY id",
      "SELECT concat(round(digits::numeric, 2)) FROM orders ORDER BY id",
      "SELECT (round(digits::numeric, 2))::text, trunc(digits::numeric, 1)::text, floor(digits::numeric)::text FROM orders ORDER BY id",
      refusedOnDuckDb("SELECT digits::numeric || '' FROM orders ORDER BY id"),
      refusedOnDuckDb("SELECT concat(digits::numeric) FROM orders ORDER BY id"),
      refusedOnDuckDb("SELECT (digits::numeric + total)::text FROM orders ORDER BY id"),
      refusedOnDuckDb("SELECT string_agg((digits::numeric)::text, ',') FROM orders"),
      refusedOnDuckDb("SELECT x.n::text FROM (SELECT digits::numeric AS n FROM orders) x"),
      refusedOnDuckDb("SELECT cast(x.n AS varchar(20)) FROM (SELECT sum(digits::numeric) AS n FROM orders) x"),
    ],
  },
];

/** Texts with more digits than fit: an error where the engine has no decimal of any size, never a rounded number. */
export const TOO_MANY_DIGITS: readonly string[] = [
  "SELECT x::numeric FROM (VALUES ('0.12345678901')) t(x)",
  "SELECT sum(x::numeric) FROM (VALUES ('1'), (' -1.00000000001 ')) t(x)",
  "SELECT x::numeric FROM (VALUES ('12345678901234567890123456789')) t(x)",
  "SELECT x::numeric FROM (VALUES ('1e-11')) t(x)",
  "SELECT x::numeric FROM (VALUES ('1.000000000001e2')) t(x)",
];
