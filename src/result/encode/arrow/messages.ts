/**
 * Messages of Arrow's stream format (https://arrow.apache.org/docs/format/Columnar.html, `Schema.fbs`, `Message.fbs`): a marker,
 * the length of the metadata, the metadata as a FlatBuffer, and the body. Slot numbers and enumeration values are those of the
 * schemas.
 */
import { Builder } from "flatbuffers";
import type { TimeUnit } from "../../types.ts";
import type { ArrowField, ArrowType } from "./types.ts";
import type { Body } from "./vectors.ts";

const VERSION_5 = 4;
const HEADER = { schema: 1, recordBatch: 3 } as const;
const ALIGNMENT = 8;
const CONTINUATION = 0xffff_ffff;

/** Metadata key of a field. */
const TEXT_OF = "siskin.type";

/** The first message of the stream. */
export function schemaMessage(fields: readonly ArrowField[]): Uint8Array {
  const builder = new Builder(1024);
  const offsets = fields.map((field) => addField(builder, field));
  const vector = addOffsets(builder, offsets);
  builder.startObject(4);
  builder.addFieldOffset(1, vector, 0);
  return concatenated(envelope(builder, HEADER.schema, builder.endObject(), 0));
}

/** The rows of one batch. */
export function recordBatchMessage(rows: number, { nodes, buffers }: Body): Uint8Array {
  const builder = new Builder(1024);
  let length = 0;
  const regions = buffers.map((buffer) => {
    const offset = length;
    length += padded(buffer.byteLength);
    return [offset, buffer.byteLength] as const;
  });
  const nodeVector = addPairs(builder, nodes);
  const bufferVector = addPairs(builder, regions);
  builder.startObject(5);
  builder.addFieldInt64(0, BigInt(rows), 0n);
  builder.addFieldOffset(1, nodeVector, 0);
  builder.addFieldOffset(2, bufferVector, 0);
  return concatenated([...envelope(builder, HEADER.recordBatch, builder.endObject(), length), ...buffers]);
}

/** The end of a complete stream. */
export const END_OF_STREAM: Uint8Array = words(CONTINUATION, 0);

/**
 * The end of an incomplete stream. Readers accept a stream that stops between two messages as complete, so this starts another
 * message and sends nothing after it.
 */
export const BROKEN_MESSAGE: Uint8Array = words(CONTINUATION, 4096);

function envelope(builder: Builder, headerType: number, header: number, bodyLength: number): readonly Uint8Array[] {
  builder.startObject(5);
  builder.addFieldInt16(0, VERSION_5, 0);
  builder.addFieldInt8(1, headerType, 0);
  builder.addFieldOffset(2, header, 0);
  builder.addFieldInt64(3, BigInt(bodyLength), 0n);
  builder.finish(builder.endObject());
  const metadata = builder.asUint8Array();
  return [words(CONTINUATION, padded(metadata.byteLength)), metadata];
}

function addField(builder: Builder, field: ArrowField): number {
  const children = childrenOf(field.type).map((child) => addField(builder, child));
  const childVector = addOffsets(builder, children);
  const name = builder.createString(field.name);
  const metadata = field.textOf === undefined ? 0 : addOffsets(builder, [addKeyValue(builder, TEXT_OF, field.textOf)]);
  const [typeNumber, type] = addType(builder, field.type);
  builder.startObject(7);
  builder.addFieldOffset(0, name, 0);
  builder.addFieldInt8(1, field.nullable ? 1 : 0, 0);
  builder.addFieldInt8(2, typeNumber, 0);
  builder.addFieldOffset(3, type, 0);
  builder.addFieldOffset(5, childVector, 0);
  builder.addFieldOffset(6, metadata, 0);
  return builder.endObject();
}

function addKeyValue(builder: Builder, key: string, value: string): number {
  const keyOffset = builder.createString(key);
  const valueOffset = builder.createString(value);
  builder.startObject(2);
  builder.addFieldOffset(0, keyOffset, 0);
  builder.addFieldOffset(1, valueOffset, 0);
  return builder.endObject();
}

const UNIT: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 1, us: 2, ns: 3 };
const MONTH_DAY_NANO = 2;

/** The type's number in the union of types, and its table. */
function addType(builder: Builder, type: ArrowType): readonly [number: number, offset: number] {
  const table = (number: number, size: number, add?: () => void): readonly [number, number] => {
    builder.startObject(size);
    add?.();
    return [number, builder.endObject()];
  };
  switch (type.kind) {
    case "null":
      return table(1, 0);
    case "integer":
      return table(2, 2, () => {
        builder.addFieldInt32(0, type.bits, 0);
        builder.addFieldInt8(1, type.signed ? 1 : 0, 0);
      });
    case "float":
      return table(3, 1, () => builder.addFieldInt16(0, type.bits === 32 ? 1 : 2, 0));
    case "binary":
      return table(4, 0);
    case "text":
      return table(5, 0);
    case "boolean":
      return table(6, 0);
    case "decimal":
      return table(7, 3, () => {
        builder.addFieldInt32(0, type.precision, 0);
        builder.addFieldInt32(1, type.scale, 0);
        builder.addFieldInt32(2, 128, 0);
      });
    case "date":
      // The unit is days; the default is milliseconds.
      return table(8, 1, () => builder.addFieldInt16(0, 0, 1));
    case "time":
      return table(9, 2, () => {
        builder.addFieldInt16(0, UNIT[type.unit], UNIT.ms);
        builder.addFieldInt32(1, type.bits, 32);
      });
    case "timestamp": {
      const zone = type.zone === undefined ? 0 : builder.createString(type.zone);
      return table(10, 2, () => {
        builder.addFieldInt16(0, UNIT[type.unit], 0);
        builder.addFieldOffset(1, zone, 0);
      });
    }
    case "interval":
      return table(11, 1, () => builder.addFieldInt16(0, MONTH_DAY_NANO, 0));
    case "list":
      return table(12, 0);
    case "struct":
      return table(13, 0);
    case "map":
      return table(17, 1);
    default:
      return type satisfies never;
  }
}

function childrenOf(type: ArrowType): readonly ArrowField[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "struct":
      return type.fields;
    case "map":
      return [type.entries];
    default:
      return [];
  }
}

function addOffsets(builder: Builder, offsets: readonly number[]): number {
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

/** A vector of structs of two 64-bit numbers; the builder writes from the end to the start. */
function addPairs(builder: Builder, pairs: readonly (readonly [number, number])[]): number {
  builder.startVector(16, pairs.length, 8);
  for (const [first, second] of pairs.toReversed()) {
    builder.prep(8, 16);
    builder.writeInt64(BigInt(second));
    builder.writeInt64(BigInt(first));
  }
  return builder.endVector();
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value, true);
  return bytes;
}

const padded = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Concatenates the parts, each aligned. */
function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + padded(part.byteLength), 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += padded(part.byteLength);
  }
  return bytes;
}
