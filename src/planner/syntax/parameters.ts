/**
 * Values of a request for `$1`, `$2` … in its SQL. Each is planned as a literal: an explicit type decides, then the other operand,
 * then the JSON type. No text is made of them before the plan is printed, so that a value can mean nothing but itself.
 */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import { plainDigits } from "../plain-digits.ts";
import { nearestNames } from "../suggest.ts";
import { familyOf, LANGUAGE_TYPES, type SqlType, typeOfName, unknownTypeName } from "../types.ts";
import type { Expression, Span, TypeName } from "./tree.ts";

const MOST_PARAMETERS = 1000;
/** Elements of one list. */
const MOST_ELEMENTS = 10_000;
const LONGEST_TYPE = 200;
/** JSON numbers are doubles, which keep this many digits. */
const EXACT_DIGITS = 15;

type ReadType = (text: string) => TypeName;

/** The parameters of one statement. Remembers which ones the statement uses. */
export class Parameters {
  readonly #given: readonly unknown[];
  readonly #readType: ReadType;
  readonly #used = new Set<number>();

  /** Throws PARAMETER_INVALID for too many, LIMIT_SIZE for texts that are too long together. */
  constructor(given: readonly unknown[], limits: PlannerLimits, readType: ReadType) {
    if (given.length > MOST_PARAMETERS) {
      throw new PlannerError("PARAMETER_INVALID", `the request has more than ${MOST_PARAMETERS} parameters`);
    }
    const length = given.reduce((sum: number, value) => sum + lengthOf(value), 0);
    if (length > limits.sqlLength) {
      throw new PlannerError("LIMIT_SIZE", `the parameters are longer than ${limits.sqlLength} characters together`);
    }
    this.#given = given;
    this.#readType = readType;
  }

  /** The literal for `$n`. Throws PARAMETER_INVALID. */
  literal(n: number, span: Span): Expression {
    if (n > this.#given.length) throw missing(n, this.#given.length, span);
    this.#used.add(n);
    return { ...literalOf(this.#given[n - 1], { n, span, readType: this.#readType }), parameter: n };
  }

  /** The JSON value of a parameter, for structured queries, whose members have types. Throws PARAMETER_INVALID. */
  value(n: number): unknown {
    if (n > this.#given.length) throw missing(n, this.#given.length, undefined);
    this.#used.add(n);
    const given = this.#given[n - 1];
    return isRecord(given) ? given["value"] : given;
  }

  /** A parameter that no part of the query uses is probably meant for another place. Throws PARAMETER_INVALID. */
  refuseUnused(): void {
    const unused = this.#given.findIndex((_, index) => !this.#used.has(index + 1));
    if (unused < 0) return;
    throw new PlannerError("PARAMETER_INVALID", `the query does not use $${unused + 1}`, {
      hint: `Remove parameters[${unused}], or write $${unused + 1} where its value belongs.`,
    });
  }
}

interface Slot {
  readonly n: number;
  readonly span: Span;
  readonly readType: ReadType;
}

function literalOf(given: unknown, slot: Slot): Expression {
  if (!isRecord(given)) return untyped(given, slot);
  const unknown = Object.keys(given).find((name) => name !== "type" && name !== "value");
  if (unknown !== undefined || !Object.hasOwn(given, "value")) throw invalid(slot, "is an object", SHAPE);
  const { type, value } = given;
  if (type === undefined) return untyped(value, slot);
  if (typeof type !== "string") throw invalid(slot, "has a type that is not a text", SHAPE);
  return typed(value, typeNameIn(type, slot), slot);
}

const SHAPE = 'Send a text, a number, true, false, null, a list of them, or {"type": "date", "value": "2026-01-31"}.';

function untyped(value: unknown, slot: Slot): Expression {
  if (!Array.isArray(value)) return scalar(value, slot);
  if (value.length === 0) {
    throw invalid(slot, "is an empty list without a type", 'Send {"type": "text[]", "value": []}.');
  }
  checkLength(value, slot);
  return { kind: "array", elements: value.map((each) => scalar(each, slot)), span: slot.span };
}

function scalar(value: unknown, slot: Slot): Expression {
  const { span } = slot;
  if (value === null) return { kind: "null", span };
  switch (typeof value) {
    case "string":
      checkText(value, slot);
      return { kind: "string", value, span };
    case "boolean":
      return { kind: "boolean", value, span };
    case "number":
      return number(exactDigits(value, slot), span);
    default:
      throw invalid(slot, "is not a value", SHAPE);
  }
}

function typed(value: unknown, typeName: TypeName, slot: Slot): Expression {
  const { span } = slot;
  const type = typeOfName(typeName);
  if (Array.isArray(value)) {
    if (type.kind !== "array") throw invalid(slot, `is a list, and not of type ${typeName.name}`);
    checkLength(value, slot);
    const elements = value.map((each) => ofType(each, type.element, slot));
    return castTo({ kind: "array", elements, span }, typeName, slot);
  }
  if (type.kind === "array" && value !== null) throw invalid(slot, `is not a list, and its type is one`);
  const literal = ofType(value, type, slot);
  if (literal.kind === "bits") return literal;
  if (literal.kind !== "string" || type.kind === "text") return castTo(literal, typeName, slot);
  if (type.kind === "interval") return { kind: "interval", value: literal, unit: undefined, toUnit: undefined, span };
  return { kind: "typed", typeName, value: literal.value, span };
}

/** The literal of a value that goes with a type: numbers by their digits, and texts for everything else. */
function ofType(value: unknown, type: SqlType, slot: Slot): Expression {
  if (value === null) return { kind: "null", span: slot.span };
  const family = familyOf(type);
  const isNumber = family === "number";
  if (typeof value === "number" && isNumber) return number(exactDigits(value, slot), slot.span);
  if (typeof value === "boolean" && type.kind === "boolean") return { kind: "boolean", value, span: slot.span };
  if (typeof value !== "string") throw invalid(slot, `is not a value of its type`, "Send the value as a text.");
  checkText(value, slot);
  if (type.kind === "binary") return binary(value, slot);
  if (!isNumber) return { kind: "string", value, span: slot.span };
  const digits = /^[+-]?\d{1,400}(\.\d{0,400})?([eE][+-]?\d{1,4})?$/.test(value) ? value : undefined;
  if (digits === undefined) throw invalid(slot, "is not a number", "Write digits, such as 12.50.");
  return number(digits, slot.span);
}

/** Hexadecimal digits, as PostgreSQL writes binary values. */
function binary(value: string, slot: Slot): Expression {
  const digits = /^\\x((?:[0-9a-f]{2})*)$/i.exec(value)?.[1];
  if (digits === undefined)
    throw invalid(slot, "is not a binary value", 'Send \\x and two hexadecimal digits for each byte: "\\\\x00ff".');
  return { kind: "bits", base: 16, digits, span: slot.span };
}

function castTo(operand: Expression, typeName: TypeName, { span }: Slot): Expression {
  return { kind: "cast", operand, typeName, safe: false, span };
}

function number(text: string, span: Span): Expression {
  const isNegative = text.startsWith("-");
  const unsigned = text.replace(/^[+-]/, "");
  const literal: Expression = { kind: "number", text: plainDigits(unsigned) ?? unsigned, span };
  return isNegative ? { kind: "unary", operator: "-", operand: literal, span } : literal;
}

/** JSON numbers are read as doubles: more digits may already be lost. */
function exactDigits(value: number, slot: Slot): string {
  const digits = value.toExponential().replace(/e.*/, "").replace(/[-.]/g, "");
  if (Number.isFinite(value) && digits.length <= EXACT_DIGITS) return String(value);
  throw invalid(
    slot,
    `is a number of more than ${EXACT_DIGITS} digits, which JSON does not keep`,
    'Send it as a text with its type: {"type": "decimal(38,2)", "value": "…"}.',
  );
}

function typeNameIn(text: string, slot: Slot): TypeName {
  const typeName = text.length <= LONGEST_TYPE ? orUndefined(() => slot.readType(text)) : undefined;
  const unknown = typeName === undefined ? text.slice(0, 60) : unknownTypeName(typeName);
  if (typeName !== undefined && unknown === undefined && isUsable(typeOfName(typeName))) {
    return { ...typeName, span: slot.span };
  }
  const near = nearestNames(text.slice(0, 60), LANGUAGE_TYPES);
  throw invalid(
    slot,
    `has the type "${text.slice(0, 60)}", which is not one of the language`,
    near.length > 0
      ? `Did you mean ${near[0]}?`
      : "Use integer, bigint, numeric, double precision, text, boolean, date, timestamp, interval, json, uuid or bytea.",
  );
}

/** Values of structures and of a source's own types have no literal. */
function isUsable(type: SqlType): boolean {
  if (type.kind === "array") return type.element.kind !== "array" && isUsable(type.element);
  return type.kind !== "row" && type.kind !== "opaque";
}

function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}

function checkLength(list: readonly unknown[], slot: Slot): void {
  if (list.length > MOST_ELEMENTS) throw invalid(slot, `is a list of more than ${MOST_ELEMENTS} elements`);
}

/** No source takes NUL or half a surrogate pair inside a text. */
function checkText(text: string, slot: Slot): void {
  if (text.includes("\0")) throw invalid(slot, "holds the character NUL");
  if (!text.isWellFormed()) throw invalid(slot, "holds half a surrogate pair");
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + lengthOf(each), value.length);
  return isRecord(value) ? lengthOf(value["value"]) + lengthOf(value["type"]) : 0;
}

function missing(n: number, count: number, span: Span | undefined): PlannerError {
  const have = count === 0 ? "no parameters" : `${count} parameter${count === 1 ? "" : "s"}`;
  return new PlannerError("PARAMETER_INVALID", `the query uses $${n}, and the request has ${have}`, {
    ...(span !== undefined && { span }),
    hint: 'Send the values in the order of their numbers: "parameters": [1, "text"].',
  });
}

function invalid({ n, span }: Pick<Slot, "n" | "span">, problem: string, hint?: string): PlannerError {
  return new PlannerError("PARAMETER_INVALID", `parameters[${n - 1}] ${problem}`, {
    span,
    ...(hint !== undefined && { hint }),
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
