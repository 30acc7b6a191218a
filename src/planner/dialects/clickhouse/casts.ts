/**
 * Casts. ClickHouse's own truncate digits and wrap around: CAST(300 AS Int8) is 44. A value that may not fit is cast by
 * `accurateCast`, which raises, and a value that must be rounded is rounded first. ClickHouse accepts more texts than PostgreSQL,
 * so a pattern is tested first. Seen on ClickHouse 26.7.
 */

import { parseDateTime } from "../../datetimes.ts";
import { unsupported } from "../../diagnostics.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import { uuidLiteral } from "../../lowering/uuids.ts";
import { call, cast, comparison, inPlaceOf, integer, text, typed, when } from "../../syntax/build.ts";
import { digitsOfText } from "../../syntax/number-parts.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, NUMERIC, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { isDocument } from "./document-arrays.ts";
import {
  anyScale,
  checked,
  DIGITS_OF_DOUBLE,
  digitsBefore,
  IN_BITS,
  PRECISION,
  QUOTIENT_SCALE,
  roundedToScale,
  scaleOf,
  WITHIN_DIGITS,
  wide,
} from "./numbers.ts";
import { orRaise } from "./raising.ts";
import { matches } from "./regular-expressions.ts";
import { textOf } from "./texts.ts";
import { literal } from "./times.ts";
import { toTimeOfDay } from "./times-of-day.ts";

export const clickHouseCasts = (): Casts =>
  castRules({
    text: {
      null: plain,
      "text integer boolean uuid date decimal float timestamp time": (node) =>
        cutText(textOf(node.operand, node), node),
    },
    integer: {
      null: plain,
      integer: toInteger,
      decimal: rounded,
      float: rounded,
      boolean: (node) => checked(node.operand, node),
      text: integerOfText,
    },
    decimal: { null: ofDecimal, "integer decimal": toDecimal, float: decimalOfFloat, text: decimalOfText },
    float: { null: plain, "integer float": plain, decimal: floatOfDecimal, text: floatOfText },
    boolean: { null: plain, boolean: (node) => node.operand, integer: isNotZero, text: booleanOfText },
    date: { null: plain, "date timestamp": plain, text: ofMoment },
    timestamp: { null: plain, "date timestamp": toTimestamp, text: ofMoment },
    uuid: { null: plain, uuid: (node) => node.operand, text: (node) => plain({ ...node, operand: uuidLiteral(node) }) },
    json: { null: plain, json: ({ operand }) => operand, text: jsonOfText },
    time: { null: plain, "time timestamp": toTimeOfDay },
    binary: UNSUPPORTED.castToType,
    interval: UNSUPPORTED.castToType,
    array: { array: sameArray },
    row: UNSUPPORTED.castToType,
    opaque: UNSUPPORTED.castToType,
  });

const plain = (node: Cast): Expression => ({ ...node, safe: false });

// ------------------------------------------------------------------------------------------------------- numbers

/** Returns NULL if the value does not fit. */
const TRIED_IN_BITS = {
  8: words("accurateCastOrNull($1, 'Int8')"),
  16: words("accurateCastOrNull($1, 'Int16')"),
  32: words("accurateCastOrNull($1, 'Int32')"),
  64: words("accurateCastOrNull($1, 'Int64')"),
} as const;
const DIGITS_OF_REAL = words("toDecimal256(printf('%.6g', $1), 30)", { type: NUMERIC });

const LARGEST = { 8: 3, 16: 5, 32: 10, 64: 19 } as const;

const bitsOf = ({ type }: Cast) => (type?.kind === "integer" ? type.bits : 64);

function toInteger(node: Cast): Expression {
  return spelled((node.safe ? TRIED_IN_BITS : IN_BITS)[bitsOf(node)], [node.operand], node);
}

/** Rounds halves of decimals away from zero, of doubles to the even number, as `round` does for both. */
function rounded(node: Cast): Expression {
  const { operand } = node;
  return toInteger({ ...node, operand: call("round", [operand, integer(0, node)], inPlaceOf(operand)) });
}

const isNotZero = (node: Cast): Expression => comparison(node.operand, "<>", integer(0, node), node);

const ofDecimal = (node: Cast): Expression =>
  node.typeName.parameters.length > 0 ? plain(node) : { ...node.operand, ...(node.type && { type: node.type }) };

interface Shape {
  readonly precision: number;
  readonly scale: number;
}

function checkedShape({ type, span }: Cast): Shape | undefined {
  if (type?.kind !== "decimal" || type.precision === undefined) return undefined;
  const { precision, scale = 0 } = type;
  if (precision <= PRECISION && scale >= 0 && scale <= precision) return { precision, scale };
  throw unsupported(`numeric(${precision}, ${scale})`, span, `At most ${PRECISION} digits.`);
}

function toDecimal(node: Cast): Expression {
  const { operand } = node;
  const shape = checkedShape(node);
  const from = scaleOf(operand);
  if (node.safe) throw unsupported("TRY_CAST of a number", node.span);
  if (shape === undefined) {
    if (from === undefined) throw unsupported("a number whose digits are not known", node.span);
    return roundedToScale(operand, from, node, [operand]);
  }
  const { precision, scale } = shape;
  const type = typeOrUnknown(operand);
  const digits =
    type.kind === "integer"
      ? LARGEST[type.bits]
      : type.kind === "decimal" && type.precision !== undefined
        ? type.precision - (type.scale ?? 0)
        : undefined;
  // A cast checks the bits of the type and not its digits.
  const fits = digits !== undefined && precision - scale >= digits;
  const near =
    from !== undefined && from <= scale ? operand : call("round", [operand, integer(scale, node)], inPlaceOf(operand));
  const value = cast(near, "numeric", inPlaceOf(node), [PRECISION, scale]);
  return fits ? value : withinDigits(value, precision - scale, node);
}

const withinDigits = (value: Expression, whole: number, node: Cast): Expression =>
  spelled(WITHIN_DIGITS, [value, text(`1${"0".repeat(whole)}`, node)], node);

/** `value` has more digits than the type, which a cast would truncate. */
function cutTo(node: Cast, value: Expression): Expression {
  const shape = checkedShape(node);
  const scale = shape?.scale ?? QUOTIENT_SCALE;
  const near = call("round", [value, integer(scale, node)], typed(NUMERIC, node));
  const decimal = cast(near, "numeric", inPlaceOf(node), [PRECISION, scale]);
  return shape === undefined ? anyScale(decimal, node) : withinDigits(decimal, shape.precision - scale, node);
}

/** By its text with fifteen digits, as in PostgreSQL; a real has six. */
function decimalOfFloat(node: Cast): Expression {
  if (node.safe) throw unsupported("TRY_CAST of a number", node.span);
  const type = typeOrUnknown(node.operand);
  const digits = type.kind === "float" && type.bits === 32 ? DIGITS_OF_REAL : DIGITS_OF_DOUBLE;
  return cutTo(node, spelled(digits, [node.operand], node));
}

// --------------------------------------------------------------------------------------------------------- texts

const SPACE = "[ \\t\\n\\r\\x0b\\f]*";

const TRIMMED = words("trimBoth($1, ' \\t\\n\\r\\v\\f')", { type: TEXT });

const trimmed = (operand: Expression): Expression => spelled(TRIMMED, [operand], operand);

/** `then` if the text matches; otherwise an error, or NULL for TRY_CAST. */
function read(node: Cast, pattern: string, then: Expression): Expression {
  const found = matches(node.operand, SPACE + pattern + SPACE, node);
  // A result of only NULLs would have no type.
  if (node.safe) return plain({ ...node, operand: when(found, then, undefined, inPlaceOf(node)) });
  return orRaise(found, then, "A text cannot be read as a value of another type");
}

function integerOfText(node: Cast): Expression {
  const digits = wide(trimmed(node.operand));
  return read(node, "[-+]?[0-9]{1,38}", toInteger({ ...node, operand: digits }));
}

/** The maximum scale for which 256 bits are enough. */
const READ_SCALE = 30;
const READ_DECIMAL = words(`toDecimal256($1, ${READ_SCALE})`, { type: NUMERIC });

function decimalOfText(node: Cast): Expression {
  const { operand } = node;
  const shape = checkedShape(node);
  if (operand.kind === "string" && !node.safe && shape === undefined) {
    const { whole = "", fraction = "" } = digitsOfText(operand.value) ?? {};
    if (whole === "" || whole.length + fraction.length > PRECISION) {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a decimal`, node.span, "Write digits, and not too many.");
    }
    return cast({ ...operand, value: operand.value.trim() }, "numeric", inPlaceOf(node), [PRECISION, fraction.length]);
  }
  const scale = shape === undefined ? QUOTIENT_SCALE : READ_SCALE;
  const value = spelled(READ_DECIMAL, [trimmed(operand)], node);
  const fits = node.safe && shape !== undefined ? whereItFits(value, shape, node) : cutTo(node, value);
  return read(node, `[-+]?([0-9]{1,38}([.][0-9]{0,${scale}})?|[.][0-9]{1,${scale}})`, fits);
}

function whereItFits(value: Expression, { precision, scale }: Shape, node: Cast): Expression {
  const near = call("round", [value, integer(scale, node)], typed(NUMERIC, node));
  const limit = cast(text(`1${"0".repeat(precision - scale)}`, node), "numeric", typed(NUMERIC, node), [PRECISION, 0]);
  const small = comparison(call("abs", [near], typed(NUMERIC, node)), "<", limit, node);
  return when(small, cast(near, "numeric", inPlaceOf(node), [PRECISION, scale]), undefined, inPlaceOf(node));
}

const FLOAT = "[-+]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][-+]?[0-9]{1,3})?";

const floatOfDecimal = (node: Cast): Expression =>
  plain({ ...node, operand: digitsBefore(node.operand, isReal(node.type) ? 32 : 64) });

function floatOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "string" && /nan/i.test(operand.value)) throw unsupported("NaN", node.span);
  const value = plain({ ...node, operand: trimmed(operand) });
  return read(node, `(?:${FLOAT}|(?i:[-+]?inf|[-+]?infinity))`, value);
}

function booleanOfText(node: Cast): Expression {
  const value = call("lower", [node.operand], typed(TEXT, node));
  const yes = matches(value, `${SPACE}(?:t|tr|tru|true|y|ye|yes|on|1)${SPACE}`, node);
  const known = "(?i:t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)";
  return read(node, known, { ...yes, type: BOOLEAN });
}

// --------------------------------------------------------------------------------------------------- dates, others

function checkedPrecision({ typeName, span }: Cast): void {
  const [precision] = typeName.parameters;
  if (precision !== undefined && precision < 6) throw unsupported(`a timestamp of ${precision} digits`, span);
}

function toTimestamp(node: Cast): Expression {
  checkedPrecision(node);
  return plain(node);
}

const READ_DATE = words("toDate32($1)");
const READ_TIMESTAMP = words("toDateTime64($1, 6, 'UTC')");
const WRITTEN_DATE = words("$1", { type: TEXT });
const WRITTEN_TIMESTAMP = words("concat(left($1, 19), if(length($1) = 10, ' 00:00:00', ''))", { type: TEXT });

/**
 * ClickHouse carries days beyond the end of a month over to the next one, and clamps to its range of years: so the result is
 * converted to text and compared.
 */
function ofMoment(node: Cast): Expression {
  const { operand, safe, span, type } = node;
  checkedPrecision(node);
  const isDay = type?.kind === "date";
  if (operand.kind === "string" && !safe) {
    if (parseDateTime(operand.value) === undefined) {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a date or timestamp`, span, "Write it as YYYY-MM-DD.");
    }
    return literal({ kind: "typed", typeName: node.typeName, value: operand.value, span, ...(type && { type }) });
  }
  const known = isDay
    ? "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    : "[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?)?";
  const value = spelled(isDay ? READ_DATE : READ_TIMESTAMP, [operand], node);
  const again = cast(value, "text", typed(TEXT, node));
  const written = spelled(isDay ? WRITTEN_DATE : WRITTEN_TIMESTAMP, [operand], node);
  const shown = isDay
    ? comparison(written, "=", again, node)
    : call("startsWith", [again, written], typed(BOOLEAN, node));
  const sure = safe ? when(shown, value, undefined, inPlaceOf(node)) : orRaise(shown, value, "A text is no date");
  return isDay ? read(node, known, sure) : read(node, known, { ...sure, type: type ?? TIMESTAMP });
}

const DOCUMENT = words("$1");

/** JSON documents are texts on ClickHouse. */
function jsonOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") throw unsupported("json that is computed", node.span, "Use a column of type json.");
  try {
    JSON.parse(operand.value);
  } catch {
    throw unsupported("a text that is no json", node.span);
  }
  return spelled(DOCUMENT, [operand], node);
}

const NO_ELEMENTS = { text: words("CAST([] AS Array(String))"), integer: words("CAST([] AS Array(Int64))") };

function sameArray(node: Cast): Expression {
  const { operand } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  if (operand.kind === "array" && operand.elements.length === 0 && to.kind === "array") {
    const { kind } = to.element;
    if (kind === "text" || kind === "integer") return spelled(NO_ELEMENTS[kind], [], node);
  }
  if (isDocument(operand)) throw unsupported("a cast of an array that may be NULL", node.span);
  const kinds = [from, to].map((type) => (type.kind === "array" ? type.element.kind : undefined));
  if (kinds[0] === kinds[1] && ["text", "integer", "boolean", "date"].includes(kinds[0] ?? "")) return operand;
  throw unsupported("a cast of each element", node.span);
}
