/**
 * Whether a row group may contain a row that meets a filter, by its minimum and maximum. If the types differ, or there are no
 * statistics, it may.
 */
import type { ScanFilter, ScanValue } from "../../../planner/plan.ts";
import type { Struct } from "./compact-protocol.ts";
import { type Meaning, meaningOf, PHYSICAL } from "./element-type.ts";
import { bytesOf, integerOf } from "./footer.ts";

/** Bounds of the values that are not NULL; numbers and timestamps as multiples of `10 ** -scale`. */
type Bounds =
  | {
      readonly kind: "exact";
      readonly of: "number" | "moment";
      readonly scale: number;
      readonly least: bigint;
      readonly most: bigint;
    }
  | { readonly kind: "float"; readonly single: boolean; readonly least: number; readonly most: number }
  | { readonly kind: "text"; readonly least: Uint8Array; readonly most: Uint8Array }
  | { readonly kind: "boolean"; readonly least: boolean; readonly most: boolean };

/** `element` of the schema, and the metadata of one of its chunks. */
export function mayHold(filter: ScanFilter, element: Struct, metadata: Struct): boolean {
  const statistics = metadata.get(12);
  if (statistics?.type !== "struct" || integerOf(element, 3) === REPEATED) return true;
  const values = integerOf(metadata, 5);
  if (values !== undefined && values > 0n && integerOf(statistics.value, 3) === values) return false;
  const least = bytesOf(statistics.value, 6);
  const most = bytesOf(statistics.value, 5);
  return least === undefined || most === undefined || mayBeWithin(filter, element, least, most);
}

/** Whether a value between these bounds, in their stored form, may match. */
export function mayBeWithin(filter: ScanFilter, element: Struct, least: Uint8Array, most: Uint8Array): boolean {
  if (integerOf(element, 3) === REPEATED) return true;
  const bounds = boundsOf(element, least, most);
  return bounds === undefined || filter.values.some((value) => overlaps(bounds, filter.operator, value));
}

const REPEATED = 2n;

function boundsOf(element: Struct, least: Uint8Array, most: Uint8Array): Bounds | undefined {
  const physical = integerOf(element, 1);
  const meaning = meaningOf(element);
  if (meaning === undefined) return undefined;
  switch (physical) {
    case PHYSICAL.boolean:
      if (meaning.of !== "itself" || least.length !== 1 || most.length !== 1) return undefined;
      return { kind: "boolean", least: least[0] !== 0, most: most[0] !== 0 };
    case PHYSICAL.float:
    case PHYSICAL.double: {
      const single = physical === PHYSICAL.float;
      if (meaning.of !== "itself" || least.length !== (single ? 4 : 8) || most.length !== least.length)
        return undefined;
      const [from, to] = [least, most].map((bytes) => {
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        return single ? view.getFloat32(0, true) : view.getFloat64(0, true);
      });
      if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return undefined;
      return { kind: "float", single, least: from, most: to };
    }
    case PHYSICAL.int32:
    case PHYSICAL.int64: {
      const width = physical === PHYSICAL.int32 ? 4 : 8;
      if (least.length !== width || most.length !== width) return undefined;
      return exact(meaning, littleEndian(least), littleEndian(most));
    }
    case PHYSICAL.bytes:
    case PHYSICAL.fixed:
      if (meaning.of === "text") return { kind: "text", least, most };
      if (meaning.of !== "number" || least.length === 0 || most.length === 0) return undefined;
      return exact(meaning, bigEndian(least), bigEndian(most));
    default:
      return undefined;
  }
}

function exact({ of, scale = 0, factor = 1n }: Meaning, least: bigint, most: bigint): Bounds | undefined {
  if (of === "text" || least > most) return undefined;
  return { kind: "exact", of: of === "itself" ? "number" : of, scale, least: least * factor, most: most * factor };
}

function overlaps(bounds: Bounds, operator: ScanFilter["operator"], value: ScanValue): boolean {
  switch (bounds.kind) {
    case "boolean": {
      if (value.kind !== "boolean" || operator !== "=") return true;
      return bounds.least === value.value || bounds.most === value.value;
    }
    case "exact": {
      const scaled = bounds.of === "number" ? scaledNumber(value) : nanoseconds(value);
      if (scaled === undefined) return true;
      const scale = bounds.of === "number" ? Math.max(bounds.scale, scaled.scale) : 0;
      const at = scaled.digits * 10n ** BigInt(scale - scaled.scale);
      const factor = 10n ** BigInt(scale - (bounds.of === "number" ? bounds.scale : 0));
      return within(operator, sign(bounds.least * factor - at), sign(bounds.most * factor - at));
    }
    case "float": {
      // NaN is greater than all numbers, and not included in the bounds.
      if (value.kind !== "number" || operator === ">" || operator === ">=") return true;
      const number = Number(value.text);
      if (!Number.isFinite(number) || bounds.least > bounds.most) return true;
      // The engine may compare 32-bit floats in either precision.
      return (bounds.single ? [number, Math.fround(number)] : [number]).some((at) =>
        within(operator, bounds.least - at, bounds.most - at),
      );
    }
    case "text": {
      if (value.kind !== "text") return true;
      const at = new TextEncoder().encode(value.text);
      return within(operator, compareBytes(bounds.least, at), compareBytes(bounds.most, at));
    }
    default:
      return bounds satisfies never;
  }
}

/** `least` and `most`: the signs of the bounds minus the value. */
function within(operator: ScanFilter["operator"], least: number, most: number): boolean {
  switch (operator) {
    case "=":
      return least <= 0 && most >= 0;
    case "<":
      return least < 0;
    case "<=":
      return least <= 0;
    case ">":
      return most > 0;
    case ">=":
      return most >= 0;
    default:
      return operator satisfies never;
  }
}

/** The exact digits of a number. A number with an exponent is compared as a binary fraction, and never excludes a group. */
export function scaledNumber(value: ScanValue): { readonly digits: bigint; readonly scale: number } | undefined {
  if (value.kind !== "number") return undefined;
  const [, minus, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(value.text) ?? [];
  if (whole === undefined || whole.length + fraction.length > 1000) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: minus === "-" ? -digits : digits, scale: fraction.length };
}

export function nanoseconds(value: ScanValue): { readonly digits: bigint; readonly scale: number } | undefined {
  if (value.kind !== "date" && value.kind !== "timestamp") return undefined;
  const [day = "", time = "00:00:00"] = value.text.split(" ");
  const [clock = "", fraction = ""] = time.split(".");
  const milliseconds = Date.parse(`${day}T${clock}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  return { digits: BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, "0")), scale: 0 };
}

function littleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return bytes.length === 4 ? BigInt(view.getInt32(0, true)) : view.getBigInt64(0, true);
}

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

function sign(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
