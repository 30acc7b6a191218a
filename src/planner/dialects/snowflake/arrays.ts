/**
 * Columns of arrays, whose elements are variants: https://docs.snowflake.com/en/sql-reference/data-types-semistructured.
 * Elements that are NULL are nulls of json, which ARRAY_COMPACT leaves out.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { naturalOf } from "../../lowering/written-counts.ts";
import { call, inPlaceOf, integer, not, typed, values } from "../../syntax/build.ts";
import type { BoundColumn, Call, Expression, Quantified, Subscript } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";

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
const JOINED = words("ARRAY_TO_STRING(ARRAY_COMPACT($1), $2)", { type: TEXT });
const ELEMENT_OF_TEXTS = words("CAST(GET($1, $2) AS VARCHAR)", { type: TEXT });
const ELEMENT_OF_INTEGERS = words("CAST(GET($1, $2) AS BIGINT)", { type: BIGINT });

/** A column of an array of texts or integers; arrays that an expression makes are refused. */
function isColumn(array: Expression | undefined, kinds: readonly SqlType["kind"][]): array is BoundColumn {
  const type = array && typeOrUnknown(array);
  return array?.kind === "bound" && type?.kind === "array" && kinds.includes(type.element.kind);
}

/** `x = ANY (a)` and `x <> ALL (a)` of a column; `undefined` for any other. */
export function isMemberOfColumn({ operand, operator, quantifier, array, span }: Quantified): Expression | undefined {
  const isAny = operator === "=" && quantifier === "any";
  if (!isAny && !(operator === "<>" && quantifier === "all")) return undefined;
  const { kind } = typeOrUnknown(operand);
  if ((kind !== "text" && kind !== "integer") || !isColumn(array, [kind])) return undefined;
  const isPresent = !isNullable(operand);
  // The template of values that may be NULL repeats them.
  if (!isPresent && operand.kind !== "bound") return undefined;
  const found = spelled(isPresent ? CONTAINS : CONTAINS_NULLABLE, [operand, array], { span });
  return isAny ? found : not(found);
}

export function elementOfColumn(node: Subscript): Expression {
  const { operand, index } = node;
  const place = naturalOf(index);
  if (place === undefined || place === 0 || !isColumn(operand, ["text", "integer"])) {
    throw unsupported("an element of this", node.span);
  }
  const isText = typeOrUnknown(node).kind === "text";
  return spelled(
    isText ? ELEMENT_OF_TEXTS : ELEMENT_OF_INTEGERS,
    [operand, integer(place - 1, index)],
    inPlaceOf(node),
  );
}

/** `cardinality(a)`, and `array_length(a, 1)`, which is NULL where there is no element. */
export function sizeOfColumn(node: Call): Expression {
  const [array, dimension] = values(node);
  const isLength = node.name[0]?.name === "array_length";
  const isFirst = !isLength || (dimension !== undefined && naturalOf(dimension) === 1);
  if (!isColumn(array, ["text", "integer", "decimal", "float", "boolean", "date"]) || !isFirst) throw refused(node);
  const size = call("array_size", [array], typed(BIGINT, node));
  return isLength ? call("nullif", [size, integer(0, node)], inPlaceOf(node)) : size;
}

export function joinedColumn(node: Call): Expression {
  const [array, separator, ...others] = values(node);
  if (!isColumn(array, ["text"]) || separator?.kind !== "string" || others.length > 0) throw refused(node);
  return spelled(JOINED, [array, separator], inPlaceOf(node));
}

const refused = ({ span }: Expression) => unsupported(UNSUPPORTED.arrays.refused, span, UNSUPPORTED.arrays.hint);
