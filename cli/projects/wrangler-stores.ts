/** Projects in KV or R2, by wrangler with the operator's own rights. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { namesIn, type WritableStore } from "./store.ts";

export interface WranglerAnswer {
  readonly isDone: boolean;
  readonly output: Buffer;
  /** Messages for people. */
  readonly messages: string;
}

/** Runs wrangler with these words. */
export type Wrangler = (words: readonly string[]) => WranglerAnswer;

const MOST_OUTPUT = 64 * 1024 * 1024;

export const wranglerHere: Wrangler = (words) => {
  const { status, stdout, stderr, error } = spawnSync("npx", ["wrangler", ...words], { maxBuffer: MOST_OUTPUT });
  const messages = error === undefined ? stripVTControlCharacters(stderr.toString()) : error.message;
  return { isDone: status === 0, output: stdout ?? Buffer.alloc(0), messages };
};

export interface WranglerOptions {
  readonly wrangler?: Wrangler;
  /** The state of `wrangler dev` on this machine, in the place of the account's. */
  readonly local?: { readonly directory?: string | undefined } | undefined;
}

const placeOf = ({ local }: WranglerOptions): readonly string[] => {
  if (local === undefined) return ["--remote"];
  return ["--local", ...(local.directory === undefined ? [] : ["--persist-to", local.directory])];
};

/** wrangler's answers for a key or an object that does not exist; on this machine KV has one with the exit code 0. */
const ABSENT = /value not found|specified key does not exist|key not found|\b404\b/i;
const NO_VALUE = "Value not found";

/** The namespace that `wrangler.toml` binds as PROJECT_STORE, or the one with this id. */
export function kvStore(namespace: string | undefined, options: WranglerOptions = {}): WritableStore {
  const { wrangler = wranglerHere } = options;
  const named = namespace === undefined ? ["--binding", "PROJECT_STORE"] : ["--namespace-id", namespace];
  const where = [...named, ...placeOf(options)];
  return {
    async read(path) {
      const value = existing(wrangler(["kv", "key", "get", path, ...where]), path);
      return value?.toString().trim() === NO_VALUE ? undefined : value;
    },
    write: (path, bytes) =>
      inFile(bytes, (file) => done(wrangler(["kv", "key", "put", path, "--path", file, ...where]), path)),
    async names() {
      const listed = done(wrangler(["kv", "key", "list", "--prefix", "projects/", ...where]), "projects/");
      const keys = JSON.parse(listed.toString()) as readonly { readonly name: string }[];
      return namesIn(keys.map(({ name }) => name.slice("projects/".length)));
    },
  };
}

/** Names of a bucket's projects. wrangler lists no objects of R2, so a push writes them. */
const INDEX = "index.json";

export function r2Store(bucket: string, options: WranglerOptions = {}): WritableStore {
  const { wrangler = wranglerHere } = options;
  const where = placeOf(options);
  const read = (path: string): Buffer | undefined =>
    existing(wrangler(["r2", "object", "get", `${bucket}/${path}`, "--pipe", ...where]), path);
  const write = (path: string, bytes: Uint8Array): Promise<void> =>
    inFile(bytes, (file) =>
      done(wrangler(["r2", "object", "put", `${bucket}/${path}`, "--file", file, ...where]), path),
    );
  const indexed = (): readonly string[] => {
    const bytes = read(INDEX);
    if (bytes === undefined) return [];
    const names: unknown = JSON.parse(bytes.toString());
    if (!Array.isArray(names)) throw new Error(`${INDEX} of the bucket ${bucket} is no list of names.`);
    return namesIn(names.map((name) => `${name}.json`));
  };
  return {
    read: async (path) => read(path),
    async write(path, bytes) {
      const [name] = path.startsWith("projects/") ? namesIn([path.slice("projects/".length)]) : [];
      const names = name === undefined ? [] : indexed();
      // Before the pointer: a name without a project is not listed, and a project without its name would be lost.
      if (name !== undefined && !names.includes(name)) {
        await write(INDEX, new TextEncoder().encode(`${JSON.stringify([...names, name].toSorted())}\n`));
      }
      await write(path, bytes);
    },
    async names() {
      return indexed().filter((name) => read(`projects/${name}.json`) !== undefined);
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

/** The value of a key; `undefined` if there is none. Any other failure is thrown: it must not look like an empty store. */
function existing({ isDone, output, messages }: WranglerAnswer, path: string): Buffer | undefined {
  if (isDone) return output;
  if (ABSENT.test(messages)) return undefined;
  throw refusal(path, messages);
}

function done({ isDone, output, messages }: WranglerAnswer, path: string): Buffer {
  if (!isDone) throw refusal(path, messages);
  return output;
}

function refusal(path: string, messages: string): Error {
  const said = /ERROR\]?\s*(.*)/.exec(messages)?.[1]?.trim();
  const why = said === undefined || said === "" ? "look at its message" : said;
  return new Error(`wrangler did not accept ${path}: ${why}. Without rights, run npx wrangler login.`);
}
