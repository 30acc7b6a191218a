/** Oracle's type names, from the manual's list. */
import { expect, test } from "vitest";
import { describeType } from "../../../../src/planner/types.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

function read(type: string): string {
  const { columns } = planned("SELECT x FROM t", manifestOfTable({ x: type }), { source: "oracle" });
  return describeType(columns[0]!.type);
}

test.each([
  ["NUMBER", "numeric"],
  ["NUMBER(9)", "integer"],
  ["number ( 10 , 0 )", "bigint"],
  ["NUMBER(18)", "bigint"],
  ["NUMBER(19)", "numeric(19,0)"],
  ["NUMBER(12,2)", "numeric(12,2)"],
  ["NUMBER(*,2)", "numeric(38,2)"],
  ["INTEGER", "integer"],
  ["FLOAT", "double precision"],
  ["FLOAT(126)", "double precision"],
  ["BINARY_FLOAT", "real"],
  ["BINARY_DOUBLE", "double precision"],
  ["VARCHAR2(40 CHAR)", "text"],
  ["NVARCHAR2(40)", "text"],
  ["CHAR(3 BYTE)", "text"],
  ["CLOB", "text"],
  ["LONG", "text"],
  ["DATE", "timestamp"],
  ["date32", "date"],
  ["TIMESTAMP(9)", "timestamp"],
  ["TIMESTAMP WITH TIME ZONE", "timestamp with time zone"],
  ["TIMESTAMP WITH LOCAL TIME ZONE", "timestamp with time zone"],
  ["INTERVAL DAY(2) TO SECOND(6)", "interval"],
  ["INTERVAL YEAR(2) TO MONTH", "interval"],
  ["RAW(16)", "binary"],
  ["LONG RAW", "binary"],
  ["BLOB", "binary"],
  ["BFILE", "binary"],
  ["BOOLEAN", "boolean"],
  ["SDO_GEOMETRY", "sdo_geometry"],
])("%s is %s", (type, described) => expect(read(type)).toBe(described));

/** Oracle's DATE has a time of day, and Oracle adds days to it. */
test.each([
  ["x + 1", `CAST("t"."x" AS TIMESTAMP(6)) + numtodsinterval(1, 'DAY')`],
  ["n + x", `CAST("t"."x" AS TIMESTAMP(6)) + numtodsinterval("t"."n", 'DAY')`],
  ["x - n", `CAST("t"."x" AS TIMESTAMP(6)) + numtodsinterval(-"t"."n", 'DAY')`],
  ["max(x) + 1", `CAST(max("t"."x") AS TIMESTAMP(6)) + numtodsinterval(1, 'DAY')`],
])("days are added to a DATE: %s", (expression, sent) => {
  const manifest = manifestOfTable({ x: "DATE", n: "NUMBER(5)" });
  expect(planned(`SELECT ${expression} AS y FROM t`, manifest, { source: "oracle" }).sql).toContain(sent);
});

test.each([
  ["DATE", "n - x"],
  ["DATE", "x * 2"],
  ["TIMESTAMP", "x + 1"],
])("a %s refuses %s", (type, expression) => {
  const manifest = manifestOfTable({ x: type, n: "NUMBER(5)" });
  expect(() => planned(`SELECT ${expression} AS y FROM t`, manifest, { source: "oracle" })).toThrow(
    /operator [-+*] does not apply/,
  );
});
