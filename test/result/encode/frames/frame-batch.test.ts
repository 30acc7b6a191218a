import { describe, expect, test } from "vitest";
import { resultFramer } from "../../../../src/result/encode/frames/framer.ts";
import { batchFrameReader } from "../../../../src/result/encode/frames/reader.ts";
import type { Batch, Column, Row } from "../../../../src/result/types.ts";
import { randomType, randomValue } from "../../random-results.ts";
import { columnsOf, seededRandom } from "../../streams.ts";

/** The rows of a frame, or undefined where it was refused; anything thrown later is the test's. */
function rowsOf(columns: readonly Column[], frame: Uint8Array): Row[] | undefined {
  let batch: Batch;
  try {
    batch = batchFrameReader(columns)(frame);
  } catch (error) {
    expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
    return undefined;
  }
  return [...batch];
}

describe("a frame whose look was sound can be read", () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))("however it was damaged, seed %i", (seed) => {
    const random = seededRandom(seed);
    const columns = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index): Column => {
      return { name: `c${index}`, type: randomType(random, 0) };
    });
    const rows = Array.from({ length: 4 }, (): Row => columns.map(({ type }) => randomValue(type, random)));
    for (const frame of resultFramer(columns).batch(rows)) {
      expect(rowsOf(columns, frame)).toEqual(rows);
      for (let round = 0; round < 300; round++) {
        const damaged = frame.slice();
        for (let flips = 0; flips <= random() * 3; flips++) {
          damaged[5 + Math.floor(random() * (damaged.length - 5))] = Math.floor(random() * 256);
        }
        rowsOf(columns, damaged);
      }
      for (let length = 5; length < frame.length; length += 1 + Math.floor(frame.length / 200)) {
        expect(rowsOf(columns, frame.slice(0, length))).toBeUndefined();
      }
    }
  });
});

test("rows can be gone through again, and are made anew each time", () => {
  const columns = columnsOf({ kind: "binary" }, { kind: "list", element: { kind: "int32" } });
  const rows: Row[] = [
    [Uint8Array.of(1), [1, null]],
    [null, []],
  ];
  const [frame = new Uint8Array(0)] = resultFramer(columns).batch(rows);
  const batch = batchFrameReader(columns)(frame);
  const [first] = batch;
  const [binary] = first ?? [];
  if (binary instanceof Uint8Array) binary.fill(9);
  expect(binary).toEqual(Uint8Array.of(9));
  expect([...batch]).toEqual(rows);
  expect(batch.length).toBe(2);
});
