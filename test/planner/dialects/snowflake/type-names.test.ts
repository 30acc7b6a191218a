/** Snowflake's type names, from the manual's list. */
import { expect, test } from "vitest";
import { describeType } from "../../../../src/planner/types.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

function read(type: string): string {
  const { columns } = planned("SELECT x FROM t", manifestOfTable({ x: type }), { source: "snowflake" });
  return describeType(columns[0]!.type);
}

test.each([
  ["BOOLEAN", "boolean"],
  ["INT", "bigint"],
  ["SMALLINT", "bigint"],
  ["BYTEINT", "bigint"],
  ["NUMBER(12,2)", "numeric(12,2)"],
  ["NUMBER", "numeric"],
  ["DECFLOAT", "numeric"],
  ["FLOAT", "double precision"],
  ["FLOAT4", "double precision"],
  ["REAL", "double precision"],
  ["STRING", "text"],
  ["CHAR(3)", "text"],
  ["BINARY", "binary"],
  ["DATE", "date"],
  ["TIME", "time"],
  ["DATETIME", "timestamp"],
  ["TIMESTAMP", "timestamp"],
  ["TIMESTAMP_NTZ", "timestamp"],
  ["TIMESTAMP_LTZ", "timestamp with time zone"],
  ["TIMESTAMP_TZ", "timestamp with time zone"],
  ["VARIANT", "json"],
  ["OBJECT", "json"],
  ["ARRAY", "json"],
  ["GEOGRAPHY", "geography"],
])("%s is %s", (type, expected) => {
  expect(read(type)).toBe(expected);
});
