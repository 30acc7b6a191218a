/** Publishing a project into a directory: what is refused before anything is written, and what can be read back. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesOf, PushRefusal, prepare, pull, push } from "../../scripts/projects/push.ts";
import { directoryStore } from "../../scripts/projects/stores.ts";

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

test.each<[string, object, object, string]>([
  ["no connection", { connection: undefined }, {}, "connection"],
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
