/** Which calls get equal isolation keys. The planner is the real one; the source remembers what it was asked with. */
import { expect, it } from "vitest";
import type { CallOptions } from "../../src/connectors/connector.ts";
import * as planner from "../../src/planner/index.ts";
import { metadata } from "../../src/service/metadata.ts";
import { dryRun, type QueryRequest, query } from "../../src/service/query.ts";
import type { CallContext, Services } from "../../src/service/services.ts";
import { testContext, testServices } from "./in-memory.ts";

const MANIFEST = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { table: "orders.csv" },
        columns: [
          { name: "id", type: "INTEGER" },
          {
            name: "price",
            type: "INTEGER",
            columnLevelAccessControl: {
              name: "clearance",
              requiredProperties: [{ name: "Level", required: false }],
              operator: "GREATER_THAN",
              threshold: "5",
            },
          },
        ],
        rowLevelAccessControls: [
          { name: "own", requiredProperties: [{ name: "Tenant", required: false }], condition: "id = @Tenant" },
        ],
      },
      { name: "days", tableReference: { table: "days.csv" }, columns: [{ name: "id", type: "INTEGER" }] },
    ],
  }),
).toString("base64");

interface Asking {
  readonly caller?: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly connectionInfo?: Readonly<Record<string, unknown>>;
  readonly sql?: string;
  readonly ask?: "query" | "dryRun" | "metadata";
  readonly hasOwnEngine?: boolean;
}

async function optionsOf(asking: Asking = {}): Promise<CallOptions> {
  const { caller = "ann", session = {}, connectionInfo = { url: "/a" }, sql = "SELECT id FROM orders" } = asking;
  const services = testServices({ load: (text) => planner.loadManifest(text, 1 << 20) });
  const { sources } = services;
  const asked: Services = {
    ...services,
    planner,
    sources: {
      prepare: (source, info) => ({ ...sources.prepare(source, info), hasOwnEngine: asking.hasOwnEngine ?? true }),
    },
  };
  const context: CallContext = testContext({ caller, session: new Map(Object.entries(session)) });
  const request: QueryRequest = { source: "local_file", sql, manifestStr: MANIFEST, connectionInfo };
  if (asking.ask === "metadata") {
    await metadata(asked, context, {
      kind: "tables",
      source: "local_file",
      connectionInfo,
      filter: {},
      limit: undefined,
      warnings: [],
    });
  } else if (asking.ask === "dryRun") await dryRun(asked, context, request);
  else await (await query(asked, context, request)).rows.close();
  const [options] = sources.options;
  return options ?? expect.unreachable("The source was not asked.");
}

const keyOf = async (asking: Asking = {}): Promise<string> =>
  (await optionsOf(asking)).isolation ?? expect.unreachable("no key");

it.each<[what: string, a: Asking, b: Asking]>([
  ["two statements of a caller", { sql: "SELECT id FROM orders" }, { sql: "SELECT count(*) FROM orders" }],
  ["running and checking a statement", {}, { ask: "dryRun" }],
  ["values that no rule of the plan reads", { session: { other: "1" } }, { session: { other: "2" } }],
  [
    "values for a model without rules",
    { sql: "SELECT id FROM days", session: { tenant: "1" } },
    { sql: "SELECT id FROM days", session: { tenant: "2" } },
  ],
  ["listings", { ask: "metadata" }, { ask: "metadata", session: { tenant: "1" } }],
])("%s have one key", async (_, a, b) => {
  expect(await keyOf(a)).toBe(await keyOf(b));
});

it.each<[what: string, a: Asking, b: Asking]>([
  ["callers", { caller: "ann" }, { caller: "bob" }],
  ["callers of a listing", { ask: "metadata", caller: "ann" }, { ask: "metadata", caller: "bob" }],
  ["connections", { connectionInfo: { url: "/a" } }, { connectionInfo: { url: "/b" } }],
  ["values of a row rule", { session: { tenant: "1" } }, { session: { tenant: "2" } }],
  ["a row rule with and without its value", { session: { tenant: "1" } }, {}],
  [
    "values of a column rule",
    { sql: "SELECT price FROM orders", session: { level: "6" } },
    { sql: "SELECT price FROM orders", session: { level: "7" } },
  ],
  ["values of a rule of a column that is not read", { session: { level: "1" } }, { session: { level: "6" } }],
  [
    "values of a rule behind a checked statement",
    { ask: "dryRun", session: { tenant: "1" } },
    { ask: "dryRun", session: { tenant: "2" } },
  ],
])("two %s have two keys", async (_, a, b) => {
  expect(await keyOf(a)).not.toBe(await keyOf(b));
});

it("a source that brings its own engine needs no key", async () => {
  expect((await optionsOf({ hasOwnEngine: false })).isolation).toBeUndefined();
});
