import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, "../..", name), "utf8");

test("the newest release of the changelog is the version of the package", () => {
  const { version } = JSON.parse(textOf("package.json")) as { readonly version: string };
  const [unreleased, newest] = [...textOf("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(unreleased).toBe("Unreleased");
  expect(newest).toMatch(new RegExp(`^${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`));
});
