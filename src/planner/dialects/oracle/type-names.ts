/**
 * Oracle's names of types. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Types.html
 *
 * Values of CHAR and NCHAR are filled with blanks, which `||`, LENGTH and LIKE count, and which a comparison with a VARCHAR2 counts
 * (https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Data-Type-Comparison-Rules.html). In the language trailing
 * blanks are no part of a value of that type, as in PostgreSQL's casts to text: the column is read as a text without them.
 */
import { spelled, words } from "../../lowering/templates/template.ts";
import type { Expression } from "../../syntax/tree.ts";
import { BINARY, PADDED_NAMES, PADDED_TEXT, REAL, type SqlType, TEXT, type TypeNames } from "../../types.ts";

/**
 * Whole numbers are declared by their digits there, and are what other sources call integers
 * (docs/spec/contract.md#types-of-answers).
 */
function wholeNumber(text: string, digits: string): string {
  if (Number(digits) <= 9) return "integer";
  return Number(digits) <= 18 ? "bigint" : text;
}

const DATE_WITH_TIME: SqlType = { kind: "timestamp", zoned: false, isDate: true };

export const ORACLE_TYPE_NAMES: TypeNames = {
  names: new Map<string, SqlType>([
    // It has a time of day (docs/decisions/0040-types-of-the-manifest.md).
    ["date", DATE_WITH_TIME],
    ["binary_float", REAL],
    ["long", TEXT],
    ["bfile", BINARY],
    ...PADDED_NAMES.map((name): [string, SqlType] => [name, PADDED_TEXT]),
  ]),
  respelled: (text) =>
    text
      .replace(/^\s*long\s+raw\s*$/i, "raw")
      .replace(/\(\s*(\d+)\s+(?:char|byte)\s*\)/i, "($1)")
      .replace(/\(\s*\*\s*,/, "(38,")
      .replace(/^\s*number\s*\(\s*(\d+)\s*(?:,\s*0\s*)?\)\s*$/i, wholeNumber)
      .replace(/^(\s*interval\b.*)$/i, (words) => words.replace(/\(\s*\d+\s*\)/g, "")),
};

const WITHOUT_BLANKS = words("RTRIM($1)", { type: TEXT, neverFails: true });

export const convertedColumn = (column: Expression): Expression => spelled(WITHOUT_BLANKS, [column], column);
