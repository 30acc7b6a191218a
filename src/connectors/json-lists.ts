/**
 * Lists that a source sends as JSON texts, because it has no arrays or keeps any values in one: where the plan has an array, the answer
 * has a list.
 */
import type { SqlType } from "../planner/plan.ts";
import { parseDate } from "../result/text/date.ts";
import { canonicalDecimal } from "../result/text/decimal.ts";
import type { LogicalType, Value } from "../result/types.ts";
import { parseExactJson } from "./http/exact-json.ts";
import { fail } from "./http/json-texts.ts";

export type ListType = LogicalType & { readonly kind: "list" };

/** The type of a list for an array of the plan; `undefined` for elements that JSON writes in forms of its own. */
export function listOf(meant: SqlType | undefined): ListType | undefined {
  const element = meant?.kind === "array" ? elementOf(meant.element) : undefined;
  return element && { kind: "list", element };
}

function elementOf(type: SqlType): LogicalType | undefined {
  switch (type.kind) {
    case "text":
    case "null":
      return { kind: "string" };
    case "integer":
      return { kind: type.bits === 64 ? "int64" : type.bits === 32 ? "int32" : "int16" };
    case "decimal":
    case "boolean":
    case "date":
      return { kind: type.kind };
    default:
      return undefined;
  }
}

interface Reading<Source> {
  readonly type: LogicalType;
  /** Reads a value that is not NULL. Throws `UnreadableValue`. */
  readonly read: (source: Source) => Value;
}

/** The reader of a column with the plan's type `meant`: a text or a document as a list, if the plan has an array. */
export function asListMeant<Source>(reading: Reading<Source>, meant: SqlType | undefined): Reading<Source> {
  const { type, read } = reading;
  const list = type.kind === "string" || type.kind === "json" ? listOf(meant) : undefined;
  return list === undefined ? reading : { type: list, read: (source) => readList(String(read(source)), list) };
}

/** Throws `UnreadableValue` for anything but an array of such elements. */
export function readList(text: string, { element }: ListType): Value {
  const list = parsed(text, element.kind === "decimal");
  return Array.isArray(list) ? list.map((each) => readElement(each, element)) : fail("an array");
}

/** A number as it is written. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

const asWritten: Reviver = (_key, value, { source }) =>
  typeof value === "number" && source !== undefined ? new Digits(source) : value;

function parsed(json: string, keepsDigits: boolean): unknown {
  try {
    return keepsDigits
      ? (JSON.parse as (text: string, reviver: Reviver) => unknown)(json, asWritten)
      : parseExactJson(json);
  } catch {
    return fail("an array");
  }
}

const BITS: Readonly<Partial<Record<LogicalType["kind"], number>>> = { int16: 16, int32: 32, int64: 64 };

function readElement(json: unknown, { kind }: LogicalType): Value {
  if (json === null) return null;
  const value = elementValue(json, kind);
  return value ?? fail("an element of the type that the array has in the model");
}

function elementValue(json: unknown, kind: LogicalType["kind"]): Value | undefined {
  if (kind === "string") return typeof json === "string" ? json : undefined;
  if (kind === "boolean") return typeof json === "boolean" ? json : undefined;
  if (kind === "decimal") return json instanceof Digits ? canonicalDecimal(json.text) : undefined;
  if (kind === "date") {
    const days = typeof json === "string" ? parseDate(json) : undefined;
    return days !== undefined && Number.isFinite(days) ? days : undefined;
  }
  const bits = BITS[kind];
  if (bits === undefined || (typeof json !== "bigint" && !Number.isSafeInteger(json))) return undefined;
  const number = BigInt(json as bigint | number);
  if (BigInt.asIntN(bits, number) !== number) return undefined;
  return bits === 64 ? number : Number(number);
}
