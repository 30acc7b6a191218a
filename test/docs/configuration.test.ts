import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationPage } from "../../scripts/configuration.ts";
import { sidecarSettings, workerSettings } from "../../src/config.ts";

test("docs/configuration.md is current: npm run configuration writes it", () => {
  const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
  expect(page).toBe(configurationPage());
});

test.each([...Object.entries(workerSettings.shape), ...Object.entries(sidecarSettings.shape)])(
  "%s says what it is for",
  (_name, schema) => {
    expect(schema.description).toMatch(/^[^a-z].*\.$|^[a-z]+: .*\.$/);
  },
);
