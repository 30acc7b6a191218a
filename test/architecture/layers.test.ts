import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Who may import whom (ARCHITECTURE.md). A room may always import itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  planner: [],
  result: [],
  guard: ["config", "once", "log-line"],
  connectors: ["result", "guard", "planner/plan", "planner/suggest", "once", "secure-url", "log-line"],
  cache: ["result"],
  projects: ["planner/suggest"],
  service: ["planner", "connectors", "cache", "projects", "guard", "result", "config"],
  api: ["service", "result", "guard", "config", "once", "version", "log-line", "mcp/use-cases"],
  mcp: ["planner/suggest"],
  // The page's code runs in browsers, and reads nothing but the API's answers.
  explorer: [],
  sidecar: [
    "connectors",
    "result",
    "guard",
    "config",
    "planner/plan",
    "cache/sidecar-protocol",
    "cache/store",
    "log-line",
  ],
  supervisor: ["config", "connectors/named", "log-line"],
  cli: ["service", "connectors", "planner", "projects", "guard", "result", "sidecar", "secure-url", "version"],
  config: ["secure-url", "planner/suggest", "host-list"],
  "secure-url": [],
  "host-list": [],
  once: [],
  version: [],
  "log-line": [],
};

/** Types tell no one what to do: `import type` of these is open to all who may name the room's data. */
const TYPE_ONLY: readonly string[] = ["planner/plan"];

/** Packages each room may import; rooms that are missing may import none. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  result: ["flatbuffers"],
  connectors: [
    "zod",
    "@aws-sdk/client-athena",
    "@aws-sdk/client-sts",
    "aws4fetch",
    "@clickhouse/client-web",
    "mysql2",
    "@planetscale/database",
    "pg",
    "@neondatabase/serverless",
    "flatbuffers",
    "jose",
    "cloudflare:sockets",
    // Named by `alias` in the bundle of the files Worker.
    "duckdb:bindings",
    "duckdb:engine",
    "duckdb:trampolines",
  ],
  guard: ["jose"],
  config: ["zod"],
  service: ["zod"],
  api: ["zod", "hono"],
  mcp: ["@modelcontextprotocol/server"],
  explorer: [
    "@codemirror/autocomplete",
    "@codemirror/commands",
    "@codemirror/lang-sql",
    "@codemirror/language",
    "@codemirror/lint",
    "@codemirror/state",
    "@codemirror/view",
    "@dagrejs/dagre",
    "@lezer/highlight",
    "@preact/signals",
    "@tanstack/virtual-core",
    "d3-scale",
    "preact",
  ],
  sidecar: [
    "zod",
    "@aws-sdk/credential-provider-node",
    "@duckdb/node-api",
    "@duckdb/node-bindings",
    "@grpc/grpc-js",
    "@grpc/proto-loader",
    "@redis/client",
    "oracledb",
  ],
  cli: ["yaml"],
};

/** Parts of Node that workerd has too (`nodejs_compat`). */
const SHARED_BUILT_INS: readonly string[] = ["node:buffer", "node:events", "node:zlib"];

const ROOT = normalize(join(import.meta.dirname, "../.."));

const { imports: OWN_NAMES } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly imports: Readonly<Record<string, { readonly default: string }>>;
};

interface Import {
  readonly from: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name) && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const STATEMENT =
  /^\s*(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** `#dialects/…`: what package.json says, as a path from the file that imports it. */
function withoutName(target: string, file: string): string {
  if (!target.startsWith("#")) return target;
  const path = relative(dirname(file), OWN_NAMES[target]?.default ?? "");
  return path.startsWith(".") ? path : `./${path}`;
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(STATEMENT)].map((match) => ({
    from: file,
    target: withoutName(match[2] ?? match[3] ?? match[4] ?? "", file),
    typeOnly: match[1] !== undefined,
  }));
}

function roomOf(file: string): string {
  const [top, second] = file.split("/");
  if (top === "sidecar" || top === "supervisor" || top === "cli") return top;
  return (second ?? "").replace(/\.tsx?$/, "");
}

const files = ["src", "sidecar", "supervisor", "cli"].flatMap(sourceFiles);
const imports = files.flatMap(importsOf);

test("every room and every package that the rules name exists", () => {
  const rooms = new Set(files.map(roomOf));
  const packages = new Set(imports.map(({ target }) => target));
  const isImported = (name: string): boolean =>
    [...packages].some((each) => each === name || each.startsWith(`${name}/`));
  expect(Object.keys(ALLOWED).filter((room) => !rooms.has(room))).toEqual([]);
  expect(Object.keys(PACKAGES).filter((room) => !rooms.has(room))).toEqual([]);
  expect([...new Set(Object.values(PACKAGES).flat())].filter((name) => !isImported(name))).toEqual([]);
});

test("the scan finds the source", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(imports.length).toBeGreaterThan(100);
});

describe("rooms import only what ARCHITECTURE.md allows", () => {
  const entries = new Set(["src/worker.ts", "src/connectors-worker.ts", "src/files-worker.ts", "src/mcp-worker.ts"]);
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
  const entries = new Set(["src/worker.ts", "src/connectors-worker.ts", "src/files-worker.ts", "src/mcp-worker.ts"]);
  for (const { from, target } of imports.filter((each) => !each.target.startsWith("."))) {
    const room = roomOf(from);
    if (entries.has(from)) continue;
    test(`${from} → ${target}`, () => {
      const name = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target.split("/")[0];
      if (room === "connectors" && SHARED_BUILT_INS.includes(target)) return;
      if (target.startsWith("node:")) expect(["sidecar", "supervisor", "cli"]).toContain(room);
      else expect(PACKAGES[room] ?? []).toContain(name);
    });
  }
});

/**
 * The planner's rooms from the ground up: each may import itself, its level and the levels below. Files beside the rooms are
 * the ground, but for `index.ts`, the door. A target is on top: nothing between knows one.
 */
const PLANNER_LEVELS: readonly (readonly string[])[] = [
  ["ground", "syntax"],
  ["functions"],
  ["legacy", "manifest"],
  ["access", "binding"],
  ["checks", "cubes"],
  ["expand"],
  ["lowering"],
  ["dialects"],
  ["analyse", "describe", "substitute", "validation"],
  ["index"],
];

/** Against the order, with what is asked for. */
const PLANNER_EXCEPTIONS: Readonly<Record<string, string>> = {
  "binding/output.ts → dialects/input.ts": "the input language is printed to name columns",
  "binding/cube-select.ts → expand/select.ts": "a query over a cube is a SELECT over its base",
  "row-limit.ts → lowering/queries/ties.ts": "a cap on rows takes WITH TIES away",
  "untyped-nulls.ts → binding/binding.ts": "types: what binding hands over",
  "untyped-nulls.ts → binding/context.ts": "types: what binding hands over",
};

describe("the planner's rooms are in order", () => {
  const PLANNER = "src/planner/";
  const roomIn = (path: string): string => {
    const [room = "", ...inside] = path.split("/");
    return inside.length > 0 ? room : room === "index.ts" ? "index" : "ground";
  };
  const levelOf = (room: string): number => PLANNER_LEVELS.findIndex((rooms) => rooms.includes(room));
  const against = imports
    .filter(({ from, target }) => from.startsWith(PLANNER) && target.startsWith("."))
    .map(({ from, target }) => {
      const to = relative(ROOT, normalize(join(ROOT, dirname(from), target)));
      return [from.slice(PLANNER.length), to.slice(PLANNER.length)] as const;
    })
    .filter(([from, to]) => levelOf(roomIn(from)) < levelOf(roomIn(to)));

  test("every room has its level", () => {
    const rooms = new Set(
      files.filter((file) => file.startsWith(PLANNER)).map((file) => roomIn(file.slice(PLANNER.length))),
    );
    expect([...rooms].sort()).toEqual(PLANNER_LEVELS.flat().sort());
  });

  test("none imports from above, but for what is listed", () => {
    expect(against.map(([from, to]) => `${from} → ${to}`).sort()).toEqual(Object.keys(PLANNER_EXCEPTIONS).sort());
  });

  test("no dialect imports another one", () => {
    const dialectOf = (path: string): string | undefined => /^dialects\/([a-z]+)\//.exec(path)?.[1];
    const strangers = imports.flatMap(({ from, target }) => {
      const to = relative(ROOT, normalize(join(ROOT, dirname(from), target)));
      const [own, other] = [dialectOf(from.slice(PLANNER.length)), dialectOf(to.slice(PLANNER.length))];
      return own !== undefined && other !== undefined && own !== other ? [`${from} → ${to}`] : [];
    });
    expect(strangers).toEqual([]);
  });
});

test("private members are written with #; only a constructor is `private`", () => {
  const words = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/^\s*private\s+(?!constructor\()\w+/gm)].map(
      ([text]) => `${file}: ${text.trim()}`,
    ),
  );
  expect(words).toEqual([]);
});

test("no file takes part in an import cycle, not even by its types", () => {
  const graph = new Map<string, readonly string[]>();
  for (const file of files) graph.set(file, []);
  for (const { from, target } of imports.filter((each) => each.target.startsWith("."))) {
    const to = relative(ROOT, normalize(join(ROOT, dirname(from), target)));
    graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  expect(cyclesOf(graph)).toEqual([]);
});

test("no file takes part in a cycle of modules that run", () => {
  const graph = new Map<string, readonly string[]>();
  for (const file of files) {
    const targets = imports
      .filter((each) => each.from === file && each.target.startsWith(".") && !each.typeOnly)
      .map((each) => relative(ROOT, normalize(join(ROOT, dirname(file), each.target))));
    graph.set(file, targets);
  }
  expect(cyclesOf(graph)).toEqual([]);
});

function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
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
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

test("files have one subject: none of ours exceeds 600 lines", () => {
  const long = files.filter((file) => readFileSync(join(ROOT, file), "utf8").split("\n").length > 600);
  expect(long).toEqual([]);
});
