import { describe, expect, it } from "vitest";
import { createReadiness, OK, type PartState, stateOfProjects } from "../../src/service/readiness.ts";

describe("readiness", () => {
  it("is of all parts, and tells each", async () => {
    const slow = { says: "full", isMissing: false };
    const gone = { says: "unreachable", isMissing: true };
    const of = (...[a, b, c]: PartState[]) =>
      createReadiness({ a: async () => a!, b: async () => b!, c: async () => c! })();
    expect(await of(OK, OK, OK)).toEqual({ status: "ready", parts: { a: "ok", b: "ok", c: "ok" } });
    expect(await of(OK, slow, OK)).toEqual({ status: "degraded", parts: { a: "ok", b: "full", c: "ok" } });
    expect(await of(gone, slow, OK)).toEqual({ status: "not ready", parts: { a: "unreachable", b: "full", c: "ok" } });
  });

  it("stays ready with broken projects, and counts them", async () => {
    const broken = createReadiness({
      settings: async () => OK,
      projects: async () => stateOfProjects({ broken: 3, isStoreSilent: false }),
    });
    expect(await broken()).toEqual({ status: "ready", parts: { settings: "ok", projects: "3 broken" } });
    const silent = createReadiness({ projects: async () => stateOfProjects({ broken: 0, isStoreSilent: true }) });
    expect(await silent()).toMatchObject({
      status: "degraded",
      parts: { projects: expect.stringContaining("does not answer") },
    });
    expect(stateOfProjects({ broken: 0, isStoreSilent: false })).toBe(OK);
  });

  it("tells no words of a check that fails", async () => {
    const state = createReadiness({ a: () => Promise.reject(new Error("canary7f3a")) });
    expect(await state()).toEqual({ status: "not ready", parts: { a: "failed" } });
  });

  it("asks once in a while, however many want to know", async () => {
    let now = 0;
    let asked = 0;
    const state = createReadiness(
      { a: async () => (++asked > 1 ? OK : { says: "full", isMissing: false }) },
      () => now,
    );
    const first = await Promise.all(Array.from({ length: 10 }, () => state()));
    expect(first.every(({ parts }) => parts.a === "full")).toBe(true);
    now = 4999;
    expect((await state()).status).toBe("degraded");
    now = 5000;
    expect((await state()).status).toBe("ready");
    expect(asked).toBe(2);
  });
});
