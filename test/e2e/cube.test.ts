/** Structured queries over a cube: the true Worker bundle in workerd, with rows of PostgreSQL and of the sidecar's DuckDB. */
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECRET, startSidecar } from "../sidecar/process.ts";
import { type ActualRows, type ExpectedRows, rowsDiffer } from "../support/comparator.ts";
import { startPostgres } from "../support/postgres.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

interface Side {
  readonly worker: RunningWorker;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  readonly tableReference: object;
  /** Rows of SQL over the table `orders` as the source itself gives them. */
  byHand(sql: string): Promise<readonly unknown[][]>;
  close(): Promise<void>;
}

async function openPostgresSide(): Promise<Side> {
  const [database, worker] = await Promise.all([
    startPostgres({ tpch: true }),
    startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" }),
  ]);
  const client = await database.connect();
  return {
    worker,
    connectionInfo: { connectionUrl: database.url },
    tableReference: { schema: "public", table: "orders" },
    byHand: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows,
    close: () => database.stop(),
  };
}

async function openFileSide(): Promise<Side> {
  const sidecar = await startSidecar({ FILE_ROOT: EXAMPLES });
  const worker = await startWorker({ AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW orders AS FROM '${EXAMPLES.replaceAll("'", "''")}/tpch/orders.parquet'`);
  return {
    worker,
    connectionInfo: { url: "/tpch", format: "parquet" },
    tableReference: { table: "tpch/orders.parquet" },
    byHand: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson(),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
      await sidecar.stop();
    },
  };
}

const RULE = {
  name: "one status",
  requiredProperties: [{ name: "status", required: true }],
  condition: "o_orderstatus = @status",
};

function manifestStr(tableReference: object, rules: readonly object[]): string {
  const manifest = {
    catalog: "shop",
    schema: "public",
    models: [
      {
        name: "sale",
        tableReference,
        rowLevelAccessControls: rules,
        columns: [
          { name: "o_orderkey", type: "INTEGER" },
          { name: "o_orderstatus", type: "VARCHAR" },
          { name: "o_orderpriority", type: "VARCHAR" },
          { name: "o_totalprice", type: "DECIMAL(15,2)" },
          { name: "o_orderdate", type: "DATE" },
        ],
      },
    ],
    cubes: [
      {
        name: "sales",
        baseObject: "sale",
        measures: [
          { name: "revenue", type: "DECIMAL(38,2)", expression: "sum(o_totalprice)" },
          { name: "number", type: "BIGINT", expression: "count(*)" },
        ],
        dimensions: [
          { name: "status", type: "VARCHAR", expression: "o_orderstatus" },
          { name: "priority", type: "VARCHAR", expression: "o_orderpriority" },
        ],
        timeDimensions: [{ name: "ordered", type: "DATE", expression: "o_orderdate" }],
      },
    ],
  };
  return Buffer.from(JSON.stringify(manifest)).toString("base64");
}

describe.each([
  ["postgres", openPostgresSide],
  ["local_file", openFileSide],
] as const)("POST %s/cube", (source, open) => {
  let side: Side;
  beforeAll(async () => {
    side = await open();
  });
  afterAll(() => side?.close());

  const ask = (cube: object, rules: readonly object[] = [], headers: Readonly<Record<string, string>> = {}) =>
    side.worker.post(
      `/v3/connector/${source}/cube`,
      { cube, manifestStr: manifestStr(side.tableReference, rules), connectionInfo: side.connectionInfo },
      headers,
    );

  test("answers the rows of the source", async () => {
    const response = await ask({
      cube: "sales",
      measures: ["revenue", "number"],
      dimensions: ["status"],
      timeDimensions: [{ dimension: "ordered", granularity: "quarter", dateRange: ["1995-01-01", "1995-12-31"] }],
      filters: [{ dimension: "priority", operator: "in", value: ["1-URGENT", "2-HIGH"] }],
      orderBy: [
        { member: "ordered", direction: "asc" },
        { member: "revenue", direction: "desc" },
      ],
      limit: 7,
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as { columns: unknown; data: ActualRows };
    expect(answer.columns).toEqual(["ordered__quarter", "status", "revenue", "number"]);
    expect(answer.data).toHaveLength(7);
    const rows = await side.byHand(`
      SELECT CAST(date_trunc('quarter', o_orderdate) AS DATE)::VARCHAR, o_orderstatus, sum(o_totalprice)::VARCHAR,
             count(*)::INTEGER
      FROM orders
      WHERE extract(year FROM o_orderdate) = 1995 AND o_orderpriority IN ('1-URGENT', '2-HIGH')
      GROUP BY 1, 2 ORDER BY 1, sum(o_totalprice) DESC LIMIT 7`);
    const expected = rows.map(([quarter, status, revenue, number]) => [quarter, status, { decimal: revenue }, number]);
    expect(rowsDiffer(expected as ExpectedRows, answer.data, true)).toBeUndefined();
  });

  test.each([
    ["a measure that is none", { cube: "sales", measures: ["revenu"] }, "CUBE_FIELD_NOT_FOUND", ["revenue"]],
    ["a cube that is none", { cube: "sale", measures: ["number"] }, "CUBE_NOT_FOUND", ["sales"]],
  ])("refuses %s by its name", async (_what, cube, reason, suggestions) => {
    const response = await ask(cube);
    expect(response.status).toBe(422);
    const error = { errorCode: "INVALID_SQL", phase: "SQL_PLANNING", metadata: { reason, suggestions } };
    expect(await response.json()).toMatchObject(error);
  });

  test("counts the rows that the session may see", async () => {
    const cube = { cube: "sales", measures: ["number"], dimensions: ["status"] };
    const ruled = await ask(cube, [RULE], { "x-wren-variable-status": "'F'" });
    expect([ruled.status, ((await ruled.json()) as { data: unknown }).data]).toEqual([
      200,
      await side.byHand("SELECT 'F', count(*)::INTEGER FROM orders WHERE o_orderstatus = 'F'"),
    ]);
    const nobody = await ask(cube, [RULE]);
    expect(nobody.status).toBe(422);
    expect(await nobody.json()).toMatchObject({ metadata: { reason: "SESSION_PROPERTY_REQUIRED" } });
  });
});
