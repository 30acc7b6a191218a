/**
 * Questions about an array that does not leave the expression that it is made in: it is written out, cut out of a text, or collected of
 * rows, and the answer is a value of these. Any other array is a document (`json-arrays.ts`).
 */

import { isNullable } from "../../binding/nullability.ts";
import {
  type CutText,
  cutText,
  isCollected,
  refusedArray as refused,
  uncollated,
} from "../../lowering/arrays/document-arrays.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import {
  binary,
  call,
  cases,
  cast,
  comparison,
  inPlaceOf,
  integer,
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { ArrayLiteral, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { joinedTexts } from "./aggregates.ts";
import { nullOf, textOf } from "./casts.ts";
import { distinctness, equality } from "./exact-text.ts";
import { ARRAYS } from "./json-arrays.ts";
import { groupOfMatch } from "./regular-expressions.ts";
import { inUtf8 } from "./templates.ts";

const isWritten = (array: Expression | undefined): array is ArrayLiteral =>
  array?.kind === "array" && array.written === undefined;

// ------------------------------------------------------------------------------------------------------ an element

/** `(array)[2]`: NULL where there are fewer. */
export function elementOf(node: Subscript): Expression {
  const { index } = node;
  const array = uncollated(node.operand);
  const group = groupOfMatch(array, index);
  if (group !== undefined) return group;
  if (index.kind !== "number" || !/^\d{1,9}$/.test(index.text)) throw refused(node);
  const place = Number(index.text);
  const none = nullOf(typeOrUnknown(node), node);
  if (isWritten(array)) return array.elements[place - 1] ?? none;
  if (place === 0) return none;
  if (isCollected(array)) return collectedElement(array, place, node);
  const cut = cutText(array);
  if (cut === undefined) return ARRAYS.elementAt(array, place, node);
  const found = partOf(cut.whole, cut.separator, place, node);
  return spelled(IF_AT_LEAST, [partsIn(cut, node), integer(place, node), found], node);
}

const IF_AT_LEAST = sql("CASE WHEN $1 >= $2 THEN $3 END");
const PART = sql("substring_index(substring_index($1, $2, $3), $2, -1)", { type: TEXT });

const partOf = (whole: Expression, separator: Expression, place: number, at: Expression): Expression =>
  spelled(PART, [whole, separator, integer(place, at)], at);

/** NULLs are skipped (docs/spec/language.md). Texts go as their digits, which hold no separator. */
function collectedElement(array: Call, place: number, node: Subscript): Expression {
  const [value] = values(array);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type === undefined || array.distinct) throw refused(node);
  const at = typed(TEXT, node);
  // A real's text has six digits; of a double's none is lost.
  const isDouble = type.kind === "float" && type.bits === 64;
  const shown = isDouble ? value : textOf(value, value);
  const element = type.kind === "text" ? call("hex", [inUtf8(shown, at)], at) : shown;
  const joined: Call = { ...call("group_concat", [element, text(",", node)], at), orderBy: array.orderBy };
  const found = readBack(partOf(joined, text(",", node), place, node), type.kind, node);
  return spelled(IF_AT_LEAST, [countOf(array), integer(place, node), found], node);
}

function readBack(shown: Expression, kind: string | undefined, node: Subscript): Expression {
  const place = inPlaceOf(node);
  const type = typeOrUnknown(node);
  switch (kind) {
    case "text":
      return inUtf8(call("unhex", [shown], typed(TEXT, node)), place);
    case "boolean":
      return comparison(shown, "=", text("true", node), node);
    case "integer":
      return cast(shown, "bigint", place);
    case "float":
      return cast(shown, "double precision", place);
    case "decimal":
      return cast(shown, "numeric", place, [65, type.kind === "decimal" ? (type.scale ?? 30) : 30]);
    case "date":
      return cast(shown, "date", place);
    case "timestamp":
      if (type.kind === "timestamp" && !type.zoned) return cast(shown, "timestamp", place);
      throw refused(node);
    default:
      throw refused(node);
  }
}

// ---------------------------------------------------------------------------------------------------------- counts

const countOf = (array: Call): Call => ({
  ...withArguments(renamed(array, "count"), values(array).slice(0, 1)),
  orderBy: [],
  type: BIGINT,
});

/** The elements that a text gives: none if it is empty. `$3` is the length of the separator `$2`. */
const PARTS = sql(
  "CASE WHEN char_length($1) = 0 THEN 0 ELSE (char_length($1) - char_length(replace($1, $2, ''))) // $3 + 1 END",
  { type: INTEGER },
);

const partsIn = ({ whole, separator }: CutText, at: Expression): Expression =>
  spelled(PARTS, [whole, separator, integer([...separator.value].length, at)], at);

/** `cardinality(a)`, and `array_length(a, 1)` or `array_upper(a, 1)`, which are NULL where there is none. */
export function cardinality(node: Call): Expression {
  const [given, dimension] = values(node);
  if (given === undefined) throw refused(node);
  const array = uncollated(given);
  const isLength = node.name[0]?.name !== "cardinality";
  if (isLength && (dimension?.kind !== "number" || dimension.text !== "1")) throw refused(node);
  if (isWritten(array) && !array.elements.some(({ kind }) => kind === "array")) {
    const isNone = isLength && array.elements.length === 0;
    return isNone ? nullOf(INTEGER, node) : integer(array.elements.length, node);
  }
  if (isCollected(array)) return call("nullif", [countOf(array), integer(0, node)], inPlaceOf(node));
  const cut = cutText(array);
  const count = cut === undefined ? ARRAYS.sizeOf(array, node) : partsIn(cut, node);
  return isLength ? call("nullif", [count, integer(0, node)], inPlaceOf(node)) : count;
}

// ----------------------------------------------------------------------------------------------------------- texts

/** `array_to_string(a, ', ')`, with a word for NULLs or without them. */
export function joinedElements(node: Call): Expression {
  const [given, separator, forNull] = values(node);
  if (given === undefined || separator === undefined) throw refused(node);
  const array = uncollated(given);
  if (forNull !== undefined && forNull.kind !== "string") throw refused(node);
  const shown = (element: Expression): Expression => {
    // In an array it is `t`.
    if (typeOrUnknown(element).kind === "boolean") throw refused(element);
    return textOf(element, element);
  };
  if (isWritten(array)) {
    if (array.elements.length === 0) return text("", node);
    const parts = array.elements.map((element) => {
      const said = shown(element);
      return forNull === undefined ? said : call("coalesce", [said, forNull], typed(TEXT, element));
    });
    return call("concat_ws", [separator, ...parts], inPlaceOf(node));
  }
  if (!isCollected(array)) return ARRAYS.joinedElements(array, separator, forNull, node);
  const [value] = values(array);
  if (value === undefined) throw refused(node);
  return { ...joinedTexts(withArguments(renamed(array, "string_agg"), [shown(value), separator])), type: TEXT };
}

/** `array_position(a, x)`: the first of them. */
export function positionOf(node: Call): Expression {
  const [given, sought, ...others] = values(node);
  if (given === undefined || sought === undefined || others.length > 0) throw refused(node);
  const array = uncollated(given);
  if (!isWritten(array)) return ARRAYS.positionOf(array, sought, node);
  const branches = array.elements.map((element, index) => ({
    when: isSame(sought, element, node),
    then: integer(index + 1, node),
  }));
  return branches.length === 0 ? nullOf(INTEGER, node) : cases(branches, undefined, inPlaceOf(node));
}

/** NULL is found among NULLs. Where one side is never NULL the shorter `=` finds the same. */
function isSame(sought: Expression, element: Expression, at: Expression): Expression {
  if (isNullable(sought) && isNullable(element)) {
    return distinctness(binary(sought, "is not distinct from", element, typed(BOOLEAN, at)));
  }
  const same = comparison(sought, "=", element, at);
  return equality(same) ?? same;
}
