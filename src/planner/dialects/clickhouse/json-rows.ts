/** Rows in FROM of the elements and members of JSON, as those of arrays. Of NULL there are none, and of what is neither array nor object an error. */
import { jsonRows, NO_ARRAY, NO_OBJECT } from "../../lowering/json/json-rows.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { typed, values } from "../../syntax/build.ts";
import type { Expression, TableFunction, Template } from "../../syntax/tree.ts";
import { JSON_PART, type SqlType, TEXT } from "../../types.ts";
import { hasRewrittenNumbers, JSON_WORDS, UNREADABLE_JSON } from "./json-spellings.ts";
import { rowsOf } from "./table-functions.ts";

const ARRAY: SqlType = { kind: "array", element: TEXT };

/** `_j` is the document, computed once. */
const ofDocument = (raises: readonly string[], rows: string): Template => {
  const branches = [UNREADABLE_JSON, ...raises].map((each) => `${each}, []`);
  const body = `multiIf(isNull(_j), [], ${branches.join(", ")}, ${rows})`;
  return words(`arrayElement(arrayMap(_j -> ${body}, [toNullable(toString($1))]), 1)`, { type: ARRAY });
};

const raises = (condition: string, problem: string): string => `throwIf(${condition}, '${problem}') = 1`;

const NOT_ARRAY = raises("JSONType(_j) != 'Array'", NO_ARRAY);
const NOT_OBJECT = raises("JSONType(_j) != 'Object'", NO_OBJECT);
const NAMED_TWICE = raises(
  "length(JSONExtractKeys(assumeNotNull(_j))) > length(arrayDistinct(JSONExtractKeys(assumeNotNull(_j))))",
  "a key of json that is there twice",
);
const ELEMENTS_RAW = "JSONExtractArrayRaw(assumeNotNull(_j))";
const VALUES_RAW = "arrayMap(_m -> tupleElement(_m, 2), JSONExtractKeysAndValuesRaw(assumeNotNull(_j)))";

const rewritten = (raw: string): string =>
  raises(
    `arrayExists(_r -> NOT startsWith(_r, '"'), ${raw}) AND ${hasRewrittenNumbers("_j")}`,
    "a number in json that would be written anew",
  );

const ELEMENTS = ofDocument([NOT_ARRAY, rewritten(ELEMENTS_RAW)], ELEMENTS_RAW);
const KEYS = ofDocument([NOT_OBJECT], "JSONExtractKeys(assumeNotNull(_j))");
const DISTINCT_KEYS = ofDocument([NOT_OBJECT], "arrayDistinct(JSONExtractKeys(assumeNotNull(_j)))");
const VALUES = ofDocument([NOT_OBJECT, NAMED_TWICE, rewritten(VALUES_RAW)], VALUES_RAW);

const ELEMENT = words("_e", { type: JSON_PART });
const TEXTS = words("arrayMap(_e -> $2, $1)", { type: ARRAY });

const made = (template: Template, { call }: TableFunction): Expression => spelled(template, values(call), call);
const texts = (array: Expression, at: TableFunction): Expression =>
  spelled(TEXTS, [array, spelled(JSON_WORDS.text, [spelled(ELEMENT, [], at)], typed(TEXT, at))], at);

export const JSON_ROWS = jsonRows({
  elements: (table) => rowsOf(table, [made(ELEMENTS, table)], [JSON_PART]),
  elementTexts: (table) => rowsOf(table, [texts(made(ELEMENTS, table), table)], [TEXT]),
  keys(table) {
    const isBinary = table.call.name[0]?.name === "jsonb_object_keys";
    return rowsOf(table, [made(isBinary ? DISTINCT_KEYS : KEYS, table)], [TEXT]);
  },
  members: (table) => rowsOf(table, [made(KEYS, table), made(VALUES, table)], [TEXT, JSON_PART]),
  memberTexts: (table) => rowsOf(table, [made(KEYS, table), texts(made(VALUES, table), table)], [TEXT, TEXT]),
});
