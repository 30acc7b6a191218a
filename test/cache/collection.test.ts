import { describe, expect, it } from "vitest";
import { collect } from "../../src/cache/collection.ts";
import { MemoryBudget } from "../../src/cache/memory-budget.ts";
import { readFrames } from "../../src/result/encode/frames/reader.ts";
import type { Row } from "../../src/result/types.ts";
import { FRAMES } from "./frames.ts";
import { allOf, rows, Source } from "./source.ts";

function collecting(source: Source, settings: { maxBytes?: number; workBytes?: number; signal?: AbortSignal } = {}) {
  const budget = new MemoryBudget(settings.workBytes ?? 1_000_000);
  const { maxBytes = 100_000, signal = new AbortController().signal } = settings;
  return { budget, ...collect(source, { frames: FRAMES, maxBytes, budget, signal }) };
}

async function rowsIn(frames: Uint8Array<ArrayBuffer>): Promise<Row[]> {
  const answer = await readFrames(new Blob([frames]).stream(), { revive: (failure) => failure });
  if (answer.kind !== "result") throw new Error("no rows");
  return allOf(answer.stream);
}

describe("a whole answer", () => {
  it("reaches its reader and the cache alike", async () => {
    const { rows: read, end, budget } = collecting(new Source().give(rows(1, 2), [], rows(3)).finish());
    expect(await allOf(read)).toEqual([[1], [2], [3]]);
    const ended = await end;
    if (ended.kind !== "complete") throw new Error(ended.kind);
    expect(await rowsIn(ended.frames)).toEqual([[1], [2], [3]]);
    await read.close();
    expect(budget.taken).toBe(ended.frames.length);
    ended.release();
    expect(budget.taken).toBe(0);
  });

  it("without rows is one, too", async () => {
    const { end } = collecting(new Source().finish());
    const ended = await end;
    expect(ended.kind === "complete" && (await rowsIn(ended.frames))).toEqual([]);
  });

  it("is complete before a slow reader has read anything, and the reader still gets all of it", async () => {
    const source = new Source();
    for (let n = 0; n < 100; n++) source.give(rows(n));
    const { rows: read, end } = collecting(source.finish());
    expect((await end).kind).toBe("complete");
    expect(await allOf(read)).toEqual(Array.from({ length: 100 }, (_, n) => [n]));
  });

  it("is read right by a reader that is now ahead and now behind", async () => {
    const source = new Source();
    const { rows: read } = collecting(source);
    const first = read.batches.next();
    source.give(rows(1));
    expect((await first).value).toEqual(rows(1));
    source.give(rows(2), rows(3));
    expect((await read.batches.next()).value).toEqual(rows(2));
    const rest = allOf(read);
    source.give(rows(4)).finish();
    expect(await rest).toEqual([[3], [4]]);
  });
});

describe("what is no whole answer is never one", () => {
  it.each([0, 1, 5])("a source that fails after %i batches", async (count) => {
    const error = new Error("broken");
    const source = new Source();
    for (let n = 0; n < count; n++) source.give(rows(n));
    const { rows: read, end } = collecting(source.fail(error));
    const seen: Row[] = [];
    const reading = (async () => {
      for await (const batch of read.batches) seen.push(...batch);
    })();
    await expect(reading).rejects.toBe(error);
    expect(seen).toHaveLength(count);
    expect((await end).kind).toBe("failed");
  });

  it("a reader that stops", async () => {
    const source = new Source().give(rows(1));
    const { rows: read, end, budget } = collecting(source);
    await read.batches.next();
    await read.close();
    expect((await end).kind).toBe("cancelled");
    expect(source.closed).toBe(true);
    expect(budget.taken).toBe(0);
  });

  it("a source that says it has ended because its call was aborted", async () => {
    const control = new AbortController();
    const source = new Source().give(rows(1));
    const { rows: read, end } = collecting(source, { signal: control.signal });
    await read.batches.next();
    control.abort(new Error("time is up"));
    source.finish();
    expect((await end).kind).toBe("cancelled");
  });
});

describe("over the budget", () => {
  it.each([
    ["an entry's", "too large", { maxBytes: 300 }],
    ["that of all together", "no room", { workBytes: 300 }],
  ] as const)("%s: collecting ends, and the answer goes on", async (_, kind, settings) => {
    const source = new Source();
    for (let n = 0; n < 50; n++) source.give(rows(n, n, n));
    const { rows: read, end, budget } = collecting(source.finish(), settings);
    expect(await end).toEqual({ kind });
    const pulled = source.pulls;
    expect(pulled).toBeLessThan(20);
    await read.batches.next();
    // The reader's own speed again.
    expect(source.pulls).toBe(pulled);
    expect(await allOf(read)).toHaveLength(147);
    await read.close();
    expect(budget.taken).toBe(0);
  });

  it("one batch that is too large is answered whole", async () => {
    const batch = rows(...Array.from({ length: 1_000 }, (_, n) => n));
    const { rows: read, end } = collecting(new Source().give(rows(7), batch, rows(8)).finish(), { maxBytes: 1_000 });
    expect(await allOf(read)).toEqual([[7], ...batch, [8]]);
    expect((await end).kind).toBe("too large");
  });

  it("not even the columns: the answer is as without a cache", async () => {
    const { rows: read, end } = collecting(new Source().give(rows(1)).finish(), { maxBytes: 10 });
    expect(await allOf(read)).toEqual([[1]]);
    expect((await end).kind).toBe("too large");
  });
});

it("a value that is not of its column's type is not kept, and reaches the reader as it came", async () => {
  const batch = [["text"]];
  const { rows: read, end } = collecting(new Source().give(rows(1), batch).finish());
  expect(await allOf(read)).toEqual([[1], ["text"]]);
  expect((await end).kind).toBe("unfit");
});
