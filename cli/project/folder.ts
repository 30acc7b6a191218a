/**
 * A project folder: `siskin.yml`, `models/<name>/metadata.yml`, `views/…`, `cubes/…` and `relationships.yml`. Folders of Wren have
 * the same layout, with `wren_project.yml`, and load as they are.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { nearestNames } from "../../src/planner/index.ts";
import type { Kind } from "../../src/planner/manifest/members.ts";
import { isDataSource } from "../../src/service/data-sources.ts";
import { type Fault, FaultsInFiles, type FilePosition, UsageError } from "../exit.ts";
import { snakeCase, toManifestNames } from "./names.ts";
import { secretsIn } from "./secrets.ts";
import { stepsOf } from "./steps.ts";
import type { Model } from "./types.ts";
import { readYaml, type Step, type YamlText } from "./yaml.ts";

export const PROJECT_FILES = ["siskin.yml", "siskin.yaml", "wren_project.yml"] as const;

type Members = Record<string, unknown>;

/** Lists of the manifest, and the folder or file that each comes from. */
const PARTS = [
  { list: "models", kind: "model", folder: "models", sql: { file: "ref_sql.sql", member: "refSql" } },
  { list: "views", kind: "view", folder: "views", sql: { file: "sql.sql", member: "statement" } },
  { list: "cubes", kind: "cube", folder: "cubes", sql: undefined },
] as const satisfies readonly {
  readonly list: string;
  readonly kind: Kind;
  readonly folder: string;
  readonly sql: { readonly file: string; readonly member: string } | undefined;
}[];

/** Members of `siskin.yml`; the second part belongs to the manifest. */
const OWN_MEMBERS = ["schema_version", "name", "title", "version", "data_source", "connection", "file_root", "profile"];
const MANIFEST_MEMBERS = [
  ...["catalog", "schema", "layout_version", "description", "properties"],
  ...["relationships", "metrics", "cumulative_metrics", "enum_definitions", "macros", "date_spine"],
];

/** Where an object of the manifest is written. */
interface Origin {
  readonly yaml: YamlText;
  readonly path: readonly Step[];
}

/** Throws `FaultsInFiles` with all faults of all files. */
export function readFolder(directory: string, origin: string): Model {
  const reading = new Reading(directory, origin);
  const file = PROJECT_FILES.find((name) => existsSync(join(directory, name)));
  if (file === undefined) throw new UsageError(`${origin} has no ${PROJECT_FILES[0]}: it is no project folder.`);
  const project = reading.yaml(file);
  const settings = reading.members(project, file);
  if (file !== "wren_project.yml" && project !== undefined) reading.checkSettings(settings, project);
  const manifest: Members = { layoutVersion: 4, catalog: "wren", schema: "public" };
  for (const name of MANIFEST_MEMBERS) {
    if (settings[name] === undefined) continue;
    const [[member, value] = [name, undefined]] = Object.entries(
      toManifestNames({ [name]: settings[name] }, "manifest") as Members,
    );
    manifest[member] = value;
    if (project !== undefined && Array.isArray(value)) {
      reading.note(
        member,
        value.map((_, at) => ({ yaml: project, path: [name, at] })),
      );
    }
  }
  for (const part of PARTS) {
    const found = reading.objects(part);
    if (found.length > 0) manifest[part.list] = found;
  }
  const relationships = reading.relationships();
  if (relationships.length > 0) manifest["relationships"] = relationships;
  reading.finish();
  const declared = String(settings["data_source"] ?? "").toLowerCase();
  const { connection, file_root: fileRoot } = settings;
  return {
    origin,
    isFolder: true,
    directory,
    fileRoot: resolve(directory, typeof fileRoot === "string" ? fileRoot : "."),
    manifestText: JSON.stringify(manifest),
    source: isDataSource(declared) ? declared : undefined,
    connection: typeof connection === "string" ? connection : undefined,
    positionOf: (object) => reading.positionOf(stepsOf(object, manifest)),
  };
}

class Reading {
  readonly #directory: string;
  readonly #shown: string;
  readonly #faults: Fault[] = [];
  readonly #origins = new Map<string, readonly (Origin | undefined)[]>();

  constructor(directory: string, shown: string) {
    this.#directory = directory;
    this.#shown = shown;
  }

  /** Undefined for a file that cannot be read; its faults are noted. */
  yaml(file: string): YamlText | undefined {
    const shown = this.#shown === "." ? file : `${this.#shown}/${file}`;
    try {
      const yaml = readYaml(readFileSync(join(this.#directory, file), "utf8"), shown.split(sep).join("/"));
      this.#faults.push(...secretsIn(yaml));
      return yaml;
    } catch (error) {
      if (!(error instanceof FaultsInFiles)) throw error;
      this.#faults.push(...error.faults);
      return undefined;
    }
  }

  members(yaml: YamlText | undefined, what: string): Members {
    if (yaml === undefined) return {};
    if (typeof yaml.value === "object" && yaml.value !== null && !Array.isArray(yaml.value))
      return yaml.value as Members;
    this.#faults.push({ message: `${what} must hold an object.`, at: yaml.at([]) });
    return {};
  }

  checkSettings(settings: Members, yaml: YamlText): void {
    const known = [...OWN_MEMBERS, ...MANIFEST_MEMBERS];
    for (const [name, value] of Object.entries(settings)) {
      const at = yaml.at([name]);
      if (!known.includes(name)) {
        const [near] = nearestNames(name, known);
        const hint = near === undefined ? undefined : `Did you mean ${near}?`;
        this.#faults.push({ message: `${name} is not a member of siskin.yml.`, at, hint });
      }
      if (name === "connection" && !(typeof value === "string" && /^(?:env|file):./.test(value))) {
        const hint = "Write connection: env:DATABASE_URL, or connection: file:PATH with a file outside of the project.";
        this.#faults.push({ message: "connection must be a reference.", at, hint });
      }
      if (name === "data_source" && !(typeof value === "string" && isDataSource(value.toLowerCase()))) {
        this.#faults.push({ message: "data_source is not the name of a data source.", at });
      }
    }
  }

  /** Objects of one folder: a folder for each, or a file. */
  objects({ list, kind, folder, sql }: (typeof PARTS)[number]): readonly Members[] {
    const base = join(this.#directory, folder);
    if (!existsSync(base)) return [];
    const objects: Members[] = [];
    const origins: (Origin | undefined)[] = [];
    const entries = readdirSync(base, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const file = entry.isDirectory()
        ? ["metadata.yml", "metadata.yaml"]
            .map((name) => join(folder, entry.name, name))
            .find((each) => existsSync(join(this.#directory, each)))
        : /\.ya?ml$/.test(entry.name)
          ? join(folder, entry.name)
          : undefined;
      if (file === undefined) continue;
      const yaml = this.yaml(file);
      if (yaml === undefined) continue;
      const object = toManifestNames(this.members(yaml, file), kind) as Members;
      if (kind === "model") takePrimaryKey(object);
      if (sql !== undefined && entry.isDirectory()) this.#takeSql(object, join(folder, entry.name), sql);
      objects.push(object);
      origins.push({ yaml, path: [] });
    }
    this.note(list, origins);
    return objects;
  }

  /** A statement in a file of its own. Wren's views have theirs in `sql.yml`. */
  #takeSql(
    object: Members,
    folder: string,
    { file, member }: { readonly file: string; readonly member: string },
  ): void {
    const path = join(this.#directory, folder, file);
    if (existsSync(path)) object[member] = readFileSync(path, "utf8").trim().replace(/;\s*$/, "");
    const inYaml = join(folder, "sql.yml");
    if (member !== "statement" || !existsSync(join(this.#directory, inYaml))) return;
    const { statement } = this.members(this.yaml(inYaml), inYaml);
    if (typeof statement === "string") object[member] = statement;
  }

  relationships(): readonly unknown[] {
    const file = ["relationships.yml", "relationships.yaml"].find((name) => existsSync(join(this.#directory, name)));
    if (file === undefined) return [];
    const yaml = this.yaml(file);
    if (yaml === undefined || yaml.value === null) return [];
    const isList = Array.isArray(yaml.value);
    const value = isList ? yaml.value : this.members(yaml, file)["relationships"];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      this.#faults.push({ message: "relationships must be a list.", at: yaml.at(["relationships"]) });
      return [];
    }
    this.note(
      "relationships",
      value.map((_, at) => ({ yaml, path: isList ? [at] : ["relationships", at] })),
    );
    return value.map((each: unknown) => toManifestNames(each, "relationship"));
  }

  note(list: string, origins: readonly (Origin | undefined)[]): void {
    this.#origins.set(list, origins);
  }

  finish(): void {
    if (this.#faults.length > 0) throw new FaultsInFiles(this.#faults);
  }

  positionOf(steps: readonly Step[] | undefined): FilePosition | undefined {
    const [list, at, ...rest] = steps ?? [];
    if (typeof list !== "string" || typeof at !== "number") return undefined;
    const origin = this.#origins.get(list)?.[at];
    const inside = rest.map((step) => (typeof step === "string" ? snakeCase(step) : step));
    return origin?.yaml.at([...origin.path, ...inside]);
  }
}

/** Wren's columns may say `is_primary_key`, which the manifest has as a member of the model. */
function takePrimaryKey(model: Members): void {
  const columns = Array.isArray(model["columns"]) ? (model["columns"] as readonly unknown[]) : [];
  const keys: unknown[] = [];
  for (const column of columns) {
    if (typeof column !== "object" || column === null || !("isPrimaryKey" in column)) continue;
    const { isPrimaryKey, name } = column as Members;
    if (isPrimaryKey === true) keys.push(name);
    delete (column as Members)["isPrimaryKey"];
  }
  if (keys.length > 0 && model["primaryKey"] === undefined) model["primaryKey"] = keys.length === 1 ? keys[0] : keys;
}
