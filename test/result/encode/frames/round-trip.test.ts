import { describe, expect, test } from "vitest";
import { encoders } from "../../../../src/result/encode/encoders.ts";
import { MAX_ROWS_PER_FRAME, TARGET_PAYLOAD_BYTES } from "../../../../src/result/encode/frames/format.ts";
import { resultFramer } from "../../../../src/result/encode/frames/framer.ts";
import { readFrames } from "../../../../src/result/encode/frames/reader.ts";
import { frameStream } from "../../../../src/result/encode/frames/writer.ts";
import { ResultError } from "../../../../src/result/failure.ts";
import type { Batch, Column, LogicalType, ResultStream, Row, Value } from "../../../../src/result/types.ts";
import { randomType, randomValue } from "../../random-results.ts";
import { columnsOf, encode, manyRows, resultOf, rowsOf, seededRandom, textOf } from "../../streams.ts";
import { bytesOf, chunked, collect, join } from "./frame-bytes.ts";

const options = {
  describeFailure: (error: unknown): object => ({ message: (error as Error).message }),
  revive: (failure: unknown): unknown => new Error(JSON.stringify(failure)),
};

async function framed(stream: ResultStream): Promise<Uint8Array> {
  return collect(frameStream({ kind: "result", stream }, options));
}

async function read(chunks: readonly Uint8Array[]): Promise<ResultStream> {
  const answer = await readFrames(bytesOf(chunks).stream, options);
  if (answer.kind !== "result") throw new Error("A report came.");
  return answer.stream;
}

async function roundTrip(columns: readonly Column[], batches: readonly Batch[]): Promise<Row[]> {
  return rowsOf(await read([await framed(resultOf(columns, batches))]));
}

describe("every representation comes back exactly", () => {
  const LIST: LogicalType = { kind: "list", element: { kind: "list", element: { kind: "string" } } };
  const STRUCT: LogicalType = {
    kind: "struct",
    fields: [
      { name: "a", type: { kind: "decimal", precision: 5, scale: 2 } },
      { name: "a", type: { kind: "map", key: { kind: "string" }, value: { kind: "interval" } } },
    ],
  };
  test.each<[LogicalType, readonly Value[]]>([
    [{ kind: "boolean" }, [true, false]],
    [{ kind: "int8" }, [-128, 127]],
    [{ kind: "int16" }, [-32_768, 32_767]],
    [{ kind: "int32" }, [-2_147_483_648, 2_147_483_647]],
    [{ kind: "uint8" }, [0, 255]],
    [{ kind: "uint16" }, [0, 65_535]],
    [{ kind: "uint32" }, [0, 4_294_967_295]],
    [{ kind: "int64" }, [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n, 9_007_199_254_740_993n]],
    [{ kind: "uint64" }, [0n, 18_446_744_073_709_551_615n]],
    [{ kind: "float32" }, [1.5, Math.fround(1.1), Number.NaN, -0]],
    [{ kind: "float64" }, [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1.1]],
    [{ kind: "decimal" }, ["-12345678901234567890.1234567890", "NaN", "0.00", "Infinity"]],
    [{ kind: "decimal", precision: 38, scale: 9 }, ["1.5"]],
    [{ kind: "decimal", precision: 10 }, ["1"]],
    [{ kind: "string" }, ["", "a", "é", "😀", "\ufeffmark", "\ud800", "a\udc00b", "\u0000", "x".repeat(100_000)]],
    [{ kind: "string" }, [`${"x".repeat(30)}\ud83d`, "twenty-three characters.", "twenty-four characters — é"]],
    [{ kind: "uuid" }, ["123e4567-e89b-12d3-a456-426614174000"]],
    [{ kind: "json" }, ['{"a": 1e400}']],
    [{ kind: "opaque", name: "inet" }, ["10.0.0.1"]],
    [{ kind: "binary" }, [new Uint8Array(0), Uint8Array.of(0, 255), new Uint8Array(70_000).fill(7)]],
    [{ kind: "date" }, [0, -735_160, 2_145_042_905, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    [{ kind: "time", unit: "ns" }, [0, 86_399_999_999_999]],
    [{ kind: "timestamp", unit: "us", zone: undefined }, [0n, -1n, "infinity", "-infinity"]],
    [{ kind: "timestamp", unit: "ns", zone: "America/New_York" }, [9_223_372_036_854_775_808n, -(10n ** 30n)]],
    [{ kind: "interval" }, [{ months: -14, days: 3, microseconds: -9_223_372_036_854_775_808n }]],
    [LIST, [[], [[]], [["a", null], null, ["b"]]]],
    [
      STRUCT,
      [
        ["1.50", [["k", { months: 1, days: 0, microseconds: 1n }]]],
        [null, null],
        ["0", [["k", null]]],
      ],
    ],
    [{ kind: "null" }, []],
  ])("%j", async (type, values) => {
    const columns = columnsOf(type, { kind: "int32" });
    const rows = [...values, null].map((value, index): Row => [value, index]);
    const stream = await read([await framed(resultOf(columns, [rows]))]);
    expect(stream.columns).toStrictEqual(columns);
    expect(await rowsOf(stream)).toStrictEqual(rows);
  });

  test("results without rows, and rows without columns", async () => {
    expect(await roundTrip(columnsOf({ kind: "int32" }), [])).toEqual([]);
    expect(await roundTrip(columnsOf({ kind: "int32" }), [[], []])).toEqual([]);
    const rows = Array.from({ length: MAX_ROWS_PER_FRAME + 1 }, (): Row => []);
    expect(await roundTrip([], [rows])).toHaveLength(MAX_ROWS_PER_FRAME + 1);
  });

  test("names of columns are any text", async () => {
    const columns = ["", "a", "a", "\ud800", "真夜中", "__proto__"].map(
      (name): Column => ({ name, type: { kind: "boolean" } }),
    );
    expect((await read([await framed(resultOf(columns, []))])).columns).toStrictEqual(columns);
  });

  test("binary values do not share memory with the stream they came from", async () => {
    const bytes = await framed(resultOf(columnsOf({ kind: "binary" }), [[[Uint8Array.of(1, 2, 3)]]]));
    const rows = await rowsOf(await read([bytes]));
    bytes.fill(0);
    expect(rows).toEqual([[Uint8Array.of(1, 2, 3)]]);
  });
});

describe("random results through random chunks", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))("seed %i", async (seed) => {
    const random = seededRandom(seed);
    const columns = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, index): Column => {
      return { name: `c${index}`, type: randomType(random, 0) };
    });
    const batches = Array.from(
      { length: Math.floor(random() * 5) },
      (): Batch =>
        Array.from(
          { length: Math.floor(random() * 40) },
          (): Row => columns.map(({ type }) => randomValue(type, random)),
        ),
    );
    const bytes = await framed(resultOf(columns, batches));
    const largest = 1 + Math.floor(random() ** 3 * 5000);
    const stream = await read(chunked(bytes, () => Math.floor(random() * largest) || (random() < 0.5 ? 1 : 0)));
    expect(stream.columns).toStrictEqual(columns);
    expect(await rowsOf(stream)).toStrictEqual(batches.flat());
  });
});

test("what was framed encodes to the same answer as what was not", async () => {
  const columns = columnsOf({ kind: "int64" }, { kind: "decimal" }, { kind: "timestamp", unit: "us", zone: "UTC" });
  const rows = (): ReturnType<typeof manyRows> =>
    manyRows(columns, 2500, 100, (index) => [BigInt(index) ** 4n, `${index}.50`, BigInt(index) * 86_399_999_999n]);
  const encoding = { profile: "modern", zone: "Europe/Berlin", describeFailure: (): object => ({}) } as const;
  const direct = await textOf(encode(encoders.json, rows(), encoding));
  const bytes = await framed(rows());
  expect(await textOf(encode(encoders.json, await read(chunked(bytes, () => 1000)), encoding))).toBe(direct);
});

describe("sizes", () => {
  function payloads(bytes: Uint8Array): number[] {
    const view = new DataView(bytes.buffer);
    const sizes: number[] = [];
    for (let at = 0; at < bytes.length; at += 5 + view.getUint32(at)) sizes.push(view.getUint32(at));
    return sizes;
  }

  test("a large batch is cut into frames of at most 1 MiB", async () => {
    const batch = Array.from({ length: 3000 }, (_, index): Row => [`${index}${"x".repeat(1000 + (index % 700))}`]);
    const bytes = await framed(resultOf(columnsOf({ kind: "string" }), [batch]));
    const sizes = payloads(bytes);
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(TARGET_PAYLOAD_BYTES);
    expect(await rowsOf(await read(chunked(bytes, () => 65_536)))).toEqual(batch);
  });

  test("a row larger than that travels alone", async () => {
    const rows: Row[] = [["a"], ["b".repeat(3 * TARGET_PAYLOAD_BYTES)], ["c"]];
    const bytes = await framed(resultOf(columnsOf({ kind: "string" }), [rows]));
    expect(payloads(bytes).filter((size) => size > 100)).toEqual([3 * TARGET_PAYLOAD_BYTES + 10]);
    expect(await rowsOf(await read(chunked(bytes, () => 65_536)))).toEqual(rows);
  });

  test("a row that no reader would take is refused", async () => {
    const framer = resultFramer(columnsOf({ kind: "binary" }));
    expect(() => [...framer.batch([[new Uint8Array(64 * 1024 * 1024)]])]).toThrow(ResultError);
    expect(() => [...framer.batch([[new Uint8Array(64 * 1024 * 1024)]])]).toThrow("A row takes more than 64 MiB.");
  });

  test("the framer writes what the stream writes", async () => {
    const columns = columnsOf({ kind: "int32" }, { kind: "string" });
    const batches: Batch[] = [
      [
        [1, "x"],
        [2, null],
      ],
      [],
      [[3, "y"]],
    ];
    const framer = resultFramer(columns);
    const byHand = join(framer.opening(), ...batches.flatMap((batch) => [...framer.batch(batch)]), framer.end());
    expect(await framed(resultOf(columns, batches))).toEqual(byHand);
  });
});

describe("warnings of the source", () => {
  const warning = { code: "FILE_COLUMN_MISSING", message: 'no "größe"', hint: "Name it." } as const;
  const columns = columnsOf({ kind: "int32" });

  test("arrive with the columns", async () => {
    const bytes = await framed({ ...resultOf(columns, [[[1]]]), warnings: [warning] });
    expect((await read(chunked(bytes, () => 65_536))).warnings).toEqual([warning]);
    expect((await read(chunked(await framed(resultOf(columns, [])), () => 65_536))).warnings).toEqual([]);
  });

  test.each([{ code: "OTHER" }, { message: 1 }, { hint: undefined }])(
    "of another form are refused: %j",
    async (wrong) => {
      const warnings = [{ ...warning, ...wrong } as unknown as typeof warning];
      const bytes = await framed({ ...resultOf(columns, []), warnings });
      await expect(read(chunked(bytes, () => 65_536))).rejects.toMatchObject({ code: "CORRUPT" });
    },
  );
});

describe("a value that is not of its type is an error, never another value", () => {
  test.each<[LogicalType, unknown]>([
    [{ kind: "int8" }, 128],
    [{ kind: "uint8" }, -1],
    [{ kind: "int32" }, 2_147_483_648],
    [{ kind: "int32" }, 1.5],
    [{ kind: "uint32" }, Number.NaN],
    [{ kind: "int64" }, 9_223_372_036_854_775_808n],
    [{ kind: "int64" }, 5],
    [{ kind: "uint64" }, -1n],
    [{ kind: "float64" }, 1n],
    [{ kind: "boolean" }, 1],
    [{ kind: "string" }, 1],
    [{ kind: "binary" }, "x"],
    [{ kind: "timestamp", unit: "us", zone: undefined }, 5],
    [{ kind: "timestamp", unit: "us", zone: undefined }, "Infinity"],
    [{ kind: "interval" }, { months: 1, days: 1, microseconds: 2n ** 63n }],
    [{ kind: "list", element: { kind: "int32" } }, ["x"]],
    [{ kind: "struct", fields: [{ name: "a", type: { kind: "int32" } }] }, [1, 2]],
    [{ kind: "map", key: { kind: "int32" }, value: { kind: "int32" } }, [null]],
    [{ kind: "null" }, 0],
    [{ kind: "int32" }, undefined],
  ])("%j, case %#", async (type, value) => {
    await expect(roundTrip(columnsOf(type), [[[value as Value]]])).rejects.toThrow(/is not|lacks/);
  });

  test("and a row of another width too", async () => {
    await expect(roundTrip(columnsOf({ kind: "int32" }), [[[1, 2]]])).rejects.toThrow("2 values for 1 columns");
  });
});
