/** Behaviour of any server of the S3 protocol. */
import { expect, it } from "vitest";
import type { ObjectStore } from "../../../src/connectors/files/object-store.ts";
import { failureOf } from "../../connectors/contract.ts";

const ODD_KEYS = [
  "a b/c d.csv",
  "a%2Fb.csv",
  "100%.csv",
  "a+b&c=d?e#f.csv",
  "größe/日本語/😀.csv",
  `quotes'"(!).csv`,
  "year=2024/month=01/x.csv",
  "[1]{2}~,;:@$.csv",
];

/** More than a page of them. */
const MANY = 1100;
const never = new AbortController().signal;

/** `put`: into the bucket. */
export async function fillStore(put: (key: string, content: Uint8Array) => Promise<unknown>): Promise<void> {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  for (const key of ODD_KEYS) await put(`odd/${key}`, bytes("n\n7\n"));
  let next = 0;
  const fill = async (): Promise<void> => {
    for (let i = next++; i < MANY; i = next++) await put(`many/${i}.csv`, bytes(`n\n${i}\n`));
  };
  await Promise.all(Array.from({ length: 8 }, fill));
}

/** Over a bucket that `fillStore` has filled. `others`: what else is at its top. */
export function describeStore(store: () => ObjectStore, others: readonly string[]): void {
  it.each(ODD_KEYS)("lists, looks at and reads %j", async (key) => {
    const object = await store().head(`odd/${key}`, never);
    expect(object?.size).toBe(4);
    const keys: string[] = [];
    for await (const entry of store().list("odd/", { signal: never })) if ("key" in entry) keys.push(entry.key);
    expect(keys).toContain(`odd/${key}`);
    if (object === undefined) return;
    expect(await new Response(await store().read(object, 2, 3, never)).text()).toBe("7");
    expect(await failureOf(store().read({ ...object, etag: '"0123"' }, 0, 4, never))).toMatchObject({
      reason: "OBJECT_CHANGED",
    });
  });

  it("lists more than a page, and folders by their names", async () => {
    let count = 0;
    for await (const _ of store().list("many/", { signal: never })) count++;
    expect(count).toBe(MANY);
    const top: string[] = [];
    for await (const entry of store().list("", { signal: never, delimiter: "/" })) {
      if ("prefix" in entry) top.push(entry.prefix);
    }
    expect(top.sort()).toEqual(["many/", "odd/", ...others].sort());
  });
}
