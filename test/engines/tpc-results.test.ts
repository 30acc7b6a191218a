/** TPC-H and TPC-DS through plain models: planned for each engine, the rows PostgreSQL gives to the original. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DataSource, statementOf } from "../../src/planner/plan.ts";
import { readCells } from "../support/canonical-cells.ts";
import { type ActualRows, type ExpectedCell, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { shareFor } from "../support/share.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";
import { type Benchmark, tryLoadTpc } from "./tpc.ts";
import { createTables, fillTables, plainModels } from "./tpc-tables.ts";

const outcome = tryLoadTpc();
const benchmarks =
  "notRun" in outcome
    ? []
    : ([
        ["TPC-H", outcome.corpus.tpch],
        ["TPC-DS", outcome.corpus.tpcds],
      ] as const);

// The corpus suite beside this one says why there is none.
test.skipIf(benchmarks.length === 0)("the corpus is here", () => expect(benchmarks).toHaveLength(2));

describe.each(benchmarks)("%s", (_name, benchmark: Benchmark) => {
  let database: TestDatabase;
  let postgres: OpenedSource;
  let duckdb: OpenedSource;
  const { tables, queries } = benchmark;
  const manifests = {
    postgres: manifestOf(plainModels(tables, (table) => ({ schema: "public", table }))),
    local_file: manifestOf(plainModels(tables, (table) => ({ table: `${table}.parquet` }))),
  };

  beforeAll(async () => {
    database = await startPostgres();
    const client = await database.connect();
    await createTables(client, tables);
    await fillTables(client, benchmark);
    [postgres, duckdb] = await Promise.all([openPostgresDatabase(database), openDuckDbFiles(benchmark.data)]);
  });
  afterAll(async () => {
    await Promise.all([postgres.close(), duckdb.close()]);
    await database.stop();
  });

  const run = async (
    source: OpenedSource,
    statement: Parameters<OpenedSource["connector"]["query"]>[0],
  ): Promise<ActualRows> => {
    const stream = await source.connector.query(statement, { signal: new AbortController().signal, timeoutMs: 50_000 });
    return (await readCells(stream)).rows;
  };
  const plannedRows = (sql: string, source: "postgres" | "local_file"): Promise<ActualRows> =>
    run(
      source === "postgres" ? postgres : duckdb,
      statementOf(planned(sql, manifests[source], { source: source satisfies DataSource })),
    );

  test.each(
    shareFor(
      "postgres",
      queries.map((sql, index) => [index + 1, sql] as const),
    ),
  )("query %i", async (_number, sql) => {
    const original = { sql: withNullsLast(sql), columns: [], session: [], reads: [] };
    // A text that PostgreSQL does not take as it stands: then the engines are compared with each other.
    const reference = await run(postgres, original).catch(() => undefined);
    const onPostgres = await plannedRows(sql, "postgres");
    const onDuckDb = await plannedRows(sql, "local_file");
    // Ties may come in any order; the rows are compared as a set, LIMIT over ties by its count alone.
    if (reference !== undefined) expect(differ(reference, onPostgres), "on PostgreSQL").toBeUndefined();
    expect(differ(onPostgres, onDuckDb), "on DuckDB").toBeUndefined();
  });
});

/**
 * Digits compare as numbers: where alternatives of different scales meet, engines show different zeros
 * (docs/decisions/0046-duckdb-numbers.md#decision).
 */
function differ(expected: ActualRows, actual: ActualRows): string | undefined {
  const cells = expected.map((row) =>
    row.map((cell): ExpectedCell => {
      if (typeof cell === "bigint") return String(cell);
      if (typeof cell === "string" && /^-?\d+(\.\d+)?$/.test(cell)) return { decimal: cell };
      return cell as ExpectedCell;
    }),
  );
  return rowsDiffer(cells, actual, false);
}

/** The originals name no NULL order; ours is last in both directions. */
function withNullsLast(sql: string): string {
  return sql.replace(/\bDESC\b(?!\s+NULLS)/gi, "DESC NULLS LAST").replace(/;\s*$/, "");
}
