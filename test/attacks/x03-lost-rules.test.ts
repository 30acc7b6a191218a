/** A rule that a second member replaces, or that is written in letters that look like the right ones, must never be no rule. */
import { describe, expect, test } from "vitest";
import { errorOf, planningApp } from "../api/test-app.ts";

const manifestWith = (model: string, column: string): string =>
  Buffer.from(
    `{"catalog":"c","schema":"s","models":[{"name":"orders","tableReference":{"table":"orders"}${model},` +
      `"columns":[{"name":"id","type":"BIGINT"},{"name":"owner","type":"VARCHAR"${column}}]}]}`,
  ).toString("base64");

const RULE = '[{"name":"own","requiredProperties":[],"condition":"owner = \'me\'"}]';

describe("a rule is not lost", () => {
  test.each([
    ["two lists of rules", `,"rowLevelAccessControls":${RULE},"rowLevelAccessControls":[]`, ""],
    ["two lists, one with an escape", `,"rowLevelAccessControls":${RULE},"\\u0072owLevelAccessControls":[]`, ""],
    ["two flags", "", ',"isHidden":true,"isHidden":false'],
    ["Cyrillic letters in a list of rules", `,"rоwLеvеlАссеssСоntrоls":${RULE}`, ""],
    ["wide letters in a list of rules", `,"ｒｏｗＬｅｖｅｌＡｃｃｅｓｓＣｏｎｔｒｏｌｓ":${RULE}`, ""],
    ["Cyrillic letters in a flag", "", ',"іsНіddеn":true'],
  ])("%s", async (_name, model, column) => {
    const response = await planningApp().post("/v3/connector/postgres/dry-plan", {
      sql: "SELECT owner FROM orders",
      manifestStr: manifestWith(model, column),
      connectionInfo: {},
    });
    expect(response.status).toBe(422);
    expect((await errorOf(response)).metadata).toMatchObject({
      reason: expect.stringMatching(/^MANIFEST_(JSON|SCHEMA)$/),
    });
  });
});
