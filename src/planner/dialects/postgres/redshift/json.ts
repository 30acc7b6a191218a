/**
 * JSON by paths on Redshift, in columns of type SUPER. A path gives NULL where a name has no object and a position no array.
 * https://docs.aws.amazon.com/redshift/latest/dg/super-configurations.html
 */

import { unsupported } from "../../../diagnostics.ts";
import { isPlainName, jsonReading, type Path, PLAIN_NUMBER, type Step } from "../../../lowering/json/json-steps.ts";
import type { JsonTexts } from "../../../lowering/json/json-writing.ts";
import { isSpelled, spelled, words } from "../../../lowering/templates/template.ts";
import { call, integer, text, typed, values } from "../../../syntax/build.ts";
import type { NodePrinter } from "../../../syntax/printer.ts";
import type { Expression } from "../../../syntax/tree.ts";
import { INTEGER, JSON_PART, TEXT } from "../../../types.ts";

/** A column and the steps behind it. No function of a caller has a blank in its name. */
export const SUPER_PATH = "super path";

/** Names in quotes keep their case, because the session sets `enable_case_sensitive_identifier`. */
export const printSuperPath: NodePrinter<"call"> = (printer, node) => {
  const [document, ...steps] = values(node);
  if (document !== undefined) printer.expression(document);
  for (const step of steps) {
    if (step.kind === "string") printer.write(`."${step.value}"`);
    else if (step.kind === "number") printer.write(`[${step.text}]`);
  }
};

const valueAt = ({ document, steps }: Path, at: Expression): Expression => {
  const own = (step: Step): Expression => (typeof step === "number" ? integer(step, at) : text(step, at));
  return call(SUPER_PATH, [document, ...steps.map(own)], typed(JSON_PART, at));
};

/** https://docs.aws.amazon.com/redshift/latest/dg/r_json_typeof.html */
const KIND = words("JSON_TYPEOF($1)", { type: TEXT });
/** https://docs.aws.amazon.com/redshift/latest/dg/r_json_serialize.html */
const SERIALIZED = words("JSON_SERIALIZE($1)", { type: TEXT });

/** Objects, arrays and numbers whose text may differ from PostgreSQL's raise, because the word is no number. */
const MEMBER_TEXT = words(
  `CASE WHEN $1 = 'string' THEN CAST($2 AS VARCHAR(65535)) WHEN $1 = 'boolean' OR $1 = 'number' AND $3 ~ '${PLAIN_NUMBER}' THEN $3 WHEN $1 <> 'null' THEN CAST(CAST($1 AS INTEGER) AS VARCHAR(65535)) END`,
  { type: TEXT },
);
/** Whether the node is the text of a member. */
export const isMemberText = (node: Expression): boolean => isSpelled(node, MEMBER_TEXT);

const LENGTH = words("CASE WHEN $1 = 'array' THEN GET_ARRAY_LENGTH($2) ELSE CAST($1 AS INTEGER) END", {
  type: INTEGER,
});

/** A name has at most 127 bytes: https://docs.aws.amazon.com/redshift/latest/dg/r_names.html */
const isShort = (name: string): boolean => /^[ -~]{0,127}$/.test(name) || name.length <= 31;

export const JSON_READING = jsonReading({
  kind: (path, at) => spelled(KIND, [valueAt(path, at)], at),
  relaxed: "none",
  text(path, kind, at) {
    const value = valueAt(path, at);
    return spelled(MEMBER_TEXT, [kind, value, spelled(SERIALIZED, [value], at)], at);
  },
  typeName(_, { span }) {
    throw unsupported("the type of json that may be missing", span, "Compare j ->> 'key', or use json_array_length.");
  },
  length: (path, kind, at) => spelled(LENGTH, [kind, valueAt(path, at)], at),
  isSayable: (name) => isPlainName(name) && isShort(name),
});

/** An array is written with brackets, which no text between quotes has at its ends. https://docs.aws.amazon.com/redshift/latest/dg/r_array.html */
const QUOTED = words("CASE WHEN $1 IS NOT NULL THEN BTRIM(JSON_SERIALIZE(ARRAY($1)), '[]') END", { type: TEXT });
/** The function makes a text of NULL. */
const WRITTEN = words("CASE WHEN $1 IS NOT NULL THEN JSON_SERIALIZE($1) END", { type: TEXT });

export const JSON_TEXTS: JsonTexts = {
  quoted: (value, at) => spelled(QUOTED, [value], at),
  shown: (value, at) => spelled(WRITTEN, [value], at),
};
