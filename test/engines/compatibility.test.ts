/** The rows of docs/reference/compatibility.md about answers, on ClickHouse, Trino and Spark: as on PostgreSQL, or refused as the page says. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COLUMN_CASES, COLUMNS, NOTES, ROW_CASES } from "../docs/compatibility-rows.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { type RunningService, startService } from "../support/service.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, startSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

/** The table of facts on an engine; it has no intervals there. */
interface Opened {
  readonly connectionInfo: object;
  readonly tableReference: object;
  readonly close: () => Promise<void>;
}

interface Engine {
  readonly source: string;
  readonly isThere: () => boolean;
  readonly without: string;
  readonly open: () => Promise<Opened>;
  /** The engine's name for an array of texts. */
  readonly arrayType: string;
  /** N1. */
  readonly refused: readonly string[];
  /** N2, N3. */
  readonly quotient: string;
}

const ENGINES: readonly Engine[] = [
  {
    source: "clickhouse",
    isThere: hasClickHouse,
    without: WITHOUT_CLICKHOUSE,
    open: openClickHouseFacts,
    arrayType: "Array(String)",
    refused: ["R15", "R16"],
    quotient: "decimal128(38, 20)",
  },
  {
    source: "trino",
    isThere: hasTrino,
    without: WITHOUT_TRINO,
    open: openTrinoFacts,
    arrayType: "array(varchar)",
    refused: ["R16"],
    quotient: "decimal128(38, 18)",
  },
  {
    source: "spark",
    isThere: hasSpark,
    without: WITHOUT_SPARK,
    open: openSparkFacts,
    arrayType: "array<string>",
    refused: ["R16"],
    quotient: "decimal128(38, 18)",
  },
];

async function openClickHouseFacts(): Promise<Opened> {
  const database = await startClickHouse();
  // An array cannot be NULL there; the second has no elements, as one that is NULL.
  await database.query(`
    CREATE TABLE facts (id Int32, big Nullable(Int64), price Nullable(Decimal(38, 9)), tags Array(String), note Nullable(String))
    ENGINE = Memory`);
  await database.query(`
    INSERT INTO facts SELECT 1, 9007199254740993, CAST('12345678901234567890.123456789' AS Decimal(38, 9)), ['x', 'y'], 'a'
    UNION ALL SELECT 2, NULL, 0.1, [], NULL UNION ALL SELECT 3, 2, 0.5, ['z'], 'c'`);
  const tableReference = { schema: database.database, table: "facts" };
  return { connectionInfo: database.fields, tableReference, close: database.stop };
}

async function openTrinoFacts(): Promise<Opened> {
  const schema = await openTrinoSchema();
  await schema.run(`
    CREATE TABLE facts AS SELECT * FROM (VALUES
      (1, BIGINT '9007199254740993', DECIMAL '12345678901234567890.123456789', ARRAY[VARCHAR 'x', 'y'], VARCHAR 'a'),
      (2, NULL, DECIMAL '0.100000000', NULL, NULL), (3, 2, DECIMAL '0.500000000', ARRAY['z'], 'c')
    ) AS t (id, big, price, tags, note)`);
  const { hostname, port } = new URL(schema.url);
  const place = { catalog: "memory", schema: schema.name };
  return {
    connectionInfo: { host: `http://${hostname}`, port, user: "test", ...place },
    tableReference: { ...place, table: "facts" },
    close: schema.close,
  };
}

async function openSparkFacts(): Promise<Opened> {
  const { host, port } = await startSpark();
  await runOnSpark(
    "CREATE DATABASE IF NOT EXISTS compatibility",
    `CREATE TABLE IF NOT EXISTS compatibility.facts USING parquet AS SELECT * FROM VALUES
      (1, 9007199254740993L, 12345678901234567890.123456789BD, array('x', 'y'), 'a'),
      (2, NULL, 0.100000000BD, NULL, NULL), (3, 2L, 0.500000000BD, array('z'), 'c') AS t (id, big, price, tags, note)`,
  );
  return {
    connectionInfo: { host, port: String(port) },
    tableReference: { schema: "compatibility", table: "facts" },
    close: async () => {},
  };
}

test("the page has the rows that are asked here", () => {
  const page = readFileSync(new URL("../../docs/reference/compatibility.md", import.meta.url), "utf8");
  expect([...page.matchAll(/^\| (N\d+) \|/gm)].map(([, number]) => number)).toEqual(["N1", "N2", "N3", "N4"]);
  expect(ENGINES.flatMap(({ refused }) => refused).filter((row) => ROW_CASES[row] === undefined)).toEqual([]);
});

let service: RunningService;
beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service?.stop());

describe.each(ENGINES)("$source", ({ source, isThere, without, open, arrayType, refused, quotient }) => {
  if (!isThere()) test.skip(without, () => {});
  else {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is tested
    async function ask(sql: string, headers: object = {}): Promise<{ status: number; text: string; json: any }> {
      const columns = Object.entries({ ...COLUMNS, tags: arrayType }).map(([name, type]) => ({ name, type }));
      const models = [{ name: "Facts", tableReference: opened.tableReference, columns }];
      const manifest = { catalog: "c", schema: "s", models, cubes: [NOTES] };
      const manifestStr = Buffer.from(JSON.stringify(manifest)).toString("base64");
      const response = await fetch(`${service.url}/v3/connector/${source}/query`, {
        method: "POST",
        headers: { ...headers },
        body: JSON.stringify({ sql, manifestStr, connectionInfo: opened.connectionInfo }),
      });
      const text = await response.text();
      return { status: response.status, text, json: JSON.parse(text) };
    }

    const cases = Object.entries(ROW_CASES).flatMap(([row, of]) => of.map((one) => ({ row, ...one })));
    test.each(cases)("$row: $sql", async ({ row, sql, data, headers }) => {
      const { text, json } = await ask(sql, headers);
      if (refused.includes(row)) {
        expect(json.metadata.reason).toBe("UNSUPPORTED_ON_SOURCE");
        return;
      }
      expect(text).toContain(`"data":${data}`);
      if (COLUMN_CASES[row] !== undefined) expect(json.columns).toEqual(COLUMN_CASES[row]);
    });

    test("N2: quotients and averages of exact numbers", async () => {
      const { json } = await ask("SELECT avg(id) AS a, 1.0 / 3 AS b FROM Facts WHERE id < 3");
      const digits = Number(/(\d+)\)$/.exec(quotient)?.[1]);
      expect(json).toMatchObject({ data: [["1.5", `0.${"3".repeat(digits)}`]], dtypes: { a: quotient, b: quotient } });
    });

    test.each(["SELECT 1 / 0 AS a", "SELECT CAST(note AS INTEGER) AS a FROM Facts"])("N3: %s", async (sql) => {
      const { status, json } = await ask(sql);
      expect([status, json.metadata.reason]).toEqual([422, "SOURCE_ERROR"]);
    });

    test("N4: LATERAL", async () => {
      const sql = "SELECT f.id, l.n FROM Facts f CROSS JOIN LATERAL (SELECT f.id + 1 AS n) AS l WHERE f.id = 1";
      const { json } = await ask(sql);
      expect(json.data).toEqual([[1, 2]]);
    });
  }
});
