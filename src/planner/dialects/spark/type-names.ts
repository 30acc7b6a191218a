/**
 * Spark's type names. Values of CHAR(n) are filled with blanks up to n characters when they are read. In the language trailing
 * blanks are no part of a value of that type, as in PostgreSQL's casts to text: the column is read as a text without them.
 * https://spark.apache.org/docs/latest/sql-ref-datatypes.html
 */
import { call, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { PADDED_NAMES, PADDED_TEXT, REAL, type SqlType, TEXT, TIMESTAMPTZ, type TypeNames } from "../../types.ts";

export const SPARK_TYPE_NAMES: TypeNames = {
  names: new Map<string, SqlType>([
    ["float", REAL],
    ["timestamp_ltz", TIMESTAMPTZ],
    ...PADDED_NAMES.map((name): [string, SqlType] => [name, PADDED_TEXT]),
  ]),
};

export const convertedColumn = (column: Expression): Expression => call("rtrim", [column], typed(TEXT, column));
