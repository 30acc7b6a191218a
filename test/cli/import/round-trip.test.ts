/** Models that leave by `siskin export` and come back are the same, for every manifest of `examples/`. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readModel } from "../../../cli/project/model.ts";
import { siskin } from "../../support/terminal.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples/", import.meta.url));

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-round-trip-"));
});
afterAll(() => rmSync(home, { recursive: true }));

type Members = Readonly<Record<string, unknown>>;

/** A folder has the objects of a kind in the order of their names. */
function inOrder(manifestText: string): Members {
  const { layoutVersion: _, dataSource: __, ...members } = JSON.parse(manifestText) as Record<string, unknown>;
  const byName = (list: readonly { readonly name: string }[]) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const name of ["models", "views", "cubes", "relationships"]) {
    const list = members[name];
    if (!Array.isArray(list) || list.length === 0) delete members[name];
    else members[name] = byName(list as readonly { readonly name: string }[]);
  }
  return members;
}

describe.each([
  ["files", "local_file"],
  ["postgres", "postgres"],
  ["tpch", "duckdb"],
])("examples/%s", (example, source) => {
  const begun = (): { readonly directory: string; readonly text: string } => {
    const directory = mkdtempSync(join(home, `${example}-`));
    copyFileSync(join(EXAMPLES, example, "manifest.json"), join(directory, "m.json"));
    return { directory, text: readModel({ manifest: "m.json" }, directory).manifestText };
  };

  test("as Ossie", async () => {
    const { directory, text } = begun();
    const run = (args: readonly string[]) => siskin([...args, "--source", source], { directory });
    const there = async (from: readonly string[], file: string, to: string): Promise<Members> => {
      const { code, out } = await run(["export", "ossie", ...from]);
      expect(code).toBe(0);
      writeFileSync(join(directory, file), out);
      expect(await run(["import", "ossie", file, to])).toMatchObject({ code: 0, out: "0 refused, 0 left out.\n" });
      return inOrder(readModel({ project: to }, directory).manifestText);
    };
    const first = await there(["--manifest", "m.json"], "a.yml", "one");
    expect(first).toEqual(inOrder(text));
    expect(await there(["--project", "one"], "b.yml", "two")).toEqual(first);
  });

  test("as Wren", async () => {
    const { directory, text } = begun();
    const { code, out } = await siskin(["export", "wren", "--manifest", "m.json"], { directory });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(JSON.parse(text));
    writeFileSync(join(directory, "again.json"), out);
    expect(readModel({ manifest: "again.json" }, directory).manifestText).toBe(out);
  });
});
