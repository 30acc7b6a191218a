/**
 * Spark's type names. Values of CHAR(n) are filled with blanks up to n characters when they are read. In the language trailing
 * blanks are no part of a value of that type, as in PostgreSQL's casts to text: the column is read as a text without them.
 * https://spark.apache.org/docs/latest/sql-ref-datatypes.html
 */
import { call, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { REAL, type SqlType, TEXT, TIMESTAMPTZ, type TypeNames } from "../../types.ts";

const PADDED: SqlType = { kind: "text", converted: "padded text" };

export const SPARK_TYPE_NAMES: TypeNames = {
  names: new Map<string, SqlType>([
    ["float", REAL],
    ["timestamp_ltz", TIMESTAMPTZ],
    ...["char", "character", "nchar", "bpchar"].map((name): [string, SqlType] => [name, PADDED]),
  ]),
};

export const convertedColumn = (column: Expression): Expression => call("rtrim", [column], typed(TEXT, column));
