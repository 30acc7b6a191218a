/** Every statement that is planned for sources on which nothing can be run, judged by a second grammar. */
import { describe } from "vitest";
import { MSSQL } from "../mssql/own.ts";
import { ORACLE } from "../oracle/own.ts";
import { REDSHIFT } from "../redshift/own.ts";
import { SNOWFLAKE } from "../snowflake/own.ts";
import { describeGrammar } from "./describe-grammar.ts";
import type { Unexecuted } from "./questions.ts";
import { SQLPARSER_RS } from "./sqlparser-rs.ts";

const NOT_TAKEN = [
  "SELEC 1",
  "SELECT a FROM",
  "SELECT (a FROM t",
  "SELECT a FROM t GROUP BY",
  "SELECT a FROM t JOIN u ON",
  "SELECT CASE WHEN a THEN END FROM t",
  "SELECT a b c FROM t",
  "SELECT sum(n) OVER (ORDER BY a ROWS BETWEEN) AS x FROM t",
  "DROP TABLE t",
  "SELECT 1; SELECT 2",
];

describe.each<[Unexecuted, taken: readonly string[]]>([
  [
    SNOWFLAKE,
    [
      "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
      "SELECT f.value FROM TABLE(FLATTEN(INPUT => x)) AS f",
    ],
  ],
  [REDSHIFT, ["SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY s) AS x FROM t"]],
  [MSSQL, ["SELECT TOP (3) [a] FROM [t]", "SELECT q.n FROM t OUTER APPLY (SELECT t.a AS n) AS q"]],
  [ORACLE, ["SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY"]],
])("$source", (own, taken) => {
  describeGrammar(own, SQLPARSER_RS[own.source as keyof typeof SQLPARSER_RS], {
    taken,
    notTaken: NOT_TAKEN,
    wronglyRejected: {},
    all: true,
  });
});
