/** The shop of `access-rows.ts` on Spark, as tables of Parquet files. */
import { randomUUID } from "node:crypto";
import { nodeDial } from "../../sidecar/dial.ts";
import { openSpark } from "../../sidecar/spark/connector.ts";
import { parseSparkConnection } from "../../src/connectors/connection/spark.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";
import { readCells } from "../support/canonical-cells.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { startSpark } from "../support/spark-server.ts";
import { LEFT } from "./access-rows.ts";
import type { World } from "./access-world.ts";
import { withShopFiles } from "./copied-shop.ts";
import { CHANGES, type Target, WORLDS, type WorldName } from "./noninterference/worlds.ts";

/** Native SQL as an author would write it, whatever the texts beside it hold. */
const JSON_COLUMN = "CASE WHEN id <= 4 THEN doc END";

const fill = (schema: string, changes: readonly string[]): Promise<void> =>
  withShopFiles(changes, (files) =>
    runOnSpark(
      `CREATE DATABASE ${schema}`,
      ...files.map(
        ({ name, file }) => `CREATE TABLE ${schema}.${name} USING parquet AS SELECT * FROM parquet.\`${file}\``,
      ),
    ),
  );

const newSchema = (): string => `shop_${randomUUID().slice(0, 8)}`;

async function connect(): Promise<Connector> {
  const { host, port } = await startSpark();
  const { info } = parseSparkConnection({ host, port });
  const { signal } = new AbortController();
  return openSpark(info, { dial: nodeDial([host]), connectTimeoutMs: 10_000 }, { signal });
}

export async function openSparkWorld(): Promise<World> {
  const [schema, filtered] = [newSchema(), newSchema()];
  await fill(schema, []);
  await runOnSpark(
    `CREATE DATABASE ${filtered}`,
    ...Object.entries(LEFT).map(
      ([table, condition]) =>
        `CREATE TABLE ${filtered}.${table} USING parquet AS SELECT * FROM ${schema}.${table} WHERE ${condition}`,
    ),
  );
  const connector = await connect();
  return {
    source: "spark",
    connectionInfo: {},
    jsonColumn: JSON_COLUMN,
    opened: { connector, variant: undefined, close: () => connector.close() },
    whole: (table) => ({ tableReference: { schema, table } }),
    left: (table) => ({ tableReference: { schema: filtered, table } }),
    admin: async (sql) => {
      const inShop = sql.replaceAll(/\b(FROM|JOIN) (\w)/g, `$1 ${schema}.$2`);
      const options = { signal: new AbortController().signal, timeoutMs: 60_000 };
      const statement = { sql: inShop, columns: [], session: [], reads: [] };
      return (await readCells(await connector.query(statement, options))).rows.map((row) => [...row]);
    },
    close: async () => {
      await connector.close();
      await runOnSpark(`DROP DATABASE ${schema} CASCADE`, `DROP DATABASE ${filtered} CASCADE`);
    },
  };
}

/** Ways to plan, each asked beside the others. */
const SETTINGS: Readonly<Record<string, readonly SessionSetting[]>> = {
  defaults: [],
  "not adaptive, no codegen": [
    { name: "spark.sql.adaptive.enabled", value: "false" },
    { name: "spark.sql.codegen.wholeStage", value: "false" },
  ],
  "sorted joins": [{ name: "spark.sql.autoBroadcastJoinThreshold", value: "-1" }],
};

/** The schema of every world in plans, so that one plan is the plan of all. */
const ANY_SCHEMA = "shop_of_world";

/** A connector to the tables of one world; names of schemas are of one length, for errors tell places. */
function within(connector: Connector, schema: string, settings: readonly SessionSetting[]): Connector {
  return {
    capabilities: connector.capabilities,
    query: (statement, options) =>
      connector.query(
        {
          ...statement,
          sql: statement.sql.replaceAll(ANY_SCHEMA, schema),
          session: [...statement.session, ...settings],
        },
        options,
      ),
    dryRun: (statement, options) => connector.dryRun(statement, options),
    catalog: (request, options) => connector.catalog(request, options),
    close: () => connector.close(),
  };
}

export interface SparkWorlds {
  readonly targets: readonly Target[];
  close(): Promise<void>;
}

export async function openSparkWorlds(): Promise<SparkWorlds> {
  const connector = await connect();
  const schemas: (readonly [WorldName, string])[] = WORLDS.map((world) => [world, newSchema()]);
  for (const [world, schema] of schemas) await fill(schema, CHANGES[world]);
  return {
    targets: Object.entries(SETTINGS).map(([engine, settings]) => ({
      engine: `Spark, ${engine}`,
      source: "spark",
      shop: { jsonColumn: JSON_COLUMN, table: (table) => ({ tableReference: { schema: ANY_SCHEMA, table } }) },
      connectors: Object.fromEntries(
        schemas.map(([world, schema]) => [world, within(connector, schema, settings)]),
      ) as unknown as Target["connectors"],
    })),
    close: async () => {
      await connector.close();
      await runOnSpark(...schemas.map(([, schema]) => `DROP DATABASE ${schema} CASCADE`));
    },
  };
}
