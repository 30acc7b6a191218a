/** The questions of `project.json`, the form in which a service stores a project. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readPointer } from "../../src/projects/pointer.ts";
import { FaultsInFiles } from "../exit.ts";
import { PROJECT_FILES } from "../project/folder.ts";
import { readModel } from "../project/model.ts";
import type { Model } from "../project/types.ts";
import { readYaml } from "../project/yaml.ts";

const POINTER_FILE = "project.json";

export interface PointerQuestion {
  readonly name: string;
  readonly sql: string;
  readonly parameters?: readonly unknown[];
}

export interface Side {
  readonly model: Model;
  readonly questions: readonly PointerQuestion[];
}

/** A model, or a `project.json` with the model that it names. Throws `UsageError` and `FaultsInFiles`. */
export function readSide(given: string, directory: string): Side {
  const file = pointerFile(resolve(directory, given));
  if (file === undefined) return { model: readModel({ project: given }, directory), questions: [] };
  const shown = basename(given) === POINTER_FILE ? given : join(given, POINTER_FILE);
  const { value, at } = readYaml(readFileSync(file, "utf8"), shown);
  const json = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const { name, manifest } = json;
  // Without its digest the file is not yet a pointer: a push adds it.
  const digest = { sha256: "0".repeat(64), bytes: 1 };
  const read = readPointer(typeof manifest === "string" ? { ...json, manifest: digest } : json, String(name));
  if (!read.ok) throw new FaultsInFiles([{ message: `${read.problem}.`, at: at(pathIn(read.problem)) }]);
  const questions = [...read.pointer.questions].map(
    ([question, { sql, parameters }]): PointerQuestion => ({
      name: question,
      sql,
      ...(parameters !== undefined && { parameters }),
    }),
  );
  const isFolder = PROJECT_FILES.some((each) => existsSync(join(dirname(file), each)));
  const path = typeof manifest === "string" ? manifest : isFolder ? "." : "manifest.json";
  return { model: readModel({ project: join(dirname(shown), path) }, directory), questions };
}

/** A problem of a pointer begins with its path, such as `questions.revenue.sql must be a text`. */
const pathIn = (problem: string): readonly string[] => /^[\w.-]+/.exec(problem)?.[0].split(".") ?? [];

/** The file itself, or the file in a directory. */
function pointerFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const file = statSync(path).isDirectory() ? join(path, POINTER_FILE) : path;
  return basename(file) === POINTER_FILE && existsSync(file) ? file : undefined;
}
