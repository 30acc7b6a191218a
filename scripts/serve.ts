/**
 * Runs the API and the files Worker in workerd and the sidecar in Node until Ctrl-C, as their supervisor. `npm start` shows them
 * over the bundled data, on loopback and without authentication. `npm run serve` (the argument `serve`) runs them for use: only
 * given settings hold, and all of them write their logs. With `--inspect`, debuggers and heap profilers on this machine may look
 * into the API and the sidecar.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { directoryStore } from "../cli/projects/directory-store.ts";
import { push } from "../cli/projects/push.ts";
import { isLoopback } from "../src/api/project-request.ts";
import { reachableProjectProblems } from "../src/config/projects.ts";
import {
  readSupervisorSettings,
  readWorkerSettings,
  type SupervisorSettings,
  type WorkerSettings,
  workerSettings,
} from "../src/config.ts";
import { readNamedConnections } from "../src/connectors/named.ts";
import { logLine } from "../src/log-line.ts";
import { metricsAddressOf } from "../supervisor/api-processes.ts";
import { ProcessOutput } from "../supervisor/process-output.ts";
import { projectsDirectoryProblems } from "../supervisor/projects-directory.ts";
import { logLineOf, sentenceOf } from "../supervisor/report.ts";
import type { SupervisorEvent } from "../supervisor/supervised.ts";
import { Api } from "./service/api.ts";
import { banner, shownLine } from "./service/demonstration.ts";
import { Sidecar, SidecarRefusal } from "./service/sidecar.ts";

const ROOT = new URL("../", import.meta.url);
const path = (name: string): string => fileURLToPath(new URL(name, ROOT));
const LOOPBACK = "127.0.0.1";
const KIND = process.argv[2] === "serve" ? "service" : "demonstration";
const COMMAND = KIND === "service" ? "npm run serve" : "npm start";
const IS_INSPECTED = process.argv.includes("--inspect");
const HOST = (KIND === "service" && process.env["HOST"]) || LOOPBACK;
const DEFAULT_PORT = 8787;
/** Settings of a demonstration, which the environment may replace. */
const API_DEMONSTRATED: Readonly<Record<string, string>> = { AUTH: "none", CACHE_STORE: "memory" };
/** The bundled example as the project `shop`, if the environment sets neither projects nor files. */
const SHOP_DEMONSTRATED: Readonly<Record<string, string>> = {
  PROJECTS: "files",
  CONNECTIONS: JSON.stringify({ shop: { dataSource: "local_file", connectionInfo: { url: "/", format: "parquet" } } }),
};
const serveShop =
  KIND === "demonstration" && ["PROJECTS", "CONNECTIONS", "FILE_ROOT"].every((name) => !process.env[name]);
const SIDECAR_DEMONSTRATED: Readonly<Record<string, string>> = { FILE_ROOT: path("examples"), ALLOWED_HOSTS: "*" };
/** Time for processes that do not end by themselves, after all that `STOP_GRACE_MS` gives. Milliseconds. */
const LAST_MS = 2500;

/** The reason why the service does not start, with the remedy, in one sentence. */
class Refusal extends Error {}

/** Ended in this order, each at most once, whatever the reason. */
const ends: (() => Promise<unknown>)[] = [];
let ending = false;
/** Setting `STOP_GRACE_MS`. */
let grace = 0;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), ends.length * grace + LAST_MS).unref();
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
  throw new Refusal(`Port ${port} ${reason}. Choose another: PORT=8790 ${COMMAND}`);
}

function checkFiles(): void {
  for (const name of [
    "examples/tpch/orders.parquet",
    "examples/tpch/customer.parquet",
    "examples/tpch/question.json",
    "examples/tpch/project.json",
    "examples/tpch/manifest.json",
    "sidecar/main.ts",
    "wrangler.toml",
  ]) {
    if (existsSync(path(name))) continue;
    throw new Refusal(`${name} is missing: the checkout is incomplete. Restore it with: git checkout ${name}`);
  }
}

/** The Worker's settings: whatever of them the environment has, and what this script decides. */
function apiSettings(
  sidecarUrl: string,
  secret: string,
  supervisor: SupervisorSettings,
): Readonly<Record<string, string>> {
  const given = Object.keys(workerSettings).flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const settings = {
    ...(KIND === "demonstration" && API_DEMONSTRATED),
    ...(serveShop && SHOP_DEMONSTRATED),
    ...Object.fromEntries(given),
    SIDECAR_URL: sidecarUrl,
    SIDECAR_SECRET: secret,
  };
  const bindings = { ...((serveShop || process.env["PROJECTS_DIRECTORY"]) && { PROJECT_FILES: {} }) };
  const outcome = readWorkerSettings({ ...settings, ...bindings });
  const reachable = outcome.ok && !isLoopback(HOST) ? reachableProjectProblems(outcome.settings) : [];
  const problems = outcome.ok
    ? [
        ...reachable,
        ...connectionProblems(outcome.settings),
        ...projectsDirectoryProblems(supervisor, outcome.settings),
      ]
    : outcome.problems;
  if (problems.length > 0) throw new Refusal(`${problems.join("; ")}. See docs/reference/configuration.md`);
  return settings;
}

/** Otherwise the Worker would find them at its first request and answer 503 from then on. */
function connectionProblems({ CONNECTIONS, ALLOW_PRIVATE_HOSTS }: WorkerSettings): readonly string[] {
  const filesWorker = process.env["FILES_WORKER"] === "on";
  const rules = { sidecar: true, filesWorker, allowPrivateHosts: ALLOW_PRIVATE_HOSTS };
  const named = readNamedConnections(CONNECTIONS, {}, rules);
  return named.ok ? [] : named.problems;
}

/** A directory with the project `shop`, for as long as the demonstration runs. */
async function demonstratedProjects(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-projects-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  await push(path("examples/tpch/project.json"), directoryStore(directory), "local_file");
  return directory;
}

function supervisorSettings(): SupervisorSettings {
  const outcome = readSupervisorSettings(process.env);
  if (!outcome.ok) throw new Refusal(`${outcome.problems.join("; ")}. See docs/reference/configuration.md`);
  return outcome.settings;
}

async function main(): Promise<void> {
  checkFiles();
  const port = wantedPort();
  // Both ends are ours: without a secret that is given, each start has its own.
  const secret = process.env["SIDECAR_SECRET"] || randomBytes(32).toString("hex");
  const supervisor = supervisorSettings();
  apiSettings(`http://${LOOPBACK}`, secret, supervisor);
  const { FILES_WORKER, PROBE_INTERVAL_MS, RESTART_MAX_PAUSE_MS } = supervisor;
  grace = supervisor.STOP_GRACE_MS;
  await checkFree(port);
  const say = (sentence: string): void => console.error(sentence);
  const supervision = {
    probeIntervalMs: PROBE_INTERVAL_MS,
    longestPauseMs: RESTART_MAX_PAUSE_MS,
    report: (event: SupervisorEvent) => (KIND === "service" ? console.log(logLineOf(event)) : say(sentenceOf(event))),
  };
  const writeLine = (line: string): void => {
    const shown = KIND === "service" ? line : shownLine(line);
    if (shown !== undefined) console.log(shown);
  };
  const words = (name: string): ProcessOutput => new ProcessOutput({ process: name, writeLine, writeErrorLine: say });
  const sidecarOutput = words("The sidecar");
  const sidecar = new Sidecar({
    secret,
    standard: KIND === "demonstration" ? SIDECAR_DEMONSTRATED : {},
    grace,
    isInspected: IS_INSPECTED,
    supervision,
    output: sidecarOutput,
    onRefused: () => {
      sidecarOutput.message("The sidecar does not start any more, and the service ends with it.");
      void end(1);
    },
  });
  ends.push(() => sidecar.stop());
  const sidecarUrl = await sidecar.start();
  const given = supervisor.PROJECTS_DIRECTORY;
  const projects = serveShop ? await demonstratedProjects() : given && resolve(given);
  const api = new Api({
    host: HOST,
    port,
    sidecar: new URL(sidecarUrl).host,
    settings: apiSettings(sidecarUrl, secret, supervisor),
    hasFilesWorker: FILES_WORKER === "on",
    projects,
    isInspected: IS_INSPECTED,
    supervision,
    heapMib: supervisor.WORKER_HEAP_MIB,
    words,
    metricsAddress: metricsAddressOf(supervisor),
  });
  ends.unshift(() => api.stop(grace));
  const url = `http://${HOST}:${await api.start()}`;
  if (ending) return;
  console.log(
    KIND === "service"
      ? logLine({ level: "info", event: "serving", url, inspector: api.inspector })
      : banner({
          url,
          sidecarUrl,
          fileRoot: process.env["FILE_ROOT"],
          hasFilesWorker: FILES_WORKER === "on",
          projects: projects === undefined ? [] : await directoryStore(projects).names(),
        }),
  );
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
