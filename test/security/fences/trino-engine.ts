/** Trino in the experiment, with what its optimizer may be told to do, and rows stored otherwise. */
import { openTrinoSchema } from "../../support/trino.ts";
import { type Engine, unordered } from "./engines.ts";
import { TRINO_SECRETS, TRINO_SHAPES, trinoSetup } from "./trino-shapes.ts";

/** Session properties (https://trino.io/docs/current/admin/properties-optimizer.html). */
const SESSIONS: Readonly<Record<string, string>> = {
  "joins as written": "join_reordering_strategy=NONE,join_distribution_type=PARTITIONED",
  "no statistics": "enable_stats_calculator=false",
  "no dynamic filters": "enable_dynamic_filtering=false",
  "four threads": "task_concurrency=4",
};

const MODES = ["defaults", ...Object.keys(SESSIONS), "dictionaries", "VALUES"];

/** Errors about a statement itself: of its syntax, its types, or what the planner cannot do. */
const STATIC =
  /^(SYNTAX_ERROR|NOT_SUPPORTED|.*_NOT_FOUND|TYPE_MISMATCH|EXPRESSION_.*|MISSING_.*|INVALID_COLUMN_REFERENCE)$/;

export async function openTrinoEngine(rows: number): Promise<Engine> {
  const schema = await openTrinoSchema();
  for (const statement of trinoSetup(rows)) await schema.run(statement);
  const [[version] = []] = await schema.run("SELECT version()");
  let session = "";
  return {
    shapes: TRINO_SHAPES,
    version: `Trino ${version}`,
    atOnce: 6,
    reported: ["cast to integer", "fail()"],
    rows: async (sql) => unordered(await schema.run(sql, session)),
    execute: async (sql) => void (await schema.run(sql)),
    isStatic: (error) => STATIC.test((error as Error).name),
    lacking: [],
    modes: MODES,
    thorough: ["defaults"],
    serious: ["none", "LIMIT", "row_number > 0", "row_number > 0, LIMIT"],
    // The last ones cannot be undone.
    use: async (mode) => {
      session = SESSIONS[mode] ?? "";
      if (mode !== "dictionaries" && mode !== "VALUES") return;
      for (const statement of TRINO_SECRETS[mode]) await schema.run(statement);
    },
    close: () => schema.close(),
  };
}
