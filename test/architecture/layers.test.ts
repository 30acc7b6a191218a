import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Who may import whom (ARCHITECTURE.md). A room may always import itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  planner: [],
  result: [],
  guard: ["config", "once"],
  connectors: ["result", "guard", "planner/plan", "once", "secure-url"],
  cache: ["result"],
  service: ["planner", "connectors", "cache", "guard", "result", "config"],
  api: ["service", "result", "guard", "config", "once", "version"],
  mcp: ["service", "result", "guard"],
  sidecar: ["connectors", "result", "guard", "config", "planner/plan", "cache/sidecar-protocol", "cache/store"],
  config: ["secure-url"],
  "secure-url": [],
  once: [],
  version: [],
};

/** Types tell no one what to do: `import type` of these is open to all who may name the room's data. */
const TYPE_ONLY: readonly string[] = ["planner/plan"];

/** Packages each room may import; rooms that are missing may import none. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  result: ["flatbuffers"],
  connectors: ["zod", "pg", "pg-cursor", "@neondatabase/serverless", "cloudflare:sockets"],
  guard: ["jose"],
  config: ["zod"],
  service: ["zod"],
  api: ["zod", "hono"],
  sidecar: ["zod", "@duckdb/node-api", "@duckdb/node-bindings", "@redis/client"],
};

/** Parts of Node that workerd has too (`nodejs_compat`). */
const SHARED_BUILT_INS: readonly string[] = ["node:buffer", "node:events"];

const ROOT = normalize(join(import.meta.dirname, "../.."));

interface Import {
  readonly from: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const STATEMENT =
  /^\s*(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(STATEMENT)].map((match) => ({
    from: file,
    target: match[2] ?? match[3] ?? match[4] ?? "",
    typeOnly: match[1] !== undefined,
  }));
}

function roomOf(file: string): string {
  const [top, second] = file.split("/");
  if (top === "sidecar") return "sidecar";
  return (second ?? "").replace(/\.ts$/, "");
}

const files = [...sourceFiles("src"), ...sourceFiles("sidecar")];
const imports = files.flatMap(importsOf);

test("the scan finds the source", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(imports.length).toBeGreaterThan(100);
});

describe("rooms import only what ARCHITECTURE.md allows", () => {
  const entries = new Set(["src/worker.ts", "src/connectors-worker.ts"]);
  for (const { from, target, typeOnly } of imports.filter((each) => each.target.startsWith("."))) {
    const resolved = relative(ROOT, normalize(join(ROOT, dirname(from), target)));
    const [own, other] = [roomOf(from), roomOf(resolved)];
    if (own === other || entries.has(from)) continue;
    test(`${from} → ${resolved}`, () => {
      const path = resolved.replace(/^src\//, "").replace(/\.ts$/, "");
      const allowed = (ALLOWED[own] ?? []).some((room) => path === room || path.startsWith(`${room}/`));
      expect(allowed, `${own} may import ${(ALLOWED[own] ?? []).join(", ") || "nothing"}`).toBe(true);
      if (TYPE_ONLY.includes(path) && own !== "service") expect(typeOnly, `${path} is for its types only`).toBe(true);
    });
  }
});

describe("rooms import only their packages", () => {
  const entries = new Set(["src/worker.ts", "src/connectors-worker.ts"]);
  for (const { from, target } of imports.filter((each) => !each.target.startsWith("."))) {
    const room = roomOf(from);
    if (entries.has(from)) continue;
    test(`${from} → ${target}`, () => {
      const name = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target.split("/")[0];
      if (room === "connectors" && SHARED_BUILT_INS.includes(target)) return;
      if (target.startsWith("node:")) expect(room).toBe("sidecar");
      else expect(PACKAGES[room] ?? []).toContain(name);
    });
  }
});

test("no file takes part in an import cycle", () => {
  const graph = new Map<string, readonly string[]>();
  for (const file of files) {
    const targets = imports
      .filter((each) => each.from === file && each.target.startsWith(".") && !each.typeOnly)
      .map((each) => relative(ROOT, normalize(join(ROOT, dirname(file), each.target))));
    graph.set(file, targets);
  }
  const cycles: string[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (file: string, trail: readonly string[]): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      return;
    }
    state.set(file, "open");
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    state.set(file, "done");
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test("files have one subject: none of ours exceeds 600 lines", () => {
  const long = files.filter((file) => readFileSync(join(ROOT, file), "utf8").split("\n").length > 600);
  expect(long).toEqual([]);
});
