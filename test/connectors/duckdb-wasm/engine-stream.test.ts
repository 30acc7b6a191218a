/** A batch whose lengths, offsets or values do not fit: each one alone is refused before the engine would read by it. */
import { describe, expect, it } from "vitest";
import { assertBatch, BatchFault, engineStream } from "../../../src/connectors/duckdb-wasm/engine-stream.ts";
import type { ArrowField, ArrowType } from "../../../src/result/encode/arrow/types.ts";
import type { Body } from "../../../src/result/encode/arrow/vectors.ts";
import { bigEndian, int32s, int64s } from "../../support/parquet-file.ts";

const field = (type: ArrowType, nullable = true): ArrowField => ({ name: "f", type, nullable, textOf: undefined });
const NONE = new Uint8Array(0);
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const decimals = (...values: readonly bigint[]): Uint8Array => bigEndian(16, ...[...values].reverse()).reverse();
const letters = (text: string): Uint8Array => new TextEncoder().encode(text);

const integer = (bits: 8 | 16 | 32 | 64): ArrowType => ({ kind: "integer", bits, signed: true });
const TEXT: ArrowType = { kind: "text" };
const BOOLEAN: ArrowType = { kind: "boolean" };
const DECIMAL: ArrowType = { kind: "decimal", precision: 4, scale: 0 };
const TIME: ArrowType = { kind: "time", unit: "us", bits: 64 };
const SHORT_TIME: ArrowType = { kind: "time", unit: "ms", bits: 32 };
const LIST: ArrowType = { kind: "list", element: field(integer(32)) };
const STRUCT: ArrowType = { kind: "struct", fields: [field(integer(32)), field(integer(64))] };
const MAP: ArrowType = {
  kind: "map",
  entries: field({ kind: "struct", fields: [field(integer(32), false), field(BOOLEAN)] }, false),
};
const DAY = 86_400_000_000n;

type Case = readonly [what: string, type: ArrowType, rows: number, body: Body];

const RIGHT: readonly Case[] = [
  ["no rows", TEXT, 0, { nodes: [[0, 0]], buffers: [NONE, int32s(0), NONE] }],
  ["NULLs alone", { kind: "null" }, 2, { nodes: [[2, 2]], buffers: [] }],
  ["bits", BOOLEAN, 9, { nodes: [[9, 1]], buffers: [bytes(0xff, 0xfe), bytes(0, 0)] }],
  ["integers", integer(32), 2, { nodes: [[2, 1]], buffers: [bytes(1), int32s(1, 2)] }],
  ["texts", TEXT, 2, { nodes: [[2, 0]], buffers: [NONE, int32s(0, 2, 3), letters("üx")] }],
  ["decimals", DECIMAL, 3, { nodes: [[3, 0]], buffers: [NONE, decimals(9_999n, -9_999n, 0n)] }],
  ["a day", TIME, 2, { nodes: [[2, 0]], buffers: [NONE, int64s(0n, DAY)] }],
  ["a day of milliseconds", SHORT_TIME, 2, { nodes: [[2, 0]], buffers: [NONE, int32s(0, 86_400_000)] }],
  [
    "lists",
    LIST,
    2,
    {
      nodes: [
        [2, 0],
        [3, 0],
      ],
      buffers: [NONE, int32s(0, 0, 3), NONE, int32s(1, 2, 3)],
    },
  ],
  [
    "structs",
    STRUCT,
    1,
    {
      nodes: [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      buffers: [NONE, NONE, int32s(1), NONE, int64s(1n)],
    },
  ],
  [
    "maps",
    MAP,
    1,
    {
      nodes: [
        [1, 0],
        [2, 0],
        [2, 0],
        [2, 0],
      ],
      buffers: [NONE, int32s(0, 2), NONE, NONE, int32s(1, 2), NONE, bytes(3)],
    },
  ],
];

const WRONG: readonly Case[] = [
  ["fewer rows than the batch", integer(32), 2, { nodes: [[1, 0]], buffers: [NONE, int32s(1)] }],
  ["more rows than the batch", integer(32), 1, { nodes: [[2, 0]], buffers: [NONE, int32s(1, 2)] }],
  ["no node", integer(32), 1, { nodes: [], buffers: [NONE, int32s(1)] }],
  [
    "a node too many",
    integer(32),
    1,
    {
      nodes: [
        [1, 0],
        [1, 0],
      ],
      buffers: [NONE, int32s(1)],
    },
  ],
  ["no buffer", integer(32), 1, { nodes: [[1, 0]], buffers: [NONE] }],
  ["a buffer too many", integer(32), 1, { nodes: [[1, 0]], buffers: [NONE, int32s(1), NONE] }],
  ["NULLs without bits", integer(32), 1, { nodes: [[1, 1]], buffers: [NONE, int32s(1)] }],
  ["more NULLs than rows", integer(32), 1, { nodes: [[1, 2]], buffers: [bytes(0), int32s(1)] }],
  ["fewer NULLs than bits", integer(32), 2, { nodes: [[2, 1]], buffers: [bytes(0), int32s(1, 2)] }],
  ["bits of fewer rows", integer(8), 9, { nodes: [[9, 1]], buffers: [bytes(0xfe), new Uint8Array(9)] }],
  ["NULLs alone that are none", { kind: "null" }, 2, { nodes: [[2, 1]], buffers: [] }],
  ["bits too few", BOOLEAN, 9, { nodes: [[9, 0]], buffers: [NONE, bytes(0)] }],
  ["values too few", integer(64), 2, { nodes: [[2, 0]], buffers: [NONE, int64s(1n)] }],
  ["values too many", integer(16), 1, { nodes: [[1, 0]], buffers: [NONE, int32s(1)] }],
  ["dates too few", { kind: "date" }, 2, { nodes: [[2, 0]], buffers: [NONE, int32s(1)] }],
  [
    "timestamps too few",
    { kind: "timestamp", unit: "us", zone: undefined },
    2,
    { nodes: [[2, 0]], buffers: [NONE, int64s(1n)] },
  ],
  ["intervals too few", { kind: "interval" }, 1, { nodes: [[1, 0]], buffers: [NONE, int64s(1n)] }],
  ["floats too few", { kind: "float", bits: 64 }, 2, { nodes: [[2, 0]], buffers: [NONE, int64s(1n)] }],
  ["a decimal beyond", DECIMAL, 1, { nodes: [[1, 0]], buffers: [NONE, decimals(10_000n)] }],
  ["a decimal below", DECIMAL, 1, { nodes: [[1, 0]], buffers: [NONE, decimals(-10_000n)] }],
  ["a decimal far beyond", DECIMAL, 1, { nodes: [[1, 0]], buffers: [NONE, decimals(1n << 120n)] }],
  ["the least decimal", DECIMAL, 1, { nodes: [[1, 0]], buffers: [NONE, decimals(-(1n << 127n))] }],
  ["a time beyond", TIME, 1, { nodes: [[1, 0]], buffers: [NONE, int64s(DAY + 1n)] }],
  ["a time below", TIME, 1, { nodes: [[1, 0]], buffers: [NONE, int64s(-1n)] }],
  ["a time far beyond", TIME, 1, { nodes: [[1, 0]], buffers: [NONE, int64s((1n << 63n) - 1n)] }],
  ["milliseconds beyond", SHORT_TIME, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(86_400_001)] }],
  ["a text beyond the end", TEXT, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(0, 2), letters("x")] }],
  ["texts that end early", TEXT, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(0, 1), letters("xy")] }],
  ["texts that go back", TEXT, 2, { nodes: [[2, 0]], buffers: [NONE, int32s(0, 2, 1), letters("x")] }],
  ["texts that begin late", TEXT, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(1, 1), letters("x")] }],
  ["a text before the beginning", TEXT, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(-1, 1), letters("x")] }],
  ["offsets too few", TEXT, 2, { nodes: [[2, 0]], buffers: [NONE, int32s(0, 1), letters("x")] }],
  ["no UTF-8", TEXT, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(0, 1), bytes(0xff)] }],
  ["half a letter", TEXT, 2, { nodes: [[2, 0]], buffers: [NONE, int32s(0, 1, 2), letters("ü")] }],
  [
    "a list beyond its elements",
    LIST,
    1,
    {
      nodes: [
        [1, 0],
        [1, 0],
      ],
      buffers: [NONE, int32s(0, 2), NONE, int32s(1)],
    },
  ],
  [
    "a list of fewer elements",
    LIST,
    1,
    {
      nodes: [
        [1, 0],
        [2, 0],
      ],
      buffers: [NONE, int32s(0, 1), NONE, int32s(1, 2)],
    },
  ],
  ["a list without elements' node", LIST, 1, { nodes: [[1, 0]], buffers: [NONE, int32s(0, 1)] }],
  [
    "a member too short",
    STRUCT,
    2,
    {
      nodes: [
        [2, 0],
        [2, 0],
        [1, 0],
      ],
      buffers: [NONE, NONE, int32s(1, 2), NONE, int64s(1n)],
    },
  ],
  [
    "a map of fewer values",
    MAP,
    1,
    {
      nodes: [
        [1, 0],
        [2, 0],
        [2, 0],
        [1, 0],
      ],
      buffers: [NONE, int32s(0, 2), NONE, NONE, int32s(1, 2), NONE, bytes(1)],
    },
  ],
  [
    "a map with a key that is NULL",
    MAP,
    1,
    {
      nodes: [
        [1, 0],
        [1, 0],
        [1, 1],
        [1, 0],
      ],
      buffers: [NONE, int32s(0, 1), NONE, bytes(0), int32s(1), NONE, bytes(1)],
    },
  ],
];

describe("a batch that fits", () => {
  it.each(RIGHT)("of %s", (_, type, rows, body) => {
    expect(() => assertBatch([field(type)], rows, body)).not.toThrow();
  });
});

describe("a batch that does not fit", () => {
  it.each(WRONG)("for %s", (_, type, rows, body) => {
    expect(() => engineStream([field(type)], rows, body)).toThrow(BatchFault);
  });
});
