/**
 * SQL Server's names of types. https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-types-transact-sql and
 * https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-type-synonyms-transact-sql
 *
 * Values of CHAR and NCHAR are filled with blanks (https://learn.microsoft.com/en-us/sql/t-sql/statements/set-ansi-padding-transact-sql).
 * In the language trailing blanks are no part of a value of that type, as in PostgreSQL's casts to text: the column is read as a text
 * without them.
 */
import { spelled, words } from "../../lowering/templates/template.ts";
import type { Expression } from "../../syntax/tree.ts";
import {
  BINARY,
  BOOLEAN,
  PADDED_NAMES,
  PADDED_TEXT,
  type SqlType,
  TEXT,
  TIMESTAMP,
  type TypeNames,
} from "../../types.ts";

export const MSSQL_TYPE_NAMES: TypeNames = {
  names: new Map<string, SqlType>([
    ["bit", BOOLEAN],
    // It has no sign: 0 to 255.
    ["tinyint", { kind: "integer", bits: 16 }],
    ["money", { kind: "decimal", precision: 19, scale: 4 }],
    ["smallmoney", { kind: "decimal", precision: 10, scale: 4 }],
    ["sysname", TEXT],
    ["rowversion", BINARY],
    // Metadata tells it of a DATETIME; that it is a row's version to the server itself, its other name says.
    ["timestamp", TIMESTAMP],
    ...PADDED_NAMES.map((name): [string, SqlType] => [name, PADDED_TEXT]),
  ]),
  respelled: (text) => text.replace(/\(\s*max\s*\)/i, ""),
};

const WITHOUT_BLANKS = words("RTRIM($1)", { type: TEXT, neverFails: true });

export const convertedColumn = (column: Expression): Expression => spelled(WITHOUT_BLANKS, [column], column);
