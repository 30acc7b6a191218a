/** The first plan of code that has just been loaded: in Node, in a new workerd process, in a new isolate of a running one. */
import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { distribution, kibibytes, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { type Call, timeOfOne } from "../rig/http-client.ts";
import { tpchManifest } from "../rig/queries.ts";
import { ROOT } from "../rig/worker-bundle.ts";
import { type RunningWorkerd, startWorkerd } from "../rig/workerd.ts";
import type { Run, Section } from "../subject.ts";

const STARTS = 21;
const BUDGET_MS = 40;
const PATH = "/v3/connector/dry-plan";

/** What any Worker costs: it reads the request's body and answers. */
const TRIVIAL = `export default { async fetch(request) { return new Response((await request.text()).slice(0, 1)); } };`;

/** Gives every request an isolate of its own, made of the text in CODE. */
const LOADER = `let count = 0;
export default {
  fetch(request, { LOADER, CODE, FLAGS, DATE }) {
    const code = () => ({ compatibilityDate: DATE, compatibilityFlags: FLAGS.split(","), mainModule: "main.js",
      modules: { "main.js": CODE }, env: { AUTH: "none" } });
    return LOADER.get(String(count++), code).getEntrypoint().fetch(request);
  },
};`;

/** Milliseconds of one thing that was done many times, by our code and by the trivial Worker in turn. */
interface Pairs {
  readonly ours: readonly number[];
  readonly trivial: readonly number[];
}

export async function coldStart(run: Run): Promise<Section> {
  const { queries, title } = run.standard;
  const sql = queries[0]?.sql ?? "";
  const call: Omit<Call, "url"> = { body: JSON.stringify({ sql, manifestStr: tpchManifest() }) };
  const node = await inNode(run, sql);
  const files = { trivial: join(run.directory, "trivial.js"), loader: join(run.directory, "loader.js") };
  writeFileSync(files.trivial, TRIVIAL);
  writeFileSync(files.loader, LOADER);
  const processes = await inNewProcesses(run, call, files.trivial);
  const isolates = await inNewIsolates(run, call, files);
  const process = difference(processes.answered);
  const isolate = difference(isolates);
  return {
    title: "The first plan, cold",
    budgets: [
      budget("Cold first plan, Node: import, manifest, plan", median(node.map(({ total }) => total))),
      budget("Cold first plan, new workerd process, over a trivial Worker", process),
      budget("Cold first plan, new isolate in a running workerd, over a trivial Worker", isolate),
    ],
    text: [
      `${STARTS} starts each, nothing kept from one to the next. The query is the first of ${title}, its manifest has eight models. In workerd, where clocks stand still while code runs, everything is timed from outside, over HTTP on a new connection, against a Worker that only reads the body and answers; the two take turns. workerd compiles the Workers and runs their modules before it listens, so the whole way from the start of the process to the answer counts.`,
      table(
        ["Node: a new process, the planner as one minified file", "median ms", "max"],
        (
          [
            ["import (read, compile, run the modules)", "imported"],
            ["decode and index the manifest", "manifest"],
            ["first plan", "planned"],
            ["together", "total"],
          ] as const
        ).map(([what, key]) =>
          row(
            what,
            node.map((times) => times[key]),
          ),
        ),
      ),
      table(
        [
          `workerd: the Worker (${kibibytes(statSync(run.bundle.file).size)} KiB), \`POST ${PATH}\``,
          "median ms",
          "max",
        ],
        [
          row("new process: start to listening, the Worker", processes.listening.ours),
          row("new process: start to listening, trivial Worker", processes.listening.trivial),
          row("new process: first request, the Worker", processes.first.ours),
          row("new process: first request, trivial Worker", processes.first.trivial),
          row("new process: start to first answer, the Worker", processes.answered.ours),
          row("new process: start to first answer, trivial Worker", processes.answered.trivial),
          ["**new process: difference of the medians**", milliseconds(process), ""],
          row("new isolate (worker loader): first request, the Worker", isolates.ours),
          row("new isolate (worker loader): first request, trivial Worker", isolates.trivial),
          ["**new isolate: difference of the medians**", milliseconds(isolate), ""],
        ],
      ),
      "Not shown: how Cloudflare starts an isolate. It may keep compiled code, and it starts an isolate during the TLS handshake of the first request.",
    ].join("\n\n"),
  };
}

function budget(what: string, value: number): Section["budgets"][number] {
  return { what, target: `≤ ${BUDGET_MS} ms`, measured: `${milliseconds(value)} ms`, met: value <= BUDGET_MS };
}

function row(what: string, samples: readonly number[]): readonly string[] {
  const { p50, max } = distribution(samples);
  return [what, milliseconds(p50), milliseconds(max)];
}

function difference({ ours, trivial }: Pairs): number {
  return median(ours) - median(trivial);
}

interface NodeTimes {
  readonly imported: number;
  readonly manifest: number;
  readonly planned: number;
  readonly total: number;
}

async function inNode(run: Run, sql: string): Promise<readonly NodeTimes[]> {
  const planner = join(run.directory, "planner.mjs");
  await build({
    entryPoints: [join(ROOT, "src/planner/index.ts")],
    outfile: planner,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
  });
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
  return `const started = performance.now();
const { loadManifest, plan } = await import(${JSON.stringify(planner)});
const imported = performance.now();
const manifest = loadManifest(${JSON.stringify(tpchManifest())}, 16777216);
const opened = performance.now();
const limits = { sqlLength: 1048576, depth: 500, tokens: 500000, identifierLength: 1024, joins: 256 };
const options = { limits, unknownFunctions: "warn", accessControl: "standard" };
const outcome = plan({ sql: ${JSON.stringify(sql)}, manifest: manifest.value, source: "postgres", session: new Map(), options });
const ended = performance.now();
if (!outcome.ok) throw outcome.error;
console.log(JSON.stringify({ imported: imported - started, manifest: opened - imported, planned: ended - opened, total: ended - started }));
`;
}

async function inNewProcesses(
  run: Run,
  call: Omit<Call, "url">,
  trivial: string,
): Promise<{ readonly listening: Pairs; readonly first: Pairs; readonly answered: Pairs }> {
  const start = (file: string): Promise<RunningWorkerd> =>
    startWorkerd(run, [{ name: "main", file, variables: { AUTH: "none" } }]);
  const measure = async (file: string): Promise<{ listening: number; first: number; answered: number }> => {
    const worker = await start(file);
    const listening = performance.now() - worker.spawnedAt;
    const first = await timeOfOne({ ...call, url: `${worker.urls["main"]}${PATH}` });
    const answered = performance.now() - worker.spawnedAt;
    await worker.stop();
    return { listening, first, answered };
  };
  const ours: Awaited<ReturnType<typeof measure>>[] = [];
  const trivials: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round < STARTS; round++) {
    trivials.push(await measure(trivial));
    ours.push(await measure(run.bundle.file));
  }
  const pairs = (key: "listening" | "first" | "answered"): Pairs => ({
    ours: ours.map((times) => times[key]),
    trivial: trivials.map((times) => times[key]),
  });
  return { listening: pairs("listening"), first: pairs("first"), answered: pairs("answered") };
}

async function inNewIsolates(
  run: Run,
  call: Omit<Call, "url">,
  { trivial, loader }: { readonly trivial: string; readonly loader: string },
): Promise<Pairs> {
  const variables = { DATE: run.bundle.compatibilityDate, FLAGS: run.bundle.compatibilityFlags.join(",") };
  const worker = await startWorkerd(run, [
    { name: "ours", file: loader, variables, loads: run.bundle.file },
    { name: "trivial", file: loader, variables, loads: trivial },
  ]);
  const pairs = { ours: [] as number[], trivial: [] as number[] };
  for (let round = 0; round < STARTS; round++) {
    for (const name of ["trivial", "ours"] as const) {
      pairs[name].push(await timeOfOne({ ...call, url: `${worker.urls[name]}${PATH}` }));
    }
  }
  await worker.stop();
  return pairs;
}
