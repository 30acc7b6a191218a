/** Statements for Snowflake, by its manual. */
import { manifestOfTable } from "../../support/plan.ts";
import { over, values } from "./group.ts";

export const SNOWFLAKE_TABLE = manifestOfTable({
  id: "INT",
  s: "VARCHAR",
  n: "NUMBER(12,2)",
  m: "NUMBER(20,10)",
  u: "NUMBER",
  f: "FLOAT",
  b: "BOOLEAN",
  d: "DATE",
  ts: "TIMESTAMP_NTZ",
  tz: "TIMESTAMP_TZ",
  j: "VARIANT",
});

export const SNOWFLAKE = [
  ...over(SNOWFLAKE_TABLE, {
    decimals: values([
      "id / 2",
      "n / id",
      "id / n",
      "n / m",
      "f / n",
      "n * n",
      // A product with more than twelve digits behind the point would lose some.
      "n * m",
      "m * m * 1",
      "n * n * n * n * n * n * n",
      "u * n",
      "round(n, 1)",
      "avg(n)",
      "avg(id)",
      "1e3",
      "CAST(f AS numeric(10, 2))",
      "f % 2",
    ]),
    "what a session setting could change is written out": values([
      "date_trunc('week', d)",
      "extract(week FROM ts)",
      "extract(dow FROM ts)",
      "DATE '2024-01-31'",
      "TIMESTAMP '2024-01-31 10:00:00.5'",
      "CAST(d AS text)",
      "CAST(tz AS timestamp)",
      "tz = ts",
      "first_value(n) OVER (ORDER BY id)",
      "row_number() OVER ()",
    ]),
    texts: values([
      "concat_ws('-', s, id)",
      "greatest(id, 2)",
      "s LIKE 'a\\_%'",
      "s LIKE s || '%'",
      "s ~ 'a+'",
      "s ~ '(?:ab)+'",
      "substring(s FROM 'a+')",
      "(regexp_match(s, '(a+)-(b+)', 'i'))[2]",
      "(regexp_match(s, '(a)?b'))[1]",
      "regexp_replace(s, 'a+', 'b')",
      "regexp_replace(s, 'a+', 'b', 'g')",
      "string_agg(s, ',' ORDER BY id)",
      "encode(s, 'base64')",
    ]),
    json: values(["j -> 'a'", "j -> 0", "j #> '{a,b}'"]),
    "correlated subqueries": [
      "SELECT id, (SELECT max(x.n) FROM t AS x WHERE x.id = t.id) AS m FROM t",
      "SELECT (SELECT x.s FROM t AS x WHERE x.id = t.id) AS m FROM t",
      "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS x WHERE x.id = t.id AND x.n <> t.n)",
    ],
  }),
];
