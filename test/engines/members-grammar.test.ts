/**
 * Plans for Athena, Canner and Databricks, none of which is available in tests, checked by grammars independent of the
 * planner: sqlfluff's for Athena, Trino (for Canner) and Databricks. Clauses that these grammars do not support in
 * their position are removed first; Trino and Spark themselves parse and run them (`trino-members.test.ts`,
 * `spark-databricks.test.ts`).
 */
import { describe } from "vitest";
import { describeGrammar } from "./unexecuted/describe-grammar.ts";
import { type Grammar, type Lack, sqlFluff, type Unknown, withoutUnknown } from "./unexecuted/grammar.ts";
import type { Unexecuted } from "./unexecuted/questions.ts";

/** A tenth of a second for each statement. */
const EVERY = 4;

/** An interval of a frame in parentheses, which the printer never writes into a text. */
const DISTANCE = /\(INTERVAL '[\d.]+' (?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)\) (?=PRECEDING|FOLLOWING)/g;

const ofTrino = (source: "athena" | "canner"): Unexecuted => ({ source, ownType: (type) => type, schema: "public" });

function judging(dialect: string, lacks: readonly Lack[], unknown: readonly Unknown[], quoted: string): Grammar {
  const grammar = sqlFluff(dialect, lacks);
  return {
    ...grammar,
    open: () => {
      const judge = grammar.open();
      return (statements) =>
        judge(statements.map((sql) => withoutUnknown(sql.replace(DISTANCE, "1 "), unknown, quoted)));
    },
  };
}

/** https://trino.io/docs/current/sql/select.html */
const UNKNOWN_OF_TRINO: readonly Unknown[] = [
  [/\bCROSS JOIN LATERAL \(/g, "CROSS JOIN ("],
  [/\bLEFT JOIN LATERAL \(/g, "LEFT JOIN ("],
  [/ OFFSET \d+/g, ""],
  [/\bRANGE BETWEEN\b/g, "ROWS BETWEEN"],
  [/ GROUP BY \(\)/g, ""],
  [/\bX$/g, ""],
];

const TAKEN_OF_TRINO = [
  "SELECT a FROM t ORDER BY a NULLS FIRST LIMIT 3",
  "SELECT a FROM t ORDER BY a OFFSET 1 LIMIT 3",
  "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
  "SELECT a, count(*) AS n FROM t GROUP BY GROUPING SETS ((a, b), (a), ())",
  "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 3) SELECT n FROM x",
  "SELECT q.a FROM (VALUES (1), (2)) AS q(a)",
  "SELECT sum(n) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS x FROM t",
  "SELECT t.a AS \"open\", '{{ x }} OFFSET 1' AS s FROM public.t AS t LEFT JOIN u ON u.a = t.a",
  "SELECT CAST(a AS decimal(38, 2)) AS n, TRY_CAST(b AS timestamp(6)) AS t FROM t",
  "SELECT date_add('month', 1, d) AS x FROM t CROSS JOIN UNNEST(sequence(1, 3)) AS u(n)",
];
const NOT_TAKEN = [
  "SELEC 1",
  "SELECT a FROM",
  "SELECT (a FROM t",
  "SELECT a FROM t GROUP BY",
  "SELECT a FROM t JOIN u ON",
  "SELECT CASE WHEN a THEN END FROM t",
  "SELECT a b c FROM t",
];

const ENDING_IN_BACKSLASH = { "quote_literal/where": "a text that ends in a backslash" };

describe.each([
  ["athena", "athena", ENDING_IN_BACKSLASH],
  ["canner", "trino", { ...ENDING_IN_BACKSLASH, "realty/clients/inactive": "sets in brackets behind EXCEPT" }],
] as const)("%s", (source, dialect, wronglyRejected) => {
  describeGrammar(ofTrino(source), judging(dialect, [], UNKNOWN_OF_TRINO, `'"`), {
    taken: TAKEN_OF_TRINO,
    notTaken: NOT_TAKEN,
    every: EVERY,
    wronglyRejected,
  });
});

/** https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-qry-select */
const UNKNOWN_OF_DATABRICKS: readonly Unknown[] = [
  [/ OFFSET \d+/g, ""],
  [/\bIS (NOT )?UNKNOWN\b/g, "IS $1NULL"],
  [/(\bFROM|\bJOIN|,) LATERAL /g, "$1 "],
  [/, GROUPING SETS \(\(\)\)/g, ", ()"],
];

describe("databricks", () => {
  describeGrammar(
    { source: "databricks", ownType: (type) => type, schema: "public" },
    judging("databricks", [], UNKNOWN_OF_DATABRICKS, "'`"),
    {
      taken: [
        "SELECT a FROM t ORDER BY a NULLS LAST LIMIT 3 OFFSET 1",
        "SELECT count(*) FILTER (WHERE a > 1) AS x FROM t",
        "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
        "SELECT q.a FROM (VALUES (1), (2)) AS q(a)",
        "SELECT t.a AS `open`, '{{ x }} OFFSET 1' AS s FROM public.t AS t LEFT JOIN u ON u.a = t.a",
        "SELECT CAST(a AS DECIMAL(38, 2)) AS n, try_cast(b AS STRING) AS t FROM t",
        "SELECT a, count(*) AS n FROM t GROUP BY GROUPING SETS ((a, b), (a), ())",
        "WITH x AS (SELECT 1 AS n) SELECT n FROM x",
      ],
      notTaken: NOT_TAKEN,
      every: EVERY,
      wronglyRejected: {},
    },
  );
});
