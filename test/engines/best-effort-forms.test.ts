/**
 * Statements in the forms of best effort, for sources that do not run here: a grammar of the source's language takes them, and DuckDB,
 * to which sqlglot translates them, gives the rows of its own plan with its proven fence.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlannedSource } from "../../src/planner/dialects/targets.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { ask, askAsWritten, judgeAgainst } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../support/sources.ts";
import { DORIS_GRAMMAR } from "./doris/grammar.ts";
import { DORIS_READ_BACK } from "./doris/own.ts";
import { T_SQL } from "./mssql/grammar.ts";
import { MSSQL_READ_BACK } from "./mssql/own.ts";
import { ORACLE_GRAMMAR } from "./oracle/grammar.ts";
import { ORACLE_READ_BACK } from "./oracle/own.ts";
import { REDSHIFT_GRAMMAR } from "./redshift/grammar.ts";
import { REDSHIFT_READ_BACK } from "./redshift/own.ts";
import { SNOWFLAKE_GRAMMAR } from "./snowflake/grammar.ts";
import { SNOWFLAKE_READ_BACK } from "./snowflake/own.ts";
import type { ReadBack } from "./unexecuted/describe.ts";
import { type Grammar, sqlFluff } from "./unexecuted/grammar.ts";
import { EXAMPLES } from "./unexecuted/questions.ts";
import { hasReader, readBack, WHOLE_QUOTIENTS } from "./unexecuted/read-back.ts";

/** A rule that is a comparison, one that holds a query, and one over an expression. */
const RULES: Readonly<Record<string, string>> = {
  customer: "c_nationkey > 5",
  orders: "o_orderstatus <> 'P'",
  supplier: "s_nationkey IN (SELECT n_nationkey FROM nation WHERE n_regionkey = 2)",
  nation: "lower(n_name) <> 'france'",
};

/** Each has something that can fail. */
const STATEMENTS = [
  "SELECT o_orderkey, 100 / (o_shippriority + 1) AS n FROM orders WHERE o_orderkey < 100",
  "SELECT c_nationkey, sum(c_acctbal) / count(*) AS n FROM customer GROUP BY c_nationkey",
  "SELECT o.o_orderkey, c.c_name FROM orders AS o JOIN customer AS c ON c.c_custkey = o.o_custkey WHERE 1000 / o.o_orderkey > 20",
  "SELECT c.c_custkey, o.o_orderkey FROM customer AS c LEFT JOIN orders AS o ON o.o_custkey = c.c_custkey AND 5000 / o.o_orderkey > 2 WHERE c.c_custkey < 20",
  "SELECT s_suppkey FROM supplier WHERE 100 / s_suppkey > 3",
  "SELECT n_name FROM nation WHERE n_nationkey IN (SELECT c_nationkey FROM customer WHERE 300 / c_custkey > 10)",
  "WITH x AS (SELECT o_custkey, max(1000 / o_orderkey) AS n FROM orders GROUP BY o_custkey) SELECT count(*) AS n FROM x WHERE n > 1",
  "SELECT o_orderkey, row_number() OVER (ORDER BY 10000 / o_orderkey, o_orderkey) AS n FROM orders WHERE o_orderkey BETWEEN 1 AND 50",
  "SELECT count(*) AS n FROM orders WHERE 10 / 5 > 1",
] as const;

interface Source {
  readonly source: PlannedSource;
  readonly grammar: Grammar;
  readonly readBack?: ReadBack;
}

const SOURCES: readonly Source[] = [
  { source: "snowflake", grammar: SNOWFLAKE_GRAMMAR, readBack: SNOWFLAKE_READ_BACK },
  { source: "redshift", grammar: REDSHIFT_GRAMMAR, readBack: REDSHIFT_READ_BACK },
  { source: "mssql", grammar: T_SQL, readBack: MSSQL_READ_BACK },
  { source: "oracle", grammar: ORACLE_GRAMMAR, readBack: ORACLE_READ_BACK },
  { source: "doris", grammar: DORIS_GRAMMAR, readBack: DORIS_READ_BACK },
  { source: "databricks", grammar: sqlFluff("databricks", []) },
  { source: "athena", grammar: sqlFluff("athena", []) },
  { source: "canner", grammar: sqlFluff("trino", []) },
  { source: "bigquery", grammar: sqlFluff("bigquery", []) },
];

/** `ownType`: the source's name of a type; tables are files of DuckDB by their whole paths. */
function models(ownType: (type: string) => string, directory: string): Manifest {
  const data = JSON.parse(JSON.stringify(plainManifest("local_file")), (key, value: unknown) => {
    if (key === "type" && typeof value === "string") return ownType(value);
    return key === "table" && typeof value === "string" ? `${directory}${value}` : value;
  }) as { readonly models: readonly { readonly name: string }[] };
  return manifestOf({
    ...data,
    models: data.models.map((model) => {
      const condition = RULES[model.name];
      const rule = { name: "own", requiredProperties: [], condition };
      return condition === undefined ? model : { ...model, rowLevelAccessControls: [rule] };
    }),
  });
}

const REFERENCE = models((type) => type, "");

let opened: OpenedSource;
beforeAll(async () => {
  opened = await openDuckDbFiles(EXAMPLES);
});
afterAll(() => opened?.close());

describe.each(SOURCES)("$source", ({ source, grammar, readBack: own }) => {
  const manifest = models(own?.own.ownType ?? ((type) => type), `${EXAMPLES}/`);
  const settings = { source, options: { bestEffort: new Set([source]) } };
  const plans = STATEMENTS.map((sql) => planned(sql, manifest, settings));

  test("each statement is best effort", () => {
    expect(plans.map(({ rowRules }) => rowRules)).toEqual(STATEMENTS.map(() => "besteffort"));
  });

  const notRun = "not run: npm run engines installs the readers";
  test.skipIf(!grammar.isThere())(grammar.isThere() ? "the grammar takes them" : notRun, () => {
    const faults = grammar.open()(plans.map(({ sql }) => sql));
    expect(faults.flatMap((fault, at) => (fault === undefined ? [] : [{ fault, sql: plans[at]?.sql }]))).toEqual([]);
  });

  // No script translates the others.
  if (own === undefined) return;
  test.skipIf(!hasReader())(hasReader() ? "DuckDB reads their rows" : notRun, async () => {
    // DuckDB has no ROWNUM, which is Oracle's number of a row.
    const texts = readBack(
      own.script,
      plans.map(({ sql }) => sql),
    ).map((text) => text.replaceAll("ROWNUM AS", "row_number() OVER () AS"));
    for (const [at, sql] of STATEMENTS.entries()) {
      const [answer, expected] = [
        await askAsWritten(texts[at] ?? "", opened, WHOLE_QUOTIENTS),
        await ask(sql, REFERENCE, "local_file", opened),
      ];
      if ("outcome" in expected) throw new Error(`${sql}: ${expected.detail}`);
      const verdict = "outcome" in answer ? answer : judgeAgainst(expected, answer, { ordered: false, json: "value" });
      expect({ sql, text: texts[at], verdict }).toEqual({ sql, text: texts[at], verdict: { outcome: "right" } });
    }
  });
});
