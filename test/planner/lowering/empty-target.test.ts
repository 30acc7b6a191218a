/**
 * A target that says nothing does not compile, and the compiler says how much is missing: silence never means "as PostgreSQL
 * does". A fact that somebody makes optional is noticed here.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { meaningsOf } from "../../../src/planner/functions/catalogue.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const LOWERING = join(ROOT, "src/planner/lowering");

const EMPTY = `
import type { Fence } from "${LOWERING}/../expand/expansion-target.ts";
import { castRules } from "${LOWERING}/casts.ts";
import type { Grammar } from "${LOWERING}/grammar.ts";
import { expressionRules, fieldRules, functionRules, operatorRules } from "${LOWERING}/rules.ts";
import type { Rewrites, Target } from "${LOWERING}/target.ts";
import { typeSpellings } from "${LOWERING}/type-spellings.ts";
export const target: Target = {};
export const grammar: Grammar = {};
export const fence: Fence = {};
export const rewrites: Rewrites = {};
export const expressions = expressionRules([], {});
export const operators = operatorRules([], {});
export const fields = fieldRules([], {});
export const functions = functionRules([], {});
export const casts = castRules({});
export const types = typeSpellings([], {});
`;

/** By the line's first word behind `export const`. */
const missing = new Map<string, number>();
const folder = mkdtempSync(join(tmpdir(), "siskin-empty-target-"));

beforeAll(() => {
  const options = { composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true };
  const project = { extends: join(ROOT, "tsconfig.json"), compilerOptions: options, files: ["empty.ts"] };
  writeFileSync(join(folder, "empty.ts"), EMPTY);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  for (const error of compiled().split(/^(?=empty\.ts\()/m)) {
    const line = Number(/^empty\.ts\((\d+),/.exec(error)?.[1]);
    const name = /^export const (\w+)/.exec(EMPTY.split("\n")[line - 1] ?? "")?.[1] ?? "";
    missing.set(name, missingIn(error));
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function compiled(): string {
  try {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    return execFileSync(process.execPath, [tsc, "-p", ".", "--pretty", "false"], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout);
  }
}

/** `… the following properties from type 'T': a, b, c, and 20 more.` */
function missingIn(message: string): number {
  const [, names = "", more = "0"] =
    /following properties from type .*?': (.*?)(?:, and (\d+) more)?\.?$/m.exec(message) ?? [];
  return names.split(", ").length + Number(more);
}

const { grammar, fence, rewrites, ...facts } = targetOf("postgres");
const OPTIONAL = "item setOperation recursionOfDecimals join window besideRules statement keys bindsOperands".split(
  " ",
);
const required = Object.keys(rewrites).filter((name) => !OPTIONAL.includes(name));

test.each<[string, number]>([
  ["target", Object.keys(facts).length + 3],
  ["grammar", Object.keys(grammar).length],
  ["fence", Object.keys(fence).length],
  ["rewrites", required.length],
  ["expressions", rewrites.expressions.size],
  ["operators", rewrites.operators.size],
  ["fields", rewrites.fields.size],
  // A function with a definition needs no row (`functions/meanings.ts`).
  ["functions", [...rewrites.functions.keys()].filter((name) => meaningsOf(name).length === 0).length],
  ["casts", Object.keys(rewrites.casts).length],
  ["types", Object.keys(facts.print.types).length],
])("an empty %s lacks all its %i members", (name, members) => {
  expect(missing.get(name)).toBe(members);
});
