/** A store of projects in memory, and what a test writes into it. */
import { createHash } from "node:crypto";
import { manifestPath, type ProjectStore, pointerPath } from "../../src/projects/store.ts";

export interface MemoryStore extends ProjectStore {
  readonly files: Map<string, Uint8Array>;
  /** Paths that were read. */
  readonly reads: string[];
  /** Replaces the answers of the store while it is set. */
  failing: (() => Promise<never>) | undefined;
  /** Writes a manifest and its pointer. */
  push(name: string, manifest: object | string, pointer?: Record<string, unknown>): void;
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

export function memoryStore(): MemoryStore {
  const files = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const store: MemoryStore = {
    files,
    reads,
    failing: undefined,
    async read(path) {
      reads.push(path);
      if (store.failing !== undefined) return store.failing();
      return files.get(path);
    },
    async list(cursor) {
      if (store.failing !== undefined) return store.failing();
      const names = [...files.keys()]
        .flatMap((path) => /^projects\/(.*)\.json$/.exec(path)?.[1] ?? [])
        .toSorted()
        .filter((name) => cursor === undefined || name > cursor);
      const page = names.slice(0, 100);
      return { names: page, cursor: names.length > 100 ? page.at(-1) : undefined };
    },
    push(name, manifest, pointer = {}) {
      const bytes = new TextEncoder().encode(typeof manifest === "string" ? manifest : JSON.stringify(manifest));
      files.set(manifestPath(sha256(bytes)), bytes);
      const written = {
        version: 1,
        name,
        manifest: { sha256: sha256(bytes), bytes: bytes.length },
        connection: "warehouse",
        ...pointer,
      };
      files.set(pointerPath(name), new TextEncoder().encode(JSON.stringify(written)));
    },
  };
  return store;
}
