/**
 * Types of PostgreSQL that the language has no name for. Metadata reports a column of an enumerated type, or of a domain over one, as
 * ENUM: it is read as the text of its label, which all functions of texts take and which is sorted as a text.
 */
import { cast, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { TEXT, type TypeNames } from "../../types.ts";

export const POSTGRES_TYPE_NAMES: TypeNames = { names: new Map([["enum", { kind: "text", converted: "text" }]]) };

export const convertedColumn = (column: Expression): Expression => cast(column, "text", typed(TEXT, column));
