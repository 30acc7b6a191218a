/** The shop of `access-rows.ts` in Trino's memory: DuckDB makes its rows, for that catalogue can neither change nor delete any. */
import { copyIntoTrino, openTrinoSchema, type TrinoTestSchema } from "../support/trino.ts";
import { LEFT } from "./access-rows.ts";
import type { World } from "./access-world.ts";
import { withShopFiles } from "./copied-shop.ts";
import type { Target } from "./noninterference/worlds.ts";
import { CHANGES, WORLDS } from "./noninterference/worlds.ts";

/** Native SQL as an author would write it, whatever the texts beside it hold. */
const JSON_COLUMN = "CASE WHEN id <= 4 THEN json_parse(doc) END";

const fill = ({ run }: TrinoTestSchema, changes: readonly string[]): Promise<void> =>
  withShopFiles(changes, (files) => copyIntoTrino(run, files));

export async function openTrinoWorld(): Promise<World> {
  const [schema, filtered] = await Promise.all([openTrinoSchema(), openTrinoSchema()]);
  await fill(schema, []);
  for (const [table, condition] of Object.entries(LEFT)) {
    await filtered.run(`CREATE TABLE ${table} AS SELECT * FROM memory.${schema.name}.${table} WHERE ${condition}`);
  }
  const { connector } = schema;
  const { hostname, port } = new URL(schema.url);
  return {
    source: "trino",
    connectionInfo: { host: `http://${hostname}`, port, catalog: "memory", schema: schema.name, user: "test" },
    jsonColumn: JSON_COLUMN,
    opened: { connector, variant: undefined, close: () => connector.close() },
    whole: (table) => ({ tableReference: { schema: schema.name, table } }),
    left: (table) => ({ tableReference: { schema: filtered.name, table } }),
    admin: async (sql) => (await schema.run(sql)).map((row) => [...row]),
    close: async () => {
      await filtered.close();
      await schema.close();
    },
  };
}

/** Ways to plan, each asked beside the others. */
const SETTINGS: Readonly<Record<string, string>> = {
  defaults: "",
  "joins as written": "join_reordering_strategy=NONE,join_distribution_type=PARTITIONED",
  "no statistics": "enable_stats_calculator=false",
  "no dynamic filters": "enable_dynamic_filtering=false",
};

export interface TrinoWorlds {
  readonly targets: readonly Target[];
  close(): Promise<void>;
}

export async function openTrinoWorlds(): Promise<TrinoWorlds> {
  const schemas = await Promise.all(WORLDS.map(() => openTrinoSchema()));
  const worlds = WORLDS.map((world, index) => [world, schemas[index] as TrinoTestSchema] as const);
  for (const [world, schema] of worlds) await fill(schema, CHANGES[world]);
  const targets: Target[] = [];
  for (const [engine, settings] of Object.entries(SETTINGS)) {
    const connectors = await Promise.all(
      worlds.map(async ([world, schema]) => [world, await schema.connectWith({ session: settings })] as const),
    );
    targets.push({
      engine: `Trino, ${engine}`,
      source: "trino",
      // The schema is the connection's own, so that one plan is the plan of all.
      shop: { jsonColumn: JSON_COLUMN, table: (table) => ({ tableReference: { table } }) },
      connectors: Object.fromEntries(connectors) as Target["connectors"],
    });
  }
  return {
    targets,
    close: async () => {
      for (const { connectors } of targets) for (const world of WORLDS) await connectors[world].close();
      for (const schema of schemas) await schema.close();
    },
  };
}
