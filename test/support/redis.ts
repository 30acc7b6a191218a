/** A real Valkey or Redis of the machine's own (Debian: `valkey-server` or `redis-server`), on a free port, without a file. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { freePort } from "./guarded-process.ts";

export const REDIS_SERVER = ["valkey-server", "redis-server"].find(isThere);

/** For the name of a suite that cannot run. */
export const WITHOUT_REDIS = "not run: neither valkey-server nor redis-server is installed";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** `port` brings one back that was stopped. */
export async function startRedis(options: readonly string[] = [], port?: number): Promise<TestRedis> {
  if (REDIS_SERVER === undefined) throw new Error(WITHOUT_REDIS);
  const at = port ?? (await freePort());
  const words = ["--port", String(at), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", tmpdir()];
  const child = spawn(REDIS_SERVER, [...words, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (/Ready to accept connections/i.test(output)) resolve();
    });
    void ended.then(() => reject(new Error(output)));
  });
  return {
    url: `redis://127.0.0.1:${at}`,
    port: at,
    process: child,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
