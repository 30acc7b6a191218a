/** `npm start`: the API Worker in workerd and the sidecar beside it, both on loopback, until Ctrl-C. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { devNull } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { unstable_startWorker } from "wrangler";

const ROOT = new URL("../", import.meta.url);
const path = (name: string): string => fileURLToPath(new URL(name, ROOT));
const HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;

/** Ends the process with one sentence: what is wrong and what to do. */
function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function wantedPort(): number {
  const text = process.env.PORT ?? String(DEFAULT_PORT);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) refuse(`PORT must be a number from 0 to 65535, not "${text.slice(0, 40)}".`);
  return port;
}

/** Fails in words when somebody else listens there. */
async function checkFree(port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen(port, HOST, () => resolve(undefined));
  });
  await new Promise((resolve) => server.close(resolve));
  if (problem === undefined) return;
  const reason =
    problem.code === "EADDRINUSE" ? "is in use" : problem.code === "EACCES" ? "needs more rights" : `cannot be used (${problem.code})`;
  refuse(`Port ${port} ${reason}. Choose another: PORT=8790 npm start`);
}

function checkFiles(): void {
  for (const name of ["examples/tpch/orders.parquet", "examples/tpch/question.json", "sidecar/main.ts", "wrangler.toml"]) {
    if (!existsSync(path(name))) refuse(`${name} is missing: the checkout is incomplete. Restore it with: git checkout ${name}`);
  }
}

interface Sidecar {
  readonly process: ChildProcess;
  readonly url: string;
}

/** Resolves when the sidecar says where it listens. */
async function startSidecar(secret: string): Promise<Sidecar> {
  const child = spawn(process.execPath, ["--experimental-strip-types", "--disable-warning=ExperimentalWarning", path("sidecar/main.ts")], {
    env: { ...process.env, HOST, PORT: "0", SIDECAR_SECRET: secret, FILE_ROOT: path("examples"), ALLOWED_HOSTS: "*" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.once("error", (error) => refuse(`The sidecar could not be started: ${error.message}`));
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const port = listeningPort(line);
    if (port === undefined) continue;
    // Its further lines are its log; nobody reads them here, but the pipe must not fill up.
    child.stdout.resume();
    return { process: child, url: `http://${HOST}:${port}` };
  }
  refuse("The sidecar ended before it was ready; its message is above.");
}

function listeningPort(line: string): number | undefined {
  try {
    const entry = JSON.parse(line) as { readonly event?: unknown; readonly port?: unknown };
    return entry.event === "listening" && typeof entry.port === "number" ? entry.port : undefined;
  } catch {
    return undefined;
  }
}

async function startApi(port: number, sidecar: Sidecar, secret: string) {
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  process.env.WRANGLER_SEND_METRICS = "false";
  const settings = { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: secret };
  const worker = await unstable_startWorker({
    config: path("wrangler.toml"),
    envFiles: [devNull],
    bindings: Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, { type: "plain_text" as const, value }]),
    ),
    dev: { server: { hostname: HOST, port }, inspector: false, watch: false, persist: false, logLevel: "error" },
  });
  await worker.ready;
  return { worker, url: (await worker.url).origin };
}

checkFiles();
const port = wantedPort();
await checkFree(port);
const secret = randomBytes(32).toString("hex");
const sidecar = await startSidecar(secret);
const { worker, url } = await startApi(port, sidecar, secret);

let ending = false;
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  sidecar.process.kill("SIGTERM");
  await worker.dispose();
  process.exit(code);
}
process.on("SIGINT", () => void end(0));
process.on("SIGTERM", () => void end(0));
sidecar.process.once("exit", () => {
  if (!ending) console.error("The sidecar has ended; so does the service.");
  void end(1);
});

console.log(`
Siskin is running.

  API       ${url}   (workerd: planner, PostgreSQL)
  Sidecar   ${sidecar.url}   (Node: files in examples/, by DuckDB)
  Reference ${url}/docs

Ask the bundled data a question:

  curl -s ${url}/v3/connector/local_file/query -H 'content-type: application/json' -d @examples/tpch/question.json

Ctrl-C ends both.
`);
