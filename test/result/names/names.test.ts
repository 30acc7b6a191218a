import { expect, test } from "vitest";
import { arrowTypeName } from "../../../src/result/names/arrow.ts";
import { dataframeTypeName } from "../../../src/result/names/dataframe.ts";
import type { LogicalType } from "../../../src/result/types.ts";

const INT32: LogicalType = { kind: "int32" };
const STRING: LogicalType = { kind: "string" };

test.each<[LogicalType, string, string]>([
  [{ kind: "boolean" }, "bool", "bool"],
  [{ kind: "int8" }, "int8", "int8"],
  [{ kind: "int16" }, "int16", "int16"],
  [INT32, "int32", "int32"],
  [{ kind: "int64" }, "int64", "int64"],
  [{ kind: "uint8" }, "uint8", "uint8"],
  [{ kind: "uint16" }, "uint16", "uint16"],
  [{ kind: "uint32" }, "uint32", "uint32"],
  [{ kind: "uint64" }, "uint64", "uint64"],
  [{ kind: "float32" }, "float", "float64"],
  [{ kind: "float64" }, "double", "float64"],
  [{ kind: "decimal", precision: 12, scale: 2 }, "decimal128(12, 2)", "object"],
  [{ kind: "decimal", precision: 38, scale: 0 }, "decimal128(38, 0)", "object"],
  [{ kind: "decimal", precision: 39, scale: 0 }, "decimal256(39, 0)", "object"],
  [{ kind: "decimal", precision: 76, scale: 38 }, "decimal256(76, 38)", "object"],
  [{ kind: "decimal" }, "decimal128(38, 9)", "object"],
  [{ kind: "decimal", precision: 10 }, "decimal128(38, 9)", "object"],
  [STRING, "string", "object"],
  [{ kind: "uuid" }, "string", "object"],
  [{ kind: "json" }, "string", "object"],
  [{ kind: "opaque", name: "inet" }, "string", "object"],
  [{ kind: "binary" }, "binary", "object"],
  [{ kind: "date" }, "date32[day]", "object"],
  [{ kind: "time", unit: "s" }, "time32[s]", "object"],
  [{ kind: "time", unit: "ms" }, "time32[ms]", "object"],
  [{ kind: "time", unit: "us" }, "time64[us]", "object"],
  [{ kind: "time", unit: "ns" }, "time64[ns]", "object"],
  [{ kind: "timestamp", unit: "us", zone: undefined }, "timestamp[us]", "datetime64[ns]"],
  [{ kind: "timestamp", unit: "s", zone: undefined }, "timestamp[s]", "datetime64[ns]"],
  [{ kind: "timestamp", unit: "us", zone: "UTC" }, "timestamp[us, tz=UTC]", "datetime64[ns, UTC]"],
  [{ kind: "timestamp", unit: "ns", zone: "Etc/UTC" }, "timestamp[ns, tz=Etc/UTC]", "datetime64[ns, UTC]"],
  [{ kind: "interval" }, "month_day_nano_interval", "object"],
  [{ kind: "list", element: INT32 }, "list<item: int32>", "object"],
  [
    {
      kind: "struct",
      fields: [
        { name: "a", type: INT32 },
        { name: "b", type: STRING },
      ],
    },
    "struct<a: int32, b: string>",
    "object",
  ],
  [{ kind: "map", key: STRING, value: INT32 }, "map<string, int32>", "object"],
  [{ kind: "null" }, "null", "object"],
])("%j is %s, and %s in a dataframe", (type, arrow, dataframe) => {
  expect(arrowTypeName(type)).toBe(arrow);
  expect(dataframeTypeName(type)).toBe(dataframe);
});

test("the display zone is named in place of a zoned timestamp's own, nested ones included", () => {
  const zoned: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
  const local: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
  expect(arrowTypeName(zoned, "America/New_York")).toBe("timestamp[us, tz=America/New_York]");
  expect(arrowTypeName(local, "America/New_York")).toBe("timestamp[us]");
  expect(arrowTypeName({ kind: "list", element: zoned }, "+02:00")).toBe("list<item: timestamp[us, tz=+02:00]>");
});
