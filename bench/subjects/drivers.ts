/** Cost of each source in the Worker of the connectors: bytes, and the wait of an isolate's first statement. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { distribution, kibibytes, median, milliseconds } from "../notebook/figures.ts";
import { table } from "../notebook/page.ts";
import { type Candidate, type Candidates, inNewIsolates, STARTS } from "../rig/new-isolates.ts";
import { LIKE_WRANGLER, leaveOut, type Packed, packed } from "../rig/packed.ts";
import { ROOT } from "../rig/worker-bundle.ts";
import type { Run, Section } from "../subject.ts";

/** Modules of `src/connectors` by what they are for: each is loaded when a connection asks for it (`open-here.ts`). */
const DRIVERS: Readonly<Record<string, string>> = {
  athena: "http/athena",
  bigquery: "http/bigquery",
  canner: "socket/canner",
  clickhouse: "http/clickhouse",
  databricks: "http/databricks",
  doris: "socket/doris",
  mysql: "socket/mysql",
  "mysql on PlanetScale": "http/planetscale",
  postgres: "socket/postgres",
  "postgres on Neon": "http/neon",
  redshift: "socket/redshift",
  snowflake: "http/snowflake",
  trino: "http/trino",
};

const ANSWER = "export default { async fetch(request) { return new Response((await request.text()).slice(0, 1)); } };";

export async function drivers(run: Run): Promise<Section> {
  const whole = await packed(join(ROOT, "src/connectors-worker.ts"), run.bundle.keepNames, [], run.bundle.alias);
  const candidates = await candidatesOf(run);
  const samples = await inNewIsolates(run, { body: "{}" }, candidates);
  const base = median(samples["trivial"] ?? []);
  const rows: string[][] = [];
  for (const [name, module] of Object.entries(DRIVERS)) {
    const rest = await without(run, module);
    const { p50, max } = distribution(samples[name] ?? []);
    const sizes = [statSync(candidates[name]?.file ?? "").size, whole.bytes - rest.bytes, whole.zipped - rest.zipped];
    rows.push([name, ...sizes.map(kibibytes), `${milliseconds(p50)} (${milliseconds(max)})`, milliseconds(p50 - base)]);
  }
  return {
    title: "What each source adds",
    budgets: [],
    text: [
      `The Worker of the connectors is ${kibibytes(whole.bytes)} KiB minified, ${kibibytes(whole.zipped)} KiB with gzip, and no plan waits for it. *Alone* is a Worker that loads this source's module and nothing else; *adds* is what the whole loses when it is left out: much is shared, and stays. *First request*: of a new isolate of the Worker alone, median of ${STARTS} (and the slowest), and over a trivial one, in milliseconds; nothing is connected to. KiB.`,
      table(["Source", "alone, minified", "adds, minified", "adds, gzip", "first request", "over trivial"], rows),
      "Not here: sources that the sidecar alone serves, which add nothing to a Worker; and the files Worker, whose engine is 7 MiB packed and is a Worker of its own for that.",
    ].join("\n\n"),
  };
}

function without(run: Run, module: string): Promise<Packed> {
  const leaves = leaveOut(new RegExp(`^src/connectors/${module}\\.ts$`));
  return packed(join(ROOT, "src/connectors-worker.ts"), run.bundle.keepNames, [leaves], run.bundle.alias);
}

async function candidatesOf(run: Run): Promise<Candidates> {
  const texts = { trivial: ANSWER, ...Object.fromEntries(Object.entries(DRIVERS).map(loading)) };
  const built = Object.entries(texts).map(async ([name, contents]): Promise<readonly [string, Candidate]> => {
    const outfile = join(run.directory, `${name.replaceAll(" ", "-")}.mjs`);
    await build({
      ...LIKE_WRANGLER,
      stdin: { contents, resolveDir: ROOT },
      outfile,
      write: true,
      metafile: false,
      keepNames: run.bundle.keepNames,
      alias: run.bundle.alias,
      // Wrangler hands over the platform's modules to drivers that `require` them; here the platform does.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("file:///");' },
    });
    return [name, { title: name, file: outfile, path: "/" }];
  });
  return Object.fromEntries(await Promise.all(built));
}

function loading([name, module]: readonly [string, string]): readonly [string, string] {
  return [name, `import * as driver from "./src/connectors/${module}.ts";\nglobalThis.driver = driver;\n${ANSWER}`];
}
