/** FANOUT_RISK: which joins repeat the rows of which aggregates, and which do not. */
import { describe, expect, test } from "vitest";
import { short, warningsOf } from "./shop.ts";

type Row = readonly [sql: string, ...expected: readonly string[]];

function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows.map((row) => [row[0], row.slice(1)] as const))("%s", (sql, expected) => {
      expect(warningsOf(sql).map(short)).toEqual(expected);
    });
  });
}

const OL = "FROM orders o JOIN line l ON l.order_id = o.id";

table("the side that is repeated", [
  [`SELECT sum(o.total) ${OL}`, '"l" repeats "o" in sum(o.total)'],
  [`SELECT sum(l.price) ${OL}`],
  [`SELECT sum(o.total * l.qty) ${OL}`],
  [`SELECT sum(total) FROM line JOIN orders ON id = order_id`, '"line" repeats "orders" in sum(total)'],
  [`SELECT sum(o.total) FROM orders o JOIN customer c ON c.id = o.customer_id`],
  [`SELECT sum(c.credit) FROM orders o JOIN customer c ON c.id = o.customer_id`, '"o" repeats "c" in sum(c.credit)'],
  [`SELECT sum(c.credit) ${OL} JOIN customer c ON c.id = o.customer_id`, '"l" repeats "c" in sum(c.credit)'],
  [`SELECT sum(o.total) ${OL} JOIN product p ON p.id = l.product_id`, '"l" repeats "o" in sum(o.total)'],
  [`SELECT sum(l.price * p.weight) ${OL} JOIN product p ON p.id = l.product_id`],
  [
    `SELECT sum(c.credit) FROM customer c JOIN orders o ON o.customer_id = c.email`.replace("c.email", "c.id + 0"),
    '"o" repeats "c" in sum(c.credit)',
  ],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON c.email = o.status"],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON c.name = o.status", '"c" repeats "o" in sum(o.total)'],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON c.id = o.customer_id + 1"],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON CAST(c.id AS BIGINT) = o.customer_id"],
  ["SELECT sum(a.total) FROM orders a JOIN orders b ON a.id = b.id"],
  [
    "SELECT sum(a.total) FROM orders a JOIN orders b ON a.customer_id = b.customer_id",
    '"b" repeats "a" in sum(a.total)',
  ],
]);

table("which aggregates mind", [
  ...[
    "avg(o.total)",
    "count(o.id)",
    "count(o.total)",
    "stddev(o.total)",
    "string_agg(o.status, ',')",
    "array_agg(o.id)",
    "median(o.total)",
    "sum(o.total) FILTER (WHERE l.qty > 1)",
    "sum(CASE WHEN l.qty > 1 THEN o.total ELSE 0 END)",
    "sum(coalesce(o.total, 0))",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY o.total)",
  ].map((aggregate): Row => [`SELECT ${aggregate} ${OL}`, `"l" repeats "o" in ${aggregate}`]),
  ...[
    "min(o.total)",
    "max(o.total)",
    "any_value(o.total)",
    "bool_and(o.total > 1)",
    "bool_or(o.total > 1)",
    "count(DISTINCT o.id)",
    "sum(DISTINCT o.total)",
    "count(*)",
    "count(1)",
    "sum(1)",
    "count(*) FILTER (WHERE o.total > 1)",
    "sum(CASE WHEN o.total > 1 THEN 1 ELSE 0 END)",
    "sum(CASE WHEN o.total > 1 THEN l.price ELSE 0 END)",
    "approx_count_distinct(o.id)",
    "sum((SELECT max(c.credit) FROM customer c))",
    "sum(sum(l.price)) OVER ()",
  ].map((aggregate): Row => [`SELECT ${aggregate} ${OL}`]),
  [`SELECT sum(o.total) OVER () ${OL}`],
  [`SELECT 1 ${OL} HAVING sum(o.total) > 5`, '"l" repeats "o" in sum(o.total)'],
  [`SELECT l.no ${OL} GROUP BY l.no, o.status ORDER BY avg(o.total)`],
  [`SELECT l.qty ${OL} GROUP BY l.qty ORDER BY avg(o.total)`, '"l" repeats "o" in avg(o.total)'],
]);

table("one warning per cause", [
  [`SELECT sum(o.total), avg(o.total), sum(l.price) ${OL}`, '"l" repeats "o" in sum(o.total) and avg(o.total)'],
  [
    `SELECT sum(o.total), avg(o.total), count(o.id), sum(o.id), sum(o.total + 1) ${OL}`,
    '"l" repeats "o" in sum(o.total), avg(o.total), count(o.id) and 2 more',
  ],
  [
    `SELECT sum(o.total), sum(c.credit) ${OL} JOIN customer c ON c.id = o.customer_id`,
    '"l" repeats "o" in sum(o.total)',
    '"l" repeats "c" in sum(c.credit)',
  ],
  [
    `SELECT sum(o.total) ${OL} UNION ALL SELECT sum(o.total) ${OL}`,
    '"l" repeats "o" in sum(o.total)',
    '"l" repeats "o" in sum(o.total)',
  ],
  [
    `SELECT sum(o.total) AS t ${OL} GROUP BY o.status HAVING sum(o.total) > 1 ORDER BY t`,
    '"l" repeats "o" in sum(o.total)',
  ],
]);

table("kinds of joins", [
  ["SELECT sum(o.total) FROM orders o LEFT JOIN line l ON l.order_id = o.id", '"l" repeats "o" in sum(o.total)'],
  ["SELECT sum(l.price) FROM orders o LEFT JOIN line l ON l.order_id = o.id"],
  ["SELECT sum(o.total) FROM line l RIGHT JOIN orders o ON l.order_id = o.id", '"l" repeats "o" in sum(o.total)'],
  ["SELECT sum(o.total) FROM orders o LEFT JOIN customer c ON c.id = o.customer_id"],
  ["SELECT sum(a.total) FROM orders a FULL JOIN payment p ON p.id = a.id"],
  ["SELECT sum(a.total) FROM orders a FULL JOIN payment p ON p.order_id = a.id", '"p" repeats "a" in sum(a.total)'],
  ["SELECT sum(o.total) FROM orders o, line l WHERE l.order_id = o.id", '"l" repeats "o" in sum(o.total)'],
  ["SELECT sum(l.price) FROM orders o, line l WHERE l.order_id = o.id"],
  ["SELECT sum(o.total) FROM orders o, customer c WHERE o.customer_id = c.id"],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN region r", '"r" repeats "o" in sum(o.total)'],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN region r WHERE r.id = 1"],
  ["SELECT sum(o.total) FROM orders o JOIN region r ON r.id IN (1)"],
  ["SELECT sum(o.total) FROM orders o JOIN region r ON r.id IN (1, 2)", '"r" repeats "o" in sum(o.total)'],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN (SELECT max(id) AS m FROM region) r"],
  // A full join of two rows that do not meet gives two.
  [
    "SELECT sum(o.total) FROM orders o CROSS JOIN ((SELECT max(id) AS m FROM region) a FULL JOIN (SELECT max(id) AS m FROM product) b ON a.m = b.m)",
    '"b" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(p.amount) FROM orders o JOIN payment p USING (id)"],
  ["SELECT sum(p.amount) FROM line l JOIN payment p USING (order_id)", '"l" repeats "p" in sum(p.amount)'],
  ["SELECT sum(weight) FROM (SELECT id FROM orders) o NATURAL JOIN product"],
  [
    "SELECT sum(l.price) FROM line l NATURAL JOIN (SELECT order_id, amount FROM payment) p",
    '"p" repeats "l" in sum(l.price)',
  ],
  [
    "SELECT sum(r.id) FROM region r JOIN (customer c JOIN orders o ON o.customer_id = c.id) ON c.region_id = r.id",
    '"o" repeats "r" in sum(r.id)',
  ],
  ["SELECT sum(o.total) FROM region r JOIN (customer c JOIN orders o ON o.customer_id = c.id) ON c.region_id = r.id"],
  [
    "SELECT sum(l.qty * p.weight) FROM orders o LEFT JOIN line l ON l.order_id = o.id LEFT JOIN product p ON p.id = l.product_id",
  ],
  ["SELECT sum(o.total) FROM orders o WHERE EXISTS (SELECT 1 FROM line l WHERE l.order_id = o.id)"],
  ["SELECT sum(o.total) FROM orders o WHERE o.id IN (SELECT l.order_id FROM line l)"],
  ["SELECT sum(o.total) FROM orders o JOIN line l ON l.order_id = o.id AND l.no = 1"],
  ["SELECT sum(o.total) FROM orders o JOIN line l ON l.order_id = o.id AND l.no = (SELECT max(x.no) FROM line x)"],
  ["SELECT sum(o.total) FROM orders o JOIN line l ON (l.order_id, l.no) = (o.id, 1)"],
  [
    "SELECT sum(o.total) FROM orders o JOIN line l ON l.order_id = o.id WHERE l.qty = 1",
    '"l" repeats "o" in sum(o.total)',
  ],
  [
    "SELECT sum(o.total) FROM orders o, customer c WHERE (o.customer_id = c.id AND c.name = 'a') OR (o.customer_id = c.id AND c.name = 'b')",
  ],
  [
    "SELECT sum(o.total) FROM orders o, customer c WHERE o.customer_id = c.id OR c.name = 'b'",
    '"c" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON lower(c.email) = lower(o.status)"],
  ["SELECT sum(o.total) FROM orders o JOIN customer c ON c.id = random() * o.id", '"c" repeats "o" in sum(o.total)'],
]);

table("equalities carry over", [
  [
    "SELECT sum(o.total) FROM orders o JOIN payment p ON p.order_id = o.id JOIN product x ON x.id = p.order_id",
    '"p" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(p.amount) FROM orders o JOIN payment p ON p.order_id = o.id JOIN product x ON x.id = o.id"],
  ["SELECT sum(a.total) FROM orders a JOIN orders b ON b.id = a.id JOIN customer c ON c.id = b.customer_id"],
  // u may be missing where x meets several w: the match of u says nothing about them.
  [
    "SELECT sum(x.total) FROM orders x JOIN payment w ON x.customer_id = w.customer_id LEFT JOIN line u ON u.order_id = x.id AND u.no = 1 AND u.qty = w.id",
    '"w" repeats "x" in sum(x.total)',
  ],
  // Two 64-bit integers may equal one double.
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT CAST(id AS BIGINT) AS k FROM customer) c ON c.k = CAST(o.customer_id AS DOUBLE PRECISION)",
  ],
]);

table("derived and common tables", [
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, sum(price) AS p FROM line GROUP BY order_id) l ON l.order_id = o.id",
  ],
  [
    "SELECT sum(l.p) FROM orders o JOIN (SELECT order_id, sum(price) AS p FROM line GROUP BY order_id) l ON l.order_id = o.id",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, qty, sum(price) AS p FROM line GROUP BY order_id, qty) l ON l.order_id = o.id",
    '"l" repeats "o" in sum(o.total)',
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT c.id, c.name, count(*) AS n FROM customer c GROUP BY c.id, c.name) c ON c.id = o.customer_id",
  ],
  ["SELECT sum(o.total) FROM orders o JOIN (SELECT DISTINCT order_id FROM line) l ON l.order_id = o.id"],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT DISTINCT order_id, qty FROM line) l ON l.order_id = o.id",
    '"l" repeats "o" in sum(o.total)',
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT DISTINCT ON (order_id) * FROM line ORDER BY order_id, no) l ON l.order_id = o.id",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, row_number() OVER (PARTITION BY order_id ORDER BY no) AS rn FROM line) l ON l.order_id = o.id AND l.rn = 1",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, row_number() OVER w AS rn FROM line WINDOW w AS (PARTITION BY order_id ORDER BY no)) l ON l.order_id = o.id AND l.rn = 1",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT order_id, row_number() OVER (PARTITION BY order_id, qty ORDER BY no) AS rn FROM line) l ON l.order_id = o.id AND l.rn = 1",
    '"l" repeats "o" in sum(o.total)',
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT * FROM line QUALIFY row_number() OVER (PARTITION BY order_id ORDER BY no) = 1) l ON l.order_id = o.id",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT * FROM line QUALIFY row_number() OVER (PARTITION BY order_id ORDER BY no) <= 3) l ON l.order_id = o.id",
    '"l" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN (SELECT * FROM line ORDER BY price LIMIT 1) l"],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN (SELECT * FROM line ORDER BY price FETCH FIRST ROW ONLY) l"],
  [
    "SELECT sum(o.total) FROM orders o CROSS JOIN (SELECT * FROM line ORDER BY price FETCH FIRST ROW WITH TIES) l",
    '"l" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN (SELECT * FROM line LIMIT 2) l", '"l" repeats "o" in sum(o.total)'],
  [
    "WITH t AS (SELECT customer_id, sum(amount) AS paid FROM payment GROUP BY 1) SELECT sum(c.credit), sum(t.paid) FROM customer c LEFT JOIN t ON t.customer_id = c.id",
  ],
  [
    "WITH t AS (SELECT customer_id AS k, amount FROM payment) SELECT sum(c.credit) FROM customer c LEFT JOIN t ON t.k = c.id",
    '"t" repeats "c" in sum(c.credit)',
  ],
  [
    "WITH a AS (SELECT id, total FROM orders), b AS (SELECT * FROM a) SELECT sum(p.amount) FROM payment p JOIN b ON b.id = p.order_id",
  ],
  [
    "SELECT sum(x.total) FROM (SELECT o.total, l.price FROM orders o JOIN line l ON l.order_id = o.id) x",
    '"l" repeats "o" in sum(x.total)',
  ],
  // The row of the other factor settles the inner one.
  [
    "SELECT sum(t.qty * x.total) FROM line t JOIN (SELECT o.total, l.no FROM orders o JOIN line l ON l.order_id = o.id) x ON x.no = t.no",
  ],
  ["SELECT sum(x.price) FROM (SELECT o.total, l.price FROM orders o JOIN line l ON l.order_id = o.id) x"],
  ["SELECT sum(x.total) FROM (SELECT DISTINCT o.id, o.total FROM orders o JOIN line l ON l.order_id = o.id) x"],
  [
    "SELECT sum(x.t) FROM (SELECT o.id, max(o.total) AS t FROM orders o JOIN line l ON l.order_id = o.id GROUP BY o.id) x",
  ],
  [
    "SELECT sum(x.t) FROM (SELECT o.total AS t FROM orders o UNION ALL SELECT c.credit FROM customer c JOIN orders o ON o.customer_id = c.id) x",
    '"o" repeats "c" in sum(x.t)',
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT id FROM customer UNION SELECT id FROM region) u ON u.id = o.customer_id",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT id FROM customer INTERSECT ALL SELECT id FROM region) u ON u.id = o.customer_id",
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT customer_id AS id FROM payment EXCEPT ALL SELECT id FROM region) u ON u.id = o.customer_id",
    '"u" repeats "o" in sum(o.total)',
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (SELECT id FROM customer EXCEPT ALL SELECT id FROM region) u ON u.id = o.customer_id",
  ],
  ["SELECT sum(o.total) FROM orders o JOIN (VALUES ('F', 1), ('O', 2)) v(code, n) ON v.code = o.status"],
  [
    "SELECT sum(o.total) FROM orders o JOIN (VALUES ('F', 1), ('F', 2)) v(code, n) ON v.code = o.status",
    '"v" repeats "o" in sum(o.total)',
  ],
  [
    "SELECT sum(o.total) FROM orders o JOIN (customer AS c JOIN region AS r ON r.id = c.region_id) AS j(cid) ON j.cid = o.customer_id",
  ],
  [
    "SELECT sum(o.total) FROM orders AS o(oid, cid) JOIN line AS l(oid) ON l.oid = o.oid",
    '"l" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(o.total) FROM orders o JOIN (SELECT id, unnest(tags) AS tag FROM orders) t ON t.id = o.id"],
  [
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT sum(o.total) FROM orders o JOIN r ON r.n = o.id",
  ],
  [
    "SELECT sum(t) FROM (SELECT sum(o.total) AS t FROM orders o JOIN line l ON l.order_id = o.id GROUP BY o.id) x",
    '"l" repeats "o" in sum(o.total)',
  ],
]);

table("lateral tables and table functions", [
  ["SELECT sum(o.total) FROM orders o, LATERAL (SELECT sum(l.price) AS p FROM line l WHERE l.order_id = o.id) t"],
  ["SELECT sum(t.p) FROM orders o, LATERAL (SELECT sum(l.price) AS p FROM line l WHERE l.order_id = o.id) t"],
  ["SELECT sum(o.total) FROM orders o, LATERAL (SELECT * FROM line l WHERE l.order_id = o.id LIMIT 1) t"],
  [
    "SELECT sum(o.total) FROM orders o, LATERAL (SELECT * FROM line l WHERE l.order_id = o.id) t",
    '"t" repeats "o" in sum(o.total)',
  ],
  ["SELECT sum(o.total) FROM orders o, LATERAL (SELECT c.name FROM customer c WHERE c.id = o.customer_id) t"],
  ["SELECT sum(t.price) FROM orders o, LATERAL (SELECT * FROM line l WHERE l.order_id = o.id) t"],
  ["SELECT sum(o.total) FROM orders o, unnest(o.tags) AS t(tag)", '"t" repeats "o" in sum(o.total)'],
  ["SELECT t.tag, sum(o.total) FROM orders o, unnest(o.tags) AS t(tag) GROUP BY t.tag"],
  ["SELECT count(t.tag), count(*) FROM orders o, unnest(o.tags) AS t(tag)"],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN generate_series(1, 3) AS g(n)", '"g" repeats "o" in sum(o.total)'],
  ["SELECT g.n, sum(o.total) FROM orders o CROSS JOIN generate_series(1, 3) AS g(n) GROUP BY g.n"],
  ["SELECT sum(o.total) FROM orders o JOIN generate_series(1, 3) AS g(n) ON g.n = o.id"],
  [
    "SELECT s.seg, count(c.id) FROM unnest(ARRAY['a', 'b']) AS s(seg) LEFT JOIN customer c ON c.name = s.seg GROUP BY s.seg",
  ],
]);

table("what GROUP BY holds constant", [
  [`SELECT o.id, sum(o.total) ${OL} GROUP BY o.id`, '"l" repeats "o" in sum(o.total)'],
  [`SELECT o.id, avg(o.total) ${OL} GROUP BY o.id`],
  [`SELECT o.id, count(o.id) ${OL} GROUP BY o.id`],
  [`SELECT l.no, sum(o.total) ${OL} GROUP BY l.no`],
  [`SELECT l.no, sum(o.total) ${OL} GROUP BY ROLLUP (l.no)`, '"l" repeats "o" in sum(o.total)'],
  [`SELECT l.qty, sum(o.total) ${OL} GROUP BY l.qty`, '"l" repeats "o" in sum(o.total)'],
  [`SELECT l.order_id, l.no, sum(o.total) ${OL} GROUP BY l.order_id, l.no`],
  [
    "SELECT c.email, sum(o.total) FROM orders o JOIN customer c ON c.name = o.status GROUP BY c.email",
    '"c" repeats "o" in sum(o.total)',
  ],
  ["SELECT c.id, sum(o.total) FROM orders o JOIN customer c ON c.name = o.status GROUP BY c.id"],
  ["SELECT d.day, sum(r.pct) FROM calendar d JOIN rate r ON d.day BETWEEN r.valid_from AND r.valid_to GROUP BY d.day"],
  [
    "SELECT d.week, sum(r.pct) FROM calendar d JOIN rate r ON d.day BETWEEN r.valid_from AND r.valid_to GROUP BY d.week",
    '"d" repeats "r" in sum(r.pct)',
  ],
]);

table("values in between", [
  [
    "SELECT sum(l.price) FROM line l JOIN rate r ON r.product_id = l.product_id AND l.sold >= r.valid_from AND l.sold < r.valid_to",
  ],
  [
    "SELECT sum(l.price) FROM line l JOIN rate r ON r.product_id = l.product_id AND l.sold BETWEEN r.valid_from AND coalesce(r.valid_to, DATE '9999-12-31')",
  ],
  [
    "SELECT sum(l.price) FROM line l JOIN rate r ON r.product_id = l.product_id AND l.sold >= r.valid_from AND (l.sold < r.valid_to OR r.valid_to IS NULL)",
  ],
  [
    "SELECT sum(l.price) FROM line l JOIN rate r ON r.product_id = l.product_id AND l.sold >= r.valid_from",
    '"r" repeats "l" in sum(l.price)',
  ],
  [
    "SELECT sum(r.pct) FROM line l JOIN rate r ON l.sold BETWEEN r.valid_from AND r.valid_to",
    '"l" repeats "r" in sum(r.pct)',
  ],
]);

table("rows that are counted", [
  ["SELECT count(*) FROM customer c JOIN orders o ON o.customer_id = c.id"],
  ["SELECT count(*) FROM customer c JOIN orders o ON o.customer_id = c.id JOIN line l ON l.order_id = o.id"],
  [
    "SELECT count(*) FROM customer c JOIN orders o ON o.customer_id = c.id JOIN payment p ON p.customer_id = c.id",
    '"p" combines "o" in count(*)',
  ],
  [
    "SELECT c.id, count(*) FROM customer c JOIN orders o ON o.customer_id = c.id JOIN payment p ON p.customer_id = c.id GROUP BY c.id",
    '"p" combines "o" in count(*)',
  ],
  ["SELECT count(*) FROM orders o JOIN payment p ON p.customer_id = o.customer_id", '"p" combines "o" in count(*)'],
  ["SELECT count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.id < b.id"],
  ["SELECT count(*) FROM orders o CROSS JOIN region r"],
  ["SELECT count(*) FROM orders o JOIN region r ON o.id > r.id"],
  ["SELECT count(*) FROM (SELECT o.id FROM orders o JOIN payment p ON p.customer_id = o.customer_id) x"],
  [
    "SELECT sum(CASE WHEN o.total > 1 THEN 1 ELSE 0 END) FROM orders o JOIN payment p ON p.customer_id = o.customer_id",
    '"p" combines "o" in sum(CASE WHEN o.total > 1 THEN 1 ELSE 0 END)',
  ],
]);

table("what is not declared raises no suspicion, what relationships say counts", [
  ["SELECT sum(c.credit) FROM customer c JOIN log g ON g.customer_id = c.id"],
  ["SELECT sum(g.n) FROM customer c JOIN log g ON g.customer_id = c.id"],
  ["SELECT sum(g.n) FROM log g JOIN orders o ON o.customer_id = g.customer_id", '"o" repeats "g" in sum(g.n)'],
  [
    "SELECT sum(o.total) FROM orders o JOIN log g ON g.customer_id = o.customer_id JOIN line l ON l.order_id = o.id",
    '"l" repeats "o" in sum(o.total)',
  ],
  ["SELECT count(*) FROM log g JOIN log h ON g.n = h.n"],
  ["SELECT sum(p.amount) FROM payment p JOIN product x ON x.id = p.id"],
  ["SELECT sum(p.weight) FROM product p JOIN rate r ON r.product_id = p.id"],
  ["SELECT sum(p.age) FROM person p JOIN city t ON p.city = t.code"],
  ["SELECT sum(t.people) FROM person p JOIN city t ON p.city = t.code", '"p" repeats "t" in sum(t.people)'],
  ["SELECT sum(t.people) FROM person p JOIN city t ON p.name = t.code"],
  ["SELECT sum(p.age), sum(f.fee) FROM person p JOIN passport f ON f.holder = p.name"],
  ["SELECT sum(e.age) FROM person e JOIN person b ON e.boss = b.name"],
  ["SELECT sum(b.age) FROM person e JOIN person b ON e.boss = b.name", '"e" repeats "b" in sum(b.age)'],
]);

table("views", [
  ["SELECT sum(o.total) FROM orders o JOIN line_view l ON l.order_id = o.id", '"l" repeats "o" in sum(o.total)'],
  ["SELECT sum(v.amount) FROM order_view v JOIN line l ON l.order_id = v.id", '"l" repeats "v" in sum(v.amount)'],
  [
    "SELECT sum(v.amount) FROM outer_order_view v JOIN line_view l ON l.order_id = v.id",
    '"l" repeats "v" in sum(v.amount)',
  ],
  [
    "SELECT sum(c.credit) FROM customer c JOIN order_view v ON v.customer_id = c.id",
    '"v" repeats "c" in sum(c.credit)',
  ],
  // A view that joins repeats rows for whoever adds them up.
  ["SELECT sum(total) FROM order_lines", '"line" inside of a view repeats "orders" in sum(total)'],
  ["SELECT sum(price) FROM order_lines"],
  ["SELECT sum(l.price) FROM outer_order_view v JOIN line_view l ON l.order_id = v.id"],
  ["SELECT sum(v.amount) FROM order_view v JOIN customer c ON c.id = v.customer_id"],
  // Proofs of unique rows in a view, and keys of its models, count.
  ["SELECT sum(o.total) FROM orders o JOIN line_totals l ON l.order_id = o.id"],
  ["SELECT sum(o.total) FROM orders o CROSS JOIN line_count"],
  ["SELECT sum(o.total) FROM orders o JOIN line_view l ON l.order_id = o.id AND l.no = 1"],
  // Sums inside a view are the modeller's responsibility.
  ["SELECT x FROM counted_twice"],
]);
