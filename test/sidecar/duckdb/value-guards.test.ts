/** Values that DuckDB would print by memory beside them: each type at each depth fails, and the values within its range stay as they are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardedScan } from "../../../sidecar/duckdb/value-guards.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { int64s, type LeafData, leaf, list, parquetFile, type SchemaNode, struct } from "../../support/parquet-file.ts";
import { ask, connectTo, type Playground, playground } from "./fixtures.ts";

const HOUR = 3_600_000_000n;
const inHours = (value: bigint): LeafData => ({ definitions: [1], values: int64s(value) });

const TIMES: Readonly<Record<string, readonly [column: SchemaNode, beyond: LeafData, within: LeafData]>> = {
  time: [leaf("t", "int64", { converted: "timeMicros" }), inHours(25n * HOUR), inHours(24n * HOUR)],
  "time of nanoseconds": [
    leaf("t", "int64", { time: { unit: "nanos", isUtc: false } }),
    inHours(25_000n * HOUR),
    inHours(23_000n * HOUR),
  ],
  "negative time of nanoseconds": [
    leaf("t", "int64", { time: { unit: "nanos", isUtc: false } }),
    inHours(-1_000n),
    inHours(1_000n),
  ],
};

let ground: Playground;
let native: Connector;
beforeAll(async () => {
  ground = playground();
  for (const [name, [column, beyond, within]] of Object.entries(TIMES)) {
    ground.write(`${name} beyond.parquet`, parquetFile({ columns: [column], rows: 1, leaves: [beyond] }));
    ground.write(`${name} within.parquet`, parquetFile({ columns: [column], rows: 1, leaves: [within] }));
  }
  const time = leaf("t", "int64", { converted: "timeMicros" });
  const nested = (value: bigint): Uint8Array =>
    parquetFile({
      columns: [leaf("id", "int64"), list("l", struct("e", list("a b", struct("e", { ...time, name: 'q"' }))))],
      rows: 2,
      leaves: [
        { definitions: [1, 1], values: int64s(1n, 2n) },
        { repetitions: [0, 2, 0], definitions: [7, 7, 0], values: int64s(HOUR, value) },
      ],
    });
  ground.write("nested beyond.parquet", nested(25n * HOUR));
  ground.write("nested within.parquet", nested(2n * HOUR));
  native = await connectTo(ground);
});
afterAll(async () => {
  await native.close();
  ground.remove();
});

describe("a value beyond its range", () => {
  it.each(Object.keys(TIMES))("%s", async (name) => {
    const [beyond, within] = [`${name} beyond.parquet`, `${name} within.parquet`];
    await expect(ask(native, `SELECT t FROM "${beyond}"`, beyond)).rejects.toThrow("not within a day");
    expect((await ask(native, `SELECT t FROM "${within}"`, within)).rows).toHaveLength(1);
  });

  it("lists of structs of lists of structs", async () => {
    const [beyond, within] = ["nested beyond.parquet", "nested within.parquet"];
    await expect(ask(native, `SELECT l FROM "${beyond}"`, beyond)).rejects.toThrow("not within a day");
    const { rows } = await ask(native, `SELECT l::VARCHAR FROM "${within}" ORDER BY id`, within);
    expect(rows).toEqual([[`[{'a b': [{'q"': '01:00:00'}, {'q"': '02:00:00'}]}]`], [null]]);
  });

  it("does not matter to a statement that does not read its column", async () => {
    const path = "nested beyond.parquet";
    expect((await ask(native, `SELECT id FROM "${path}" ORDER BY id`, path)).rows).toEqual([[1n], [2n]]);
  });
});

it("a time with time zone, which DuckDB takes modulo a day", async () => {
  const path = "zoned.parquet";
  const zoned = leaf("t", "int64", { time: { unit: "micros", isUtc: true } });
  const hours = [25n, 1_000n, -1n, 10_000_000n].map((value) => value * HOUR);
  const leaves = [{ definitions: hours.map(() => 1), values: int64s(...hours) }];
  ground.write(path, parquetFile({ columns: [zoned], rows: hours.length, leaves }));
  const { rows } = await ask(native, `SELECT t::VARCHAR FROM "${path}"`, path);
  expect(rows).toEqual([["01:00:00+00"], ["16:00:00+00"], ["23:00:00+00"], ["16:00:00+00"]]);
});

describe("a scan", () => {
  it("stays as it is where no column needs a check", () => {
    const columns = [
      ["a", "INTEGER"],
      ["b", "DECIMAL(9,2)"],
      ["c", 'STRUCT("time" VARCHAR, d TIMESTAMP[])'],
    ] as const;
    expect(guardedScan("SELECT 1", columns)).toBe("SELECT 1");
  });

  it("is refused where a column has a type that is not known", () => {
    expect(() => guardedScan("SELECT 1", [["a", "MAP("]])).toThrow('The type of the column "a" is not known');
  });
});
