import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * npm leaves an optional package out of the lockfile when the registry it asked does not have it, and `npm ci` refuses
 * the lockfile ever after, everywhere: twice a release was pinned before its packages for other platforms had arrived.
 */
test("the lockfile has the optional packages of every platform", () => {
  const text = readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8");
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> };
  const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});
