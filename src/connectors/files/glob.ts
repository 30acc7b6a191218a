/**
 * File name patterns of DuckDB: `*`, `?`, `[abc]`, `[a-z]`, `[!a]` within one step of a path, and `**` for any number of
 * directories. They are expanded in this module, so that every file is checked before DuckDB opens it.
 */
import { ConnectorFailure } from "../failure.ts";
import { Comparisons, type StepMatcher, stepMatcher } from "./step-pattern.ts";

/** A pattern that needs more entries is a mistake, and would cost too much time and memory of the sidecar. */
export const MOST_ENTRIES = 100_000;

export interface DirectoryEntry {
  readonly name: string;
  /** False for a link to a directory: `**` could follow a cycle. */
  readonly isDirectory: boolean;
}

/** The entries of a directory (`""`: the root); none if it is not a directory. */
export type ReadDirectory = (directory: string) => Promise<readonly DirectoryEntry[]>;

export function hasWildcard(path: string): boolean {
  return /[*?[]/.test(path);
}

/** `path` as a pattern that matches only itself: DuckDB interprets every path as a pattern. */
export function escapePattern(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}

/**
 * Whether a path matches, by the rules of `expandPattern`. Steps of a path have names: an empty one matches nothing. Throws
 * `FILE_INVALID` for a pattern that is too large, or that takes too long.
 */
export function patternMatcher(pattern: string, comparisons = new Comparisons(pattern)): (path: string) => boolean {
  const steps = stepsOf(pattern).map((step) => stepOf(step, comparisons));
  return (path) => {
    // The possible numbers of pattern steps that the names so far have matched.
    let used = new Set([0]);
    for (const name of path.split("/")) {
      const next = new Set<number>();
      for (const at of withoutDirectories(used, steps)) {
        comparisons.add(1);
        const step = steps[at];
        if (step === "**" && name !== "" && !name.startsWith(".")) next.add(at);
        else if (typeof step === "string" ? step === name && step !== "**" : name !== "" && step?.(name)) {
          next.add(at + 1);
        }
      }
      used = next;
    }
    return withoutDirectories(used, steps).has(steps.length);
  };
}

/** `**` may also match no directory. */
function withoutDirectories(used: ReadonlySet<number>, steps: readonly (string | StepMatcher)[]): ReadonlySet<number> {
  const all = new Set(used);
  for (const at of all) if (steps[at] === "**") all.add(at + 1);
  return all;
}

/** The common beginning of all matching paths. */
export function literalPrefix(pattern: string): string {
  return /^[^*?[]*/.exec(pattern)?.[0] ?? "";
}

/** A final `**` also matches files. */
function stepsOf(pattern: string): string[] {
  const steps = pattern.split("/");
  return steps.at(-1) === "**" ? [...steps, "*"] : steps;
}

const stepOf = (step: string, comparisons: Comparisons): string | StepMatcher =>
  step !== "**" && hasWildcard(step) ? stepMatcher(step, comparisons) : step;

/** Matching paths, sorted. Throws `FILE_INVALID` if the search reads too many entries. */
export async function expandPattern(pattern: string, readAll: ReadDirectory): Promise<string[]> {
  const read = bounded(readAll, pattern);
  const comparisons = new Comparisons(pattern);
  const steps = stepsOf(pattern);
  let found: readonly string[] = [""];
  let listed = false;
  for (const step of steps) {
    const isWild = hasWildcard(step);
    listed ||= isWild;
    const next: string[] = [];
    for (const directory of found) {
      if (step === "**") await collectDirectories(directory, read, next);
      else if (listed) await collectMatches(directory, stepOf(step, comparisons), read, next);
      else next.push(below(directory, step));
    }
    found = [...new Set(next)];
  }
  return [...found].sort();
}

async function collectDirectories(start: string, read: ReadDirectory, into: string[]): Promise<void> {
  const open = [start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    into.push(next);
    for (const { name, isDirectory } of await read(next)) {
      if (isDirectory && !name.startsWith(".")) open.push(below(next, name));
    }
  }
}

async function collectMatches(
  directory: string,
  step: string | StepMatcher,
  read: ReadDirectory,
  into: string[],
): Promise<void> {
  for (const { name } of await read(directory)) {
    if (typeof step === "string" ? name === step : step(name)) into.push(below(directory, name));
  }
}

function bounded(read: ReadDirectory, pattern: string): ReadDirectory {
  let left = MOST_ENTRIES;
  return async (directory) => {
    const entries = await read(directory);
    left -= entries.length;
    if (left >= 0) return entries;
    throw new ConnectorFailure("FILE_INVALID", `"${pattern}" covers more than ${MOST_ENTRIES} files and directories.`);
  };
}

function below(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
