/**
 * The directory that file sources are confined to.
 *
 * Every path is resolved to its real file before DuckDB receives it, because DuckDB's own check (`allowed_directories`) compares
 * texts: it follows a symbolic link out of an allowed directory. Paths outside get exactly the same answer as missing ones, so
 * that nobody can probe the machine's files.
 */
import type { BigIntStats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { type DirectoryEntry, expandPattern, hasWildcard } from "../../src/connectors/files/glob.ts";
import { keysHint } from "../../src/connectors/files/paths.ts";
import type { FolderEntry } from "../../src/connectors/files/table-listing.ts";

export interface ConfinedFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** The name in messages: relative to the root, or an address in the store. */
  readonly name: string;
  /** Device, inode, size and modification time: equal as long as the content is the same. */
  readonly identity: string;
  /** In bytes, as stored. */
  readonly size: number;
}

/** Throws an `Error` that names the setting if `configured` is not a readable directory. */
export async function openFileRoot(configured: string): Promise<FileRoot> {
  try {
    const path = await realpath(configured);
    await readdir(path);
    return new FileRoot(path, configured);
  } catch (error) {
    throw new Error(`FILE_ROOT is not a readable directory (${errorCode(error)}).`, { cause: error });
  }
}

/** Created by `openFileRoot`. */
export class FileRoot {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /**
   * `path` and the operator's spelling, each with a trailing slash; longest first, so that replacing one leaves no part of
   * another.
   */
  readonly #prefixes: readonly string[];
  /** `s3://bucket/`, if the directory contains objects of a store under their keys: messages then name the store. */
  readonly store: string | undefined;

  constructor(path: string, configured: string, store?: string) {
    this.path = path;
    this.store = store;
    this.#prefixes = [...new Set([withSlash(path), withSlash(configured)])].sort((a, b) => b.length - a.length);
  }

  /**
   * The regular files of a path in a manifest, in the order of their names; a file whose own name contains `*`, `?` or `[` wins
   * over the pattern. Rejects with `FILE_NOT_FOUND` for no files, and for any path outside the root; with `FILE_INVALID` for
   * directories, pipes and devices (reading a pipe would block a thread for ever).
   */
  async files(written: string): Promise<readonly ConfinedFile[]> {
    for (const relative of this.#candidates(written)) {
      const exact = await this.#look(relative);
      if (exact !== undefined) return [this.#regular(exact, written)];
    }
    if (hasWildcard(written)) {
      for (const relative of this.#candidates(written)) {
        const matches = await expandPattern(relative, (directory) => this.#read(directory));
        const files = (await Promise.all(matches.map((match) => this.#match(match, written)))).filter(
          (file) => file !== undefined,
        );
        if (files.length > 0) return files;
      }
    }
    throw this.#notFound(written);
  }

  /** The direct entries of a directory, by name; links that lead outside and hidden entries are omitted. */
  async list(written: string): Promise<readonly FolderEntry[]> {
    for (const relative of this.#candidates(written)) {
      const found = await this.#look(relative);
      if (found === undefined) continue;
      if (!found.stats.isDirectory()) throw new ConnectorFailure("FILE_INVALID", `"${written}" is not a directory.`);
      const names = (await this.#read(relative)).map(({ name }) => name).filter((name) => !name.startsWith("."));
      const entries = await Promise.all(
        names.sort(byCodePoint).map(async (name): Promise<FolderEntry | undefined> => {
          const entry = await this.#look(join(relative, name));
          if (entry?.stats.isFile()) return { name, kind: "file" };
          return entry?.stats.isDirectory() ? { name, kind: "directory" } : undefined;
        }),
      );
      return entries.filter((entry) => entry !== undefined);
    }
    throw this.#notFound(written, "directory");
  }

  /** Rejects with `SOURCE_ERROR` if a file has changed: its rows may be a mixture of two versions. */
  async assertUnchanged(files: readonly ConfinedFile[]): Promise<void> {
    for (const file of files) {
      const now = await stat(file.path, { bigint: true }).catch(() => undefined);
      if (now === undefined || identityOf(now) !== file.identity) {
        throw new ConnectorFailure("SOURCE_ERROR", `"${file.name}" changed while it was being read.`, {
          hint: "Replace files by renaming a finished one over the old one, and try again.",
        });
      }
    }
  }

  /** `text` without the root in any path. */
  hide(text: string): string {
    if (this.store !== undefined)
      return text.replaceAll(withSlash(this.path), this.store).replaceAll(this.path, this.store);
    let shown = text;
    for (const prefix of this.#prefixes) {
      if (prefix === "/") continue;
      shown = shown.replaceAll(prefix, "");
      // The directory itself, but not a longer name with the same beginning.
      const bare = prefix.slice(0, -1).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      shown = shown.replace(new RegExp(`${bare}(?![\\w.-])`, "g"), ".");
    }
    return shown;
  }

  /** Paths below the root that `written` may mean; the first that exists is used. */
  #candidates(written: string): string[] {
    // The system would receive both as another path.
    if (written.includes("\0") || !written.isWellFormed()) return [];
    const inside = this.#prefixes
      .filter((prefix) => withSlash(written).startsWith(prefix))
      .map((prefix) => withSlash(written).slice(prefix.length));
    return [...new Set([...inside, written].map(normalise).filter((path) => path !== undefined))];
  }

  /** The real file or directory of a path below the root; undefined if it is missing or outside. */
  async #look(relative: string): Promise<{ path: string; stats: BigIntStats } | undefined> {
    try {
      const path = await realpath(join(this.path, relative));
      if (path !== this.path && !path.startsWith(withSlash(this.path))) return undefined;
      return { path, stats: await stat(path, { bigint: true }) };
    } catch {
      // Missing, a loop of links, too long a name, a directory without permission: the caller sees all of them as missing.
      return undefined;
    }
  }

  async #read(relative: string): Promise<DirectoryEntry[]> {
    const found = await this.#look(relative);
    if (!found?.stats.isDirectory()) return [];
    const entries = await readdir(found.path, { withFileTypes: true }).catch(() => []);
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  }

  #regular(found: { path: string; stats: BigIntStats }, written: string): ConfinedFile {
    if (found.stats.isDirectory()) {
      const hint = `Name a file, or all files of the directory as "${written.replace(/(?<!\/)\/+$/, "")}/*".`;
      throw new ConnectorFailure("FILE_INVALID", `"${written}" is a directory.`, { hint });
    }
    if (!found.stats.isFile()) throw new ConnectorFailure("FILE_INVALID", `"${written}" is not a regular file.`);
    const name = `${this.store ?? ""}${found.path.slice(withSlash(this.path).length)}`;
    return { path: found.path, name, identity: identityOf(found.stats), size: Number(found.stats.size) };
  }

  /** One match of a pattern. Directories are ignored. A link to the outside is an error, because skipping it would lose rows. */
  async #match(relative: string, written: string): Promise<ConfinedFile | undefined> {
    const found = await this.#look(relative);
    if (found === undefined) throw this.#notFound(written);
    return found.stats.isDirectory() ? undefined : this.#regular(found, written);
  }

  #notFound(written: string, what: "file" | "directory" = "file"): ConnectorFailure {
    const message = `The ${what} "${written.replaceAll("\0", "")}" does not exist.`;
    const hint =
      this.store === undefined
        ? "Paths are relative to the sidecar's FILE_ROOT and never lead out of it."
        : keysHint(this.store);
    return new ConnectorFailure("FILE_NOT_FOUND", message, { hint });
  }
}

/** `a//./b` → `a/b`; undefined for a path with a step upwards, wherever it leads. */
function normalise(path: string): string | undefined {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return steps.includes("..") ? undefined : steps.join("/");
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** By code points, not by locale: the same order on every machine. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
