/** Texts of values as PostgreSQL writes them. Measured on DuckDB 1.4.5 against PostgreSQL 18. */
import { isRandom } from "../../binding/volatility.ts";
import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { call, cast, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { type SqlType, TEXT } from "../../types.ts";
import { TEXTS } from "./calls.ts";
import { MAY_BE_HALFWAY, NEAREST_TEXT } from "./halfway-doubles.ts";

/** `CASE $1 WHEN CAST('nan' AS real) THEN 'NaN' … ELSE otherwise END`; odd values have these texts with either sign. */
function namedValues(type: string, odd: readonly string[], otherwise: string): string {
  const texts = [
    ["nan", "NaN"],
    ["inf", "Infinity"],
    ["-inf", "-Infinity"],
  ];
  const pairs = [...texts, ...odd.flatMap((value) => [value, `-${value}`]).map((value) => [value, value])];
  const branches = pairs.map(([value, text]) => `WHEN CAST('${value}' AS ${type}) THEN '${text}'`);
  return `CASE $1 ${branches.join(" ")} ELSE ${otherwise} END`;
}

const plain = (printed: string): string => String.raw`regexp_replace(${printed}, '\.0$', '')`;
/** `1234567.5` as `1.2345675e+06`. */
const WITH_EXPONENT = String.raw`regexp_replace(regexp_replace($2, '^(-?\d)(\d+)\.(\d+)$', '\1.\2\3e+'), '\.?0*e', 'e')
  || lpad(CAST(strpos(ltrim($2, '-'), '.') - 2 AS text), 2, '0')`;

const PLAIN_TEXT = sql(plain("$1"), { type: TEXT });
/** DuckDB's own texts of these powers of two, whose neighbours above and below are not equally far, are other numbers. */
const TEXT_OF_DOUBLE = sql(
  namedValues(
    "double precision",
    ["2.4178516392292583e+24", "2.4758800785707605e+27", "8.535058474086213e+242"],
    `CASE WHEN abs($1) >= 1e15 AND abs($1) < 1e16 THEN ${WITH_EXPONENT} WHEN ${MAY_BE_HALFWAY} THEN $3 ELSE ${plain("$2")} END`,
  ),
  { type: TEXT },
);
/** The texts of eight digits of these reals are not the nearest to them. */
const TEXT_OF_REAL = sql(
  namedValues(
    "real",
    ["1.2621775e-29", "1.5474251e+26", "1.2379401e+27"],
    `CASE WHEN abs($1) >= 1e6 AND abs($1) < 1e16 THEN ${WITH_EXPONENT} ELSE ${plain("$2")} END`,
  ),
  { type: TEXT },
);

const WIDE = "CAST($1 AS double precision)";
const digitsOf = (count: number): string => `format('{:.${count}g}', ${WIDE})`;
/** A number on the border of two reals reads back as one of them, but is not taken for its text. */
const shortOfReal = (count: number): string =>
  `WHEN CAST(${WIDE} + (CAST(${digitsOf(count)} AS double precision) - ${WIDE}) * 1.000001e0 AS real) = $1 THEN ${digitsOf(count)}`;
/**
 * DuckDB's own text of one real in a thousand has a digit more than reads back as the same real. Reals near zero have fewer digits
 * than six.
 */
const SHORTEST_OF_REAL = sql(
  `CAST(CAST(CASE WHEN abs(${WIDE}) < 1.1754944e-38 THEN CAST($1 AS text) ${[6, 7, 8].map(shortOfReal).join(" ")}
    ELSE ${digitsOf(9)} END AS double precision) AS text)`,
  { type: TEXT },
);

/**
 * Whole floats without a point, NaN and Infinity by name, an exponent from 1e15 on, for reals from 1e6; DuckDB writes one
 * from 1e16 on.
 */
export function floatText({ operand, span }: Pick<Expression, "span"> & { readonly operand: Expression }): Expression {
  const at = { span, type: TEXT };
  const isReal = operand.type?.kind === "float" && operand.type.bits === 32;
  const printed = isReal ? spelled(SHORTEST_OF_REAL, [operand], at) : cast(operand, "text", at);
  // A random number is drawn once and is between 0 and 1: people write `md5(random()::text)`.
  if (isRandom(operand)) return spelled(PLAIN_TEXT, [printed], at);
  if (isReal) return spelled(TEXT_OF_REAL, [operand, printed], at);
  return spelled(TEXT_OF_DOUBLE, [operand, printed, spelled(NEAREST_TEXT, [operand], at)], at);
}

const TEXT_OF_TRUTH = sql("CASE WHEN $1 THEN 't' WHEN NOT $1 THEN 'f' END", { type: TEXT });

/** PostgreSQL's concat prints booleans as t and f, unlike its cast. */
export const concatenated = (value: Expression): Expression =>
  value.type?.kind === "boolean" ? spelled(TEXT_OF_TRUTH, [value], value) : value;

/** `concat_ws`: what is joined, not the separator. */
export function joinedValues(node: Call): Call {
  const [separator, ...others] = values(node);
  return separator === undefined ? node : withArguments(node, [separator, ...others.map(concatenated)]);
}

/** `$3` is the array of texts. An array without elements joins to an empty text, not to NULL. */
const ELEMENTS_JOINED = sql(
  "CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN coalesce(array_to_string($3, $2), '') END",
);

export function elementsJoined(node: Call): Expression {
  const [array, separator, forNull] = values(node);
  if (array === undefined || separator === undefined) return node;
  return spelled(ELEMENTS_JOINED, [array, separator, elementTexts(array, forNull, node)], node);
}

const PIECE = words("_p");
const OF_EACH_PIECE = sql("ARRAY(SELECT $1 FROM unnest($2) AS _u(_p))", { type: TEXTS });

function elementTexts(array: Expression, forNull: Expression | undefined, node: Call): Expression {
  if (someExpression(array, isInexactDecimal)) {
    throw unsupported("the text of a quotient or average of decimals", array.span, "Round it first: round(x, 2).");
  }
  const element = array.type?.kind === "array" ? array.type.element : undefined;
  if (element === undefined || (forNull === undefined && isPlain(element))) return array;
  const textOf = (value: Expression): Expression => {
    const written = elementText(value, element);
    return forNull === undefined ? written : call("coalesce", [written, forNull], typed(TEXT, value));
  };
  if (array.kind === "array") return { ...array, elements: array.elements.map(textOf), type: TEXTS };
  return spelled(OF_EACH_PIECE, [textOf(spelled(PIECE, [], typed(element, array))), array], node);
}

/** Whether DuckDB's text of an element is PostgreSQL's. */
function isPlain({ kind }: SqlType): boolean {
  return ["text", "integer", "decimal", "date", "timestamp", "time", "uuid", "null", "opaque"].includes(kind);
}

function elementText(value: Expression, type: SqlType): Expression {
  switch (type.kind) {
    case "boolean":
      return concatenated({ ...value, type });
    case "float":
      return floatText({ operand: { ...value, type }, span: value.span });
    case "interval":
    case "binary":
    case "array":
    case "row":
    case "json":
      throw unsupported(`the texts of an array of ${type.kind}`, value.span);
    default:
      return isPlain(type) && type.kind !== "text" ? cast(value, "text", typed(TEXT, value)) : value;
  }
}

const QUOTED = String.raw`regexp_replace('''' || replace(replace($1, '\', '\\'), '''', '''''') || '''', '^(.*\\.*)$', 'E\1', 's')`;

/** A literal of the text; a text with a backslash in PostgreSQL's escape notation. */
export const QUOTED_TEXT = sql(QUOTED, { nulls: "strict" });
export const QUOTED_OR_NULL = sql(`coalesce(${QUOTED}, 'NULL')`, { nulls: "never" });
