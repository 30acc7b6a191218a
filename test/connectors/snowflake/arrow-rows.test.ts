/** Arrow as Snowflake sends it (snowflake-connector-python reads it so), made by a library that shares nothing with what reads it. */
import {
  binary,
  bool,
  dateDay,
  decimal128,
  float64,
  int8,
  int16,
  int32,
  int64,
  struct,
  tableFromArrays,
  tableToIPC,
  utf8,
} from "@uwdata/flechette";
import { expect, it } from "vitest";
import type { RowType } from "../../../src/connectors/snowflake/answers.ts";
import { arrowRows, bytesOfBase64 } from "../../../src/connectors/snowflake/arrow-rows.ts";
import { columnOf } from "../../../src/connectors/snowflake/values.ts";
import { type SqlType, TEXT } from "../../../src/planner/types.ts";
import type { Batch } from "../../../src/result/types.ts";
import { failureOf } from "../contract.ts";

const bytes = (type: unknown, values: readonly unknown[]): Uint8Array =>
  tableToIPC(tableFromArrays({ C: values } as never, { types: { C: type } as never, useBigInt: true } as never), {
    format: "stream",
  }) as Uint8Array;

function read(row: Omit<RowType, "name">, type: unknown, values: readonly unknown[], meant?: SqlType): unknown[] {
  const described: RowType[] = [{ name: "C", ...row }];
  const columns = described.map((one) => columnOf(one, meant));
  const { count, batches } = arrowRows(bytes(type, values), described, columns);
  const rows = [...batches].flatMap((batch: Batch) => Array.from(batch, ([value]) => value));
  expect(count).toBe(rows.length);
  return rows;
}

const row = (type: string, scale?: number, precision?: number) => ({ type, scale, precision });
const two = struct({ epoch: int64(), fraction: int32() });
const three = struct({ epoch: int64(), fraction: int32(), timezone: int32() });
const zoned = struct({ epoch: int64(), timezone: int32() });

it.each<[string, unknown, readonly unknown[], readonly unknown[]]>([
  ["narrow whole numbers", int8(), [-1, null, 127], [-1n, null, 127n]],
  ["wide ones", int64(), [2n ** 62n, null], [2n ** 62n, null]],
  ["wider ones", decimal128(38, 0), [7n, null], [7n, null]],
])("FIXED: %s", (_, type, values, expected) => {
  expect(read(row("FIXED", 0, 38), type, values)).toEqual(expected);
});

it.each<[ReturnType<typeof row>, unknown, readonly unknown[], readonly unknown[]]>([
  [row("FIXED", 2, 10), int16(), [-5, 1230, null], ["-0.05", "12.30", null]],
  [row("FIXED", 2, 38), decimal128(38, 2), [12.3, null], ["12.30", null]],
  [row("REAL"), float64(), [1.5, null], [1.5, null]],
  [row("TEXT"), utf8(), ["ä", null], ["ä", null]],
  [row("BOOLEAN"), bool(), [true, null], [true, null]],
  [row("BINARY"), binary(), [Uint8Array.of(0, 255), null], [Uint8Array.of(0, 255), null]],
  [row("DATE"), dateDay(), [new Date("1969-12-31"), null], [-1, null]],
  [row("TIME", 3), int32(), [3_600_001, null], [3_600_001_000_000, null]],
  [row("TIME", 9), int64(), [3_600_000_000_001n], [3_600_000_000_001]],
  [row("TIMESTAMP_NTZ", 3), int64(), [-500n, null], [-500_000_000n, null]],
  [row("TIMESTAMP_NTZ", 9), two, [{ epoch: -1n, fraction: 500_000_000 }, null], [-500_000_000n, null]],
  [row("TIMESTAMP_LTZ", 0), int64(), [1n], [1_000_000_000n]],
  [row("TIMESTAMP_TZ", 9), three, [{ epoch: 1n, fraction: 5, timezone: 1500 }], [1_000_000_005n]],
  [row("TIMESTAMP_TZ", 3), zoned, [{ epoch: 1500n, timezone: 1440 }], [1_500_000_000n]],
  [row("VARIANT"), utf8(), ['{"a":1}', null], ['{"a":1}', null]],
  [
    row("DECFLOAT"),
    struct({ exponent: int16(), significand: binary() }),
    [{ exponent: -1, significand: Uint8Array.of(0xff, 0x85) }, null],
    ["-12.3", null],
  ],
])("%o", (described, type, values, expected) => {
  expect(read(described, type, values)).toEqual(expected);
});

it("reads an array as a list where the plan means one", () => {
  const values = ['["a", undefined]', null];
  expect(read(row("ARRAY"), utf8(), values, { kind: "array", element: TEXT })).toEqual([["a", null], null]);
  expect(read(row("ARRAY"), utf8(), values)).toEqual(values);
});

it("a whole number that the plan means as a decimal keeps its digits", () => {
  expect(read(row("FIXED", 0, 38), int8(), [5], { kind: "decimal" })).toEqual(["5"]);
});

it.each<[string, ReturnType<typeof row>, unknown, readonly unknown[]]>([
  ["another type", row("REAL"), utf8(), ["x"]],
  ["a decimal of another scale", row("FIXED", 3, 10), decimal128(10, 2), [1]],
  ["a nested value", row("ARRAY"), struct({ a: int8() }), [{ a: 1 }]],
])("refuses %s", async (_, described, type, values) => {
  const failure = await failureOf((async () => read(described, type, values))());
  expect(failure.reason).toBe("SOURCE_ERROR");
});

it("no bytes are no rows, and others fail", async () => {
  expect(arrowRows(new Uint8Array(), [], []).count).toBe(0);
  for (const text of ["AAAA//////", "!"]) {
    const failure = await failureOf((async () => arrowRows(bytesOfBase64(text), [], []))());
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  }
});
