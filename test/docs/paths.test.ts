import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const PAGES = [
  "README.md",
  "ARCHITECTURE.md",
  "docs/CONTRIBUTING.md",
  "docs/SECURITY.md",
  "docs/reference/compatibility.md",
  "docs/guide/adding-a-source.md",
];

describe("paths that the documents name are there", () => {
  test.each(PAGES)("%s", (name) => {
    const paths = [...page(name).matchAll(/`((?:src|sidecar|test|docs|scripts|bench|examples|\.ci)\/[\w./-]*)`/g)];
    const missing = paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });
});

test("scripts that the documents name are there", () => {
  const { scripts } = JSON.parse(page("package.json")) as { scripts: Record<string, string> };
  for (const name of PAGES) {
    for (const [, script = ""] of page(name).matchAll(/`npm run ([a-z][\w:-]*)/g))
      expect(scripts).toHaveProperty([script]);
  }
});

describe("ARCHITECTURE.md", () => {
  const map = /```\n([\s\S]*?)```/.exec(page("ARCHITECTURE.md"))![1]!;

  /** The paths of the map, whose indented lines stand below the folder above them. */
  const mapped = map
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const names = line.trimStart().split("  ")[0]?.split(" ") ?? [];
      if (!names.every((name) => /^[\w./-]+$/.test(name))) return [];
      return names.map((name) => ({ name, isIndented: line.startsWith(" ") }));
    })
    .reduce<{ parent: string; paths: string[] }>(
      ({ parent, paths }, { name, isIndented }) =>
        isIndented
          ? { parent, paths: [...paths, parent + name] }
          : { parent: name.endsWith("/") ? name : parent, paths: [...paths, name] },
      { parent: "", paths: [] },
    ).paths;

  test("maps what is there", () => {
    expect(mapped.length).toBeGreaterThan(35);
    expect(mapped.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test.each(["src", "src/planner", "src/result", "src/connectors", "sidecar"])("has every folder of %s", (folder) => {
    const folders = readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
      .map((entry) => `${folder}/${entry.name}/`);
    expect(folders.filter((path) => !mapped.includes(path))).toEqual([]);
  });

  test("gives a reason for every package, and for none that is not there", () => {
    const wanted = ["package.json", "sidecar/package.json", "cli/package.json", "test/judges/package.json"].flatMap(
      (name) => {
        const { dependencies, devDependencies, optionalDependencies } = JSON.parse(page(name)) as Record<
          string,
          object
        >;
        return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
      },
    );
    const table = page("ARCHITECTURE.md").split("## Dependencies")[1]!;
    const given = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(given.sort()).toEqual([...new Set(wanted)].sort());
  });
});
