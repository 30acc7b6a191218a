/** The names that `dtypes` of an answer use are accepted as `columnDtypes` of the next request. */
import { describe, expect, test } from "vitest";
import { parseColumnDtypes } from "../../../src/result/conversion/column-dtypes.ts";
import { convertColumns } from "../../../src/result/conversion/convert.ts";
import { arrowTypeName } from "../../../src/result/names/arrow.ts";
import { dataframeTypeName } from "../../../src/result/names/dataframe.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { resultOf, rowsOf } from "../streams.ts";

const TYPES: readonly LogicalType[] = [
  ...(["boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const).map(
    (kind): LogicalType => ({ kind }),
  ),
  ...(["float32", "float64", "string", "uuid", "json", "binary", "date", "interval", "null"] as const).map(
    (kind): LogicalType => ({ kind }),
  ),
  { kind: "decimal" },
  { kind: "decimal", precision: 12, scale: 2 },
  { kind: "decimal", precision: 50, scale: 2 },
  { kind: "time", unit: "us" },
  { kind: "timestamp", unit: "us", zone: undefined },
  { kind: "timestamp", unit: "ns", zone: "UTC" },
  { kind: "timestamp", unit: "us", zone: "Europe/Paris" },
  { kind: "list", element: { kind: "int32" } },
  { kind: "struct", fields: [{ name: "a b", type: { kind: "string" } }] },
  { kind: "map", key: { kind: "string" }, value: { kind: "decimal", precision: 4, scale: 1 } },
  { kind: "opaque", name: "point" },
];

function dtypes(name: string) {
  const parsed = parseColumnDtypes({ a: name });
  if (!parsed.ok) throw new Error(`${name} is refused`);
  return parsed.dtypes;
}

// The name of 4 bytes has always meant 8 here.
test.each(TYPES.filter(({ kind }) => kind !== "float32").map((type) => [arrowTypeName(type), type] as const))(
  "%s leaves a column of its own alone",
  (name, type) => {
    const source = resultOf([{ name: "a", type }], []);
    const { columns } = convertColumns(source, dtypes(name));
    // Texts of other types are texts.
    expect(columns[0]?.type).toEqual(["uuid", "json", "opaque"].includes(type.kind) ? { kind: "string" } : type);
  },
);

test.each(TYPES.map((type) => dataframeTypeName(type)))("%s of the classic profile is a name", (name) => {
  expect(dtypes(name).size).toBe(1);
});

const converted = async (type: LogicalType, name: string, value: Value): Promise<Value | undefined> =>
  (await rowsOf(convertColumns(resultOf([{ name: "a", type }], [[[value]]]), dtypes(name))))[0]?.[0];

describe("integers of other widths", () => {
  test.each<[string, Value, Value]>([
    ["int8", -128n, -128],
    ["int16", 32767n, 32767],
    ["uint8", 255n, 255],
    ["uint16", 65535n, 65535],
    ["uint32", 4294967295n, 4294967295],
    ["uint64", 9223372036854775807n, 9223372036854775807n],
  ])("%s takes %s", async (name, value, expected) => {
    expect(await converted({ kind: "int64" }, name, value)).toBe(expected);
  });

  test.each<[string, Value]>([
    ["int8", 128n],
    ["int16", -32769n],
    ["uint8", -1n],
    ["uint16", 65536n],
    ["uint32", 4294967296n],
    ["uint64", -1n],
  ])("%s refuses %s", async (name, value) => {
    await expect(converted({ kind: "int64" }, name, value)).rejects.toThrow("has a value that is no");
  });
});

test("nothing else is converted to a type with parameters", async () => {
  await expect(converted({ kind: "int64" }, "decimal128(12, 2)", 1n)).rejects.toThrow("which has no decimal128(12, 2)");
});

test.each([
  "varchar",
  "timestamp[]",
  "timestamp[us",
  "datetime64[fortnight]",
  "decimal128(1)",
  "list<>",
  "as int32",
  "INT64",
])("%s is no name", (name) => expect(parseColumnDtypes({ a: name }).ok).toBe(false));
