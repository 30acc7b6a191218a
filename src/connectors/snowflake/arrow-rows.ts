/**
 * Rows that Snowflake sends as Arrow, whose types say less than the column: decimals are integers as narrow as the values of a
 * chunk allow, and timestamps are seconds and a fraction. The column description, which all chunks share, defines the type
 * (snowflake-connector-python, `nanoarrow_cpp/ArrowIterator/CArrowChunkIterator.cpp`).
 */
import { canonicalDecimal } from "../../result/text/decimal.ts";
import { decimalText } from "../../result/text/scaled-decimal.ts";
import type { Batch, Column, Value } from "../../result/types.ts";
import { type ArrowField, readArrowStream } from "../arrow/stream.ts";
import { type FieldReader, type ReadAt, rowReader } from "../arrow/values.ts";
import { ConnectorFailure } from "../failure.ts";
import { readList } from "../http/json-lists.ts";
import { fail, integer } from "../http/json-texts.ts";
import { notSnowflake, type RowType } from "./answers.ts";

export function bytesOfBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw notSnowflake("", cause);
  }
}

export interface ArrowRows {
  readonly count: number;
  readonly batches: Generator<Batch, void>;
}

/** `columns` are those that `columnsOf` makes of `described`. Empty bytes mean no rows. */
export function arrowRows(bytes: Uint8Array, described: readonly RowType[], columns: readonly Column[]): ArrowRows {
  if (bytes.length === 0) return { count: 0, batches: none() };
  try {
    const { fields, batches } = readArrowStream(bytes);
    if (fields.length !== described.length) throw notSnowflake();
    const reader = rowReader(fields, [], (field, read) => {
      const index = fields.indexOf(field);
      const [row, column] = [described[index], columns[index]];
      return row === undefined || column === undefined ? undefined : readerOf(field, row, column, read);
    });
    return {
      count: batches.reduce((sum, { rows }) => sum + rows, 0),
      batches: (function* () {
        for (const batch of batches) yield* reader.batches(batch);
      })(),
    };
  } catch (cause) {
    if (cause instanceof ConnectorFailure) throw cause;
    throw notSnowflake("The rows are not what Arrow's format says.", cause);
  }
}

function* none(): Generator<Batch, void> {}

type Read = (field: ArrowField) => FieldReader;

/** Type numbers of `Schema.fbs`. */
const INT = 2;
const FLOAT = 3;
const BINARY = 4;
const TEXT = 5;
const BOOLEAN = 6;
const DECIMAL = 7;
const DATE = 8;
const STRUCT = 13;

const SENT_AS: ReadonlyMap<string, readonly number[]> = new Map([
  ["FIXED", [INT, DECIMAL]],
  ["REAL", [FLOAT]],
  ["TEXT", [TEXT]],
  ["BOOLEAN", [BOOLEAN]],
  ["BINARY", [BINARY]],
  ["DATE", [DATE]],
  ["TIME", [INT]],
  ["TIMESTAMP_NTZ", [INT, STRUCT]],
  ["TIMESTAMP_LTZ", [INT, STRUCT]],
  ["TIMESTAMP_TZ", [STRUCT]],
  ["DECFLOAT", [STRUCT]],
]);

function readerOf(field: ArrowField, row: RowType, { type }: Column, read: Read): FieldReader {
  if (!(SENT_AS.get(row.type) ?? [TEXT]).includes(field.typeId)) return fail("a value in another form than its type's");
  const base = standard(field, read);
  const { scale = 0 } = row;
  const map = (by: (value: Value) => Value): FieldReader => ({
    type,
    bind: (parts) => {
      const { length, at } = base.bind(parts);
      return { length, at: (index) => mapped(at, index, by) };
    },
  });
  switch (row.type) {
    case "FIXED": {
      const isWhole = type.kind === "int64";
      if (field.typeId === DECIMAL) {
        // The scale is in the type and in the description, and both must be equal.
        if (field.attribute(6, 4, 0) !== scale) return fail("a decimal of another scale");
        return map((value) => (isWhole ? integer(String(value)) : String(value)));
      }
      return map((value) => (isWhole ? BigInt(value as bigint) : decimalText(String(value), scale)));
    }
    case "TIME":
      return map((value) => Number(scaled(value, scale)));
    case "TIMESTAMP_NTZ":
    case "TIMESTAMP_LTZ":
    case "TIMESTAMP_TZ":
      return field.typeId === STRUCT ? map(momentOf(field, scale)) : map((value) => scaled(value, scale));
    case "DECFLOAT":
      return map(floatOf(field));
    default:
      return map((value) => (type.kind === "list" ? readList(String(value), type) : value));
  }
}

/**
 * Reads the field by its Arrow type. A copy of the field is passed, so that it is read like a nested field, without a special
 * reader.
 */
function standard(field: ArrowField, read: Read): FieldReader {
  return read({ ...field });
}

function mapped(at: ReadAt, index: number, by: (value: Value) => Value): Value {
  const value = at(index);
  return value === null ? null : by(value);
}

/** Nanoseconds. */
function scaled(value: Value, scale: number): bigint {
  if (scale > 9) return fail("a time of more than nine digits");
  return BigInt(value as bigint) * 10n ** BigInt(9 - scale);
}

/**
 * Whole seconds and nanoseconds; or, for a timestamp with time zone, one number in the column's own scale. The zone is omitted.
 */
function momentOf(field: ArrowField, scale: number): (value: Value) => bigint {
  const [epoch, fraction] = ["epoch", "fraction"].map((name) =>
    field.children.findIndex((child) => child.name === name),
  );
  return (value) => {
    const parts = value as readonly Value[];
    const whole = parts[epoch ?? -1] ?? fail("a timestamp");
    const rest = parts[fraction ?? -1];
    return rest == null ? scaled(whole, scale) : scaled(whole, 0) + BigInt(rest as bigint);
  };
}

/** The digits as bytes of an integer, most significant first, and the power of ten to multiply them by. */
function floatOf(field: ArrowField): (value: Value) => string {
  const [exponent, digits] = ["exponent", "significand"].map((name) =>
    field.children.findIndex((child) => child.name === name),
  );
  return (value) => {
    const parts = value as readonly Value[];
    const [power, bytes] = [parts[exponent ?? -1], parts[digits ?? -1]];
    if (typeof power !== "number" || !(bytes instanceof Uint8Array) || bytes.length > 16) return fail("a decimal");
    const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return canonicalDecimal(`${BigInt.asIntN(bytes.length * 8, number)}e${power}`) ?? fail("a decimal");
  };
}
