import { describe, expect, test } from "vitest";
import { type RowProgress, readRows } from "../../src/explorer/row-stream.ts";

const HEAD = '{"columns":["a","b"],"dtypes":{"a":"int32","b":"string"}}\n';

/** A body that arrives in pieces of `size` bytes. */
function bodyOf(text: string, size: number, fails?: Error): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) {
        if (fails !== undefined) controller.error(fails);
        else controller.close();
        return;
      }
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function read(
  text: string,
  { size = 7, keep = 10, fails }: { size?: number; keep?: number; fails?: Error } = {},
) {
  let last: RowProgress | undefined;
  const end = await readRows(bodyOf(text, size, fails), keep, (progress) => {
    last = progress;
  });
  return { end, rows: last?.rows, count: last?.count, columns: last?.columns };
}

describe("rows of an answer", () => {
  test.each([1, 3, 7, 10_000])("are whole in pieces of %d bytes", async (size) => {
    const answer = await read(`${HEAD}[1,"ä"]\n[2,null]\n{"end":{"rows":2}}\n`, { size });
    expect(answer).toEqual({
      end: { kind: "whole" },
      columns: [
        { name: "a", type: "int32" },
        { name: "b", type: "string" },
      ],
      rows: [
        [1, "ä"],
        [2, null],
      ],
      count: 2,
    });
  });

  test("are counted beyond those that are kept", async () => {
    const many = Array.from({ length: 1000 }, (_, row) => `[${row},"x"]\n`).join("");
    const answer = await read(`${HEAD}${many}{"end":{"rows":1000}}\n`, { size: 999, keep: 5 });
    expect([answer.rows?.length, answer.count, answer.end.kind]).toEqual([5, 1000, "whole"]);
  });

  test.each<[what: string, text: string, fails: Error | undefined, message: RegExp]>([
    ["ends without its last line", `${HEAD}[1,"x"]\n`, undefined, /broke off/],
    ["ends within a row", `${HEAD}[1,"x"]\n[2,`, undefined, /broke off/],
    ["ends before its head", "", undefined, /broke off/],
    ["loses its connection", `${HEAD}[1,"x"]\n`, new TypeError("network error"), /broke off/],
    [
      "ends with the source's failure",
      `${HEAD}[1,"x"]\n{"error":{"errorCode":"GENERIC_USER_ERROR","message":"division by zero","metadata":{}}}\n`,
      undefined,
      /division by zero/,
    ],
  ])("an answer that %s is broken, not whole", async (_, text, fails, message) => {
    const { end } = await read(text, fails === undefined ? {} : { fails });
    expect(end).toMatchObject({ kind: "broken", failure: { message: expect.stringMatching(message) } });
  });

  test("a cancelled answer rejects", async () => {
    const aborted = new DOMException("aborted", "AbortError");
    await expect(read(`${HEAD}[1,"x"]\n`, { fails: aborted as unknown as Error })).rejects.toBe(aborted);
  });
});
