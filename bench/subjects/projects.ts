/** First request after a project's pointer has changed, over the first request that brings a new manifest itself. */
import { createHash } from "node:crypto";
import { loadManifest, type Manifest, plan, readManifestText } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { ProjectLibrary } from "../../src/projects/library.ts";
import { manifestPath, pointerPath } from "../../src/projects/store.ts";
import { createManifestCache } from "../../src/service/manifest-cache.ts";
import { distribution, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { MODELLED_QUERIES, modelledManifest, SESSION } from "../rig/models.ts";
import { ratioBudget, type Section } from "../subject.ts";

const MODELS = 500;
const ROUNDS = 40;
const MAX_BYTES = 16 * 1024 * 1024;
const KEPT = { bytes: 64 * 1024 * 1024, entries: 64 };
/** Both read, decode and plan the same; a project adds a digest and saves the base64. */
const BUDGET = 1.1;
export async function projects(): Promise<Section> {
  const files = new Map<string, Uint8Array>();
  const clock = { now: 1_700_000_000_000 };
  const library = new ProjectLibrary<Manifest>({
    store: { read: async (path) => files.get(path), list: async () => ({ names: [] }) },
    load: (text) => {
      const loaded = readManifestText(text, MAX_BYTES);
      return loaded.ok ? loaded : { ok: false, problem: loaded.error.message };
    },
    maxManifestBytes: MAX_BYTES,
    kept: KEPT,
    remark: () => undefined,
    now: () => clock.now,
  });
  const cache = createManifestCache({
    maxLength: KEPT.bytes,
    maxEntries: KEPT.entries,
    load: (base64) => loadManifest(base64, MAX_BYTES),
  });
  const text = Buffer.from(modelledManifest(MODELS), "base64").toString();
  const [query] = MODELLED_QUERIES;
  if (query === undefined) throw new Error("there is no query");
  const planned = (manifest: Manifest): void => {
    const options = { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "strict" } as const;
    const outcome = plan({ sql: query.sql, manifest, source: "postgres", session: SESSION, options });
    if (!outcome.ok) throw outcome.error;
  };
  const ofProject = async (): Promise<void> => {
    const outcome = await library.open("sales");
    if (outcome.kind !== "open") throw new Error(outcome.kind);
    planned(outcome.project.manifest);
  };
  const [fresh, changed, same, warm]: readonly [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const next = text.replace("{", `{"description":"version ${round}",`);
    const body = JSON.stringify({ manifestStr: Buffer.from(next).toString("base64") });
    push(files, next);
    clock.now += 31_000;
    const both = [
      async () =>
        fresh.push(
          await took(async () => {
            const { manifestStr } = JSON.parse(body) as { readonly manifestStr: string };
            const manifest = cache.get(manifestStr);
            if (!manifest.ok) throw manifest.error;
            planned(manifest.value);
          }),
        ),
      async () => changed.push(await took(ofProject)),
    ];
    for (const each of round % 2 === 0 ? both : both.toReversed()) await each();
    warm.push(await took(ofProject));
    clock.now += 31_000;
    same.push(await took(ofProject));
  }
  const half = (samples: readonly number[]): readonly number[] => samples.slice(ROUNDS / 2);
  const rows = (
    [
      ["a manifest in the request, for the first time", fresh],
      ["a project whose pointer has changed", changed],
      ["a project whose pointer is read again and has not changed", same],
      ["a project whose pointer was just read", warm],
    ] as const
  ).map(([what, samples]) => {
    const { p50, p99 } = distribution(half(samples));
    return [what, milliseconds(p50), milliseconds(p99)];
  });
  return {
    title: "Projects",
    budgets: [
      ratioBudget(
        `First request after a pointer's change, over the first with a new manifest, ${MODELS} models`,
        median(half(changed)) / median(half(fresh)),
        BUDGET,
        "look for a second read, decoding or digest of the manifest (`projects/library.ts`)",
      ),
    ],
    text: [
      `The manifest has ${(text.length / 1024 / 1024).toFixed(1)} MiB and another text in each round. Both ways take turns: JSON body, base64, decoding and one plan; or pointer, manifest, two digests, decoding and the same plan. In Node with a store in memory, medians of the later half of ${ROUNDS} rounds, in milliseconds.`,
      table(["Request", "median", "p99"], rows),
      "Not shown: the network to KV or R2.",
    ].join("\n\n"),
  };
}

function push(files: Map<string, Uint8Array>, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  files.clear();
  files.set(manifestPath(sha256), bytes);
  const pointer = { version: 1, name: "sales", connection: "warehouse", manifest: { sha256, bytes: bytes.length } };
  files.set(pointerPath("sales"), new TextEncoder().encode(JSON.stringify(pointer)));
}

async function took(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
