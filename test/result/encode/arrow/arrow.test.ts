/** The stream format, read back by a reader that shares no code with the writer; other readers are in test/engines. */
import { tableFromIPC } from "@uwdata/flechette";
import { describe, expect, test } from "vitest";
import { loadArrowEncoder } from "../../../../src/result/encode/arrow/arrow.ts";
import { PER_DAY } from "../../../../src/result/encode/arrow/types.ts";
import type { EncodeEnd, EncodeOptions } from "../../../../src/result/encode/encoder.ts";
import { ResultError } from "../../../../src/result/failure.ts";
import type { Batch, Column, LogicalType, ResultStream, TimeUnit, Value } from "../../../../src/result/types.ts";
import { randomType, randomValue } from "../../random-results.ts";
import { columnsOf, encode, manyRows, resultOf, seededRandom } from "../../streams.ts";

const arrowEncoder = await loadArrowEncoder();
const options: EncodeOptions = { profile: "modern", describeFailure: () => ({}) };
const STRING: LogicalType = { kind: "string" };
const INT32: LogicalType = { kind: "int32" };
const INT64: LogicalType = { kind: "int64" };

async function arrow(columns: readonly Column[], batches: readonly Batch[], zone?: string): Promise<Uint8Array> {
  return new Response(encode(arrowEncoder, resultOf(columns, batches), { ...options, zone })).bytes();
}

const read = (bytes: Uint8Array) =>
  tableFromIPC(bytes, { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true, useDate: false });

const time = (unit: TimeUnit): LogicalType => ({ kind: "time", unit });
const timestamp = (unit: TimeUnit, zone?: string): LogicalType => ({ kind: "timestamp", unit, zone });
const decimal = (precision: number, scale: number): LogicalType => ({ kind: "decimal", precision, scale });
const LEAST = -9_223_372_036_854_775_808n;
const MOST = 9_223_372_036_854_775_807n;

/** Values, and what the reader makes of them where that is something else: of decimals and times their integers. */
const VALUES: readonly (readonly [LogicalType, readonly Value[], (readonly unknown[])?])[] = [
  [{ kind: "boolean" }, [true, false, null, true, true, false, false, true, true]],
  [{ kind: "int8" }, [-128, 127, null]],
  [{ kind: "int16" }, [-32_768, 32_767, null]],
  [INT32, [-2_147_483_648, 2_147_483_647, null]],
  [INT64, [LEAST, MOST, null]],
  [{ kind: "uint8" }, [0, 255, null]],
  [{ kind: "uint16" }, [0, 65_535, null]],
  [{ kind: "uint32" }, [0, 4_294_967_295, null]],
  [{ kind: "uint64" }, [0n, 18_446_744_073_709_551_615n, null]],
  [{ kind: "float32" }, [0.5, Number.NaN, Number.NEGATIVE_INFINITY, null]],
  [{ kind: "float64" }, [0.1, -0, Number.NaN, Number.POSITIVE_INFINITY, null]],
  [decimal(5, 2), ["-1.50", "999.99", "0", null], [-150n, 99_999n, 0n, null]],
  [decimal(38, 0), [`-${"9".repeat(38)}`, "9".repeat(38)], [-(10n ** 38n) + 1n, 10n ** 38n - 1n]],
  [decimal(38, 38), [`0.${"9".repeat(38)}`], [10n ** 38n - 1n]],
  // Longer than the scale, but with nothing there.
  [decimal(5, 2), ["1.5000"], [150n]],
  [{ kind: "decimal" }, ["0.33333333333333333333", "NaN", "Infinity", null]],
  [decimal(39, 2), ["1.50", null]],
  [decimal(3, 5), ["0.00999"]],
  [STRING, ["", 'a"b,\r\n', "真夜中 😀", "x".repeat(10_000), null]],
  [{ kind: "uuid" }, ["123e4567-e89b-12d3-a456-426614174000", null]],
  [{ kind: "json" }, ['{"a": 1}', null]],
  [{ kind: "opaque", name: "inet" }, ["10.0.0.1/8", null]],
  [{ kind: "binary" }, [Uint8Array.of(0, 255), new Uint8Array(), null]],
  [{ kind: "date" }, [9_497, -1, 2_145_042_905, null], [9_497, -1, 2_145_042_905, null].map(days)],
  [time("s"), [86_399, 0, null]],
  [time("ms"), [86_399_999, 0, null]],
  [time("us"), [86_399_999_999, 0, null], [86_399_999_999n, 0n, null]],
  [time("ns"), [86_399_999_999_999, 0, null], [86_399_999_999_999n, 0n, null]],
  [timestamp("s"), [1_719_878_399n, -1n, null]],
  [timestamp("us"), [1_719_878_399_000_001n, -1n, null]],
  [timestamp("ns", "UTC"), [LEAST, MOST, null]],
  [{ kind: "null" }, [null, null]],
  [{ kind: "list", element: INT32 }, [[1, null, 3], [], null, [4]]],
  [{ kind: "list", element: { kind: "list", element: STRING } }, [[["a", ""], null], [[]], null]],
  [
    { kind: "struct", fields: columnsOf(INT64, { kind: "list", element: STRING }) },
    [[1n, ["x"]], null, [null, null]],
    [{ a: 1n, b: ["x"] }, null, { a: null, b: null }],
  ],
  [{ kind: "map", key: STRING, value: INT32 }, [[["k", 1]], [], null, [["l", null]]]],
];

function days(value: number | null): number | null {
  return value === null ? null : value * 86_400_000;
}

/** Typed arrays of a list's numbers are as good as arrays. */
const plain = (value: unknown): unknown => {
  if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array)) return [...(value as unknown as Iterable<unknown>)];
  if (Array.isArray(value)) return value.map(plain);
  return value;
};

describe("values", () => {
  const cases = VALUES.map(([type, values, expected = values]) => ({ type, values, expected }));
  test.each(cases)("$type $values", async ({ type, values, expected }) => {
    const bytes = await arrow(columnsOf(type), [values.map((value) => [value])]);
    const column = read(bytes).getChildAt(0);
    expect([...column].map(plain)).toEqual(expected);
  });

  test("what is not of its column's type is a fault, not a wrong value", async () => {
    const wrong: readonly (readonly [LogicalType, Value])[] = [
      [{ kind: "int8" }, 128],
      [{ kind: "uint8" }, -1],
      [INT32, 1.5],
      [INT64, MOST + 1n],
      [{ kind: "uint64" }, -1n],
      [INT64, 1],
      [decimal(5, 2), "1000.00"],
      [decimal(5, 2), "0.001"],
      [decimal(5, 2), "NaN"],
      [{ kind: "date" }, Number.POSITIVE_INFINITY],
      [time("us"), 86_400_000_000],
      [timestamp("us"), "infinity"],
      [{ kind: "interval" }, { months: 0, days: 0, microseconds: MOST }],
      [{ kind: "boolean" }, 1],
      [STRING, 1],
      [{ kind: "binary" }, "00"],
      [{ kind: "null" }, 1],
      [{ kind: "list", element: INT32 }, "1"],
      [{ kind: "struct", fields: columnsOf(INT32) }, [1, 2]],
      [{ kind: "map", key: STRING, value: INT32 }, [[null, 1]]],
    ];
    for (const [type, value] of wrong) {
      await expect(arrow(columnsOf(type), [[[value]]]), `${type.kind} ${String(value)}`).rejects.toThrow(ResultError);
    }
  });
});

describe("the schema", () => {
  const typeOf = async (type: LogicalType, zone?: string) => {
    const field = read(await arrow(columnsOf(type), [], zone)).schema.fields[0];
    return { type: field?.type, textOf: field?.metadata?.get("siskin.type") };
  };

  test("names as they are, repeated or empty; no rows make no batch", async () => {
    const columns = [
      { name: "id", type: INT32 },
      { name: "", type: STRING },
      { name: "id", type: INT64 },
    ];
    const table = read(await arrow(columns, [[]]));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(["id", "", "id"]);
    expect(table.numRows).toBe(0);
  });

  test("decimals have their size; what fits into none is text and says of what", async () => {
    expect((await typeOf(decimal(12, 2))).type).toMatchObject({ precision: 12, scale: 2, bitWidth: 128 });
    expect((await typeOf({ kind: "decimal" })).textOf).toBe("decimal");
    expect((await typeOf(decimal(39, 2))).textOf).toBe("decimal");
    expect((await typeOf({ kind: "uuid" })).textOf).toBe("uuid");
    expect((await typeOf({ kind: "opaque", name: "inet" })).textOf).toBe("inet");
    expect((await typeOf(STRING)).textOf).toBeUndefined();
  });

  test.each([
    ["UTC", undefined, "UTC"],
    ["UTC", "Europe/Paris", "Europe/Paris"],
    ["UTC", "europe/paris", "Europe/Paris"],
    ["UTC", "+0530", "+05:30"],
    ["No/Where", undefined, "UTC"],
  ])("an instant of the zone %s, shown in %s, is of %s", async (own, display, told) => {
    expect((await typeOf(timestamp("us", own), display)).type).toMatchObject({ timezone: told });
    expect((await typeOf(timestamp("us"), display)).type).toMatchObject({ timezone: null });
  });
});

describe("the stream", () => {
  test("a record batch for each batch, made when it is read", async () => {
    const source = manyRows(columnsOf(INT32, STRING), 10, 4, (index) => [index, `${index}`]);
    const reader = encode(arrowEncoder, source, options).getReader();
    const chunks: Uint8Array[] = [];
    const pulls: number[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      pulls.push(source.pulls());
    }
    // The schema before anything is asked for, three batches, the end.
    expect(pulls).toEqual([0, 1, 2, 3, 4]);
    const table = read(Buffer.concat(chunks));
    expect(table.getChildAt(0).data.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect([...table.getChildAt(1)]).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    expect(chunks.every(({ length }) => length % 8 === 0)).toBe(true);
    expect(source.closes()).toBe(1);
  });

  test.each([0, 2])("a failure after %i rows leaves a message unfinished, and the stream errors", async (rows) => {
    const lost = new Error("lost");
    const ends: EncodeEnd[] = [];
    const batch = Array.from({ length: rows }, (_, index) => [index]);
    const source = resultOf(columnsOf(INT32), [
      batch,
      () => {
        throw lost;
      },
    ]);
    const chunks: Uint8Array[] = [];
    const readAll = async (): Promise<void> => {
      for await (const chunk of encode(arrowEncoder, source, { ...options, onEnd: (end) => ends.push(end) })) {
        chunks.push(chunk);
      }
    };
    await expect(readAll()).rejects.toBe(lost);
    expect(() => read(Buffer.concat(chunks))).toThrow();
    expect(ends).toMatchObject([{ outcome: "failed", rows, error: lost }]);
    expect(source.closes()).toBe(1);
  });

  test("cancelling closes the source", async () => {
    const source = manyRows(columnsOf(INT32), 10, 4, (index) => [index]);
    const reader = encode(arrowEncoder, source, options).getReader();
    await reader.read();
    await reader.cancel();
    expect(source.closes()).toBe(1);
  });
});

describe("values that Arrow has no place for are refused before they are written", () => {
  const checked = (stream: ResultStream): ResultStream => arrowEncoder.checked?.(stream) ?? stream;
  const UNREPRESENTABLE: readonly (readonly [LogicalType, Value])[] = [
    [{ kind: "date" }, Number.POSITIVE_INFINITY],
    [timestamp("us", "UTC"), "-infinity"],
    [decimal(5, 2), "NaN"],
    [time("us"), 86_400_000_000],
    [time("s"), -1],
    [{ kind: "interval" }, { months: 0, days: 0, microseconds: MOST }],
    [{ kind: "list", element: { kind: "date" } }, [1, Number.NEGATIVE_INFINITY]],
    [{ kind: "struct", fields: columnsOf(INT32, { kind: "date" }) }, [null, Number.NEGATIVE_INFINITY]],
    [{ kind: "map", key: STRING, value: timestamp("us") }, [["k", "infinity"]]],
  ];

  test.each(UNREPRESENTABLE)("%o: %o", async (type, value) => {
    const source = checked(resultOf(columnsOf(STRING, type), [[["x", null]], [["x", value]]]));
    expect((await source.batches.next()).value).toEqual([["x", null]]);
    await expect(source.batches.next()).rejects.toMatchObject({
      code: "CONVERSION",
      column: "b",
      message: expect.stringContaining("cast the column to text"),
    });
  });

  test("columns without such values are not looked at", () => {
    const source = resultOf(columnsOf(STRING, INT32, { kind: "decimal" }), []);
    expect(checked(source)).toBe(source);
  });
});

describe("random results of nested types", () => {
  /** The nearest value that has a place in Arrow. */
  function fitting(type: LogicalType, value: Value): Value {
    if (value === null) return null;
    switch (type.kind) {
      case "date":
        return Number.isFinite(value) ? value : 0;
      case "decimal":
        return type.precision === undefined ? value : "-12.5";
      case "time":
        return Number(value) % PER_DAY[type.unit];
      case "timestamp":
        return typeof value === "bigint" ? BigInt.asIntN(64, value) : 0n;
      case "interval":
        return { months: 1, days: -2, microseconds: 3n };
      case "float32":
        return Math.fround(value as number);
      case "string":
      case "uuid":
      case "json":
      case "opaque":
        // The reader takes a mark at the beginning of a text for none of it.
        return (value as string).toWellFormed().replace(/^\ufeff+/, "");
      case "list":
        return (value as Value[]).map((element) => fitting(type.element, element));
      case "struct":
        return type.fields.map((field, index) => fitting(field.type, (value as Value[])[index] ?? null));
      case "map":
        return (value as [Value, Value][])
          .filter(([key]) => key !== null)
          .map(([key, member]) => [fitting(type.key, key), fitting(type.value, member)]);
      default:
        return value;
    }
  }

  /** The value that the reader returns. */
  function read(type: LogicalType, value: Value): unknown {
    if (value === null) return null;
    switch (type.kind) {
      case "date":
        return days(value as number);
      case "decimal":
        return type.precision === undefined ? value : -12_500n;
      case "time":
        return type.unit === "us" || type.unit === "ns" ? BigInt(value as number) : value;
      case "interval":
        return [1, -2, 3000];
      case "list":
        return (value as Value[]).map((element) => read(type.element, element));
      case "struct":
        return Object.fromEntries(
          type.fields.map((field, index) => [field.name, read(field.type, (value as Value[])[index] ?? null)]),
        );
      case "map":
        return (value as [Value, Value][]).map(([key, member]) => [read(type.key, key), read(type.value, member)]);
      default:
        return value;
    }
  }

  const plainDeep = (value: unknown): unknown => {
    if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array))
      return [...(value as unknown as Iterable<unknown>)];
    if (Array.isArray(value)) return value.map(plainDeep);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainDeep(member)]));
  };

  test.each(Array.from({ length: 60 }, (_, seed) => seed))("seed %i", async (seed) => {
    const random = seededRandom(seed);
    const columns = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index): Column => {
      return { name: `c${index}`, type: randomType(random, 0) };
    });
    const batches = Array.from({ length: Math.floor(random() * 4) }, () =>
      Array.from({ length: Math.floor(random() * 40) }, () =>
        columns.map(({ type }) => fitting(type, randomValue(type, random))),
      ),
    );
    const table = tableFromIPC(await arrow(columns, batches), {
      ...{ useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true, useDate: false },
    });
    const rows = batches.flat();
    for (const [index, { type }] of columns.entries()) {
      const expected = rows.map((row) => read(type, row[index] ?? null));
      expect([...table.getChildAt(index)].map(plainDeep), JSON.stringify(type)).toEqual(expected);
    }
  });
});
