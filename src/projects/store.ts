/**
 * Where projects are kept: `projects/<name>.json` is a small pointer, `manifests/<sha256>.json` an immutable manifest. The service
 * only reads; `siskin push` writes.
 */

export interface ProjectStore {
  /** The content of a path; `undefined` if there is none. Rejects when the store fails. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Names of projects, in pages. */
  list(cursor: string | undefined): Promise<ProjectPage>;
}

export interface ProjectPage {
  readonly names: readonly string[];
  /** Absent on the last page. */
  readonly cursor?: string | undefined;
}

/** Also keeps names from being paths. */
export const PROJECT_NAME = /^[a-z0-9-]{1,63}$/;

export const pointerPath = (name: string): string => `projects/${name}.json`;
export const manifestPath = (sha256: string): string => `manifests/${sha256}.json`;

const PREFIX = "projects/";
const PAGE = 100;

/** The part of a KV namespace that is used. */
export interface KvReader {
  get(key: string, options: { readonly type: "arrayBuffer" }): Promise<ArrayBuffer | null>;
  list(options: { readonly prefix: string; readonly limit: number; readonly cursor?: string }): Promise<{
    readonly keys: readonly { readonly name: string }[];
    readonly list_complete: boolean;
    readonly cursor?: string;
  }>;
}

/** Workers KV: a change is seen everywhere after about a minute. */
export function kvProjects(namespace: KvReader): ProjectStore {
  return {
    async read(path) {
      const value = await namespace.get(path, { type: "arrayBuffer" });
      return value === null ? undefined : new Uint8Array(value);
    },
    async list(cursor) {
      const page = await namespace.list({ prefix: PREFIX, limit: PAGE, ...(cursor !== undefined && { cursor }) });
      const names = page.keys.flatMap(({ name }) => nameIn(name.slice(PREFIX.length)));
      return { names, cursor: page.list_complete ? undefined : page.cursor };
    },
  };
}

/** The part of an R2 bucket that is used. */
export interface R2Reader {
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
  list(options: { readonly prefix: string; readonly limit: number; readonly cursor?: string }): Promise<{
    readonly objects: readonly { readonly key: string }[];
    readonly truncated: boolean;
    readonly cursor?: string;
  }>;
}

export function r2Projects(bucket: R2Reader): ProjectStore {
  return {
    async read(path) {
      const object = await bucket.get(path);
      return object === null ? undefined : new Uint8Array(await object.arrayBuffer());
    },
    async list(cursor) {
      const page = await bucket.list({ prefix: PREFIX, limit: PAGE, ...(cursor !== undefined && { cursor }) });
      const names = page.objects.flatMap(({ key }) => nameIn(key.slice(PREFIX.length)));
      return { names, cursor: page.truncated ? page.cursor : undefined };
    },
  };
}

/** A directory, through workerd's service for it: files by path, directories as JSON. */
export function directoryProjects(fetched: typeof fetch): ProjectStore {
  const answerAt = async (path: string): Promise<Response | undefined> => {
    const response = await fetched(`http://projects/${path}`);
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`the directory of projects answers ${response.status}`);
  };
  return {
    async read(path) {
      const response = await answerAt(path);
      return response === undefined ? undefined : new Uint8Array(await response.arrayBuffer());
    },
    async list(cursor) {
      const response = await answerAt("projects/");
      const entries = response === undefined ? [] : ((await response.json()) as readonly { readonly name: string }[]);
      const names = entries.flatMap(({ name }) => nameIn(name)).toSorted();
      const from = cursor === undefined ? 0 : names.findIndex((name) => name > cursor);
      const page = from < 0 ? [] : names.slice(from, from + PAGE);
      const last = page.at(-1);
      return { names: page, cursor: last === names.at(-1) ? undefined : last };
    },
  };
}

/** The name of a project from the name of its file; none for other files. */
function nameIn(file: string): readonly string[] {
  const name = file.endsWith(".json") ? file.slice(0, -".json".length) : "";
  return PROJECT_NAME.test(name) ? [name] : [];
}
