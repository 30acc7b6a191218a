/**
 * One writer per column, chosen once per stream: values are not inspected except for a check that they have the representation of
 * their type. Without this check a connector's defect would become text that looks right.
 */
import { ResultError } from "../failure.ts";
import { arrowTypeName } from "../names/arrow.ts";
import { dateText } from "../text/date.ts";
import { decimalNumber, decimalText } from "../text/decimal.ts";
import { floatNumber } from "../text/float.ts";
import { hexText } from "../text/hex.ts";
import { intervalText } from "../text/interval.ts";
import { timeText } from "../text/time.ts";
import { epochMilliseconds, timestampWriter } from "../text/timestamp.ts";
import { openZone, type Zone } from "../text/zone.ts";
import type { IntervalValue, LogicalType, Value } from "../types.ts";
import { type ColumnRules, PROFILES } from "./profiles.ts";

export type NotNull = Exclude<Value, null>;
export type WriteValue = (value: Value) => string;
type WriteNotNull = (value: NotNull) => string;

export interface WriterContext {
  /** For the message when a value does not match its type. */
  readonly column: string;
  readonly rules: ColumnRules;
  /** The zone that zoned timestamps of this type are shown in. */
  readonly zoneOf: (typeZone: string) => Zone;
}

const UTC: Zone = { name: "UTC", offsetAt: () => 0 };

/**
 * The display zone of each zoned type, opened once per stream. If the platform does not know a source's zone, the value is shown
 * in UTC: the same instant with a true offset.
 */
export function displayZones(displayZone: Zone | undefined): WriterContext["zoneOf"] {
  const opened = new Map<string, Zone>();
  return (typeZone) => {
    if (displayZone !== undefined) return displayZone;
    const zone = opened.get(typeZone) ?? openZone(typeZone) ?? UTC;
    opened.set(typeZone, zone);
    return zone;
  };
}

/** Writes a value as JSON; NULL is `null`. */
export function jsonWriter(type: LogicalType, context: WriterContext): WriteValue {
  const write = notNullJsonWriter(type, context);
  return (value) => (value === null ? "null" : write(value));
}

/**
 * Writes a value as plain text by the rules of `modern` (docs/spec/contract.md#values) in every profile: the result of a cast to
 * text. Floats and decimals that are not numbers are `NaN`, `Infinity`, `-Infinity`; nested values are JSON.
 */
export function textWriter(type: LogicalType, context: WriterContext): WriteNotNull {
  const fail = mismatch(type, context);
  switch (type.kind) {
    case "boolean":
      return (value) => (typeof value === "boolean" ? String(value) : fail());
    case "int8":
    case "int16":
    case "int32":
    case "uint8":
    case "uint16":
    case "uint32":
      return (value) => (Number.isSafeInteger(value) ? String(value) : fail());
    case "int64":
    case "uint64":
      return (value) => (typeof value === "bigint" ? String(value) : fail());
    case "float32":
      return (value) => (typeof value === "number" ? (floatNumber(Math.fround(value)) ?? String(value)) : fail());
    case "float64":
      return (value) => (typeof value === "number" ? (floatNumber(value) ?? String(value)) : fail());
    case "decimal":
      return (value) => (typeof value === "string" ? (decimalText(value) ?? value) : fail());
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return (value) => (typeof value === "string" ? value : fail());
    case "binary":
      return (value) => (value instanceof Uint8Array ? hexText(value) : fail());
    case "date":
      return (value) => (isDays(value) ? dateText(value) : fail());
    case "time": {
      const { unit } = type;
      return (value) => (Number.isSafeInteger(value) ? timeText(value as number, unit) : fail());
    }
    case "timestamp": {
      const write = timestampWriter(type.unit, type.zone === undefined ? undefined : context.zoneOf(type.zone));
      return (value) => {
        if (typeof value === "bigint") return write(value);
        return value === "infinity" || value === "-infinity" ? value : fail();
      };
    }
    case "interval":
      return (value) => (isInterval(value) ? intervalText(value) : fail());
    case "list":
    case "struct":
    case "map":
    case "null":
      return notNullJsonWriter(type, { ...context, rules: PROFILES.modern.columns });
    default:
      return type satisfies never;
  }
}

function notNullJsonWriter(type: LogicalType, context: WriterContext): WriteNotNull {
  const fail = mismatch(type, context);
  switch (type.kind) {
    case "boolean":
    case "int8":
    case "int16":
    case "int32":
    case "uint8":
    case "uint16":
    case "uint32":
    case "int64":
    case "uint64":
      return textWriter(type, context);
    case "float32":
      return (value) => (typeof value === "number" ? (floatNumber(Math.fround(value)) ?? "null") : fail());
    case "float64":
      return (value) => (typeof value === "number" ? (floatNumber(value) ?? "null") : fail());
    case "decimal":
      return context.rules.decimal === "number"
        ? (value) => (typeof value === "string" ? (decimalNumber(value) ?? "null") : fail())
        : (value) => (typeof value === "string" ? nullable(decimalText(value)) : fail());
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return (value) => (typeof value === "string" ? jsonString(value) : fail());
    case "date":
      return context.rules.date === "text" ? quoted(type, context) : epochOfDate(fail);
    case "timestamp":
      return context.rules.timestamp === "text" ? quoted(type, context) : epochOfTimestamp(type, fail);
    case "binary":
    case "time":
    case "interval":
      return quoted(type, context);
    case "list": {
      const write = jsonWriter(type.element, context);
      return (value) => (isNested(value) ? `[${value.map(write).join(",")}]` : fail());
    }
    case "struct": {
      const fields = type.fields.map((field, index) => {
        const write = jsonWriter(field.type, context);
        const key = `${index === 0 ? "" : ","}${JSON.stringify(field.name)}:`;
        return (value: Value | undefined) => key + (value === undefined ? fail() : write(value));
      });
      return (value) => {
        if (!isNested(value) || value.length !== fields.length) return fail();
        let text = "{";
        for (let index = 0; index < fields.length; index++) text += fields[index]?.(value[index]);
        return `${text}}`;
      };
    }
    case "map": {
      const writeKey = jsonWriter(type.key, context);
      const writeValue = jsonWriter(type.value, context);
      const writePair = (pair: Value): string => {
        if (pair === null || !isNested(pair)) return fail();
        const [key, value] = pair;
        if (pair.length !== 2 || key === undefined || value === undefined) return fail();
        return `[${writeKey(key)},${writeValue(value)}]`;
      };
      return (value) => (isNested(value) ? `[${value.map(writePair).join(",")}]` : fail());
    }
    case "null":
      return fail;
    default:
      return type satisfies never;
  }
}

/** Infinite dates and timestamps keep PostgreSQL's word: `null` would mean that the value is missing. */
function epochOfDate(fail: () => never): WriteNotNull {
  return (value) => {
    if (!isDays(value)) return fail();
    if (!Number.isFinite(value)) return `"${dateText(value)}"`;
    // Exact beyond 2^53 too: the product ends in five zeros, and the digits before them are few enough.
    return String(value * 86_400_000);
  };
}

function epochOfTimestamp(type: LogicalType & { readonly kind: "timestamp" }, fail: () => never): WriteNotNull {
  const { unit } = type;
  return (value) => {
    if (typeof value === "bigint") return epochMilliseconds(value, unit);
    return value === "infinity" || value === "-infinity" ? `"${value}"` : fail();
  };
}

/** Matches characters that JSON may have to escape: controls, quotation mark, backslash, surrogates. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * Writes text as a JSON string. `JSON.stringify` also escapes lone surrogates (ES2019), which UTF-8 cannot encode. Most text
 * needs no escapes, and for it `JSON.stringify` takes two to three times as long as this test.
 */
function jsonString(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Quotes text of digits, letters and punctuation that JSON does not escape. */
function quoted(type: LogicalType, context: WriterContext): WriteNotNull {
  const write = textWriter(type, context);
  return (value) => `"${write(value)}"`;
}

function nullable(text: string | null): string {
  return text === null ? "null" : `"${text}"`;
}

function mismatch(type: LogicalType, context: WriterContext): () => never {
  const { column } = context;
  return () => {
    throw new ResultError("VALUE_MISMATCH", `A value of column "${column}" is not ${arrowTypeName(type)}.`, { column });
  };
}

function isDays(value: Value): value is number {
  return typeof value === "number" && (Number.isSafeInteger(value) || Math.abs(value) === Number.POSITIVE_INFINITY);
}

function isNested(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isInterval(value: NotNull): value is IntervalValue {
  return typeof value === "object" && "microseconds" in value;
}
