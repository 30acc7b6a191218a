/**
 * Trino's CHAR: its values are filled with blanks to the column's length, and so is a text beside one (`coalesce(c, '-')`). In
 * the language trailing blanks are no part of a value of that type, as in PostgreSQL's casts to text: the column is read as a
 * text without them. https://trino.io/docs/current/language/types.html#char
 */
import { spelled, words } from "../../lowering/templates/template.ts";
import type { Expression } from "../../syntax/tree.ts";
import { PADDED_NAMES, PADDED_TEXT, TEXT, type TypeNames } from "../../types.ts";

export const TRINO_TYPE_NAMES: TypeNames = {
  names: new Map(PADDED_NAMES.map((name) => [name, PADDED_TEXT])),
};

/** `rtrim` of a CHAR is a CHAR again. */
const WITHOUT_BLANKS = words("rtrim(CAST($1 AS VARCHAR))", { type: TEXT, neverFails: true });

export const convertedColumn = (column: Expression): Expression => spelled(WITHOUT_BLANKS, [column], column);
