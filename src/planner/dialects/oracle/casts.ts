/**
 * Casts. Oracle's own read a text as a number or a time in the forms of the session and in more forms than PostgreSQL; a pattern is
 * tested first, and what does not have it raises (ORA-01722). Whole numbers are NUMBERs of any length: computed wider, never wrapped.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CAST.html
 */
import { unsupported } from "../../diagnostics.ts";
import { sameArray } from "../../lowering/arrays/document-arrays.ts";
import { type Casts, castRules } from "../../lowering/casts.ts";
import { castHalfToEven } from "../../lowering/numbers/half-to-even.ts";
import { shownDigits } from "../../lowering/numbers/shown-digits.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { cutText } from "../../lowering/texts/cut-texts.ts";
import { checkedPrecision } from "../../lowering/texts/text-casts.ts";
import { typedLiteral } from "../../lowering/times/typed-literals.ts";
import { binary, call, cases, comparison, inPlaceOf, integer, not, text, typed, when } from "../../syntax/build.ts";
import type { Cast, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, NUMERIC, TEXT, TIMESTAMP, typeOrUnknown } from "../../types.ts";
import { joinedParts, mayBeEmpty, PRESENT } from "./empty-texts.ts";
import { isMemberText, memberOfForm } from "./json.ts";
import { asResult, dayOf, stamp } from "./times.ts";

/** Dates and times of both forms of ISO 8601. */
const SPACED = words("REPLACE($1, 'T', ' ')", { type: TEXT });
/** A timestamp without the zeros behind its seconds. */
const TIME_TEXT = words("RTRIM(RTRIM(TO_CHAR($1, 'YYYY-MM-DD HH24:MI:SS.FF6'), '0'), '.')");

const untyped = (node: Cast): Expression => ({ kind: "null", span: node.span, type: typeOrUnknown(node) });
const plain = (node: Cast): Expression => ({ ...node, safe: false });
const operandOf = ({ operand, type }: Cast): Expression => ({ ...operand, ...(type && { type }) }) as Expression;

export const oracleCasts = (): Casts =>
  castRules({
    text: { null: plain, "*": toText },
    integer: { null: plain, "integer decimal": plain, boolean: plain, float: ofWholeFloat, text: ofDigits("[0-9]+") },
    decimal: {
      null: plain,
      "integer decimal float": toDecimal,
      text: ofDigits("([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,2})?"),
    },
    float: {
      null: plain,
      "integer decimal float": plain,
      text: ofDigits("([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,2})?"),
    },
    boolean: {
      null: plain,
      boolean: (node) => node.operand,
      integer: (node) => comparison(node.operand, "<>", integer(0, node), node),
      text: booleanOfText,
    },
    date: {
      null: plain,
      text: ofTime("[0-9]{4}-[0-9]{2}-[0-9]{2}", "to_date", "YYYY-MM-DD"),
      "date timestamp": (node) => dayOf(node.operand),
    },
    timestamp: {
      null: ofAnyPrecision,
      text: ofTime(
        "[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?",
        "to_timestamp",
        "YYYY-MM-DD HH24:MI:SS.FF",
      ),
      "date timestamp": toTimestamp,
    },
    uuid: { null: untyped },
    time: {},
    binary: { null: untyped },
    json: { null: untyped },
    interval: { null: untyped },
    array: { null: untyped, array: sameArray },
    row: { null: untyped },
    opaque: { null: untyped },
  });

const matching = (operand: Expression, pattern: string): Expression =>
  binary(operand, "~", text(pattern, operand), typed(BOOLEAN, operand));

/** The text where it has the form; else one that cannot be read, or NULL. An empty text has no form, and a sign more raises. */
export function shaped(operand: Expression, pattern: string, safe: boolean, read = presentText): Expression {
  if (isMemberText(operand) && !safe) return memberOfForm(operand, pattern);
  const otherwise = safe ? undefined : joinedParts([operand, text("!", operand)], operand);
  const own = presentText(operand);
  return when(matching(own, pattern), read(operand), otherwise, typed(TEXT, operand));
}

const presentText = (operand: Expression): Expression =>
  mayBeEmpty(operand) ? call(PRESENT, [operand], typed(TEXT, operand)) : operand;

const LIMITS: Readonly<Record<number, readonly [string, string]>> = {
  16: ["-32768", "32767"],
  32: ["-2147483648", "2147483647"],
  64: ["-9223372036854775808", "9223372036854775807"],
};

function ofDigits(digits: string) {
  return (node: Cast): Expression => {
    const { operand, safe } = node;
    if (operand.kind === "string" && !/^ *[-+]?[0-9.]+([eE][-+]?\d{1,2})? *$/.test(operand.value) && !safe) {
      throw unsupported(`'${operand.value.slice(0, 40)}' as a number`, node.span, "Write its digits.");
    }
    const value = plain({ ...node, operand: shaped(operand, `^ *[-+]?${digits} *$`, safe) });
    const type = typeOrUnknown(node);
    const [low, high] = (safe && type.kind === "integer" && LIMITS[type.bits]) || [];
    if (safe && type.kind === "decimal" && type.precision !== undefined) {
      throw unsupported("TRY_CAST to a number of a length", node.span, "Leave the length out.");
    }
    if (low === undefined || high === undefined) return value;
    const number = (text: string): Expression => ({ kind: "number", text, span: node.span, type: NUMERIC });
    const within: Expression = {
      kind: "between",
      negated: false,
      symmetric: false,
      operand: value,
      low: number(low),
      high: number(high),
      span: node.span,
      type: BOOLEAN,
    };
    return when(within, value, undefined, inPlaceOf(node));
  };
}

const YES = "^[[:space:]]*(t|tr|tru|true|y|ye|yes|on|1)[[:space:]]*$";
const YES_OR_NO = "^[[:space:]]*(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)[[:space:]]*$";

/** The words that PostgreSQL reads, in a member of JSON; any other text raises. */
function booleanOfText({ operand, span }: Cast): Expression {
  if (!isMemberText(operand)) throw unsupported("a cast from text to boolean", span);
  const word = memberOfForm(operand, YES_OR_NO, "in");
  return binary(word, "~*", text(YES, operand), typed(BOOLEAN, operand));
}
/** https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/TRUNC-number.html */
const roundedHalfToEven = castHalfToEven(
  (value) => `ROUND(${value})`,
  (value) => `TRUNC(${value})`,
);

function ofWholeFloat(node: Cast): Expression {
  const { operand } = node;
  if (operand.kind === "call" && /^(round|floor|ceil)$/.test(operand.name[0]?.name ?? "")) return node;
  return roundedHalfToEven(node);
}

const MAX_PRECISION = 38;

function toDecimal(node: Cast): Expression {
  const [from, to] = [typeOrUnknown(node.operand), typeOrUnknown(node)];
  const { precision, scale = 0 } = to.kind === "decimal" ? to : {};
  if (precision !== undefined && (precision > MAX_PRECISION || scale < 0 || scale > precision)) {
    throw unsupported(`numeric(${precision}, ${scale})`, node.span, `At most ${MAX_PRECISION} digits.`);
  }
  const operand = from.kind === "float" ? ofSureDigits(node.operand, from.bits) : node.operand;
  return precision === undefined ? operandOf({ ...node, operand }) : plain({ ...node, operand });
}

/** PostgreSQL takes the digits of a double that are sure, fifteen, or six of a real. */
function ofSureDigits(operand: Expression, bits: 32 | 64): Expression {
  const format = text(`9.${"9".repeat(bits === 32 ? 5 : 14)}EEEE`, operand);
  return call("to_number", [call("to_char", [operand, format], typed(TEXT, operand)), format], typed(NUMERIC, operand));
}

/** A text that is written out is read here and now, any other by the form that both read alike. */
function ofTime(pattern: string, read: string, format: string) {
  return (node: Cast): Expression => {
    const { operand, safe, span, type } = node;
    checkedPrecision(node);
    if (operand.kind === "string" && !safe) {
      const literal = typedLiteral({
        kind: "typed",
        typeName: node.typeName,
        value: operand.value,
        span,
        ...(type && { type }),
      });
      return asResult({ ...literal, type: type?.kind === "timestamp" ? TIMESTAMP : typeOrUnknown(node) }, node);
    }
    const spaced = (own: Expression): Expression =>
      read === "to_date"
        ? presentText(own)
        : call("replace", [presentText(own), text("T", node), text(" ", node)], typed(TEXT, node));
    if (safe)
      throw unsupported("TRY_CAST of a text to a time", span, "Test its form first, by LIKE or a regular expression.");
    const shape = isMemberText(operand)
      ? spelled(SPACED, [memberOfForm(operand, `^${pattern}$`)], node)
      : shaped(operand, `^${pattern}$`, false, spaced);
    return asResult(
      call(read, [shape, text(format, node)], typed(read === "to_date" ? typeOrUnknown(node) : TIMESTAMP, node)),
      node,
    );
  };
}

function ofAnyPrecision(node: Cast): Expression {
  checkedPrecision(node);
  return plain({ ...node, typeName: { ...node.typeName, parameters: [] } });
}

function toTimestamp(node: Cast): Expression {
  checkedPrecision(node);
  const isZoned = ({ type }: Expression): boolean => type?.kind === "timestamp" && type.zoned;
  return isZoned(node.operand) && isZoned(node) ? node.operand : asResult(stamp(node.operand), node);
}

function toText(node: Cast): Expression {
  return cutText(textOf(node.operand, node), node);
}

/** PostgreSQL's text of a value; `at` is where it is asked for. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  const shown = (format: string, of = value): Expression => call("to_char", [of, text(format, at)], place);
  const type = typeOrUnknown(value);
  switch (type.kind) {
    case "text":
    case "null":
      return value;
    case "integer":
      return call("to_char", [value], place);
    case "decimal": {
      const scale = shownDigits(value);
      if (scale === undefined || scale > 20) throw noText("a number that is computed", at);
      return shown(`FM${"9".repeat(37)}0${scale > 0 ? `.${"0".repeat(scale)}` : ""}`);
    }
    case "boolean":
      return truthAs(value, ["true", "false"], at);
    case "date":
      return shown("YYYY-MM-DD", dayOf(value));
    case "timestamp": {
      const whole = spelled(TIME_TEXT, [stamp(value)], place);
      return type.zoned ? joinedParts([whole, text("+00", at)], at) : whole;
    }
    default:
      throw noText(`a value of type ${type.kind}`, at);
  }
}

export const truthAs = (value: Expression, [yes, no]: readonly [string, string], at: Expression): Expression =>
  cases(
    [
      { when: value, then: text(yes, at) },
      { when: not(value), then: text(no, at) },
    ],
    undefined,
    typed(TEXT, at),
  );

function noText(what: string, at: Expression) {
  return unsupported(`the text of ${what}`, at.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
}
