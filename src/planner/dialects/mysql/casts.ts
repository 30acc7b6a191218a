/**
 * Casts. MySQL's own never fail: what does not fit becomes the nearest value that does, and what is no number becomes 0, with a
 * warning that nobody reads. So every cast that may fail is tested first. Seen on MySQL 9.7 and MariaDB 10.11.
 */

import { unsupported } from "../../diagnostics.ts";
import { sameArray } from "../../lowering/arrays/document-arrays.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { literalJson } from "../../lowering/json/json-members.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import { uuidLiteral } from "../../lowering/uuids.ts";
import { binary, call, cases, cast, comparison, inPlaceOf, integer, text, typed, when } from "../../syntax/build.ts";
import type { Cast, Expression, Span } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, DOUBLE, NUMERIC, type SqlType, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { doubleText } from "./double-texts.ts";
import { matches, orRaise, raisingOnNull } from "./raising.ts";
import { SETTLED_DIGITS } from "./settled-digits.ts";
import { concat, isJsonDocument, trim } from "./templates.ts";

/** MySQL's widest decimal. */
const MAX_PRECISION = 65;
const MAX_SCALE = 30;
/** Room for every text of a number, as digits on both sides of the point. */
const ANY_DECIMAL = [MAX_PRECISION, MAX_SCALE] as const;

const PATTERNS = {
  integer: "^[[:space:]]*[-+]?[0-9]{1,30}[[:space:]]*$",
  decimal: "^[[:space:]]*[-+]?([0-9]{1,35}[.]?[0-9]{0,30}|[.][0-9]{1,30})[[:space:]]*$",
  float: "^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?[[:space:]]*$",
  date: "^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$",
  timestamp: "^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?$",
  time: "^[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?$",
} as const;

export const mysqlCasts = (): Casts =>
  castRules({
    text: { null: typedNull, "*": toText },
    integer: {
      null: typedNull,
      boolean: (node) => signed(node.operand, node),
      integer: toInteger,
      "decimal float": roundedToInteger,
      text: readAs("integer", integerOfText),
    },
    decimal: {
      null: typedNull,
      "integer decimal float": toDecimal,
      text: readAs("decimal", toDecimal),
    },
    float: {
      null: typedNull,
      "integer decimal float": toFloat,
      text: readAs("float", (node) => ofText(node, "float", toFloat(node))),
    },
    boolean: { null: typedNull, boolean: retyped, integer: isNotZero, text: booleanOfText },
    date: { null: typedNull, "date timestamp": toTime("date"), text: readAs("date", toTime("date")) },
    timestamp: {
      null: typedNull,
      "date timestamp": toTime("timestamp"),
      text: readAs("timestamp", toTime("timestamp")),
    },
    time: { null: typedNull, "time timestamp": toTime("time"), text: readAs("time", toTime("time")) },
    json: {
      null: typedNull,
      json: (node) => node.operand,
      text: toJson,
      "*": { refused: "json that is computed", hint: "Use a column of type json." },
    },
    // MariaDB compares its UUIDs with texts as UUIDs.
    uuid: { null: typedNull, uuid: (node) => node.operand, text: uuidLiteral },
    binary: { null: typedNull },
    interval: { null: typedNull },
    array: { null: typedNull, array: sameArray },
    row: { null: typedNull },
    opaque: { null: typedNull },
  });

type Pattern = keyof typeof PATTERNS;

/** Longer ones mean nothing that a shorter one does not, and would be tried in all ways. */
const MOST_READ = 1000;

/** A text that is written out is read here and now. */
function readAs(kind: Pattern, rewrite: (node: Cast) => Expression): (node: Cast) => Expression {
  const pattern = new RegExp(PATTERNS[kind].replaceAll("[[:space:]]", "\\s"));
  const isRead = (value: string): boolean => value.length <= MOST_READ && pattern.test(value);
  return (node) => {
    const { operand, safe, span } = node;
    if (operand.kind !== "string" || safe || isRead(operand.value)) return rewrite(node);
    const written = operand.value.slice(0, 40);
    throw unsupported(`'${written}' as a ${kind}`, span, "MySQL has no infinite values and no words for dates.");
  };
}

/** NULL of a type. What has none of its own there stays a NULL of any. */
export function nullOf(to: SqlType, { span }: { readonly span: Span }): Expression {
  const none: Expression = { kind: "null", span, type: to };
  if (to.kind === "json" || to.kind === "opaque" || to.kind === "array") return none;
  const place = { span, type: to };
  if (to.kind !== "decimal") return cast(none, castName(to), place);
  const { precision, scale = 0 } = to;
  return cast(none, "numeric", place, precision === undefined ? ANY_DECIMAL : [precision, scale]);
}

function typedNull(node: Cast): Expression {
  return nullOf(typeOrUnknown(node), node);
}

function castName(type: SqlType): string {
  switch (type.kind) {
    case "integer":
      return "bigint";
    case "decimal":
      return "double precision";
    case "float":
      return type.bits === 32 ? "real" : "double precision";
    case "boolean":
    case "date":
    case "time":
    case "timestamp":
      return type.kind;
    default:
      return "text";
  }
}

function plain({ operand, span, type }: Cast, name: string, parameters: readonly number[] = []): Cast {
  return cast(operand, name, { span, type }, parameters);
}

/** The value itself, of the type that was asked for: a quotient of it may be another. */
function retyped({ operand, type }: Cast): Expression {
  return { ...operand, ...(type && { type }) };
}

/** `then` where the condition holds; else an error, or NULL for TRY_CAST. */
function tested(node: Cast, condition: Expression, then: Expression): Expression {
  return node.safe ? when(condition, then, undefined, inPlaceOf(node)) : orRaise(condition, then, node.operand);
}

function ofText(node: Cast, kind: Pattern, then: Expression): Expression {
  return tested(node, matches(node.operand, PATTERNS[kind]), then);
}

// ------------------------------------------------------------------------------------------------------- numbers

const LARGEST = { 8: "127", 16: "32767", 32: "2147483647", 64: "9223372036854775807" } as const;

type Bits = keyof typeof LARGEST;

const bitsOf = (node: Expression): Bits => (node.type?.kind === "integer" ? node.type.bits : 64);

const signed = (value: Expression, node: Cast): Expression => cast(value, "bigint", inPlaceOf(node));

function toInteger(node: Cast): Expression {
  const { operand } = node;
  const fits = bitsOf(operand) <= bitsOf(node) || isCount(operand);
  return fits ? retyped(node) : tested(node, inRange(operand, bitsOf(node)), retyped(node));
}

/** The average of whole numbers is rounded as a double by the cast itself. */
function roundedToInteger(node: Cast): Expression {
  const { operand } = node;
  const whole = call("round", [operand], inPlaceOf(operand));
  return tested(node, inRange(whole, bitsOf(node)), signed(operand.type?.kind === "decimal" ? whole : operand, node));
}

function integerOfText(node: Cast): Expression {
  const { operand } = node;
  const exact = cast(operand, "numeric", typed(NUMERIC, node), [MAX_PRECISION, 0]);
  const branches = [{ when: matches(operand, PATTERNS.integer), then: inRange(exact, bitsOf(node)) }];
  return tested(node, cases(branches, undefined, typed(BOOLEAN, node)), signed(exact, node));
}

/** Counts of rows, which no table has more of. MariaDB reads the expression around a window before it has its values. */
function isCount(operand: Expression): boolean {
  if (operand.kind === "cast") return isCount(operand.operand);
  return operand.kind === "call" && /^(count|row_number|rank|dense_rank|ntile)$/.test(operand.name[0]?.name ?? "");
}

function inRange(operand: Expression, bits: Bits): Expression {
  const { span } = operand;
  const high: Expression = { kind: "number", text: LARGEST[bits], span, type: BIGINT };
  const lowest: Expression = { kind: "number", text: String(BigInt(LARGEST[bits]) + 1n), span, type: NUMERIC };
  const low: Expression = { kind: "unary", operator: "-", operand: lowest, span, type: NUMERIC };
  return { kind: "between", negated: false, symmetric: false, operand, low, high, span, type: BOOLEAN };
}

function toFloat(node: Cast): Expression {
  return plain(node, castName(typeOrUnknown(node)));
}

/** A bare `numeric` keeps what it is given. */
function toDecimal(node: Cast): Expression {
  const { operand, span, type } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  const { precision, scale = 0 } = to.kind === "decimal" ? to : {};
  if (precision === undefined) {
    if (from.kind === "integer" || from.kind === "decimal") return retyped(node);
    if (from.kind === "text") return ofText(node, "decimal", plain(node, "numeric", ANY_DECIMAL));
    return tested(node, hasRoom(operand), digitsOf(operand));
  }
  if (precision > MAX_PRECISION || scale > MAX_SCALE || scale < 0 || scale > precision) {
    throw unsupported(
      `numeric(${precision}, ${scale})`,
      span,
      `At most ${MAX_PRECISION} digits, ${MAX_SCALE} of them after the point.`,
    );
  }
  const digits = plain(node, "numeric", [precision, scale]);
  if (from.kind === "integer" && precision - scale >= 19) return digits;
  if (
    from.kind === "decimal" &&
    from.precision !== undefined &&
    from.precision - (from.scale ?? 0) < precision - scale
  ) {
    return digits;
  }
  const number = from.kind === "text" || from.kind === "float" ? digitsOf(operand) : roundedToScale(operand);
  const rounded = call("round", [number, integer(scale, node)], { span, type: NUMERIC });
  const limit: Expression = { kind: "number", text: `1${"0".repeat(precision - scale)}`, span, type: NUMERIC };
  const fits = binary(call("abs", [rounded], { span, type: NUMERIC }), "<", limit, { span, type: BOOLEAN });
  // Rounded by the cast itself, an average is rounded as a double.
  const exact = cast(rounded, "numeric", { span, type }, [precision, scale]);
  if (from.kind !== "text") return tested(node, fits, exact);
  const both = cases([{ when: matches(operand, PATTERNS.decimal), then: fits }], undefined, { span, type: BOOLEAN });
  return tested(node, both, exact);
}

/** A number or text as digits: a real is the number that its text says, and a double has no halves to round to even. */
function digitsOf(operand: Expression): Expression {
  const { span } = operand;
  const type = typeOrUnknown(operand);
  const isReal = type.kind === "float" && type.bits === 32;
  const shown = isReal ? cast(operand, "text", { span, type: TEXT }) : operand;
  return cast(shown, "numeric", { span, type: NUMERIC }, ANY_DECIMAL);
}

/** Digits of a quotient are cut and not rounded: where it is summed, half a unit may have become a little less. */
export function roundedToScale(value: Expression): Expression {
  const parts =
    value.kind === "call"
      ? value.arguments.map((each) => each.value)
      : value.kind === "binary"
        ? [value.left, value.right]
        : [];
  if (!parts.some(isInexactDecimal)) return value;
  return call("round", [value, integer(SETTLED_DIGITS, value)], inPlaceOf(value));
}

/** Beyond that a decimal has no digits for the whole part of a double. */
function hasRoom(operand: Expression): Expression {
  const limit: Expression = { kind: "number", text: "1e35", span: operand.span, type: DOUBLE };
  return comparison(call("abs", [operand], inPlaceOf(operand)), "<", limit, operand);
}

function isNotZero(node: Cast): Expression {
  return comparison(node.operand, "<>", integer(0, node), node);
}

function booleanOfText(node: Cast): Expression {
  const { operand, span } = node;
  const word = (pattern: string): Expression =>
    matches(call("lower", [operand], { span, type: TEXT }), `^[[:space:]]*(${pattern})[[:space:]]*$`);
  const yes = word("t|tr|tru|true|y|ye|yes|on|1");
  const no = word("f|fa|fal|fals|false|n|no|of|off|0");
  const known = binary(yes, "<>", no, { span, type: BOOLEAN });
  return tested(node, known, yes);
}

// --------------------------------------------------------------------------------------------------------- texts

/** PostgreSQL's text of a value. */
/** A time without the zeros behind its seconds. */
const TEXT_OF_TIME = words("TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM TIME_FORMAT($1, '%H:%i:%s.%f')))", {
  type: TEXT,
});

const toText = (node: Cast): Expression => cutText(textOf(node.operand, node), node);

/** Same as `toText`, for functions that take any value. */
export function textOf(value: Expression, at: Expression): Expression {
  const { span } = at;
  const place = { span, type: TEXT };
  const type = typeOrUnknown(value);
  switch (type.kind) {
    case "text":
    case "null":
      return value;
    case "integer":
    case "uuid":
    case "date":
      return cast(value, "text", place);
    case "decimal":
      if (isInexactDecimal(value) || isReadFromText(value)) throw noText("a quotient, average or number of a text", at);
      return cast(value, "text", place);
    case "boolean":
      return cases(
        [
          { when: value, then: text("true", at) },
          { when: { kind: "unary", operator: "not", operand: value, span, type: BOOLEAN }, then: text("false", at) },
        ],
        undefined,
        place,
      );
    case "float":
      if (type.bits === 32) throw unsupported("the text of a real", at.span, "Cast it to double precision first.");
      return doubleText(value, at);
    case "timestamp":
      return timestampText(value, type.zoned, at);
    case "time":
      if (type.zoned) throw noText("a time of day with a zone", at);
      return spelled(TEXT_OF_TIME, [value], typed(TEXT, at));
    case "json":
      if (isJsonDocument(value)) return { ...value, type: TEXT };
      throw noText("json", at);
    default:
      throw noText(`a value of type ${type.kind}`, at);
  }
}

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}

function timestampText(value: Expression, zoned: boolean, at: Expression): Expression {
  const shown = dateTimeText(value, " ", at);
  return zoned ? concat([shown, text("+00", at)], { span: at.span, type: TEXT }) : shown;
}

/** A fraction only where there is one, and no zeros at its end; `between` stands between date and time. */
export function dateTimeText(value: Expression, between: " " | "T", at: Expression): Expression {
  const place = { span: at.span, type: TEXT };
  const formatted = (format: string): Expression => call("date_format", [value, text(format, at)], place);
  const fraction = trim("trailing", formatted(`%Y-%m-%d${between}%H:%i:%s.%f`), text("0", at), place);
  const whole = binary(call("microsecond", [value], { span: at.span, type: BIGINT }), "=", integer(0, at), {
    span: at.span,
    type: BOOLEAN,
  });
  return when(whole, formatted(`%Y-%m-%d${between}%H:%i:%s`), fraction, place);
}

// ------------------------------------------------------------------------------------------------ dates and JSON

function toTime(kind: "date" | "timestamp" | "time"): (node: Cast) => Expression {
  return (node) => {
    const { operand, span, type } = node;
    const from = typeOrUnknown(operand);
    const [precision] = node.typeName.parameters;
    const target = plain(node, kind);
    if (type?.kind === "time" && type.zoned) throw unsupported("a time of day with a zone", span);
    if (precision !== undefined && kind !== "date" && precision < 6) {
      throw unsupported(`a ${kind} of ${precision} digits`, span, "Use date_trunc('second', …).");
    }
    if (from.kind === "text") {
      const read = raisingOnNull(target, operand);
      const shaped = matches(operand, PATTERNS[kind]);
      if (node.safe) return when(shaped, target, undefined, inPlaceOf(node));
      return orRaise(shaped, read, operand);
    }
    if (from.kind === kind) return retyped(node);
    return kind === "timestamp" ? cast(operand, "timestamp", { span, type: type ?? TIMESTAMP }) : target;
  };
}

/** A text is read as JSON where it is used; MariaDB has no type for it, and finds the first member of a name. */
const toJson = (node: Cast): Expression =>
  call("json_extract", [literalJson(node.operand, node, false), text("$", node)], inPlaceOf(node));
