/** The shop of `access-rows.ts` on ClickHouse's engine, its texts as dictionaries. */
import { parseClickHouseConnection } from "../../src/connectors/connection/clickhouse.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openClickHouse } from "../../src/connectors/http/clickhouse.ts";
import { readCells } from "../support/canonical-cells.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "../support/clickhouse.ts";
import { LEFT } from "./access-rows.ts";
import type { World } from "./access-world.ts";
import { withShopFiles } from "./copied-shop.ts";
import { CHANGES, type Target, WORLDS, type WorldName } from "./noninterference/worlds.ts";

/** Native SQL as an author would write it, whatever the texts beside it hold. */
const JSON_COLUMN = "if(id <= 4, doc, NULL)";

const ENGINE = "MergeTree ORDER BY id SETTINGS allow_nullable_key = 1, index_granularity = 8";

async function fill({ query }: ClickHouseTestDatabase, changes: readonly string[]): Promise<void> {
  await withShopFiles(changes, async (files) => {
    for (const { name, file } of files) {
      const items = (await query(`DESCRIBE file('${file}')`)).map(([column = "", type = ""]) =>
        type === "Nullable(String)" ? `CAST(${column} AS LowCardinality(Nullable(String))) AS ${column}` : column,
      );
      const engine = items.includes("id") ? ENGINE : "Memory";
      await query(`CREATE TABLE ${name} ENGINE = ${engine} AS SELECT ${items} FROM file('${file}')`);
    }
  });
}

function connect(database: ClickHouseTestDatabase, changes: typeof fetch = fetch): Promise<Connector> {
  const { info } = parseClickHouseConnection(database.fields);
  return openClickHouse(info, { fetch: changes }, { signal: new AbortController().signal });
}

export async function openClickHouseWorld(): Promise<World> {
  const database = await startClickHouse();
  const filtered = `${database.database}_filtered`;
  await fill(database, []);
  await database.query(`CREATE DATABASE ${filtered}`);
  for (const [table, condition] of Object.entries(LEFT)) {
    await database.query(
      `CREATE TABLE ${filtered}.${table} ENGINE = Memory AS SELECT * FROM ${table} WHERE ${condition}`,
    );
  }
  const connector = await connect(database);
  return {
    source: "clickhouse",
    connectionInfo: database.fields,
    jsonColumn: JSON_COLUMN,
    opened: { connector, variant: undefined, close: () => connector.close() },
    whole: (table) => ({ tableReference: { schema: database.database, table } }),
    left: (table) => ({ tableReference: { schema: filtered, table } }),
    admin: async (sql) => {
      const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
      const { rows } = await readCells(await connector.query({ sql, columns: [], session: [], reads: [] }, options));
      return rows.map((row) => [...row]);
    },
    close: async () => {
      await connector.close();
      await database.query(`DROP DATABASE ${filtered}`);
      await database.stop();
    },
  };
}

/** Ways to plan, each asked beside the others: settings that go with every statement. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  defaults: {},
  "no optimizations": { query_plan_enable_optimizations: "0" },
  "joins in any order": { query_plan_optimize_join_order_randomize: "7", query_plan_join_swap_table: "true" },
  "runtime filters, lazy columns": { enable_join_runtime_filters: "1", query_plan_optimize_lazy_materialization: "1" },
};

/** A fetch that adds parameters to what the connector asks for. */
const withSettings =
  (settings: Readonly<Record<string, string>>): typeof fetch =>
  (input, init) => {
    const url = new URL(String(input));
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
    return fetch(url, init);
  };

export interface ClickHouseWorlds {
  readonly targets: readonly Target[];
  close(): Promise<void>;
}

export async function openClickHouseWorlds(): Promise<ClickHouseWorlds> {
  const worlds: (readonly [WorldName, ClickHouseTestDatabase])[] = [];
  for (const world of WORLDS) {
    const database = await startClickHouse();
    await fill(database, CHANGES[world]);
    worlds.push([world, database]);
  }
  const targets: Target[] = [];
  for (const [engine, settings] of Object.entries(SETTINGS)) {
    const connectors = await Promise.all(
      worlds.map(async ([world, database]) => [world, await connect(database, withSettings(settings))] as const),
    );
    targets.push({
      engine: `ClickHouse, ${engine}`,
      source: "clickhouse",
      // The database is the connection's own, so that one plan is the plan of all.
      shop: { jsonColumn: JSON_COLUMN, table: (table) => ({ tableReference: { table } }) },
      connectors: Object.fromEntries(connectors) as Target["connectors"],
    });
  }
  return {
    targets,
    close: async () => {
      for (const { connectors } of targets) for (const world of WORLDS) await connectors[world].close();
      for (const [, database] of worlds) await database.stop();
    },
  };
}
