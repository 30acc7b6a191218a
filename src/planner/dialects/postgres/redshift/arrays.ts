/**
 * Arrays, which are SUPER values whose elements have types of their own: https://docs.aws.amazon.com/redshift/latest/dg/r_SUPER_type.html.
 * Whether texts in them are equal beside blanks at their ends is not documented: a member is looked for in the JSON text of the array.
 */
import { isNullable } from "../../../binding/nullability.ts";
import { unsupported } from "../../../diagnostics.ts";
import {
  comparedWithNone,
  elementTypeOf,
  isArrayOf,
  isRepeatable,
  joinedArrays,
  membership,
  placesOf,
  soughtElements,
} from "../../../lowering/arrays/array-values.ts";
import { naturalOf } from "../../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import {
  call,
  cases,
  comparison,
  inPlaceOf,
  integer,
  logical,
  not,
  text,
  typed,
  values,
} from "../../../syntax/build.ts";
import type { Binary, Call, Expression, Quantified, Slice, Subscript, Template } from "../../../syntax/tree.ts";
import { BIGINT, BOOLEAN, INTEGER, JSON_PART, type SqlType, TEXT, typeOrUnknown } from "../../../types.ts";
import { TEXTS } from "./exact-text.ts";
import { SUPER_PATH } from "./json.ts";

/** Elements that are read and made. */
export const ELEMENTS = ["text", "integer"] as const;
const COUNTED = ["text", "integer", "decimal", "float", "boolean"] as const;

export const refused = ({ span }: Expression) => unsupported(UNSUPPORTED.arrays.refused, span, UNSUPPORTED.arrays.hint);

// ------------------------------------------------------------------------------------------------------ elements

/** An element of another type raises, because the word is no number. */
const TYPED: Readonly<Partial<Record<SqlType["kind"], Template>>> = {
  text: words(
    "CASE WHEN JSON_TYPEOF($1) = 'string' THEN CAST($1 AS VARCHAR(65535)) " +
      "WHEN JSON_TYPEOF($1) <> 'null' THEN CAST(CAST(JSON_TYPEOF($1) AS INTEGER) AS VARCHAR(65535)) END",
    { type: TEXT },
  ),
  integer: words(
    "CASE WHEN JSON_TYPEOF($1) = 'number' THEN CAST($1 AS BIGINT) " +
      "WHEN JSON_TYPEOF($1) <> 'null' THEN CAST(JSON_TYPEOF($1) AS BIGINT) END",
    { type: BIGINT },
  ),
};

/** An element of the type that the array has in the model. */
export function typedElement(value: Expression, { kind }: SqlType, at: Expression): Expression {
  const template = TYPED[kind];
  if (template === undefined) throw refused(at);
  return spelled(template, [value], inPlaceOf(at));
}

/** `a[2]` of a column: NULL where there is no such element. https://docs.aws.amazon.com/redshift/latest/dg/super-configurations.html */
export function elementOf(node: Subscript): Expression {
  const { operand, index } = node;
  const place = naturalOf(index);
  if (place === undefined || place === 0 || operand.kind !== "bound" || !isArrayOf(operand, ELEMENTS)) {
    throw unsupported("an element of this", node.span);
  }
  const value = call(SUPER_PATH, [operand, integer(place - 1, index)], typed(JSON_PART, node));
  return typedElement(value, elementTypeOf(operand), node);
}

// ---------------------------------------------------------------------------------------------------------- counts

/** https://docs.aws.amazon.com/redshift/latest/dg/get_array_length.html */
const SIZE = words("CASE WHEN IS_ARRAY($1) THEN GET_ARRAY_LENGTH($1) END", { type: INTEGER });
const SIZE_OF_PRESENT = words("GET_ARRAY_LENGTH($1)", { type: INTEGER });

const sizeOf = (array: Expression, { span }: Expression): Expression =>
  spelled(isNullable(array) ? SIZE : SIZE_OF_PRESENT, [array], { span });

/** `cardinality(a)`, and `array_length(a, 1)` or `array_upper(a, 1)`, which are NULL where there is no element. */
export function countOfElements(node: Call): Expression {
  const [array, dimension] = values(node);
  const isLength = node.name[0]?.name !== "cardinality";
  const isFirst = !isLength || (dimension !== undefined && naturalOf(dimension) === 1);
  if (!isArrayOf(array, COUNTED) || !isRepeatable(array) || !isFirst) throw refused(node);
  const size = sizeOf(array, node);
  return isLength ? call("nullif", [size, integer(0, node)], inPlaceOf(node)) : size;
}

/** `a = '{}'` and `a <> '{}'`; `undefined` for other comparisons. */
export const emptiness = (node: Binary): Expression | undefined =>
  comparedWithNone(node, (array) => sizeOf(array, node));

// --------------------------------------------------------------------------------------------------------- members

/** https://docs.aws.amazon.com/redshift/latest/dg/array_contains.html: the last word says that a NULL may be any value. */
const CONTAINS = words("CASE WHEN IS_ARRAY($1) THEN ARRAY_CONTAINS($1, $2, FALSE) END", { type: BOOLEAN });
const CONTAINS_NULLABLE = words(
  "CASE WHEN GET_ARRAY_LENGTH($1) = 0 THEN FALSE WHEN IS_ARRAY($1) THEN ARRAY_CONTAINS($1, $2, FALSE) END",
  { type: BOOLEAN },
);
const HOLDS = words("CASE WHEN IS_ARRAY($1) THEN ARRAY_CONTAINS($1, $2, TRUE) END", { type: BOOLEAN });

/** Every quote in the JSON text of an element has a backslash before it: https://docs.aws.amazon.com/redshift/latest/dg/r_json_serialize.html */
const FOUND =
  "STRPOS(COLLATE(',' || SUBSTRING(JSON_SERIALIZE($1), 2, LEN(JSON_SERIALIZE($1)) - 2) || ',', 'case_sensitive'), $2) > 0";
const HOLDS_TEXT = words(`CASE WHEN IS_ARRAY($1) THEN ${FOUND} END`, { type: BOOLEAN });
const CONTAINS_TEXT = words(
  `CASE WHEN ${FOUND} THEN TRUE WHEN IS_ARRAY($1) AND NOT ARRAY_CONTAINS($1, NULL, TRUE) THEN FALSE END`,
  { type: BOOLEAN },
);

/** Texts that are the same in JSON, and begin with nothing that stands between elements. */
const PLAIN = /^[A-Za-z0-9_ .:;+#()*=!?%@$-][A-Za-z0-9_ .,:;+#()*=!?%@$-]*$/;

const inJson = (value: Expression): Expression | undefined =>
  value.kind === "string" && PLAIN.test(value.value) ? text(`,"${value.value}",`, value) : undefined;

/** `x = ANY (a)` and `x <> ALL (a)`; `undefined` for arrays that are written out, and for other comparisons. */
export function isMember(node: Quantified): Expression | undefined {
  const { operand, array } = node;
  const sought = membership(node);
  if (sought === undefined || array === undefined || array.kind === "array" || !isRepeatable(array)) return undefined;
  const found = memberOf(array, operand, node);
  return found === undefined || sought === "any" ? found : not(found);
}

function memberOf(array: Expression, operand: Expression, { span }: Expression): Expression | undefined {
  const { kind } = typeOrUnknown(operand);
  if (!isArrayOf(array, ELEMENTS) || elementTypeOf(array).kind !== kind) return undefined;
  if (kind === "integer")
    return spelled(isNullable(operand) ? CONTAINS_NULLABLE : CONTAINS, [array, operand], { span });
  const json = inJson(operand);
  return json && spelled(CONTAINS_TEXT, [array, json], { span });
}

/** Whether each of the values that are written out is in the array, whose NULLs are equal to none. */
function heldIn(array: Expression, sought: Expression): readonly Expression[] | undefined {
  if (!isRepeatable(array) || array.kind === "array") return undefined;
  const held = soughtElements(array, sought, ELEMENTS)?.map((each) => {
    if (typeOrUnknown(each).kind === "integer") return spelled(HOLDS, [array, each], sought);
    const json = inJson(each);
    return json && spelled(HOLDS_TEXT, [array, json], sought);
  });
  return held?.every((each) => each !== undefined) ? held : undefined;
}

/** `a @> ARRAY['x', 'y']`. */
export function holdsAll(node: Binary, array: Expression, sought: Expression): Expression {
  return logical("and", heldIn(array, sought) ?? fail(node, "an array in another"), node);
}

/** `a && ARRAY['x', 'y']`. */
export function shares(node: Binary): Expression {
  const { left, right } = node;
  return logical(
    "or",
    heldIn(left, right) ?? heldIn(right, left) ?? fail(node, "arrays that are compared with &&"),
    node,
  );
}

function fail({ span }: Binary, what: string): never {
  throw unsupported(what, span, "Write one of them out, with values of letters and digits: a @> ARRAY['x'].");
}

/** Counted from 0, and -1 where there is none: https://docs.aws.amazon.com/redshift/latest/dg/array_position.html */
const PLACE = words("CASE WHEN IS_ARRAY($1) THEN NULLIF(ARRAY_POSITION($1, $2, TRUE) + 1, 0) END", { type: BIGINT });

/** `array_position(a, x)` of whole numbers, and of an array that is written out. */
export function positionOf(node: Call): Expression {
  const [array, value, ...others] = values(node);
  if (array === undefined || value === undefined || others.length > 0) throw refused(node);
  if (array.kind === "array" && isRepeatable(array) && isRepeatable(value)) {
    const branches = array.elements.map((element, index) => ({
      when: TEXTS.equality(comparison(value, "=", element, node) as Binary),
      then: integer(index + 1, node),
    }));
    if (branches.length > 0 && !array.elements.some(isNullable)) return cases(branches, undefined, inPlaceOf(node));
  }
  if (isNullable(value)) throw unsupported("the position of a value that may be NULL", value.span);
  if (typeOrUnknown(value).kind !== "integer" || !isArrayOf(array, ["integer"]) || !isRepeatable(array)) {
    throw refused(node);
  }
  return spelled(PLACE, [array, value], inPlaceOf(node));
}

// ------------------------------------------------------------------------------------------------------------ made

/** https://docs.aws.amazon.com/redshift/latest/dg/r_array_concat.html */
const JOINED = words("ARRAY_CONCAT($1, $2)");

const joined = (left: Expression, right: Expression, at: Expression): Expression =>
  joinedArrays({ kinds: ELEMENTS, both: (a, b) => spelled(JOINED, [a, b], at), refused }, left, right, at);

export const joinedOperands = (node: Binary): Expression => joined(node.left, node.right, node);

/** `array_cat(a, b)`, and `array_append(a, x)` and `array_prepend(x, a)`, whose element may be a NULL. */
export function joinedCall(node: Call): Expression {
  const [a, b] = values(node);
  if (a === undefined || b === undefined) throw refused(node);
  return joined(a, b, node);
}

/** The manual does not say what a part is that is longer than the array: https://docs.aws.amazon.com/redshift/latest/dg/r_subarray.html */
const PART = words(
  "CASE WHEN GET_ARRAY_LENGTH($1) > $2 THEN SUBARRAY($1, $2, LEAST($3, GET_ARRAY_LENGTH($1) - $2)) WHEN IS_ARRAY($1) THEN JSON_PARSE('[]') END",
);
const REST = words(
  "CASE WHEN GET_ARRAY_LENGTH($1) > $2 THEN SUBARRAY($1, $2, GET_ARRAY_LENGTH($1) - $2) WHEN IS_ARRAY($1) THEN JSON_PARSE('[]') END",
);
const NONE = words("CASE WHEN IS_ARRAY($1) THEN JSON_PARSE('[]') END");

export function slice(node: Slice): Expression {
  const { operand } = node;
  const [first, last] = placesOf(node);
  if (!isArrayOf(operand, ELEMENTS) || !isRepeatable(operand)) throw refused(node);
  const start = integer(first - 1, node);
  if (last === undefined) return spelled(REST, [operand, start], node);
  if (last < first) return spelled(NONE, [operand], node);
  return spelled(PART, [operand, start, integer(last - first + 1, node)], node);
}

const TEXT_ARRAY: SqlType = { kind: "array", element: TEXT };

/**
 * A text in JSON, in which the separator ends one text and begins another. An empty text has no parts, and NULL none that are known.
 * https://docs.aws.amazon.com/redshift/latest/dg/r_json_serialize.html
 */
const SPLIT = words(`JSON_PARSE(REPLACE(REPLACE(NULLIF(JSON_SERIALIZE(ARRAY($1)), '[null]'), '[""]', '[]'), $2, $3))`, {
  type: TEXT_ARRAY,
});

/** Characters that JSON writes as they are, and that are no part of what it writes otherwise. */
const SEPARATOR = /^[ ,;|:._+#*=!?%@$~^-]$/;

export function split(node: Call): Expression {
  const [value, separator, ...others] = values(node);
  if (value === undefined || separator?.kind !== "string" || !SEPARATOR.test(separator.value) || others.length > 0) {
    throw unsupported("splitting a text by this", node.span, "Write one sign as a literal.");
  }
  return spelled(SPLIT, [value, separator, text('","', separator)], node);
}
