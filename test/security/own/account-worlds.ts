/** The three worlds of the shop in one schema of an account: one plan, over tables whose names differ by a digit. */

import type { Connector } from "../../../src/connectors/connector.ts";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { type Target, WORLDS } from "../noninterference/worlds.ts";
import { inWorld, worldTable } from "./account-tables.ts";

/** The JSON column of `orders` as a modeller writes it, whatever the texts beside it hold. */
const JSON_COLUMNS: Readonly<Partial<Record<DataSource, string>>> = {
  postgres: "CASE WHEN id <= 4 THEN doc::json END",
  trino: "CASE WHEN id <= 4 THEN json_parse(doc) END",
  clickhouse: "if(id <= 4, doc, NULL)",
  spark: "CASE WHEN id <= 4 THEN doc END",
  databricks: "CASE WHEN id <= 4 THEN doc END",
  bigquery: "CASE WHEN id <= 4 THEN SAFE.PARSE_JSON(doc) END",
};

export function accountTarget(source: PlannedSource, connector: Connector, schema: string | undefined): Target {
  return {
    engine: source,
    source,
    shop: {
      jsonColumn: JSON_COLUMNS[source] ?? "doc",
      table: (table) => ({
        tableReference: { ...(schema !== undefined && { schema }), table: worldTable(0, table) },
      }),
    },
    connectors: Object.fromEntries(
      WORLDS.map((world, at) => [world, overWorld(connector, at)]),
    ) as Target["connectors"],
    bestEffort: true,
  };
}

function overWorld(connector: Connector, world: number): Connector {
  return {
    capabilities: connector.capabilities,
    query: (statement, options) => connector.query({ ...statement, ...moved(statement, world) }, options),
    dryRun: (statement, options) => connector.dryRun({ ...statement, ...moved(statement, world) }, options),
    catalog: (request, options) => connector.catalog(request, options),
    close: () => Promise.resolve(),
  };
}

function moved({ sql, reads }: Parameters<Connector["query"]>[0], world: number) {
  return {
    sql: inWorld(sql, world),
    reads: reads.map((read) => ({
      ...read,
      physical: read.physical && { ...read.physical, table: inWorld(read.physical.table, world) },
    })),
  };
}
