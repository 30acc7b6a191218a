/** Casts whose meaning in DuckDB differs from PostgreSQL's. Measured on DuckDB 1.4.5. */
import { decimalShape } from "../../common-type.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/inexact.ts";
import { unsupported } from "../../lowering/target.ts";
import { atZone, binary, call, cast, inPlaceOf, integer, interval, text, typed, when } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTERVAL, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { numberOfText, plainNumberOfText } from "./decimals.ts";
import { intervalText } from "./intervals.ts";
import { jsonText, plainMember } from "./json-texts.ts";
import { doubleOfDigits, exactDigits } from "./significant-digits.ts";
import { floatText } from "./texts.ts";

/** DuckDB's widest decimal. */
export const MAX_PRECISION = 38;

/** What no object, array or number with a fraction converts to, or to which the digits of a double are enough. */
const OF_WORDS: ReadonlySet<string> = new Set("boolean integer float date timestamp time uuid".split(" "));

export function lowerCast(written: Cast): Expression | undefined {
  const operand = OF_WORDS.has(typeOrUnknown(written).kind) ? plainMember(written.operand) : written.operand;
  const node = operand === written.operand ? written : { ...written, operand };
  return lowerPlainCast(node) ?? (node === written ? undefined : node);
}

function lowerPlainCast(node: Cast): Expression | undefined {
  const from = typeOrUnknown(node.operand);
  const to = typeOrUnknown(node);
  checkDigits(to, node);
  switch (to.kind) {
    case "text":
      return lowerCastToText(node, from);
    case "decimal":
      return lowerCastToDecimal(node, from, to);
    case "integer":
      if (from.kind === "text") return plainNumberOfText(node, "integer");
      return isInexactDecimal(node.operand) ? { ...node, operand: exactDigits(node.operand, 15) } : undefined;
    case "binary":
      return from.kind === "text" ? bytesOfText(node) : undefined;
    case "float":
      return from.kind === "text" ? plainNumberOfText(node, "float") : floatOfDecimal(node, to.bits, from);
    case "array":
      return lowerCastToArray(node, from, to);
    case "date":
    case "time":
    case "timestamp": {
      if (to.kind === "time" && from.kind === "timestamp" && from.zoned) return timeInUtc(node);
      const isRead = from.kind === "text" && !(to.kind === "time" && to.zoned);
      const read = isRead ? readableTime(node, to.kind) : node;
      return lowerPrecision(read) ?? read;
    }
    case "opaque":
      refuseForeign(to.name, node);
      return undefined;
    default:
      return undefined;
  }
}

/** DuckDB reads texts as arrays by rules of its own, and a bare `numeric` has three digits behind the point there. */
function lowerCastToArray(node: Cast, from: SqlType, to: SqlType): Expression | undefined {
  if (from.kind === "text") throw unsupported("an array in a computed text", node.span, "Use string_to_array(x, ',').");
  const [own, wanted] = [innermost(from), innermost(to)];
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
function checkDigits(type: SqlType, node: Cast): void {
  if (type.kind === "array") checkDigits(type.element, node);
  if (type.kind !== "decimal" || type.precision === undefined) return;
  const { precision, scale = 0 } = type;
  if (precision > MAX_PRECISION) {
    throw unsupported(`more than ${MAX_PRECISION} digits`, node.span, `Use numeric(${MAX_PRECISION}, …).`);
  }
  if (scale < 0) throw unsupported("a negative scale", node.span, `Use round(x, ${scale}).`);
  if (scale > precision) {
    throw unsupported("more digits after the point than digits", node.span, `Use numeric(${scale}, ${scale}).`);
  }
}

const ROUND_FIRST = "Round it first: CAST(round(x, 2) AS text).";

/** The text PostgreSQL prints; where DuckDB's differs and cannot be mended, a refusal. */
function lowerCastToText(node: Cast, from: SqlType): Expression | undefined {
  const [length] = node.typeName.parameters;
  const plain: Cast = { ...node, typeName: { ...node.typeName, name: "text", parameters: [] } };
  if (length !== undefined && !node.safe) {
    const whole = from.kind === "text" ? node.operand : (lowerCastToText(plain, from) ?? plain);
    return call("left", [whole, integer(length, node)], typed(TEXT, node));
  }
  switch (from.kind) {
    case "float":
      return floatText(node);
    case "json":
      return jsonText(node.operand, node);
    case "decimal":
      if (isInexactDecimal(node.operand)) {
        throw unsupported("the text of a quotient or average of decimals", node.span, ROUND_FIRST);
      }
      if (!isReadFromText(node.operand)) return undefined;
      throw unsupported("the text of a number that was read from a text", node.span, ROUND_FIRST);
    case "interval":
      return intervalText(node);
    case "array":
    case "row":
    case "binary":
      throw unsupported(`the text of a value of type ${from.kind}`, node.span);
    default:
      return undefined;
  }
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
function lowerCastToDecimal(node: Cast, from: SqlType, to: SqlType & { kind: "decimal" }): Expression | undefined {
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

/** DuckDB has no cast from an instant to the time of day. */
function timeInUtc(node: Cast): Expression {
  const utc = atZone(node.operand, text("UTC", node), { span: node.span, type: TIMESTAMP });
  const local: Cast = { ...node, operand: utc };
  return lowerPrecision(local) ?? local;
}

/** `timestamp(0)` rounds in PostgreSQL and cuts in DuckDB. */
function lowerPrecision(node: Cast): Expression | undefined {
  const [digits] = node.typeName.parameters;
  if (digits === undefined) return undefined;
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
const FOREIGN: ReadonlySet<string> = new Set(
  "bit varbit|bit varying|inet cidr macaddr macaddr8 xml tsvector tsquery point line lseg box path polygon circle citext".split(
    /[ |](?!varying)/,
  ),
);

function refuseForeign(name: string, node: Cast): void {
  if (!FOREIGN.has(name)) return;
  throw unsupported(`the type ${name}`, node.span, name.includes("bit") ? "Use integers." : "Use text.");
}

/**
 * DuckDB divides reals to make one of a decimal, and may miss it from eight digits on; it does not miss the double. A literal
 * of many digits is written as a float.
 */
function floatOfDecimal(node: Cast, bits: 32 | 64, from: SqlType): Expression | undefined {
  const { operand } = node;
  const at = { span: operand.span, type: DOUBLE };
  const literal = operand.kind === "unary" ? operand.operand : operand;
  if (literal.kind === "number") {
    const isShort = /e/i.test(literal.text) || literal.text.replace(/\D/g, "").length <= (bits === 32 ? 7 : 15);
    if (isShort) return undefined;
    const float: Expression = { ...literal, text: `${literal.text}e0`, ...at };
    return { ...node, operand: operand.kind === "unary" ? { ...operand, operand: float, ...at } : float };
  }
  if (bits === 64 || from.kind !== "decimal") return undefined;
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
