/** `npm start`: the API Worker in workerd and the sidecar beside it, both on loopback, until Ctrl-C. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";
import { readWorkerSettings, workerSettings } from "../src/config.ts";
import { createAuthenticator } from "../src/guard/authentication.ts";
import { Sidecar, SidecarRefusal } from "./sidecar.ts";

const ROOT = new URL("../", import.meta.url);
const path = (name: string): string => fileURLToPath(new URL(name, ROOT));
const HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;
/** How long running work may hold up the end, in milliseconds. */
const GRACE = 5_000;

/** What keeps the service from starting, as one sentence that says what to do. */
class Refusal extends Error {}

/** Ended in this order, each at most once, whatever the reason. */
const ends: (() => Promise<unknown>)[] = [];
let ending = false;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), GRACE).unref();
  for (const stop of ends) await stop().catch(() => {});
  process.exit(code);
}

function wantedPort(): number {
  const text = process.env["PORT"] ?? String(DEFAULT_PORT);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Refusal(`PORT must be a number from 0 to 65535, not "${text.slice(0, 40)}".`);
  }
  return port;
}

async function checkFree(port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen(port, HOST, () => resolve(undefined));
  });
  await new Promise((resolve) => server.close(resolve));
  if (problem === undefined) return;
  const reasons: Readonly<Record<string, string>> = { EADDRINUSE: "is in use", EACCES: "needs more rights" };
  const reason = reasons[problem.code ?? ""] ?? `cannot be used (${problem.code})`;
  throw new Refusal(`Port ${port} ${reason}. Choose another: PORT=8790 npm start`);
}

function checkFiles(): void {
  for (const name of [
    "examples/tpch/orders.parquet",
    "examples/tpch/customer.parquet",
    "examples/tpch/question.json",
    "sidecar/main.ts",
    "wrangler.toml",
  ]) {
    if (existsSync(path(name))) continue;
    throw new Refusal(`${name} is missing: the checkout is incomplete. Restore it with: git checkout ${name}`);
  }
}

/** The Worker's settings: whatever of them the environment has, and what this script decides. */
function apiSettings(sidecarUrl: string, secret: string): Readonly<Record<string, string>> {
  const given = Object.keys(workerSettings).flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const settings = {
    AUTH: "none",
    CACHE_STORE: "memory",
    ...Object.fromEntries(given),
    SIDECAR_URL: sidecarUrl,
    SIDECAR_SECRET: secret,
  };
  const outcome = readWorkerSettings(settings);
  if (!outcome.ok) throw new Refusal(`${outcome.problems.join("; ")}. See docs/configuration.md`);
  try {
    // The Worker would start all the same, and answer 503 to everything.
    createAuthenticator(outcome.settings, { fetch });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}.`);
  }
  return settings;
}

/** The address the API answers at. */
async function startApi(port: number, settings: Readonly<Record<string, string>>): Promise<string> {
  // Otherwise wrangler asks Cloudflare for a sample of request metadata and for news about itself.
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  process.env["WRANGLER_SEND_METRICS"] = "false";
  // Only now: it takes a second to load, which nobody who mistyped a port should wait for.
  const { unstable_DevEnv } = await import("wrangler");
  const environment = new unstable_DevEnv();
  const loaded = new Promise<void>((resolve, reject) => {
    environment.once("reloadComplete", () => resolve());
    // The reason is on the screen already. Without this, a bundle that does not build is a server that never answers.
    const refuse = (): void => reject(new Refusal("The Worker did not start."));
    environment.once("error", refuse);
    environment.once("buildFailed", refuse);
  });
  // Awaited below; until then a refusal must not count as unhandled.
  loaded.catch(() => {});
  const worker = await environment.startWorker({
    config: path("wrangler.toml"),
    envFiles: [devNull],
    bindings: Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, { type: "plain_text" as const, value }]),
    ),
    dev: { server: { hostname: HOST, port }, inspector: false, watch: false, persist: false, logLevel: "error" },
  });
  ends.unshift(() => worker.dispose());
  await loaded;
  await worker.ready;
  return (await worker.url).origin;
}

async function main(): Promise<void> {
  checkFiles();
  const port = wantedPort();
  const secret = randomBytes(32).toString("hex");
  apiSettings(`http://${HOST}`, secret);
  await checkFree(port);
  const sidecar = new Sidecar({
    secret,
    fileRoot: path("examples"),
    grace: GRACE,
    say: (sentence) => console.error(sentence),
    onGivenUp: () => void end(1),
  });
  ends.push(() => sidecar.stop());
  const sidecarUrl = await sidecar.start();
  const url = await startApi(port, apiSettings(sidecarUrl, secret));
  if (ending) return;
  console.log(`
Siskin is running.

  API        ${url}   workerd: planner, PostgreSQL on public hosts
  Sidecar    ${sidecarUrl}   Node: files below ${process.env["FILE_ROOT"] ?? "examples/"}, PostgreSQL on private hosts
  Reference  ${url}/docs

Ask the bundled data a question:

  curl -s ${url}/v3/connector/local_file/query -H 'content-type: application/json' -d @examples/tpch/question.json

Ctrl-C ends both.
`);
}

// Ctrl-C arrives like this, and so does the death of the first process (`start.mjs`).
process.on("disconnect", () => void end(0));

try {
  await main();
} catch (error) {
  const isTold = error instanceof Refusal || error instanceof SidecarRefusal;
  const said = isTold && error.message === "";
  if (!ending && !said) console.error(isTold ? error.message : error);
  await end(1);
}
