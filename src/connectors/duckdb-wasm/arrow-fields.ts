/**
 * Reads values that DuckDB sends in its own form of Arrow with `arrow_lossless_conversion`: types without a counterpart as
 * extension types, and infinite dates and times as the limits of their ranges.
 */
import type { LogicalType, Value } from "../../result/types.ts";
import type { ArrowField } from "../arrow/stream.ts";
import { bit, type CustomReader, type FieldReader, fixed, long, nullable, onlyOf, unitOf } from "../arrow/values.ts";
import { timeTzText, uuidText } from "../duckdb/scalar-text.ts";
import { UnreadableValue } from "../unreadable-value.ts";

/** Type numbers of `Type` in `Schema.fbs`. */
const INTEGER = 2;
const BINARY = 4;
const DATE = 8;
const TIMESTAMP = 10;
const UNION = 14;
const FIXED_BYTES = 15;
const FIXED_LIST = 16;

export const readDuckDbField: CustomReader = (field, read) => {
  switch (field.typeId) {
    case INTEGER:
      // Declared as bytes, but sent as bits (1.4.3 in WASM).
      return extensionOf(field) === "arrow.bool8"
        ? fixed({ kind: "boolean" }, (view) => (index) => bit(view, index))
        : unsigned(field);
    case DATE:
      return fixed({ kind: "date" }, (view) => (index) => dateValue(view.getInt32(index * 4, true)));
    case TIMESTAMP: {
      const unit = unitOf(field.attribute(4, 2, 0));
      const zone = field.hasTimeZone ? "UTC" : undefined;
      return fixed({ kind: "timestamp", unit, zone }, (view) => (index) => timestampValue(long(view, index)));
    }
    case FIXED_BYTES:
      return ofFixedBytes(field);
    case FIXED_LIST:
      return fixedList(read(onlyOf(field.children)), field.attribute(4, 4, 0));
    // A NULL union and a NULL member are sent identically.
    case UNION:
      throw new UnreadableValue("its type has no counterpart");
    case BINARY:
      if (extensionOf(field) === "bignum") throw new UnreadableValue("its type has no counterpart");
      return undefined;
    default:
      return undefined;
  }
};

function extensionOf({ metadata }: ArrowField): string | undefined {
  const name = metadata.get("ARROW:extension:name");
  if (name !== "arrow.opaque") return name;
  const { type_name: own } = JSON.parse(metadata.get("ARROW:extension:metadata") ?? "{}") as {
    readonly type_name?: string;
  };
  return own;
}

function unsigned({ attribute }: ArrowField): FieldReader | undefined {
  if (attribute(6, 1, 0) !== 0) return undefined;
  switch (attribute(4, 4, 0)) {
    case 8:
      return fixed({ kind: "uint8" }, (view) => (index) => view.getUint8(index));
    case 16:
      return fixed({ kind: "uint16" }, (view) => (index) => view.getUint16(index * 2, true));
    case 32:
      return fixed({ kind: "uint32" }, (view) => (index) => view.getUint32(index * 4, true));
    default:
      return fixed({ kind: "uint64" }, (view) => (index) => view.getBigUint64(index * 8, true));
  }
}

function dateValue(days: number): number {
  if (days === 2_147_483_647) return Number.POSITIVE_INFINITY;
  return days === -2_147_483_647 ? Number.NEGATIVE_INFINITY : days;
}

function timestampValue(value: bigint): Value {
  if (value === 9_223_372_036_854_775_807n) return "infinity";
  return value === -9_223_372_036_854_775_807n ? "-infinity" : value;
}

/** The types of the sidecar's own reader (`sidecar/duckdb/column-reader.ts`). */
const WIDE_INTEGER: LogicalType = { kind: "decimal", precision: 38, scale: 0 };
const ZONED_TIME: LogicalType = { kind: "opaque", name: "TIME WITH TIME ZONE" };

function ofFixedBytes(field: ArrowField): FieldReader | undefined {
  switch (extensionOf(field)) {
    case "hugeint":
      return fixed(
        WIDE_INTEGER,
        (view) => (index) =>
          String((view.getBigInt64(index * 16 + 8, true) << 64n) | view.getBigUint64(index * 16, true)),
      );
    case "uhugeint":
      return fixed(
        WIDE_INTEGER,
        (view) => (index) =>
          String((view.getBigUint64(index * 16 + 8, true) << 64n) | view.getBigUint64(index * 16, true)),
      );
    case "time_tz":
      return fixed(ZONED_TIME, (view) => (index) => timeTzText(view.getBigUint64(index * 8, true)));
    case "arrow.uuid":
      return fixed({ kind: "uuid" }, (view) => (index) => uuidText(reversed(view, index * 16), 0));
    default:
      return undefined;
  }
}

/** Arrow has a UUID's bytes in the order of its text; DuckDB has them in reverse order with the top bit flipped. */
function reversed(view: DataView, offset: number): DataView {
  const bytes = Uint8Array.from({ length: 16 }, (_, byte) => view.getUint8(offset + 15 - byte));
  bytes[15] = (bytes[15] ?? 0) ^ 0x80;
  return new DataView(bytes.buffer);
}

/** `size`: number of elements of every entry, NULL entries included. */
function fixedList(element: FieldReader, size: number): FieldReader {
  return {
    type: { kind: "list", element: element.type },
    bind: (parts) =>
      nullable(parts, () => {
        const { at } = element.bind(parts);
        return (index) => Array.from({ length: size }, (_, place) => at(index * size + place));
      }),
  };
}
