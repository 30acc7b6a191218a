/** Cube: YAML models, a file or a directory of files. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Draft } from "../draft.ts";
import type { Item } from "../item.ts";
import { readItem, TemplateFault } from "../read-item.ts";
import { rulesOf } from "./access.ts";
import { cubeSources } from "./cube-source.ts";
import { addJoins } from "./joins.ts";
import { Measures } from "./measures.ts";
import { type CubeModel, readCube } from "./model.ts";
import { addViews } from "./views.ts";

/** Throws `FaultsInFiles` and `UsageError`. */
export function importCube(path: string, shown: string, draft: Draft): void {
  const items: Item[] = [];
  const views: Item[] = [];
  for (const [file, name] of filesBelow(path, shown)) {
    if (/\.(?:js|ts|py)$/.test(name)) {
      draft.report.refuse(`file ${name}`, "A model that is a program is not run.", {
        file: name,
        line: 1,
        column: 1,
        text: "",
      });
      continue;
    }
    const root = fileIn(file, name, { isOneOfMany: file !== path, draft });
    items.push(...(root?.items("cubes") ?? []));
    views.push(...(root?.items("views") ?? []));
  }
  const cubes = new Map<string, CubeModel>();
  const sources = cubeSources(items, draft);
  for (const source of sources) {
    const made = readCube(source, sources, draft);
    if (made === undefined) continue;
    const policies = source.members("access_policy");
    const rules = draft.attempt(`cube "${source.name}"`, policies[0]?.at() ?? source.at, () => rulesOf(policies, made));
    if (rules === undefined) {
      draft.drop(made.model);
      continue;
    }
    made.model.rules = [...rules];
    cubes.set(source.name, made);
  }
  for (const made of cubes.values()) addJoins(made, cubes, draft);
  for (const made of cubes.values()) {
    new Measures(made, draft).add();
    addHierarchies(made, draft);
  }
  addViews(views, cubes, draft);
}

/** In a directory a template is refused by itself, and a file of comments (Cube makes one) holds nothing. */
function fileIn(
  file: string,
  name: string,
  { isOneOfMany, draft }: { readonly isOneOfMany: boolean; readonly draft: Draft },
): Item | undefined {
  try {
    return readItem(file, name, { templates: false, mayBeEmpty: isOneOfMany });
  } catch (error) {
    if (!isOneOfMany || !(error instanceof TemplateFault)) throw error;
    draft.report.refuse(`file ${name}`, "A template is not evaluated: render the file first.", error.at);
    return undefined;
  }
}

function addHierarchies(made: CubeModel, draft: Draft): void {
  const { cube, source } = made;
  const known = new Set([...cube.dimensions, ...cube.timeDimensions].map(({ name }) => name));
  for (const item of source.members("hierarchies")) {
    const name = item.text("name") ?? "";
    const levels = item.texts("levels").map((level) => level.replace(`${source.name}.`, "").replace(".", "__"));
    if (name !== "" && levels.length > 0 && levels.every((level) => known.has(level))) {
      Object.assign(cube, { hierarchies: { ...cube.hierarchies, [name]: levels } });
    } else {
      draft.report.leaveOut(
        `hierarchy "${name}" of cube "${source.name}"`,
        "A level is no dimension of the cube.",
        item.at(),
      );
    }
  }
}

function filesBelow(path: string, shown: string): readonly (readonly [file: string, name: string])[] {
  if (!statSync(path).isDirectory()) return [[path, shown]];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ya?ml|js|ts|py)$/.test(name) && !name.split(/[/\\]/).includes("node_modules"))
    .sort()
    .map((name) => [join(path, name), join(shown, name)] as const);
}
