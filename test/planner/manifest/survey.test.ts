/** The walk over a manifest for what its readers do not see, and the table of members that it goes by. */
import { describe, expect, test } from "vitest";
import { loadManifest, manifestRemarks } from "../../../src/planner/index.ts";
import { CALLED, MEMBERS, type Member } from "../../../src/planner/manifest/members.ts";
import { adviceOn, messageOf, surveyOf } from "../../../src/planner/manifest/survey.ts";
import { DATA_SOURCES } from "../../../src/service/data-sources.ts";
import { committedManifests } from "../../support/manifests.ts";

const unknownIn = (json: object): readonly string[] => surveyOf(json).unknown.map((each) => messageOf(each));

describe("the table of members", () => {
  const kinds = Object.entries(MEMBERS) as [keyof typeof MEMBERS, Readonly<Record<string, Member>>][];

  test("has a line about every member, and a kind for every object in one", () => {
    for (const [kind, members] of kinds) {
      expect(CALLED[kind], kind).toBeTruthy();
      for (const [name, { description, holds }] of Object.entries(members)) {
        expect(description, `${kind}.${name}`).toMatch(/^.{4,120}[.)]$|in the body\.$/);
        if (typeof holds === "object") expect(MEMBERS).toHaveProperty("one" in holds ? holds.one : holds.many);
      }
    }
  });

  test("has every kind at a place", () => {
    const held = kinds.flatMap(([, members]) =>
      Object.values(members).flatMap(({ holds }) =>
        typeof holds === "object" ? ["one" in holds ? holds.one : holds.many] : [],
      ),
    );
    expect(new Set(["manifest", ...held])).toEqual(new Set(kinds.map(([kind]) => kind)));
  });
});

describe("the survey", () => {
  test("names the first object with an unknown member, and counts the others", () => {
    const columns = [
      { name: "a", type: "INT", note: 1 },
      { name: "b", type: "INT" },
      { name: "c", note: 2 },
    ];
    expect(unknownIn({ models: [{ name: "m", columns }, { columns: [{ note: 3 }] }] })).toEqual([
      'manifest.models[0].columns[0] ("a") (and 2 more): "note" is no member of a column',
    ]);
  });

  test("passes over what is no object where one should be", () => {
    expect(surveyOf({ models: 5, views: ["x"], cubes: [null], macros: { a: 1 } }).unknown).toHaveLength(1);
    expect(surveyOf("text").unknown).toEqual([]);
  });

  test("notes members that every object inherits, and __proto__", () => {
    const json = JSON.parse('{"toString": 1, "__proto__": 1, "models": [{"constructor": 1}]}');
    expect(unknownIn(json)).toEqual([
      'manifest: "toString" is no member of the manifest',
      'manifest: "__proto__" is no member of the manifest',
      'manifest.models[0]: "constructor" is no member of a model',
    ]);
  });

  test("of 100,000 objects with the same unknown member makes one", () => {
    const models = Array.from({ length: 100_000 }, () => ({ note: 1 }));
    expect(surveyOf({ models }).unknown).toMatchObject([{ count: 100_000 }]);
  });

  test("stops at some hundred different names", () => {
    const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`rowLevelAccess${index}`, 1]));
    expect(() => surveyOf(names)).toThrow("more than 500 different unknown members");
  });

  test("looks at a bounded number of types, and says so", () => {
    const columns = Array.from({ length: 5000 }, (_, index) => ({ name: "a", type: `t${index}` }));
    const survey = surveyOf({ models: [{ columns }] });
    expect([survey.types.length, survey.moreTypes]).toEqual([1000, true]);
  });

  test.each([
    ["rowLevelAccessControl", "model", true],
    ["level", "model", false],
    ["addition", "model", false],
    ["edition", "column", false],
    ["required", "column", false],
    ["hiden", "column", true],
    ["anything", "rowRule", true],
    ["policies", "view", true],
    ["rowSecurity", "model", true],
    ["isHiddenFromAll", "column", true],
    ["visibility", "column", true],
    ["описание", "column", false],
    ["prixUnité", "column", false],
    // Letters that look like Latin ones.
    ["іsНіddеn", "column", true],
    ["ｉｓＨｉｄｄｅｎ", "column", true],
    ["is\u200bHid\u0307den", "column", true],
    ["rоwLеvеlАссеssСоntrоls", "model", true],
    ["ᵣₒwLₑvₑlAccₑssCₒnₜᵣₒlₛ", "model", true],
    ["соluмnLеvеlАссеssСоntrоl", "column", true],
  ] as const)("%s of a %s is taken for a rule: %s", (name, kind, isRule) => {
    const object = { [name]: 1 };
    const json = {
      model: { models: [object] },
      column: { models: [{ columns: [object] }] },
      view: { views: [object] },
      rowRule: { models: [{ rowLevelAccessControls: [object] }] },
    }[kind];
    expect(surveyOf(json).unknown).toMatchObject([{ name, isRule }]);
  });

  test("advises by near names, else by all", () => {
    const [near, far] = surveyOf({ modles: 1, zzz: 2 }).unknown;
    expect(adviceOn(near!)).toEqual({ suggestions: ["models"], hint: 'Did you mean "models"?' });
    expect(adviceOn(far!).hint).toMatch(/^The members of the manifest are layoutVersion, catalog/);
  });
});

describe("honest manifests are silent on every source", () => {
  const found = committedManifests();

  test("there are some", () => {
    expect(found.length).toBeGreaterThan(5);
  });

  test.each(found)("%s", (_name, manifest) => {
    const loaded = loadManifest(Buffer.from(JSON.stringify(manifest)).toString("base64"), 10_000_000);
    if (!loaded.ok) return;
    for (const source of [undefined, ...DATA_SOURCES]) {
      const remarks = manifestRemarks(loaded.value, source);
      const messages = remarks.ok ? remarks.value.map(({ message }) => message) : [remarks.error.message];
      // The one case that is about unknown members.
      expect(messages.filter((message) => !/somethingUnknown|unknownTop/.test(message))).toEqual([]);
    }
  });
});
