/** SQL Server's type names, from the manual's list; TIMESTAMP has the meaning of the service's metadata. */
import { expect, test } from "vitest";
import { describeType } from "../../../../src/planner/types.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

function read(type: string): string {
  const { columns } = planned("SELECT x FROM t", manifestOfTable({ x: type }), { source: "mssql" });
  return describeType(columns[0]!.type);
}

test.each([
  ["bit", "boolean"],
  ["tinyint", "smallint"],
  ["smallint", "smallint"],
  ["int", "integer"],
  ["bigint", "bigint"],
  ["decimal(10, 2)", "numeric(10,2)"],
  ["dec(5)", "numeric(5,0)"],
  ["numeric", "numeric"],
  ["money", "numeric(19,4)"],
  ["smallmoney", "numeric(10,4)"],
  ["float", "double precision"],
  ["float(24)", "real"],
  ["float(53)", "double precision"],
  ["double precision", "double precision"],
  ["real", "real"],
  ["date", "date"],
  ["time(7)", "time"],
  ["smalldatetime", "timestamp"],
  ["datetime", "timestamp"],
  ["datetime2(7)", "timestamp"],
  ["datetimeoffset", "timestamp with time zone"],
  ["TIMESTAMP", "timestamp"],
  ["TIMESTAMPTZ", "timestamp with time zone"],
  ["rowversion", "binary"],
  ["char(3)", "text"],
  ["varchar(max)", "text"],
  ["nvarchar(MAX)", "text"],
  ["nchar", "text"],
  ["character varying(5)", "text"],
  ["national character varying( max )", "text"],
  ["text", "text"],
  ["ntext", "text"],
  ["sysname", "text"],
  ["binary(8)", "binary"],
  ["varbinary(max)", "binary"],
  ["image", "binary"],
  ["uniqueidentifier", "uuid"],
  ["json", "json"],
  ["xml", "xml"],
  ["sql_variant", "sql_variant"],
  ["hierarchyid", "hierarchyid"],
  ["geography", "geography"],
])("%s", (name, type) => expect(read(name)).toBe(type));
