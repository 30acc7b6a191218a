/**
 * Doris's names of types, as metadata reports them (`connectors/catalog/doris.ts`).
 * https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/data-type-overview
 */
import { DATE, JSON_TYPE, REAL, type SqlType, TEXT, TIMESTAMP, TIMESTAMPTZ, type TypeNames } from "../../../types.ts";

/** Its 128 bits hold numbers of 39 digits. */
const LARGEINT: SqlType = { kind: "decimal", precision: 39, scale: 0 };

/** Versions of a type are one; what arrays and maps hold is asked for by nobody. */
function respelled(text: string): string {
  const written = text.trim().toLowerCase();
  const structure = /^(array|map|struct|variant)\s*</.exec(written)?.[1];
  return structure ?? written.replace(/^(date|datetime|decimal)v[123]\b/, "$1");
}

export const DORIS_TYPE_NAMES: TypeNames = {
  names: new Map([
    ["largeint", LARGEINT],
    ["string", TEXT],
    ["float", REAL],
    // Metadata tells it of a FLOAT, and DOUBLE of a double.
    ["float8", REAL],
    ["datetime", TIMESTAMP],
    ["timestamp", TIMESTAMP],
    ["timestamptz", TIMESTAMPTZ],
    ["date", DATE],
    ["jsonb", JSON_TYPE],
    ["variant", JSON_TYPE],
    ["array", JSON_TYPE],
    ["map", JSON_TYPE],
    ["struct", JSON_TYPE],
  ]),
  respelled,
};
