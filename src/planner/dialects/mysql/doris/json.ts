/**
 * JSON by paths on Doris, in columns of type JSON and of structures that are cast to it.
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/json-functions/json-extract
 */

import { dollarPath, isPlainName, jsonReading, type Path } from "../../../lowering/json/json-steps.ts";
import type { JsonTexts } from "../../../lowering/json/json-writing.ts";
import { isSpelled, spelled, words } from "../../../lowering/templates/template.ts";
import { text } from "../../../syntax/build.ts";
import type { Expression, Template } from "../../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../../types.ts";

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/json-functions/json-type */
const KIND = words("JSON_TYPE(CAST($1 AS JSON), $2)", { type: TEXT });
/** A text without quotes; of a JSON null the word. */
const SCALAR = words("JSON_EXTRACT_STRING(CAST($1 AS JSON), $2)", { type: TEXT });
const SIZE = words("JSON_LENGTH(CAST($1 AS JSON), $2)", { type: INTEGER });

/** Doubles that have this text in PostgreSQL, too. */
const DOUBLE = "^-?[0-9]{1,7}[.][0-9]{0,7}[1-9]$";
const SHOWN = `($1 IN ('string', 'bool', 'int', 'bigint', 'largeint') OR $1 = 'double' AND $2 REGEXP '${DOUBLE}')`;

/** The name of a type is no number, so the cast raises; both branches may be computed for every row. */
const MEMBER_TEXT = words(
  `CASE WHEN ${SHOWN} THEN $2 ELSE CAST(CAST(CASE WHEN NOT ${SHOWN} AND $1 <> 'null' THEN $1 END AS INT) AS STRING) END`,
  { type: TEXT },
);

const NAMES = Object.entries({
  object: "'object'",
  array: "'array'",
  string: "'string'",
  boolean: "'bool'",
  number: "'int', 'bigint', 'largeint', 'double'",
  null: "'null'",
});
const TYPE_NAME = words(`CASE ${NAMES.map(([name, own]) => `WHEN $1 IN (${own}) THEN '${name}'`).join(" ")} END`, {
  type: TEXT,
});
/** Whether the node is the text of a member. */
export const isMemberText = (node: Expression): boolean => isSpelled(node, MEMBER_TEXT);

const LENGTH = words("CASE WHEN $1 = 'array' THEN $2 ELSE CAST(CASE WHEN $1 <> 'array' THEN $1 END AS INT) END", {
  type: INTEGER,
});

const at = (template: Template, { document, steps }: Path, place: Expression): Expression =>
  spelled(template, [document, text(dollarPath(steps), place)], place);

export const JSON_READING = jsonReading({
  kind: (path, place) => at(KIND, path, place),
  // A name gives NULL for an array.
  relaxed: "positions",
  text: (path, kind, place) => spelled(MEMBER_TEXT, [kind, at(SCALAR, path, place)], place),
  typeName: (kind, place) => spelled(TYPE_NAME, [kind], place),
  length: (path, kind, place) => spelled(LENGTH, [kind, at(SIZE, path, place)], place),
  isSayable: isPlainName,
});

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/json-functions/json-quote */
const QUOTED = words("JSON_QUOTE($1)", { type: TEXT });
const WRITTEN = words("CAST(CAST($1 AS JSON) AS STRING)", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: (value, at) => spelled(WRITTEN, [value], at),
};
