/** The stores that `npm run project` writes: a directory, and KV or R2 by wrangler with the operator's own rights. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface WritableStore {
  read(path: string): Promise<Uint8Array | undefined>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Names of projects. */
  names(): Promise<readonly string[]>;
}

/** Each file appears whole: the service may read at any time. */
export function directoryStore(directory: string): WritableStore {
  return {
    async read(path) {
      const file = join(directory, path);
      return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined;
    },
    async write(path, bytes) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true });
      const written = `${file}.${process.pid}.new`;
      writeFileSync(written, bytes);
      renameSync(written, file);
    },
    async names() {
      const folder = join(directory, "projects");
      return existsSync(folder) ? namesIn(readdirSync(folder)) : [];
    },
  };
}

/** Runs wrangler and returns what it prints; `undefined` if it fails. */
export type Wrangler = (words: readonly string[]) => Buffer | undefined;

const wranglerHere: Wrangler = (words) => {
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    return execFileSync("npx", ["wrangler", ...words], { stdio, maxBuffer: 64 * 1024 * 1024 });
  } catch {
    return undefined;
  }
};

/** The namespace that `wrangler.toml` binds as PROJECT_STORE. */
export function kvStore(wrangler: Wrangler = wranglerHere): WritableStore {
  const where = ["--binding", "PROJECT_STORE", "--remote"];
  return {
    async read(path) {
      const value = wrangler(["kv", "key", "get", path, ...where]);
      return value === undefined ? undefined : new Uint8Array(value);
    },
    write: (path, bytes) =>
      inFile(bytes, (file) => written(wrangler(["kv", "key", "put", path, "--path", file, ...where]), path)),
    async names() {
      const listed = written(wrangler(["kv", "key", "list", "--prefix", "projects/", ...where]), "projects/");
      const keys = JSON.parse(listed.toString()) as readonly { readonly name: string }[];
      return namesIn(keys.map(({ name }) => name.slice("projects/".length)));
    },
  };
}

/** wrangler lists no objects of R2, so a bucket's projects are shown by name only. */
export function r2Store(bucket: string, wrangler: Wrangler = wranglerHere): WritableStore {
  return {
    async read(path) {
      const value = wrangler(["r2", "object", "get", `${bucket}/${path}`, "--pipe", "--remote"]);
      return value === undefined ? undefined : new Uint8Array(value);
    },
    write: (path, bytes) =>
      inFile(bytes, (file) =>
        written(wrangler(["r2", "object", "put", `${bucket}/${path}`, "--file", file, "--remote"]), path),
      ),
    async names() {
      throw new Error("wrangler lists no objects of R2: name the project with show or pull.");
    },
  };
}

async function inFile(bytes: Uint8Array, work: (file: string) => unknown): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-push-"));
  try {
    const file = join(directory, "object.json");
    writeFileSync(file, bytes);
    work(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function written(output: Buffer | undefined, path: string): Buffer {
  if (output === undefined)
    throw new Error(`wrangler did not accept ${path}: run npx wrangler login, and look at its message.`);
  return output;
}

const namesIn = (files: readonly string[]): readonly string[] =>
  files.filter((file) => /^[a-z0-9-]{1,63}\.json$/.test(file)).map((file) => file.slice(0, -".json".length));
