/** Publishing to Workers KV and R2 by wrangler itself, into the state of Miniflare on this machine, and read there as the service does. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examined, pull, push } from "../../cli/projects/push.ts";
import type { WritableStore } from "../../cli/projects/store.ts";
import { kvStore, r2Store, type Wrangler, wranglerHere } from "../../cli/projects/wrangler-stores.ts";
import { readManifestText } from "../../src/planner/index.ts";
import { ProjectLibrary } from "../../src/projects/library.ts";
import { type KvReader, kvProjects, type ProjectStore, type R2Reader, r2Projects } from "../../src/projects/store.ts";

const ROOT = join(import.meta.dirname, "../..");
const NAMESPACE = "project-store-of-the-test";
const BUCKET = "projects-of-the-test";
/** wrangler takes seconds to start, several at once longer. */
const PATIENCE_MS = 1_200_000;

const manifest = (schema: string) => ({
  catalog: "c",
  schema,
  models: [{ name: "fees", tableReference: { table: "fees" }, columns: [{ name: "fee", type: "INTEGER" }] }],
});

let directory: string;
let state: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-wrangler-"));
  state = join(directory, "state");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function projectFile(name: string, title: string): string {
  writeFileSync(join(directory, `${title}.json`), JSON.stringify(manifest(title)));
  const file = join(directory, `${name}.project.json`);
  writeFileSync(file, JSON.stringify({ version: 1, name, title, manifest: `${title}.json`, connection: "lib" }));
  return file;
}

interface Kind {
  readonly to: string;
  readonly store: (wrangler?: Wrangler) => WritableStore;
  /** The store as the service reads it. */
  readonly served: (miniflare: Miniflare) => Promise<ProjectStore>;
}

const KINDS: Readonly<Record<string, Kind>> = {
  KV: {
    to: `kv:${NAMESPACE}`,
    store: (wrangler = wranglerHere) => kvStore(NAMESPACE, { wrangler, local: { directory: state } }),
    served: async (miniflare) => kvProjects((await miniflare.getKVNamespace("KV")) as unknown as KvReader),
  },
  R2: {
    to: `r2:${BUCKET}`,
    store: (wrangler = wranglerHere) => r2Store(BUCKET, { wrangler, local: { directory: state } }),
    served: async (miniflare) => r2Projects((await miniflare.getR2Bucket("R2")) as unknown as R2Reader),
  },
};

/** Titles of what the service reads, by name, from the state that wrangler wrote. */
async function servedTitles({ served }: Kind): Promise<Readonly<Record<string, string>>> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      kvNamespaces: { KV: NAMESPACE },
      r2Buckets: { R2: BUCKET },
      resourcePersistencePath: join(state, "v3"),
    }),
  );
  try {
    const library = new ProjectLibrary({
      store: await served(miniflare),
      load: (text) => {
        const loaded = readManifestText(text, 1_000_000);
        return loaded.ok ? loaded : { ok: false, problem: loaded.error.message };
      },
      maxManifestBytes: 1_000_000,
      kept: { bytes: 1_000_000, entries: 8 },
      remark: () => undefined,
      waitMs: 30_000,
    });
    const { names } = await library.list(undefined);
    const titles: Record<string, string> = {};
    for (const name of names) {
      const outcome = await library.open(name);
      titles[name] =
        outcome.kind === "open" ? `${outcome.project.pointer.title} ${outcome.project.manifest.schema}` : outcome.kind;
    }
    return titles;
  } finally {
    await miniflare.dispose();
  }
}

describe.each(Object.entries(KINDS))("%s", (_, kind) => {
  test("a project is published, listed, read back and served", { timeout: PATIENCE_MS }, async () => {
    const store = kind.store();
    expect(await store.names()).toEqual([]);
    await expect(pull("fees", store)).rejects.toThrow("There is no project fees.");
    await push(projectFile("fees", "one"), store, "duckdb");
    expect((await push(projectFile("fees", "one"), store, "duckdb")).changes).toEqual([]);
    expect(await examined("fees", store, () => ({ source: "duckdb" }))).toMatchObject({ title: "one", state: "ready" });
    expect(await servedTitles(kind)).toEqual({ fees: "one one" });
    const words = [
      "cli/bin/siskin.mjs",
      "list",
      "--source",
      "duckdb",
      "--to",
      kind.to,
      "--local",
      "--persist-to",
      state,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT });
    expect(stdout).toBe("fees  ready  one\n");
  });

  test("a push that is interrupted leaves the old version", { timeout: PATIENCE_MS }, async () => {
    const title = `two-of-${kind.to.slice(0, 2)}`;
    const file = projectFile("fees", title);
    let writes = 0;
    // The first write of a push is its manifest, and the last its pointer.
    const dyingAt =
      (write: number): Wrangler =>
      (words) => {
        if (words.includes("put") && ++writes >= write) throw new Error("killed");
        return wranglerHere(words);
      };
    for (const write of [1, 2]) {
      writes = 0;
      await expect(push(file, kind.store(dyingAt(write)), "duckdb")).rejects.toThrow("killed");
      expect((await servedTitles(kind))["fees"]).toBe("one one");
    }
    await push(file, kind.store(), "duckdb");
    expect((await servedTitles(kind))["fees"]).toBe(`${title} ${title}`);
  });
});

describe("a wrangler that fails", () => {
  const failing: Wrangler = () => ({
    isDone: false,
    output: Buffer.alloc(0),
    messages: "✘ [ERROR] You are not logged in.\n",
  });
  test.each([
    ["KV", kvStore(undefined, { wrangler: failing })],
    ["R2", r2Store("b", { wrangler: failing })],
  ])("is no empty store: %s", async (_, store) => {
    for (const work of [() => store.read("projects/p.json"), () => store.names(), () => pull("p", store)]) {
      await expect(work()).rejects.toThrow("You are not logged in");
    }
    await expect(push(projectFile("p", "p"), store, "duckdb")).rejects.toThrow("You are not logged in");
  });

  test("KV is named by its binding, and the account's is meant", async () => {
    const asked: string[] = [];
    const wrangler: Wrangler = (words) => {
      asked.push(words.join(" "));
      return { isDone: true, output: Buffer.from("Value not found\n"), messages: "" };
    };
    expect(await kvStore(undefined, { wrangler }).read("projects/p.json")).toBeUndefined();
    expect(asked).toEqual(["kv key get projects/p.json --binding PROJECT_STORE --remote"]);
  });
});
