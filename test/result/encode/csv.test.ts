import { describe, expect, test } from "vitest";
import { parseColumnDtypes } from "../../../src/result/conversion/column-dtypes.ts";
import type { EncodeEnd } from "../../../src/result/encode/encoder.ts";
import { encoders } from "../../../src/result/encode/encoders.ts";
import type { Batch, Column, LogicalType, Value } from "../../../src/result/types.ts";
import { columnsOf, encode, resultOf, textOf } from "../streams.ts";

const options = { profile: "classic", describeFailure: (): object => ({}) } as const;
const STRING: LogicalType = { kind: "string" };
const INT32: LogicalType = { kind: "int32" };
const ZONED: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const SUMMER = 1_719_878_399_000_000n; // 2024-07-01 23:59:59 UTC

async function csv(columns: readonly Column[], batches: readonly Batch[], zone?: string): Promise<string> {
  return textOf(encode(encoders.csv, resultOf(columns, batches), { ...options, zone }));
}

/** One value as a field; a second column keeps a NULL from being an empty line. */
const field = async (type: LogicalType, value: Value): Promise<string> =>
  (await csv(columnsOf(type, INT32), [[[value, 1]]])).slice("a,b\r\n".length, -",1\r\n".length);

const FIELDS: readonly (readonly [LogicalType, Value, string])[] = [
  [STRING, null, ""],
  [STRING, "", '""'],
  [STRING, "plain", "plain"],
  [STRING, 'say "x", then\r\nstop', '"say ""x"", then\r\nstop"'],
  [STRING, "line\nfeed", '"line\nfeed"'],
  [STRING, " kept ", '" kept "'],
  [STRING, "真夜中 😀", "真夜中 😀"],
  // A text that begins a formula in a spreadsheet is not changed.
  [STRING, "=1+1", "=1+1"],
  [STRING, "+1", "+1"],
  [STRING, "-cmd|' /C calc'!A0", "-cmd|' /C calc'!A0"],
  [STRING, '@SUM("A1")', '"@SUM(""A1"")"'],
  [STRING, "\t=1", '"\t=1"'],
  [{ kind: "boolean" }, false, "false"],
  [{ kind: "int64" }, 9_007_199_254_740_993n, "9007199254740993"],
  [{ kind: "uint64" }, 18_446_744_073_709_551_615n, "18446744073709551615"],
  [{ kind: "float64" }, 0.1, "0.1"],
  [{ kind: "float64" }, Number.NaN, "NaN"],
  [{ kind: "float32" }, Number.NEGATIVE_INFINITY, "-Infinity"],
  [{ kind: "decimal", precision: 12, scale: 2 }, "1234567890.10", "1234567890.10"],
  [{ kind: "decimal" }, "0.00000000000000000001", "0.00000000000000000001"],
  [{ kind: "decimal" }, "12000000000000000000", "12000000000000000000"],
  [{ kind: "decimal" }, "NaN", "NaN"],
  [{ kind: "uuid" }, "123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  [{ kind: "json" }, '{"a": 1}', '"{""a"": 1}"'],
  [{ kind: "opaque", name: "inet" }, "10.0.0.1/8", "10.0.0.1/8"],
  [{ kind: "binary" }, Uint8Array.of(0, 255), "00ff"],
  [{ kind: "binary" }, new Uint8Array(), '""'],
  [{ kind: "date" }, 9_497, "1996-01-02"],
  [{ kind: "date" }, Number.POSITIVE_INFINITY, "infinity"],
  [{ kind: "time", unit: "us" }, 3_723_456_000, "01:02:03.456000"],
  [{ kind: "timestamp", unit: "us", zone: undefined }, SUMMER, "2024-07-01 23:59:59.000000"],
  [ZONED, SUMMER, "2024-07-01 23:59:59.000000 +00:00"],
  [{ kind: "interval" }, { months: 14, days: 3, microseconds: 0n }, "14 mons 3 days"],
  [{ kind: "list", element: STRING }, ["a", null], '"[""a"",null]"'],
  [{ kind: "list", element: INT32 }, [], "[]"],
  [{ kind: "struct", fields: [{ name: "x", type: INT32 }] }, [1], '"{""x"":1}"'],
  [{ kind: "map", key: STRING, value: INT32 }, [["k", 1]], '"[[""k"",1]]"'],
  [{ kind: "null" }, null, ""],
];

describe("values", () => {
  test.each(FIELDS)("%o: %o", async (type, value, expected) => {
    expect(await field(type, value)).toBe(expected);
  });

  test("instants are shown in the zone that was asked for", async () => {
    const text = await csv(columnsOf(ZONED), [[[SUMMER]]], "America/New_York");
    expect(text).toBe("a\r\n2024-07-01 19:59:59.000000 -04:00\r\n");
  });

  test("columnDtypes converts here as in JSON", async () => {
    const parsed = parseColumnDtypes({ a: "string" });
    const columnDtypes = parsed.ok ? parsed.dtypes : undefined;
    const stream = resultOf(columnsOf(INT32), [[[7]]]);
    expect(await textOf(encode(encoders.csv, stream, { ...options, columnDtypes }))).toBe("a\r\n7\r\n");
  });
});

describe("lines", () => {
  test("a header, CRLF behind every line, no mark before the first", async () => {
    const columns = [
      { name: "id", type: INT32 },
      { name: 'the "name", long', type: STRING },
      { name: "id", type: INT32 },
    ];
    const bytes = await new Response(
      encode(encoders.csv, resultOf(columns, [[[1, "a", 2]], [], [[3, null, null]]]), options),
    ).bytes();
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(
      'id,"the ""name"", long",id\r\n1,a,2\r\n3,,\r\n',
    );
  });

  test("no rows: the header", async () => {
    expect(await csv(columnsOf(INT32, STRING), [])).toBe("a,b\r\n");
  });

  test("a row of another width is a fault, not a shorter line", async () => {
    await expect(csv(columnsOf(INT32, STRING), [[[1]]])).rejects.toThrow("A row has 1 values for 2 columns");
  });
});

describe("a failure after the first byte", () => {
  test.each([0, 3])("after %i rows the last line is none that a reader takes, and the stream errors", async (rows) => {
    const lost = new Error("lost");
    const ends: EncodeEnd[] = [];
    const batch = Array.from({ length: rows }, (_, index) => [index, "x"]);
    const source = resultOf(columnsOf(INT32, STRING), [
      batch,
      () => {
        throw lost;
      },
    ]);
    const chunks: Uint8Array[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of encode(encoders.csv, source, { ...options, onEnd: (end) => ends.push(end) })) {
        chunks.push(chunk);
      }
    };
    await expect(read()).rejects.toBe(lost);
    const bytes = Buffer.concat(chunks);
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
    const lines = new TextDecoder().decode(bytes).split("\r\n");
    expect(lines.slice(0, -1)).toEqual(["a,b", ...batch.map(([n]) => `${n},x`)]);
    expect(lines.at(-1)).toMatch(/^,,"[^"]{131073,}$/u);
    expect(ends).toEqual([{ outcome: "failed", rows, bytes: bytes.length, error: lost }]);
    expect(source.closes()).toBe(1);
  });
});
