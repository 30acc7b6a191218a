/** The true Worker bundle in workerd against a real PostgreSQL: what a caller of `/v2` and `/v3` sees. */
import { connect } from "node:net";
import { tableFromIPC } from "@uwdata/flechette";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let database: TestDatabase;
let watcher: pg.Client;
let worker: RunningWorker;

const MANIFEST = {
  catalog: "shop",
  schema: "public",
  models: [
    {
      name: "Orders",
      tableReference: { schema: "public", table: "orders" },
      primaryKey: "orderkey",
      columns: [
        { name: "orderkey", type: "INTEGER", expression: "o_orderkey", notNull: true },
        { name: "custkey", type: "INTEGER", expression: "o_custkey" },
        { name: "status", type: "VARCHAR", expression: "o_orderstatus" },
        { name: "totalprice", type: "DECIMAL(15,2)", expression: "o_totalprice" },
        { name: "orderdate", type: "DATE", expression: "o_orderdate" },
        { name: "created", type: "TIMESTAMP", expression: "o_created" },
        { name: "o_comment", type: "VARCHAR", isHidden: true },
        { name: "order_cust_key", type: "VARCHAR", expression: "concat(o_orderkey, '_', o_custkey)" },
      ],
    },
    {
      name: "numbers",
      refSql:
        "SELECT n, 1 / (CASE WHEN n = 500001 THEN 0 ELSE 1 END) AS failing FROM generate_series(1, 1000000) AS g(n)",
      columns: [
        { name: "n", type: "INTEGER" },
        { name: "failing", type: "INTEGER" },
      ],
    },
    // A modeller's own SQL may wait; callers may not.
    {
      name: "slow",
      refSql: "SELECT 1 AS one FROM (SELECT pg_sleep(60)) AS s",
      columns: [{ name: "one", type: "INTEGER" }],
    },
  ],
};
const manifestStr = Buffer.from(JSON.stringify(MANIFEST)).toString("base64");

beforeAll(async () => {
  [database, worker] = await Promise.all([
    startPostgres({ tpch: true }),
    startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" }),
  ]);
  watcher = await database.connect();
});
afterAll(() => database.stop());

function body(sql: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { host, port, user, password } = database;
  const connectionInfo = { host, port, user, password, database: database.database, kwargs: { sslmode: "disable" } };
  return { sql, manifestStr, connectionInfo, ...more };
}

const query = (
  sql: string,
  options: {
    version?: string;
    parameters?: string;
    headers?: Record<string, string>;
    more?: Record<string, unknown>;
  } = {},
): Promise<Response> =>
  worker.post(
    `/${options.version ?? "v3"}/connector/postgres/query${options.parameters ?? ""}`,
    body(sql, options.more),
    options.headers,
  );

describe("rows", () => {
  const STANDARD =
    "SELECT orderkey, custkey, status, totalprice, orderdate, order_cust_key, created, CAST(created AS timestamptz) AS zoned, CAST(NULL AS timestamp) AS nothing, CAST('abc' AS bytea) AS bytes FROM \"Orders\" ORDER BY orderkey LIMIT 1";

  test("modern", async () => {
    const response = await query(STANDARD);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-cache-hit")).toBe("false");
    const expected = (
      await watcher.query(
        "SELECT o_orderkey, o_custkey, o_totalprice::text, o_created::text FROM orders ORDER BY 1 LIMIT 1",
      )
    ).rows[0];
    const created = expected.o_created.includes(".")
      ? expected.o_created.padEnd(26, "0")
      : `${expected.o_created}.000000`;
    const answer = (await response.json()) as { columns: string[]; data: unknown[][]; dtypes: unknown };
    expect(answer.columns).toEqual(
      "orderkey custkey status totalprice orderdate order_cust_key created zoned nothing bytes".split(" "),
    );
    expect(answer.data[0]?.[3]).toBe(expected.o_totalprice);
    expect(answer.data[0]?.slice(6)).toEqual([created, `${created} +00:00`, null, "616263"]);
    expect(answer.dtypes).toEqual({
      orderkey: "int32",
      custkey: "int32",
      status: "string",
      totalprice: "decimal128(15, 2)",
      orderdate: "date32[day]",
      order_cust_key: "string",
      created: "timestamp[us]",
      zoned: "timestamp[us, tz=UTC]",
      nothing: "timestamp[us]",
      bytes: "binary",
    });
  });

  test("classic is the default of /v2: epoch milliseconds and dataframe names", async () => {
    const response = await query("SELECT orderkey, totalprice, orderdate, status FROM Orders ORDER BY 1 LIMIT 1", {
      version: "v2",
    });
    const [key, price, date] = (
      await watcher.query(
        "SELECT o_orderkey, o_totalprice::text, (extract(epoch FROM o_orderdate) * 1000)::int8::text FROM orders ORDER BY 1 LIMIT 1",
      )
    ).rows.map((row) => Object.values(row))[0] as [number, string, string];
    const text = await response.text();
    expect(text).toContain(`"data":[[${key},${price},${date},`);
    expect(JSON.parse(text).dtypes).toEqual({
      orderkey: "int32",
      totalprice: "object",
      orderdate: "object",
      status: "object",
    });
  });

  test("no rows keep columns and types", async () => {
    const answer = await (await query("SELECT orderkey, totalprice FROM Orders LIMIT 0")).json();
    expect(answer).toEqual({
      columns: ["orderkey", "totalprice"],
      data: [],
      dtypes: { orderkey: "int32", totalprice: "decimal128(15, 2)" },
    });
  });

  // Numbers that tests of the retired service assert.
  test.each<[string, unknown, string]>([
    ["0.0123e-3", "0.0000123", "decimal"],
    ["1.23e+4", "12300.0", "decimal"],
    ["-4.56e-3", "-0.00456", "decimal"],
    ["7.89e0", "7.89", "decimal"],
    ["0e0", "0", "decimal"],
    ["123.0000", "123.0", "decimal"],
    ["0.00000123", "1.23e-6", "decimal"],
    ["9999999999", 9999999999, "int64"],
    ["CAST(123.456 AS real)", 123.45600128173828, "float"],
    ["CAST('NaN' AS double precision)", null, "double"],
    ["CAST('-Infinity' AS double precision)", null, "double"],
    ["CAST(1.23e4 AS DECIMAL(10,5))", "12300.0", "decimal"],
    ["CAST(1.234e+15 AS DECIMAL(20,0))", "1234000000000000.0", "decimal"],
    ["CAST(1.123456789 AS DECIMAL(20,9))", "1.123456789", "decimal"],
    ["12345678901234567890.123456789", "12345678901234567890.123456789", "decimal"],
    ["TRUE", true, "bool"],
    ["CAST('12:34:56.5' AS time)", "12:34:56.500000", "time64[ns]"],
    ["INTERVAL '14 months 3 days'", "14 mons 3 days", "month_day_nano_interval"],
    ["CAST('{\"a\": 1}' AS json)", '{"a": 1}', "string"],
    ["CAST('123e4567-e89b-12d3-a456-426614174000' AS uuid)", "123e4567-e89b-12d3-a456-426614174000", "string"],
    ["ARRAY[1, NULL, 2]", [1, null, 2], "list<item: int32>"],
    ["ARRAY['a', NULL]", ["a", null], "list<item: string>"],
    ["7 / 2", 3, "int32"],
    ["sum(x) FROM (VALUES (9007199254740993), (1)) AS t(x)", "9007199254740994.0", "decimal"],
  ])("%s", async (expression, value, dtype) => {
    const sql = expression.includes(" FROM ")
      ? `SELECT ${expression.replace(" FROM", " AS v FROM")}`
      : `SELECT ${expression} AS v`;
    const answer = (await (await query(sql)).json()) as { data: unknown[][]; dtypes: { v: string } };
    expect(answer.data).toEqual([[value]]);
    expect(answer.dtypes.v).toContain(dtype);
  });

  test("integers beyond 2^53 arrive with all their digits", async () => {
    const text = await (await query("SELECT 9007199254740993 AS v UNION ALL SELECT NULL ORDER BY 1")).text();
    expect(text).toContain('"data":[[9007199254740993],[null]]');
  });

  test("the display zone moves zoned values only", async () => {
    const response = await query(
      "SELECT TIMESTAMPTZ '2024-07-01 23:59:59+00' AS z, TIMESTAMP '2024-07-01 23:59:59' AS l, TIMESTAMPTZ '2024-07-01 12:00:00' AS own",
      { headers: { "x-wren-timezone": "America/New_York" } },
    );
    expect(await response.json()).toEqual({
      columns: ["z", "l", "own"],
      data: [["2024-07-01 19:59:59.000000 -04:00", "2024-07-01 23:59:59.000000", "2024-07-01 12:00:00.000000 -04:00"]],
      dtypes: {
        z: "timestamp[us, tz=America/New_York]",
        l: "timestamp[us]",
        own: "timestamp[us, tz=America/New_York]",
      },
    });
  });

  test("limit cuts, and keeps a smaller LIMIT", async () => {
    const rows = async (sql: string, limit: number): Promise<number> =>
      ((await (await query(sql, { parameters: `?limit=${limit}` })).json()) as { data: unknown[] }).data.length;
    expect(await rows("SELECT orderkey FROM Orders LIMIT 100", 10)).toBe(10);
    expect(await rows("SELECT orderkey FROM Orders LIMIT 10", 100)).toBe(10);
    expect(await rows("SELECT orderkey FROM Orders ORDER BY 1 DESC FETCH FIRST 20 ROWS ONLY", 7)).toBe(7);
  });

  test("columnDtypes convert what they name", async () => {
    const response = await query("SELECT orderkey, orderdate FROM Orders ORDER BY 1 LIMIT 1", {
      version: "v2",
      more: { columnDtypes: { orderkey: "str", orderdate: "datetime64" } },
    });
    const answer = (await response.json()) as { data: unknown[][] };
    expect(answer.data[0]?.[0]).toBeTypeOf("string");
    expect(answer.data[0]?.[1]).toMatch(/^\d{4}-\d{2}-\d{2} 00:00:00/);
  });

  test("NDJSON", async () => {
    const response = await query("SELECT orderkey, status FROM Orders ORDER BY orderkey LIMIT 2", {
      headers: { accept: "application/x-ndjson" },
    });
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ columns: ["orderkey", "status"], dtypes: { orderkey: "int32", status: "string" } });
    expect(lines).toHaveLength(4);
    expect(lines[3]).toEqual({ end: { rows: 2 } });
  });
});

describe("checking without running", () => {
  test("a sound statement is 204 without a body", async () => {
    const response = await query("SELECT orderkey FROM Orders", { parameters: "?dryRun=true" });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  });

  test("nothing runs: a minute of sleep takes no time", async () => {
    const response = await query("SELECT one FROM slow", { parameters: "?dryRun=true" });
    expect(response.status).toBe(204);
  });

  test.each([
    ["columnName", "orderkey", 204],
    ["columnName", "nope", 422],
  ])("column_is_valid %s %s", async (_key, columnName, status) => {
    const response = await worker.post("/v3/connector/postgres/validate/column_is_valid", {
      ...body(""),
      parameters: { modelName: "Orders", columnName },
    });
    expect(response.status).toBe(status);
  });
});

describe("failures of the source", () => {
  const failure = async (response: Response) => ({
    status: response.status,
    ...((await response.json()) as {
      errorCode: string;
      message: string;
      phase: string | null;
      metadata: Record<string, unknown> | null;
    }),
  });

  test("an engine error points into the caller's SQL", async () => {
    const sql = "SELECT orderkey,\n       custkey / (custkey - custkey) AS boom\nFROM Orders";
    const answer = await failure(await query(sql));
    expect(answer).toMatchObject({ status: 422, phase: "SQL_EXECUTION" });
    expect(answer.message).toContain("division by zero");
    expect(answer.metadata?.["dialectSql"]).toContain("o_custkey");
  });

  test("an unknown object of the source keeps its position", async () => {
    const answer = await failure(await query("SELECT orderkey,\n  no_such_function(custkey) AS x FROM Orders"));
    expect(answer).toMatchObject({ status: 422, errorCode: "GENERIC_USER_ERROR" });
    expect(answer.metadata?.["position"]).toMatchObject({ line: 2, column: 3 });
  });

  test("the statement time-out", async () => {
    const answer = await failure(
      await query("SELECT one FROM slow", { headers: { "x-wren-db-statement_timeout": "1" } }),
    );
    expect(answer.status).toBe(504);
    expect(answer.errorCode).toBe("DATABASE_TIMEOUT");
    expect(answer.message).toContain("Query was cancelled: canceling statement due to statement timeout");
  });

  test("a wrong password, by name and without the password", async () => {
    const response = await worker.post("/v3/connector/postgres/query", {
      ...body("SELECT 1 AS a"),
      connectionInfo: {
        connectionUrl: database.url.replace(`:${encodeURIComponent(database.password)}@`, ":wr0ng-s3cret@"),
      },
    });
    const answer = await failure(response);
    expect(answer).toMatchObject({ status: 422, errorCode: "GET_CONNECTION_ERROR" });
    expect(answer.message).toContain(`password authentication failed for user "${database.user}"`);
    expect(JSON.stringify(answer)).not.toContain("wr0ng-s3cret");
  });

  /** The bytes received, however the connection ends. */
  const broken = async (accept: string): Promise<Buffer> => {
    // The runtime closes the connection behind a broken answer, which the next request could still meet open.
    const headers = { accept, connection: "close" };
    const response = await query("SELECT n, failing FROM numbers", { headers });
    expect(response.status).toBe(200);
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of response.body ?? []) chunks.push(chunk);
    } catch {
      // Not every runtime and proxy tells the client.
    }
    return Buffer.concat(chunks);
  };

  test("after 500,000 rows, in JSON", async () => {
    const text = (await broken("application/json")).toString();
    expect(() => JSON.parse(text)).toThrow();
  });

  test("after 500,000 rows, in NDJSON", async () => {
    const text = (await broken("application/x-ndjson")).toString();
    const last = JSON.parse(text.trim().split("\n").at(-1) ?? "") as { error?: { message: string }; end?: unknown };
    expect(last.end).toBeUndefined();
    expect(last.error?.message).toContain("division by zero");
  });

  test("after 500,000 rows, in CSV", async () => {
    const bytes = await broken("text/csv");
    expect(bytes.subarray(0, 19).toString()).toBe("n,failing\r\n1,1\r\n2,1");
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
  });

  test("after 500,000 rows, in Arrow", async () => {
    const bytes = await broken("application/vnd.apache.arrow.stream");
    expect(bytes.length).toBeGreaterThan(3_000_000);
    expect(() => tableFromIPC(bytes)).toThrow();
  });
});

describe("a client that goes away", () => {
  const running = async (marker: string): Promise<number> => {
    const { rows } = await watcher.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid() AND query LIKE $1",
      [`%${marker}%`],
    );
    return rows[0].n as number;
  };
  const until = async (marker: string, wanted: (count: number) => boolean): Promise<void> => {
    for (const end = Date.now() + 15_000; !wanted(await running(marker)); ) {
      if (Date.now() > end) throw new Error(`still ${await running(marker)} statements with ${marker}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const ask = (sql: string, signal: AbortSignal): Promise<Response> =>
    fetch(`${worker.url}/v3/connector/postgres/query`, { method: "POST", body: JSON.stringify(body(sql)), signal });

  // A closed connection is not noticed by the runtime before the first byte, a reset one is (docs/decisions/0034-abort.md).
  test("before the first byte: the statement ends on the server", async () => {
    const text = JSON.stringify(body("SELECT 'gone before' AS a, one FROM slow"));
    const runtime = new URL(worker.runtimeUrl);
    const socket = connect(Number(runtime.port), runtime.hostname);
    socket.on("error", () => {});
    const head = `POST /v3/connector/postgres/query HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${Buffer.byteLength(text)}`;
    socket.write(`${head}\r\n\r\n${text}`);
    await until("gone before", (count) => count === 1);
    socket.resetAndDestroy();
    await until("gone before", (count) => count === 0);
  });

  test("after the first byte: the statement ends on the server", async () => {
    const abort = new AbortController();
    const response = await ask(
      "SELECT a.n, 'gone after' AS a FROM numbers a CROSS JOIN (VALUES (1), (2), (3), (4)) AS b(x)",
      abort.signal,
    );
    const reader = response.body!.getReader();
    await reader.read();
    expect(await running("gone after")).toBe(1);
    abort.abort();
    await until("gone after", (count) => count === 0);
  });
});

test("two callers at once get their own answers", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const response = await query(`SELECT ${index} AS who, count(*) AS n FROM Orders WHERE custkey > ${index}`);
      return ((await response.json()) as { data: number[][] }).data[0]?.[0];
    }),
  );
  expect(answers).toEqual(Array.from({ length: 12 }, (_, index) => index));
});
