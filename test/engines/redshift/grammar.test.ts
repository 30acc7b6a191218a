/** Plans for Redshift, checked by a grammar of its SQL. */
import { describeGrammar } from "../unexecuted/describe-grammar.ts";
import { REDSHIFT_GRAMMAR } from "./grammar.ts";
import { REDSHIFT } from "./own.ts";

describeGrammar(REDSHIFT, REDSHIFT_GRAMMAR, {
  taken: [
    "SELECT a FROM t ORDER BY a NULLS FIRST LIMIT 3 OFFSET 1",
    "SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY s) AS x FROM t",
    "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
    "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 3) SELECT n FROM x",
    "SELECT sum(n) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM t",
    "SELECT DATEADD(MONTH, 1, d) AS x, DATEDIFF(DAY, d, e) AS y, TO_CHAR(d, 'YYYY') AS z FROM t",
    "SELECT a, count(*) AS n FROM t GROUP BY GROUPING SETS ((a, b), (a), ())",
    "SELECT t.a AS \"open\", '{{ x }}' AS s FROM public.t AS t LEFT JOIN u ON u.a = t.a",
    "SELECT CAST(a AS VARCHAR(MAX)) AS s, CAST(b AS DECIMAL(38, 2)) AS n FROM t",
  ],
  notTaken: [
    "SELEC 1",
    "SELECT a FROM",
    "SELECT (a FROM t",
    "SELECT a FROM t GROUP BY",
    "SELECT a FROM t JOIN u ON",
    "SELECT CASE WHEN a THEN END FROM t",
    "SELECT a AS open FROM t",
    "SELECT old.a FROM t AS old",
    "SELECT `a` FROM t",
    "SELECT a FROM t INTERSECT ALL SELECT a FROM u",
    "SELECT a FROM t, LATERAL (SELECT 1 AS x) AS q",
    "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
    "SELECT a FROM t FETCH FIRST 3 ROWS ONLY",
    "SELECT DISTINCT ON (a) a FROM t",
    "VALUES (1), (2)",
    "SELECT q.a FROM (VALUES (1)) AS q(a)",
    "SELECT sum(n) OVER w AS x FROM t WINDOW w AS (ORDER BY a)",
    "SELECT sum(n) OVER (ORDER BY a GROUPS 1 PRECEDING) AS x FROM t",
    "SELECT sum(n) OVER (ORDER BY a RANGE UNBOUNDED PRECEDING) AS x FROM t",
    "SELECT a FROM t WHERE a IS DISTINCT FROM b",
    "SELECT ARRAY[1, 2] AS x",
    "SELECT a -> 'b' AS x FROM t",
    "SELECT a FROM t TABLESAMPLE SYSTEM (1)",
  ],
  wronglyRejected: {},
});
