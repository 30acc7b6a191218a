/** Publishing a project into a directory: what is refused before anything is written, and what can be read back. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { directoryStore } from "../../../cli/projects/directory-store.ts";
import { changesOf, examined, type KindOf, PushRefusal, prepare, pull, push } from "../../../cli/projects/push.ts";

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "fees",
      tableReference: { table: "fees" },
      columns: [
        { name: "branch", type: "VARCHAR" },
        { name: "fee", type: "DECIMAL(10,2)" },
      ],
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "branch", required: true }], condition: "branch = @branch" },
      ],
    },
  ],
};
const PROJECT = {
  version: 1,
  name: "library",
  manifest: "manifest.json",
  connection: "lib",
  questions: { fees: { title: "Fees", sql: "SELECT sum(fee) AS fees FROM fees" } },
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-project-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function written(project: object = {}, manifest: object = {}): string {
  writeFileSync(join(directory, "manifest.json"), JSON.stringify({ ...MANIFEST, ...manifest }));
  const file = join(directory, "project.json");
  writeFileSync(file, JSON.stringify({ ...PROJECT, ...project }));
  return file;
}

test("a project is written once, and read back", async () => {
  const file = written();
  const store = directoryStore(join(directory, "store"));
  expect((await push(file, store, "duckdb")).changes).toEqual([expect.stringContaining("new project library")]);
  expect((await push(file, store, "duckdb")).changes).toEqual([]);
  expect(await store.names()).toEqual(["library"]);
  expect(await pull("library", store)).toMatchObject({ pointer: { connection: "lib" }, problem: undefined });
  const changed = prepare(written({ title: "Library" }), "duckdb");
  expect(await changesOf(changed, store)).toEqual(['title: none → "Library"']);
});

test("a broken project is reported, with its reason, and does not hide others", async () => {
  const store = directoryStore(join(directory, "store"));
  await push(written(), store, "duckdb");
  const source: KindOf = () => ({ source: "duckdb" });
  const states = async (kindOf: KindOf = source) => {
    const found = [];
    for (const name of await store.names()) found.push(await examined(name, store, kindOf));
    return found.map(({ name, state, problem = "" }) => `${name} ${state} ${problem}`.trim());
  };
  expect(await states()).toEqual(["library ready"]);
  expect(await states(() => undefined)).toEqual(["library read"]);
  expect(await states(() => ({ problem: "no such connection" }))).toEqual(["library broken no such connection"]);
  const { pointer } = await pull("library", store);
  const bytes = (json: unknown) => new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));
  const put = (name: string, json: unknown) => store.write(`projects/${name}.json`, bytes(json));
  await put("a-cut", "{");
  await put("b-list", []);
  await put("c-name", pointer);
  await put("d-gone", { ...pointer, name: "d-gone", manifest: { sha256: "0".repeat(64), bytes: 1 } });
  await put("e-bytes", { ...pointer, name: "e-bytes", manifest: { ...(pointer["manifest"] as object), bytes: 1 } });
  await put("f-billed", { ...pointer, name: "f-billed", limits: { bytesBilled: 1 } });
  await put("g-asks", { ...pointer, name: "g-asks", questions: { q: { sql: "SELECT nosuch FROM fees" } } });
  const wrong = JSON.stringify({ ...MANIFEST, views: [{ name: "v", statement: "SELECT nosuch FROM fees" }] });
  const sha256 = createHash("sha256").update(wrong).digest("hex");
  await store.write(`manifests/${sha256}.json`, bytes(wrong));
  await put("h-view", { ...pointer, name: "h-view", manifest: { sha256, bytes: wrong.length } });
  expect(await states()).toEqual([
    "a-cut broken the pointer is not a JSON object",
    "b-list broken the pointer must be an object",
    'c-name broken name must be "c-name", as the file is called',
    expect.stringContaining("d-gone broken there is no manifest 000"),
    expect.stringMatching(/e-bytes broken the manifest has \d+ bytes, and the pointer says 1/),
    expect.stringContaining("f-billed broken limits.bytesBilled holds on BigQuery alone"),
    expect.stringContaining('g-asks broken The question "q" is wrong'),
    expect.stringContaining("h-view broken The manifest is wrong"),
    "library ready",
  ]);
});

test("a published project that is broken is replaced by a push", async () => {
  const store = directoryStore(join(directory, "store"));
  const file = written();
  await store.write("projects/library.json", new TextEncoder().encode("{"));
  expect((await push(file, store, "duckdb")).changes).toEqual([expect.stringContaining("is replaced")]);
  const { read } = await pull("library", store);
  await store.write(`manifests/${read?.manifest.sha256}.json`, new TextEncoder().encode("null"));
  expect((await push(written({}, { schema: "other" }), store, "duckdb")).changes).toContain("  added: model fees");
});

test.each<[interrupted: string, at: number]>([
  ["before the manifest is written", 1],
  ["before the pointer is written", 2],
])("a push that ends %s leaves the old project, and the next push completes it", async (_, at) => {
  const store = directoryStore(join(directory, "store"));
  await push(written(), store, "duckdb");
  const before = await pull("library", store);
  const file = written({ title: "New" }, { schema: "other" });
  let writes = 0;
  const full = {
    ...store,
    write: async (path: string, bytes: Uint8Array) => {
      writes++;
      if (writes === at) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      await store.write(path, bytes);
    },
  };
  await expect(push(file, full, "duckdb")).rejects.toThrow("ENOSPC");
  expect(await pull("library", store)).toEqual(before);
  expect(await examined("library", store, () => ({ source: "duckdb" }))).toMatchObject({ state: "ready" });
  expect((await push(file, store, "duckdb")).changes).not.toEqual([]);
  expect(await pull("library", store)).toMatchObject({ pointer: { title: "New" }, problem: undefined });
});

test("a file that cannot be put in its place leaves no part of itself", async () => {
  const store = directoryStore(join(directory, "store"));
  mkdirSync(join(directory, "store/projects/x.json/full"), { recursive: true });
  await expect(store.write("projects/x.json", new Uint8Array(3))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(join(directory, "store/projects"))).toEqual(["x.json"]);
});

test("a stored question with parameters is published", async () => {
  const questions = { fees: { sql: "SELECT fee FROM fees WHERE branch = $1", parameters: ["north"] } };
  const store = directoryStore(join(directory, "store"));
  expect((await push(written({ questions }), store, "duckdb")).changes).toHaveLength(1);
});

test.each<[string, object, object, string]>([
  ["no connection", { connection: undefined }, {}, "connection"],
  ["a limit that nothing enforces", { limits: { bytesBilled: 1000 } }, {}, "BigQuery alone"],
  [
    "a cube over a column that is missing",
    {},
    { cubes: [{ name: "k", baseObject: "fees", measures: [{ name: "m", type: "DOUBLE", expression: "sum(fees)" }] }] },
    "The manifest is wrong",
  ],
  [
    "a question over a column that is missing",
    { questions: { fees: { title: "Fees", sql: "SELECT sum(fees) FROM fees" } } },
    {},
    'The question "fees" is wrong',
  ],
])("%s is refused, and nothing is written", async (_, project, manifest, sentence) => {
  const store = directoryStore(join(directory, "store"));
  await expect(push(written(project, manifest), store, "duckdb")).rejects.toThrow(PushRefusal);
  await expect(push(written(project, manifest), store, "duckdb")).rejects.toThrow(sentence);
  expect(readdirSync(directory)).not.toContain("store");
});
