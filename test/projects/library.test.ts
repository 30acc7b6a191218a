import { describe, expect, it } from "vitest";
import { readManifestText } from "../../src/planner/index.ts";
import { ProjectLibrary } from "../../src/projects/library.ts";
import type { Pointer } from "../../src/projects/pointer.ts";
import { manifestPath, pointerPath } from "../../src/projects/store.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";

const MANIFEST = { catalog: "c", schema: "s", models: [] };
const MIB = 1024 * 1024;

function libraryOf(store: MemoryStore, bytes = 16 * MIB, lacks?: (pointer: Pointer) => string | undefined) {
  const clock = { now: 1_700_000_000_000 };
  const remarks: string[] = [];
  const library = new ProjectLibrary({
    store,
    ...(lacks && { lacks }),
    load: (text) => {
      const loaded = readManifestText(text, 32 * MIB);
      return loaded.ok ? loaded : { ok: false, problem: loaded.error.message };
    },
    maxManifestBytes: 16 * MIB,
    kept: { bytes, entries: 64 },
    remark: (_, sentences) => remarks.push(...sentences),
    now: () => clock.now,
    waitMs: 20,
  });
  return { library, clock, remarks };
}

const pushed = (
  name = "p",
  manifest: object | string = MANIFEST,
  pointer: Record<string, unknown> = {},
): MemoryStore => {
  const store = memoryStore();
  store.push(name, manifest, pointer);
  return store;
};

const blobOf = (store: MemoryStore): string =>
  [...store.files.keys()].find((path) => path.startsWith("manifests/")) ?? "";

describe("a project that cannot be used is broken, and no old version stands in", () => {
  it.each<[string, (store: MemoryStore) => void, string]>([
    ["a missing manifest", (store) => store.files.delete(blobOf(store)), "has no manifest"],
    [
      "a cut manifest",
      (store) => store.files.set(blobOf(store), store.files.get(blobOf(store))!.slice(1)),
      "bytes, and the pointer says",
    ],
    [
      "another manifest of the same length",
      (store) =>
        store.files.set(blobOf(store), new TextEncoder().encode(JSON.stringify({ ...MANIFEST, catalog: "d" }))),
      "another digest",
    ],
    ["an invalid manifest", (store) => store.push("p", { catalog: 5 }), "catalog"],
    ["a manifest that is not JSON", (store) => store.push("p", "{"), "JSON"],
    ["a manifest with a bad member", (store) => store.push("p", { ...MANIFEST, layoutVersion: 99 }), "layout version"],
    [
      "a pointer that is not JSON",
      (store) => store.files.set(pointerPath("p"), new TextEncoder().encode("{")),
      "not JSON",
    ],
    ["a pointer that is not UTF-8", (store) => store.files.set(pointerPath("p"), new Uint8Array([0xff])), "not JSON"],
    [
      "a pointer that is too large",
      (store) => store.files.set(pointerPath("p"), new Uint8Array(300_000)),
      "larger than",
    ],
    ["a pointer of another name", (store) => store.push("p", MANIFEST, { name: "q" }), 'name must be "p"'],
    [
      "a misspelt member of access control",
      (store) => store.push("p", MANIFEST, { acess: "standard" }),
      "unknown member",
    ],
    ["a misspelt limit", (store) => store.push("p", MANIFEST, { limits: { rowss: 1 } }), "unknown member"],
    [
      "a misspelt limit of costs",
      (store) => store.push("p", MANIFEST, { limits: { bytesbilled: 1 } }),
      "unknown member",
    ],
    ["an odd version", (store) => store.push("p", MANIFEST, { version: 2 }), "version must be 1"],
    [
      "a digest in capitals",
      (store) => store.push("p", MANIFEST, { manifest: { sha256: "A".repeat(64), bytes: 1 } }),
      "hexadecimal",
    ],
    [
      "a digest with a path",
      (store) => store.push("p", MANIFEST, { manifest: { sha256: `../${"a".repeat(61)}`, bytes: 1 } }),
      "hexadecimal",
    ],
    ["no connection", (store) => store.push("p", MANIFEST, { connection: "" }), "connection"],
    [
      "a question with an odd name",
      (store) => store.push("p", MANIFEST, { questions: { "../x": { sql: "SELECT 1" } } }),
      "a name is",
    ],
  ])("%s", async (_, damage, problem) => {
    const store = pushed();
    const { library, clock } = libraryOf(store);
    expect((await library.open("p")).kind).toBe("open");
    damage(store);
    clock.now += 31_000;
    const fresh = libraryOf(store).library;
    // The blob of the same digest is immutable: an isolate that has read it needs it no more.
    expect(await fresh.open("p")).toEqual({ kind: "broken", problem: expect.stringContaining(problem) });
    expect(["open", "broken"]).toContain((await library.open("p")).kind);
  });

  it("until it is pushed again", async () => {
    const store = pushed();
    const { library, clock } = libraryOf(store);
    store.push("p", { catalog: 5 });
    expect((await library.open("p")).kind).toBe("broken");
    store.push("p", MANIFEST);
    clock.now += 5001;
    expect((await library.open("p")).kind).toBe("open");
  });
});

describe("health", () => {
  it("counts the broken projects that were asked for, until they are pushed again", async () => {
    const store = pushed();
    store.push("q", { catalog: 5 });
    store.push("r", MANIFEST, { version: 2 });
    const { library, clock } = libraryOf(store);
    expect(library.health()).toEqual({ broken: 0, isStoreSilent: false });
    for (const name of ["p", "q", "r", "absent"]) await library.open(name);
    expect(library.health()).toEqual({ broken: 2, isStoreSilent: false });
    store.push("q", MANIFEST);
    clock.now += 5001;
    expect((await library.open("q")).kind).toBe("open");
    expect(library.health().broken).toBe(1);
    store.failing = () => Promise.reject(new Error("down"));
    clock.now += 31_000;
    await library.open("p");
    expect(library.health().isStoreSilent).toBe(true);
  });

  it("a project for which the deployment lacks something is broken", async () => {
    const store = pushed();
    const { library } = libraryOf(store, 16 * MIB, ({ connection }) => `no connection ${connection}`);
    expect(await library.open("p")).toEqual({ kind: "broken", problem: "no connection warehouse" });
    expect(library.health().broken).toBe(1);
  });

  it("a broken manifest is read and decoded once in five seconds, however many ask", async () => {
    const store = pushed("p", "{");
    const { library, clock } = libraryOf(store);
    for (let round = 0; round < 100; round++) expect((await library.open("p")).kind).toBe("broken");
    expect(store.reads).toEqual([pointerPath("p"), blobOf(store)]);
    clock.now += 5001;
    await library.open("p");
    expect(store.reads).toHaveLength(4);
  });
});

describe("names", () => {
  it.each(["", "..", "../p", "p/q", "P", "p.json", "p%2f", "a".repeat(64), "p\0", "__proto__", "p "])(
    "%j is absent and reads nothing",
    async (name) => {
      const store = pushed();
      expect(await libraryOf(store).library.open(name)).toEqual({ kind: "absent" });
      expect(store.reads).toEqual([]);
    },
  );
});

describe("a store", () => {
  it("that fails or hangs leaves the last pointer in force for ten minutes", async () => {
    for (const failing of [() => Promise.reject(new Error("down")), () => new Promise<never>(() => {})]) {
      const store = pushed();
      const { library, clock } = libraryOf(store);
      expect((await library.open("p")).kind).toBe("open");
      store.failing = failing;
      clock.now += 31_000;
      expect((await library.open("p")).kind).toBe("open");
      clock.now += 600_000;
      expect((await library.open("p")).kind).toBe("unavailable");
      expect((await library.open("unread")).kind).toBe("unavailable");
      store.failing = undefined;
      expect((await library.open("p")).kind).toBe("open");
    }
  });

  it("is asked once in 30 seconds", async () => {
    const store = pushed();
    const { library, clock } = libraryOf(store);
    for (let round = 0; round < 10; round++) await library.open("p");
    expect(store.reads).toEqual([pointerPath("p"), blobOf(store)]);
    clock.now += 30_001;
    await library.open("p");
    expect(store.reads).toHaveLength(3);
  });
});

it("each answer is of one version while pointers change during 1,000 requests", async () => {
  const store = memoryStore();
  const versions = new Map<string, string>();
  const { library, clock } = libraryOf(store);
  let catalog = "";
  for (let round = 0; round < 1000; round++) {
    if (round % 7 === 0) {
      catalog = `c${round}`;
      store.push("p", { ...MANIFEST, catalog }, { title: catalog });
    }
    clock.now += 10_000;
    const outcome = await library.open("p");
    if (outcome.kind !== "open") throw new Error(outcome.kind);
    const { pointer, manifest, version } = outcome.project;
    expect(manifest.catalog).toBe(pointer.title);
    expect(versions.get(version) ?? manifest.catalog).toBe(manifest.catalog);
    versions.set(version, manifest.catalog);
  }
  expect(versions.size).toBe(143);
});

it("10,000 projects and a manifest of 16 MiB stay within their limits", async () => {
  const store = memoryStore();
  const { library } = libraryOf(store, 100_000);
  for (let index = 0; index < 10_000; index++) {
    store.push(`p${index}`, MANIFEST);
    expect((await library.open(`p${index}`)).kind).toBe("open");
  }
  const { names, cursor } = await library.list(undefined);
  expect([names.length, cursor]).toEqual([100, names.at(-1)]);
  const large = JSON.stringify({ ...MANIFEST, description: "x".repeat(16 * MIB - 100) });
  store.push("large", large);
  expect((await library.open("large")).kind).toBe("open");
  store.push("larger", `${large}${" ".repeat(200)}`);
  expect(await library.open("larger")).toEqual({
    kind: "broken",
    problem: expect.stringContaining("MAX_MANIFEST_BYTES"),
  });
  expect(store.reads.filter((path) => path === manifestPath("")).length).toBe(0);
});

it("unknown members of a pointer are remarks", async () => {
  const { library, remarks } = libraryOf(pushed("p", MANIFEST, { owner: "me" }));
  await library.open("p");
  await library.open("p");
  expect(remarks).toEqual(['the pointer has the unknown member "owner"']);
});
