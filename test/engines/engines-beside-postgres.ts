/** Engines that statements without tables are asked on beside PostgreSQL. */
import type { DataSource } from "../../src/planner/plan.ts";
import { ask, askAsWritten, type Comparison, judgeAgainst } from "../parity/judge.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openClickHouseTpch, openDuckDbFiles, openMySqlTpch } from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoTpch } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

export interface Engine {
  readonly name: string;
  readonly source: DataSource;
  readonly isThere: boolean;
  readonly without: string;
  readonly open: () => Promise<OpenedSource>;
}

export const ENGINES: readonly Engine[] = [
  { name: "DuckDB", source: "local_file", isThere: true, without: "", open: () => openDuckDbFiles("examples") },
  ...MYSQL_FLAVORS.map(
    (flavor): Engine => ({
      name: flavor,
      source: "mysql",
      isThere: hasMySql(flavor),
      without: withoutMySql(flavor),
      open: () => openMySqlTpch(flavor),
    }),
  ),
  {
    name: "ClickHouse",
    source: "clickhouse",
    isThere: hasClickHouse(),
    without: WITHOUT_CLICKHOUSE,
    open: openClickHouseTpch,
  },
  { name: "Trino", source: "trino", isThere: hasTrino(), without: WITHOUT_TRINO, open: openTrinoTpch },
  { name: "Spark", source: "spark", isThere: hasSpark(), without: WITHOUT_SPARK, open: openSparkTpch },
  {
    name: "GoogleSQL's evaluator",
    source: "bigquery",
    isThere: hasGoogleSql(),
    without: WITHOUT_GOOGLESQL,
    open: openGoogleSqlTpch,
  },
];

/** Faults of an engine with their statements. */
export async function faultsOf(
  statements: readonly string[],
  { source }: Engine,
  opened: OpenedSource,
  postgres: OpenedSource,
  comparison?: Comparison,
): Promise<string> {
  const faults: string[] = [];
  for (const sql of statements) {
    const original = await askAsWritten(sql, postgres);
    const answer = await ask(sql, manifest, source, opened);
    if ("outcome" in original) faults.push(`PostgreSQL: ${original.detail}\n  ${sql}`);
    else {
      const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer, comparison);
      if (verdict.outcome !== "right") faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    }
  }
  return faults.join("\n");
}
