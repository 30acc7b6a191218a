/**
 * A ClickHouse for tests: its engine, from what `npm run engines` has installed, behind an HTTP front of ours
 * (`clickhouse-process.ts` says what of it is real). Loopback only, random port; nothing survives `stop`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guardedScript, stopGuarded } from "./guarded-process.ts";

export interface ClickHouseServer {
  readonly host: string;
  readonly port: number;
  /** May do everything. The others of `clickhouse-process.ts` have the same password and other profiles. */
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** Has characters that must be escaped in a URL, and one beyond Latin-1. */
const PASSWORD = "s3cret/[p@ss]:%+é€";

const ENGINE = fileURLToPath(new URL("../../.siskin/clickhouse/package.json", import.meta.url));
const PROCESS = fileURLToPath(new URL("clickhouse-process.ts", import.meta.url));

/** Whether `npm run engines` has installed it. */
export function hasClickHouse(): boolean {
  return existsSync(join(ENGINE, "../node_modules/chdb/package.json"));
}

/** For the name of a suite that cannot run. */
export const WITHOUT_CLICKHOUSE = "not run: npm run engines has not installed ClickHouse's engine";

/** Half a second. Fails with what the process says when it does not come up. */
export async function startClickHouseServer(): Promise<ClickHouseServer> {
  const home = mkdtempSync(join(tmpdir(), "siskin-clickhouse-"));
  const data = join(home, "data");
  mkdirSync(data);
  const options = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
  const command = [process.execPath, ...options, PROCESS, ENGINE, data, PASSWORD];
  const server = spawn("/bin/sh", ["-c", guardedScript("KILL"), "sh", home, ...command], {
    cwd: home,
    // Each running query holds one of these threads.
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC", UV_THREADPOOL_SIZE: "64" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  try {
    const port = await portOf(server);
    return {
      host: "127.0.0.1",
      port,
      user: "default",
      password: PASSWORD,
      stop: () => stopGuarded(server, () => rmSync(home, { recursive: true, force: true })),
    };
  } catch (error) {
    await stopGuarded(server, () => rmSync(home, { recursive: true, force: true }));
    throw error;
  }
}

async function portOf(server: ChildProcess): Promise<number> {
  let log = "";
  const port = await new Promise<number | undefined>((resolve) => {
    const deadline = setTimeout(() => resolve(undefined), 120_000);
    const hear = (text: string) => {
      log += text;
      const [, number] = /ready at (\d+)\n/.exec(log) ?? [];
      if (number === undefined) return;
      clearTimeout(deadline);
      resolve(Number(number));
    };
    server.stdout?.setEncoding("utf8").on("data", hear);
    server.stderr?.setEncoding("utf8").on("data", hear);
    server.once("exit", () => resolve(undefined));
  });
  if (port === undefined) throw new Error(`It did not start:\n${log}`);
  return port;
}
