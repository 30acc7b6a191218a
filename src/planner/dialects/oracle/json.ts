/**
 * JSON by paths on Oracle, in columns of type JSON or texts that are JSON. A path steps into the objects of an array as into an object,
 * and a position may be that of a value which is no array, so the types of all values on the way are compared.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/adjsn/json-path-expressions.html
 */
import { unsupported } from "../../diagnostics.ts";
import { dollarPath, isPlainName, jsonReading, type Path, PLAIN_NUMBER } from "../../lowering/json/json-steps.ts";
import type { JsonTexts } from "../../lowering/json/json-writing.ts";
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { text } from "../../syntax/build.ts";
import type { Expression, Spelled } from "../../syntax/tree.ts";
import { INTEGER, TEXT } from "../../types.ts";

/** https://docs.oracle.com/en/database/oracle/oracle-database/19/adjsn/function-JSON_VALUE.html */
const SCALAR = words("JSON_VALUE($1, $2 RETURNING VARCHAR2(4000) ERROR ON ERROR NULL ON EMPTY)", { type: TEXT });
/** The path ends with `type()`, which takes an array as a whole, as `size()` does. */
const KIND = words("JSON_VALUE($1, $2)", { type: TEXT });
const SIZE = words("JSON_VALUE($1, $2 RETURNING NUMBER)", { type: INTEGER });

/** Text that is no number raises ORA-01722. */
const raised = (text: string): string => `TO_CHAR(TO_NUMBER(${text}))`;

/**
 * Type of the member, NULL if there is none, and its scalar. Objects and arrays raise, and so do numbers whose text may differ from
 * PostgreSQL's.
 */
const textTemplate = (string: string) =>
  words(
    `CASE $1 WHEN 'string' THEN ${string} WHEN 'boolean' THEN $2 WHEN 'number' THEN CASE WHEN REGEXP_LIKE($2, '${PLAIN_NUMBER}') THEN $2 ELSE ${raised("'!' || $2")} END WHEN 'null' THEN NULL ELSE ${raised("$1")} END`,
    { type: TEXT },
  );

const MEMBER_TEXT = textTemplate("$2");
/** An empty text, which would be NULL, raises. */
const PRESENT_TEXT = textTemplate(`COALESCE($2, ${raised("$1")})`);
/** NULL where the text is NULL in PostgreSQL. */
const PRESENCE = words("NULLIF($1, 'null')", { type: TEXT });

const TYPE_NAME = words(
  `CASE WHEN $1 IN ('object', 'array', 'string', 'number', 'boolean', 'null') THEN $1 WHEN $1 IN ('double', 'float') THEN 'number' ELSE ${raised("$1")} END`,
  { type: TEXT },
);
const LENGTH = words("CASE WHEN $1 = 'array' THEN $2 ELSE TO_NUMBER($1) END", { type: INTEGER });

const withMethod = ({ document, steps }: Path, method: string, at: Expression): readonly Expression[] => [
  document,
  text(`${dollarPath(steps)}.${method}()`, at),
];

const kind = (path: Path, at: Expression): Expression => spelled(KIND, withMethod(path, "type", at), at);

export const JSON_READING = jsonReading({
  kind,
  relaxed: "names and positions",
  text(path, name, at) {
    const value = spelled(SCALAR, [path.document, text(dollarPath(path.steps), at)], at);
    return spelled(MEMBER_TEXT, [name, value], at);
  },
  typeName: (name, at) => spelled(TYPE_NAME, [name], at),
  length: (path, name, at) => spelled(LENGTH, [name, spelled(SIZE, withMethod(path, "size", at), at)], at),
  isSayable: isPlainName,
});

/** Whether the node is the text of a member, which may be empty. */
export const isMemberText = (node: Expression): node is Spelled => isSpelled(node, MEMBER_TEXT);

/** The same text, which raises if it is empty. */
export const presentMemberText = (node: Spelled): Spelled => ({ ...node, template: PRESENT_TEXT });

/** A value that is NULL where the text of the member is NULL in PostgreSQL. */
export const presenceOfMember = ({ parts, span }: Spelled): Expression =>
  spelled(PRESENCE, parts.slice(0, 1), { span });

/** The text of a member if it has the form, NULL if there is none; any other raises. Numbers may have another text than PostgreSQL's. */
export const memberOfForm = ({ parts, span }: Spelled, pattern: string, options: "cn" | "in" = "cn"): Expression =>
  spelled(
    words(
      `CASE WHEN $1 IN ('string', 'number', 'boolean', 'double', 'float') THEN CASE WHEN REGEXP_LIKE($2, '${pattern}', '${options}') THEN $2 ELSE ${raised("'!' || $2")} END WHEN $1 <> 'null' THEN ${raised("$1")} END`,
      { type: TEXT },
    ),
    parts,
    { span },
  );

/**
 * An array without NULLs, whose brackets no text between quotes has at its ends; of NULL nothing is left. More than 4000 bytes raise.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_ARRAY.html
 */
const QUOTED = words("RTRIM(LTRIM(JSON_ARRAY($1 RETURNING VARCHAR2(4000)), '['), ']')", { type: TEXT });

export const jsonTexts = (mayBeEmpty: (value: Expression) => boolean): JsonTexts => ({
  quoted(value, at) {
    if (!mayBeEmpty(value)) return spelled(QUOTED, [value], at);
    throw unsupported("json of a text that may be empty", at.span, "Use a column as it is.");
  },
});
