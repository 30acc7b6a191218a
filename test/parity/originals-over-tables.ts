/** As `originals.ts`, over small tables with keys that the manifest declares. */
import type { Manifest } from "../../src/planner/index.ts";
import { manifestOf } from "../support/plan.ts";
import type { Subject } from "./originals.ts";

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
];
