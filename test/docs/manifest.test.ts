/** docs/manifest.md and the schema beside it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pageText, schemaText } from "../../scripts/manifest-reference.ts";
import { checkOfManifest, loadManifest } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

test("the reference and the schema are current: npm run manifest writes them", () => {
  expect(read("manifest.md")).toBe(pageText(read("manifest.md")));
  expect(read("manifest.schema.json")).toBe(schemaText());
});

test("the example manifest has no fault", () => {
  const [, json = ""] = /```json\n(\{[\s\S]*?)```/.exec(read("manifest.md")) ?? [];
  const loaded = loadManifest(Buffer.from(json).toString("base64"), 1_000_000);
  if (!loaded.ok) throw loaded.error;
  const report = checkOfManifest({
    manifest: loaded.value,
    source: "postgres",
    limits: DEFAULT_LIMITS,
    unknownFunctions: "warn",
  });
  expect(report).toMatchObject({ ok: true, value: { problems: [], more: 0, warnings: [] } });
});
