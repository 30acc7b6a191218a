/**
 * Opens projects for one isolate. A pointer is kept for 30 seconds, a manifest by its digest. A store that is slow or fails leaves
 * the last pointer in force, for at most 10 minutes. A manifest that cannot be read is an error: an old version never stands in
 * for it, because its rules may be the old ones.
 */
import { LARGEST_POINTER, type Pointer, readPointer } from "./pointer.ts";
import { manifestPath, PROJECT_NAME, type ProjectPage, type ProjectStore, pointerPath } from "./store.ts";

/** A pointer with its manifest. */
export interface OpenedProject<M> {
  readonly pointer: Pointer;
  /** Digest of pointer and manifest together: a changed description is another version, too. */
  readonly version: string;
  readonly manifest: M;
}

export type ProjectOutcome<M> =
  | { readonly kind: "open"; readonly project: OpenedProject<M> }
  | { readonly kind: "absent" }
  /** The project cannot be used until it is pushed again. `problem` is for the log: it may quote the manifest. */
  | { readonly kind: "broken"; readonly problem: string }
  /** The store does not answer. */
  | { readonly kind: "unavailable"; readonly problem: string };

type PointerOutcome =
  | { readonly kind: "known"; readonly pointer: Pointer; readonly version: string }
  | { readonly kind: "absent" };

export interface LibraryOptions<M> {
  readonly store: ProjectStore;
  /** Reads the JSON text of a manifest. `problem`: one sentence. */
  readonly load: (
    text: string,
  ) => { readonly ok: true; readonly value: M } | { readonly ok: false; readonly problem: string };
  /** A sentence about what the deployment lacks for a pointer. */
  readonly lacks?: (pointer: Pointer) => string | undefined;
  readonly maxManifestBytes: number;
  /** Limits for the manifests that are kept. */
  readonly kept: { readonly bytes: number; readonly entries: number };
  /** Warnings about a pointer, once for each version. */
  readonly remark: (name: string, sentences: readonly string[]) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly waitMs?: number;
}

/** Time for which a pointer is used without asking the store. */
const FRESH_MS = 30_000;
/** The same for a project that is broken: it is repaired by a push, which callers should soon see. */
const BROKEN_MS = 5000;
/** Time for which a pointer is used while the store does not answer. */
const STALE_MS = 600_000;
const WAIT_MS = 250;
/** Time without requests to a store that failed, while the last pointer is in force. */
const RETRY_MS = 1000;
/** Manifests are up to a thousand times as large as pointers. */
const MANIFEST_WAIT_FACTOR = 40;
/** Pointers that are kept. */
const MOST_POINTERS = 1000;

type Known = { readonly pointer: Pointer; readonly version: string } | { readonly problem: string } | "absent";

interface Entry {
  readonly known: Known;
  readonly readAt: number;
  /** Time of the next request to the store. */
  readonly until: number;
}

/** The state of the projects that requests of the isolate have named. */
export interface ProjectHealth {
  readonly broken: number;
  /** The last read of the store failed. */
  readonly isStoreSilent: boolean;
}

export class ProjectLibrary<M> {
  readonly #options: LibraryOptions<M>;
  readonly #now: () => number;
  /** In the order of use, oldest first. */
  readonly #pointers = new Map<string, Entry>();
  readonly #manifests = new Map<string, { readonly manifest: M; readonly bytes: number }>();
  /** Manifests that cannot be used, by digest: neither read nor decoded again while their pointer is kept. */
  readonly #faults = new Map<string, { readonly problem: string; readonly until: number }>();
  #bytes = 0;
  #isStoreSilent = false;

  constructor(options: LibraryOptions<M>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Reads the pointer alone: a list of a hundred projects must not read and decode a hundred manifests. A manifest that cannot be
   * used is noticed if this isolate has tried it.
   */
  async peek(name: string): Promise<PointerOutcome | Extract<ProjectOutcome<M>, { readonly problem: string }>> {
    if (!PROJECT_NAME.test(name)) return { kind: "absent" };
    const known = await this.#known(name);
    if (known === "unavailable") return { kind: "unavailable", problem: "the store of projects does not answer" };
    if (known === "absent") return { kind: "absent" };
    if ("problem" in known) return { kind: "broken", problem: known.problem };
    const fault = this.#faults.get(faultKey(known.pointer));
    return fault === undefined ? { kind: "known", ...known } : { kind: "broken", problem: fault.problem };
  }

  async open(name: string): Promise<ProjectOutcome<M>> {
    if (!PROJECT_NAME.test(name)) return { kind: "absent" };
    const known = await this.#known(name);
    if (known === "unavailable") return { kind: "unavailable", problem: "the store of projects does not answer" };
    if (known === "absent") return { kind: "absent" };
    if ("problem" in known) return { kind: "broken", problem: known.problem };
    const loaded = await this.#manifestOf(known.pointer);
    if (loaded.kind === "broken") this.#keepFault(faultKey(known.pointer), loaded.problem);
    else if (loaded.kind === "loaded") this.#faults.delete(faultKey(known.pointer));
    if (loaded.kind !== "loaded") {
      // The pointer is read again soon: the manifest may be on its way, and a repaired project has another pointer.
      if (loaded.kind === "broken") this.#expireSoon(name);
      return loaded;
    }
    const { pointer, version } = known;
    return { kind: "open", project: { pointer, version, manifest: loaded.manifest } };
  }

  health(): ProjectHealth {
    let broken = 0;
    for (const { known } of this.#pointers.values()) {
      if (known === "absent") continue;
      if ("problem" in known || this.#faults.has(faultKey(known.pointer))) broken++;
    }
    return { broken, isStoreSilent: this.#isStoreSilent };
  }

  list(cursor: string | undefined): Promise<ProjectPage> {
    return this.#within(this.#options.store.list(cursor));
  }

  async #known(name: string): Promise<Known | "unavailable"> {
    const now = this.#now();
    const entry = this.#pointers.get(name);
    if (entry !== undefined && now < entry.until) {
      this.#keep(name, entry);
      return entry.known;
    }
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#within(this.#options.store.read(pointerPath(name)));
    } catch {
      if (entry === undefined || this.#now() - entry.readAt > STALE_MS) return "unavailable";
      this.#keep(name, { ...entry, until: this.#now() + RETRY_MS });
      return entry.known;
    }
    const known = bytes === undefined ? "absent" : await this.#pointerIn(name, bytes);
    const readAt = this.#now();
    const lasts = typeof known === "object" && "problem" in known ? BROKEN_MS : FRESH_MS;
    this.#keep(name, { known, readAt, until: readAt + lasts });
    return known;
  }

  async #pointerIn(name: string, bytes: Uint8Array): Promise<Known> {
    if (bytes.length > LARGEST_POINTER) return { problem: `the pointer is larger than ${LARGEST_POINTER} bytes` };
    const json = jsonIn(bytes);
    if (json === undefined) return { problem: "the pointer is not JSON" };
    const outcome = readPointer(json.value, name);
    if (!outcome.ok) return { problem: outcome.problem };
    const lacking = this.#options.lacks?.(outcome.pointer);
    if (lacking !== undefined) return { problem: lacking };
    const version = await digestOf(bytes);
    const before = this.#pointers.get(name)?.known;
    const isNew = typeof before !== "object" || !("version" in before) || before.version !== version;
    if (isNew && outcome.remarks.length > 0) this.#options.remark(name, outcome.remarks);
    return { pointer: outcome.pointer, version };
  }

  async #manifestOf(
    pointer: Pointer,
  ): Promise<
    | { readonly kind: "loaded"; readonly manifest: M }
    | Extract<ProjectOutcome<M>, { readonly kind: "broken" | "unavailable" }>
  > {
    const { sha256, bytes: length } = pointer.manifest;
    const kept = this.#manifests.get(sha256);
    if (kept !== undefined) {
      this.#manifests.delete(sha256);
      this.#manifests.set(sha256, kept);
      return { kind: "loaded", manifest: kept.manifest };
    }
    const fault = this.#faults.get(faultKey(pointer));
    if (fault !== undefined && this.#now() < fault.until) return broken(fault.problem);
    if (length > this.#options.maxManifestBytes) {
      return broken(`the manifest has ${length} bytes, and MAX_MANIFEST_BYTES is ${this.#options.maxManifestBytes}`);
    }
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#within(this.#options.store.read(manifestPath(sha256)), MANIFEST_WAIT_FACTOR);
    } catch {
      return { kind: "unavailable", problem: "the store of projects does not answer" };
    }
    if (bytes === undefined) return broken(`the store has no manifest ${sha256}`);
    if (bytes.length !== length)
      return broken(`the manifest has ${bytes.length} bytes, and the pointer says ${length}`);
    if ((await digestOf(bytes)) !== sha256) return broken("the manifest has another digest than the pointer says");
    const text = textIn(bytes);
    if (text === undefined) return broken("the manifest is not UTF-8 text");
    const loaded = this.#options.load(text);
    if (!loaded.ok) return broken(loaded.problem);
    this.#keepManifest(sha256, loaded.value, length);
    return { kind: "loaded", manifest: loaded.value };
  }

  #keep(name: string, entry: Entry): void {
    this.#pointers.delete(name);
    this.#pointers.set(name, entry);
    if (this.#pointers.size <= MOST_POINTERS) return;
    const [oldest] = this.#pointers.keys();
    if (oldest !== undefined) this.#pointers.delete(oldest);
  }

  #keepFault(key: string, problem: string): void {
    const known = this.#faults.get(key);
    if (known !== undefined && this.#now() < known.until) return;
    if (this.#faults.size >= MOST_POINTERS) this.#faults.clear();
    this.#faults.set(key, { problem, until: this.#now() + BROKEN_MS });
  }

  #expireSoon(name: string): void {
    const entry = this.#pointers.get(name);
    if (entry === undefined) return;
    this.#pointers.set(name, { ...entry, until: Math.min(entry.until, this.#now() + BROKEN_MS) });
  }

  #keepManifest(sha256: string, manifest: M, bytes: number): void {
    const { kept } = this.#options;
    if (bytes > kept.bytes || kept.entries === 0) return;
    if (!this.#manifests.has(sha256)) this.#bytes += bytes;
    this.#manifests.set(sha256, { manifest, bytes });
    for (const [oldest, { bytes: freed }] of this.#manifests) {
      if (this.#bytes <= kept.bytes && this.#manifests.size <= kept.entries) return;
      this.#manifests.delete(oldest);
      this.#bytes -= freed;
    }
  }

  /** Rejects when the store takes too long; a late answer is dropped. */
  async #within<T>(work: Promise<T>, factor = 1): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const milliseconds = (this.#options.waitMs ?? WAIT_MS) * factor;
    const timer = setTimeout(() => reject(new Error("the store took too long")), milliseconds);
    try {
      const value = await Promise.race([work, late]);
      this.#isStoreSilent = false;
      return value;
    } catch (error) {
      this.#isStoreSilent = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Two pointers may name one digest, and only one of them the right length. */
const faultKey = ({ manifest: { sha256, bytes } }: Pointer): string => `${sha256} ${bytes}`;

const broken = (problem: string) => ({ kind: "broken", problem }) as const;

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function jsonIn(bytes: Uint8Array): { readonly value: unknown } | undefined {
  const text = textIn(bytes);
  try {
    return text === undefined ? undefined : { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
