/** Publishes a project: the manifest under its digest first, read back, and then the pointer to it. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { limitsBilling } from "../../src/connectors/connection/connection-info.ts";
import { checkOfManifest, type Manifest, plan, readManifestText } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { LARGEST_POINTER, type Pointer, readPointer, type StoredQuestion } from "../../src/projects/pointer.ts";
import { manifestPath, pointerPath } from "../../src/projects/store.ts";
import { billingProblem } from "../../src/service/projects/open.ts";
import { readFolder } from "../project/folder.ts";
import type { WritableStore } from "./store.ts";

const LARGEST_MANIFEST = 48 * 1024 * 1024;

/** The reason why a project is not published, as a sentence. */
export class PushRefusal extends Error {}

export interface Prepared {
  readonly name: string;
  readonly pointer: Uint8Array;
  readonly manifest: Uint8Array;
  readonly sha256: string;
  readonly remarks: readonly string[];
}

export interface PushReport {
  readonly name: string;
  readonly changes: readonly string[];
  readonly remarks: readonly string[];
}

/**
 * Reads a project's file: the pointer, with the path of the manifest's file in the place of its digest. The whole manifest and the
 * stored questions are planned for `source`. Throws `PushRefusal`.
 */
export function prepare(file: string, source: DataSource): Prepared {
  const json = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const { name, manifest: manifestFile } = json;
  if (typeof name !== "string") throw new PushRefusal(`${file} has no name.`);
  if (typeof manifestFile !== "string")
    throw new PushRefusal(`${file}: manifest must be the path of the manifest's file.`);
  const manifest = manifestIn(join(dirname(file), manifestFile), manifestFile);
  const sha256 = createHash("sha256").update(manifest).digest("hex");
  const whole = { ...json, manifest: { sha256, bytes: manifest.length } };
  const pointer = new TextEncoder().encode(`${JSON.stringify(whole, null, 2)}\n`);
  if (pointer.length > LARGEST_POINTER) throw new PushRefusal(`${file} is larger than ${LARGEST_POINTER} bytes.`);
  const outcome = readPointer(whole, name);
  if (!outcome.ok) throw new PushRefusal(`${file}: ${outcome.problem}.`);
  const warnings = checkProject(outcome.pointer, manifest, source);
  return { name, pointer, manifest, sha256, remarks: [...outcome.remarks, ...warnings] };
}

/** A manifest's file, or the manifest of a project folder. */
function manifestIn(path: string, shown: string): Uint8Array {
  if (!statSync(path).isDirectory()) return new Uint8Array(readFileSync(path));
  return new TextEncoder().encode(readFolder(path, shown).manifestText);
}

/** Plans all of a project for the kind of its connection; returns warnings. Throws `PushRefusal`. */
function checkProject({ questions, limits }: Pointer, manifest: Uint8Array, source: DataSource): readonly string[] {
  if (limits.bytesBilled !== undefined && !limitsBilling(source)) throw new PushRefusal(`${billingProblem(source)}.`);
  const checked = checkedManifest(manifest, source);
  checkQuestions(questions, checked.manifest, source);
  return checked.warnings;
}

function checkedManifest(
  bytes: Uint8Array,
  source: DataSource,
): { readonly manifest: Manifest; readonly warnings: readonly string[] } {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  const loaded = readManifestText(text, LARGEST_MANIFEST);
  if (!loaded.ok) throw new PushRefusal(`The manifest is wrong: ${loaded.error.message}.`);
  const manifest = loaded.value;
  const report = checkOfManifest({ manifest, source, limits: DEFAULT_LIMITS, unknownFunctions: "warn" });
  if (!report.ok) throw new PushRefusal(report.error.message);
  const { problems, warnings } = report.value;
  if (problems.length > 0)
    throw new PushRefusal(`The manifest is wrong: ${problems.map(({ message }) => message).join("; ")}.`);
  return { manifest, warnings: warnings.map(({ message }) => message) };
}

/** A question over rules needs values of a session, which nobody has here: that refusal is none of the question's. */
function checkQuestions(questions: ReadonlyMap<string, StoredQuestion>, manifest: Manifest, source: DataSource): void {
  for (const [name, { sql, parameters }] of questions) {
    const outcome = plan({
      sql,
      ...(parameters !== undefined && { parameters }),
      manifest,
      source,
      session: new Map(),
      options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
    });
    if (outcome.ok || outcome.error.reason.startsWith("SESSION_PROPERTY")) continue;
    throw new PushRefusal(`The question "${name}" is wrong: ${outcome.error.message}`);
  }
}

/** Changes that a push would make, one sentence each; none if the store has the same project. */
export async function changesOf(
  { name, pointer, manifest, sha256 }: Prepared,
  store: WritableStore,
): Promise<readonly string[]> {
  const before = await store.read(pointerPath(name));
  if (before === undefined) return [`new project ${name}, with a manifest of ${manifest.length} bytes`];
  const old = jsonIn(before);
  if (old === undefined) return ["the published pointer is not a JSON object and is replaced"];
  const next = JSON.parse(new TextDecoder().decode(pointer)) as Record<string, unknown>;
  const members = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter((each) => each !== "manifest");
  const changed = members.filter((each) => JSON.stringify(old[each]) !== JSON.stringify(next[each]));
  const { sha256: oldDigest } = (old["manifest"] ?? {}) as { readonly sha256?: string };
  const stored =
    oldDigest === undefined || oldDigest === sha256 ? undefined : await store.read(manifestPath(oldDigest));
  return [
    ...changed.map((each) => `${each}: ${shown(old[each])} → ${shown(next[each])}`),
    ...(oldDigest === sha256 ? [] : [`manifest: ${oldDigest?.slice(0, 12) ?? "none"} → ${sha256.slice(0, 12)}`]),
    ...(stored === undefined ? [] : objectsChanged(stored, manifest)),
  ];
}

/** Models, views and cubes that are added, removed or changed. */
function objectsChanged(before: Uint8Array, after: Uint8Array): readonly string[] {
  const [old, next] = [objectsIn(before), objectsIn(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])];
  return names.flatMap((name) => {
    const [a, b] = [old.get(name), next.get(name)];
    if (a === b) return [];
    return `  ${a === undefined ? "added" : b === undefined ? "removed" : "changed"}: ${name}`;
  });
}

function objectsIn(bytes: Uint8Array): ReadonlyMap<string, string> {
  // The published manifest may be the broken one that this push replaces.
  const manifest = jsonIn(bytes) ?? {};
  const kinds = { models: "model", views: "view", cubes: "cube", relationships: "relationship" };
  return new Map(
    Object.entries(kinds).flatMap(([member, kind]) =>
      listIn(manifest[member]).map((each) => [`${kind} ${String(each?.name)}`, JSON.stringify(each)] as const),
    ),
  );
}

const listIn = (value: unknown): readonly ({ readonly name?: unknown } | null)[] => (Array.isArray(value) ? value : []);

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** Writes the project unless the store has it already. Throws `PushRefusal`. */
export async function push(file: string, store: WritableStore, source: DataSource): Promise<PushReport> {
  const prepared = prepare(file, source);
  const { name, pointer, manifest, sha256, remarks } = prepared;
  const changes = await changesOf(prepared, store);
  if (changes.length > 0) {
    await store.write(manifestPath(sha256), manifest);
    const back = await store.read(manifestPath(sha256));
    if (back === undefined || createHash("sha256").update(back).digest("hex") !== sha256) {
      throw new PushRefusal("The store did not keep the manifest as it was sent; the pointer is unchanged.");
    }
    await store.write(pointerPath(name), pointer);
  }
  return { name, changes, remarks };
}

export interface Published {
  readonly pointer: Record<string, unknown>;
  /** The pointer, if it can be read. */
  readonly read: Pointer | undefined;
  readonly manifest: Uint8Array | undefined;
  readonly problem: string | undefined;
}

/** The pointer and the manifest of a published project, and what is wrong with them before anything is planned. */
export async function pull(name: string, store: WritableStore): Promise<Published> {
  const bytes = await store.read(pointerPath(name));
  if (bytes === undefined) throw new PushRefusal(`There is no project ${name}.`);
  const json = jsonIn(bytes);
  const nothing = { pointer: json ?? {}, read: undefined, manifest: undefined };
  if (json === undefined) return { ...nothing, problem: "the pointer is not a JSON object" };
  const outcome = readPointer(json, name);
  if (!outcome.ok) return { ...nothing, problem: outcome.problem };
  const read = outcome.pointer;
  const { sha256 } = read.manifest;
  const manifest = await store.read(manifestPath(sha256));
  const problem = manifest === undefined ? `there is no manifest ${sha256}` : problemIn(manifest, read.manifest);
  return { pointer: json, read, manifest, problem };
}

function jsonIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function problemIn(manifest: Uint8Array, { sha256, bytes }: Pointer["manifest"]): string | undefined {
  if (manifest.length !== bytes) return `the manifest has ${manifest.length} bytes, and the pointer says ${bytes}`;
  if (createHash("sha256").update(manifest).digest("hex") !== sha256) return "the manifest has another digest";
  const loaded = readManifestText(new TextDecoder().decode(manifest), LARGEST_MANIFEST);
  return loaded.ok ? undefined : loaded.error.message;
}

/** The kind of the connection with that name; a sentence in `problem` if there is no such connection. */
export type KindOf = (connection: string) => { readonly source: DataSource } | { readonly problem: string } | undefined;

export interface Examined {
  readonly name: string;
  readonly title: string;
  /** `read`: nothing was planned, because the kind of the connection is not known. */
  readonly state: "ready" | "read" | "broken";
  readonly problem?: string;
}

/** Reads a published project as the service does, and plans all of it as a push does. */
export async function examined(name: string, store: WritableStore, kindOf: KindOf): Promise<Examined> {
  const { pointer, read, manifest, problem } = await pull(name, store);
  const title = typeof pointer["title"] === "string" ? pointer["title"] : "";
  if (problem !== undefined || read === undefined || manifest === undefined) {
    return { name, title, state: "broken", problem: problem ?? "the manifest cannot be read" };
  }
  const kind = kindOf(read.connection);
  if (kind === undefined) return { name, title, state: "read" };
  if ("problem" in kind) return { name, title, state: "broken", problem: kind.problem };
  try {
    checkProject(read, manifest, kind.source);
    return { name, title, state: "ready" };
  } catch (error) {
    if (error instanceof PushRefusal) return { name, title, state: "broken", problem: error.message };
    throw error;
  }
}
