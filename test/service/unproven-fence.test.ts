/** Servers on which a source's proven fence is not proven: refused, or run as best effort where the operator accepts it. */
import { describe, expect, test } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { loadManifest } from "../../src/planner/index.ts";
import type { DataSource, RowGuarantee } from "../../src/planner/plan.ts";
import { modelSubstitute } from "../../src/service/model-substitute.ts";
import { dryRun, type QueryRequest, query } from "../../src/service/query.ts";
import type { CallContext } from "../../src/service/services.ts";
import { validate } from "../../src/service/validate.ts";
import { planOf, type TestServices, testContext, testServices } from "./in-memory.ts";

const SOURCES: readonly DataSource[] = ["clickhouse", "mysql", "spark", "trino"];
const UNPROVEN = new ConnectorFailure("UNPROVEN_FENCE", "Models with row rules cannot be read on this server.");

/** A server that refuses proven fences, and fails a statement with another one by `failure`. */
function services(
  accepted: readonly DataSource[],
  failure?: ConnectorFailure,
  settings: Parameters<typeof testServices>[0] = {},
): TestServices {
  const made = testServices(settings);
  const plan = made.planner.plan.bind(made.planner);
  made.planner.plan = (request) => {
    const outcome = plan(request);
    if (!outcome.ok) return outcome;
    const rowRules: RowGuarantee = request.unprovenFence === true ? "besteffort" : "fenced";
    return { ok: true, value: planOf(request, { restricted: true, rowRules }) };
  };
  const { prepare } = made.sources;
  made.sources.prepare = (source, connectionInfo) => {
    const prepared = prepare.call(made.sources, source, connectionInfo);
    return {
      ...prepared,
      open: async (options) => {
        const connector = await prepared.open(options);
        const refuse = (fenced: unknown): void => {
          if (fenced === true) throw UNPROVEN;
          if (failure !== undefined) throw failure;
        };
        const { query: ask, dryRun: dry } = connector;
        connector.query = async (statement, call) => {
          refuse(statement.fenced);
          return ask.call(connector, statement, call);
        };
        connector.dryRun = async (statement, call) => {
          refuse(statement.fenced);
          return dry.call(connector, statement, call);
        };
        return connector;
      },
    };
  };
  return { ...made, planOptions: { ...made.planOptions, bestEffort: new Set(accepted) } };
}

const requestTo = (source: DataSource): QueryRequest => ({
  source,
  sql: "SELECT a FROM m",
  manifestStr: "bTE=",
  connectionInfo: {},
});

test.each(SOURCES)("%s: the statement runs as best effort, and says so", async (source) => {
  const made = services([source]);
  const guarantees: RowGuarantee[] = [];
  const context = testContext({ planned: ({ rowRules }) => guarantees.push(rowRules) });
  await (await query(made, context, requestTo(source))).rows.close();
  expect(guarantees).toEqual(["fenced", "besteffort"]);
  expect(made.sources.statements.map(({ fenced }) => fenced)).toEqual(["unproven"]);
  await dryRun(made, testContext(), requestTo(source));
  expect(made.sources.statements.at(-1)?.fenced).toBe("unproven");
});

test.each(SOURCES)("%s: the statement is refused where the operator accepts another source alone", async (source) => {
  const made = services(SOURCES.filter((each) => each !== source));
  await expect(query(made, testContext(), requestTo(source))).rejects.toMatchObject({ reason: "UNPROVEN_FENCE" });
  expect(made.sources.statements).toEqual([]);
});

test.each(SOURCES)("%s: an error is one sentence without the source's text and code", async (source) => {
  const failure = new ConnectorFailure("SOURCE_ERROR", 'cannot parse "CANARY"', { engineCode: "1292" });
  const error = await query(services([source], failure), testContext(), requestTo(source)).catch((each) => each);
  expect([error.reason, error.message]).toEqual(["SOURCE_ERROR", "The data source failed to run the statement."]);
  expect(JSON.stringify(error.metadata)).not.toMatch(/CANARY|1292/);
});

describe("every path that plans for a server plans again for one without the fence, with the session properties that it passes on", () => {
  const MODELS = {
    catalog: "c",
    schema: "s",
    models: ["orders", "customers"].map((name) => ({
      name,
      tableReference: { table: name },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "customer", type: "INTEGER" },
      ],
      primaryKey: "id",
    })),
    relationships: [
      {
        name: "buys",
        models: ["orders", "customers"],
        joinType: "MANY_TO_ONE",
        condition: "orders.customer = customers.id",
      },
    ],
  };
  const READING = { load: (base64: string) => loadManifest(base64, 1_000_000) };
  const manifestStr = Buffer.from(JSON.stringify(MODELS)).toString("base64");
  const asked = { source: "trino", manifestStr, connectionInfo: {} } as const;

  const PATHS: Readonly<Record<string, (made: TestServices, context: CallContext) => Promise<unknown>>> = {
    query: async (made, context) =>
      (await query(made, context, { ...asked, sql: "SELECT id FROM orders" })).rows.close(),
    "dry run": (made, context) => dryRun(made, context, { ...asked, sql: "SELECT id FROM orders" }),
    column_is_valid: (made, context) =>
      validate(made, context, {
        ...asked,
        rule: "column_is_valid",
        parameters: { modelName: "orders", columnName: "id" },
      }),
    relationship_is_valid: (made, context) =>
      validate(made, context, {
        ...asked,
        rule: "relationship_is_valid",
        parameters: { relationshipName: "buys" },
      }),
    "model substitution": (made, context) =>
      modelSubstitute(made, context, { ...asked, sql: "SELECT id FROM orders", catalog: undefined, schema: undefined }),
  };

  test.each(Object.keys(PATHS))("%s", async (path) => {
    const made = services(["trino"], undefined, READING);
    made.sources.script = { batches: [[Array.from({ length: 9 }, () => 1)]] };
    const { prepare } = made.sources;
    made.sources.prepare = (source, connectionInfo) => ({
      ...prepare.call(made.sources, source, connectionInfo),
      passes: [{ property: "tenant", setting: "app.tenant" }],
    });
    const context = testContext({ session: new Map([["tenant", "'acme'"]]), ownConnections: true });
    await PATHS[path]?.(made, context);
    expect(made.planner.requests.map(({ unprovenFence, underPolicies }) => [unprovenFence, underPolicies])).toEqual([
      [undefined, true],
      [true, true],
    ]);
    const [statement, ...others] = made.sources.statements;
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      fenced: "unproven",
      session: [{ name: "app.tenant", value: "acme", ofCaller: true }],
    });
  });

  test.each(Object.keys(PATHS))("%s is refused where the operator has not accepted it", async (path) => {
    const made = services([], undefined, READING);
    await expect(PATHS[path]?.(made, testContext())).rejects.toMatchObject({ reason: "UNPROVEN_FENCE" });
    expect(made.sources.statements).toEqual([]);
  });
});
