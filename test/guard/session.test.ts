import { describe, expect, it } from "vitest";
import { resolveSession, type SessionSources } from "../../src/guard/session.ts";

const LEVELS = ["header", "body", "operator", "claims"] as const;

function sources(given: Partial<Record<(typeof LEVELS)[number], Record<string, string>>>): SessionSources {
  const of = (level: (typeof LEVELS)[number]) => new Map(Object.entries(given[level] ?? {}));
  return {
    claims: of("claims"),
    bound: new Set(of("claims").keys()),
    operator: of("operator"),
    body: of("body"),
    header: of("header"),
  };
}

describe("which session properties hold", () => {
  it.each([
    [{ header: { a: "h" }, body: { a: "b" } }, "b"],
    [{ header: { a: "h" }, operator: { a: "o" } }, "o"],
    [{ body: { a: "b" }, operator: { a: "o" } }, "o"],
    [{ operator: { a: "o" }, claims: { a: "c" } }, "c"],
    [{ header: { a: "h" } }, "h"],
    [{ claims: { a: "c" } }, "c"],
  ])("%j", (given, winner) => {
    expect(resolveSession(sources(given))).toEqual({ ok: true, session: new Map([["a", winner]]) });
  });

  it("all levels together", () => {
    const given = sources({ header: { h: "1" }, body: { b: "2" }, operator: { o: "3" }, claims: { c: "4" } });
    expect(resolveSession(given)).toEqual({
      ok: true,
      session: new Map([
        ["h", "1"],
        ["b", "2"],
        ["o", "3"],
        ["c", "4"],
      ]),
    });
  });

  it.each([
    [{ claims: { a: "1" }, header: { a: "1" } }, ["a"]],
    [{ claims: { a: "1", b: "2" }, body: { b: "9", x: "1" }, header: { a: "9", y: "1" } }, ["b", "a"]],
  ])("a caller that names a claim-bound property is refused: %j", (given, bound) => {
    expect(resolveSession(sources(given))).toEqual({ ok: false, bound });
  });
});
