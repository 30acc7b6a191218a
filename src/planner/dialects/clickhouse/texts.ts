/** Texts by characters: ClickHouse's default functions count bytes. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import {
  call,
  cases,
  cast,
  exactName,
  inPlaceOf,
  integer,
  not,
  renamed,
  text,
  typed,
  values,
  withArguments,
} from "../../syntax/build.ts";
import type { Call, Collate, Expression, Like, Template } from "../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../types.ts";
import { LOWER } from "./capitals.ts";
import { TEXT_OF_DOUBLE, TEXT_OF_REAL } from "./float-texts.ts";
import { counted, declaredScale, IN_BITS, WITHIN_DIGITS } from "./numbers.ts";
import { similar } from "./regular-expressions.ts";

const DECIMAL_TEXT = words("toDecimalString($1, $2)", { type: TEXT });
const TIME_TEXT = words("replaceRegexpOne(toString($1), '[.]?0+$', '')", { type: TEXT });
const TIMESTAMP_TEXT = words("replaceRegexpOne(toString(toDateTime64($1, 6, 'UTC')), '[.]?0+$', '')", { type: TEXT });
export const CONCAT = words("concat($*)", { type: TEXT });

/** The decimal whose digits before the point `CAST(… AS numeric(p, s))` checks. */
function withoutCheck(value: Expression): Expression {
  const isChecked = value.kind === "spelled" && value.template === WITHIN_DIGITS;
  return (isChecked ? value.parts[0] : undefined) ?? value;
}

/** PostgreSQL's text of a value. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const type = typeOrUnknown(value);
  switch (type.kind) {
    case "text":
    case "null":
      return value;
    case "integer":
    case "uuid":
    // A `Date` has the same text.
    case "date":
      return cast(value, "text", place);
    case "boolean":
      return wordOf(value, ["true", "false"], at);
    case "decimal": {
      const ofField = declaredScale(value);
      if (ofField === 0) return cast(value, "text", place);
      if (ofField !== undefined) return spelled(DECIMAL_TEXT, [value, integer(ofField, at)], at);
      const measured = withoutCheck(value);
      const scale = isInexactDecimal(measured) || isReadFromText(measured) ? undefined : scaleOf(measured);
      if (scale === undefined) {
        const hint = "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).";
        throw unsupported("the text of a quotient, an average or decimals of several scales", at.span, hint);
      }
      return spelled(DECIMAL_TEXT, [value, integer(scale, at)], at);
    }
    case "float":
      return spelled(type.bits === 32 ? TEXT_OF_REAL : TEXT_OF_DOUBLE, [value], at);
    case "time":
      return spelled(TIME_TEXT, [value], at);
    case "timestamp": {
      const shown = spelled(TIMESTAMP_TEXT, [value], at);
      return type.zoned ? spelled(CONCAT, [shown, text("+00", at)], at) : shown;
    }
    default:
      throw unsupported(`the text of ${type.kind}`, at.span);
  }
}

function wordOf(value: Expression, [yes, no]: readonly [string, string], at: Expression): Expression {
  const branches = [
    { when: value, then: text(yes, at) },
    { when: not(value), then: text(no, at) },
  ];
  return cases(branches, undefined, typed(TEXT, at));
}

/** In functions that concatenate values, a boolean is a letter. */
const shownAmong = (value: Expression, at: Expression): Expression =>
  typeOrUnknown(value).kind === "boolean" ? wordOf(value, ["t", "f"], at) : textOf(value, at);

/** An Enum, which is reported as a text, sorts by its numbers; a UUID by its second half. */
export function inOrder(node: Expression): Expression {
  const { kind } = typeOrUnknown(node);
  return kind === "uuid" || (kind === "text" && node.kind === "bound") ? cast(node, "text", typed(TEXT, node)) : node;
}

const IN_ORDER = "in order";

/** The same for an expression that is not lowered yet. */
export const sortKey = (node: Expression): Expression =>
  inOrder(node) === node
    ? node
    : { kind: "collate", operand: node, collation: [exactName(IN_ORDER, node.span)], span: node.span, type: TEXT };

/** Texts have the order of PostgreSQL's collation "C" anyway. */
export function collated({ operand, collation, span }: Collate): Expression {
  const name = collation.at(-1)?.name;
  if (name === IN_ORDER || name === "C" || name === "POSIX") return inOrder(operand);
  throw unsupported("COLLATE", span, "Texts are in the order of their code points.");
}

/** NULLs are skipped. */
export function concatenated(node: Call): Expression {
  const parts = values(node).map((value) => {
    const shown = shownAmong(value, node);
    return isNullable(value) ? call("ifnull", [shown, text("", node)], typed(TEXT, node)) : shown;
  });
  return parts.length < 2 ? (parts[0] ?? text("", node)) : call("concat", parts, inPlaceOf(node));
}

export function joinedValues(node: Call): Expression {
  const [separator, ...parts] = values(node);
  if (separator?.kind !== "string") throw unsupported("a computed separator", node.span, "Write it as a literal.");
  const shown = parts.map((value) => shownAmong(value, node));
  const list: Expression = { kind: "array", elements: shown, span: node.span, type: { kind: "array", element: TEXT } };
  return call("arrayStringConcat", [list, separator], inPlaceOf(node));
}

/** The pattern with a backslash before literal special characters. A computed pattern may contain any. */
export function like(node: Like): Expression {
  const { pattern, escape, operator, operand, span } = node;
  const own = escape === undefined ? "\\" : escape.kind === "string" ? escape.value : "";
  if (operator === "similar") return similar(node);
  if (pattern.kind !== "string" || own.length !== 1) {
    throw unsupported("LIKE with a computed pattern", span, "Use position(… IN …) > 0.");
  }
  const characters = [...pattern.value];
  let written = "";
  for (let at = 0; at < characters.length; at++) {
    const isEscaped = characters[at] === own;
    const character = characters[isEscaped ? ++at : at];
    if (character === undefined) throw unsupported("a pattern that ends with its escape character", span);
    written += character === "\\" || (isEscaped && /[%_]/.test(character)) ? `\\${character}` : character;
  }
  const folded = (value: Expression): Expression =>
    operator === "ilike"
      ? isAscii(value)
        ? call("lower", [value], typed(TEXT, value))
        : spelled(LOWER, [value], value)
      : value;
  return {
    ...node,
    operator: "like",
    operand: folded(operand),
    pattern: folded({ ...pattern, value: written }),
    escape: undefined,
  };
}

/** A literal of ASCII characters. */
export function isAscii(value: Expression): boolean {
  return value.kind === "string" && [...value.value].every((character) => character <= "\x7f");
}

export const isText = (value: Expression): boolean => ["text", "null"].includes(typeOrUnknown(value).kind);

const refused = (node: Call) => unsupported(`${functionName(node)} with these arguments`, node.span);

/** A function that accepts only texts. */
export const ofTexts =
  (template: Template) =>
  (node: Call): Expression => {
    if (!values(node).every(isText)) throw refused(node);
    // NULL alone has no type.
    const parts = values(node).map((each) => (each.kind === "null" ? cast(each, "text", typed(TEXT, each)) : each));
    return spelled(template, parts, node);
  };

export function length(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || typeOrUnknown(value).kind !== "text") throw refused(node);
  return counted(node, node);
}

const AT_LEAST_NONE = words("if(isNull($1), NULL, greatest($1, 0))");

/** A negative number of characters is none. */
function lengthOf(length: Expression, node: Call): Expression {
  const count = countOf(length);
  if (count !== undefined) return integer(Math.max(count, 0), node);
  if (typeOrUnknown(length).kind !== "integer") throw refused(node);
  return spelled(AT_LEAST_NONE, [length], length);
}

export function padded(name: "leftpad" | "rightpad") {
  return (node: Call): Expression => {
    const [value, length, fill = text(" ", node)] = values(node);
    if (value === undefined || !isText(value) || length === undefined || fill.kind !== "string") throw refused(node);
    const kept = lengthOf(length, node);
    if (fill.value === "") return call("left", [value, kept], inPlaceOf(node));
    return withArguments(renamed(node, name), [value, kept, fill]);
  };
}

/** Trims blanks, or literal characters. */
export function trimmed(name: "trimBoth" | "trimLeft" | "trimRight") {
  return (node: Call): Expression => {
    const [value, characters = text(" ", node)] = values(node);
    if (value === undefined || !isText(value) || characters.kind !== "string") throw refused(node);
    if (characters.value === "") return value;
    return call(name, [value, characters], inPlaceOf(node));
  };
}

export function replaced(node: Call): Expression {
  const [value, from] = values(node);
  if (value === undefined || !values(node).every(isText) || from?.kind !== "string") throw refused(node);
  return from.value === "" ? value : renamed(node, "replaceall");
}

const HEXADECIMAL = words("replaceRegexpOne(lower(hex($1)), '^0(.)', '\\\\1')");

const byte = (place: number): string => `toInt32(reinterpretAsUInt8(substring(_s, ${place}, 1)))`;
/** The bits of the bytes behind the first one of a character. */
const following = (count: number): string =>
  Array.from({ length: count }, (_, at) => ` + (${byte(at + 2)} - 128) * ${64 ** (count - 1 - at)}`).join("");
const ofBytes = (count: number, first: number): string =>
  `(${byte(1)} - ${first}) * ${64 ** (count - 1)}${following(count - 1)}`;
/** By the bytes of UTF-8, for which ClickHouse has no function; 0 of an empty text. */
const CODE_POINT = words(
  `arrayElement(arrayMap(_s -> multiIf(${byte(1)} < 128, ${byte(1)}, ${byte(1)} < 224, ${ofBytes(2, 192)}, ` +
    `${byte(1)} < 240, ${ofBytes(3, 224)}, ${ofBytes(4, 240)}), [$1]), 1)`,
);

export function codePoint(node: Call): Expression {
  const [value] = values(node);
  if (value?.kind === "string") return integer(value.value.codePointAt(0) ?? 0, node);
  if (value === undefined || typeOrUnknown(value).kind !== "text") throw refused(node);
  return spelled(CODE_POINT, [value], node);
}

const continuing = (size: number): string => `128 + intDiv(_c, ${size}) % 64`;
const IS_NO_CHARACTER = "_c < 1 OR _c > 1114111 OR (_c >= 55296 AND _c < 57344)";
/** The bytes of UTF-8; PostgreSQL raises for what is no character, too. */
const CHARACTER = words(
  "arrayElement(arrayMap(_c -> multiIf(isNull(_c), NULL, " +
    `throwIf(${IS_NO_CHARACTER}, 'A number that no character has') = 1, NULL, _c < 128, char(_c), ` +
    `_c < 2048, char(192 + intDiv(_c, 64), ${continuing(1)}), ` +
    `_c < 65536, char(224 + intDiv(_c, 4096), ${continuing(64)}, ${continuing(1)}), ` +
    `char(240 + intDiv(_c, 262144), ${continuing(4096)}, ${continuing(64)}, ${continuing(1)})), [toNullable($1)]), 1)`,
);

export function character(node: Call): Expression {
  const [value] = values(node);
  const code = value && countOf(value);
  if (code !== undefined) {
    if (code >= 1 && code <= 0x10ffff && (code < 0xd800 || code >= 0xe000))
      return text(String.fromCodePoint(code), node);
    throw unsupported("a number that no character has", node.span);
  }
  if (value === undefined || typeOrUnknown(value).kind !== "integer") throw refused(node);
  return spelled(CHARACTER, [value], node);
}

export function hexadecimal(node: Call): Expression {
  const [value] = values(node);
  const type = value && typeOrUnknown(value);
  if (value === undefined || type?.kind !== "integer") throw refused(node);
  return spelled(HEXADECIMAL, [spelled(IN_BITS[type.bits], [value], value)], node);
}

export function overlaid(node: Call): Expression {
  const [, , from, length] = values(node);
  const isSure = (from && countOf(from)) !== undefined && (length === undefined || (countOf(length) ?? -1) >= 0);
  if (!isSure || (from && (countOf(from) ?? 0) < 1) || !values(node).slice(0, 2).every(isText)) throw refused(node);
  return renamed(node, "overlayUTF8");
}
