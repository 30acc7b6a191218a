/** Binds literals: numbers by their digits, texts that name a type, intervals, bits; and the types that a caller names. */
import { PlannerError } from "../diagnostics.ts";
import { parseFieldInterval, parseInterval } from "../intervals.ts";
import { cast, text } from "../syntax/build.ts";
import type {
  BitsLiteral,
  Expression,
  IntervalLiteral,
  StringLiteral,
  TypedLiteral,
  TypeName,
} from "../syntax/tree.ts";
import {
  BINARY,
  canonicalTypeName,
  INTEGER,
  INTERVAL,
  isNumeric,
  isUnknown,
  NUMERIC,
  type SqlType,
  TEXT,
  typeOfName,
  unknownTypeName,
} from "../types.ts";
import type { ExpressionBinding } from "./binding.ts";
import { convertTo, typeOf } from "./coercion.ts";

/** Digits decide: whole numbers by size, anything with a point or an exponent is an exact decimal. */
export function numberType(text: string): SqlType {
  if (/^\d+$/.test(text)) {
    const digits = text.replace(/^0+(?=\d)/, "");
    if (digits.length < 10 || (digits.length === 10 && digits <= "2147483647")) return INTEGER;
    if (digits.length < 19 || (digits.length === 19 && digits <= "9223372036854775807"))
      return { kind: "integer", bits: 64 };
    return { kind: "decimal", precision: digits.length, scale: 0 };
  }
  // No two parts may match the same digits: otherwise a long number with an exponent would be tried at every position
  // between them.
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return NUMERIC;
  const whole = (match[1] ?? "").replace(/^0+/, "").length;
  const scale = (match[2] ?? "").length;
  return { kind: "decimal", precision: Math.max(whole + scale, 1), scale };
}

/** The type that a caller names; throws for names that only the source knows. */
export function namedType(name: TypeName): SqlType {
  const unknown = unknownTypeName(name);
  if (unknown !== undefined) {
    throw new PlannerError("INVALID_QUERY", `type "${unknown.slice(0, 60)}" is not known`, {
      span: name.span,
      hint: "Use integer, bigint, numeric, double precision, text, boolean, date, timestamp, interval, json or uuid.",
    });
  }
  const type = typeOfName(name);
  const [length] = name.parameters;
  if (length !== undefined && length < (type.kind === "decimal" ? 1 : 0)) {
    throw new PlannerError("INVALID_QUERY", `type "${name.name}" cannot have ${length} characters or digits`, {
      span: name.span,
      hint: "Write a number above 0.",
    });
  }
  return type;
}

export function bindTypedLiteral(literal: TypedLiteral, binding: ExpressionBinding): Expression {
  const type = namedType(literal.typeName);
  const text: StringLiteral = { kind: "string", value: literal.value, span: literal.span, type: TEXT };
  return (
    literalOfType(text, type, literal.typeName, binding) ?? {
      kind: "cast",
      operand: text,
      typeName: literal.typeName,
      safe: false,
      span: literal.span,
      type,
    }
  );
}

/** A text as it is bound: it keeps the zone that it would have as an instant (docs/decisions/0011-time-zones.md). */
export function zonedText(text: StringLiteral, { binder }: ExpressionBinding): StringLiteral {
  const { timeZone } = binder.context;
  return timeZone === "UTC" ? { ...text, type: TEXT } : { ...text, type: TEXT, zone: timeZone };
}

/** A text that the caller gave a type: read at once where every engine could read it differently. */
export function literalOfType(
  text: StringLiteral,
  type: SqlType,
  typeName: TypeName,
  binding: ExpressionBinding,
): Expression | undefined {
  switch (type.kind) {
    case "text":
      // A length cuts the text.
      return typeName.parameters.length === 0 ? { ...text, isText: true } : undefined;
    case "timestamp":
      return convertTo(zonedText(text, binding), type);
    case "date":
    case "time":
    case "interval":
    case "boolean":
      return convertTo(text, type);
    case "array": {
      const operand = convertTo(text, type);
      // Arrays in arrays are of no other type in PostgreSQL, which alone reads them.
      if (operand.kind === "array" && operand.elements.some((element) => element.kind === "array")) return undefined;
      const name = canonicalTypeName(typeName, type);
      return { kind: "cast", operand, typeName: name, safe: false, span: text.span, type };
    }
    case "integer":
    case "decimal":
    case "float":
    case "binary":
    case "uuid":
    case "json":
    case "row":
    case "null":
    case "opaque":
      return undefined;
    default:
      return type satisfies never;
  }
}

/**
 * `X'…'` is a binary string, as in the standard; PostgreSQL alone reads bits. `B'…'` is a bit string on every target that has one.
 */
export function bindBits(literal: BitsLiteral): Expression {
  if (literal.base === 2) return { ...literal, type: { kind: "opaque", name: "bit" } };
  if (literal.digits.length % 2 === 0)
    return cast(text(`\\x${literal.digits}`, literal), "bytea", { span: literal.span, type: BINARY });
  throw new PlannerError("INVALID_QUERY", "X'…' needs two digits for each byte", { span: literal.span });
}

export function bindInterval(node: IntervalLiteral, bind: (child: Expression) => Expression): Expression {
  const { value, unit, toUnit } = node;
  const unreadable = (): PlannerError =>
    new PlannerError("TYPE_MISMATCH", "the text cannot be read as an interval", {
      span: node.span,
      hint: "Write INTERVAL '3 days', INTERVAL '1 month' or INTERVAL 3 DAY.",
    });
  if (value.kind === "string") {
    const readable = unit === undefined ? parseInterval(value.value) : parseFieldInterval(value.value, unit, toUnit);
    if (readable === undefined) throw unreadable();
    return { ...node, value: { ...value, type: TEXT }, type: INTERVAL };
  }
  const bound = bind(value);
  if (!isNumeric(typeOf(bound)) && !isUnknown(typeOf(bound))) throw unreadable();
  return { ...node, value: bound, type: INTERVAL };
}
