/** Lookup of JSON members in a text; every unexpected form raises. */
import { words } from "../../lowering/templates/template.ts";
import { JSON_PART, TEXT } from "../../types.ts";

/** `_j` is the document, evaluated once; a value of the type JSON is converted to its text. */
const ofDocument = (body: string): string =>
  `arrayElement(arrayMap(_j -> multiIf(isNull(_j), NULL, ${body}), [toNullable(toString($1))]), 1)`;

const raises = (condition: string, problem: string): string => `throwIf(${condition}, '${problem}') = 1, NULL`;

/** Constructs that ClickHouse's parser does not accept, such as numbers of 64 bits and more, give no value. */
export const UNREADABLE_JSON =
  "throwIf(JSONType(_j) = 'Null' AND trimBoth(_j) != 'null', 'json that cannot be read') = 1";
const UNREADABLE = `${UNREADABLE_JSON}, NULL`;

/** Numbers whose text would change: with an exponent, trailing zeros or many digits. */
const REWRITTEN = "[0-9][eE]|[.][0-9]*0(?:[^0-9]|$)|[0-9.]{17}|-0(?:[^0-9.]|$)";
const STRINGS = '"(?:[^"\\\\\\\\]|\\\\\\\\.)*"';

/** Whether a document has such numbers outside of its texts. */
export const hasRewrittenNumbers = (document: string): string =>
  `match(replaceRegexpAll(assumeNotNull(${document}), '${STRINGS}', ''), '${REWRITTEN}')`;

const sure = (raw: string): string =>
  raises(
    `NOT startsWith(${raw}, '"') AND ${raw} != '' AND ${hasRewrittenNumbers("_j")}`,
    "a number in json that would be written anew",
  );

const found = (raw: string): string => `${sure(raw)}, nullIf(${raw}, '')`;

const MEMBER = "JSONExtractRaw(_j, $2)";
const once = raises("countEqual(JSONExtractKeys(assumeNotNull(_j)), $2) > 1", "a key of json that is there twice");

const TYPES = ["{object", "[array", '"string', "tboolean", "fboolean", "nnull"]
  .map((type) => `startsWith(trimLeft(_j), '${type[0]}'), '${type.slice(1)}'`)
  .join(", ");

const partly = (raw: string): string => `multiIf(${found(raw)})`;

const AS_JSON = { type: JSON_PART };

export const JSON_WORDS = {
  member: words(ofDocument(`${UNREADABLE}, JSONType(_j) != 'Object', NULL, ${once}, ${found(MEMBER)}`), AS_JSON),
  element: words(ofDocument(`${UNREADABLE}, JSONType(_j) != 'Array', NULL, ${found(MEMBER)}`), AS_JSON),
  part: words(
    ofDocument(`${UNREADABLE}, JSONType(_j) = 'Array', ${partly("JSONExtractRaw(_j, $3)")}, ${once}, ${found(MEMBER)}`),
    AS_JSON,
  ),
  text: words(
    ofDocument(
      `startsWith(_j, '"'), JSONExtractString(_j), _j = 'null', NULL, ` +
        `${raises("match(_j, '^[{[]')", "the text of a json object or array")}, _j`,
    ),
    { type: TEXT },
  ),
  hasKey: words(
    ofDocument(
      `${UNREADABLE}, JSONType(_j) = 'Object', JSONHas(_j, $2), JSONType(_j) = 'Array', ` +
        `arrayExists(_r -> startsWith(_r, '"') AND JSONExtractString(_r) = $2, JSONExtractArrayRaw(assumeNotNull(_j))), ` +
        `JSONType(_j) = 'String' AND JSONExtractString(_j) = $2`,
    ),
  ),
  type: words(ofDocument(`${TYPES}, 'number'`)),
  length: words(
    ofDocument(`${raises("JSONType(_j) != 'Array'", "the length of json that is no array")}, toInt64(JSONLength(_j))`),
  ),
} as const;
