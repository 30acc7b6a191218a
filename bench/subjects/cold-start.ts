/** The first plan of code that has just been loaded: in Node, in a new workerd process, in a new isolate of a running one. */
import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { DIALECTS } from "../../scripts/service/dialects.ts";
import { buildWorker } from "../../scripts/service/worker-bundle.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { distribution, kibibytes, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { cpuMilliseconds } from "../rig/cpu-time.ts";
import { type Call, timeOfOne } from "../rig/http-client.ts";
import {
  type Candidate,
  type Candidates,
  inNewIsolates,
  noSamples,
  type Samples,
  STARTS,
} from "../rig/new-isolates.ts";
import { buildPlanner } from "../rig/planner-bundle.ts";
import { tpchManifest } from "../rig/queries.ts";
import { ROOT } from "../rig/worker-bundle.ts";
import { startWorkerd } from "../rig/workerd.ts";
import { type Run, ratioBudget, type Section } from "../subject.ts";

/** Over a trivial Worker of hono and zod. */
const BUDGETS = { one: 4, all: 5 } as const;
const REASON =
  "V8 reads past the whole bundle and compiles what it calls; leave dialects out (`npm run deploy -- --dialects …`)";
const PATH = "/v3/connector/postgres/dry-plan";

/** The variants compared: a minimal Worker, the expensive parts, the whole. */
const VARIANTS = {
  trivial: `export default { async fetch(request) { return new Response((await request.text()).slice(0, 1)); } };`,
  hono: `import { Hono } from "hono/quick";
const app = new Hono();
app.post("*", async (context) => context.text((await context.req.text()).slice(0, 1)));
export default app;`,
  zod: `import * as z from "zod/mini";
const body = z.object({ sql: z.string(), manifestStr: z.string() });
export default { async fetch(request) { return new Response(body.parse(await request.json()).sql.slice(0, 1)); } };`,
  frame: `import { Hono } from "hono/quick";
import * as z from "zod/mini";
const body = z.object({ sql: z.string(), manifestStr: z.string() });
const app = new Hono();
app.post("*", async (context) => context.text(body.parse(await context.req.json()).sql.slice(0, 1)));
export default app;`,
  connectors: `import * as sources from "./src/connectors/sources.ts";
export default { async fetch(request) { return new Response((await request.text()).slice(0, typeof sources.openConnector)); } };`,
  planner: `import { loadManifest, plan } from "./src/planner/index.ts";
import { DEFAULT_LIMITS as limits } from "./src/planner/limits.ts";
const options = { limits, unknownFunctions: "warn", accessControl: "standard" };
export default {
  async fetch(request) {
    const { sql, manifestStr } = await request.json();
    const manifest = loadManifest(manifestStr, 1 << 24).value;
    return new Response(plan({ sql, manifest, source: "postgres", session: new Map(), options }).value.sql);
  },
};`,
} as const;

const TITLES: Readonly<Record<keyof typeof VARIANTS, string>> = {
  trivial: "a trivial Worker: reads the body, answers",
  hono: "the same by hono",
  zod: "the same, the body checked by zod",
  frame: "the same by hono, the body checked by zod",
  connectors: "the table of sources, and the drivers in the bundle that no request has asked for",
  planner: "the planner, a manifest and a plan, nothing else",
};

const of = (samples: Samples, name: string): readonly number[] => samples[name] ?? [];

export async function coldStart(run: Run): Promise<Section> {
  const { queries, title } = run.standard;
  const sql = queries[0]?.sql ?? "";
  const call: Omit<Call, "url"> = { body: JSON.stringify({ sql, manifestStr: tpchManifest() }) };
  const node = await inNode(run, sql);
  const whole = await builds(run);
  const alone = await buildsOfOneDialect(run);
  const processes = await inNewProcesses(run, call, whole);
  const isolates = await inNewIsolates(run, call, { ...whole, ...alone });
  const over = (samples: Samples, name: string): number => median(of(samples, name)) - median(of(samples, "trivial"));
  const ratio = (name: string): number => median(of(isolates, name)) / median(of(isolates, "frame"));
  const slowest = Math.max(...Object.keys(alone).map(ratio));
  return {
    title: "The first plan, cold",
    budgets: [
      ratioBudget(
        "First plan of a new isolate, one dialect, the slowest of them, over a trivial Worker of hono and zod",
        slowest,
        BUDGETS.one,
        REASON,
      ),
      ratioBudget("The same with all dialects", ratio("worker"), BUDGETS.all, REASON),
    ],
    text: [
      `${STARTS} starts each, nothing kept from one to the next. The query is the first of ${title}, its manifest has eight models. In workerd, where clocks stand still while code runs, everything is timed from outside, over HTTP on a new connection (\`POST ${PATH}\`); the variants take turns. Medians (and the slowest) in milliseconds.`,
      table(
        ["Node: a new process, the planner as one minified file", "median", "slowest"],
        (
          [
            ["import (read, compile, run the modules)", "imported"],
            ["decode and index the manifest", "manifest"],
            ["first plan", "planned"],
            ["**together**", "total"],
          ] as const
        ).map(([what, key]) =>
          row(
            what,
            node.map((times) => times[key]),
          ),
        ),
      ),
      "workerd, a new process per start. It compiles a Worker and runs its modules before it listens, so the whole way from the start of the process to the first answer counts. *CPU* is what all threads of workerd used up to then: it does not depend on who else wants the cores.",
      table(
        ["New process", "KiB", "listens", "first request", "start to answer", "over trivial", "CPU", "over trivial"],
        Object.entries(whole).map(([name, { title, file }]) => [
          title,
          kibibytes(statSync(file).size),
          milliseconds(median(of(processes.listening, name))),
          milliseconds(median(of(processes.first, name))),
          spread(of(processes.answered, name)),
          milliseconds(over(processes.answered, name)),
          milliseconds(median(of(processes.cpu, name))),
          milliseconds(over(processes.cpu, name)),
        ]),
      ),
      "workerd, a new isolate in a process that runs (its Worker loader): compiling, running the modules and the first request, all within the one request that is timed.",
      table(
        ["New isolate", "KiB", "first request", "over trivial"],
        Object.entries({ ...whole, ...alone }).map(([name, { title, file }]) => [
          title,
          kibibytes(statSync(file).size),
          spread(of(isolates, name)),
          milliseconds(over(isolates, name)),
        ]),
      ),
      "Where the time goes: V8 compiles every function when it is first called, and runs it unoptimised; before that it has read past all of the bundle, what nobody has called yet included: 4 to 6 ms of CPU for every 100 KB on this machine. So every dialect costs each first plan some 3 ms, and a deployment that plans for some sources only can leave the others out (`--dialects`, docs/guide/deploy.md). What the parts above leave of the Worker is the application's own modules.",
      "Not shown: how Cloudflare starts an isolate. It may keep compiled code, and it starts one while the first request's TLS handshake is still going on.",
    ].join("\n\n"),
  };
}

function row(what: string, samples: readonly number[]): readonly string[] {
  const { p50, max } = distribution(samples);
  return [what, milliseconds(p50), milliseconds(max)];
}

function spread(samples: readonly number[]): string {
  const { p50, max } = distribution(samples);
  return `${milliseconds(p50)} (${milliseconds(max)})`;
}

interface NodeTimes {
  readonly imported: number;
  readonly manifest: number;
  readonly planned: number;
  readonly total: number;
}

async function inNode(run: Run, sql: string): Promise<readonly NodeTimes[]> {
  const planner = join(run.directory, "planner.mjs");
  await buildPlanner({ outfile: planner, keepNames: run.bundle.keepNames });
  const script = join(run.directory, "first-plan.mjs");
  writeFileSync(script, firstPlanScript(planner, sql));
  const times: NodeTimes[] = [];
  for (let start = 0; start < STARTS; start++) {
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    times.push(JSON.parse(stdout) as NodeTimes);
  }
  return times;
}

function firstPlanScript(planner: string, sql: string): string {
  const options = { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" };
  return `const started = performance.now();
const { loadManifest, plan } = await import(${JSON.stringify(planner)});
const imported = performance.now();
const manifest = loadManifest(${JSON.stringify(tpchManifest())}, 16777216).value;
const opened = performance.now();
const outcome = plan({ sql: ${JSON.stringify(sql)}, manifest, source: "postgres", session: new Map(), options: ${JSON.stringify(options)} });
const ended = performance.now();
if (!outcome.ok) throw outcome.error;
console.log(JSON.stringify({ imported: imported - started, manifest: opened - imported, planned: ended - opened, total: ended - started }));
`;
}

async function builds(run: Run): Promise<Candidates> {
  const bundle = async ([name, contents]: readonly [string, string]): Promise<readonly [string, Candidate]> => {
    const outfile = join(run.directory, `${name}.mjs`);
    await build({
      stdin: { contents, resolveDir: ROOT },
      outfile,
      bundle: true,
      minify: true,
      keepNames: run.bundle.keepNames,
      format: "esm",
      target: "es2024",
      conditions: ["workerd", "worker", "browser"],
      alias: { ...run.bundle.alias, events: "node:events" },
      external: ["node:*", "cloudflare:*", "pg-native"],
    });
    return [name, { title: TITLES[name as keyof typeof VARIANTS], file: outfile, path: PATH }];
  };
  const built = await Promise.all(Object.entries(VARIANTS).map(bundle));
  const worker: Candidate = { title: "**the Worker**, with all dialects", file: run.bundle.file, path: PATH };
  return { ...Object.fromEntries(built), worker };
}

/** The Worker as `npm run deploy -- --dialects NAME` builds it; asked for a plan of that dialect. */
async function buildsOfOneDialect(run: Run): Promise<Candidates> {
  const built = DIALECTS.map(async (dialect): Promise<readonly [string, Candidate]> => {
    const directory = join(run.directory, `only-${dialect}`);
    await buildWorker("api", directory, { dialects: [dialect] });
    const path = `/v3/connector/${dialect}/dry-plan`;
    return [`only-${dialect}`, { title: `the Worker with ${dialect} alone`, file: join(directory, "worker.js"), path }];
  });
  return Object.fromEntries(await Promise.all(built));
}

async function inNewProcesses(
  run: Run,
  call: Omit<Call, "url">,
  candidates: Candidates,
): Promise<Readonly<Record<"listening" | "first" | "answered" | "cpu", Samples>>> {
  const none = (): Samples => noSamples(candidates);
  const samples = { listening: none(), first: none(), answered: none(), cpu: none() };
  for (let round = 0; round < STARTS; round++) {
    for (const [name, { file, path }] of Object.entries(candidates)) {
      const worker = await startWorkerd(run, [{ name: "main", file, variables: { AUTH: "none" } }]);
      samples.listening[name]?.push(performance.now() - worker.spawnedAt);
      samples.first[name]?.push(await timeOfOne({ ...call, url: `${worker.urls["main"]}${path}` }));
      samples.answered[name]?.push(performance.now() - worker.spawnedAt);
      samples.cpu[name]?.push(cpuMilliseconds(worker.pid));
      await worker.stop();
    }
  }
  return samples;
}
