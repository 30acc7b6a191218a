/**
 * Small Parquet files, byte by byte: one group of rows, one plain page for each column of values, levels as they are given. No writer
 * makes files whose levels, lengths and values contradict each other, and readers must refuse these.
 */
import { type Field, type Struct, writeStruct } from "../../src/connectors/files/parquet/compact-protocol.ts";

const PHYSICAL = { boolean: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 } as const;
const REPETITION = { required: 0, optional: 1, repeated: 2 } as const;
/** Numbers of `ConvertedType`. */
const CONVERTED = {
  text: 0,
  map: 1,
  list: 3,
  decimal: 5,
  interval: 21,
  date: 6,
  timeMillis: 7,
  timeMicros: 8,
  timestampMillis: 9,
  timestampMicros: 10,
  uint8: 11,
  int8: 15,
} as const;

export interface SchemaNode {
  readonly name: string;
  readonly repetition: keyof typeof REPETITION;
  readonly converted?: keyof typeof CONVERTED | undefined;
  readonly physical?: keyof typeof PHYSICAL;
  /** Bytes of each value of the physical type `fixed`. */
  readonly length?: number;
  readonly scale?: number;
  readonly precision?: number;
  /** The newer annotation of times. */
  readonly time?: { readonly unit: "millis" | "micros" | "nanos"; readonly isUtc: boolean };
  readonly children?: readonly SchemaNode[];
}

/** A column of values: levels of every slot, and the plain bytes of those that are not NULL. */
export interface LeafData {
  readonly definitions?: readonly number[];
  readonly repetitions?: readonly number[];
  readonly values: Uint8Array;
  /** Number of values, for columns without levels. */
  readonly count?: number;
  /** The least and the greatest value, as the footer states them. */
  readonly statistics?: { readonly min: Uint8Array; readonly max: Uint8Array };
}

export interface ParquetContent {
  readonly columns: readonly SchemaNode[];
  readonly rows: number;
  /** In the order of the schema's leaves. */
  readonly leaves: readonly LeafData[];
}

type Options = Partial<Omit<SchemaNode, "name" | "children">>;

export function leaf(name: string, physical: keyof typeof PHYSICAL, options: Options = {}): SchemaNode {
  return { name, physical, repetition: "optional", ...options };
}

export function struct(name: string, ...children: readonly SchemaNode[]): SchemaNode {
  return { name, repetition: "optional", children };
}

export function list(name: string, element: SchemaNode): SchemaNode {
  const repeated: SchemaNode = { name: "list", repetition: "repeated", children: [element] };
  return { name, repetition: "optional", converted: "list", children: [repeated] };
}

export function map(name: string, key: SchemaNode, value: SchemaNode): SchemaNode {
  const repeated: SchemaNode = {
    name: "key_value",
    repetition: "repeated",
    children: [
      { ...key, name: "key", repetition: "required" },
      { ...value, name: "value" },
    ],
  };
  return { name, repetition: "optional", converted: "map", children: [repeated] };
}

export function parquetFile({ columns, rows, leaves }: ParquetContent): Uint8Array {
  const schema = leavesOf(columns, { definition: 0, repetition: 0, path: [] });
  const body: Uint8Array[] = [Buffer.from("PAR1")];
  let at = 4;
  const chunks = schema.map((column, index): Struct => {
    const data = leaves[index];
    if (data === undefined) throw new Error(`no values for "${column.path.join(".")}"`);
    const page = dataPage(column, data);
    const start = at;
    body.push(page);
    at += page.length;
    return new Map([
      [2, integer(start)],
      [3, structure(metadataOf(column, data, page.length, start))],
    ]);
  });
  const group: Struct = new Map([
    [1, listOf(chunks.map(structure))],
    [2, integer(at - 4)],
    [3, integer(rows)],
  ]);
  const elements = [
    new Map([
      [4, text("schema")],
      [5, integer(columns.length, I32)],
    ]),
    ...columns.flatMap(elementsOf),
  ];
  const footer = writeStruct(
    new Map([
      [1, integer(1, I32)],
      [2, listOf(elements.map(structure))],
      [3, integer(rows)],
      [4, listOf([structure(group)])],
    ]),
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return new Uint8Array(Buffer.concat([...body, footer, length, Buffer.from("PAR1")]));
}

interface LeafColumn {
  readonly node: SchemaNode;
  readonly path: readonly string[];
  readonly definition: number;
  readonly repetition: number;
}

function leavesOf(
  nodes: readonly SchemaNode[],
  above: { readonly definition: number; readonly repetition: number; readonly path: readonly string[] },
): readonly LeafColumn[] {
  return nodes.flatMap((node): readonly LeafColumn[] => {
    const within = {
      definition: above.definition + (node.repetition === "required" ? 0 : 1),
      repetition: above.repetition + (node.repetition === "repeated" ? 1 : 0),
      path: [...above.path, node.name],
    };
    return node.children === undefined ? [{ node, ...within }] : leavesOf(node.children, within);
  });
}

function elementsOf(node: SchemaNode): readonly Struct[] {
  const { name, repetition, converted, physical, length, scale, precision, time, children } = node;
  const fields: [number, Field | undefined][] = [
    [1, physical && integer(PHYSICAL[physical], I32)],
    [2, length === undefined ? undefined : integer(length, I32)],
    [3, integer(REPETITION[repetition], I32)],
    [4, text(name)],
    [5, children && integer(children.length, I32)],
    [6, converted && integer(CONVERTED[converted], I32)],
    [7, scale === undefined ? undefined : integer(scale, I32)],
    [8, precision === undefined ? undefined : integer(precision, I32)],
    [10, time && structure(new Map([[7, structure(timeType(time))]]))],
  ];
  const element = new Map(fields.flatMap(([id, field]) => (field === undefined ? [] : [[id, field] as const])));
  return [element, ...(children ?? []).flatMap(elementsOf)];
}

function timeType({ unit, isUtc }: NonNullable<SchemaNode["time"]>): Struct {
  const id = { millis: 1, micros: 2, nanos: 3 }[unit];
  return new Map<number, Field>([
    [1, { type: "boolean", value: isUtc }],
    [2, structure(new Map([[id, structure(new Map())]]))],
  ]);
}

/** Metadata of one column: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
function metadataOf({ node, path }: LeafColumn, data: LeafData, size: number, start: number): Struct {
  const fields = new Map<number, Field>([
    [1, integer(PHYSICAL[node.physical ?? "int32"], I32)],
    [2, listOf([integer(0, I32), integer(3, I32)], I32)],
    [3, listOf(path.map(text), BINARY)],
    [4, integer(0, I32)],
    [5, integer(slotsOf(data))],
    [6, integer(size)],
    [7, integer(size)],
    [9, integer(start)],
  ]);
  const { statistics } = data;
  if (statistics === undefined) return fields;
  const stated: Struct = new Map<number, Field>([
    [1, { type: "binary", value: statistics.max }],
    [2, { type: "binary", value: statistics.min }],
    [3, integer(0)],
    [5, { type: "binary", value: statistics.max }],
    [6, { type: "binary", value: statistics.min }],
  ]);
  return fields.set(12, structure(stated));
}

function dataPage({ definition, repetition }: LeafColumn, data: LeafData): Uint8Array {
  const parts: Uint8Array[] = [];
  const level = (most: number, levels: readonly number[] | undefined): void => {
    if (most === 0) return;
    const runs = Uint8Array.from((levels ?? []).flatMap((value) => [2, value]));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, runs.length, true);
    parts.push(length, runs);
  };
  level(repetition, data.repetitions);
  level(definition, data.definitions);
  const body = Buffer.concat([...parts, data.values]);
  const page = new Map<number, Field>([
    [1, integer(slotsOf(data), I32)],
    [2, integer(0, I32)],
    [3, integer(3, I32)],
    [4, integer(3, I32)],
  ]);
  const head = writeStruct(
    new Map<number, Field>([
      [1, integer(0, I32)],
      [2, integer(body.length, I32)],
      [3, integer(body.length, I32)],
      [5, structure(page)],
    ]),
  );
  return Buffer.concat([head, body]);
}

const slotsOf = ({ definitions, repetitions, count }: LeafData): number =>
  definitions?.length ?? repetitions?.length ?? count ?? 0;

/** Numbers of Thrift's types. */
const I32 = 5;
const I64 = 6;
const BINARY = 8;
const STRUCT = 12;

const integer = (value: number, width = I64): Field => ({ type: "integer", width, value: BigInt(value) });
const text = (value: string): Field => ({ type: "binary", value: new TextEncoder().encode(value) });
const structure = (value: Struct): Field => ({ type: "struct", value });
const listOf = (value: readonly Field[], of = STRUCT): Field => ({ type: "list", of, value });

export const int32s = (...values: readonly number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);

export const int64s = (...values: readonly bigint[]): Uint8Array => new Uint8Array(BigInt64Array.from(values).buffer);

/** Eight values in a byte. */
export function booleans(...values: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [index, value] of values.entries()) {
    if (value) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

/** Each with its length before it. */
export function texts(...values: readonly string[]): Uint8Array {
  return Buffer.concat(
    values.flatMap((value) => {
      const bytes = new TextEncoder().encode(value);
      return [int32s(bytes.length), bytes];
    }),
  );
}

/** Integers of two's complement with the highest byte first, as decimals of physical type `fixed` are. */
export function bigEndian(width: number, ...values: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(width * values.length);
  for (const [index, value] of values.entries()) {
    for (let at = 0; at < width; at++) bytes[(index + 1) * width - 1 - at] = Number((value >> BigInt(8 * at)) & 255n);
  }
  return bytes;
}
