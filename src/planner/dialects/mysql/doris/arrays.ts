/**
 * Questions about arrays. Elements are counted from 1, and one that is missing is NULL:
 * https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/semi-structured/ARRAY
 */
import { isNullable } from "../../../binding/nullability.ts";
import { unsupported } from "../../../diagnostics.ts";
import {
  comparedWithNone,
  elementTypeOf,
  isArrayOf,
  isRepeatable,
  membership,
  soughtElements,
} from "../../../lowering/arrays/array-values.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { call, inPlaceOf, integer, logical, not, typed, values } from "../../../syntax/build.ts";
import type { Binary, Call, Expression, Quantified, Subscript } from "../../../syntax/tree.ts";
import { BIGINT, BOOLEAN, TEXT, typeOrUnknown } from "../../../types.ts";

/** Values that are compared like those of PostgreSQL. */
const COMPARED = ["text", "integer"] as const;

/** Elements whose count alone matters. */
const COUNTED = ["text", "integer", "decimal", "float", "boolean", "date", "timestamp"] as const;

/** A NULL is equal to NULLs there: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array-contains */
const CONTAINS = words("CASE WHEN ARRAY_CONTAINS($2, $1) THEN TRUE WHEN NOT ARRAY_CONTAINS($2, NULL) THEN FALSE END", {
  type: BOOLEAN,
});
const CONTAINS_NULLABLE = words(
  "CASE WHEN CARDINALITY($2) = 0 THEN FALSE WHEN $1 IS NULL THEN NULL WHEN ARRAY_CONTAINS($2, $1) THEN TRUE " +
    "WHEN NOT ARRAY_CONTAINS($2, NULL) THEN FALSE END",
  { type: BOOLEAN },
);

export const refused = ({ span }: Expression) => unsupported(UNSUPPORTED.arrays.refused, span, UNSUPPORTED.arrays.hint);

/** `x = ANY (a)` and `x <> ALL (a)`; `undefined` for arrays that are written out, and for other comparisons. */
export function isMember(node: Quantified): Expression | undefined {
  const { operand, array, span } = node;
  const sought = membership(node);
  if (sought === undefined || array === undefined || array.kind === "array" || !isRepeatable(array)) return undefined;
  const { kind } = typeOrUnknown(operand);
  if ((kind !== "text" && kind !== "integer") || !isArrayOf(array, [kind])) return undefined;
  const isPresent = !isNullable(operand);
  // The template of values that may be NULL repeats them.
  if (!isPresent && operand.kind !== "bound") return undefined;
  const found = spelled(isPresent ? CONTAINS : CONTAINS_NULLABLE, [operand, array], { span });
  return sought === "any" ? found : not(found);
}

const ELEMENT = words("ELEMENT_AT($1, $2)");

/** `a[2]`: NULL where there is no such element. */
export function elementOf(node: Subscript): Expression {
  const { operand, index } = node;
  const place = naturalOf(index);
  if (place === undefined || place === 0 || !isArrayOf(operand, COUNTED)) {
    throw unsupported("an element of this", node.span);
  }
  return spelled(ELEMENT, [operand, integer(place, index)], inPlaceOf(node));
}

const sizeOf = (array: Expression, at: Expression): Expression => call("cardinality", [array], typed(BIGINT, at));

/** `cardinality(a)`, and `array_length(a, 1)` or `array_upper(a, 1)`, which are NULL where there is no element. */
export function countOfElements(node: Call): Expression {
  const [array, dimension] = values(node);
  const isLength = node.name[0]?.name !== "cardinality";
  const isFirst = !isLength || (dimension !== undefined && naturalOf(dimension) === 1);
  if (!isArrayOf(array, COUNTED) || !isFirst) throw refused(node);
  const size = sizeOf(array, node);
  return isLength ? call("nullif", [size, integer(0, node)], inPlaceOf(node)) : size;
}

const JOINED = words("ARRAY_JOIN($1, $2)", { type: TEXT });
const JOINED_WITH_NULLS = words("ARRAY_JOIN($1, $2, $3)", { type: TEXT });

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array-join */
export function joinedElements(node: Call): Expression {
  const [array, separator, forNull, ...others] = values(node);
  if (separator?.kind !== "string" || others.length > 0 || !isArrayOf(array, COMPARED)) throw refused(node);
  if (forNull === undefined) return spelled(JOINED, [array, separator], inPlaceOf(node));
  if (forNull.kind !== "string") throw refused(node);
  return spelled(JOINED_WITH_NULLS, [array, separator, forNull], inPlaceOf(node));
}

const PLACE = words("NULLIF(ARRAY_POSITION($1, $2), 0)", { type: BIGINT });

/** https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/array-position */
export function positionOf(node: Call): Expression {
  const [array, value, ...others] = values(node);
  if (array === undefined || value === undefined || others.length > 0) throw refused(node);
  // The manual does not say which place a column's NULL has.
  if (isNullable(value) && !(array.kind === "array" && !array.elements.some(isNullable))) {
    throw unsupported("the position of a value that may be NULL", value.span);
  }
  const { kind } = typeOrUnknown(value);
  if ((kind !== "text" && kind !== "integer") || !isArrayOf(array, [kind])) throw refused(node);
  return spelled(PLACE, [array, value], inPlaceOf(node));
}

const HOLDS = words("ARRAY_CONTAINS($1, $2)", { type: BOOLEAN });

/** `a @> ARRAY['x', 'y']`: every value is in the array, whose NULLs are equal to none. */
export function holdsAll(node: Binary, array: Expression, sought: Expression): Expression {
  const elements = isRepeatable(array) ? soughtElements(array, sought, COMPARED) : undefined;
  if (elements === undefined) {
    throw unsupported("an array in another", node.span, "Write the contained one out: a @> ARRAY[1, 2].");
  }
  const held = elements.map((each) => spelled(HOLDS, [array, each], sought));
  return logical("and", held, node);
}

/** Without a common value it is NULL where an array holds a NULL: https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/array-functions/arrays-overlap */
const SHARE = words("CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN COALESCE(ARRAYS_OVERLAP($1, $2), FALSE) END", {
  type: BOOLEAN,
});

/** `a && b`: NULLs are shared by no arrays. */
export function shares(node: Binary): Expression {
  const { left, right } = node;
  const kinds = COMPARED.filter((kind) => elementTypeOf(left.kind === "array" ? right : left).kind === kind);
  if (![left, right].every((side) => isArrayOf(side, kinds) && isRepeatable(side))) {
    throw unsupported("arrays that are compared with &&", node.span, "Compare columns and literals of one type.");
  }
  return spelled(SHARE, [left, right], node);
}

/** `a = '{}'` and `a <> '{}'`; `undefined` for other comparisons. */
export const emptiness = (node: Binary): Expression | undefined =>
  comparedWithNone(node, (array) => sizeOf(array, node));
