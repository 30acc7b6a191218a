/** Plans for Doris, checked by a grammar of its SQL. */
import { describeGrammar } from "../unexecuted/describe-grammar.ts";
import { DORIS_GRAMMAR } from "./grammar.ts";
import { DORIS } from "./own.ts";

describeGrammar(DORIS, DORIS_GRAMMAR, {
  taken: [
    "SELECT a FROM t ORDER BY a LIMIT 3 OFFSET 1",
    "SELECT GROUP_CONCAT(s, ',') AS x FROM t",
    "SELECT sum(n) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM t",
    "SELECT DATE_ADD(d, INTERVAL 1 MONTH) AS x, DATEDIFF(d, e) AS y, EXTRACT(YEAR FROM d) AS z FROM t",
    "SELECT `t`.`a` AS `open` FROM `d`.`t` AS `t` LEFT JOIN `u` ON `u`.`a` = `t`.`a`",
    "SELECT a FROM t WHERE a <=> b AND a DIV 2 = 1",
    "SELECT CAST(a AS STRING) AS s, CAST(b AS DECIMAL(50, 2)) AS n, CAST(c AS LARGEINT) AS m FROM t",
    "SELECT `e`.`x` FROM `t` AS `t` LATERAL VIEW EXPLODE(`t`.`a`, ARRAY_ENUMERATE(`t`.`a`)) `e` AS `x`, `n` LEFT JOIN `u` ON TRUE",
    "SELECT ARRAY_MAP(_e -> UNHEX(_e), SPLIT_BY_STRING(a, ',')) AS x, CAST(ARRAY() AS ARRAY<STRING>) AS y FROM t",
  ],
  notTaken: [
    "SELEC 1",
    "SELECT a FROM",
    "SELECT (a FROM t",
    "SELECT a FROM t GROUP BY",
    "SELECT a FROM t JOIN u ON",
    "SELECT CASE WHEN a THEN END FROM t",
    'SELECT "a"."b" FROM t',
    "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
    "SELECT a FROM t FETCH FIRST 3 ROWS ONLY",
    "SELECT sum(n) OVER w AS x FROM t WINDOW w AS (ORDER BY a)",
    "SELECT a FROM t WHERE a IS DISTINCT FROM b",
    "SELECT ARRAY[1, 2] AS x",
    "SELECT x FROM t LATERAL VIEW EXPLODE(a)",
    "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 3) SELECT n FROM x",
    "SELECT a::int FROM t",
  ],
  wronglyRejected: {},
  every: 4,
});
