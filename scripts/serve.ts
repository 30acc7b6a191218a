/** `npm start`: the API Worker in workerd and the sidecar beside it, both on loopback, until Ctrl-C. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { devNull } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readWorkerSettings, workerSettings } from "../src/config.ts";
import { createAuthenticator } from "../src/guard/authentication.ts";

const ROOT = new URL("../", import.meta.url);
const path = (name: string): string => fileURLToPath(new URL(name, ROOT));
const HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;
/** How long running work may hold up the end, in milliseconds. */
const GRACE = 5_000;
/** Run by the sidecar before anything else: it ends with this process, even where that is killed and can end nothing. */
const ORPHAN = 'data:text/javascript,process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))';

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
  const settings = { AUTH: "none", ...Object.fromEntries(given), SIDECAR_URL: sidecarUrl, SIDECAR_SECRET: secret };
  const outcome = readWorkerSettings(settings);
  if (!outcome.ok) throw new Refusal(`${outcome.problems.join("; ")}. See docs/configuration.md`);
  try {
    // The Worker would start all the same, and answer 503 to everything.
    createAuthenticator(outcome.settings.AUTH);
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}.`);
  }
  return settings;
}

interface Sidecar {
  readonly process: ChildProcess;
  readonly url: string;
}

/** Resolves when the sidecar says where it listens. */
async function startSidecar(secret: string): Promise<Sidecar> {
  const child = spawn(
    process.execPath,
    [
      "--experimental-strip-types",
      "--disable-warning=ExperimentalWarning",
      `--import=${ORPHAN}`,
      path("sidecar/main.ts"),
    ],
    {
      env: {
        FILE_ROOT: path("examples"),
        ALLOWED_HOSTS: "*",
        ...process.env,
        HOST,
        PORT: "0",
        SIDECAR_SECRET: secret,
      },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      // A process group of its own: Ctrl-C in the terminal is for this process, which ends the sidecar when it is due.
      detached: true,
    },
  );
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  ends.push(async () => {
    child.kill("SIGTERM");
    // The second signal does not wait for running requests.
    const patience = setTimeout(() => child.kill("SIGTERM"), GRACE / 2);
    await exited;
    clearTimeout(patience);
  });
  process.once("exit", () => child.kill("SIGTERM"));
  const ready = new Promise<number>((resolve, reject) => {
    child.once("error", (error) => reject(new Refusal(`The sidecar could not be started: ${error.message}`)));
    // One that refuses to start ends with 1 and has said why.
    child.once("exit", (code) => reject(new Refusal(code === 1 ? "" : "The sidecar ended before it was ready.")));
    // Its further lines are its log, which nobody reads here; reading on keeps the pipe from filling up.
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on("line", (line) => {
        const port = listeningPort(line);
        if (port !== undefined) resolve(port);
      });
  });
  return { process: child, url: `http://${HOST}:${await ready}` };
}

function listeningPort(line: string): number | undefined {
  try {
    const entry = JSON.parse(line) as { readonly event?: unknown; readonly port?: unknown };
    return entry.event === "listening" && typeof entry.port === "number" ? entry.port : undefined;
  } catch {
    return undefined;
  }
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
  const sidecar = await startSidecar(secret);
  const url = await startApi(port, apiSettings(sidecar.url, secret));
  sidecar.process.once("exit", () => {
    if (!ending) console.error("The sidecar has ended, and with it the service.");
    void end(1);
  });
  if (ending) return;
  console.log(`
Siskin is running.

  API        ${url}   workerd: planner, PostgreSQL on public hosts
  Sidecar    ${sidecar.url}   Node: files below ${process.env["FILE_ROOT"] ?? "examples/"}, PostgreSQL on private hosts
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
  const said = error instanceof Refusal && error.message === "";
  if (!ending && !said) console.error(error instanceof Refusal ? error.message : error);
  await end(1);
}
