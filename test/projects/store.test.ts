/** One suite for a directory, and for KV and R2 as Miniflare has them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  directoryProjects,
  type KvReader,
  kvProjects,
  type ProjectStore,
  type R2Reader,
  r2Projects,
} from "../../src/projects/store.ts";

let miniflare: Miniflare;
const directory = mkdtempSync(join(tmpdir(), "siskin-projects-"));
beforeAll(() => {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      kvNamespaces: ["KV"],
      r2Buckets: ["R2"],
    }),
  );
});
afterAll(async () => {
  await miniflare.dispose();
  rmSync(directory, { recursive: true });
});

interface Kind {
  readonly store: ProjectStore;
  write(path: string, text: string): Promise<unknown>;
}

/** Answers as workerd's service of a directory does. */
const served = (async (input: string) => {
  const path = join(directory, new URL(input).pathname);
  try {
    const isDirectory = statSync(path).isDirectory();
    const entries = isDirectory ? readdirSync(path).map((name) => ({ name, type: "file" })) : [];
    return new Response(isDirectory ? JSON.stringify(entries) : readFileSync(path));
  } catch {
    return new Response(null, { status: 404 });
  }
}) as typeof fetch;

const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
  directory: async () => ({
    store: directoryProjects(served),
    async write(path, text) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    },
  }),
  KV: async () => {
    const namespace = await miniflare.getKVNamespace("KV");
    return { store: kvProjects(namespace as unknown as KvReader), write: (path, text) => namespace.put(path, text) };
  },
  R2: async () => {
    const bucket = await miniflare.getR2Bucket("R2");
    return { store: r2Projects(bucket as unknown as R2Reader), write: (path, text) => bucket.put(path, text) };
  },
};

describe.each(Object.entries(KINDS))("%s", (_, open) => {
  it("reads what was written, nothing else, and lists projects in pages", async () => {
    const { store, write } = await open();
    expect(await store.read("projects/a.json")).toBeUndefined();
    expect((await store.list(undefined)).names).toEqual([]);
    await write("projects/a.json", "{}");
    await write("manifests/x.json", "é");
    expect(new TextDecoder().decode(await store.read("projects/a.json"))).toBe("{}");
    expect(new TextDecoder().decode(await store.read("manifests/x.json"))).toBe("é");
    await write("projects/NOT a project.txt", "{}");
    for (let index = 0; index < 130; index++) await write(`projects/p${index}.json`, "{}");
    const names: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await store.list(cursor);
      names.push(...page.names);
      cursor = page.cursor;
      pages++;
    } while (cursor !== undefined && pages < 10);
    expect(new Set(names).size).toBe(131);
    expect(names).toHaveLength(131);
    expect(pages).toBe(2);
  });
});
