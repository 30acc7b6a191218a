import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { DataRows } from "../../../src/connectors/postgres/data-rows.ts";
import { FrameRows } from "../../../src/connectors/postgres/frame-rows.ts";
import { describeColumns, readColumns, readRow, type TextRow } from "../../../src/connectors/postgres/rows.ts";
import { HEADER_BYTES, TARGET_PAYLOAD_BYTES } from "../../../src/result/encode/frames/format.ts";
import { resultFramer } from "../../../src/result/encode/frames/framer.ts";
import { batchFrameReader } from "../../../src/result/encode/frames/reader.ts";
import type { Row } from "../../../src/result/types.ts";
import { seededRandom } from "../../result/streams.ts";
import { dataRow } from "../../support/postgres-messages.ts";

const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  int4Array: 1007,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  numeric: 1700,
  uuid: 2950,
} as const;

const columnsOf = (...types: readonly (keyof typeof OID)[]) =>
  readColumns(
    types.map((type, index) => ({ name: `c${index}`, dataTypeID: OID[type], dataTypeModifier: -1 })),
    { monetaryLocale: "C" },
    [],
  );

function held(...bodies: readonly Uint8Array[]): DataRows {
  const rows = new DataRows();
  for (const body of bodies) {
    rows.begin(body.length);
    const middle = body.length >> 1;
    rows.append(body, 0, middle);
    rows.append(body, middle, body.length);
    rows.finish();
  }
  return rows;
}

const bodyOf = (row: TextRow): Buffer => dataRow(...row).subarray(5);

/** The outcome: rows, or the reason why there are none. */
function outcome(read: () => Row[]): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

/** Rows by way of values, framed and read again, as they went before. */
function byValues(types: readonly (keyof typeof OID)[], rows: readonly TextRow[]): Row[] {
  const columns = columnsOf(...types);
  const frames = [...resultFramer(columns).batch(rows.map((row) => readRow(row, columns)))];
  return frames.flatMap((frame) => [...batchFrameReader(columns)(frame)]);
}

function byBytes(types: readonly (keyof typeof OID)[], rows: readonly TextRow[]): Row[] {
  const columns = columnsOf(...types);
  const described = describeColumns(columns);
  const { frame } = new FrameRows(described, columns).take(held(...rows.map(bodyOf)));
  return [...batchFrameReader(described)(frame)];
}

const INTEGERS = [
  ...["0", "-0", "7", "-7", "007", "32767", "32768", "-32768", "-32769", "2147483647", "2147483648", "-2147483648"],
  ...["-2147483649", "4294967295", "4294967296", "-4294967296", "999999999", "1000000000", "-1000000000", "9999999999"],
  ...["9007199254740993", "-9007199254740993", "65536000000000", "999999999999999999", "-999999999999999999"],
  ...["1000000000000000000", "9223372036854775807", "-9223372036854775808", "9223372036854775808"],
];
const NO_INTEGERS = ["", "-", "+1", "1.0", "1e3", " 1", "1 ", "0x10", "--1", "1-", "NaN", "１"];
const DATES = [
  ...["1970-01-01", "1969-12-31", "2000-02-29", "0001-01-01", "9999-12-31", "0044-03-15 BC", "12345-06-07"],
  ...["infinity", "-infinity", "", "1970-1-1", "1970/01/01", "1970-01-0x", "0000-01-01", "1970-01-01 ", "1970-13-45"],
  ...["1970-00-10", "1970-01-00", "1900-02-29", "2024-04-31"],
];
const CLOCKS = [
  ...[
    "00:00:00",
    "23:59:59.999999",
    "12:34:56.7",
    "12:34:56.000001",
    "24:00:00",
    "24:00:01",
    "12:60:00",
    "12:34:60",
    "12:34:56.",
    "12:34:56.1234567",
  ],
  ...["12:34", "12-34-56", "1x:00:00", "12:34:5", "12:34:56+00", "12:34:56.5+00", "12:34:56+02", "12:34:56-03:30"],
  ...["12:34:56+05:53:28", "12:34:56 BC", "12:34:56.5+00 BC", "12:34:56+0", "12:34:56+000"],
];
const TIMESTAMPS = [
  ...[
    "2024-07-01",
    "1969-12-31",
    "1684-01-01",
    "1500-01-01",
    "2255-06-05",
    "2300-01-01",
    "0001-01-01",
    "99999-01-01",
  ].flatMap((date) => CLOCKS.map((clock) => `${date} ${clock}`)),
  ...["infinity", "-infinity", "2024-07-01", "2024-07-01T12:34:56", "0000-01-01 00:00:00"],
];
const FLOATS = [
  "0",
  "-0",
  "1.5",
  "0.14285714285714285",
  "1e+16",
  "5e-324",
  "NaN",
  "Infinity",
  "-Infinity",
  "",
  "x",
  "1_0",
];
const TEXTS = [
  "",
  "a",
  "é真😀",
  "\ufeffmark",
  "\u0000",
  "x".repeat(63),
  "x".repeat(64),
  "é".repeat(65),
  "y".repeat(70_000),
];

const TABLE: readonly (readonly [keyof typeof OID, readonly string[]])[] = [
  ["int2", [...INTEGERS, ...NO_INTEGERS]],
  ["int4", [...INTEGERS, ...NO_INTEGERS]],
  ["int8", [...INTEGERS, ...NO_INTEGERS]],
  ["oid", [...INTEGERS, ...NO_INTEGERS]],
  ["bool", ["t", "f", "", "true", "F", "tt"]],
  ["float8", FLOATS],
  ["float4", FLOATS],
  ["numeric", ["0.00", "-123456789012345678901234567890.5", "NaN"]],
  ["text", TEXTS],
  ["json", ['{"a": 1}']],
  ["uuid", ["123e4567-e89b-12d3-a456-426614174000"]],
  ["date", DATES],
  ["timestamp", TIMESTAMPS],
  ["timestamptz", TIMESTAMPS],
  ["time", ["12:34:56.7"]],
  ["interval", ["1 year 2 mons -3 days +04:05:06.789", "infinity"]],
  ["bytea", ["\\x00ff", "\\x"]],
  ["int4Array", ["{}", "{1,NULL,-3}", "{{1}}"]],
];

describe("rows from bytes are the rows that their texts are", () => {
  it.each(TABLE)("%s", (type, texts) => {
    for (const text of texts) {
      const rows = [[text], [null], [text]];
      expect([text, outcome(() => byBytes([type], rows))]).toEqual([text, outcome(() => byValues([type], rows))]);
    }
  });

  it("whatever is written in them", () => {
    const random = seededRandom(5);
    const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
    const signs = [..."0123456789-+:. tfexBC"];
    for (let round = 0; round < 4000; round++) {
      const [type, texts] = pick(TABLE);
      let text = pick(texts).slice(0, 40);
      for (let changes = Math.floor(random() * 3); changes > 0; changes--) {
        const at = Math.floor(random() * (text.length + 1));
        text = text.slice(0, at) + (random() < 0.7 ? pick(signs) : "") + text.slice(at + (random() < 0.7 ? 1 : 0));
      }
      text = text.toWellFormed();
      expect([type, text, outcome(() => byBytes([type], [[text]]))]).toEqual([
        type,
        text,
        outcome(() => byValues([type], [[text]])),
      ]);
    }
  });

  it("many columns of them", () => {
    const types = ["int4", "text", "timestamptz", "numeric", "bool"] as const;
    const rows = Array.from({ length: 2500 }, (_, index): TextRow => {
      const second = String(index % 60).padStart(2, "0");
      return [String(index), index % 7 === 0 ? null : `é${index}`, `2024-01-01 00:00:${second}+00`, "1.50", "t"];
    });
    expect(byBytes(types, rows)).toEqual(byValues(types, rows));
  });

  it("bytes that are no UTF-8 are replaced, as the driver does", () => {
    const columns = columnsOf("text");
    const body = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 3]), Buffer.from([0x61, 0xff, 0x62])]);
    expect([...new FrameRows(columns, columns).take(held(body))]).toEqual([["a\ufffdb"]]);
  });
});

describe("rows that are no rows", () => {
  const body = (...bytes: number[]): Buffer => Buffer.from(bytes);
  it.each<[string, Buffer]>([
    ["nothing", body()],
    ["half a count", body(0)],
    ["other fields than the description", body(0, 1, 0, 0, 0, 1, 49)],
    ["a field that is missing", body(0, 2, 0, 0, 0, 1, 49)],
    ["half a length", body(0, 2, 0, 0, 0, 1, 49, 0, 0)],
    ["a field that reaches into the next row", body(0, 2, 0, 0, 0, 1, 49, 0, 0, 0, 9, 49)],
    ["a negative length", body(0, 2, 0, 0, 0, 1, 49, 255, 255, 255, 254)],
    ["more than its fields", body(0, 2, 0, 0, 0, 1, 49, 0, 0, 0, 1, 50, 0)],
  ])("%s", (_, bad) => {
    const columns = columnsOf("int4", "int4");
    const good = bodyOf(["1", "2"]);
    const reading = (): unknown => new FrameRows(columns, columns).take(held(good, bad, good));
    expect(reading).toThrow(ConnectorFailure);
    expect(reading).toThrow("not the PostgreSQL protocol");
  });
});

describe("frames of them", () => {
  it("are cut where frames are, and what is left is in the next", () => {
    const columns = columnsOf("text");
    const texts = Array.from({ length: 3000 }, (_, index) => `${index}${"x".repeat(1000)}`);
    const rows = held(...texts.map((text) => bodyOf([text])));
    const frames = new FrameRows(columns, columns);
    const seen: unknown[] = [];
    let count = 0;
    while (rows.count > 0) {
      const batch = frames.take(rows);
      expect(batch.frame.length - HEADER_BYTES).toBeLessThanOrEqual(TARGET_PAYLOAD_BYTES);
      seen.push(...batch);
      count++;
    }
    expect(count).toBeGreaterThan(2);
    expect([seen, rows.byteLength]).toEqual([texts.map((text) => [text]), 0]);
  });

  it("do not change when more rows come", () => {
    const columns = columnsOf("text");
    const frames = new FrameRows(columns, columns);
    const rows = held(bodyOf(["first"]));
    const first = frames.take(rows);
    const later = bodyOf(["later".repeat(10_000)]);
    rows.begin(later.length);
    rows.append(later, 0, 100);
    expect([rows.count, rows.byteLength]).toEqual([0, 104]);
    rows.append(later, 100, later.length);
    rows.finish();
    expect([...frames.take(rows)]).toEqual([["later".repeat(10_000)]]);
    expect([...first]).toEqual([["first"]]);
  });
});

it("texts for those who want them", () => {
  const rows: TextRow[] = [
    ["{1}", null],
    [null, "é"],
  ];
  expect(held(...rows.map(bodyOf)).texts(2)).toEqual(rows);
});
