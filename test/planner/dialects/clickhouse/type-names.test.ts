/**
 * ClickHouse's type names, by case, from the manual's list; INT8 and similar have the meaning of the service's
 * metadata.
 */
import { expect, test } from "vitest";
import { describeType } from "../../../../src/planner/types.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

function read(type: string): string {
  const { columns } = planned("SELECT x FROM t", manifestOfTable({ x: type }), { source: "clickhouse" });
  return describeType(columns[0]!.type);
}

test.each([
  ["Bool", "boolean"],
  ["Int8", "smallint"],
  ["INT8", "bigint"],
  ["UInt8", "smallint"],
  ["Int16", "smallint"],
  ["INT2", "smallint"],
  ["UInt16", "integer"],
  ["Int32", "integer"],
  ["UInt32", "bigint"],
  ["Int64", "bigint"],
  ["UInt64", "numeric(20,0)"],
  ["Int128", "numeric"],
  ["Float32", "real"],
  ["Float64", "double precision"],
  ["Decimal(12, 2)", "numeric(12,2)"],
  ["Decimal32(4)", "numeric(9,4)"],
  ["Decimal64(4)", "numeric(18,4)"],
  ["Decimal128(4)", "numeric(38,4)"],
  ["String", "text"],
  ["Nullable(String)", "text"],
  ["LowCardinality(Nullable(String))", "text"],
  ["FixedString(4)", "text"],
  ["UUID", "uuid"],
  ["Date", "date"],
  ["Date32", "date"],
  ["Time", "time"],
  ["Nullable(Time64(6))", "time"],
  ["DateTime", "timestamp"],
  ["DateTime64(3)", "timestamp"],
  ["DateTime('UTC')", "timestamp with time zone"],
  ["DateTime64(6, 'UTC')", "timestamp with time zone"],
  ["Nullable(DateTime64(6, 'Etc/UTC'))", "timestamp with time zone"],
  ["DateTime64(6, 'Europe/Berlin')", "timestamp with time zone"],
  ["Array(Nullable(Int16))", "smallint[]"],
  ["Array(Array(LowCardinality(String)))", "text[][]"],
  ["Nullable(Array(String))", "text[]"],
  ["nullable( Array(LowCardinality(String)) )", "text[]"],
  ["Nullable(Array(Nullable(Int16)))", "integer[]"],
  ["Nullable(Array(Int64))", "bigint[]"],
  ["SimpleAggregateFunction(max, Nullable(Int16))", "smallint"],
  ["AggregateFunction(max, Int16)", "AggregateFunction(max, Int16)"],
  ["Enum8('Int16' = 1)", "text"],
  ["JSON", "json"],
])("%s", (name, type) => expect(read(name)).toBe(type));
