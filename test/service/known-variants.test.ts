import { describe, expect, it } from "vitest";
import { KnownVariants } from "../../src/service/known-variants.ts";

const variant = (...version: number[]) => ({ product: "mysql", version });

/** A cache with a clock, and how often it asked for what. */
function known(options: { maxEntries?: number; milliseconds?: number } = {}) {
  const asked: string[] = [];
  let time = 0;
  const variants = new KnownVariants({ maxEntries: 10, milliseconds: 1000, ...options, now: () => time });
  return {
    asked,
    variants,
    later: (milliseconds: number) => {
      time += milliseconds;
    },
    of: (identity: string, ...version: number[]) =>
      variants.of(identity, async () => {
        asked.push(identity);
        return variant(...version);
      }),
  };
}

describe("which server is behind a connection", () => {
  it("is asked once, of each connection", async () => {
    const { of, asked } = known();
    expect(await of("a", 8)).toEqual(variant(8));
    expect(await of("b", 9)).toEqual(variant(9));
    expect(await of("a", 10)).toEqual(variant(8));
    expect(asked).toEqual(["a", "b"]);
  });

  it("is asked again after its time, and no sooner", async () => {
    const { of, asked, later } = known({ milliseconds: 1000 });
    await of("a", 8);
    later(999);
    await of("a", 9);
    later(1);
    expect(await of("a", 9)).toEqual(variant(9));
    expect(asked).toHaveLength(2);
  });

  it("is asked again when it is forgotten", async () => {
    const { of, variants } = known();
    await of("a", 8);
    await variants.forget("a");
    expect(await of("a", 9)).toEqual(variant(9));
  });

  it("is kept of so many connections, the latest", async () => {
    const { of, asked } = known({ maxEntries: 2 });
    for (const identity of ["a", "b", "c", "b", "c", "a"]) await of(identity, 8);
    expect(asked).toEqual(["a", "b", "c", "a"]);
  });

  it("is kept where it is a server that nothing is planned for", async () => {
    const { variants } = known();
    expect(await variants.of("a", async () => undefined)).toBeUndefined();
    expect(await variants.of("a", async () => variant(8))).toBeUndefined();
  });

  it("is not kept where asking failed", async () => {
    const { of, variants } = known();
    await expect(variants.of("a", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    expect(await of("a", 8)).toEqual(variant(8));
  });
});
