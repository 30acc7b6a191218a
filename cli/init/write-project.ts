/** Writes a project folder. It appears whole: an interrupted or failed write leaves nothing behind. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stringify } from "yaml";
import type { DataSource } from "../../src/planner/plan.ts";
import { UsageError } from "../exit.ts";
import { toYamlNames } from "../project/names.ts";

/** The members of a manifest that a folder has files for. */
export interface WritableManifest {
  readonly catalog: string;
  readonly schema: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly models: readonly { readonly name: string }[];
  readonly relationships?: readonly object[];
  readonly views?: readonly { readonly name: string }[];
  readonly cubes?: readonly { readonly name: string }[];
}

export interface ProjectToWrite {
  readonly name: string;
  readonly manifest: WritableManifest;
  readonly source: DataSource;
  /** Reference to the connection. */
  readonly connection?: string | undefined;
  readonly fileRoot?: string | undefined;
  /** Proposals as comments, below the relationships. */
  readonly guesses?: string;
  /** Further files by their paths. */
  readonly files?: ReadonlyMap<string, string>;
}

/** `directory` must be empty or absent. Throws `UsageError`. */
export function writeProject(directory: string, project: ProjectToWrite): void {
  if (existsSync(directory) && readdirSync(directory).some((name) => !name.startsWith("."))) {
    throw new UsageError(`${directory} is not empty.`);
  }
  mkdirSync(dirname(directory), { recursive: true });
  const fresh = mkdtempSync(join(dirname(directory), `.${basename(directory)}-`));
  try {
    for (const [path, text] of projectFiles(project)) {
      const file = join(fresh, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (existsSync(directory)) {
      for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(directory, name));
    } else {
      renameSync(fresh, directory);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new UsageError(`${directory} cannot be written (${code}). Nothing is left of it.`, { cause: error });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function projectFiles({
  name,
  manifest,
  source,
  connection,
  fileRoot,
  guesses,
  files,
}: ProjectToWrite): ReadonlyMap<string, string> {
  const settings = {
    schema_version: 5,
    name,
    catalog: manifest.catalog,
    schema: manifest.schema,
    data_source: source,
    ...(manifest.description !== undefined && { description: manifest.description }),
    ...(manifest.properties !== undefined && { properties: manifest.properties }),
    ...(toYamlNames(olderMembers(manifest), "manifest") as object),
    ...(connection !== undefined && { connection }),
    ...(fileRoot !== undefined && { file_root: fileRoot }),
  };
  const written = new Map<string, string>([["siskin.yml", yaml(settings)]]);
  const folders = new Set<string>();
  for (const model of manifest.models) {
    written.set(`models/${folderName(model.name, folders)}/metadata.yml`, yaml(toYamlNames(model, "model")));
  }
  for (const [kind, list] of [
    ["view", manifest.views],
    ["cube", manifest.cubes],
  ] as const) {
    const taken = new Set<string>();
    for (const each of list ?? []) {
      written.set(`${kind}s/${folderName(each.name, taken)}/metadata.yml`, yaml(toYamlNames(each, kind)));
    }
  }
  const relationships = (manifest.relationships ?? []).map((each) => toYamlNames(each, "relationship"));
  if (relationships.length > 0 || (guesses ?? "") !== "") {
    const list = relationships.length > 0 ? yaml({ relationships }) : "relationships:\n";
    written.set("relationships.yml", `${list}${guesses ?? ""}`);
  }
  for (const [path, text] of files ?? []) written.set(path, text);
  return written;
}

/** Members of older manifests, which have no files of their own. */
function olderMembers(manifest: object): object {
  const names = ["metrics", "cumulativeMetrics", "enumDefinitions", "macros", "dateSpine"];
  return Object.fromEntries(Object.entries(manifest).filter(([name]) => names.includes(name)));
}

const yaml = (value: unknown): string => stringify(value, { lineWidth: 120, aliasDuplicateObjects: false });

/** A name that every file system takes; two names may become equal there. */
function folderName(name: string, taken: Set<string>): string {
  const plain =
    name
      .replaceAll(/[^\p{L}\p{M}\p{N}_.-]/gu, "_")
      .replace(/^\.+/, "_")
      .slice(0, 80) || "model";
  let free = plain;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${plain}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
