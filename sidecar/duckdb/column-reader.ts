/** Converts DuckDB's vectors to canonical values (`src/result/types.ts`), one column at a time and never through a binary64. */
import duckdb from "@duckdb/node-bindings";
import { timeTzText, uuidText } from "../../src/connectors/duckdb/scalar-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { decimalText } from "../../src/result/text/scaled-decimal.ts";
import type { LogicalType, TimeUnit, Value } from "../../src/result/types.ts";
import { arrayReader, listReader, type Member, mapReader, structReader, unionReader } from "./nested-reader.ts";
import { readBytes, readStrings, weighStrings } from "./string-vector.ts";
import { type ColumnReader, nullMask, type RawType } from "./vector.ts";

/** Throws `SOURCE_ERROR` for the few types that the binding does not support. */
export function columnReader(type: RawType): ColumnReader {
  const id = duckdb.get_type_id(type);
  switch (id) {
    case duckdb.Type.BOOLEAN:
      return fixed({ kind: "boolean" }, 1, (data) => (i) => data.getUint8(i) !== 0);
    case duckdb.Type.TINYINT:
      return fixed({ kind: "int8" }, 1, (data) => (i) => data.getInt8(i));
    case duckdb.Type.SMALLINT:
      return fixed({ kind: "int16" }, 2, (data) => (i) => data.getInt16(i * 2, true));
    case duckdb.Type.INTEGER:
      return fixed({ kind: "int32" }, 4, (data) => (i) => data.getInt32(i * 4, true));
    case duckdb.Type.BIGINT:
      return fixed({ kind: "int64" }, 8, (data) => (i) => data.getBigInt64(i * 8, true));
    case duckdb.Type.UTINYINT:
      return fixed({ kind: "uint8" }, 1, (data) => (i) => data.getUint8(i));
    case duckdb.Type.USMALLINT:
      return fixed({ kind: "uint16" }, 2, (data) => (i) => data.getUint16(i * 2, true));
    case duckdb.Type.UINTEGER:
      return fixed({ kind: "uint32" }, 4, (data) => (i) => data.getUint32(i * 4, true));
    case duckdb.Type.UBIGINT:
      return fixed({ kind: "uint64" }, 8, (data) => (i) => data.getBigUint64(i * 8, true));
    case duckdb.Type.FLOAT:
      return fixed({ kind: "float32" }, 4, (data) => (i) => data.getFloat32(i * 4, true));
    case duckdb.Type.DOUBLE:
      return fixed({ kind: "float64" }, 8, (data) => (i) => data.getFloat64(i * 8, true));
    case duckdb.Type.HUGEINT:
      return fixed(WIDE_INTEGER, 16, (data) => (i) => String(int128(data, i * 16)));
    case duckdb.Type.UHUGEINT:
      return fixed(WIDE_INTEGER, 16, (data) => (i) => String(uint128(data, i * 16)));
    case duckdb.Type.DECIMAL:
      return decimal(type);
    case duckdb.Type.DATE:
      return fixed({ kind: "date" }, 4, (data) => (i) => dateValue(data.getInt32(i * 4, true)));
    case duckdb.Type.TIME:
      return fixed({ kind: "time", unit: "us" }, 8, (data) => (i) => Number(data.getBigInt64(i * 8, true)));
    case duckdb.Type.TIME_NS:
      return fixed({ kind: "time", unit: "ns" }, 8, (data) => (i) => Number(data.getBigInt64(i * 8, true)));
    case duckdb.Type.TIME_TZ:
      return fixed(ZONED_TIME, 8, (data) => (i) => timeTzText(data.getBigUint64(i * 8, true)));
    case duckdb.Type.TIMESTAMP:
      return timestamp("us", undefined);
    case duckdb.Type.TIMESTAMP_S:
      return timestamp("s", undefined);
    case duckdb.Type.TIMESTAMP_MS:
      return timestamp("ms", undefined);
    case duckdb.Type.TIMESTAMP_NS:
      return timestamp("ns", undefined);
    case duckdb.Type.TIMESTAMP_TZ:
      return timestamp("us", "UTC");
    case duckdb.Type.INTERVAL:
      return fixed({ kind: "interval" }, 16, (data) => (i) => ({
        months: data.getInt32(i * 16, true),
        days: data.getInt32(i * 16 + 4, true),
        microseconds: data.getBigInt64(i * 16 + 8, true),
      }));
    case duckdb.Type.UUID:
      return fixed({ kind: "uuid" }, 16, (data) => (i) => uuidText(data, i * 16));
    case duckdb.Type.VARCHAR:
      return {
        type: { kind: duckdb.logical_type_get_alias(type) === "JSON" ? "json" : "string" },
        read: readStrings,
        weigh: weighStrings,
      };
    case duckdb.Type.BLOB:
    // The bits after a count of padding bits: the form that DuckDB itself exports (docs/spec/contract.md#types-of-answers).
    case duckdb.Type.BIT:
      return { type: { kind: "binary" }, read: readBytes, weigh: weighStrings };
    case duckdb.Type.ENUM:
      return enumeration(type);
    case duckdb.Type.LIST:
      return listReader(columnReader(duckdb.list_type_child_type(type)));
    case duckdb.Type.ARRAY:
      return arrayReader(columnReader(duckdb.array_type_child_type(type)), duckdb.array_type_array_size(type));
    case duckdb.Type.STRUCT:
      return structReader(
        members(duckdb.struct_type_child_count(type), (i) => [
          duckdb.struct_type_child_name(type, i),
          duckdb.struct_type_child_type(type, i),
        ]),
      );
    case duckdb.Type.MAP:
      return mapReader(columnReader(duckdb.map_type_key_type(type)), columnReader(duckdb.map_type_value_type(type)));
    case duckdb.Type.UNION:
      return unionReader(
        members(duckdb.union_type_member_count(type), (i) => [
          duckdb.union_type_member_name(type, i),
          duckdb.union_type_member_type(type, i),
        ]),
      );
    case duckdb.Type.SQLNULL:
      return { type: { kind: "null" }, read: (_vector, _start, count) => new Array<Value>(count).fill(null) };
    default:
      throw new ConnectorFailure("SOURCE_ERROR", `A column has a type that cannot be read (DuckDB type ${id}).`, {
        hint: "Cast the column to text in the model.",
      });
  }
}

/** HUGEINT, UHUGEINT and the sums of integers (docs/spec/contract.md#types-of-answers); a 39th digit is kept too. */
const WIDE_INTEGER: LogicalType = { kind: "decimal", precision: 38, scale: 0 };
/** The canonical types have no time with an offset, and without the offset the value would have another meaning. */
const ZONED_TIME: LogicalType = { kind: "opaque", name: "TIME WITH TIME ZONE" };

/** Values of `width` bytes each. `reader` gets the bytes of all of them and returns the value at an index. */
function fixed(type: LogicalType, width: number, reader: (data: DataView) => (index: number) => Value): ColumnReader {
  return {
    type,
    read(vector, start, count) {
      const bytes = duckdb.vector_get_data(vector, (start + count) * width);
      const at = reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      const isNull = nullMask(vector, start + count);
      const values = new Array<Value>(count);
      for (let i = 0; i < count; i++) values[i] = isNull(start + i) ? null : at(start + i);
      return values;
    },
  };
}

function int128(data: DataView, offset: number): bigint {
  return (data.getBigInt64(offset + 8, true) << 64n) | data.getBigUint64(offset, true);
}

function uint128(data: DataView, offset: number): bigint {
  return (data.getBigUint64(offset + 8, true) << 64n) | data.getBigUint64(offset, true);
}

/** Stored as an integer of the smallest width that holds the precision. */
function decimal(type: RawType): ColumnReader {
  const scale = duckdb.decimal_scale(type);
  const logical: LogicalType = { kind: "decimal", precision: duckdb.decimal_width(type), scale };
  const internal = duckdb.decimal_internal_type(type);
  switch (internal) {
    case duckdb.Type.SMALLINT:
      return fixed(logical, 2, (data) => (i) => decimalText(String(data.getInt16(i * 2, true)), scale));
    case duckdb.Type.INTEGER:
      return fixed(logical, 4, (data) => (i) => decimalText(String(data.getInt32(i * 4, true)), scale));
    case duckdb.Type.BIGINT:
      return fixed(logical, 8, (data) => (i) => decimalText(String(data.getBigInt64(i * 8, true)), scale));
    default:
      return fixed(logical, 16, (data) => (i) => decimalText(String(int128(data, i * 16)), scale));
  }
}

function dateValue(days: number): number {
  if (days === 2_147_483_647) return Number.POSITIVE_INFINITY;
  return days === -2_147_483_647 ? Number.NEGATIVE_INFINITY : days;
}

function timestamp(unit: TimeUnit, zone: string | undefined): ColumnReader {
  return fixed({ kind: "timestamp", unit, zone }, 8, (data) => (i) => {
    const value = data.getBigInt64(i * 8, true);
    if (value === 9_223_372_036_854_775_807n) return "infinity";
    return value === -9_223_372_036_854_775_807n ? "-infinity" : value;
  });
}

function enumeration(type: RawType): ColumnReader {
  const labels = Array.from({ length: duckdb.enum_dictionary_size(type) }, (_, i) =>
    duckdb.enum_dictionary_value(type, i),
  );
  const label = (index: number): string => labels[index] ?? "";
  const internal = duckdb.enum_internal_type(type);
  switch (internal) {
    case duckdb.Type.UTINYINT:
      return fixed({ kind: "string" }, 1, (data) => (i) => label(data.getUint8(i)));
    case duckdb.Type.USMALLINT:
      return fixed({ kind: "string" }, 2, (data) => (i) => label(data.getUint16(i * 2, true)));
    default:
      return fixed({ kind: "string" }, 4, (data) => (i) => label(data.getUint32(i * 4, true)));
  }
}

function members(count: number, member: (index: number) => [name: string, type: RawType]): Member[] {
  return Array.from({ length: count }, (_, i) => {
    const [name, type] = member(i);
    return { name, reader: columnReader(type) };
  });
}
