import { describe, expect, it } from "vitest";
import { describeManifest, type Manifest, readManifestText } from "../../../src/planner/index.ts";
import { knownCatalogue } from "../../../src/service/projects/known-catalogues.ts";
import { SHOP } from "../../projects/shop.ts";

function manifestOf(): Manifest {
  const loaded = readManifestText(JSON.stringify(SHOP), 1_000_000);
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

const SESSIONS: readonly (readonly [string, string])[][] = [
  [],
  [["level", "1"]],
  [["level", "9"]],
  [
    ["tenant", "'a'"],
    ["level", "9"],
  ],
];

function asking(manifest: Manifest) {
  let made = 0;
  const ask = (session: readonly (readonly [string, string])[], accessControl: "strict" | "standard" = "strict") => {
    const request = { manifest, source: "postgres", session: new Map(session), accessControl } as const;
    return knownCatalogue(request, () => {
      made++;
      const outcome = describeManifest(request);
      if (!outcome.ok) throw outcome.error;
      return outcome.value;
    });
  };
  return { ask, made: () => made };
}

describe("catalogues", () => {
  it("are those that are made anew, for each session and access control", () => {
    const { ask } = asking(manifestOf());
    for (const accessControl of ["strict", "standard"] as const) {
      for (const session of [...SESSIONS, ...SESSIONS]) {
        expect(ask(session, accessControl)).toEqual(asking(manifestOf()).ask(session, accessControl));
      }
    }
  });

  it("are made once for equal sessions, in whatever order their properties come", () => {
    const { ask, made } = asking(manifestOf());
    const first = ask([
      ["tenant", "'a'"],
      ["level", "9"],
    ]);
    expect(
      ask([
        ["level", "9"],
        ["tenant", "'a'"],
      ]),
    ).toBe(first);
    expect(made()).toBe(1);
    ask([["level", "1"]]);
    expect(made()).toBe(2);
  });

  it("of many sessions make way, the oldest first", () => {
    const { ask, made } = asking(manifestOf());
    for (let level = 0; level < 40; level++) ask([["level", String(level)]]);
    ask([["level", "39"]]);
    expect(made()).toBe(40);
    ask([["level", "0"]]);
    expect(made()).toBe(41);
  });

  it("that cannot be made are asked for again", () => {
    const manifest = manifestOf();
    const request = { manifest, source: "postgres", session: new Map(), accessControl: "strict" } as const;
    const fail = () => {
      throw new Error("fails");
    };
    expect(() => knownCatalogue(request, fail)).toThrow("fails");
    expect(() => knownCatalogue(request, fail)).toThrow("fails");
  });
});
