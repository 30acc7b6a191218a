/** Models that are built on models: what each is built on, and when there is no saying. */
import { describe, expect, test } from "vitest";
import type { Manifest } from "../../../src/planner/manifest/manifest.ts";
import type { Model } from "../../../src/planner/manifest/model.ts";
import { manifestOf } from "../../support/plan.ts";

/** Models by the name of what they are built on; what nothing is said of stands over a table. */
function built(bases: Readonly<Record<string, string>>): Manifest {
  const names = new Set([...Object.keys(bases), ...Object.values(bases)].filter((name) => name !== "nowhere"));
  const models = [...names].map((name) => {
    const base = bases[name];
    const source = base === undefined ? { tableReference: { table: "t" } } : { baseObject: base };
    return { name, columns: [{ name: "id", type: "INTEGER" }], ...source };
  });
  return manifestOf({ catalog: "c", schema: "s", models });
}

function model(manifest: Manifest, name: string): Model {
  const found = manifest.model(name);
  if (found === undefined) throw new Error(`no model ${name}`);
  return found;
}

/** `m0` on `m1` on `m2` … */
const chain = (length: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`m${index}`, `m${index + 1}`]));

test("each model is built on the next one, whichever is asked first", () => {
  for (const order of [
    ["a", "b", "c"],
    ["c", "b", "a"],
    ["b", "a", "c"],
  ]) {
    const manifest = built({ a: "b", b: "c" });
    const bases = new Map(order.map((name) => [name, model(manifest, name).base?.name]));
    expect([bases.get("a"), bases.get("b"), bases.get("c")]).toEqual(["b", "c", undefined]);
  }
});

describe("chains without an end", () => {
  test.each([
    ["a cycle", { a: "b", b: "a" }, "a", "MANIFEST_CYCLE", "found cycle in models: a → b → a"],
    ["itself", { a: "a" }, "a", "MANIFEST_CYCLE", "found cycle in models: a → a"],
    ["a cycle further down", { a: "b", b: "c", c: "b" }, "a", "MANIFEST_CYCLE", "a → b → c → b"],
    ["what is not there", { a: "b", b: "nowhere" }, "a", "MANIFEST_SOURCE", '"b" is built on "nowhere"'],
    ["more steps than can be", chain(501), "m0", "LIMIT_DEPTH", "over 501 steps"],
  ])("%s", (_name, bases, name, reason, message) => {
    const manifest = built(bases);
    const fault = expect.objectContaining({ reason, message: expect.stringContaining(message) });
    expect(() => model(manifest, name).base).toThrow(fault);
    expect(() => model(manifest, name).base).toThrow(fault);
  });

  test("as many steps as can be, and one more, also where those below are known", () => {
    const manifest = built(chain(501));
    expect(model(manifest, "m1").base?.name).toBe("m2");
    expect(() => model(manifest, "m0").base).toThrow(expect.objectContaining({ reason: "LIMIT_DEPTH" }));
    expect(model(manifest, "m500").base?.name).toBe("m501");
  });
});

// Each question went down the whole chain, and looked back at each step.
test("a long chain is gone down once", () => {
  const manifest = built(chain(500));
  const models = Array.from({ length: 500 }, (_, index) => model(manifest, `m${index}`));
  for (let times = 0; times < 500; times++) for (const each of models) void each.base;
  expect(models.map(({ base }) => base?.name)).toEqual(models.map((_, index) => `m${index + 1}`));
});
