/**
 * A real Spark in a directory of its own, from what `npm run engines` has installed: one process on loopback, Spark Connect and
 * the pages about it at random ports, a warehouse of its own. Nothing survives `stop`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { TEST_SERVICES } from "./global-setup.ts";
import { freePort, guardedScript, stopGuarded } from "./guarded-process.ts";

export interface SparkServer {
  readonly host: string;
  /** Port of Spark Connect. */
  readonly port: number;
  /** `http://127.0.0.1:…`, where the server shows what it does. */
  readonly pages: string;
  stop(): Promise<void>;
}

/**
 * With `SPARK=3.5` that release, which `SPARK=3.5 npm run engines` installs: it is to keep the contract of connectors,
 * and to answer what it does not refuse as 4.0 does (docs/decisions/0057-spark-releases.md#decision).
 */
export const isSpark35 = process.env["SPARK"] === "3.5";
const DIRECTORY = isSpark35 ? "spark-3.5" : "spark";

const ROOT = fileURLToPath(new URL(`../../.siskin/${DIRECTORY}/`, import.meta.url));
const JAVA_HOME = join(ROOT, "java-home");
const HOME = join(ROOT, "pyspark");
const HOST = "127.0.0.1";
const PATIENCE_MS = 300_000;

/** Whether `npm run engines` has installed it. */
export const hasSpark = (): boolean => existsSync(JAVA_HOME);

/** For the name of a suite that cannot run. */
export const WITHOUT_SPARK = "not run: npm run engines has not installed Spark";

/** The one server that all files of a vitest run share; elsewhere one of its own. */
export async function startSpark(): Promise<SparkServer> {
  const shared = process.env[TEST_SERVICES];
  if (shared === undefined) return await startSparkServer();
  const response = await fetch(`${shared}spark`);
  if (!response.ok) throw new Error(await response.text());
  return { ...((await response.json()) as Omit<SparkServer, "stop">), stop: async () => {} };
}

/** A quarter of a minute on a quiet machine. Fails with the server's own log when it does not come up. */
export async function startSparkServer(): Promise<SparkServer> {
  const home = mkdtempSync(join(tmpdir(), "siskin-spark-"));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    const [port, pagesPort] = [await freePort(), await freePort()];
    const server = spawn("/bin/sh", ["-c", guardedScript("KILL"), "sh", home, ...command(home, port, pagesPort)], {
      cwd: home,
      env: {
        PATH: process.env["PATH"] ?? "",
        LC_ALL: "C.UTF-8",
        TZ: "UTC",
        JAVA_HOME: readFileSync(JAVA_HOME, "utf8"),
        SPARK_HOME: HOME,
        SPARK_CONF_DIR: join(home, "conf"),
        SPARK_LOCAL_DIRS: join(home, "tmp"),
        SPARK_LOCAL_IP: HOST,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    await cameUp(server);
    return { host: HOST, port, pages: `http://${HOST}:${pagesPort}`, stop: () => stopGuarded(server, remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

function command(home: string, port: number, pagesPort: number): string[] {
  mkdirSync(join(home, "conf"));
  const settings = {
    "spark.connect.grpc.binding.address": HOST,
    "spark.connect.grpc.binding.port": String(port),
    "spark.driver.bindAddress": HOST,
    "spark.driver.host": HOST,
    // Compiled quickly rather than well: no statement here runs for long. Java keeps 48 MB for code that is compiled so, which a run
    // of the tests fills: calls are no longer found then ("no such method: linkToStatic"), or the server ends.
    "spark.driver.extraJavaOptions": `-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC -Xss4m -Djava.io.tmpdir=${home}`,
    "spark.driver.memory": "2g",
    "spark.master": "local[2]",
    "spark.default.parallelism": "2",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.warehouse.dir": join(home, "warehouse"),
    "spark.ui.port": String(pagesPort),
    // Data kept about finished statements: some have thousands of tasks, and a test run would fill the server's memory.
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "1000",
    "spark.sql.ui.retainedExecutions": "20",
    "spark.ui.liveUpdate.period": "0",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(join(home, "conf/spark-defaults.conf"), lines.join(""));
  const server = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"];
  return [join(HOME, "bin/spark-submit"), ...server];
}

/** By its log: the port answers no more than the log does, and earlier. */
async function cameUp(server: ChildProcess): Promise<void> {
  let log = "";
  const listen = (text: string): void => {
    log = (log + text).slice(-4000);
  };
  for (const stream of [server.stdout, server.stderr]) stream?.setEncoding("utf8").on("data", listen);
  let ended = false;
  server.once("exit", () => {
    ended = true;
  });
  const deadline = performance.now() + PATIENCE_MS;
  while (!ended && performance.now() < deadline) {
    if (log.includes("Spark Connect server started")) {
      for (const stream of [server.stdout, server.stderr]) stream?.removeAllListeners("data").resume();
      return;
    }
    await sleep(250);
  }
  server.stdin?.end();
  throw new Error(`It did not start:\n${log}`);
}
