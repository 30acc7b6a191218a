/**
 * `siskin serve`: the whole service on this machine, over one model, which is published again when a file of it changes. The service is
 * that of `npm run serve`, so it needs a checkout.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DataSource } from "../../src/planner/plan.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { CONNECTION_OPTIONS, MODEL_OPTIONS, readArguments } from "../options.ts";
import { describeError } from "../output/faults.ts";
import { readModel } from "../project/model.ts";
import type { Model } from "../project/types.ts";
import { directoryStore } from "../projects/directory-store.ts";
import { push } from "../projects/push.ts";
import type { Terminal } from "../terminal.ts";
import { connectionNeeded, openWorkspace, redacted } from "./context.ts";

const OPTIONS = { ...MODEL_OPTIONS, ...CONNECTION_OPTIONS, port: { type: "string" } } as const;

/** Two folders above the bundle, and above this file. */
const START = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
/** The name of the connection in the setting CONNECTIONS. */
const CONNECTION = "main";
/** Editors write a file in several steps. */
const QUIET_MS = 300;

export async function serveCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = readArguments(args, OPTIONS);
  if (!existsSync(START))
    throw new UsageError("siskin serve starts the service of a checkout. Run npx siskin serve in a checkout.");
  const workspace = openWorkspace(values, terminal);
  const { model, source } = workspace;
  const connection = connectionNeeded(workspace);
  const directory = mkdtempSync(join(tmpdir(), "siskin-serve-"));
  try {
    const publish = (changed: Model): Promise<string> => published(changed, source, directory);
    const name = await publish(model);
    terminal.err(`${model.origin} is the project ${name}, below /v3/projects/${name}.\n`);
    const watcher = model.isFolder ? watched(model.directory, () => again(terminal, values, publish)) : undefined;
    const child = spawn(process.execPath, [START, "serve"], {
      stdio: ["inherit", "inherit", "inherit"],
      env: {
        // Loopback alone: the service refuses to serve projects to a network without authentication.
        AUTH: "none",
        ALLOW_PRIVATE_HOSTS: "true",
        ALLOWED_HOSTS: "*",
        FILE_ROOT: model.fileRoot,
        ...terminal.environment,
        ...(values.port !== undefined && { PORT: values.port }),
        PROJECTS: "files",
        PROJECTS_DIRECTORY: join(directory, "store"),
        // The child's environment is the only place of the password.
        CONNECTIONS: JSON.stringify({
          [CONNECTION]: { dataSource: source, connectionInfo: connection.connectionInfo },
        }),
      },
    });
    const code = await ended(child);
    watcher?.close();
    return code === 0 ? 0 : 2;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Signals reach the child by the terminal's process group, or through this process. */
function ended(child: ChildProcess): Promise<number> {
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

async function published(model: Model, source: DataSource, directory: string): Promise<string> {
  const name =
    basename(model.directory)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 63) || "model";
  const store = join(directory, "store");
  mkdirSync(store, { recursive: true });
  writeFileSync(join(directory, "manifest.json"), model.manifestText);
  const pointer = { version: 1, name, manifest: "manifest.json", connection: CONNECTION };
  writeFileSync(join(directory, "project.json"), JSON.stringify(pointer));
  await push(join(directory, "project.json"), directoryStore(store), source);
  return name;
}

/** A model that cannot be read leaves the last one in force. */
async function again(
  terminal: Terminal,
  given: { readonly project?: string | undefined; readonly manifest?: string | undefined },
  publish: (model: Model) => Promise<string>,
): Promise<void> {
  try {
    await publish(readModel(given, terminal.directory));
    terminal.err("The model is published again; it holds after 30 seconds at most.\n");
  } catch (error) {
    terminal.err(redacted(describeError(error).text));
    terminal.err("The last model stays in force.\n");
  }
}

function watched(directory: string, changed: () => Promise<void>): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(directory, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void changed(), QUIET_MS);
  });
  return {
    close: () => {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
