/**
 * Arrays and what is asked of them; their elements are variants: https://docs.snowflake.com/en/sql-reference/data-types-semistructured.
 * Elements that are NULL are nulls of json, which ARRAY_COMPACT leaves out.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import {
  comparedWithNone,
  elementTypeOf,
  isArrayOf,
  membership,
  soughtElements,
} from "../../lowering/arrays/array-values.ts";
import { naturalOf } from "../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { call, inPlaceOf, integer, logical, not, renamed, typed, values, withArguments } from "../../syntax/build.ts";
import type { Binary, BoundColumn, Call, Expression, Quantified, Subscript, Template } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { joinedTexts } from "./aggregates.ts";
import { textOf } from "./casts.ts";

/** ARRAY_CONTAINS is false where only a NULL could be the value: https://docs.snowflake.com/en/sql-reference/functions/array_contains */
const CONTAINS = words(
  "CASE WHEN ARRAY_SIZE($2) = 0 THEN FALSE WHEN ARRAY_CONTAINS(TO_VARIANT($1), $2) THEN TRUE " +
    "WHEN ARRAY_SIZE(ARRAY_COMPACT($2)) = ARRAY_SIZE($2) THEN FALSE END",
  { type: BOOLEAN },
);
const CONTAINS_NULLABLE = words(
  "CASE WHEN ARRAY_SIZE($2) = 0 THEN FALSE WHEN $1 IS NULL THEN NULL WHEN ARRAY_CONTAINS(TO_VARIANT($1), $2) THEN TRUE " +
    "WHEN ARRAY_SIZE(ARRAY_COMPACT($2)) = ARRAY_SIZE($2) THEN FALSE END",
  { type: BOOLEAN },
);
const TEXTS: SqlType = { kind: "array", element: TEXT };
const JOINED = words("ARRAY_TO_STRING(ARRAY_COMPACT($1), $2)", { type: TEXT });
const ELEMENTS: Readonly<Partial<Record<SqlType["kind"], Template>>> = {
  text: words("CAST(GET($1, $2) AS VARCHAR)", { type: TEXT }),
  integer: words("CAST(GET($1, $2) AS BIGINT)", { type: BIGINT }),
  boolean: words("CAST(GET($1, $2) AS BOOLEAN)", { type: BOOLEAN }),
};

/** A column of an array with elements of these kinds. */
function isColumn(array: Expression | undefined, kinds: readonly SqlType["kind"][]): array is BoundColumn {
  const type = array && typeOrUnknown(array);
  return array?.kind === "bound" && type?.kind === "array" && kinds.includes(type.element.kind);
}

/** `x = ANY (a)` and `x <> ALL (a)` of a column; `undefined` for any other. */
export function isMemberOfColumn(node: Quantified): Expression | undefined {
  const { operand, array, span } = node;
  const sought = membership(node);
  if (sought === undefined) return undefined;
  const { kind } = typeOrUnknown(operand);
  if ((kind !== "text" && kind !== "integer") || !isColumn(array, [kind])) return undefined;
  const isPresent = !isNullable(operand);
  // The template of values that may be NULL repeats them.
  if (!isPresent && operand.kind !== "bound") return undefined;
  const found = spelled(isPresent ? CONTAINS : CONTAINS_NULLABLE, [operand, array], { span });
  return sought === "any" ? found : not(found);
}

/** `a[2]`: NULL where there is no such element. */
export function elementOf(node: Subscript): Expression {
  const { operand, index } = node;
  const place = naturalOf(index);
  const template = ELEMENTS[typeOrUnknown(node).kind];
  if (place === undefined || place === 0 || template === undefined || typeOrUnknown(operand).kind !== "array") {
    throw unsupported("an element of this", node.span);
  }
  return spelled(template, [operand, integer(place - 1, index)], inPlaceOf(node));
}

/** `cardinality(a)`, and `array_length(a, 1)` or `array_upper(a, 1)`, which are NULL where there is no element. */
export function sizeOf(node: Call): Expression {
  const [array, dimension] = values(node);
  const isLength = node.name[0]?.name !== "cardinality";
  const isFirst = !isLength || (dimension !== undefined && naturalOf(dimension) === 1);
  if (!isArrayOf(array, ["text", "integer", "decimal", "float", "boolean", "date"]) || !isFirst) throw refused(node);
  const size = call("array_size", [array], typed(BIGINT, node));
  return isLength ? call("nullif", [size, integer(0, node)], inPlaceOf(node)) : size;
}

/** `array_to_string(a, ', ')` of an array of texts; of collected rows it is `string_agg`. */
export function joinedElements(node: Call): Expression {
  const [array, separator, ...others] = values(node);
  if (array === undefined || separator?.kind !== "string" || others.length > 0) throw refused(node);
  if (array.kind === "call" && array.name[0]?.name === "array_agg") return joinedRows(array, separator, node);
  if (array.kind === "array" && isArrayOf(array, ["text", "integer"])) {
    const elements = array.elements.map((element) => textOf(element, element));
    return spelled(JOINED, [{ ...array, elements, type: TEXTS }, separator], inPlaceOf(node));
  }
  if (!isArrayOf(array, ["text"])) throw refused(node);
  return spelled(JOINED, [array, separator], inPlaceOf(node));
}

/** A boolean in an array is shown as `t`. */
function joinedRows(array: Call, separator: Expression, node: Call): Expression {
  const [value] = values(array);
  if (value === undefined || typeOrUnknown(value).kind === "boolean") throw refused(node);
  return joinedTexts({ ...withArguments(renamed(array, "string_agg"), [value, separator]), type: TEXT });
}

const PLACE = words("(ARRAY_POSITION(TO_VARIANT($1), $2) + 1)", { type: BIGINT });

/** The first place of a value, counted from 1: https://docs.snowflake.com/en/sql-reference/functions/array_position */
export function positionOf(node: Call): Expression {
  const [array, value, ...others] = values(node);
  if (array === undefined || value === undefined || others.length > 0) throw refused(node);
  // NULL is found among NULLs.
  if (isNullable(value) && !(array.kind === "array" && !array.elements.some(isNullable))) {
    throw unsupported("the position of a value that may be NULL", value.span);
  }
  const { kind } = typeOrUnknown(value);
  if ((kind !== "text" && kind !== "integer") || !isArrayOf(array, [kind])) throw refused(node);
  return spelled(PLACE, [value, array], inPlaceOf(node));
}

const HOLDS = words("ARRAY_CONTAINS(TO_VARIANT($1), $2)", { type: BOOLEAN });
const SHARE = words(
  "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN ARRAYS_OVERLAP(ARRAY_COMPACT($1), ARRAY_COMPACT($2)) END",
  { type: BOOLEAN },
);

/** `a @> ARRAY['x', 'y']`: every value is in the column, whose NULLs are equal to none. */
export function holdsAll(node: Binary, array: Expression, sought: Expression): Expression {
  return logical("and", heldIn(array, sought) ?? fail(node), node);
}

/** `a && ARRAY['x', 'y']`, and `a && b`: NULLs are shared by no arrays. */
export function shares(node: Binary): Expression {
  const { left, right } = node;
  const held = heldIn(left, right) ?? heldIn(right, left);
  if (held !== undefined) return logical("or", held, node);
  const { kind } = typeOrUnknown(left).kind === "array" ? elementTypeOf(left) : { kind: "null" };
  if ((kind !== "text" && kind !== "integer") || !isColumn(left, [kind]) || !isColumn(right, [kind])) fail(node);
  return spelled(SHARE, [left, right], node);
}

/** Whether a column holds each of the values that are written out, none of which may be NULL. */
function heldIn(array: Expression, sought: Expression): readonly Expression[] | undefined {
  if (array.kind !== "bound") return undefined;
  const elements = soughtElements(array, sought, ["text", "integer"]);
  return elements?.map((each) => spelled(HOLDS, [each, array], sought));
}

function fail({ span }: Binary): never {
  throw unsupported("an array in another", span, "Write the contained one out: a @> ARRAY[1, 2].");
}

/** `a = '{}'` and `a <> '{}'`; `undefined` for other comparisons. */
export const emptiness = (node: Binary): Expression | undefined =>
  comparedWithNone(node, (array) => call("array_size", [array], typed(BIGINT, node)));

export const refused = ({ span }: Expression) => unsupported(UNSUPPORTED.arrays.refused, span, UNSUPPORTED.arrays.hint);
