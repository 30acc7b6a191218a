/** MySQL and MariaDB in the experiment, with what their optimizers may be told to do. */
import { startMySql } from "../../support/mysql.ts";
import type { MySqlFlavor } from "../../support/mysql-server.ts";
import { type Engine, unordered } from "./engines.ts";
import { MYSQL_SHAPES, mysqlSetup } from "./mysql-shapes.ts";

const switches = (on: string, off: string): string =>
  `SET optimizer_switch = '${[...list(on).map((name) => `${name}=on`), ...list(off).map((name) => `${name}=off`)]}'`;

const list = (words: string): readonly string[] => words.split(" ").filter((word) => word !== "");

const COMMON = {
  defaults: [],
  "nothing merged": [switches("", "derived_merge")],
  "no materialization, no semijoins": [switches("", "materialization semijoin")],
  "semijoins by first match": [switches("firstmatch", "materialization loosescan")],
  "no statistics": ["ALTER TABLE secrets STATS_PERSISTENT = 0"],
};

/** Each of them over InnoDB's tables, and in the end over those of MyISAM, whose row counts are exact. */
const MODES: Readonly<Record<MySqlFlavor, Readonly<Record<string, readonly string[]>>>> = {
  mysql: {
    ...COMMON,
    "subqueries as derived tables": [switches("subquery_to_derived", "")],
    "hypergraph optimizer": [switches("hypergraph_optimizer", "")],
    "nested loops, batched keys": [switches("batched_key_access", "block_nested_loop mrr_cost_based hash_join")],
    "nothing pushed": [switches("", "derived_condition_pushdown index_condition_pushdown")],
    MyISAM: [],
  },
  mariadb: {
    ...COMMON,
    "all that is off": [
      switches("mrr mrr_sort_keys optimize_join_buffer_size not_null_range_scan", "mrr_cost_based"),
      "SET join_cache_level = 8",
      "SET optimizer_use_condition_selectivity = 5",
    ],
    "nothing pushed": [
      switches("", "condition_pushdown_for_derived condition_pushdown_for_subquery condition_pushdown_from_having"),
      switches("", "split_materialized index_condition_pushdown"),
    ],
    MyISAM: [],
  },
};

export async function openMySqlEngine(flavor: MySqlFlavor, rows: number): Promise<Engine> {
  const database = await startMySql(flavor);
  await database.query("SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_UNSIGNED_SUBTRACTION'");
  for (const statement of mysqlSetup(rows)) await database.query(statement);
  for (const [table, column] of [
    ["secrets", "owner"],
    ["other", "k"],
    ["grants", "owner"],
  ] as const) {
    await database.query(`CREATE INDEX by_${column} ON ${table} (${column}); ANALYZE TABLE ${table}`);
  }
  const [[version] = []] = await database.query("SELECT version()");
  return {
    shapes: MYSQL_SHAPES,
    version: `${flavor === "mysql" ? "MySQL" : "MariaDB"} ${version?.replace(/-.*/, "")}`,
    rows: async (sql) => unordered(await database.query(sql)),
    execute: async (sql) => void (await database.query(sql)),
    // Syntax, unknown names and functions, what a version does not have.
    isStatic: (error) => [1054, 1064, 1235, 1305].includes((error as { errno?: number }).errno ?? 0),
    lacking: flavor === "mysql" ? [] : ["LATERAL", "LATERAL over it"],
    modes: Object.keys(MODES[flavor]),
    thorough: ["defaults"],
    serious: ["none", "OFFSET 0"],
    use: async (mode) => {
      await database.query("SET optimizer_switch = DEFAULT");
      for (const setting of MODES[flavor][mode] ?? []) await database.query(setting);
      if (mode !== "MyISAM") return;
      for (const table of ["secrets", "visible", "nothing", "grants", "other"])
        await database.query(`ALTER TABLE ${table} ENGINE = MyISAM`);
    },
    close: () => database.stop(),
  };
}
