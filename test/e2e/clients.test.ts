/**
 * Calls of existing clients (contract App. D), under `V2_PROFILE=modern`, through workerd against a real PostgreSQL.
 */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let database: TestDatabase;
let client: pg.Client;
let worker: RunningWorker;

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "shop",
    schema: "public",
    dataSource: "POSTGRES",
    models: [
      {
        name: "sales",
        tableReference: { catalog: "", schema: "public", table: "sales" },
        primaryKey: "sale_id",
        columns: [
          { name: "sale_id", type: "BIGINT", notNull: 1 },
          { name: "shop_id", type: "BIGINT", notNull: 0 },
          { name: "day", type: "DATE", expression: "" },
        ],
      },
    ],
  }),
).toString("base64");

beforeAll(async () => {
  [database, worker] = await Promise.all([
    startPostgres(),
    startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", V2_PROFILE: "modern" }),
  ]);
  client = await database.connect();
  await client.query(`
    CREATE TABLE public.shops (id bigint, region text, name varchar(20) NOT NULL, PRIMARY KEY (id, region));
    COMMENT ON TABLE public.shops IS 'one row per shop';
    CREATE TYPE mood AS ENUM ('sad', 'glad');
    CREATE TABLE public.sales (
      sale_id bigint PRIMARY KEY, shop_id bigint, shop_region text, day date, total numeric(12,2), note text, tags text[],
      paid boolean NOT NULL, at timestamptz, feeling mood, doc jsonb,
      FOREIGN KEY (shop_id, shop_region) REFERENCES public.shops (id, region));
    COMMENT ON COLUMN public.sales.sale_id IS 'surrogate key';
    CREATE SCHEMA archive;
    CREATE VIEW archive.old_sales AS SELECT * FROM public.sales WHERE day < '2020-01-01';
    INSERT INTO public.sales VALUES (1, NULL, NULL, '2024-01-02', 9.5, 'n', NULL, true, now(), 'glad', '{}');
  `);
});
afterAll(() => database.stop());

const connectionInfo = (): unknown => ({
  connectionUrl: `postgresql://${database.user}:${encodeURIComponent(database.password)}@${database.host}:${database.port}/${database.database}?sslmode=disable`,
});

describe("the web interface", () => {
  test("previews", async () => {
    const response = await worker.post("/v2/connector/postgres/query?cacheEnable=true&limit=500", {
      sql: "SELECT sale_id, day FROM sales",
      manifestStr,
      connectionInfo: connectionInfo(),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      columns: ["sale_id", "day"],
      data: [[1, "2024-01-02"]],
      dtypes: { sale_id: "int64", day: "date32[day]" },
    });
    expect(response.headers.get("x-correlation-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(response.headers.get("x-process-time")).toMatch(/^\d+\.\d+$/);
  });

  test("accepts the older path and the trailing question mark of its URLs", async () => {
    const { connectionUrl } = connectionInfo() as { connectionUrl: string };
    const response = await worker.post("/v2/ibis/postgres/query", {
      sql: "SELECT count(*) FROM sales",
      manifestStr,
      connectionInfo: { connectionUrl: connectionUrl.replace("?sslmode=disable", "?"), kwargs: { sslmode: "disable" } },
    });
    expect(await response.json()).toEqual({ columns: ["count(*)"], data: [[1]], dtypes: { "count(*)": "int64" } });
  });

  test("dry-runs and dry-plans", async () => {
    const dry = await worker.post("/v2/connector/postgres/query?dryRun=True", {
      sql: "SELECT day FROM sales",
      manifestStr,
      connectionInfo: connectionInfo(),
    });
    expect([dry.status, await dry.text()]).toEqual([204, ""]);
    const plan = await worker.post("/v2/connector/postgres/dry-plan", { sql: "SELECT day FROM sales", manifestStr });
    expect(await plan.json()).toBe("SELECT sales.day FROM public.sales AS sales");
    const check = await worker.post("/v3/connector/dry-plan", { sql: "SELECT 1", manifestStr });
    expect([check.status, await check.json()]).toEqual([200, expect.stringContaining("SELECT 1")]);
  });

  test("validates a column", async () => {
    const call = (columnName: string): Promise<Response> =>
      worker.post("/v2/connector/postgres/validate/column_is_valid", {
        manifestStr,
        connectionInfo: connectionInfo(),
        parameters: { modelName: "sales", columnName },
      });
    expect((await call("day")).status).toBe(204);
    expect((await call("dya")).status).toBe(422);
  });

  test("lists tables as a bare array, whole records", async () => {
    const response = await worker.post("/v2/connector/postgres/metadata/tables", { connectionInfo: connectionInfo() });
    const tables = (await response.json()) as { name: string; columns: { name: string; type: string }[] }[];
    expect(tables.map((table) => table.name)).toEqual(["archive.old_sales", "public.sales", "public.shops"]);
    const shops = tables[2];
    expect(shops).toEqual({
      name: "public.shops",
      columns: [
        { name: "id", type: "BIGINT", notNull: true, description: null, properties: null, nestedColumns: null },
        { name: "region", type: "TEXT", notNull: true, description: null, properties: null, nestedColumns: null },
        { name: "name", type: "VARCHAR", notNull: true, description: null, properties: null, nestedColumns: null },
      ],
      description: "one row per shop",
      properties: { schema: "public", catalog: database.database, table: "shops", path: null },
      primaryKey: "id,region",
    });
    const types = Object.fromEntries(tables[1]?.columns.map((column) => [column.name, column.type]) ?? []);
    expect(types).toMatchObject({
      total: "DECIMAL",
      paid: "BOOL",
      at: "TIMESTAMPTZ",
      feeling: "ENUM",
      doc: "JSON",
      day: "DATE",
    });
  });

  test("lists constraints: composite keys pair by position", async () => {
    const response = await worker.post("/v2/connector/postgres/metadata/constraints", {
      connectionInfo: connectionInfo(),
    });
    expect(await response.json()).toEqual([
      {
        constraintName: "sales_shop_id_shops_id",
        constraintType: "FOREIGN KEY",
        constraintTable: "public.sales",
        constraintColumn: "shop_id",
        constraintedTable: "public.shops",
        constraintedColumn: "id",
      },
      {
        constraintName: "sales_shop_region_shops_region",
        constraintType: "FOREIGN KEY",
        constraintTable: "public.sales",
        constraintColumn: "shop_region",
        constraintedTable: "public.shops",
        constraintedColumn: "region",
      },
    ]);
  });
});

test("version, schemas, filter and limit", async () => {
  const post = async (path: string, more: object = {}): Promise<unknown> =>
    (
      await worker.post(`/v3/connector/postgres/metadata/${path}`, { connectionInfo: connectionInfo(), ...more })
    ).json();
  expect(await post("version")).toMatch(/^PostgreSQL \d+/);
  expect(await post("schemas")).toEqual([{ name: database.database, schemas: ["archive", "public"] }]);
  const names = async (more: object): Promise<string[]> =>
    ((await post("tables", more)) as { name: string }[]).map((table) => table.name);
  expect(await names({ filterInfo: { schema: "pub*", table: "SH?PS" } })).toEqual(["public.shops"]);
  expect(await names({ limit: 2 })).toEqual(["archive.old_sales", "public.sales"]);
});

test("the AI service: a failed check brings the SQL that was sent", async () => {
  const response = await worker.post("/v3/connector/postgres/query?dryRun=true&limit=1", {
    sql: "SELECT nosuchfunction(day) AS x FROM sales",
    manifestStr,
    connectionInfo: connectionInfo(),
  });
  expect(response.status).toBe(422);
  const error = (await response.json()) as { message: string; metadata: { dialectSql: string } };
  expect(error.message).toContain("nosuchfunction");
  expect(error.metadata.dialectSql).toContain("FROM public.sales");
});

test("functions and knowledge, without a body", async () => {
  const ask = async <T>(path: string): Promise<T> => {
    const response = await worker.fetch(`/v3/connector/postgres/${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as T;
  };
  const records = await ask<{ name: string; function_type: string; description: string }[]>("functions");
  // One client drops entries without any of these, and folds the rest by name.
  expect(records.every((each) => each.name && each.function_type && each.description)).toBe(true);
  expect(new Set(records.map(({ name }) => name)).size).toBeGreaterThan(300);
  expect(await ask("function/div")).toMatchObject([{ description: "trunc(x/y)" }]);
  const knowledge = await ask<{ text_to_sql_rule: string; instructions: Record<string, string> }>("knowledge");
  expect(knowledge.text_to_sql_rule).toContain("SELECT");
  for (const name of ["calculated_field_instructions", "metric_instructions", "json_field_instructions"]) {
    expect(knowledge.instructions[name], name).toBeTruthy();
  }
});
