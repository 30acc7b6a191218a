/** Plans for Oracle, checked by a parser of its SQL and by a grammar. */
import { describeGrammar } from "../unexecuted/describe-grammar.ts";
import { ORACLE_GRAMMAR, ORACLE_SAMPLE } from "./grammar.ts";
import { ORACLE, WRONGLY_REJECTED, WRONGLY_REJECTED_BY_SQLFLUFF } from "./own.ts";

describeGrammar(ORACLE, ORACLE_SAMPLE, {
  taken: [
    'SELECT "a" FROM "t" "t" ORDER BY "a" DESC NULLS LAST FETCH FIRST 3 ROWS ONLY',
    "SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
    "SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY s) AS x FROM t",
    "SELECT CAST(CASE WHEN a > 1 THEN 1 WHEN NOT (a > 1) THEN 0 END AS NUMBER(1)) AS x FROM t",
    "SELECT q.n FROM t OUTER APPLY (SELECT t.a AS n FROM SYS.DUAL) q",
    "SELECT a FROM t MINUS SELECT a FROM u",
    "SELECT trunc(d, 'IW') + numtodsinterval(7, 'DAY') AS x, TIMESTAMP '2024-01-31 00:00:00' AS y FROM t",
    "SELECT sum(n) OVER (PARTITION BY b ORDER BY a ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS x FROM t",
    "SELECT a, count(*) AS n FROM t GROUP BY GROUPING SETS ((a, b), (a), ())",
    "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n) AS x FROM t",
    "WITH r(n) AS (SELECT 1 AS n FROM SYS.DUAL UNION ALL SELECT r.n + 1 AS n FROM r WHERE r.n < 3) SELECT n FROM r",
    "SELECT JSON_ARRAYAGG(s ORDER BY a RETURNING CLOB) AS x, JSON_ARRAY(1, NULL NULL ON NULL RETURNING CLOB) AS y FROM t",
    "SELECT q.v FROM t CROSS APPLY (SELECT v FROM JSON_TABLE(t.s, '$[*]' COLUMNS (n FOR ORDINALITY, k VARCHAR2(20) PATH '$.type()', v NUMBER PATH '$')) j) q",
    "SELECT a FROM t WHERE REGEXP_LIKE(s, '^a+$', 'cn')",
  ],
  notTaken: [
    "SELEC 1",
    "SELECT a FROM t LIMIT 3",
    "SELECT a FROM t AS x",
    "SELECT q.n FROM (SELECT 1 AS n FROM SYS.DUAL) AS q",
    "SELECT a::int AS x FROM t",
    "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
    "SELECT DISTINCT ON (a) a FROM t",
    "SELECT a FROM t WHERE s ILIKE 'a%'",
    "SELECT a FROM t WHERE a IS DISTINCT FROM 1",
    "SELECT ARRAY[1, 2] AS x FROM t",
    "SELECT a % 2 AS x FROM t",
    "SELECT s ~ 'a' AS x FROM t",
    "WITH RECURSIVE x AS (SELECT 1 AS n FROM SYS.DUAL) SELECT n FROM x",
    "SELECT a FROM t; DROP TABLE t",
  ],
  wronglyRejected: { ...WRONGLY_REJECTED, ...(ORACLE_SAMPLE === ORACLE_GRAMMAR && WRONGLY_REJECTED_BY_SQLFLUFF) },
});
