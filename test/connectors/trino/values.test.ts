import { describe, expect, it } from "vitest";
import { type TypeArgument, type TypeSignature, typeReader } from "../../../src/connectors/trino/values.ts";
import { UnreadableValue } from "../../../src/connectors/unreadable-value.ts";

const of = (rawType: string, ...parts: readonly (number | TypeSignature)[]): TypeSignature => ({
  rawType,
  arguments: parts.map(
    (value): TypeArgument => (typeof value === "number" ? { kind: "LONG", value } : { kind: "TYPE", value }),
  ),
});
const read = (signature: TypeSignature, json: unknown) => typeReader(signature, "as written").read(json);

const instant = (...parts: Parameters<typeof Date.UTC>) => BigInt(Date.UTC(...parts));

describe("values at the edges of their types", () => {
  it.each<[TypeSignature, unknown, unknown]>([
    [of("bigint"), 9223372036854775807n, 9223372036854775807n],
    [of("real"), 3.4028235e38, Math.fround(3.4028235e38)],
    [of("double"), "-Infinity", Number.NEGATIVE_INFINITY],
    [of("double"), 5e-324, 5e-324],
    [of("decimal", 38, 0), "-99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"],
    [of("varbinary"), "", new Uint8Array()],
    [of("date"), "0000-01-01", -719_528],
    [of("date"), "-0001-12-31", -719_529],
    [of("date"), "+10000-01-01", 2_932_897],
    [of("time", 0), "23:59:59", 86_399_000_000_000],
    [of("timestamp", 0), "1969-12-31 23:59:59", -1000n],
    [of("timestamp", 9), "-0001-01-01 00:00:00.000000001", -62_198_755_199_999_999_999n],
    [of("timestamp with time zone", 3), "2020-10-25 02:30:00.000 UTC", instant(2020, 9, 25, 2, 30)],
    [of("timestamp with time zone", 3), "2020-10-25 01:59:59.999 Europe/Berlin", instant(2020, 9, 24, 23, 59, 59, 999)],
    [of("timestamp with time zone", 3), "2020-10-25 03:00:00.000 Europe/Berlin", instant(2020, 9, 25, 2)],
    [of("timestamp with time zone", 3), "2020-03-29 03:00:00.000 Europe/Berlin", instant(2020, 2, 29, 1)],
    [of("timestamp with time zone", 0), "2020-10-25 02:30:00 -03:30", instant(2020, 9, 25, 6)],
    [of("interval day to second"), "0 00:00:00.000", { months: 0, days: 0, microseconds: 0n }],
    [of("interval day to second"), "-2 03:04:05.678", { months: 0, days: -2, microseconds: -11_045_678_000n }],
    [of("interval year to month"), "1-2", { months: 14, days: 0, microseconds: 0n }],
    [of("array", of("array", of("decimal", 2, 1))), [["1.5", null], null], [["1.5", null], null]],
    [
      of("map", of("integer"), of("varchar")),
      { "2": "b", "-1": null },
      [
        [2, "b"],
        [-1, null],
      ],
    ],
    [of("map", of("varchar"), of("bigint")), JSON.parse('{"__proto__": 1}'), [["__proto__", 1n]]],
    [of("Geometry"), "POINT (1 2)", "POINT (1 2)"],
    [of("timestamp", 12), "2020-01-01 00:00:00.123456789012", "2020-01-01 00:00:00.123456789012"],
  ])("%o %o", (signature, json, value) => {
    expect(read(signature, json)).toEqual(value);
  });
});

describe("what is not of its type, or means nothing", () => {
  it.each<[TypeSignature, unknown]>([
    [of("boolean"), "true"],
    [of("integer"), 1.5],
    [of("integer"), "1e3"],
    [of("bigint"), 9007199254740992],
    [of("bigint"), "12x"],
    [of("double"), "Infinite"],
    [of("double"), ""],
    [of("decimal", 3, 1), 1.5],
    [of("decimal", 3, 1), "1e2"],
    [of("varchar"), 7],
    [of("varbinary"), "not base64!"],
    [of("date"), "2020-02-30"],
    [of("date"), "-x"],
    [of("time", 3), "25:00:00"],
    [of("timestamp", 3), "2020-01-01T"],
    [of("timestamp with time zone", 3), "2020-01-01 00:00:00.000"],
    [of("timestamp with time zone", 3), "2020-01-01 00:00:00.000 Mars/Phobos"],
    // The hour that Berlin's clocks showed twice, and the one that they never showed.
    [of("timestamp with time zone", 3), "2020-10-25 02:30:00.000 Europe/Berlin"],
    [of("timestamp with time zone", 3), "2020-03-29 02:30:00.000 Europe/Berlin"],
    [of("interval day to second"), "1 day"],
    [of("interval year to month"), "1"],
    [of("array", of("integer")), { "0": 1 }],
    [of("map", of("integer"), of("integer")), [1]],
    [of("unknown"), 1],
  ])("%o %o", (signature, json) => {
    expect(() => read(signature, json)).toThrow(UnreadableValue);
  });

  it.each([of("array"), of("map", of("integer")), of("row", of("integer"))])(
    "%o is a type without its parts",
    (type) => {
      expect(() => typeReader(type, "")).toThrow(UnreadableValue);
    },
  );
});
