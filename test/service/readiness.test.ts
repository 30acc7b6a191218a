import { describe, expect, it } from "vitest";
import { createReadiness } from "../../src/service/readiness.ts";

describe("readiness", () => {
  it("is of all parts, and tells each", async () => {
    const state = createReadiness({ a: async () => "ok", b: async () => "unreachable" });
    expect(await state()).toEqual({ isReady: false, parts: { a: "ok", b: "unreachable" } });
    expect(await createReadiness({ a: async () => "ok" })()).toEqual({ isReady: true, parts: { a: "ok" } });
  });

  it("tells no words of a check that fails", async () => {
    const state = createReadiness({ a: () => Promise.reject(new Error("canary7f3a")) });
    expect(await state()).toEqual({ isReady: false, parts: { a: "failed" } });
  });

  it("asks once in a while, however many want to know", async () => {
    let now = 0;
    let asked = 0;
    const state = createReadiness({ a: async () => (++asked > 1 ? "ok" : "full") }, () => now);
    const first = await Promise.all(Array.from({ length: 10 }, () => state()));
    expect(first.every(({ parts }) => parts.a === "full")).toBe(true);
    now = 4999;
    expect((await state()).isReady).toBe(false);
    now = 5000;
    expect((await state()).isReady).toBe(true);
    expect(asked).toBe(2);
  });
});
