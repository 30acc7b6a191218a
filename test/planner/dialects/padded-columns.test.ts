/** Columns whose engine fills values with blanks are read without them, where the manifest says that they are CHAR. */
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const manifest = (type: string) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "v", type }] }],
  });

const READ = [
  { source: "trino", read: 'rtrim(CAST("_s"."v" AS VARCHAR))' },
  { source: "athena", read: 'rtrim(CAST("_s"."v" AS VARCHAR))' },
  { source: "canner", read: 'rtrim(CAST("_s"."v" AS VARCHAR))' },
  { source: "spark", read: "trim(TRAILING ' ' FROM `_s`.`v`)" },
  { source: "databricks", read: "trim(TRAILING ' ' FROM `_s`.`v`)" },
  { source: "oracle", read: 'RTRIM("_s"."v")' },
  { source: "mssql", read: "RTRIM([_s].[v])" },
  { source: "redshift", read: "rtrim(CAST(_s.v AS VARCHAR(65535)))" },
] as const;

test.each(READ.flatMap((each) => ["CHAR(2)", "character(2)", "bpchar"].map((type) => ({ ...each, type }))))(
  "$source reads $type as a text",
  ({ source, read, type }) => {
    const { sql } = planned("SELECT coalesce(v, '-') || '.' AS x FROM t WHERE v = 'a'", manifest(type), { source });
    expect(sql).toContain(read);
  },
);

test.each(READ)("$source reads a VARCHAR as it is", ({ source, read }) => {
  expect(planned("SELECT v || '.' AS x FROM t", manifest("VARCHAR(2)"), { source }).sql).not.toContain(read);
});
