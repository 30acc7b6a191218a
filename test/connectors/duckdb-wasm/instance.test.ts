/** Two instances in one isolate: the package's JavaScript finds the files of an instance, and functions of ours, by a global. */
import { expect, it } from "vitest";
import { type EngineFile, WasmInstance } from "../../../src/connectors/duckdb-wasm/instance.ts";
import { partsInNode } from "./engine-in-node.ts";

function csv(text: string): EngineFile {
  const bytes = new TextEncoder().encode(`text\n${text}\n`);
  return { size: bytes.length, read: (start, length) => bytes.slice(start, start + length) };
}

it("reads its own files and calls its own functions while another instance has others", async () => {
  const parts = await partsInNode();
  const opened = async (text: string): Promise<() => Promise<string>> => {
    const instance = await WasmInstance.start(parts);
    const connection = await instance.open(new Map([["t.csv", csv(`file of ${text}`)]]), { maximumThreads: 1 });
    await instance.define(connection, "whose", {
      returns: "utf8",
      call: (given) => `${given[0]}, function of ${text}`,
    });
    const sql = "SELECT whose(text) AS answer FROM read_csv('t.csv', delim = ';')";
    return async () => Buffer.from((await instance.run(connection, sql)) ?? []).toString("latin1");
  };
  const first = await opened("ann");
  const second = await opened("bob");
  for (const [ask, own, other] of [
    [first, "ann", "bob"],
    [second, "bob", "ann"],
    [first, "ann", "bob"],
  ] as const) {
    const answer = await ask();
    expect(answer).toContain(`file of ${own}, function of ${own}`);
    expect(answer).not.toContain(other);
  }
});

it("says how large its memory becomes, before it does", async () => {
  const instance = await WasmInstance.start(await partsInNode());
  const sizes: (readonly [before: number, after: number])[] = [];
  instance.onGrowth = (bytes) => sizes.push([instance.memory, bytes]);
  const connection = await instance.open(new Map(), { maximumThreads: 1 });
  await instance.run(connection, "SELECT length(repeat('x', 20000000))");
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.filter(([before, after]) => before >= after)).toEqual([]);
  expect(sizes.at(-1)?.[1]).toBe(instance.memory);
});
