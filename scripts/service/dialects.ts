/** Which dialects a Worker is built with: the conditions of package.json's `imports` leave the others out. */
import { readFileSync } from "node:fs";

const PREFIX = "#dialects/";

/** Wrangler's own, which naming any would replace. */
const ALWAYS = ["workerd", "worker", "browser"];

const { imports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly imports: Readonly<Record<string, unknown>>;
};

export const DIALECTS: readonly string[] = Object.keys(imports).map((name) => name.slice(PREFIX.length));

/** The conditions of a bundle with these dialects alone. */
export function conditionsWith(dialects: readonly string[]): string[] {
  return [...ALWAYS, ...DIALECTS.filter((name) => !dialects.includes(name)).map((name) => `without-${name}`)];
}

/** The variables that make wrangler build with these dialects alone. */
export function buildingWith(dialects: readonly string[]): Readonly<Record<string, string>> {
  return { WRANGLER_BUILD_CONDITIONS: conditionsWith(dialects).join(",") };
}

/** Reads `postgres,duckdb`; a string is what is wrong with it. */
export function readDialects(text: string): readonly string[] | string {
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  const unknown = names.filter((name) => !DIALECTS.includes(name));
  if (unknown.length === 0) return names;
  return `--dialects: ${unknown.map((name) => name || "nothing").join(", ")} is not among ${DIALECTS.join(", ")}.`;
}
