/** `siskin push`, `list`, `show` and `pull` on a directory, from a project folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { siskin } from "../../support/terminal.ts";

let directory: string;
const model = (condition: string): string => `name: fees
table_reference: {table: fees}
columns:
  - {name: branch, type: VARCHAR}
  - {name: fee, type: "DECIMAL(10,2)"}
row_level_access_controls:
  - name: own
    required_properties: [{name: branch, required: true}]
    condition: ${condition}
`;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-push-command-"));
  mkdirSync(join(directory, "model/models"), { recursive: true });
  writeFileSync(join(directory, "model/siskin.yml"), "name: library\ncatalog: c\nschema: s\ndata_source: duckdb\n");
  writeFileSync(join(directory, "model/models/fees.yml"), model("branch = @branch"));
  const pointer = { version: 1, name: "library", title: "Library", manifest: "model", connection: "lib" };
  writeFileSync(join(directory, "project.json"), JSON.stringify(pointer));
});
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...args: readonly string[]) => siskin([...args, "--to", "store"], { directory });

test("a project is published from a folder, changed, listed and pulled", async () => {
  expect(await run("push", "--source", "duckdb", "--dry-run")).toMatchObject({
    code: 0,
    out: expect.stringContaining("new project library"),
    err: "Nothing is written.\n",
  });
  expect(await run("list", "--source", "duckdb")).toEqual({ code: 0, out: "", err: "" });
  expect(await run("push", "--source", "duckdb")).toMatchObject({
    code: 0,
    err: expect.stringContaining("is published"),
  });
  expect(await run("push", "--source", "duckdb")).toEqual({
    code: 0,
    out: "",
    err: "library is published as it is.\n",
  });

  writeFileSync(join(directory, "model/models/fees.yml"), model("branch = @branch OR fee > 1"));
  const changed = await run("push", "--source", "duckdb");
  expect(changed.out).toContain('loosened   condition of row rule "own" of model "fees" changed');

  expect(await run("list", "--source", "duckdb")).toEqual({ code: 0, out: "library  ready  Library\n", err: "" });
  const shown = await run("show", "library");
  expect(JSON.parse(shown.out)).toMatchObject({ name: "library", connection: "lib" });
  expect(await run("pull", "library", "back")).toMatchObject({
    code: 0,
    err: "Wrote back/project.json and back/manifest.json.\n",
  });
  const manifest = JSON.parse(readFileSync(join(directory, "back/manifest.json"), "utf8")) as { models: object[] };
  expect(manifest.models).toMatchObject([{ name: "fees" }]);
});

test("a manifest that is wrong is refused, with its line", async () => {
  writeFileSync(join(directory, "model/models/fees.yml"), "name: fees\nname: again\n");
  const outcome = await run("push", "--source", "duckdb");
  expect(outcome).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("model/models/fees.yml:2:1: error: The key is written twice"),
  });
  writeFileSync(join(directory, "model/models/fees.yml"), model("nothing = @branch"));
  expect(await run("push", "--source", "duckdb")).toMatchObject({
    code: 1,
    err: expect.stringContaining("The manifest is wrong"),
  });
});

test.each<[args: readonly string[], code: number, err: RegExp]>([
  [["push", "--to", "store"], 2, /Name the kind of the connection/],
  [["push", "--source", "duckdb"], 2, /Name the store/],
  [["push", "--source", "duckdb", "--to", "store", "--local"], 2, /--local is for/],
  [["show", "--to", "store"], 2, /Give the name of the project/],
  [["show", "absent", "--to", "store"], 1, /There is no project absent/],
  [["push", "absent.json", "--source", "duckdb", "--to", "store"], 2, /absent\.json/],
])("%j is refused", async (args, code, err) => {
  const outcome = await siskin(args, { directory });
  expect(outcome).toMatchObject({ code, out: "" });
  expect(outcome.err).toMatch(err);
});
