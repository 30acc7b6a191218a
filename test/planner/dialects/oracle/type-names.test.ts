/** Oracle's type names, from the manual's list. */
import { expect, test } from "vitest";
import { describeType } from "../../../../src/planner/types.ts";
import { ORACLE_DAYS } from "../../../sent-sql/dialects/oracle.ts";
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

/** PostgreSQL's quotient of days has no fraction, and the days between two of Oracle's DATEs may have one. */
test.each([
  "(x - y) / 7",
  "(x - y + 1) / 7",
  "sum(x - y) / count(*)",
  "-(x - y) / 7",
  "abs(x - y) / 7",
  "coalesce(x - y, 0) / 7",
  "max(x - y) / 7",
  "CASE WHEN n > 1 THEN x - y ELSE 1 END / 7",
  "greatest(x - y, 0) / n",
  "n / (x - y)",
  "(SELECT x - y FROM t LIMIT 1) / 7",
  "(x - y) // 7",
])("a quotient of days and an integer is refused: %s", (expression) => {
  expect(() => planned(`SELECT ${expression} AS z FROM t`, ORACLE_DAYS, { source: "oracle" })).toThrow(
    /operator \/\/? does not apply/,
  );
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
