/** Ways to reveal excluded rows that only Spark has. */
import type { Heading } from "./heading.ts";

export const SPARK_ATTACKS: readonly Heading[] = [
  {
    heading: "values that Spark fails over",
    answered: [
      "SELECT big + 1 FROM orders",
      "SELECT id FROM orders WHERE CAST(code AS integer) > 0",
      "SELECT id FROM orders WHERE CAST(code AS integer) > 0 AND owner = 'bob'",
      "SELECT id FROM orders WHERE owner = 'bob' OR big + 1 > 0",
      "SELECT id FROM orders WHERE id = (SELECT min(id) FROM orders WHERE 100 / units > 0)",
      "SELECT i.id FROM items i JOIN orders o ON o.id = i.order_id WHERE 100 / o.units > i.id",
      "SELECT i.id FROM items i WHERE i.order_id IN (SELECT id FROM orders WHERE CAST(day_text AS date) > DATE '2000-01-01')",
      "SELECT i.id FROM items i WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = i.order_id AND 100 / o.units > 30)",
      "SELECT d.b FROM (SELECT big AS b FROM orders UNION ALL SELECT id FROM items) d WHERE d.b + 1 > 0",
      "SELECT max(big + 1) OVER () FROM orders",
      "SELECT id FROM orders ORDER BY 100 / units LIMIT 1",
      "SELECT (SELECT max(i.id) FROM items i WHERE i.id = o.id AND 100 / o.units > 0) FROM orders o",
    ],
    refused: [
      "SELECT o.id, x.q FROM items i CROSS JOIN LATERAL (SELECT o.id, 1 AS q FROM orders o WHERE o.id = i.id) AS x",
    ],
  },
  {
    heading: "conditions of no column, which are met wherever that is possible",
    answered: [
      "SELECT id FROM orders WHERE owner = 'zoe' AND 1 / (SELECT count(*) FROM orders WHERE owner = 'zoe') > 0",
      "SELECT id FROM orders WHERE 1 / (SELECT count(*) FROM items) >= 0",
      "SELECT i.id FROM items i JOIN orders o ON o.id = i.order_id AND 1 / (SELECT count(*) FROM items) >= 0",
    ],
    refused: [],
  },
  {
    heading: "tables and functions beside the manifest",
    answered: [],
    refused: [
      "SELECT * FROM text.`/etc/passwd`",
      "SELECT * FROM read_files('/etc/passwd')",
      "SELECT * FROM range(10)",
      "SELECT * FROM sql_keywords()",
      "SELECT * FROM information_schema.columns",
      "SELECT * FROM orders VERSION AS OF 1",
      "SELECT * FROM orders TIMESTAMP AS OF '2024-01-01'",
      "SELECT * FROM orders TABLESAMPLE (50 PERCENT)",
      "SELECT * FROM orders LATERAL VIEW explode(array(1)) AS e",
      "SELECT /*+ BROADCAST(orders) */ canary_secret FROM orders",
      "SELECT _metadata.file_path FROM orders",
      "SELECT input_file_name() FROM orders",
      "SELECT monotonically_increasing_id() FROM orders",
      "SELECT spark_partition_id() FROM orders",
      "SELECT reflect('java.lang.System', 'getenv') FROM orders",
      "SELECT java_method('java.lang.System', 'getenv') FROM orders",
      "SELECT raise_error(note) FROM orders",
      "SELECT assert_true(note = 'x') FROM orders",
      "SELECT current_user(), session_user(), version() FROM orders",
      "SELECT approx_top_k(note) FROM orders",
      "FROM orders SELECT canary_secret",
      "TABLE orders |> SELECT canary_secret",
      "EXPLAIN EXTENDED SELECT * FROM orders",
      "SET spark.sql.ansi.enabled",
      "CACHE TABLE orders",
      "DESCRIBE EXTENDED orders",
    ],
  },
  {
    heading: "listed functions, which fail over visible values only",
    answered: [
      "SELECT id, hex(note) FROM orders ORDER BY id",
      "SELECT id FROM orders WHERE to_binary(CASE WHEN note LIKE 'CANARY%' THEN note ELSE 'ff' END, 'hex') IS NOT NULL",
    ],
    failing: [
      "SELECT hex(to_binary(note, 'hex')) FROM orders",
      "SELECT id FROM orders WHERE to_binary(note, 'hex') IS NOT NULL",
    ],
    refused: [],
  },
];
