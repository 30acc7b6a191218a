import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/api/json-text.ts";
import { randomNumbers } from "./random.ts";

const DEPTH = 64;

function engineParses(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

describe("the check of JSON text", () => {
  it.each([
    ["", 0],
    ["  ", 2],
    ["{", 1],
    ["[1", 2],
    ["[1,", 3],
    ["[1 2]", 3],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ["[,]", 1],
    ["tru", 0],
    ["truex", 4],
    ["-", 0],
    ["1.", 1],
    ["1e", 1],
    [".5", 0],
    ["+1", 0],
    ["'a'", 0],
    ['"a', 2],
    ['"\t"', 1],
    ['"\\u12"', 1],
    ['"\\', 1],
    ["[]]", 2],
    ["[}", 1],
    ["\u00a01", 0],
    ["1 // no", 2],
  ])("finds the fault in %j at %i", (text, at) => {
    expect(engineParses(text)).toBeUndefined();
    expect(parseJson(text, DEPTH)).toEqual({ ok: false, fault: "syntax", at });
  });

  it("agrees with the engine on texts that were damaged at random", () => {
    const random = randomNumbers(20_261_121);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const value = (depth: number): unknown => {
      const kind = depth > 3 ? Math.floor(random() * 5) : Math.floor(random() * 7);
      if (kind === 0) return pick([0, -1.5, 1e21, 1e-7, 42]);
      if (kind === 1) return pick(["", "a", 'q"uo\\te', "\u0000\n\u2028é😀", "__proto__"]);
      if (kind < 5) return pick([true, false, null, "x", 7]);
      const items = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
      return kind === 5 ? items : Object.fromEntries(items.map((item, index) => [pick(["a", "b", `k${index}`]), item]));
    };
    const fragments = [...'{}[],:"\\ \n\t-+.eE0123456789tfn/u', "null", "true", "\\u00e9", "\u0000", "é"];
    let accepted = 0;
    for (let round = 0; round < 20_000; round++) {
      let text = JSON.stringify(value(0), null, pick([0, 1]));
      for (let damage = Math.floor(random() * 3); damage > 0; damage--) {
        const at = Math.floor(random() * (text.length + 1));
        text = text.slice(0, at) + pick(["", ...fragments]) + text.slice(at + pick([0, 1]));
      }
      const expected = engineParses(text) as { value: unknown } | undefined;
      const outcome = parseJson(text, DEPTH);
      if (expected === undefined) expect(outcome, text).toMatchObject({ ok: false, fault: "syntax" });
      else expect(outcome, text).toEqual({ ok: true, value: expected.value });
      // Brackets in a string: as deep as it might be, it is checked before anything is built.
      const checked = parseJson(`["${"[".repeat(DEPTH)}",${text}]`, DEPTH);
      if (expected !== undefined)
        expect(checked, text).toEqual({ ok: true, value: ["[".repeat(DEPTH), expected.value] });
      else if (engineParses(`[0,${text}]`) === undefined) expect(checked, text).toMatchObject({ ok: false });
      if (outcome.ok) accepted++;
      else expect(outcome.at).toBeLessThanOrEqual(text.length);
    }
    expect(accepted).toBeGreaterThan(5000);
    expect(accepted).toBeLessThan(15_000);
  });
});
