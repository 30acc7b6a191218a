import { readFileSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scanCondition } from "../../../sidecar/duckdb/scan-condition.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type ScanFilter, type ScanValue, statementOf } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { calling, connectTo, failureOf, makeWith, type Playground, playground, rowsOf } from "./fixtures.ts";

const number = (text: string): ScanValue => ({ kind: "number", text });
const text = (value: string): ScanValue => ({ kind: "text", text: value });
const date: ScanValue = { kind: "date", text: "2024-01-31" };
const timestamp: ScanValue = { kind: "timestamp", text: "2024-01-31 12:00:00.5" };

describe("a condition", () => {
  it.each<[type: string, operator: ScanFilter["operator"], values: readonly ScanValue[], expected: string | undefined]>(
    [
      ["INTEGER", ">=", [number("-5")], '"c" >= -5'],
      ["UBIGINT", "=", [number("1"), number("2")], '"c" IN (1, 2)'],
      ["BIGINT", "<", [number("1.5")], undefined],
      ["BIGINT", "<", [number("1234567890123456")], undefined],
      ["HUGEINT", "<", [number("1")], undefined],
      ["DOUBLE", "<", [number("1.5")], '"c" < 1.5'],
      ["DOUBLE", "<", [number("1e400")], undefined],
      ["FLOAT", "<", [number("1.5")], undefined],
      ["DECIMAL(18,2)", "<", [number("1.5")], '"c" < 1.5'],
      ["DECIMAL(19,2)", "<", [number("1.5")], undefined],
      ["VARCHAR", "=", [text("it's")], `"c" = 'it''s'`],
      ["VARCHAR", "=", [text("x"), number("1")], undefined],
      ["VARCHAR", ">", [date], undefined],
      ["VARCHAR", ">", [number("1")], undefined],
      ["DATE", ">", [date], `"c" > DATE '2024-01-31'`],
      ["DATE", ">", [text("2024-01-31")], undefined],
      ["TIMESTAMP", ">", [date], undefined],
      ["TIMESTAMP", ">", [timestamp], `"c" > TIMESTAMP '2024-01-31 12:00:00.5'`],
      ["TIMESTAMP_NS", ">", [timestamp], undefined],
      ["TIMESTAMP WITH TIME ZONE", ">", [timestamp], `"c" > TIMESTAMPTZ '2024-01-31 12:00:00.5+00'`],
      ["BOOLEAN", "=", [{ kind: "boolean", value: false }], '"c" = false'],
      ["INTEGER", "=", [{ kind: "boolean", value: true }], undefined],
      ["", "=", [number("1")], undefined],
    ],
  )("of a %s %s %j", (type, operator, values, expected) => {
    expect(scanCondition([{ column: "c", operator, values }], new Map([["c", type]]))).toBe(expected);
  });

  it("says as much of several as it can", () => {
    const filters: readonly ScanFilter[] = [
      { column: "N", operator: ">", values: [number("1")] },
      { column: "day", operator: ">", values: [text("x")] },
      { column: 'o"dd', operator: "=", values: [text("y")] },
    ];
    const types = new Map(Object.entries({ n: "INTEGER", day: "DATE", 'o"dd': "VARCHAR" }));
    expect(scanCondition(filters, types)).toBe(`"N" > 1 AND "o""dd" = 'y'`);
  });
});

describe("below a rule", () => {
  let ground: Playground;
  let connector: Connector;
  beforeAll(async () => {
    ground = playground();
    // Three groups of rows; the second cannot be read, which shows whether it was.
    await makeWith([
      `COPY (SELECT i AS id, i % 2 AS half, 'day ' || i AS day, random() AS noise FROM range(6144) t(i))
       TO '${ground.root}/torn.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048, COMPRESSION uncompressed)`,
    ]);
    const path = `${ground.root}/torn.parquet`;
    const [from, to] = await secondGroup(path);
    const bytes = readFileSync(path);
    bytes.fill(0xff, from, to);
    writeFileSync(path, bytes);
    connector = await connectTo(ground, { format: "parquet" });
  });
  afterAll(async () => {
    await connector?.close();
    ground?.remove();
  });

  const manifestWith = (condition: string) =>
    manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "torn",
          tableReference: { table: "torn.parquet" },
          columns: Object.entries({ id: "BIGINT", half: "BIGINT", day: "VARCHAR" }).map(([name, type]) => ({
            name,
            type,
          })),
          rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition }],
        },
      ],
    });
  const [halves, few] = [manifestWith("half = 1"), manifestWith("id < 10")];
  const ask = async (sql: string, manifest = halves) =>
    rowsOf(await connector.query(statementOf(planned(sql, manifest)), calling()));

  it("the rule's own comparison leaves groups of rows out", async () => {
    expect(await ask("SELECT count(*) FROM torn", few)).toEqual([[10n]]);
  });

  // Which groups are read would show what the rows in them are, those that the rule excludes included.
  it.each([
    "SELECT count(*) FROM torn WHERE id < 10",
    "SELECT id, day FROM torn WHERE id >= 6141",
    "SELECT id FROM torn WHERE id IN (3, 4, 5)",
    "SELECT n FROM (SELECT id AS n, half FROM torn) AS t WHERE n BETWEEN 1 AND 3",
    "SELECT id FROM torn WHERE 10 > id AND sqrt(id) > 2.9",
    "SELECT count(*) FROM torn",
    "SELECT count(*) FROM torn WHERE id < 10 OR half = 0",
    "SELECT count(*) FROM torn WHERE id < 2.5",
    "SELECT count(*) FROM torn AS a JOIN torn AS b ON a.id = b.id WHERE a.id < 10 AND b.id < 20",
    "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM torn) AS t WHERE id < 10",
  ])("a comparison of the caller leaves none out: %s", async (sql) => {
    expect((await failureOf(ask(sql))).reason).toBe("SOURCE_ERROR");
  });
});

async function secondGroup(path: string): Promise<readonly [from: number, to: number]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`
    SELECT min(data_page_offset)::int, max(data_page_offset + total_compressed_size)::int
    FROM parquet_metadata('${path}') WHERE row_group_id = 1`);
  const [[from, to] = []] = reader.getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return [Number(from), Number(to)];
}
