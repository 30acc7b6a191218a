/** Oracle's names of types. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html */
import { BINARY, REAL, TEXT, TIMESTAMP, type TypeNames } from "../../types.ts";

/**
 * Whole numbers are declared by their digits there, and are what other sources call integers
 * (docs/spec/contract.md#types-of-answers).
 */
function wholeNumber(text: string, digits: string): string {
  if (Number(digits) <= 9) return "integer";
  return Number(digits) <= 18 ? "bigint" : text;
}

export const ORACLE_TYPE_NAMES: TypeNames = {
  names: new Map([
    // It has a time of day (docs/decisions/0040-types-of-the-manifest.md).
    ["date", TIMESTAMP],
    ["binary_float", REAL],
    ["long", TEXT],
    ["bfile", BINARY],
  ]),
  respelled: (text) =>
    text
      .replace(/^\s*long\s+raw\s*$/i, "raw")
      .replace(/\(\s*(\d+)\s+(?:char|byte)\s*\)/i, "($1)")
      .replace(/\(\s*\*\s*,/, "(38,")
      .replace(/^\s*number\s*\(\s*(\d+)\s*(?:,\s*0\s*)?\)\s*$/i, wholeNumber)
      .replace(/^(\s*interval\b.*)$/i, (words) => words.replace(/\(\s*\d+\s*\)/g, "")),
};
