/** Decimals beyond their precision: the file is refused, and no memory of an engine is answered, by number or by text. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ask, connectTo, type Playground, playground } from "../sidecar/duckdb/fixtures.ts";
import { type FilesService, startFilesService } from "../support/files-service.ts";
import { bigEndian, int32s, int64s, leaf, list, parquetFile, struct } from "../support/parquet-file.ts";

const decimal = (precision: number, scale: number, length: number) =>
  leaf("d", "fixed", { converted: "decimal", precision, scale, length });

function fixed(precision: number, scale: number, length: number, ...values: readonly bigint[]): Uint8Array {
  const definitions = values.map(() => 1);
  const leaves = [{ definitions, values: bigEndian(length, ...values) }];
  return parquetFile({ columns: [decimal(precision, scale, length)], rows: values.length, leaves });
}

const FILES = {
  "four.parquet": fixed(4, 0, 16, 1n << 120n),
  "nine.parquet": fixed(9, 0, 16, 1n << 120n),
  "eighteen.parquet": fixed(18, 0, 16, 1n << 120n),
  "negative.parquet": fixed(18, 0, 16, -(1n << 120n)),
  "thirty-eight.parquet": fixed(38, 0, 16, 10n ** 38n),
  "just.parquet": fixed(4, 0, 16, 9_999n, 10_000n),
  "just-negative.parquet": fixed(4, 0, 16, -9_999n, -10_000n),
  "int32.parquet": parquetFile({
    columns: [leaf("d", "int32", { converted: "decimal", precision: 4, scale: 0 })],
    rows: 1,
    leaves: [{ definitions: [1], values: int32s(100_000) }],
  }),
  "int64.parquet": parquetFile({
    columns: [leaf("d", "int64", { converted: "decimal", precision: 10, scale: 0 })],
    rows: 1,
    leaves: [{ definitions: [1], values: int64s(10n ** 10n) }],
  }),
};

/** Digits that all stand behind the point: DuckDB 1.4 makes room for more, and leaves in it what was there. */
const FRACTIONS = {
  "fraction.parquet": fixed(9, 9, 4, 2_000_000_000n),
  "negative-fraction.parquet": fixed(9, 9, 4, -2_000_000_000n),
  "short-fraction.parquet": fixed(4, 4, 2, 20_000n),
  "long-fraction.parquet": fixed(18, 18, 8, 2n * 10n ** 18n),
  "longest-fraction.parquet": fixed(38, 38, 16, 10n ** 38n),
};

const NESTED = parquetFile({
  columns: [list("l", struct("e", decimal(9, 9, 4)))],
  rows: 1,
  leaves: [{ repetitions: [0, 1], definitions: [4, 4], values: bigEndian(4, 1n, 2_000_000_000n) }],
});

/** Integers that are wider than what DuckDB keeps of a decimal: it cut them, so that the first of them was 5. */
const integers = (physical: "int32" | "int64", precision: number, scale: number, ...values: readonly bigint[]) =>
  parquetFile({
    columns: [leaf("d", physical, { converted: "decimal", precision, scale })],
    rows: values.length,
    leaves: [
      {
        definitions: values.map(() => 1),
        values: physical === "int32" ? int32s(...values.map(Number)) : int64s(...values),
      },
    ],
  });
const CUT = {
  "cut-4.parquet": integers("int32", 4, 0, 65_541n),
  "cut-4-negative.parquet": integers("int32", 4, 2, 7n, -65_541n),
  "cut-4-of-8.parquet": integers("int64", 4, 0, 65_541n),
  "cut-9.parquet": integers("int64", 9, 2, 4_294_967_301n),
  "cut-least.parquet": integers("int64", 9, 0, -(2n ** 63n)),
  "cut-just.parquet": integers("int32", 4, 0, 9_999n, 10_000n),
};
const CUT_NESTED = parquetFile({
  columns: [list("d", struct("e", leaf("f", "int32", { converted: "decimal", precision: 4, scale: 0 })))],
  rows: 1,
  leaves: [{ repetitions: [0, 1], definitions: [4, 4], values: int32s(1, 65_541) }],
});
const UNCUT = integers("int32", 4, 2, 9_999n, -9_999n, 0n);

const BETWEEN = fixed(9, 9, 4, 999_999_999n, -999_999_999n, 0n);

describe("in the files Worker", () => {
  let service: FilesService;
  beforeAll(async () => {
    service = await startFilesService({ ...FILES, ...FRACTIONS, ...CUT, "between.parquet": BETWEEN });
  }, 300_000);
  afterAll(() => service.close());

  it.each(Object.keys({ ...FILES, ...FRACTIONS, ...CUT }))("%s", async (table) => {
    const answer = await service.ask("SELECT d FROM t", table, { d: "decimal" });
    expect(answer).toMatchObject({ status: 422, reason: "FILE_INVALID", data: undefined });
  });

  it("are answered up to their last digit", async () => {
    const { data } = await service.ask("SELECT d FROM t", "between.parquet", { d: "decimal" });
    expect(data).toEqual([["0.999999999"], ["-0.999999999"], ["0"]]);
  });
});

describe("in the sidecar", () => {
  let ground: Playground;
  let native: Connector;
  beforeAll(async () => {
    ground = playground();
    for (const [name, content] of Object.entries({ ...FRACTIONS, ...CUT })) ground.write(name, content);
    ground.write("cut-nested.parquet", CUT_NESTED);
    ground.write("uncut.parquet", UNCUT);
    ground.write("nested.parquet", NESTED);
    ground.write("between.parquet", BETWEEN);
    native = await connectTo(ground);
  });
  afterAll(async () => {
    await native.close();
    ground.remove();
  });

  it.each(Object.keys(FRACTIONS))("%s as text", async (table) => {
    await expect(ask(native, `SELECT CAST(d AS VARCHAR) FROM "${table}"`, table)).rejects.toThrow("more digits");
  });

  it("in a list of structs", async () => {
    const path = "nested.parquet";
    await expect(ask(native, `SELECT CAST(l AS VARCHAR) FROM "${path}"`, path)).rejects.toThrow("more digits");
  });

  it.each([...Object.keys(CUT), "cut-nested.parquet"])("%s, which DuckDB would cut", async (table) => {
    await expect(ask(native, `SELECT d FROM "${table}"`, table)).rejects.toThrow("more digits than its type");
  });

  it.each(Object.keys(CUT))("%s in SQL of a model", async (table) => {
    const sql = `SELECT d FROM read_parquet('${ground.root}/${table}')`;
    await expect(ask(native, sql)).rejects.toThrow("more digits than its type");
  });

  it("are answered where they fit", async () => {
    const path = "uncut.parquet";
    const expected = [["99.99"], ["-99.99"], ["0.00"]];
    for (let time = 0; time < 2; time++)
      expect((await ask(native, `SELECT d FROM "${path}"`, path)).rows).toEqual(expected);
    ground.write(path, integers("int32", 4, 2, 9_999n, -9_999n, 65_541n));
    await expect(ask(native, `SELECT d FROM "${path}"`, path)).rejects.toThrow("more digits than its type");
  });

  it("are answered up to their last digit", async () => {
    const path = "between.parquet";
    const { rows } = await ask(native, `SELECT d, CAST(d AS VARCHAR) FROM "${path}"`, path);
    expect(rows).toEqual([
      ["0.999999999", ".999999999"],
      ["-0.999999999", "-.999999999"],
      ["0.000000000", ".000000000"],
    ]);
  });
});
