/** Casts whose meaning in DuckDB differs from PostgreSQL's. Measured on DuckDB 1.4.5. */
import { decimalShape } from "../../common-type.ts";
import { unsupported } from "../../diagnostics.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import { binary, call, cast, inPlaceOf, interval, text, typed, typeName, when } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTERVAL, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { numberOfText, plainNumberOfText } from "./decimals.ts";
import { intervalText } from "./intervals.ts";
import { jsonText, plainMember } from "./json-texts.ts";
import { doubleOfDigits, exactDigits } from "./significant-digits.ts";
import { floatText } from "./texts.ts";
import { timeInUtc } from "./times.ts";

/** DuckDB's widest decimal. */
export const MAX_PRECISION = 38;

export const duckdbCasts = (): Casts =>
  castRules({
    boolean: { "null boolean integer decimal float json opaque": "same", text: ofMember(() => undefined) },
    integer: {
      "null boolean integer float opaque": "same",
      json: wholeOfJson,
      decimal: wholeOfDecimal,
      text: ofMember((node) => plainNumberOfText(node, "integer")),
    },
    decimal: { "null boolean integer decimal float text json opaque": toDecimal },
    float: {
      "null boolean integer decimal float json opaque": toFloat,
      text: ofMember((node) => plainNumberOfText(node, "float")),
    },
    text: {
      text: (node) => (node.typeName.parameters.length === 0 ? undefined : cutText(node.operand, node)),
      "null boolean integer date time timestamp uuid opaque": inText((plain) => plain),
      decimal: inText(decimalText),
      float: inText(floatText),
      interval: inText(intervalText),
      json: inText((plain) => jsonText(plain.operand, plain) ?? plain),
    },
    binary: { "null binary opaque": "same", text: bytesOfText },
    uuid: { "null uuid opaque": "same", text: ofMember(() => undefined) },
    json: {
      "null text json opaque": "same",
      "*": { refused: "a cast of such a value to json", hint: "Use to_json(x)." },
    },
    date: { "null date timestamp opaque": "same", text: ofMember((node) => readableTime(node, "date")) },
    time: { "null time timestamp opaque": toTime, text: ofMember(toTime) },
    timestamp: {
      "null date timestamp opaque": inPrecision,
      text: ofMember((node) => inPrecision(readableTime(node, "timestamp"))),
    },
    interval: { "null text interval opaque": "same" },
    array: {
      "null array opaque": toArray,
      text: { refused: "an array in a computed text", hint: "Use string_to_array(x, ',')." },
    },
    row: {},
    opaque: { "*": foreign },
  });

type Rewrite = (node: Cast) => Expression | undefined;

/** A member of a document that is no object, array or number with a fraction, or of whose digits a double's are enough. */
function ofMember(rewrite: Rewrite): Rewrite {
  return (written) => {
    const operand = plainMember(written.operand);
    const node = operand === written.operand ? written : { ...written, operand };
    return rewrite(node) ?? node;
  };
}

/** A bare `numeric` has three digits behind the point there, in arrays too. */
function toArray(node: Cast): Expression | undefined {
  const [own, wanted] = [innermost(typeOrUnknown(node.operand)), innermost(typeOrUnknown(node))];
  if (wanted.kind === "decimal") checkDigits(wanted, node);
  if (wanted.kind !== "decimal" || wanted.precision !== undefined) return undefined;
  if (own.kind === "decimal" || own.kind === "null") return node.operand;
  const shape = decimalShape(own);
  if (shape !== undefined) return withShape(node, shape.precision, shape.scale);
  throw unsupported("an array of numeric without precision", node.span, "Write numeric(precision, scale)[].");
}

function innermost(type: SqlType): SqlType {
  return type.kind === "array" ? innermost(type.element) : type;
}

/** A decimal has at most 38 digits there, and of these as many after the point as it says: from none to all. */
function checkDigits({ precision, scale = 0 }: SqlType & { kind: "decimal" }, node: Cast): void {
  if (precision === undefined) return;
  if (precision > MAX_PRECISION) {
    throw unsupported(`more than ${MAX_PRECISION} digits`, node.span, `Use numeric(${MAX_PRECISION}, …).`);
  }
  if (scale < 0) throw unsupported("a negative scale", node.span, `Use round(x, ${scale}).`);
  if (scale > precision) {
    throw unsupported("more digits after the point than digits", node.span, `Use numeric(${scale}, ${scale}).`);
  }
}

/** The text that PostgreSQL prints, of the length that is asked for. */
function inText(said: (plain: Cast) => Expression): Rewrite {
  return (node) => cutText(said({ ...node, typeName: typeName("text", node.typeName) }), node);
}

const ROUND_FIRST = "Round it first: CAST(round(x, 2) AS text).";

function decimalText(plain: Cast): Expression {
  if (isInexactDecimal(plain.operand)) {
    throw unsupported("the text of a quotient or average of decimals", plain.span, ROUND_FIRST);
  }
  if (!isReadFromText(plain.operand)) return plain;
  throw unsupported("the text of a number that was read from a text", plain.span, ROUND_FIRST);
}

function wholeOfDecimal(node: Cast): Expression | undefined {
  return isInexactDecimal(node.operand) ? { ...node, operand: exactDigits(node.operand, 15) } : undefined;
}

/** A number of json with a fraction is rounded half away from zero, and by DuckDB to the even one. */
function wholeOfJson(node: Cast): Expression {
  const at = { span: node.span, type: { kind: "decimal", precision: MAX_PRECISION, scale: 18 } } as const;
  const name = node.safe ? { ...cast(node.operand, "numeric", at, [MAX_PRECISION, 18]), safe: true } : undefined;
  return { ...node, operand: name ?? cast(node.operand, "numeric", at, [MAX_PRECISION, 18]) };
}

/** PostgreSQL's hex form, or the text's own bytes; DuckDB writes `\\x` before every byte. */
function bytesOfText(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind !== "string") {
    throw unsupported("the bytes of a computed text", node.span, "Use decode(x, 'hex') or decode(x, 'base64').");
  }
  if (operand.value.startsWith("\\x")) return call("unhex", [text(operand.value.slice(2), operand)], inPlaceOf(node));
  if (!operand.value.includes("\\")) return call("encode", [operand], inPlaceOf(node));
  throw unsupported("escapes in bytes", node.span, "Write the bytes in hexadecimal: '\\x…'.");
}

/** A bare `numeric` keeps all digits; DuckDB's DECIMAL without precision has three. */
function toDecimal(node: Cast): Expression | undefined {
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  if (to.kind !== "decimal") return undefined;
  checkDigits(to, node);
  // Ours, and a double on purpose (significant-digits.ts).
  if (node.typeName.name === "double precision") return undefined;
  if (to.precision !== undefined) {
    // Doubles become decimals by their 15 significant digits, as in PostgreSQL.
    const isDouble = from.kind === "float" || isInexactDecimal(node.operand);
    return isDouble && !node.safe ? { ...node, operand: exactDigits(node.operand, to.scale ?? 0) } : undefined;
  }
  if (from.kind === "decimal" || from.kind === "null") return node.operand;
  if (from.kind === "float" && from.bits === 32) return doubleOfDigits(node.operand);
  // Stays a double; whatever needs its digits brings them back (significant-digits.ts).
  if (from.kind === "float") return { ...node, typeName: { ...node.typeName, name: "double precision" } };
  const shape = decimalShape(from);
  if (shape !== undefined) return withShape(node, shape.precision, shape.scale);
  if (node.operand.kind === "string") {
    const digits = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(node.operand.value.trim());
    const scale = digits?.[2]?.length ?? 0;
    const whole = digits?.[1]?.length ?? 0;
    if (digits !== null && whole + scale > 0 && whole + scale <= MAX_PRECISION)
      return withShape(node, Math.max(whole + scale, 1), scale);
  }
  if (from.kind === "text" && !node.safe) return numberOfText(node);
  throw unsupported("numeric without precision for this value", node.span, "Write numeric(precision, scale).");
}

function withShape(node: Cast, precision: number, scale: number): Expression {
  return { ...node, typeName: { ...node.typeName, name: "numeric", parameters: [precision, scale] } };
}

function toTime(node: Cast): Expression {
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  if (from.kind === "text") return inPrecision(to.kind === "time" && to.zoned ? node : readableTime(node, "time"));
  if (from.kind !== "timestamp" || !from.zoned) return inPrecision(node);
  // There is no cast from an instant to the time of day.
  return inPrecision({ ...node, operand: timeInUtc(node.operand, typed(TIMESTAMP, node)) });
}

/** `timestamp(0)` rounds in PostgreSQL and cuts in DuckDB. */
function inPrecision(node: Cast): Expression {
  const [digits] = node.typeName.parameters;
  if (digits === undefined) return node;
  const whole: Cast = { ...node, typeName: { ...node.typeName, parameters: [] } };
  if (digits >= 6) return whole;
  const unit = { 0: ["second", 500_000], 3: ["millisecond", 500] } as const;
  const [name, half] = digits === 0 || digits === 3 ? unit[digits] : [];
  if (name === undefined || half === undefined || typeOrUnknown(node).kind !== "timestamp") {
    throw unsupported(`a precision of ${digits} digits`, node.span, "Use 0, 3 or 6.");
  }
  // PostgreSQL counts from 2000-01-01, and rounds halves away from it.
  const early = { ...whole, operand: text("2000-01-01", node) };
  const isEarly = binary(whole, "<", early, { span: node.span, type: BOOLEAN });
  const by = (micros: number): Expression => interval(`${micros} microseconds`, node);
  const moved = binary(whole, "+", when(isEarly, by(half - 1), by(half), typed(INTERVAL, node)), inPlaceOf(node));
  return call("date_trunc", [text(name, node), moved], inPlaceOf(node));
}

/** Types of PostgreSQL that DuckDB lacks, or has without a length: its `bit` holds any number of bits. */
function foreign({ span, typeName: { name } }: Cast): never {
  throw unsupported(`the type ${name}`, span, /bit/.test(name) ? "Use integers." : "Use text.");
}

/**
 * DuckDB divides reals to make one of a decimal, and may miss it from eight digits on; it does not miss the double. A literal
 * of many digits is written as a float.
 */
function toFloat(node: Cast): Expression | undefined {
  const { operand } = node;
  const to = typeOrUnknown(node);
  const bits = to.kind === "float" ? to.bits : 64;
  const at = { span: operand.span, type: DOUBLE };
  const literal = operand.kind === "unary" ? operand.operand : operand;
  if (literal.kind === "number") {
    const isShort = /e/i.test(literal.text) || literal.text.replace(/\D/g, "").length <= (bits === 32 ? 7 : 15);
    if (isShort) return undefined;
    const float: Expression = { ...literal, text: `${literal.text}e0`, ...at };
    return { ...node, operand: operand.kind === "unary" ? { ...operand, operand: float, ...at } : float };
  }
  if (bits === 64 || typeOrUnknown(operand).kind !== "decimal") return undefined;
  return { ...node, operand: cast(operand, "double precision", at) };
}

// Computed texts as dates and times: what both engines read alike is read, all else raises. DuckDB takes `1/2/24` for the
// year 1, `0044-03-15 BC` for the year 44, and cuts a seventh digit of a second where PostgreSQL rounds.

/** From the year 1 on, with four digits at least. */
const DAY = "(?:[1-9]\\d{3,6}|0(?:[1-9]\\d\\d|0[1-9]\\d|00[1-9]))(?:-\\d{1,2}-|/\\d{1,2}/)\\d{1,2}";
const CLOCK = "(?:[01]?\\d|2[0-3]):[0-5]?\\d(?::[0-5]?\\d(?:\\.\\d{1,6}0*)?)?";
const ZONE = "\\s*(?:[+-]\\d\\d(?::?\\d\\d)?|[a-z_/]*)";

const READABLE = {
  date: `[+-]?infinity|epoch|${DAY}(?:[ T]${CLOCK}\\s*(?:Z|[+-]\\d\\d(?::?\\d\\d)?)?)?`,
  timestamp: `[+-]?infinity|epoch|${DAY}(?:[ T]${CLOCK}${ZONE})?`,
  time: `(?:${DAY} )?${CLOCK}`,
} as const;

/** The cast, of an empty text, which raises, where PostgreSQL would not read the same. */
function readableTime(node: Cast, kind: keyof typeof READABLE): Cast {
  const { operand } = node;
  if (operand.kind === "string") return node;
  const pattern = text(`(?i)^\\s*(${READABLE[kind]})\\s*$|^.*$`, node);
  const found = [operand, pattern, text("\\1", node), text("s", node)];
  return { ...node, operand: call("regexp_replace", found, { span: node.span, type: TEXT }) };
}
