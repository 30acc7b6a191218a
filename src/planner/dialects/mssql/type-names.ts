/**
 * SQL Server's names of types. https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-types-transact-sql and
 * https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-type-synonyms-transact-sql
 */
import { BINARY, BOOLEAN, TEXT, TIMESTAMP, type TypeNames } from "../../types.ts";

export const MSSQL_TYPE_NAMES: TypeNames = {
  names: new Map([
    ["bit", BOOLEAN],
    // It has no sign: 0 to 255.
    ["tinyint", { kind: "integer", bits: 16 }],
    ["money", { kind: "decimal", precision: 19, scale: 4 }],
    ["smallmoney", { kind: "decimal", precision: 10, scale: 4 }],
    ["sysname", TEXT],
    ["rowversion", BINARY],
    // Metadata tells it of a DATETIME; that it is a row's version to the server itself, its other name says.
    ["timestamp", TIMESTAMP],
  ]),
  respelled: (text) => text.replace(/\(\s*max\s*\)/i, ""),
};
