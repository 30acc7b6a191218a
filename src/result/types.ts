/**
 * The canonical result: one logical type union and one representation per type.
 *
 * Connectors convert an engine's values into it once; encoders, the cache, the sidecar's frames and
 * `columnDtypes` read nothing else. No value passes through a binary64 unless its type is one
 * (docs/decisions/0002-exact-values.md).
 */

export type TimeUnit = "s" | "ms" | "us" | "ns";

export interface Field {
  readonly name: string;
  readonly type: LogicalType;
}

export type LogicalType =
  | { readonly kind: "boolean" }
  | { readonly kind: "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" }
  | { readonly kind: "float32" | "float64" }
  /** Precision and scale when the source reports them. */
  | { readonly kind: "decimal"; readonly precision?: number; readonly scale?: number }
  | { readonly kind: "string" | "uuid" | "json" | "binary" | "date" | "interval" | "null" }
  | { readonly kind: "time"; readonly unit: TimeUnit }
  /** `zone` undefined: a local date and time. Otherwise an instant, displayed in that zone (`UTC` from most sources). */
  | { readonly kind: "timestamp"; readonly unit: TimeUnit; readonly zone: string | undefined }
  | { readonly kind: "list"; readonly element: LogicalType }
  | { readonly kind: "struct"; readonly fields: readonly Field[] }
  | { readonly kind: "map"; readonly key: LogicalType; readonly value: LogicalType }
  /** A source type without a counterpart; `name` is the source's spelling, and the value is its text. */
  | { readonly kind: "opaque"; readonly name: string };

/** Calendar parts that do not convert into each other. Microseconds are those of the time part. */
export interface IntervalValue {
  readonly months: number;
  readonly days: number;
  readonly microseconds: bigint;
}

/**
 * | type | representation |
 * |---|---|
 * | boolean | `boolean` |
 * | int8 … int32, uint8 … uint32 | `number` |
 * | int64, uint64 | `bigint` |
 * | float32, float64 | `number`, NaN and infinities included |
 * | decimal | `string`: optional `-`, digits, optional `.` and digits, no exponent; `NaN`, `Infinity`, `-Infinity` where a source has them |
 * | string, uuid, json, opaque | `string` |
 * | date | `number`: days since 1970-01-01; `Infinity` and `-Infinity` for PostgreSQL's |
 * | time | `number` of `unit` since midnight |
 * | timestamp | `bigint` of `unit` since 1970-01-01T00:00:00 (UTC when zoned); `"infinity"` / `"-infinity"` for PostgreSQL's |
 * | interval | `IntervalValue` |
 * | binary | `Uint8Array` |
 * | list | array of values |
 * | struct | array of values in field order |
 * | map | array of `[key, value]` |
 * | any | `null` |
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | IntervalValue | readonly Value[];

export type Row = readonly Value[];

/**
 * Rows with values in the order of the columns. A batch is empty only if the source sends an empty one. It is an array, or an
 * iterable that makes rows during iteration: code that needs the rows twice must keep them.
 */
export interface Batch extends Iterable<Row> {
  readonly length: number;
}

export interface Column {
  readonly name: string;
  readonly type: LogicalType;
}

/** A doubt about an answer that only the data of the source shows: the planner's warnings come before. */
export interface SourceWarning {
  readonly code: "FILE_COLUMN_MISSING";
  readonly message: string;
  readonly hint: string;
}

/**
 * Columns first, then batches as they are pulled. Only a pull makes the source send more. `close` ends the statement on the
 * source when batches are left. It may be called at any time and repeatedly; breaking out of `for await` over `batches` calls it.
 */
export interface ResultStream {
  readonly columns: readonly Column[];
  /** Known with the columns. */
  readonly warnings?: readonly SourceWarning[] | undefined;
  readonly batches: AsyncIterableIterator<Batch>;
  close(): Promise<void>;
}
