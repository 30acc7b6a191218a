/** The service as `npm start` starts it: its own processes, real ports on loopback, words on the screen. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export interface Launch {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** The exit code, once there is one. */
  readonly ended: Promise<number | null>;
}

export interface RunningService extends Launch {
  readonly url: string;
  readonly sidecarUrl: string;
  /** Ctrl-C, and the wait for the end. */
  stop(): Promise<number | null>;
}

/** The command of `npm start`, without npm. */
export const startOf = (checkout: string): readonly string[] => [process.execPath, join(checkout, "scripts/start.mjs")];

/** Runs a command in a process group of its own, as a terminal would. */
export function launch(variables: Readonly<Record<string, string>> = {}, command = startOf(ROOT)): Launch {
  const [program = "", ...words] = command;
  const child = spawn(program, words, {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  // `close` comes when every process that holds the streams is gone, not only the first.
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { process: child, pid: child.pid!, output: () => output, ended };
}

/** Resolves when the service says that it runs. Fails with what it printed instead. */
export async function startService(
  variables: Readonly<Record<string, string>> = {},
  command?: readonly string[],
): Promise<RunningService> {
  const launched = launch({ PORT: "0", ...variables }, command);
  const { url, sidecarUrl } = await new Promise<{ url: string; sidecarUrl: string }>((resolve, reject) => {
    launched.process.stdout?.on("data", () => {
      const text = launched.output();
      if (!text.includes("Ctrl-C ends both.")) return;
      resolve({ url: /API +(\S+)/.exec(text)![1]!, sidecarUrl: /Sidecar +(\S+)/.exec(text)![1]! });
    });
    void launched.ended.then((code) => reject(new Error(`npm start ended with ${code}: ${launched.output()}`)));
  });
  const stop = (): Promise<number | null> => {
    launched.process.kill("SIGINT");
    return launched.ended;
  };
  return { ...launched, url, sidecarUrl, stop };
}

/** Nobody listens there any more. */
export function isFree(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
}

/** A port that nobody listens at just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Processes that `pid` started, and theirs. */
export function descendantsOf(pid: number): readonly { readonly pid: number; readonly command: string }[] {
  const parents = processes();
  const below = (parent: number): number[] =>
    parents.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...below(each.pid)]);
  const wanted = new Set(below(pid));
  return parents.filter((each) => wanted.has(each.pid));
}

/** It runs; one that has ended and that nobody has asked about yet (a zombie) does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function processes(): readonly { readonly pid: number; readonly parent: number; readonly command: string }[] {
  if (process.platform !== "linux") {
    const lines = execFileSync("ps", ["-axo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
    return lines.map((line) => {
      const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return { pid: Number(pid), parent: Number(parent), command };
    });
  }
  // Not every Linux has `ps`.
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), command }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
