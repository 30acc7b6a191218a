import { describe, expect, test } from "vitest";
import type { EncodeOptions } from "../../../../src/result/encode/encoder.ts";
import { encoders } from "../../../../src/result/encode/encoders.ts";
import { FrameBatch } from "../../../../src/result/encode/frames/frame-batch.ts";
import { resultFramer } from "../../../../src/result/encode/frames/framer.ts";
import { batchFrameReader } from "../../../../src/result/encode/frames/reader.ts";
import type { Batch, Column, LogicalType, Row, TimeUnit, Value } from "../../../../src/result/types.ts";
import { randomType, randomValue } from "../../random-results.ts";
import { columnsOf, encode, readUntilError, resultOf, seededRandom } from "../../streams.ts";

const ZONES = [undefined, "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "-03:30"] as const;

const optionsOf = (profile: EncodeOptions["profile"], zone?: string): EncodeOptions => ({
  profile,
  zone,
  describeFailure: (error) => ({ message: String(error) }),
});

function framed(columns: readonly Column[], rows: readonly Row[]): Batch[] {
  const read = batchFrameReader(columns);
  return [...resultFramer(columns).batch(rows)].map(read);
}

/** The same of rows in frames and of rows in an array, failures included. */
async function expectAlike(columns: readonly Column[], rows: readonly Row[], options: EncodeOptions): Promise<void> {
  for (const encoder of [encoders.json, encoders.ndjson, encoders.csv]) {
    const [array, frames] = await Promise.all(
      [[rows], framed(columns, rows)].map((batches) =>
        readUntilError(encode(encoder, resultOf(columns, batches), options)),
      ),
    );
    expect(frames).toEqual(array);
  }
}

/** Each type with values at the edges of what is written without making a text of it. */
const INTEGERS = [0, 1, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 1_000_000_001, 2_147_483_647];
const BIG = [
  ...INTEGERS.map(BigInt),
  ...[53n, 52n, 54n, 62n, 32n, 31n, 33n].flatMap((bits) => [2n ** bits, 2n ** bits - 1n, 2n ** bits + 1n]),
  ...[15n, 16n, 17n, 18n, 6n, 12n].flatMap((tens) => [10n ** tens, 10n ** tens - 1n, 10n ** tens + 1n]),
  2n ** 63n - 1n,
];
const NEGATIVE = [...BIG.map((value) => -value), -(2n ** 63n), -(2n ** 63n) + 1n, -(2n ** 32n) * 4_000_000n];
const WHOLES = [
  "0",
  "-0",
  "1",
  "-1",
  "10",
  "120",
  "1000000",
  "123456789012345",
  "1234567890123456",
  "12345678901234567",
];
const FRACTIONS = ["", ".0", ".5", ".50", ".05", ".0005", ".00005", ".000005", ".0000050", ".0000123400", ".000"];
const DECIMALS = [
  ...WHOLES.flatMap((whole) => FRACTIONS.map((fraction) => whole + fraction)),
  ...["NaN", "Infinity", "-Infinity", "00", "007.50", "-00.5", "00000000000000001.5", "9".repeat(200)],
];
const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
const SECONDS = [
  ...[0n, -1n, 1n, 951_782_400n, 1_719_878_399n, 253_402_300_799n, 253_402_300_800n],
  ...[-62_135_596_800n, -62_135_596_801n, -2_177_452_801n, 1_711_846_799n, 1_711_846_800n, 9_007_199_255n],
];
const TEXTS = [
  "",
  "plain",
  'quoted "word" \\ and /',
  Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join(""),
  "é真😀\u2028\ufeff\uffff",
  "lone \ud83d half",
  `${"x".repeat(1023)}"${"é".repeat(700)}\u0000`,
  '"'.repeat(5000),
];

const TYPES: readonly (readonly [LogicalType, readonly Value[]])[] = [
  [{ kind: "boolean" }, [true, false]],
  [{ kind: "int8" }, [-128, 127, 0]],
  [{ kind: "uint16" }, [0, 65_535]],
  [{ kind: "int32" }, [...INTEGERS, ...INTEGERS.map((value) => -value), -2_147_483_648]],
  [{ kind: "uint32" }, [...INTEGERS, 4_294_967_295]],
  [{ kind: "int64" }, [...BIG, ...NEGATIVE]],
  [{ kind: "uint64" }, [...BIG, 2n ** 63n, 2n ** 64n - 1n, 10n ** 19n]],
  [{ kind: "float64" }, [0, -0, 1, 1.5, 1 / 7, 1e16, 1e-5, 9.9e-6, -1e300, Number.NaN, Number.NEGATIVE_INFINITY]],
  [{ kind: "float32" }, [0.1, Math.fround(0.1), Number.NaN]],
  [{ kind: "decimal", precision: 38, scale: 9 }, DECIMALS],
  [{ kind: "decimal" }, DECIMALS],
  [{ kind: "string" }, TEXTS],
  [{ kind: "json" }, ['{"a": [1, "\\u0000"]}']],
  [{ kind: "opaque", name: "inet" }, ["10.0.0.1/8"]],
  [{ kind: "date" }, [0, -0, -1, 11_016, 2_932_896, 2_932_897, -719_162, -719_163, 1e9, 104_249_991_374, 1e12]],
  [{ kind: "date" }, [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
  [{ kind: "time", unit: "us" }, [0, 86_399_999_999]],
  ...UNITS.flatMap((unit) =>
    [undefined, "UTC", "Europe/Berlin"].map((zone): readonly [LogicalType, readonly Value[]] => {
      const perSecond = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n }[unit];
      const values = SECONDS.flatMap((second) =>
        [0n, 1n, 999n, perSecond - 1n, perSecond / 2n].map((fraction) => second * perSecond + fraction),
      );
      return [{ kind: "timestamp", unit, zone }, [...values, "infinity", "-infinity", 10n ** 24n, 2n ** 53n]];
    }),
  ),
  [{ kind: "interval" }, [{ months: 1, days: -2, microseconds: 3n }]],
  [{ kind: "binary" }, [Uint8Array.of(0, 255)]],
  [{ kind: "list", element: { kind: "string" } }, [['"', null, "\ud800"], []]],
];

describe.each(["modern", "classic"] as const)("rows in frames are written as rows in arrays are, %s", (profile) => {
  test.each(TYPES)("%j, case %#", async (type, values) => {
    const columns = columnsOf(type, { kind: "int32" });
    const rows = [...values, null].map((value, index): Row => [value, index]);
    for (const zone of ZONES) await expectAlike(columns, rows, optionsOf(profile, zone));
  });

  test.each(Array.from({ length: 40 }, (_, seed) => seed))("whatever they hold, seed %i", async (seed) => {
    const random = seededRandom(seed);
    const columns = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, index): Column => {
      return { name: `c${index}`, type: randomType(random, 0) };
    });
    const rows = Array.from({ length: 60 }, (): Row => columns.map(({ type }) => randomValue(type, random)));
    await expectAlike(columns, rows, optionsOf(profile, ZONES[seed % ZONES.length]));
  });

  test.each<[LogicalType, Value]>([
    [{ kind: "date" }, 0.5],
    [{ kind: "date" }, Number.NaN],
    [{ kind: "decimal", precision: 5, scale: 2 }, "1e5"],
    [{ kind: "decimal", precision: 5, scale: 2 }, "."],
    [{ kind: "decimal", precision: 5, scale: 2 }, "-"],
    [{ kind: "decimal", precision: 5, scale: 2 }, ""],
    [{ kind: "decimal", precision: 5, scale: 2 }, "1."],
    [{ kind: "decimal", precision: 5, scale: 2 }, "1.5x"],
    [{ kind: "time", unit: "us" }, 0.5],
  ])("%j that no answer can show: %j", async (type, value) => {
    const good = type.kind === "decimal" ? "1.5" : 1;
    await expectAlike(
      columnsOf({ kind: "string" }, type),
      [
        ["before", good],
        ["half", value],
      ],
      optionsOf(profile),
    );
  });
});

test("many rows, some in frames and some in arrays, in chunks of any size", async () => {
  const columns = columnsOf({ kind: "int64" }, { kind: "string" }, { kind: "decimal" });
  const rows = Array.from({ length: 9000 }, (_, index): Row => [BigInt(index) ** 4n, `${index}é`, `${index}.50`]);
  const parts = Array.from({ length: 9 }, (_, index) => rows.slice(index * 1000, index * 1000 + 1000));
  const mixed = parts.flatMap((part, index) => (index % 3 === 0 ? [part] : framed(columns, part)));
  for (const encoder of [encoders.json, encoders.ndjson]) {
    const read = (batches: readonly Batch[]) =>
      readUntilError(encode(encoder, resultOf(columns, batches), optionsOf("modern")));
    expect(await read(mixed)).toEqual(await read(parts));
  }
});

describe("rows in frames under other columns", () => {
  const INT32: LogicalType = { kind: "int32" };
  const framedIn = (column: Column): FrameBatch => {
    const [batch] = framed([column], [[5]]);
    if (!(batch instanceof FrameBatch)) throw new Error("No frame.");
    return batch;
  };

  test("of other names are passed on as they are", async () => {
    const batch = framedIn({ name: "source's", type: INT32 });
    const renamed = [{ name: "plan's", type: INT32 }];
    expect([...resultFramer(renamed).batch(batch)]).toEqual([batch.frame]);
    const { text } = await readUntilError(encode(encoders.json, resultOf(renamed, [batch]), optionsOf("modern")));
    expect(text).toBe('{"columns":["plan\'s"],"data":[[5]],"dtypes":{"plan\'s":"int32"}}');
  });

  test("of other types are read and written by those", async () => {
    const batch = framedIn({ name: "a", type: INT32 });
    const others = columnsOf({ kind: "float64" });
    expect([...resultFramer(others).batch(batch)]).toEqual([...resultFramer(others).batch([[5]])]);
    const { text } = await readUntilError(encode(encoders.json, resultOf(others, [batch]), optionsOf("modern")));
    expect(text).toBe('{"columns":["a"],"data":[[5.0]],"dtypes":{"a":"double"}}');
  });

  test("are counted where they are passed on", async () => {
    const type = INT32;
    const framer = resultFramer([{ name: "a", type }]);
    for (const _ of [1, 2]) for (const _frame of framer.batch(framedIn({ name: "b", type })));
    const expected = resultFramer([{ name: "a", type }]);
    for (const _frame of expected.batch([[1], [2]]));
    expect(framer.end()).toEqual(expected.end());
  });

  test("of none have no frame", () => {
    const frame = batchFrameReader(columnsOf(INT32))(Uint8Array.of(0, 0, 0, 4, 2, 0, 0, 0, 0));
    expect([...resultFramer(frame instanceof FrameBatch ? frame.columns : []).batch(frame)]).toEqual([]);
  });
});
