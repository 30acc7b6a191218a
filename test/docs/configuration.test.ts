import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationPage } from "../../scripts/configuration.ts";
import { sidecarSettings, workerSettings } from "../../src/config.ts";

test("docs/reference/configuration.md is current: npm run configuration writes it", () => {
  const page = readFileSync(new URL("../../docs/reference/configuration.md", import.meta.url), "utf8");
  expect(page).toBe(configurationPage());
});

test.each([...Object.entries(workerSettings), ...Object.entries(sidecarSettings)])(
  "%s says what it is for",
  (_name, { description }) => {
    expect(description).toMatch(/^[^a-z].*\.$|^[a-z]+: .*\.$/);
  },
);
