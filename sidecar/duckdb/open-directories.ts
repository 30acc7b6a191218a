/**
 * Determines the files that native SQL of the modeller (`refSql` with `read_csv('…')`) may open.
 *
 * DuckDB compares the path in such a call with the allowed directories as text, and then follows any links in it. So a directory
 * is allowed only if nothing in it, at any depth, leads outside; in other directories the harmless files are allowed one by one.
 * Pipes and devices count as leading outside: opening one blocks a thread for ever.
 */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { relative } from "node:path";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";

/** Scanning this many entries takes about half a second; a larger root needs models that name their files. */
const MOST_ENTRIES = 50_000;

export interface OpenPaths {
  /** Absolute, with a trailing slash. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** `root` is absolute and without links. Rejects with `FILE_INVALID` if it has too many entries. */
export async function openPaths(root: string): Promise<OpenPaths> {
  const { isClosed, directories, files } = await contentsOf({ root, left: MOST_ENTRIES }, root);
  // The sidecar's working directory is its root, so that paths in `refSql` can be relative to it; DuckDB compares them as text.
  const isHere = process.cwd() === root;
  const spellings = (path: string): string[] => (isHere ? [path, relative(root, path)] : [path]);
  return {
    directories: [...(isClosed ? [root] : []), ...directories.flatMap(spellings)].map((path) => `${path}/`),
    files: files.flatMap(spellings),
  };
}

/**
 * The files that such SQL names or matches in its literals, including SQL within a literal. Paths that are computed at run time
 * are not found.
 */
export async function filesNamedIn(sql: string, root: FileRoot): Promise<readonly ConfinedFile[]> {
  const found: ConfinedFile[] = [];
  for (const [, quoted = ""] of sql.matchAll(/'((?:[^']|'')*)'/g)) {
    const text = quoted.replaceAll("''", "'");
    if (text.includes("'")) found.push(...(await filesNamedIn(text, root)));
    else found.push(...(await root.files(text).catch(() => [])));
  }
  return found;
}

interface Walk {
  readonly root: string;
  left: number;
}

interface Contents {
  /** Nothing below leads outside. */
  readonly isClosed: boolean;
  /** The topmost directories with that property, without trailing slash. */
  readonly directories: string[];
  /** Files outside of these directories. */
  readonly files: string[];
}

async function contentsOf(walk: Walk, directory: string): Promise<Contents> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => []);
  walk.left -= entries.length;
  if (walk.left < 0) {
    throw new ConnectorFailure("FILE_INVALID", `The file root holds more than ${MOST_ENTRIES} entries.`, {
      hint: "SQL in a model cannot open files of the directory by itself: give the model a tableReference instead of refSql.",
    });
  }
  let isClosed = true;
  const directories: string[] = [];
  const files: string[] = [];
  for (const entry of entries) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) {
      const below = await contentsOf(walk, path);
      isClosed &&= below.isClosed;
      if (below.isClosed) directories.push(path);
      else {
        directories.push(...below.directories);
        files.push(...below.files);
      }
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(walk.root, path)))) {
      files.push(path);
    } else {
      isClosed = false;
    }
  }
  return { isClosed, directories, files };
}

/** Links to directories are excluded: their contents would have two names. */
async function leadsToFile(root: string, link: string): Promise<boolean> {
  try {
    const target = await realpath(link);
    return target.startsWith(`${root}/`) && (await stat(target)).isFile();
  } catch {
    return false;
  }
}
