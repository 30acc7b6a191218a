/** ClickHouse's engine in the experiment, with what its optimizer may be told to do, and rows stored otherwise. */
import { clickhouseTarget } from "../../../src/planner/dialects/clickhouse/clickhouse.ts";
import { startClickHouse } from "../../support/clickhouse.ts";
import { CLICKHOUSE_SHAPES, CLICKHOUSE_TABLES, clickHouseSetup } from "./clickhouse-shapes.ts";
import { type Engine, unordered } from "./engines.ts";

/** Settings (https://clickhouse.com/docs/operations/settings/settings) under which it plans as it otherwise would not. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no optimizations": { query_plan_enable_optimizations: "0" },
  "nothing compiled": { compile_expressions: "0" },
  "sorted joins": { join_algorithm: "full_sorting_merge,hash" },
  "joins in any order": { query_plan_optimize_join_order_randomize: "7", query_plan_join_swap_table: "true" },
  "all that is off": {
    optimize_prewhere_after_pushdown: "1",
    query_plan_convert_join_to_in: "1",
    query_plan_reuse_storage_ordering_for_window_functions: "1",
    query_plan_optimize_lazy_final: "1",
    optimize_aggregation_in_order: "1",
    enable_join_runtime_filters: "1",
    optimize_functions_to_subcolumns: "1",
    min_count_to_compile_expression: "0",
    enable_materialized_cte: "1",
  },
  "one thread, blocks of seven rows": { max_threads: "1", max_block_size: "7" },
};

const MODES = [...Object.keys(CLICKHOUSE_TABLES), ...Object.keys(SETTINGS)];

/** Errors about a statement itself: of its syntax, its names and types, or what the planner cannot do. */
const STATIC = new Set([1, 8, 10, 36, 43, 44, 46, 47, 48, 62, 184, 207, 215, 386, 403]);

export async function openClickHouseEngine(rows: number): Promise<Engine> {
  const database = await startClickHouse();
  const session = Object.fromEntries(clickhouseTarget().session.map(({ name, value }) => [name, value]));
  const administrative = { allow_suspicious_low_cardinality_types: "1", enable_json_type: "1" };
  const execute = async (sql: string): Promise<void> => void (await database.query(sql, administrative));
  for (const statement of clickHouseSetup(rows)) await execute(statement);
  const [[version] = []] = await database.query("SELECT version()");
  let settings: Readonly<Record<string, string>> = {};
  return {
    shapes: CLICKHOUSE_SHAPES,
    version: `ClickHouse ${version}`,
    atOnce: 4,
    reported: ["cast to integer", "decode"],
    rows: async (sql) => unordered(await database.query(sql, { ...session, ...settings })),
    execute,
    isStatic: (error) => STATIC.has(Number(/^Code: (\d+)/.exec((error as Error).message)?.[1])),
    lacking: ["correlated subquery", "LATERAL", "LATERAL over it"],
    modes: MODES,
    thorough: ["defaults", "dictionaries"],
    serious: ["none", "row_number > 0", "any() over its row"],
    use: async (mode) => {
      settings = SETTINGS[mode] ?? {};
      for (const statement of CLICKHOUSE_TABLES[mode] ?? CLICKHOUSE_TABLES["defaults"] ?? []) await execute(statement);
    },
    close: () => database.stop(),
  };
}
