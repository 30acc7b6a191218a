/**
 * Questions about an array whose elements are written out, or that is collected for its text; any other is a document (`json-arrays.ts`).
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/openjson-transact-sql
 */
import { isNullable } from "../../binding/nullability.ts";
import { isCollected, refusedArray, uncollated } from "../../lowering/document-arrays.ts";
import { call, cases, comparison, inPlaceOf, integer, renamed, values, withArguments } from "../../syntax/build.ts";
import type { ArrayLiteral, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { equality } from "./exact-text.ts";
import { groupOfMatch } from "./first-matches.ts";
import { ARRAYS } from "./json-arrays.ts";
import { joinedTexts } from "./texts.ts";

const isWritten = (array: Expression): array is ArrayLiteral => array.kind === "array" && array.written === undefined;

const kindOf = (value: Expression) => typeOrUnknown(value).kind;

/** `(array)[2]`: NULL where there are fewer. */
export function elementOf(node: Subscript): Expression {
  const group = groupOfMatch(node.operand, node.index);
  if (group !== undefined) return group;
  const { index } = node;
  if (kindOf(node.operand) !== "array" || index.kind !== "number" || !/^\d{1,9}$/.test(index.text)) {
    throw refusedArray(node);
  }
  const array = uncollated(node.operand);
  return ARRAYS.elementAt(array, Number(index.text), node);
}

/** `cardinality(a)`, and `array_length(a, 1)` or `array_upper(a, 1)`, which are NULL where there is none. */
export function cardinality(node: Call): Expression {
  const [given, dimension] = values(node);
  if (given === undefined) throw refusedArray(node);
  const array = uncollated(given);
  const isLength = node.name[0]?.name !== "cardinality";
  if (isLength && (dimension?.kind !== "number" || dimension.text !== "1")) throw refusedArray(node);
  if (isWritten(array) && array.elements.some((each) => kindOf(each) === "array")) throw refusedArray(node);
  if (isWritten(array)) {
    const { length } = array.elements;
    return isLength && length === 0 ? { kind: "null", span: node.span, type: INTEGER } : integer(length, node);
  }
  const count = ARRAYS.sizeOf(array, node);
  return isLength ? call("nullif", [count, integer(0, node)], inPlaceOf(node)) : count;
}

/** `array_to_string(a, ', ')`, with a word for NULLs or without them. */
export function joinedElements(node: Call): Expression {
  const [given, separator, forNull] = values(node);
  if (given === undefined || separator === undefined) throw refusedArray(node);
  if (forNull !== undefined && forNull.kind !== "string") throw refusedArray(node);
  const array = uncollated(given);
  if (!isCollected(array)) return ARRAYS.joinedElements(array, separator, forNull, node);
  const [value] = values(array);
  // The text of a truth value in an array is `t`. NULLs are not collected.
  if (value === undefined || !["text", "integer"].includes(kindOf(value))) throw refusedArray(node);
  return { ...joinedTexts(withArguments(renamed(array, "string_agg"), [value, separator])), type: TEXT };
}

/** `array_position(a, x)`: the first of them. */
export function positionOf(node: Call): Expression {
  const [given, sought, ...others] = values(node);
  if (given === undefined || sought === undefined || others.length > 0) throw refusedArray(node);
  const array = uncollated(given);
  if (!isWritten(array) || array.elements.length === 0 || array.elements.some(isNullable)) {
    return ARRAYS.positionOf(array, sought, node);
  }
  const branches = array.elements.map((element, index) => {
    const same = comparison(sought, "=", element, node);
    return { when: equality(same), then: integer(index + 1, node) };
  });
  return cases(branches, undefined, inPlaceOf(node));
}

/** `array_replace(a, x, y)`: an aggregate takes no columns of the query around beside its own (error 8124). */
export function replacedElement(node: Call): Expression {
  const [, sought, other] = values(node);
  const isLiteral = (value: Expression | undefined): boolean => value?.kind === "string" || value?.kind === "number";
  if (!isLiteral(sought) || !isLiteral(other)) throw refusedArray(node);
  return ARRAYS.replacedElement(node);
}
