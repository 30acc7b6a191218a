/** `to_char` of numbers: which formats are planned, what is refused by its name, and how much is sent. */
import { describe, expect, test } from "vitest";
import { NUMBER_FORMATS } from "../../../parity/number-texts.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ n: "INTEGER", d: "DECIMAL(12, 2)", f: "DOUBLE" });
const SOURCES = ["trino", "spark", "bigquery", "snowflake", "redshift", "mssql", "doris"] as const;

describe.each(SOURCES)("%s", (source) => {
  const sent = (expression: string): string => planned(`SELECT ${expression} AS x FROM t`, manifest, { source }).sql;

  test.each(NUMBER_FORMATS)("%s is planned", (format) => {
    for (const column of ["n", "d"]) expect(sent(`to_char(${column}, '${format.replaceAll("'", "''")}')`)).not.toBe("");
  });

  test.each([
    ["9.9EEEE", '"EEEE" in a number format'],
    ["FMRN", '"RN" in a number format'],
    ["999th", '"TH" in a number format'],
    ["99V99", '"V" in a number format'],
    ["L999", '"L" in a number format'],
    ["PL999", '"PL" in a number format'],
    ["9,,999", "the number format"],
    [",999", "the number format"],
    ["9.", "the number format"],
    ["S9S", "the number format"],
    ["x9", "the number format"],
    ["", "the number format"],
    [`${"9".repeat(30)}.9`, "a number format of more than 30 digits"],
  ])("%s is refused", (format, message) => {
    expect(() => sent(`to_char(d, '${format}')`)).toThrow(message);
  });

  test("a double is refused", () => {
    expect(() => sent("to_char(f, '999')")).toThrow("to_char of a double");
  });
});
