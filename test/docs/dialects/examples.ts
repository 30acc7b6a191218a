/** Examples of the SQL shown on dialect pages, over the model of `test/planner/describe/orders.ts`. */
import type { ExtractField } from "../../../src/planner/binding/extract.ts";
import type { BinaryOperator } from "../../../src/planner/syntax/tree.ts";

export const OPERATORS: Readonly<Record<BinaryOperator, readonly string[]>> = {
  "=": ["name = 'a'", "price = 1.5"],
  "<>": ["name <> 'a'"],
  "<": ["name < 'b'", "price < 1.5"],
  "<=": ["day <= DATE '2024-01-31'"],
  ">": ["at > TIMESTAMP '2024-01-31 12:00'"],
  ">=": ["weight >= 1.5"],
  "+": ["quantity + price", "day + 1", "at + INTERVAL '1 month'"],
  "-": ["price - quantity", "day - DATE '2024-01-31'", "at - INTERVAL '1 day'"],
  "*": ["price * quantity", "weight * 2"],
  "/": ["quantity / 2", "price / quantity", "weight / 2"],
  "//": ["quantity // 2"],
  "%": ["quantity % 3", "price % 3"],
  "^": ["weight ^ 2"],
  "||": ["name || city", "name || quantity"],
  "&": ["quantity & 1"],
  "|": ["quantity | 1"],
  "#": ["quantity # 1"],
  "<<": ["quantity << 1"],
  ">>": ["quantity >> 1"],
  "->": ["doc -> 'a'"],
  "->>": ["doc ->> 'a'"],
  "#>": ["doc #> '{a,b}'"],
  "#>>": ["doc #>> '{a,b}'"],
  "#-": ["CAST(doc AS jsonb) #- '{a,b}'"],
  "@>": ["tags @> ARRAY['new']"],
  "<@": ["tags <@ ARRAY['new']"],
  "?": ["CAST(doc AS jsonb) ? 'a'"],
  "?|": ["CAST(doc AS jsonb) ?| ARRAY['a']"],
  "?&": ["CAST(doc AS jsonb) ?& ARRAY['a']"],
  "&&": ["tags && ARRAY['new']"],
  "^@": ["name ^@ 'a'"],
  "~": ["name ~ 'a+'"],
  "~*": ["name ~* 'a+'"],
  "!~": ["name !~ 'a+'"],
  "!~*": ["name !~* 'a+'"],
  "is distinct from": ["name IS DISTINCT FROM city"],
  "is not distinct from": ["price IS NOT DISTINCT FROM 1"],
  overlaps: ["(day, day) OVERLAPS (day, day)"],
};

export const FIELDS: Readonly<Record<ExtractField, string>> = {
  century: "extract(century FROM at)",
  day: "extract(day FROM at)",
  decade: "extract(decade FROM at)",
  dow: "extract(dow FROM at)",
  doy: "extract(doy FROM at)",
  epoch: "extract(epoch FROM at)",
  hour: "extract(hour FROM at)",
  isodow: "extract(isodow FROM at)",
  isoyear: "extract(isoyear FROM at)",
  julian: "extract(julian FROM at)",
  microseconds: "extract(microseconds FROM at)",
  millennium: "extract(millennium FROM at)",
  milliseconds: "extract(milliseconds FROM at)",
  minute: "extract(minute FROM at)",
  month: "extract(month FROM at)",
  quarter: "extract(quarter FROM at)",
  second: "extract(second FROM at)",
  timezone: "extract(timezone FROM created)",
  timezone_hour: "extract(timezone_hour FROM created)",
  timezone_minute: "extract(timezone_minute FROM created)",
  week: "extract(week FROM at)",
  year: "extract(year FROM at)",
};

/** A column of each kind, and the types that it is cast to. */
const CAST_COLUMNS = ["is_paid", "quantity", "price", "weight", "name", "day", "at", "created", "doc"];
const CAST_TYPES = [
  ...["boolean", "integer", "numeric(10,1)", "double precision", "text", "varchar(3)", "date", "time"],
  ...["timestamp", "timestamptz", "bytea", "uuid", "jsonb", "interval"],
];

export const CASTS: readonly string[] = CAST_TYPES.flatMap((type) =>
  CAST_COLUMNS.map((column) => `CAST(${column} AS ${type})`),
);

/** Examples of other expressions and query clauses. */
export const QUERIES: readonly string[] = [
  "SELECT CASE WHEN is_paid THEN 'yes' ELSE 'no' END AS x FROM orders",
  "SELECT id FROM orders WHERE is_paid",
  "SELECT id FROM orders WHERE city IN ('Bern', 'Rome') AND price BETWEEN 1 AND 2",
  "SELECT id FROM orders WHERE name LIKE 'a%' OR name ILIKE '%b'",
  "SELECT id FROM orders WHERE city = ANY (tags)",
  "SELECT created AT TIME ZONE 'Europe/Berlin' AS x FROM orders",
  "SELECT city, count(*) FILTER (WHERE is_paid) AS n FROM orders GROUP BY city HAVING count(*) > 1 ORDER BY n DESC, city",
  "SELECT city, is_paid, sum(price) AS s FROM orders GROUP BY ROLLUP (city, is_paid)",
  "SELECT DISTINCT ON (city) city, id FROM orders ORDER BY city, id DESC",
  "SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY city ORDER BY price DESC NULLS LAST) = 1",
  "SELECT id, sum(price) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS s FROM orders",
  "SELECT id FROM orders ORDER BY price DESC, id LIMIT 10 OFFSET 5",
  "SELECT o.id, l.n FROM orders AS o CROSS JOIN LATERAL (SELECT o.quantity + 1 AS n) AS l",
  "SELECT o.id, p.id AS other FROM orders AS o FULL JOIN orders AS p ON o.id = p.quantity",
  "SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM orders AS p WHERE p.city = o.city AND p.id <> o.id)",
  "SELECT id, (SELECT max(p.price) FROM orders AS p WHERE p.city = o.city) AS m FROM orders AS o",
  "SELECT city FROM orders INTERSECT SELECT name FROM orders",
  "SELECT city FROM orders EXCEPT ALL SELECT name FROM orders",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
  "SELECT v.a, v.b FROM (VALUES (1, 'x'), (2, NULL)) AS v(a, b)",
  "SELECT g.d FROM generate_series(DATE '2024-01-01', DATE '2024-01-03', INTERVAL '1 day') AS g(d)",
];
