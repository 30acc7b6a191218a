import { describe, expect, test } from "vitest";
import { encoders } from "../../../src/result/encode/encoders.ts";
import type { ProfileName } from "../../../src/result/encode/profiles.ts";
import { ResultError } from "../../../src/result/failure.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { columnsOf, encode, readUntilError, resultOf, textOf } from "../streams.ts";

const describeFailure = (): object => ({});

/** The JSON of one value, cut out of a whole answer. */
async function json(type: LogicalType, value: Value, profile: ProfileName, zone?: string): Promise<string> {
  const stream = resultOf(columnsOf(type), [[[value]]]);
  const text = await textOf(encode(encoders.json, stream, { profile, zone, describeFailure }));
  const match = /^\{"columns":\["a"\],"data":\[\[(.*)\]\],"dtypes":\{"a":"(?:[^"\\]|\\.)*"\}\}$/su.exec(text);
  return match?.[1] ?? `not an answer: ${text}`;
}

const LOCAL: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
const ZONED: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const DECIMAL: LogicalType = { kind: "decimal", precision: 38, scale: 9 };
const SUMMER = 1_719_878_399_000_000n; // 2024-07-01 23:59:59

const STRUCT: LogicalType = {
  kind: "struct",
  fields: [
    { name: 'a"b', type: { kind: "int64" } },
    { name: "at", type: ZONED },
    { name: "price", type: DECIMAL },
  ],
};

/** Type, value, modern, classic. */
const VALUES: readonly (readonly [LogicalType, Value, string, string])[] = [
  [{ kind: "boolean" }, true, "true", "true"],
  [{ kind: "boolean" }, false, "false", "false"],
  [{ kind: "int8" }, -128, "-128", "-128"],
  [{ kind: "int16" }, 32_767, "32767", "32767"],
  [{ kind: "int32" }, -2_147_483_648, "-2147483648", "-2147483648"],
  [{ kind: "int32" }, -0, "0", "0"],
  [{ kind: "uint8" }, 255, "255", "255"],
  [{ kind: "uint16" }, 65_535, "65535", "65535"],
  [{ kind: "uint32" }, 4_294_967_295, "4294967295", "4294967295"],
  [{ kind: "int64" }, 9_007_199_254_740_993n, "9007199254740993", "9007199254740993"],
  [{ kind: "int64" }, -9_223_372_036_854_775_808n, "-9223372036854775808", "-9223372036854775808"],
  [{ kind: "uint64" }, 18_446_744_073_709_551_615n, "18446744073709551615", "18446744073709551615"],
  [{ kind: "float32" }, 1.1, "1.100000023841858", "1.100000023841858"],
  [{ kind: "float32" }, 123.456, "123.45600128173828", "123.45600128173828"],
  [{ kind: "float64" }, 1.0036585365853659, "1.0036585365853659", "1.0036585365853659"],
  [{ kind: "float64" }, 1, "1.0", "1.0"],
  [{ kind: "float64" }, -0, "-0.0", "-0.0"],
  [{ kind: "float64" }, Number.NaN, "null", "null"],
  [{ kind: "float64" }, Number.POSITIVE_INFINITY, "null", "null"],
  [{ kind: "float64" }, Number.NEGATIVE_INFINITY, "null", "null"],
  [{ kind: "float32" }, Number.NaN, "null", "null"],
  [DECIMAL, "172799.490000000", '"172799.49"', "172799.490000000"],
  [DECIMAL, "0.000000000", '"0"', "0.000000000"],
  [DECIMAL, "9007199254740993", '"9007199254740993.0"', "9007199254740993"],
  [DECIMAL, "12345678901234567890.123456789", '"12345678901234567890.123456789"', "12345678901234567890.123456789"],
  [DECIMAL, "NaN", "null", "null"],
  [DECIMAL, "-Infinity", "null", "null"],
  [{ kind: "string" }, "", '""', '""'],
  [{ kind: "string" }, 'a"b\\c\n\u0000\u007f', '"a\\"b\\\\c\\n\\u0000\u007f"', '"a\\"b\\\\c\\n\\u0000\u007f"'],
  [{ kind: "string" }, "真夜中 😀 \u2028", '"真夜中 😀 \u2028"', '"真夜中 😀 \u2028"'],
  [{ kind: "string" }, "lone \ud800 half \udc00", '"lone \\ud800 half \\udc00"', '"lone \\ud800 half \\udc00"'],
  [{ kind: "string" }, "</script>", '"</script>"', '"</script>"'],
  [{ kind: "uuid" }, "123E4567-E89B", '"123E4567-E89B"', '"123E4567-E89B"'],
  [{ kind: "json" }, '{"a": 1}', '"{\\"a\\": 1}"', '"{\\"a\\": 1}"'],
  [{ kind: "opaque", name: "inet" }, "10.0.0.1/8", '"10.0.0.1/8"', '"10.0.0.1/8"'],
  [{ kind: "binary" }, new TextEncoder().encode("abc"), '"616263"', '"616263"'],
  [{ kind: "binary" }, Uint8Array.of(0, 255, 16), '"00ff10"', '"00ff10"'],
  [{ kind: "date" }, 9_497, '"1996-01-02"', "820540800000"],
  [{ kind: "date" }, -1, '"1969-12-31"', "-86400000"],
  [{ kind: "date" }, 2_145_042_905, '"5874897-12-31"', "185331706992000000"],
  [{ kind: "date" }, Number.POSITIVE_INFINITY, '"infinity"', '"infinity"'],
  [{ kind: "date" }, Number.NEGATIVE_INFINITY, '"-infinity"', '"-infinity"'],
  [{ kind: "time", unit: "ns" }, 45_296_000_000_000, '"12:34:56"', '"12:34:56"'],
  [{ kind: "time", unit: "us" }, 3_723_456_000, '"01:02:03.456000"', '"01:02:03.456000"'],
  [LOCAL, SUMMER, '"2024-07-01 23:59:59.000000"', "1719878399000"],
  [LOCAL, SUMMER + 999n, '"2024-07-01 23:59:59.000999"', "1719878399000"],
  [LOCAL, "infinity", '"infinity"', '"infinity"'],
  [ZONED, SUMMER, '"2024-07-01 23:59:59.000000 +00:00"', "1719878399000"],
  [ZONED, "-infinity", '"-infinity"', '"-infinity"'],
  [{ kind: "interval" }, { months: 14, days: 3, microseconds: 0n }, '"14 mons 3 days"', '"14 mons 3 days"'],
  [{ kind: "list", element: { kind: "int32" } }, [1, null, 2], "[1,null,2]", "[1,null,2]"],
  [{ kind: "list", element: { kind: "int32" } }, [], "[]", "[]"],
  [{ kind: "list", element: DECIMAL }, ["1.50", null], '["1.5",null]', "[1.50,null]"],
  [{ kind: "list", element: { kind: "list", element: { kind: "string" } } }, [["a"], []], '[["a"],[]]', '[["a"],[]]'],
  [{ kind: "list", element: LOCAL }, [SUMMER], '["2024-07-01 23:59:59.000000"]', "[1719878399000]"],
  [
    STRUCT,
    [9_007_199_254_740_993n, SUMMER, "0.10"],
    '{"a\\"b":9007199254740993,"at":"2024-07-01 23:59:59.000000 +00:00","price":"0.1"}',
    '{"a\\"b":9007199254740993,"at":1719878399000,"price":0.10}',
  ],
  [STRUCT, [null, null, null], '{"a\\"b":null,"at":null,"price":null}', '{"a\\"b":null,"at":null,"price":null}'],
  [
    { kind: "map", key: { kind: "string" }, value: { kind: "date" } },
    [
      ["k", 1],
      ["l", null],
    ],
    '[["k","1970-01-02"],["l",null]]',
    '[["k",86400000],["l",null]]',
  ],
];

describe.each(["modern", "classic"] as const)("%s", (profile) => {
  test.each(VALUES)("%j, case %#", async (type, value, modern, classic) => {
    const text = await json(type, value, profile);
    expect(text).toBe(profile === "modern" ? modern : classic);
    JSON.parse(text);
  });

  const kinds = new Map(VALUES.map(([type]) => [JSON.stringify(type), type]));
  test.each([...kinds.values(), { kind: "null" } as const])("NULL of %j is null", async (type) => {
    expect(await json(type, null, profile)).toBe("null");
  });

  test("every kind of type is in the table", () => {
    const tested = new Set(VALUES.map(([type]) => type.kind));
    const missing = (
      [
        ...["boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"],
        ...["decimal", "string", "uuid", "json", "binary", "date", "interval", "time", "timestamp", "list", "struct"],
        ...["map", "opaque"],
      ] as LogicalType["kind"][]
    ).filter((kind) => !tested.has(kind));
    expect(missing).toEqual([]);
  });
});

describe("display zone", () => {
  test("zoned values are shown in it, local ones as they are, in modern", async () => {
    expect(await json(ZONED, SUMMER, "modern", "America/New_York")).toBe('"2024-07-01 19:59:59.000000 -04:00"');
    expect(await json(LOCAL, SUMMER, "modern", "America/New_York")).toBe('"2024-07-01 23:59:59.000000"');
    expect(await json({ kind: "list", element: ZONED }, [SUMMER], "modern", "+02:00")).toBe(
      '["2024-07-02 01:59:59.000000 +02:00"]',
    );
  });

  test("an epoch number has none", async () => {
    expect(await json(ZONED, SUMMER, "classic", "America/New_York")).toBe("1719878399000");
  });

  test("without it each column has its own, and UTC where the platform does not know the source's", async () => {
    const inTokyo: LogicalType = { ...ZONED, zone: "Asia/Tokyo" };
    const unknown: LogicalType = { ...ZONED, zone: "Mars/Base" };
    expect(await json(inTokyo, SUMMER, "modern")).toBe('"2024-07-02 08:59:59.000000 +09:00"');
    expect(await json(unknown, SUMMER, "modern")).toBe('"2024-07-01 23:59:59.000000 +00:00"');
  });

  test("an unknown one is refused before anything is encoded", () => {
    const stream = resultOf(columnsOf(ZONED), []);
    expect(() => encode(encoders.json, stream, { profile: "modern", zone: "Nope/Zone", describeFailure })).toThrow(
      RangeError,
    );
    expect(stream.pulls()).toBe(0);
  });
});

describe("a value that is not of its type ends the answer instead of entering it", () => {
  test.each<[LogicalType, unknown]>([
    [{ kind: "boolean" }, 1],
    [{ kind: "int32" }, 1.5],
    [{ kind: "int32" }, 5n],
    [{ kind: "int32" }, Number.NaN],
    [{ kind: "int64" }, 5],
    [{ kind: "float64" }, "1.5"],
    [DECIMAL, 1.5],
    [DECIMAL, "1,5"],
    [DECIMAL, '1],"x":[1'],
    [{ kind: "string" }, 5],
    [{ kind: "date" }, "2024-01-01"],
    [{ kind: "date" }, 1.5],
    [{ kind: "date" }, Number.NaN],
    [LOCAL, 5],
    [LOCAL, "Infinity"],
    [{ kind: "time", unit: "us" }, 5n],
    [{ kind: "interval" }, "1 day"],
    [{ kind: "binary" }, "abc"],
    [{ kind: "list", element: { kind: "int32" } }, 5],
    [{ kind: "list", element: { kind: "int32" } }, ["1"]],
    [STRUCT, [1n]],
    [{ kind: "map", key: { kind: "string" }, value: { kind: "int32" } }, ["k"]],
    [{ kind: "map", key: { kind: "string" }, value: { kind: "int32" } }, [["k"]]],
    [{ kind: "null" }, 0],
    [{ kind: "int32" }, undefined],
  ])("%j, case %#", async (type, value) => {
    for (const profile of ["modern", "classic"] as const) {
      const stream = resultOf(columnsOf(type), [[[value as Value]]]);
      const { text, error } = await readUntilError(encode(encoders.json, stream, { profile, describeFailure }));
      expect(error).toBeInstanceOf(ResultError);
      expect(text).toBe('{"columns":["a"],"data":[],"error":{}');
    }
  });

  test("so does a row of another width", async () => {
    const stream = resultOf(columnsOf({ kind: "int32" }), [[[1, 2]]]);
    const { error } = await readUntilError(encode(encoders.json, stream, { profile: "modern", describeFailure }));
    expect(error).toMatchObject({ code: "VALUE_MISMATCH", message: "A row has 2 values for 1 columns." });
  });

  test("and the message names column and type, never the value", async () => {
    const stream = resultOf([{ name: "salary", type: { kind: "int32" } }], [[["secret"]]]);
    const { error } = await readUntilError(encode(encoders.json, stream, { profile: "modern", describeFailure }));
    expect(error).toMatchObject({ message: 'A value of column "salary" is not int32.', column: "salary" });
  });
});
