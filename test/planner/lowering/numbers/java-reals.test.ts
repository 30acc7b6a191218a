/** A real as `numeric` has six digits, by Java's formats. The engines run it: `test/parity/constructs.ts`, "real to numeric". */
import { expect, test } from "vitest";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const MANIFEST = manifestOfTable({ r: "REAL" });

test.each([
  ["trino", 'format(\'%.6e\', CAST("t"."r" AS DOUBLE))', "'[02468]5e'"],
  ["athena", 'format(\'%.5e\', CAST("t"."r" AS DOUBLE))', "'[02468]5e'"],
  ["spark", "format_string('%.6e', CAST(`t`.`r` AS DOUBLE))", "'[02468]5e'"],
  ["databricks", "format_string('%.5e', CAST(`t`.`r` AS DOUBLE))", "'[02468]5e'"],
] as const)("%s", (source, format, tie) => {
  const { sql } = planned("SELECT CAST(r AS numeric(12, 2)) AS x FROM t", MANIFEST, { source });
  expect(sql).toContain(format);
  expect(sql).toContain(tie);
  expect(sql).toContain("DECIMAL(12, 2)");
});
