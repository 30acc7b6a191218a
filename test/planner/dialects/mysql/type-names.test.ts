/**
 * Words for types that `information_schema` does not use, but who writes a manifest may; what it does use is held against the servers
 * in `test/connectors/mysql/catalog.test.ts`.
 */
import { expect, test } from "vitest";
import { describeType } from "../../../../src/planner/types.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const plan = (type: string, expression: string) =>
  planned(`SELECT ${expression} AS y FROM t`, manifestOfTable({ x: type }), { source: "mysql" });

test.each([
  ["INT1", "smallint"],
  ["INT2 UNSIGNED", "integer"],
  ["INT3", "integer"],
  ["MIDDLEINT UNSIGNED ZEROFILL", "integer"],
  ["INT4 SIGNED", "integer"],
  ["INT8", "bigint"],
  ["INT8(20) ZEROFILL", "numeric(20,0)"],
  ["SERIAL", "numeric(20,0)"],
  ["TINYINT(1)", "smallint"],
  ["BYTE", "smallint"],
  ["BIT", "smallint"],
  ["BIT(7)", "smallint"],
  ["BIT(8)", "bigint"],
  ["BIT(63)", "bigint"],
  ["BIT(64)", "numeric(20,0)"],
  ["FLOAT(24)", "real"],
  ["FLOAT4", "real"],
  ["FLOAT8", "real"],
  ["DOUBLE PRECISION UNSIGNED", "double precision"],
  ["DEC(5)", "numeric(5,0)"],
  ["FIXED(5, 2) UNSIGNED", "numeric(5,2)"],
  ["NUMERIC", "numeric"],
  ["DATETIME(6)", "timestamp"],
  ["TIMESTAMPTZ", "timestamp with time zone"],
  ["YEAR(4)", "smallint"],
  ["ENUM", "text"],
  ["ENUM('it''s', 'a) unsigned')", "text"],
  ["NATIONAL VARCHAR(5)", "national varchar(5)"],
  ["LONG", "text"],
  ["LONG VARCHAR", "text"],
  ["LONGBLOB", "binary"],
  ["VECTOR(3)", "vector"],
  ["NO SUCH TYPE", "no such type"],
])("%s", (name, type) => {
  expect(describeType(plan(name, "x").columns[0]!.type).toLowerCase()).toBe(type);
});
