/** Selects the dialects that a Worker is built with: conditions of package.json's `imports` omit the others. */
import { readFileSync } from "node:fs";

const PREFIX = "#dialects/";

/** Wrangler's default conditions, which any explicit condition would replace. */
const ALWAYS = ["workerd", "worker", "browser"];

const { imports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly imports: Readonly<Record<string, unknown>>;
};

export const DIALECTS: readonly string[] = Object.keys(imports).map((name) => name.slice(PREFIX.length));

/** The conditions of a bundle with only these dialects. */
export function conditionsWith(dialects: readonly string[]): string[] {
  return [...ALWAYS, ...DIALECTS.filter((name) => !dialects.includes(name)).map((name) => `without-${name}`)];
}

/** The variables that make wrangler build with only these dialects. */
export function buildingWith(dialects: readonly string[]): Readonly<Record<string, string>> {
  return { WRANGLER_BUILD_CONDITIONS: conditionsWith(dialects).join(",") };
}

/** Parses `postgres,duckdb`; returns a string that describes the problem if it is invalid. */
export function readDialects(text: string): readonly string[] | string {
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  const unknown = names.filter((name) => !DIALECTS.includes(name));
  if (unknown.length === 0) return names;
  return `--dialects: ${unknown.map((name) => name || "nothing").join(", ")} is not among ${DIALECTS.join(", ")}.`;
}
