/** The model that a command works on: a manifest's file, or a project folder. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isDataSource } from "../../src/service/data-sources.ts";
import { FaultsInFiles, UsageError } from "../exit.ts";
import { PROJECT_FILES, readFolder } from "./folder.ts";
import { stepsOf } from "./steps.ts";
import type { Model } from "./types.ts";
import { readYaml } from "./yaml.ts";

/** Throws `UsageError` if there is no model, and `FaultsInFiles` if it cannot be read. */
export function readModel(
  { project, manifest }: { readonly project?: string | undefined; readonly manifest?: string | undefined },
  directory: string,
): Model {
  const given = manifest ?? project;
  const path = given === undefined ? findProject(directory) : resolve(directory, given);
  if (path === undefined) {
    throw new UsageError(
      `There is no ${PROJECT_FILES[0]} in the directory or above it. Name a model by --project or --manifest, or run siskin init.`,
    );
  }
  if (!existsSync(path)) throw new UsageError(`${given ?? path} does not exist.`);
  if (statSync(path).isDirectory()) return readFolder(path, shownPath(path, directory));
  const name = basename(path);
  if (PROJECT_FILES.some((each) => each === name))
    return readFolder(dirname(path), shownPath(dirname(path), directory));
  return readManifestFile(path, shownPath(path, directory));
}

function shownPath(path: string, directory: string): string {
  const near = relative(directory, path);
  return near === "" ? "." : near.startsWith("..") || isAbsolute(near) ? path : near;
}

function findProject(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (PROJECT_FILES.some((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Positions are looked up only when an error needs one. */
function readManifestFile(path: string, origin: string): Model {
  const text = readFileSync(path, "utf8");
  let json: Readonly<Record<string, unknown>>;
  try {
    json = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    // The reader of YAML finds the position.
    readYaml(text, origin);
    throw new FaultsInFiles([{ message: `${origin} is no JSON: ${error instanceof Error ? error.message : error}` }]);
  }
  const declared = String(json["dataSource"] ?? "").toLowerCase();
  return {
    origin,
    isFolder: false,
    directory: dirname(path),
    fileRoot: dirname(path),
    manifestText: text,
    source: isDataSource(declared) ? declared : undefined,
    connection: undefined,
    positionOf: (object) => {
      // A large file is not read a second time for one line.
      if (text.length > 1_000_000) return undefined;
      const steps = stepsOf(object, json);
      return steps === undefined ? undefined : readYaml(text, origin).at(steps);
    },
  };
}
