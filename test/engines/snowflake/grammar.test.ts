/** Plans for Snowflake, checked by a grammar of its SQL. */
import { describeGrammar } from "../unexecuted/describe-grammar.ts";
import { SNOWFLAKE_GRAMMAR } from "./grammar.ts";
import { SNOWFLAKE } from "./own.ts";

describeGrammar(SNOWFLAKE, SNOWFLAKE_GRAMMAR, {
  // A statement takes this grammar 75 milliseconds.
  every: 8,
  taken: [
    'SELECT "t"."A" AS "a" FROM "PUBLIC"."T" AS "t" ORDER BY "t"."A" DESC NULLS LAST LIMIT 3 OFFSET 1',
    "SELECT a FROM t LIMIT NULL OFFSET 1",
    "SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY s) AS x FROM t",
    "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
    "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 3) SELECT n FROM x",
    "SELECT sum(n) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM t",
    "SELECT DATEADD(month, 1, d) AS x, DATEDIFF(day, d, e) AS y, DATE_PART(dayofweekiso, d) AS z FROM t",
    "SELECT f.value FROM TABLE(FLATTEN(INPUT => ARRAY_GENERATE_RANGE(1, 4, 1))) AS f",
    "SELECT a FROM t CROSS JOIN LATERAL (SELECT t.a + 1 AS b) AS l",
  ],
  notTaken: [
    "SELEC 1",
    "SELECT a FROM",
    "SELECT (a FROM t",
    "SELECT a FROM t GROUP BY",
    "SELECT CASE WHEN a THEN END FROM t",
    "SELECT `a` FROM t",
    "SELECT TOP (3) WITH TIES a FROM t",
    "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
    "SELECT sum(n) OVER w AS x FROM t WINDOW w AS (ORDER BY a)",
    "SELECT a FROM t WHERE a BETWEEN SYMMETRIC 1 AND 2",
    "SELECT a FROM t WHERE a SIMILAR TO 'b'",
  ],
  wronglyRejected: {},
});
