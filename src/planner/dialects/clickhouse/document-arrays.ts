/**
 * Arrays that may be NULL. ClickHouse has no type for them: a column that the model declares as `Nullable(Array(String))` holds texts of
 * JSON arrays. A rule reads such a text as a list first; a text of anything else raises. Run on ClickHouse 26.7.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import type { Expression, Span, Template } from "../../syntax/tree.ts";
import { isDocumentArray, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";

/** Kinds of elements that are read out of a document. */
type ElementKind = "text" | "integer";

export const isDocument = (value: Expression): boolean => isDocumentArray(typeOrUnknown(value));

export const refusedArray = ({ span }: { readonly span: Span }) =>
  unsupported(UNSUPPORTED.arrays.refused, span, UNSUPPORTED.arrays.hint);

/** The kind of an array's elements; `undefined` for those that are not looked up. */
export function elementKind(array: Expression): ElementKind | "null" | undefined {
  const type = typeOrUnknown(array);
  const kind = type.kind === "array" ? type.element.kind : undefined;
  return kind === "text" || kind === "integer" || kind === "null" ? kind : undefined;
}

const RAW = (document: string): string => `JSONExtractArrayRaw(assumeNotNull(${document}))`;

/** Whether an element, as it is written, is of another type; and the list of a document without such elements. */
const READINGS: Readonly<
  Record<ElementKind, { readonly isOther: string; readonly list: (document: string) => string }>
> = {
  text: {
    isOther: `_r != 'null' AND NOT startsWith(_r, '"')`,
    list: (document) => `JSONExtract(assumeNotNull(${document}), 'Array(Nullable(String))')`,
  },
  integer: {
    isOther: "_r != 'null' AND isNull(accurateCastOrNull(_r, 'Int64'))",
    list: (document) => `arrayMap(_r -> accurateCastOrNull(_r, 'Int64'), ${RAW(document)})`,
  },
};

/** The list of a document, empty if that is NULL. */
function listIn(document: string, kind: ElementKind): string {
  const { isOther, list } = READINGS[kind];
  const isOfOthers = `JSONType(${document}) != 'Array' OR arrayExists(_r -> ${isOther}, ${RAW(document)})`;
  const raises = `throwIf(${isOfOthers}, 'A document that is no array of such elements') = 1`;
  return `multiIf(isNull(${document}), [], ${raises}, [], ${list(document)})`;
}

/** The document of a list. */
const TEXT_OF_LIST: Readonly<Record<ElementKind, (list: string) => string>> = {
  text: (list) => `toJSONString(${list})`,
  integer: (list) => `concat('[', arrayStringConcat(arrayMap(_e -> ifNull(toString(_e), 'null'), ${list}), ','), ']')`,
};

const listOfPart = (kind: ElementKind): Template =>
  words(`arrayElement(arrayMap(_d -> ${listIn("_d", kind)}, [toNullable($1)]), 1)`);

const LISTS: Readonly<Record<ElementKind, Template>> = { text: listOfPart("text"), integer: listOfPart("integer") };

function kindOf(array: Expression): ElementKind {
  const kind = elementKind(array);
  if (kind === undefined) throw refusedArray(array);
  return kind === "null" ? "text" : kind;
}

/** A document as an array of ClickHouse's, without elements if it is NULL; any other array as it is. */
export function listOf(array: Expression): Expression {
  const type = typeOrUnknown(array);
  if (type.kind !== "array" || !isDocument(array)) return array;
  const own: SqlType = { kind: "array", element: type.element };
  return { ...spelled(LISTS[kindOf(array)], [array], array), type: own };
}

const DOCUMENTS: Readonly<Record<ElementKind, Template>> = {
  text: words(TEXT_OF_LIST.text("$1"), { nulls: "never" }),
  integer: words(TEXT_OF_LIST.integer("$1"), { nulls: "never" }),
};

/** A list, which is not NULL, as a document. */
export const documentOf = (list: Expression, type: SqlType): Expression =>
  spelled(DOCUMENTS[kindOf(list)], [list], { span: list.span, type });

/** A question about lists. */
export interface Question {
  readonly arrays: readonly Expression[];
  /** Literals that the body names as `$2`, `$3` …, behind the arrays. */
  readonly words?: readonly Expression[];
  readonly others?: readonly Expression[];
  /** ClickHouse's SQL: `_a1` is the first list, `_x1` the first of the other values, and `$2` the literal behind one list. */
  readonly body: string;
  /** When the answer is NULL beside NULL arrays. */
  readonly nulls?: "of any" | "of all" | "never";
  /** The answer is an array: a document, if that is its type. */
  readonly isArray?: boolean;
}

export function asked(question: Question, at: Expression): Expression {
  const { arrays, words: written = [], others = [], body, nulls = "of any", isArray = false } = question;
  const type = typeOrUnknown(at);
  const places = arrays.map((array, index) => ({ array, name: `_d${index + 1}`, part: `$${index + 1}` }));
  const lists = places.map(({ array, name }) => `[${isDocument(array) ? listIn(name, kindOf(array)) : name}]`);
  const answer = isArray && isDocumentArray(type) ? TEXT_OF_LIST[kindOf(at)](body) : body;
  const ofLists = overEach(
    arrays.map((_, index) => `_a${index + 1}`),
    lists,
    answer,
  );
  const nullable = places
    .filter(({ array }) => isDocument(array) && isNullable(array))
    .map(({ name }) => `isNull(${name})`);
  const isSure = nulls === "never" || nullable.length === 0 || (nulls === "of all" && nullable.length < arrays.length);
  if (!isSure && isArray && !isDocumentArray(type)) throw refusedArray(at);
  const present = isSure ? ofLists : `if(${nullable.join(nulls === "of all" ? " AND " : " OR ")}, NULL, ${ofLists})`;
  const first = arrays.length + written.length;
  const text = overEach(
    [...places.map(({ name }) => name), ...others.map((_, index) => `_x${index + 1}`)],
    [
      ...places.map(({ array, part }) => (isDocument(array) ? `[toNullable(${part})]` : `[${part}]`)),
      ...others.map((_, index) => `[$${first + index + 1}]`),
    ],
    present,
  );
  return spelled(words(text), [...arrays, ...written, ...others], at);
}

/** Variables that are bound to the only elements of arrays. */
const overEach = (variables: readonly string[], arrays: readonly string[], body: string): string =>
  `arrayElement(arrayMap((${variables.join(", ")}) -> ${body}, ${arrays.join(", ")}), 1)`;

/** The document as it is written here: equal arrays have one. */
export const canonical = (array: Expression): Expression =>
  asked({ arrays: [array], body: "_a1", isArray: true }, array);

/** A text by which arrays are in PostgreSQL's order: one element after the other, and NULL is the last of them. */
export function orderText(array: Expression): Expression {
  const shown =
    kindOf(array) === "text"
      ? "_e"
      : "leftPad(hex(bitXor(reinterpretAsUInt64(assumeNotNull(_e)), 9223372036854775808)), 16, '0')";
  const part = `if(isNull(_e), '\\x02', concat('\\x01', ${shown}, '\\0'))`;
  const body = `arrayStringConcat(arrayMap(_e -> ${part}, _a1))`;
  return asked({ arrays: [array], body }, { kind: "null", span: array.span, type: TEXT });
}
